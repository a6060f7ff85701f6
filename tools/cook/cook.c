// SPDX-License-Identifier: MIT
// The cooking library's front: default recipe, checks of what came in, memory, and the stages in
// order.
#include "tools/cook/cook.h"

#include "platform/checked.h"
#include "platform/handlers.h"
#include "tools/cook/stages.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECIPE_COOKIE  0x52454349u
#define OPTIONS_COOKIE 0x434F4F4Bu

static void set_layer(tlw_cook_layer* layer, const char* name, float stiffness, float damping) {
    memset(layer, 0, sizeof *layer);
    snprintf(layer->name, sizeof layer->name, "%s", name);
    layer->stiffness = stiffness;
    layer->damping = damping;
    layer->ratio = (tlw_cook_fraction){1, 1};
}

tlw_cook_recipe tlw_default_cook_recipe(void) {
    tlw_cook_recipe recipe = {.resolution = 48,
                              .region_width = 3,
                              .neighbours = 26,
                              .weights = TLW_WEIGHTS_AUTO,
                              .smoothing_passes = 4,
                              .layer_count = 4,
                              .bone_share = {34, 100},
                              .bone_radius_voxels = -1,
                              .anchor_hz = 2.0f,
                              .limit_extent = 0.10f,
                              .limit_thickness = 0.75f,
                              .max_voxels = 4000000,
                              .max_memory_bytes = (uint64_t)4 << 30,
                              .cookie = RECIPE_COOKIE};
    set_layer(&recipe.layers[0], "bone", 0.0f, 0.0f);
    set_layer(&recipe.layers[1], "muscle", 0.4f, 0.7f);
    set_layer(&recipe.layers[2], "fat", 0.1f, 0.7f);
    set_layer(&recipe.layers[3], "skin", 0.35f, 0.7f);
    recipe.layers[1].ratio = (tlw_cook_fraction){6, 10};
    return recipe;
}

tlw_result tlw_cook_fail(tlw_cook* cook, tlw_result result, const char* format, ...) {
    if (cook->error.result == TLW_OK) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(cook->error.message, sizeof cook->error.message, format, arguments);
        va_end(arguments);
        cook->error.result = result;
        cook->error.is_of_recipe = cook->is_about_recipe || result == TLW_ERROR_TOO_LARGE;
    }
    return cook->error.result;
}

void* tlw_cook_allocate(tlw_cook* cook, uint64_t count, size_t element_bytes) {
    uint64_t bytes, all;
    size_t size;
    count = count > 0 ? count : 1;
    if (!tlw_mul_u64(count, element_bytes, &bytes) ||
        !tlw_add_u64(bytes, cook->memory_bytes, &all) || all > cook->recipe->max_memory_bytes ||
        !tlw_size_from_u64(bytes, &size)) {
        tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                      "%llu more elements of %zu bytes pass the limit of %llu bytes",
                      (unsigned long long)count, element_bytes,
                      (unsigned long long)cook->recipe->max_memory_bytes);
        return NULL;
    }
    void* memory = calloc(1, size);
    if (memory == NULL) {
        tlw_cook_fail(cook, TLW_ERROR_OUT_OF_MEMORY, "the system refuses %zu bytes", size);
        return NULL;
    }
    cook->memory_bytes = all;
    cook->peak_memory_bytes = all > cook->peak_memory_bytes ? all : cook->peak_memory_bytes;
    return memory;
}

void tlw_cook_free(tlw_cook* cook, void* memory, uint64_t count, size_t element_bytes) {
    if (memory) {
        cook->memory_bytes -= (count > 0 ? count : 1) * element_bytes;
        free(memory);
    }
}

// Whether the input can be followed without further looks: every index and every number.

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
    return check_weights(cook, name, mesh->vertex_count, mesh->influence_count, mesh->joints,
                         mesh->weights);
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

