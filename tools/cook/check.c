// SPDX-License-Identifier: MIT
// Stage check (RULES 12): every index and number of the input and the recipe, so that later stages
// follow them without looking again. The first mistake becomes an error with place and value. Reads
// the input and the recipe; writes cook->names, cook->is_excluded and cook->mirrors. Parts,
// profiles and the solvers of layers are checked in check_parts.c, check_profiles.c and
// check_lame.c.
#include "tools/cook/stages.h"

#include <string.h>

#define SEAM_PASSES_MAX  16u
#define VOLUME_REACH_MAX 10.0f

static bool all_finite(const float* values, uint64_t count, uint64_t* at) {
    for (uint64_t i = 0; i < count; ++i) {
        if (!(values[i] - values[i] == 0.0f)) {
            *at = i;
            return false;
        }
    }
    return true;
}

static tlw_result check_weights(tlw_cook* cook, const char* name, uint32_t vertex_count,
                                uint32_t influence_count, const uint32_t* joints,
                                const float* weights) {
    if (influence_count == 0) {
        return TLW_OK;
    }
    if (joints == NULL || weights == NULL) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "mesh '%s': %u influences a vertex, but no joints or no weights", name,
                             influence_count);
    }
    for (uint64_t i = 0; i < (uint64_t)vertex_count * influence_count; ++i) {
        const uint64_t vertex = i / influence_count;
        if (!(weights[i] >= 0.0f) || weights[i] > 1e6f) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "mesh '%s': weight %llu of vertex %llu is %g", name,
                                 (unsigned long long)(i % influence_count),
                                 (unsigned long long)vertex, (double)weights[i]);
        }
        if (weights[i] > 0.0f && joints[i] >= cook->input->joint_count) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "mesh '%s': joint %llu of vertex %llu is %u; there are %u", name,
                                 (unsigned long long)(i % influence_count),
                                 (unsigned long long)vertex, joints[i], cook->input->joint_count);
        }
        for (uint64_t k = vertex * influence_count; k < i && weights[i] > 0.0f; ++k) {
            if (weights[k] > 0.0f && joints[k] == joints[i]) {
                return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                     "mesh '%s': vertex %llu has joint %u twice", name,
                                     (unsigned long long)vertex, joints[i]);
            }
        }
    }
    return TLW_OK;
}

// Paint is 0 to 1. A reader of files may put values into that range first; here they are wrong.
static tlw_result check_paint(tlw_cook* cook, const tlw_cook_mesh* mesh) {
    static const char* const names[TLW_COOK_PAINTS] = {"fat", "stiffness"};
    for (int i = 0; i < TLW_COOK_PAINTS; ++i) {
        for (uint32_t v = 0; mesh->paint[i] != NULL && v < mesh->vertex_count; ++v) {
            if (!(mesh->paint[i][v] >= 0.0f && mesh->paint[i][v] <= 1.0f)) {
                return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                     "mesh '%s': the painted %s of vertex %u is %g; it is 0 to 1",
                                     mesh->name ? mesh->name : "", names[i], v,
                                     (double)mesh->paint[i][v]);
            }
        }
    }
    return TLW_OK;
}

static tlw_result check_mesh(tlw_cook* cook, const tlw_cook_mesh* mesh) {
    const char* name = mesh->name ? mesh->name : "";
    uint64_t at = 0;
    if (mesh->role == TLW_ROLE_IGNORE) {
        return TLW_OK;
    }
    if (mesh->vertex_count == 0 || mesh->positions == NULL) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "mesh '%s' has no vertices", name);
    }
    if (mesh->triangle_count == 0 || mesh->indices == NULL) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "mesh '%s' has no triangles", name);
    }
    if (!all_finite(mesh->positions, (uint64_t)mesh->vertex_count * 3, &at)) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "mesh '%s': position %llu, component %llu is %g", name,
                             (unsigned long long)(at / 3), (unsigned long long)(at % 3),
                             (double)mesh->positions[at]);
    }
    const struct {
        const char* what;
        const float* values;
        uint32_t width;
    } streams[] = {
        {"normal", mesh->normals, 3}, {"tangent", mesh->tangents, 4}, {"uv", mesh->uvs, 2}};
    for (size_t i = 0; i < TLW_COUNT_OF(streams); ++i) {
        if (streams[i].values &&
            !all_finite(streams[i].values, (uint64_t)mesh->vertex_count * streams[i].width, &at)) {
            return tlw_cook_fail(
                cook, TLW_ERROR_BAD_ARGUMENT, "mesh '%s': %s %llu, component %llu is %g", name,
                streams[i].what, (unsigned long long)(at / streams[i].width),
                (unsigned long long)(at % streams[i].width), (double)streams[i].values[at]);
        }
    }
    for (uint64_t i = 0; i < (uint64_t)mesh->triangle_count * 3; ++i) {
        if (mesh->indices[i] >= mesh->vertex_count) {
            return tlw_cook_fail(
                cook, TLW_ERROR_BAD_ARGUMENT,
                "mesh '%s': corner %llu of triangle %llu is vertex %u; there are %u", name,
                (unsigned long long)(i % 3), (unsigned long long)(i / 3), mesh->indices[i],
                mesh->vertex_count);
        }
    }
    const tlw_result result = check_paint(cook, mesh);
    return result != TLW_OK ? result
                            : check_weights(cook, name, mesh->vertex_count, mesh->influence_count,
                                            mesh->joints, mesh->weights);
}

