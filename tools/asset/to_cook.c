// SPDX-License-Identifier: MIT
// Converts an asset to the cook input: chooses meshes, unites skins, moves vertices to model space
// (to_cook.h has the formulas), normalises weights and takes paint. Computes in double and rounds
// to float once.
#include "tools/asset/to_cook.h"
#include "platform/handlers.h"
#include "tools/asset/matrix.h"
#include "tools/asset/memory.h"
#include "tools/asset/notes.h"
#include "tools/asset/paint.h"
#include "tools/asset/place.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stb/stb_ds.h>

#define OPTIONS_COOKIE 0x434F4F4Bu
// A sum of weights further from 1 than this is reported; a smaller error is rounding.
#define WEIGHT_TOLERANCE 1e-5
// Binds of two skins that differ by more than this share of the extent are reported.
#define BIND_TOLERANCE 1e-3

typedef struct tlw_skin_space {
    bool is_mirrored;
    double to_model[16]; // M
    double cofactors[9]; // of M, times the sign of its determinant; transforms normals
} tlw_skin_space;

typedef struct tlw_to_cook {
    const tlw_asset* asset;
    tlw_asset_cook_options options;
    tlw_asset_cook* out;
    tlw_asset_memory* memory;
    tlw_asset_error* error;
    double* globals;        // node to scene space, at rest
    tlw_skin_space* spaces; // one per skin
    uint32_t* joint_of;     // joint of the output for each node, or TLW_ASSET_NONE
    uint32_t* above;        // nearest joint at or above each node, or TLW_NO_JOINT
    double* below;          // for each node: from it to the space of that joint, at rest
    bool* is_moved;         // for each node: a clip moves it, or a node below that joint, above it
    bool* is_used;          // for each skin: a mesh that is not ignored has it
    tlw_placed placed;      // where the skins stand, and which of them binds each joint
    tlw_cook_role* roles;   // one per node; TLW_ROLE_IGNORE for nodes without a mesh
    tlw_cook_joint* joints;
    tlw_cook_mesh* meshes;
    tlw_asset_cook_source* sources;
    tlw_notes notes;
    uint32_t painted[TLW_COOK_PAINTS]; // meshes that have the attribute
} tlw_to_cook;

static const char* const paint_names[TLW_COOK_PAINTS] = {"fat", "stiffness"};

tlw_asset_cook_options tlw_default_asset_cook_options(void) {
    return (tlw_asset_cook_options){.skinned_role = TLW_ROLE_VOXELISE,
                                    .rigid_role = TLW_ROLE_VOXELISE,
                                    .metres_per_unit = 1.0,
                                    .memory_bytes = (uint64_t)1 << 30,
                                    .cookie = OPTIONS_COOKIE};
}

static bool fail(tlw_to_cook* t, tlw_asset_code code, const char* format, ...) TLW_PRINTF(3, 4);
static bool fail(tlw_to_cook* t, tlw_asset_code code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->error->code = code;
    vsnprintf(t->error->message, sizeof t->error->message, format, arguments);
    va_end(arguments);
    return false;
}

static void note(tlw_to_cook* t, const char* format, ...) TLW_PRINTF(2, 3);
static void note(tlw_to_cook* t, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tlw_notes_add(&t->notes, format, text);
}

static void* allocate(tlw_to_cook* t, tlw_asset_lifetime lifetime, uint64_t count, size_t bytes) {
    void* memory = tlw_asset_allocate(t->memory, lifetime, count, bytes);
    if (!memory) {
        fail(t, TLW_ASSET_BAD,
             "%llu elements of %zu bytes do not fit the memory limit of %llu bytes",
             (unsigned long long)count, bytes, (unsigned long long)t->options.memory_bytes);
    }
    return memory;
}

// Which meshes
// ------------------------------------------------------------------------------------------------

static bool is_named(const tlw_asset* asset, const tlw_asset_node* node, const char* name) {
    return strcmp(node->name, name) == 0 || strcmp(asset->meshes[node->mesh].name, name) == 0;
}

static bool is_listed(const tlw_asset* asset, const tlw_asset_node* node, const char* const* names,
                      uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (is_named(asset, node, names[i])) {
            return true;
        }
    }
    return false;
}

// A name that matches nothing is an error, because it is most likely a typing mistake.
static bool check_name(tlw_to_cook* t, const char* list, uint32_t index, const char* name) {
    for (uint32_t i = 0; i < t->asset->node_count; ++i) {
        const tlw_asset_node* node = &t->asset->nodes[i];
        if (node->mesh != TLW_ASSET_NONE && is_named(t->asset, node, name)) {
            return true;
        }
    }
    return fail(t, TLW_ASSET_BAD_OPTION,
                "%s[%u]: no mesh, nor node that shows one, is called '%.80s'", list, index, name);
}