// Every way up ends at a root. A joint remembers the walk that came by first, so that no way is
// walked twice; who meets the mark of the walk itself goes round.
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
    tlw_cook_free(cook, walk, count, sizeof *walk);
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
    if (input->joint_count > UINT16_MAX) { // the blob has 16 bits for them
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

static tlw_result check_recipe(tlw_cook* cook) {
    const tlw_cook_recipe* r = cook->recipe;
    if (r->cookie != RECIPE_COOKIE) {
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
    if (r->neighbours != 6 && r->neighbours != 14 && r->neighbours != 18 && r->neighbours != 20 &&
        r->neighbours != 26) {
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
            !(layer->damping >= 0.0f && layer->damping <= 1.0f)) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "layer '%s': stiffness %g, damping %g; stiffness is 0 or more, "
                                 "damping 0 to 1",
                                 layer->name, (double)layer->stiffness, (double)layer->damping);
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
    } numbers[] = {{"anchor_hz", r->anchor_hz},
                   {"limit_extent", r->limit_extent},
                   {"limit_thickness", r->limit_thickness}};
    for (size_t i = 0; i < TLW_COUNT_OF(numbers); ++i) {
        if (!(numbers[i].value >= 0.0f && numbers[i].value <= 1e6f)) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "%s is %g; it is 0 or more",
                                 numbers[i].what, (double)numbers[i].value);
        }
    }
    uint32_t joint;
    for (uint32_t i = 0; i < r->part_count; ++i) {
        const tlw_cook_part* part = &r->parts[i];
        if (!find_joint(cook, part->joint, &joint)) {
            return tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND, "part %u: there is no joint '%s'", i,
                                 part->joint ? part->joint : "");
        }
        for (uint32_t k = 0; k < r->layer_count; ++k) {
            if (!(part->stiffness[k] <= 1e6f) || !(part->damping[k] <= 1.0f)) {
                return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                     "part %u '%s', layer '%s': stiffness %g, damping %g", i,
                                     part->joint, r->layers[k].name, (double)part->stiffness[k],
                                     (double)part->damping[k]);
            }
        }
    }
    for (uint32_t i = 0; i < r->cut_count; ++i) {
        const char* names[2] = {r->cuts[i].joint_a, r->cuts[i].joint_b};
        for (int k = 0; k < 2; ++k) {
            if (!find_joint(cook, names[k], &joint)) {
                return tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND, "cut %u: there is no joint '%s'", i,
                                     names[k] ? names[k] : "");
            }
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

static tlw_result check_all(tlw_cook* cook) {
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

static tlw_result choose_weights(tlw_cook* cook) {
    bool has_weights = false;
    for (uint32_t t = 0; t < cook->welded.triangle_count && !has_weights; ++t) {
        has_weights = tlw_has_weights(&cook->welded, t);
    }
    if (cook->recipe->weights == TLW_WEIGHTS_ARTIST && !has_weights) {
        cook->is_about_recipe = true;
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "the recipe asks for the artist's weights, but the mesh has none");
    }
    cook->has_artist_weights = has_weights && cook->recipe->weights != TLW_WEIGHTS_GEODESIC;
    return TLW_OK;
}

// The order of the stages, once: name for whoever watches, function.
static const struct {
    const char* name;
    tlw_result (*run)(tlw_cook* cook);
} stages[] = {
    {"check", check_all},
    {"weld", tlw_cook_weld},
    {"grid", tlw_cook_make_grid},
    {"voxelise", tlw_cook_voxelise},
    {"choose weights", choose_weights},
    {"segments", tlw_cook_make_segments},
    {"weights and links", tlw_cook_link},
    {"distances", tlw_cook_measure},
    {"layers", tlw_cook_make_layers},
    {"order", tlw_cook_make_order},
    {"regions", tlw_cook_make_regions},
    {"pairs", tlw_cook_make_pairs},
    {"influences", tlw_cook_make_influences},
};

static void tell(const tlw_cook* cook, const char* stage, double share) {
    if (cook->progress) {
        cook->progress(stage, share, cook->progress_user);
    }
}

tlw_result tlw_cook_run_stages(tlw_cook* cook) {
    tlw_result result = TLW_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(stages) && result == TLW_OK; ++i) {
        tell(cook, stages[i].name, (double)i / (double)(TLW_COUNT_OF(stages) + 1));
        result = stages[i].run(cook);
    }
    return result;
}

tlw_cook_options tlw_default_cook_options(void) {
    return (tlw_cook_options){.tasks = tlw_serial_task_system(), .cookie = OPTIONS_COOKIE};
}