static tlw_result check_points(tlw_cook* cook, const tlw_cook_points* points) {
    const char* name = points->name ? points->name : "";
    uint64_t at = 0;
    if (points->count > 0 && points->positions == NULL) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "points '%s' have no positions", name);
    }
    if (!all_finite(points->positions, (uint64_t)points->count * 3, &at) ||
        (points->normals && !all_finite(points->normals, (uint64_t)points->count * 3, &at))) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "points '%s': point %llu, component %llu is not finite", name,
                             (unsigned long long)(at / 3), (unsigned long long)(at % 3));
    }
    return check_weights(cook, name, points->count, points->influence_count, points->joints,
                         points->weights);
}

static tlw_result check_joint(tlw_cook* cook, uint32_t j) {
    const tlw_cook_joint* joint = &cook->input->joints[j];
    if (joint->name == NULL || joint->name[0] == 0) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "joint %u has no name", j);
    }
    for (int i = 0; i < 16; ++i) {
        if (!(joint->bind[i] - joint->bind[i] == 0.0)) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "joint %u '%s': element %d of its bind matrix is %g", j,
                                 joint->name, i, joint->bind[i]);
        }
    }
    if (!tlw_blob_is_bind(joint->bind)) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "joint %u '%s': its bind matrix has no inverse, or its last row "
                             "is not 0 0 0 1",
                             j, joint->name);
    }
    if (joint->parent != TLW_NO_JOINT && joint->parent >= cook->input->joint_count) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "joint %u '%s': parent %u; there are %u joints", j, joint->name,
                             joint->parent, cook->input->joint_count);
    }
    return TLW_OK;
}

// Every joint must lead up to a root. Each walk up marks the joints that it passes and stops at a
// marked one, so no joint is passed twice; a walk that meets its own mark has found a cycle.
static tlw_result check_parents(tlw_cook* cook) {
    const tlw_cook_joint* joints = cook->input->joints;
    const uint32_t count = cook->input->joint_count;
    uint32_t* walk = tlw_cook_allocate(cook, count, sizeof *walk);
    for (uint32_t j = 0; walk != NULL && j < count; ++j) {
        uint32_t up = j;
        while (up != TLW_NO_JOINT && walk[up] == 0) {
            walk[up] = j + 1;
            up = joints[up].parent;
        }
        if (up != TLW_NO_JOINT && walk[up] == j + 1) {
            tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "joint %u '%s' is among its own ancestors",
                          up, joints[up].name);
            break;
        }
    }
    tlw_cook_free(cook, walk);
    return cook->error.result;
}

static tlw_result check_names(tlw_cook* cook) {
    const uint32_t count = cook->input->joint_count;
    cook->names = tlw_cook_allocate(cook, count, sizeof *cook->names);
    if (cook->names == NULL) {
        return cook->error.result;
    }
    tlw_sort_joint_names(cook->input->joints, count, cook->names);
    for (uint32_t i = 1; i < count; ++i) {
        const tlw_joint_name *a = &cook->names[i - 1], *b = &cook->names[i];
        if (strcmp(a->name, b->name) == 0) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "joints %u and %u have the same name '%s'", a->joint, b->joint,
                                 a->name);
        }
    }
    return TLW_OK;
}

static tlw_result check_joints(tlw_cook* cook) {
    const tlw_cook_input* input = cook->input;
    if (input->joint_count == 0 || input->joints == NULL) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "there are no joints");
    }
    if (input->joint_count > UINT16_MAX) { // the blob stores joints in 16 bits
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "%u joints; at most %u are possible",
                             input->joint_count, UINT16_MAX);
    }
    tlw_result result = TLW_OK;
    for (uint32_t j = 0; j < input->joint_count && result == TLW_OK; ++j) {
        result = check_joint(cook, j);
    }
    if (result == TLW_OK) {
        result = check_parents(cook);
    }
    if (result == TLW_OK) {
        result = check_names(cook);
    }
    return result;
}

static bool find_joint(const tlw_cook* cook, const char* name, uint32_t* out) {
    *out = name ? tlw_find_joint_name(cook->names, cook->input->joint_count, name) : TLW_NO_JOINT;
    return *out != TLW_NO_JOINT;
}