static bool check_options(tlw_to_cook* t) {
    const tlw_asset_cook_options* o = &t->options;
    for (uint32_t i = 0; i < o->role_count; ++i) {
        if (!check_name(t, "roles", i, o->roles[i].name)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < o->included_count; ++i) {
        if (!check_name(t, "included", i, o->included[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < o->excluded_count; ++i) {
        if (!check_name(t, "excluded", i, o->excluded[i])) {
            return false;
        }
    }
    if (!(o->metres_per_unit > 0) || !tlw_is_finite(o->metres_per_unit)) {
        return fail(t, TLW_ASSET_BAD_OPTION, "metres_per_unit: %g is not above 0",
                    o->metres_per_unit);
    }
    return true;
}

static tlw_cook_role role_of(const tlw_to_cook* t, const tlw_asset_node* node) {
    const tlw_asset_cook_options* o = &t->options;
    tlw_cook_role role = node->skin != TLW_ASSET_NONE ? o->skinned_role : o->rigid_role;
    bool is_by_node = false;
    for (uint32_t i = 0; i < o->role_count; ++i) {
        bool is_node = strcmp(node->name, o->roles[i].name) == 0;
        if (is_node || (!is_by_node && is_named(t->asset, node, o->roles[i].name))) {
            role = o->roles[i].role;
            is_by_node |= is_node;
        }
    }
    bool is_out =
        is_listed(t->asset, node, o->excluded, o->excluded_count) ||
        (o->included_count > 0 && !is_listed(t->asset, node, o->included, o->included_count));
    return is_out ? TLW_ROLE_IGNORE : role;
}

// Finds the roles of all nodes and the skins that they use.
static bool choose_meshes(tlw_to_cook* t) {
    const tlw_asset* asset = t->asset;
    bool has_skin = false;
    if (asset->mesh_count == 0) {
        return fail(t, TLW_ASSET_BAD,
                    "meshes: the file has no geometry, only %u nodes and %u clips; cameras, lights "
                    "and motion cannot be cooked",
                    asset->node_count, asset->clip_count);
    }
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        const tlw_asset_node* node = &asset->nodes[i];
        t->roles[i] = TLW_ROLE_IGNORE;
        if (node->mesh == TLW_ASSET_NONE) {
            continue;
        }
        if (!node->is_in_scene) {
            note(t, "nodes[%u] '%.80s': not in the scene, ignored", i, node->name);
            continue;
        }
        t->roles[i] = role_of(t, node);
        if (node->skin != TLW_ASSET_NONE && t->roles[i] != TLW_ROLE_IGNORE) {
            t->is_used[node->skin] = true;
            has_skin = true;
        }
    }
    if (asset->skin_count == 0) {
        return fail(t, TLW_ASSET_BAD, "skins: the file has none, so there are no joints to follow");
    }
    return has_skin || fail(t, TLW_ASSET_BAD,
                            "nodes: none that is not ignored shows a mesh with a "
                            "skin (the file has %u skins)",
                            asset->skin_count);
}

// Joints
// ------------------------------------------------------------------------------------------------

static void scale_to_metres(const tlw_to_cook* t, double m[16]) {
    for (int i = 0; i < 16; ++i) {
        m[i] *= i % 4 < 3 ? t->options.metres_per_unit : 1.0;
    }
}

// Derives from to_model whether it mirrors, and how it transforms normals.
static void find_normals(tlw_skin_space* space, double determinant) {
    space->is_mirrored = determinant < 0;
    tlw_matrix_cofactors(space->cofactors, space->to_model);
    for (int i = 0; i < 9 && space->is_mirrored; ++i) {
        space->cofactors[i] = -space->cofactors[i];
    }
}

static bool find_spaces(tlw_to_cook* t) {
    const tlw_asset* asset = t->asset;
    if (!tlw_place_skins(t->memory, asset, t->globals, t->options.metres_per_unit, t->is_used,
                         &t->placed)) {
        return fail(t, TLW_ASSET_BAD, "%u skins and %u nodes do not fit the memory limit",
                    asset->skin_count, asset->node_count);
    }
    for (uint32_t i = 0; i < asset->skin_count; ++i) {
        const tlw_skin_place* place = &t->placed.skins[i];
        tlw_skin_space* space = &t->spaces[i];
        if (!place->is_used) {
            continue;
        }
        memcpy(space->to_model, place->to_model, sizeof space->to_model);
        double unused[16], determinant = tlw_matrix_determinant(space->to_model);
        if (!tlw_matrix_is_finite(space->to_model) || !tlw_matrix_invert(unused, space->to_model)) {
            return fail(t, TLW_ASSET_BAD,
                        "skins[%u]: rest transform times inverse bind of joint %u (node %u) has "
                        "determinant %g and cannot place a mesh",
                        i, place->root, asset->skins[i].joints[place->root], determinant);
        }
        find_normals(space, determinant);
    }
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        // list_joints numbers them
        t->joint_of[i] = t->placed.bound_by[i] > 0 ? 0 : TLW_ASSET_NONE;
    }
    return true;
}

static bool name_joints(tlw_to_cook* t, const uint32_t* nodes, uint32_t count) {
    struct {
        char* key;
        uint32_t value;
    }* seen = NULL;
    bool is_named_all = true;
    for (uint32_t i = 0; i < count && is_named_all; ++i) {
        const char* wanted = t->asset->nodes[nodes[i]].name;
        char* name = tlw_asset_copy_string(t->memory, wanted);
        bool is_taken = wanted[0] == 0 || shgeti(seen, wanted) >= 0;
        // Appends the node's number until no joint before has the name. This ends, because each
        // name tried is longer than the one before.
        while (name && (name[0] == 0 || shgeti(seen, name) >= 0)) {
            size_t bytes = strlen(name) + 24;
            char* longer = tlw_asset_allocate(t->memory, TLW_KEPT, bytes, 1);
            if (longer) {
                snprintf(longer, bytes, name[0] ? "%s#%u" : "%snode_%u", name, nodes[i]);
            }
            name = longer;
        }
        is_named_all = name != NULL;
        if (name) {
            shput(seen, name, i);
            t->joints[i].name = name;
            if (is_taken) {
                t->out->report.renamed_joint_count += 1;
                note(t, "nodes[%u]: the joint's name '%.80s' is %s, it becomes '%.100s'", nodes[i],
                     wanted, wanted[0] ? "not unique" : "empty", name);
            }
        }
    }
    shfree(seen);
    return is_named_all || fail(t, TLW_ASSET_BAD, "the joints' names do not fit the memory limit");
}

// Nodes that a clip moves.
static void mark_moved(tlw_to_cook* t) {
    for (uint32_t i = 0; i < t->asset->clip_count; ++i) {
        const tlw_asset_clip* clip = &t->asset->clips[i];
        for (uint32_t k = 0; k < clip->channel_count; ++k) {
            t->is_moved[clip->channels[k].node] = true;
        }
    }
}

static bool list_joints(tlw_to_cook* t) {
    const tlw_asset* asset = t->asset;
    uint32_t count = 0;
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        if (t->joint_of[i] != TLW_ASSET_NONE) {
            t->joint_of[i] = count++;
        }
    }
    uint32_t* nodes = allocate(t, TLW_KEPT, count, sizeof *nodes);
    t->above = allocate(t, TLW_SCRATCH, asset->node_count, sizeof *t->above);
    t->below = allocate(t, TLW_SCRATCH, (uint64_t)asset->node_count * 16, sizeof *t->below);
    t->is_moved = allocate(t, TLW_SCRATCH, asset->node_count, sizeof *t->is_moved);
    t->joints = allocate(t, TLW_KEPT, count, sizeof *t->joints);
    if (!nodes || !t->above || !t->below || !t->is_moved || !t->joints) {
        return false;
    }
    mark_moved(t);
    // Parents come first, because a node needs the results of its parent.
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        uint32_t node = asset->order[i], parent = asset->nodes[node].parent;
        uint32_t over = parent == TLW_ASSET_NONE ? TLW_NO_JOINT : t->above[parent];
        uint32_t joint = t->joint_of[node];
        double* below = t->below + (size_t)node * 16;
        t->above[node] = joint != TLW_ASSET_NONE ? joint : over;
        tlw_matrix_identity(below);
        if (joint != TLW_ASSET_NONE) {
            nodes[joint] = node;
            t->joints[joint].parent = over;
        } else if (over != TLW_NO_JOINT) {
            tlw_matrix_multiply(below, t->below + (size_t)parent * 16, asset->nodes[node].matrix);
        }
        t->is_moved[node] =
            joint == TLW_ASSET_NONE &&
            (t->is_moved[node] || (parent != TLW_ASSET_NONE && t->is_moved[parent]));
    }
    t->out->joint_nodes = nodes;
    t->out->input.joints = t->joints;
    t->out->input.joint_count = count;
    return name_joints(t, nodes, count);
}