static void fill_report(const tlw_cook* cook, tlw_cook_report* report) {
    *report = (tlw_cook_report){
        .welded_vertices = cook->welded.vertex_count,
        .triangles = cook->welded.triangle_count,
        .collapsed_triangles = cook->welded.collapsed_triangles,
        .open_edges = cook->welded.open_edges,
        .non_manifold_edges = cook->welded.non_manifold_edges,
        .normalised_vertices = cook->welded.normalised_vertices,
        .voxel_metres = cook->grid.voxel,
        .size = {(uint32_t)cook->grid.size.x, (uint32_t)cook->grid.size.y,
                 (uint32_t)cook->grid.size.z},
        .voxels = cook->voxels.count,
        .voxels_touched = cook->voxels.from_surface,
        .voxels_enclosed = cook->voxels.from_inside,
        .voxels_voted = cook->voxels.from_vote,
        .boneless_components = cook->anatomy.boneless_components,
        .boneless_voxels = cook->anatomy.boneless_voxels,
        .cut_links = cook->links.cut_count,
        .windows = cook->order.window_count,
        .slots = cook->order.slot_count,
        .lane_axis = cook->order.lane_axis,
        .peak_memory_bytes = cook->peak_memory_bytes,
        .has_artist_weights = cook->has_artist_weights,
    };
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        report->layer_voxels[cook->anatomy.layer[v]] += 1;
    }
    for (uint32_t j = 0; j < cook->skeleton.joint_count; ++j) {
        report->left_out_joints += !cook->skeleton.joints[j].is_kept;
    }
    report->cuts = calloc(cook->links.cut_pair_count + 1, sizeof *report->cuts);
    for (uint32_t i = 0; report->cuts && i < cook->links.cut_pair_count; ++i) {
        const tlw_cook_cut_count* cut = &cook->links.cuts[i];
        report->cuts[report->cut_pair_count++] =
            (tlw_cook_cut_report){cut->joint_a, cut->joint_b, cut->count};
    }
}

// What leaves the cooker has passed the runtime's own validator.
static tlw_result check_blob(tlw_cook* cook, const tlw_cook_output* output) {
    tlw_blob_report found;
    if (tlw_blob_validate(output->blob, output->blob_bytes, TLW_BLOB_CHECK_ALL, &found) == TLW_OK) {
        return TLW_OK;
    }
    return tlw_cook_fail(
        cook, found.result,
        "the cooked blob is not valid: section %s, element %llu: %s (expected %llu, "
        "found %llu)",
        tlw_blob_section_name(found.section), (unsigned long long)found.element, found.what,
        (unsigned long long)found.expected, (unsigned long long)found.found);
}

tlw_result tlw_cook_character(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                              const tlw_cook_options* options, tlw_cook_output* output) {
    TLW_ASSERT(input != NULL && recipe != NULL && options != NULL && output != NULL);
    *output = (tlw_cook_output){0};
    tlw_cook cook = {.input = input,
                     .recipe = recipe,
                     .tasks = &options->tasks,
                     .progress = options->progress,
                     .progress_user = options->user};
    if (options->cookie != OPTIONS_COOKIE) {
        tlw_cook_fail(&cook, TLW_ERROR_BAD_DEF,
                      "the options did not come from tlw_default_cook_options");
    } else if (tlw_cook_run_stages(&cook) == TLW_OK) {
        tell(&cook, "write", (double)TLW_COUNT_OF(stages) / (double)(TLW_COUNT_OF(stages) + 1));
        if (tlw_cook_write(&cook, &output->blob, &output->blob_bytes) == TLW_OK) {
            fill_report(&cook, &output->report);
            (void)check_blob(&cook, output);
        }
    }
    output->error = cook.error;
    if (cook.error.result == TLW_OK) {
        tell(&cook, "done", 1.0);
    } else {
        tlw_cook_free_blob(output->blob);
        output->blob = NULL;
        output->blob_bytes = 0;
    }
    tlw_cook_free_stages(&cook);
    return output->error.result;
}

void tlw_cook_output_free(tlw_cook_output* output) {
    tlw_cook_free_blob(output->blob);
    free(output->report.cuts);
    *output = (tlw_cook_output){0};
}

void tlw_cook_free_stages(tlw_cook* cook) {
    free(cook->names);
    free(cook->is_excluded);
    free(cook->welded.positions);
    free(cook->welded.influence_begin);
    free(cook->welded.influences);
    free(cook->welded.triangles);
    free(cook->voxels.coordinates);
    free(cook->voxels.index);
    free(cook->skeleton.joints);
    free(cook->skeleton.segments);
    free(cook->skeleton.touched);
    free(cook->weights);
    free(cook->surface);
    free(cook->links.masks);
    free(cook->links.cuts);
    free(cook->anatomy.d_skin);
    free(cook->anatomy.d_seg);
    free(cook->anatomy.d_bone);
    free(cook->anatomy.layer);
    free(cook->anatomy.thickness);
    free(cook->order.runs);
    free(cook->order.windows);
    free(cook->order.blocks);
    free(cook->order.slot_of_voxel);
    free(cook->order.voxel_of_slot);
    free(cook->regions);
    free(cook->region_order);
    free(cook->pairs.list);
    free(cook->influences.joints);
    free(cook->influences.weights);
}