static tlw_result check_firm(tlw_cook* cook) {
    const tlw_cook_recipe* r = cook->recipe;
    bool* is_named = tlw_cook_allocate(cook, cook->input->joint_count, sizeof *is_named);
    for (uint32_t i = 0; is_named != NULL && i < r->firm_joint_count; ++i) {
        const char* name = r->firm_joints[i] ? r->firm_joints[i] : "";
        uint32_t joint;
        if (!find_joint(cook, name, &joint)) {
            return tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND, "firm joint %u: there is no joint '%s'",
                                 i, name);
        }
        if (is_named[joint]) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "firm joint %u: '%s' is in the list already", i, name);
        }
        is_named[joint] = true;
    }
    tlw_cook_free(cook, is_named);
    return cook->error.result;
}

static tlw_result check_heat(tlw_cook* cook) {
    const tlw_cook_recipe* r = cook->recipe;
    bool* is_named = tlw_cook_allocate(cook, cook->input->joint_count, sizeof *is_named);
    for (uint32_t i = 0; is_named != NULL && i < r->heat_count; ++i) {
        const tlw_cook_heat* heat = &r->heat[i];
        const char* name = heat->joint ? heat->joint : "";
        uint32_t joint;
        if (!find_joint(cook, name, &joint)) {
            return tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND, "heat %u: there is no joint '%s'", i,
                                 name);
        }
        if (is_named[joint]) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "heat %u: '%s' is in the list already", i, name);
        }
        if (!(heat->strength >= 1e-3f && heat->strength <= 1e3f) ||
            !(heat->energy >= 1e-3f && heat->energy <= 1e3f)) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "heat %u '%s': strength %g, energy %g; both are 0.001 to 1000", i,
                                 name, (double)heat->strength, (double)heat->energy);
        }
        is_named[joint] = true;
    }
    tlw_cook_free(cook, is_named);
    return cook->error.result;
}

static tlw_result check_gravity(tlw_cook* cook) {
    const float most = TLW_BLOB_GRAVITY_MAX;
    for (int i = 0; i < 3; ++i) {
        const float value = cook->recipe->rest_gravity[i];
        if (!(value >= -most && value <= most)) {
            tlw_cook_blame(cook, "rest_gravity");
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "rest_gravity[%d] is %g; it is %g to %g", i, (double)value,
                                 -(double)most, (double)most);
        }
    }
    return TLW_OK;
}