// Meshes
// ------------------------------------------------------------------------------------------------

static bool to_float3(tlw_to_cook* t, uint32_t node, uint32_t vertex, const double from[3],
                      float* to) {
    for (int i = 0; i < 3; ++i) {
        if (!(fabs(from[i]) <= FLT_MAX)) {
            return fail(t, TLW_ASSET_BAD, "nodes[%u]: vertex %u lands at (%g, %g, %g)", node,
                        vertex, from[0], from[1], from[2]);
        }
        to[i] = (float)from[i];
    }
    return true;
}

static void to_unit(const double from[3], float* to) {
    double length = sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    for (int i = 0; i < 3; ++i) {
        to[i] = length > 0 && tlw_is_finite(length) ? (float)(from[i] / length) : 0.0f;
    }
}

// Brings positions, normals, tangents and triangles to model space, and copies uvs.
static bool move_mesh(tlw_to_cook* t, const tlw_asset_primitive* p, uint32_t node,
                      const tlw_skin_space* space, tlw_cook_mesh* mesh) {
    uint32_t count = p->vertex_count;
    float* positions = allocate(t, TLW_KEPT, (uint64_t)count * 3, sizeof(float));
    float* normals = allocate(t, TLW_KEPT, p->normals ? (uint64_t)count * 3 : 0, sizeof(float));
    float* tangents = allocate(t, TLW_KEPT, p->tangents ? (uint64_t)count * 4 : 0, sizeof(float));
    float* uvs = allocate(t, TLW_KEPT, p->uvs ? (uint64_t)count * 2 : 0, sizeof(float));
    uint32_t* indices = allocate(t, TLW_KEPT, (uint64_t)p->triangle_count * 3, sizeof(uint32_t));
    if (!positions || !normals || !tangents || !uvs || !indices) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        double from[3], moved[3];
        size_t at = (size_t)i * 3;
        for (int k = 0; k < 3; ++k) {
            from[k] = (double)p->positions[at + (size_t)k];
        }
        tlw_matrix_point(moved, space->to_model, from);
        if (!to_float3(t, node, i, moved, positions + at)) {
            return false;
        }
        for (int k = 0; p->normals && k < 3; ++k) {
            const double* c = space->cofactors;
            moved[k] = c[k] * (double)p->normals[at] + c[3 + k] * (double)p->normals[at + 1] +
                       c[6 + k] * (double)p->normals[at + 2];
        }
        if (p->normals) {
            to_unit(moved, normals + at);
        }
        if (p->tangents) {
            // Tangents lie in the surface and are transformed as directions. A mirrored mesh has
            // the opposite handedness.
            const float* tangent = p->tangents + (size_t)i * 4;
            for (int k = 0; k < 3; ++k) {
                from[k] = (double)tangent[k];
            }
            tlw_matrix_direction(moved, space->to_model, from);
            to_unit(moved, tangents + (size_t)i * 4);
            tangents[(size_t)i * 4 + 3] = space->is_mirrored ? -tangent[3] : tangent[3];
        }
    }
    if (p->uvs) {
        memcpy(uvs, p->uvs, (size_t)count * 2 * sizeof *uvs);
    }
    for (size_t i = 0; i < (size_t)p->triangle_count * 3; ++i) {
        size_t corner = i % 3, other = space->is_mirrored && corner > 0 ? 3 - corner : corner;
        indices[i] = p->indices[i - corner + other];
    }
    mesh->vertex_count = count;
    mesh->positions = positions;
    mesh->normals = p->normals ? normals : NULL;
    mesh->tangents = p->tangents ? tangents : NULL;
    mesh->uvs = p->uvs ? uvs : NULL;
    mesh->triangle_count = p->triangle_count;
    mesh->indices = indices;
    t->out->report.vertex_count += count;
    return true;
}

// Weights of one vertex: joints of the output, each at most once, with weights that sum to 1.
static void weigh_vertex(tlw_to_cook* t, const tlw_asset_skin* skin, uint32_t root,
                         const tlw_asset_primitive* p, uint32_t vertex, uint32_t* joints,
                         float* weights) {
    tlw_asset_cook_report* report = &t->out->report;
    uint32_t n = p->influence_count;
    double sums[8] = {0}, sum = 0;
    bool is_repeated = false;
    for (uint32_t k = 0; k < n; ++k) {
        double weight = (double)p->weights[(size_t)vertex * n + k];
        uint32_t slot = k;
        joints[k] = t->joint_of[skin->joints[p->joints[(size_t)vertex * n + k]]];
        for (uint32_t before = 0; before < k && weight > 0; ++before) {
            if (sums[before] > 0 && joints[before] == joints[k]) {
                slot = before;
                is_repeated = true;
                break;
            }
        }
        sums[slot] += weight;
        sum += weight;
    }
    report->repeated_count += is_repeated ? 1 : 0;
    if (!(sum > 0)) {
        report->unweighted_count += 1;
        joints[0] = t->joint_of[skin->joints[root]];
        sums[0] = sum = 1;
    } else {
        double error = fabs(sum - 1);
        report->normalised_count += error > WEIGHT_TOLERANCE ? 1 : 0;
        if (error > report->largest_weight_error) {
            report->largest_weight_error = error;
        }
    }
    for (uint32_t k = 0; k < n; ++k) {
        weights[k] = (float)(sums[k] / sum);
        joints[k] = sums[k] > 0 ? joints[k] : 0; // an unused influence
    }
}