static tlw_result check_recipe(tlw_cook* cook) {
    const tlw_cook_recipe* r = cook->recipe;
    if (r->cookie != TLW_RECIPE_COOKIE) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_DEF,
                             "the recipe did not come from tlw_default_cook_recipe");
    }
    if (r->resolution == 1 || (r->resolution == 0 && !(r->voxel_metres > 0.0))) {
        return tlw_cook_fail(
            cook, TLW_ERROR_BAD_ARGUMENT,
            "resolution is %u and voxel_metres %g; one must be given, a resolution "
            "of at least 2",
            r->resolution, r->voxel_metres);
    }
    if (r->region_width != 2 && r->region_width != 3) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "region_width is %u; it is 2 or 3",
                             r->region_width);
    }
    if (!tlw_is_neighbour_set(r->neighbours)) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "neighbours is %u; it is 6, 14, 18, 20 or 26", r->neighbours);
    }
    if (r->layer_count < 2 || r->layer_count > TLW_COOK_LAYERS_MAX) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "%u layers; 2 to %d are possible",
                             r->layer_count, TLW_COOK_LAYERS_MAX);
    }
    if (r->bone_share.denominator == 0 || r->bone_share.numerator > r->bone_share.denominator) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "bone_share is %u / %u",
                             r->bone_share.numerator, r->bone_share.denominator);
    }
    for (uint32_t i = 0; i < r->layer_count; ++i) {
        const tlw_cook_layer* layer = &r->layers[i];
        if (!(layer->stiffness >= 0.0f && layer->stiffness <= 1e6f) ||
            !(layer->damping >= 0.0f && layer->damping <= 1.0f) ||
            !(layer->anchor_hz >= 0.0f && layer->anchor_hz <= 1e6f)) {
            return tlw_cook_fail(
                cook, TLW_ERROR_BAD_ARGUMENT,
                "layer '%s': stiffness %g, damping %g, anchor_hz %g; stiffness and "
                "anchor_hz are 0 or more, damping 0 to 1",
                layer->name, (double)layer->stiffness, (double)layer->damping,
                (double)layer->anchor_hz);
        }
        const bool has_ratio = i > 0 && i + 2 < r->layer_count;
        if (has_ratio &&
            (layer->ratio.denominator == 0 || layer->ratio.numerator > layer->ratio.denominator)) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "layer '%s': ratio is %u / %u",
                                 layer->name, layer->ratio.numerator, layer->ratio.denominator);
        }
        if (has_ratio && i > 1) {
            const tlw_cook_fraction a = r->layers[i - 1].ratio, b = layer->ratio;
            if ((uint64_t)a.numerator * b.denominator >= (uint64_t)b.numerator * a.denominator) {
                return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                     "layers out of order: '%s' (%u / %u) does not come after "
                                     "'%s' (%u / %u)",
                                     layer->name, b.numerator, b.denominator, r->layers[i - 1].name,
                                     a.numerator, a.denominator);
            }
        }
    }
    const struct {
        const char* what;
        float value;
    } numbers[] = {{"limit_extent", r->limit_extent}, {"limit_thickness", r->limit_thickness}};
    for (size_t i = 0; i < TLW_COUNT_OF(numbers); ++i) {
        if (!(numbers[i].value >= 0.0f && numbers[i].value <= 1e6f)) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "%s is %g; it is 0 or more",
                                 numbers[i].what, (double)numbers[i].value);
        }
    }
    if ((unsigned)r->embedding > TLW_COOK_EMBED_RBF) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "there is no embedding %d",
                             (int)r->embedding);
    }
    if (r->seam_passes > SEAM_PASSES_MAX) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "seam_passes is %u; it is 0 to %u",
                             r->seam_passes, SEAM_PASSES_MAX);
    }
    if (!(r->volume_reach >= 0.0f && r->volume_reach <= VOLUME_REACH_MAX)) {
        tlw_cook_blame(cook, "volume.reach");
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "volume_reach is %g; it is 0 to %g",
                             (double)r->volume_reach, (double)VOLUME_REACH_MAX);
    }
    if (check_gravity(cook) != TLW_OK) {
        return cook->error.result;
    }
    if ((unsigned)r->skinning >= TLW_SKINNING_COUNT) {
        tlw_cook_blame(cook, "skinning");
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "there is no skinning %d",
                             (int)r->skinning);
    }
    cook->mirrors = tlw_cook_allocate(cook, r->part_count, sizeof *cook->mirrors);
    if (cook->mirrors == NULL) {
        return cook->error.result;
    }
    for (uint32_t i = 0; i < r->part_count; ++i) {
        const tlw_result result = tlw_cook_check_part(cook, i);
        if (result != TLW_OK) {
            return result;
        }
    }
    if (tlw_cook_check_lame(cook) != TLW_OK || tlw_cook_check_profiles(cook) != TLW_OK ||
        tlw_cook_check_muscles(cook) != TLW_OK) {
        return cook->error.result;
    }
    if (!r->is_firm_auto) {
        const tlw_result result = check_firm(cook);
        if (result != TLW_OK) {
            return result;
        }
    }
    if (r->heat_count > 0 && check_heat(cook) != TLW_OK) {
        return cook->error.result;
    }
    uint32_t joint;
    for (uint32_t i = 0; i < r->cut_count; ++i) {
        const char* names[2] = {r->cuts[i].joint_a, r->cuts[i].joint_b};
        for (int k = 0; k < 2; ++k) {
            if (!find_joint(cook, names[k], &joint)) {
                return tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND, "cut %u: there is no joint '%s'", i,
                                     names[k] ? names[k] : "");
            }
        }
        if ((unsigned)r->cuts[i].kind > TLW_CUT_ALL) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "cut %u: there is no kind %d", i,
                                 (int)r->cuts[i].kind);
        }
    }
    for (uint32_t i = 0; i < r->excluded_joint_count; ++i) {
        if (!find_joint(cook, r->excluded_joints[i], &joint)) {
            return tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND,
                                 "excluded joint %u: there is no joint '%s'", i,
                                 r->excluded_joints[i] ? r->excluded_joints[i] : "");
        }
        cook->is_excluded[joint] = true;
    }
    return TLW_OK;
}

tlw_result tlw_cook_check(tlw_cook* cook) {
    tlw_result result = check_joints(cook);
    if (result == TLW_OK) {
        cook->is_excluded =
            tlw_cook_allocate(cook, cook->input->joint_count, sizeof *cook->is_excluded);
        result = cook->error.result;
    }
    if (result == TLW_OK) {
        cook->is_about_recipe = true;
        result = check_recipe(cook);
        cook->is_about_recipe = false;
    }
    for (uint32_t m = 0; m < cook->input->mesh_count && result == TLW_OK; ++m) {
        result = check_mesh(cook, &cook->input->meshes[m]);
    }
    for (uint32_t p = 0; p < cook->input->points_count && result == TLW_OK; ++p) {
        result = check_points(cook, &cook->input->points[p]);
    }
    return result;
}