static bool weigh_mesh(tlw_to_cook* t, const tlw_asset_primitive* p, uint32_t skin_index,
                       tlw_cook_mesh* mesh) {
    uint32_t n = p->influence_count;
    uint64_t count = (uint64_t)p->vertex_count * n;
    uint32_t* joints = allocate(t, TLW_KEPT, count, sizeof *joints);
    float* weights = allocate(t, TLW_KEPT, count, sizeof *weights);
    if (!joints || !weights) {
        return false;
    }
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        weigh_vertex(t, &t->asset->skins[skin_index], t->placed.skins[skin_index].root, p, i,
                     joints + (size_t)i * n, weights + (size_t)i * n);
    }
    mesh->influence_count = n;
    mesh->joints = joints;
    mesh->weights = weights;
    return true;
}

static bool weigh_rigid(tlw_to_cook* t, const tlw_asset_primitive* p, uint32_t joint,
                        tlw_cook_mesh* mesh) {
    uint32_t* joints = allocate(t, TLW_KEPT, p->vertex_count, sizeof *joints);
    float* weights = allocate(t, TLW_KEPT, p->vertex_count, sizeof *weights);
    if (!joints || !weights) {
        return false;
    }
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        joints[i] = joint;
        weights[i] = 1.0f;
    }
    mesh->influence_count = 1;
    mesh->joints = joints;
    mesh->weights = weights;
    return true;
}

// A rigid mesh is placed by the bind of the joint above it.
static bool rigid_space(tlw_to_cook* t, uint32_t node, tlw_skin_space* space) {
    double m[16];
    memcpy(m, t->below + (size_t)node * 16, sizeof m);
    // The bind does not contain the scale to metres: see find_bind.
    scale_to_metres(t, m);
    tlw_matrix_multiply(space->to_model, t->joints[t->above[node]].bind, m);
    find_normals(space, tlw_matrix_determinant(space->to_model));
    return tlw_matrix_is_finite(space->to_model) ||
           fail(t, TLW_ASSET_BAD, "nodes[%u]: its transform below joint '%.80s' is not finite",
                node, t->joints[t->above[node]].name);
}

static const char* mesh_name(tlw_to_cook* t, const tlw_asset_node* node, uint32_t primitive) {
    const tlw_asset_mesh* mesh = &t->asset->meshes[node->mesh];
    const char* base = node->name[0] ? node->name : mesh->name;
    size_t bytes = strlen(base) + 32;
    char* name = allocate(t, TLW_KEPT, bytes, 1);
    if (name && mesh->primitive_count > 1) {
        snprintf(name, bytes, "%s[%u]", base[0] ? base : "mesh", primitive);
    } else if (name) {
        snprintf(name, bytes, "%s", base[0] ? base : "mesh");
    }
    return name;
}

// Only meshes that give the character its shape are painted.
static bool paint_mesh(tlw_to_cook* t, const tlw_asset_primitive* p, uint32_t node,
                       tlw_cook_mesh* mesh) {
    for (int i = 0; i < TLW_COOK_PAINTS && mesh->role == TLW_ROLE_VOXELISE; ++i) {
        const char* source = t->options.paint[i];
        if (!source) {
            continue;
        }
        tlw_paint_report report;
        float* values = allocate(t, TLW_KEPT, p->vertex_count, sizeof *values);
        if (!values) {
            return false;
        }
        if (!tlw_paint_read(p, source, values, &report)) {
            return fail(t, report.code, "paint.%s: nodes[%u] '%.80s': %s", paint_names[i], node,
                        t->asset->nodes[node].name, report.message);
        }
        if (report.clamped_count > 0) {
            note(t, "nodes[%u] '%.80s': %u values of '%.80s' are outside 0 to 1 and were clamped",
                 node, t->asset->nodes[node].name, report.clamped_count, source);
        }
        mesh->paint[i] = report.is_found ? values : NULL;
        t->painted[i] += report.is_found;
    }
    return true;
}

static bool check_painted(tlw_to_cook* t) {
    for (int i = 0; i < TLW_COOK_PAINTS; ++i) {
        if (t->options.paint[i] && t->painted[i] == 0) {
            char list[256];
            tlw_paint_list(t->asset, list, sizeof list);
            return fail(t, TLW_ASSET_BAD_OPTION,
                        "paint.%s: no mesh that is voxelised has the vertex attribute '%.80s' "
                        "(the asset has: %s)",
                        paint_names[i], t->options.paint[i], list);
        }
    }
    return true;
}

static bool add_morphs(tlw_to_cook* t, const float** values, uint32_t width, uint32_t vertex_count,
                       const tlw_asset_morph* morphs, size_t member, const double* weights,
                       uint32_t count) {
    float* sums =
        *values ? allocate(t, TLW_SCRATCH, (uint64_t)vertex_count * width, sizeof *sums) : NULL;
    if (!sums) {
        return *values == NULL;
    }
    memcpy(sums, *values, (size_t)vertex_count * width * sizeof *sums);
    for (size_t v = 0; v < vertex_count; ++v) {
        for (size_t axis = 0; axis < 3; ++axis) {
            double sum = (double)sums[v * width + axis];
            for (uint32_t i = 0; i < count; ++i) {
                const float* deltas;
                memcpy(&deltas, (const char*)&morphs[i] + member, sizeof deltas);
                sum += deltas && weights[i] != 0 ? weights[i] * (double)deltas[v * 3 + axis] : 0;
            }
            if (!(fabs(sum) <= FLT_MAX)) {
                return fail(t, TLW_ASSET_BAD, "vertex %zu: its morph targets add up to %g", v, sum);
            }
            sums[v * width + axis] = (float)sum;
        }
    }
    *values = sums;
    return true;
}

// Applies the morph targets that have weight at rest.
static bool morph_mesh(tlw_to_cook* t, uint32_t node_index, tlw_asset_primitive* p) {
    const tlw_asset_node* node = &t->asset->nodes[node_index];
    const tlw_asset_mesh* mesh = &t->asset->meshes[node->mesh];
    const bool is_own = node->morph_weight_count > 0;
    const double* weights = is_own ? node->morph_weights : mesh->morph_weights;
    const uint32_t count = is_own ? node->morph_weight_count : mesh->morph_weight_count;
    uint32_t applied = 0;
    for (uint32_t i = 0; p->morph_count > 0 && i < count; ++i) {
        applied += weights[i] != 0;
    }
    if (applied == 0) {
        return true;
    }
    note(t,
         "nodes[%u] '%.80s': %u of %u morph targets have weight at rest and are applied for good; "
         "no target moves at run time",
         node_index, node->name, applied, p->morph_count);
    return add_morphs(t, &p->positions, 3, p->vertex_count, p->morphs,
                      offsetof(tlw_asset_morph, positions), weights, count) &&
           add_morphs(t, &p->normals, 3, p->vertex_count, p->morphs,
                      offsetof(tlw_asset_morph, normals), weights, count) &&
           add_morphs(t, &p->tangents, 4, p->vertex_count, p->morphs,
                      offsetof(tlw_asset_morph, tangents), weights, count);
}

// A mesh that is lit inside out looks as broken before it is cooked as afterwards, but whoever sees
// it first afterwards looks for the fault here.
static void check_normals(tlw_to_cook* t, uint32_t node, const tlw_cook_mesh* mesh) {
    uint32_t against = 0;
    for (uint32_t i = 0; mesh->normals && i < mesh->triangle_count; ++i) {
        const uint32_t* corners = mesh->indices + (size_t)i * 3;
        const float *a = mesh->positions + (size_t)corners[0] * 3,
                    *b = mesh->positions + (size_t)corners[1] * 3,
                    *c = mesh->positions + (size_t)corners[2] * 3;
        double u[3], v[3], along = 0;
        for (int k = 0; k < 3; ++k) {
            u[k] = (double)b[k] - (double)a[k];
            v[k] = (double)c[k] - (double)a[k];
        }
        const double face[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                u[0] * v[1] - u[1] * v[0]};
        for (int corner = 0; corner < 3; ++corner) {
            for (int k = 0; k < 3; ++k) {
                along += face[k] * (double)mesh->normals[(size_t)corners[corner] * 3 + (size_t)k];
            }
        }
        against += along < 0;
    }
    if (against > mesh->triangle_count / 2) {
        note(t,
             "nodes[%u] '%.80s': %u of %u triangles face against their vertices' normals; one or "
             "the other is inside out in the file",
             node, t->asset->nodes[node].name, against, mesh->triangle_count);
    }
}

static bool add_meshes(tlw_to_cook* t, uint32_t node_index, const tlw_skin_space* space,
                       uint32_t rigid_joint) {
    const tlw_asset_node* node = &t->asset->nodes[node_index];
    const tlw_asset_mesh* source = &t->asset->meshes[node->mesh];
    for (uint32_t i = 0; i < source->primitive_count; ++i) {
        tlw_asset_primitive morphed = source->primitives[i], *p = &morphed;
        tlw_cook_mesh* mesh = &t->meshes[t->out->input.mesh_count];
        mesh->role = t->roles[node_index];
        mesh->name = mesh_name(t, node, i);
        bool is_rigid = rigid_joint != TLW_NO_JOINT;
        if (!mesh->name || !morph_mesh(t, node_index, p) ||
            !move_mesh(t, p, node_index, space, mesh) ||
            !(is_rigid ? weigh_rigid(t, p, rigid_joint, mesh)
                       : weigh_mesh(t, p, node->skin, mesh)) ||
            !paint_mesh(t, p, node_index, mesh)) {
            return false;
        }
        check_normals(t, node_index, mesh);
        t->sources[t->out->input.mesh_count] =
            (tlw_asset_cook_source){node_index, node->mesh, i, is_rigid, space->is_mirrored};
        t->out->input.mesh_count += 1;
    }
    return true;
}

// A mesh without a skin; counts those that are part of the body.
static bool add_rigid(tlw_to_cook* t, uint32_t index, uint32_t* count) {
    const tlw_asset_node* node = &t->asset->nodes[index];
    tlw_skin_space space = {0};
    if (t->above[index] == TLW_NO_JOINT) {
        note(t, "nodes[%u] '%.80s': a mesh without a skin that hangs on no joint, ignored", index,
             node->name);
        return true;
    }
    if (t->is_moved[index]) {
        note(t,
             "nodes[%u] '%.80s': clips move this mesh against the joint '%.80s' that it hangs on; "
             "it follows the joint",
             index, node->name, t->joints[t->above[index]].name);
    }
    *count += t->roles[index] == TLW_ROLE_VOXELISE;
    return rigid_space(t, index, &space) && add_meshes(t, index, &space, t->above[index]);
}

static bool make_meshes(tlw_to_cook* t) {
    const tlw_asset* asset = t->asset;
    uint64_t count = 0;
    uint32_t rigid_count = 0;
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        if (t->roles[i] != TLW_ROLE_IGNORE) {
            count += asset->meshes[asset->nodes[i].mesh].primitive_count;
        }
    }
    t->meshes = allocate(t, TLW_KEPT, count, sizeof *t->meshes);
    t->sources = allocate(t, TLW_KEPT, count, sizeof *t->sources);
    if (!t->meshes || !t->sources) {
        return false;
    }
    t->out->input.meshes = t->meshes;
    t->out->sources = t->sources;
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        const tlw_asset_node* node = &asset->nodes[i];
        if (t->roles[i] == TLW_ROLE_IGNORE) {
            continue;
        }
        if (node->skin != TLW_ASSET_NONE) {
            if (!add_meshes(t, i, &t->spaces[node->skin], TLW_NO_JOINT)) {
                return false;
            }
            continue;
        }
        if (!add_rigid(t, i, &rigid_count)) {
            return false;
        }
    }
    if (rigid_count > 0) {
        note(
            t,
            "%u meshes without a skin follow the joint that they hang on and are part of the body; "
            "as roles they can be ride or ignore",
            rigid_count);
    }
    if (t->out->input.mesh_count == 0) {
        return fail(t, TLW_ASSET_BAD, "meshes: no triangles in any that is not ignored");
    }
    return true;
}

// Binds
// ------------------------------------------------------------------------------------------------

// The longest side of the box around all skinned meshes, in model space.
static double skinned_extent(const tlw_cook_input* input, const tlw_asset_cook_source* sources) {
    double extent = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < input->mesh_count; ++i) {
            for (uint32_t v = 0; !sources[i].is_rigid && v < input->meshes[i].vertex_count; ++v) {
                double x = (double)input->meshes[i].positions[(size_t)v * 3 + axis];
                low = fmin(low, x);
                high = fmax(high, x);
            }
        }
        extent = fmax(extent, high - low);
    }
    return extent;
}

// How much two binds differ: the larger of the distance of their origins in units of `extent` and
// the relative difference of their axes.
static double bind_difference(const double a[16], const double b[16], double extent) {
    double moved = 0, rotated = 0;
    for (int column = 0; column < 4; ++column) {
        double difference = 0, length = 0;
        for (int row = 0; row < 3; ++row) {
            double d = a[column * 4 + row] - b[column * 4 + row];
            difference += d * d;
            length += a[column * 4 + row] * a[column * 4 + row];
        }
        if (column == 3) {
            moved = sqrt(difference) / extent;
        } else if (length > 0) {
            rotated = fmax(rotated, sqrt(difference / length));
        }
    }
    return fmax(moved, rotated);
}

// M IBM_k^-1 without the scale to metres in its axes: only its translation is in metres.
static bool find_bind(tlw_to_cook* t, uint32_t skin_index, uint32_t k, double bind[16]) {
    const double* inverse_bind = t->asset->skins[skin_index].inverse_binds + (size_t)k * 16;
    if (!tlw_matrix_invert(bind, inverse_bind)) {
        return fail(t, TLW_ASSET_BAD,
                    "skins[%u].inverseBindMatrices: matrix %u has determinant %g and cannot be "
                    "inverted",
                    skin_index, k, tlw_matrix_determinant(inverse_bind));
    }
    tlw_matrix_multiply(bind, t->spaces[skin_index].to_model, bind);
    for (int i = 0; i < 12; ++i) {
        bind[i] /= t->options.metres_per_unit;
    }
    return tlw_matrix_is_finite(bind) ||
           fail(t, TLW_ASSET_BAD, "skins[%u]: the bind of joint %u is not finite", skin_index, k);
}

static bool bind_joints(tlw_to_cook* t) {
    for (uint32_t i = 0; i < t->out->input.joint_count; ++i) {
        const uint32_t node = t->out->joint_nodes[i];
        if (!find_bind(t, t->placed.bound_by[node] - 1, t->placed.bound_at[node],
                       t->joints[i].bind)) {
            return false;
        }
    }
    return true;
}

// Runs after the meshes, because the tolerance is a share of their extent.
static bool compare_binds(tlw_to_cook* t) {
    double extent = skinned_extent(&t->out->input, t->sources);
    for (uint32_t i = 0; i < t->asset->skin_count; ++i) {
        const tlw_asset_skin* skin = &t->asset->skins[i];
        for (uint32_t k = 0; t->is_used[i] && k < skin->joint_count; ++k) {
            const uint32_t node = skin->joints[k], joint = t->joint_of[node];
            const uint32_t by = t->placed.bound_by[node] - 1;
            double bind[16];
            if (by == i) {
                continue;
            }
            if (!find_bind(t, i, k, bind)) {
                return false;
            }
            double difference = bind_difference(t->joints[joint].bind, bind, extent);
            if (difference > BIND_TOLERANCE) {
                t->out->report.disagreeing_bind_count += 1;
                note(t,
                     "skins[%u].joints[%u]: the bind of '%.80s' differs from that of skins[%u] by "
                     "%.3g of the extent and is not taken",
                     i, k, t->joints[joint].name, by, difference);
            }
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------

static bool convert(tlw_to_cook* t) {
    const tlw_asset* asset = t->asset;
    uint64_t nodes = asset->node_count;
    t->notes = (tlw_notes){.memory = t->memory,
                           .texts = allocate(t, TLW_KEPT, TLW_NOTES_MAX, sizeof *t->notes.texts),
                           .count = &t->out->report.note_count};
    t->globals = allocate(t, TLW_SCRATCH, nodes * 16, sizeof *t->globals);
    t->joint_of = allocate(t, TLW_SCRATCH, nodes, sizeof *t->joint_of);
    t->roles = allocate(t, TLW_SCRATCH, nodes, sizeof *t->roles);
    t->spaces = allocate(t, TLW_SCRATCH, asset->skin_count, sizeof *t->spaces);
    t->is_used = allocate(t, TLW_SCRATCH, asset->skin_count, sizeof *t->is_used);
    tlw_asset_transform* pose = allocate(t, TLW_SCRATCH, nodes, sizeof *pose);
    if (!t->notes.texts || !t->globals || !t->joint_of || !t->roles || !t->spaces || !t->is_used ||
        !pose) {
        return false;
    }
    t->out->report.notes = t->notes.texts;
    tlw_asset_rest_pose(asset, pose);
    tlw_asset_global_matrices(asset, pose, t->globals);
    return check_options(t) && choose_meshes(t) && find_spaces(t) && list_joints(t) &&
           bind_joints(t) && make_meshes(t) && check_painted(t) && compare_binds(t);
}

tlw_asset_code tlw_asset_to_cook(const tlw_asset* asset, const tlw_asset_cook_options* options,
                                 tlw_asset_cook* out, tlw_asset_error* error) {
    TLW_ASSERT(asset != NULL && out != NULL);
    tlw_asset_error ignored;
    tlw_to_cook t = {.asset = asset,
                     .options = options ? *options : tlw_default_asset_cook_options(),
                     .out = out,
                     .error = error ? error : &ignored};
    *out = (tlw_asset_cook){0};
    *t.error = (tlw_asset_error){.code = TLW_ASSET_OK};
    if (t.options.cookie != OPTIONS_COOKIE) {
        fail(&t, TLW_ASSET_BAD_OPTION,
             "the options did not come from tlw_default_asset_cook_options");
        return t.error->code;
    }
    out->memory = t.memory = calloc(1, sizeof *t.memory);
    if (!t.memory) {
        fail(&t, TLW_ASSET_BAD, "no memory for the cook input");
        return t.error->code;
    }
    t.memory->limit_bytes = t.options.memory_bytes;
    out->metres_per_unit = t.options.metres_per_unit;
    if (convert(&t)) {
        tlw_asset_free_scratch(t.memory);
    } else {
        tlw_asset_cook_free(out);
    }
    return t.error->code;
}

void tlw_asset_cook_free(tlw_asset_cook* cook) {
    if (cook && cook->memory) {
        tlw_asset_free_all(cook->memory);
        free(cook->memory);
        *cook = (tlw_asset_cook){0};
    }
}

void tlw_asset_cook_pose(const tlw_asset_cook* cook, const double* globals, double* joints) {
    for (uint32_t i = 0; i < cook->input.joint_count; ++i) {
        double* joint = joints + (size_t)i * 16;
        memcpy(joint, globals + (size_t)cook->joint_nodes[i] * 16, 16 * sizeof *joint);
        for (int k = 12; k < 15; ++k) {
            joint[k] *= cook->metres_per_unit;
        }
    }
}
