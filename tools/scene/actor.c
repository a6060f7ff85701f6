// SPDX-License-Identifier: MIT
// Reads or cooks a blob, reads the motion, finds the node that moves each joint, and makes poses.
#include "tools/scene/actor.h"

#include "platform/file.h"
#include "tools/asset/to_cook.h"
#include "tools/command/memory.h"
#include "tools/cook/blob_report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tlw_exit_code tlw_scene_exit_code(tlw_scene_code code) {
    static const tlw_exit_code codes[] = {
#define EXIT_CODE(name, exit_code, meaning) exit_code,
        TLW_SCENE_CODE_TABLE(EXIT_CODE)
#undef EXIT_CODE
    };
    return (unsigned)code < TLW_SCENE_CODE_COUNT ? codes[code] : TLW_EXIT_FAILED;
}

static tlw_scene_code fail(tlw_scene_error* error, tlw_scene_code code, const char* format, ...)
    TLW_PRINTF(3, 4);

static tlw_scene_code fail(tlw_scene_error* error, tlw_scene_code code, const char* format, ...) {
    if (error) {
        error->code = code;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return code;
}

static tlw_scene_code fail_memory(tlw_scene_error* error, const char* path) {
    return fail(error, TLW_SCENE_CANNOT_READ, "cannot read '%s': out of memory", path);
}

// ---- Blobs

TLW_STATIC_ASSERT(TLW_HEAP_ALIGNMENT % TLW_BLOB_ALIGNMENT == 0, "blobs lie on the aligned heap");

static tlw_scene_code open_blob(tlw_actor* actor, const char* path, tlw_scene_error* error) {
    tlw_blob_report report;
    const tlw_result result = tlw_blob_open(actor->blob_memory, actor->blob_bytes,
                                            TLW_BLOB_CHECK_ALL, &actor->blob, &report);
    if (result != TLW_OK || tlw_blob_get_info(&actor->blob, &actor->info) != TLW_OK) {
        char text[TLW_BLOB_REPORT_TEXT_BYTES];
        return fail(error, TLW_SCENE_BAD, "bad blob '%s': %s", path,
                    tlw_blob_report_text(&report, text));
    }
    const uint32_t count = actor->info.vertex_count;
    actor->vertices = malloc(((size_t)count + 1) * sizeof *actor->vertices);
    return actor->vertices != NULL && tlw_blob_get_vertices(&actor->blob, TLW_ORDER_SOURCE, 0,
                                                            count, actor->vertices) == TLW_OK
               ? TLW_SCENE_OK
               : fail_memory(error, path);
}

// The actor has nothing but a name.
static tlw_scene_code copy_blob(tlw_actor* actor, const char* name, const void* blob, size_t bytes,
                                tlw_scene_error* error) {
    actor->blob_memory = tlw_heap_grow_aligned(NULL, 0, bytes, NULL);
    actor->blob_bytes = bytes;
    if (actor->blob_memory == NULL) {
        return fail_memory(error, name);
    }
    memcpy(actor->blob_memory, blob, bytes);
    return open_blob(actor, name, error);
}

static tlw_scene_code read_blob(tlw_actor* actor, const char* path, tlw_scene_error* error) {
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.grow = tlw_heap_grow_aligned;
    tlw_file_error file_error;
    if (tlw_file_read(&def, &actor->blob_memory, &actor->blob_bytes, &file_error) != TLW_OK) {
        actor->blob_memory = NULL;
        return fail(error, TLW_SCENE_CANNOT_READ, "%s", file_error.message);
    }
    return open_blob(actor, path, error);
}

// ---- Motion

// Looks first among the names that the importer gives to joints for cooking, which are unique, then
// among the names in the file.
static uint32_t find_node(const tlw_asset* asset, const tlw_asset_cook* cook, const char* name) {
    for (uint32_t j = 0; j < cook->input.joint_count; ++j) {
        if (strcmp(cook->input.joints[j].name, name) == 0) {
            return cook->joint_nodes[j];
        }
    }
    return tlw_asset_find_node(asset, name);
}

static double distance(const double* a, const double* b) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// Compares the total length of the blob's bones with that of the same bones of the file at rest. A
// ratio near 1 is a difference of proportions and is ignored; only another unit needs a factor.
static double find_unit(const tlw_actor* actor) {
    uint64_t count;
    const tlw_blob_joint* joints = tlw_blob_find(actor->blob_memory, TLW_SECTION_JOINTS, &count);
    double ours = 0.0, theirs = 0.0;
    for (uint32_t j = 0; j < count; ++j) {
        const uint32_t parent = joints[j].parent;
        if (parent == TLW_BLOB_NO_INDEX) {
            continue;
        }
        ours += distance(joints[j].bind + 12, joints[parent].bind + 12);
        theirs += distance(actor->node_globals + (size_t)actor->joint_nodes[j] * 16 + 12,
                           actor->node_globals + (size_t)actor->joint_nodes[parent] * 16 + 12);
    }
    const double ratio = ours / theirs;
    return ratio > 0.0 && ratio < 1e9 && (ratio < 0.8 || ratio > 1.25) ? ratio : 1.0;
}

tlw_scene_code tlw_actor_set_motion(tlw_actor* actor, tlw_asset* asset, const char* path,
                                    tlw_scene_error* error) {
    actor->asset = asset;
    actor->joint_nodes = malloc(((size_t)actor->info.joint_count + 1) * sizeof(uint32_t));
    actor->node_pose = malloc(((size_t)asset->node_count + 1) * sizeof *actor->node_pose);
    actor->node_globals = malloc(((size_t)asset->node_count + 1) * 16 * sizeof(double));
    if (!actor->joint_nodes || !actor->node_pose || !actor->node_globals) {
        return fail_memory(error, path);
    }
    // This fails for a file without a mesh. Then the names of its nodes are used as they are.
    tlw_asset_cook cook = {0};
    const tlw_asset_cook_options options = tlw_default_asset_cook_options();
    (void)tlw_asset_to_cook(asset, &options, &cook, NULL);
    tlw_scene_code code = TLW_SCENE_OK;
    for (uint32_t j = 0; j < actor->info.joint_count && code == TLW_SCENE_OK; ++j) {
        const char* name = tlw_blob_joint_name(&actor->blob, j);
        actor->joint_nodes[j] = find_node(asset, &cook, name);
        if (actor->joint_nodes[j] == TLW_ASSET_NONE) {
            code = fail(error, TLW_SCENE_BAD,
                        "'%s' has no node '%s', which is joint %u of the character", path, name, j);
        }
    }
    tlw_asset_cook_free(&cook);
    if (code == TLW_SCENE_OK) {
        tlw_asset_rest_pose(asset, actor->node_pose);
        tlw_asset_global_matrices(asset, actor->node_pose, actor->node_globals);
        actor->metres_per_unit = find_unit(actor);
    }
    return code;
}

static void set_name(tlw_actor* actor, const char* path) {
    const char* start = path;
    for (const char* at = path; *at; ++at) {
        start = *at == '/' || *at == '\\' ? at + 1 : start;
    }
    const char* end = strrchr(start, '.');
    snprintf(actor->name, sizeof actor->name, "%.*s",
             end && end != start ? (int)(end - start) : (int)strlen(start), start);
}

tlw_scene_code tlw_actor_read(tlw_actor* actor, const char* blob, const char* motion,
                              tlw_scene_error* error) {
    *actor = (tlw_actor){.metres_per_unit = 1.0};
    set_name(actor, blob);
    tlw_scene_code code = read_blob(actor, blob, error);
    if (code != TLW_SCENE_OK || motion == NULL) {
        return code;
    }
    tlw_asset* asset;
    tlw_asset_error asset_error;
    const tlw_asset_code loaded = tlw_asset_load(motion, NULL, &asset, &asset_error);
    if (loaded != TLW_ASSET_OK) {
        return fail(error, loaded == TLW_ASSET_CANNOT_READ ? TLW_SCENE_CANNOT_READ : TLW_SCENE_BAD,
                    "%s: %s", motion, asset_error.message);
    }
    return tlw_actor_set_motion(actor, asset, motion, error);
}

tlw_scene_code tlw_actor_open(tlw_actor* actor, const char* name, const void* blob, size_t bytes,
                              tlw_scene_error* error) {
    *actor = (tlw_actor){.metres_per_unit = 1.0};
    set_name(actor, name);
    return copy_blob(actor, name, blob, bytes, error);
}

// ---- Samples

// Cooks into an actor that has nothing but a name.
static tlw_scene_code cook_input(tlw_actor* actor, const tlw_cook_input* input, const char* name,
                                 const tlw_cook_recipe* recipe, tlw_scene_error* error) {
    const tlw_cook_recipe plain = tlw_default_cook_recipe();
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output output;
    const tlw_result result =
        tlw_cook_character(input, recipe ? recipe : &plain, &options, &output);
    tlw_scene_code code = TLW_SCENE_OK;
    if (result != TLW_OK) {
        code = fail(error, TLW_SCENE_BAD, "%s: %s", name, output.error.message);
    } else {
        code = copy_blob(actor, name, output.blob, output.blob_bytes, error);
    }
    tlw_cook_output_free(&output);
    return code;
}

static tlw_scene_code cook_asset(tlw_actor* actor, const tlw_asset* asset, const char* sample,
                                 const tlw_cook_recipe* recipe, tlw_scene_error* error) {
    tlw_asset_cook from;
    tlw_asset_error asset_error;
    const tlw_asset_cook_options to_cook = tlw_default_asset_cook_options();
    if (tlw_asset_to_cook(asset, &to_cook, &from, &asset_error) != TLW_ASSET_OK) {
        return fail(error, TLW_SCENE_BAD, "%s: %s", sample, asset_error.message);
    }
    const tlw_scene_code code = cook_input(actor, &from.input, sample, recipe, error);
    tlw_asset_cook_free(&from);
    return code;
}

tlw_scene_code tlw_actor_cook_input(tlw_actor* actor, const char* name, const tlw_cook_input* input,
                                    const tlw_cook_recipe* recipe, tlw_scene_error* error) {
    *actor = (tlw_actor){.metres_per_unit = 1.0};
    snprintf(actor->name, sizeof actor->name, "%s", name);
    return cook_input(actor, input, name, recipe, error);
}

tlw_scene_code tlw_actor_make(tlw_actor* actor, const char* sample, const tlw_cook_recipe* recipe,
                              tlw_scene_error* error) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        if (strcmp(sample, tlw_sample_variant_name((tlw_sample_variant)v)) == 0) {
            const tlw_sample_def def = tlw_default_sample_def((tlw_sample_variant)v);
            return tlw_actor_make_from(actor, &def, recipe, error);
        }
    }
    *actor = (tlw_actor){.metres_per_unit = 1.0};
    return fail(error, TLW_SCENE_NO_SUCH, "there is no sample '%s'", sample);
}

tlw_scene_code tlw_actor_make_from(tlw_actor* actor, const tlw_sample_def* def,
                                   const tlw_cook_recipe* recipe, tlw_scene_error* error) {
    *actor = (tlw_actor){.metres_per_unit = 1.0};
    uint8_t* bytes;
    size_t size;
    const tlw_result built = tlw_sample_build(def, &bytes, &size);
    const char* sample = tlw_sample_variant_name(def->variant);
    sample = sample ? sample : "sample";
    snprintf(actor->name, sizeof actor->name, "%s", sample);
    if (built != TLW_OK) {
        return fail(error, TLW_SCENE_BAD, "%s: %s", sample, tlw_result_meaning(built));
    }
    tlw_asset* asset;
    tlw_asset_error asset_error;
    const tlw_asset_code loaded =
        tlw_asset_load_memory(bytes, size, NULL, NULL, &asset, &asset_error);
    free(bytes);
    if (loaded != TLW_ASSET_OK) {
        return fail(error, TLW_SCENE_BAD, "%s: %s", sample, asset_error.message);
    }
    const tlw_scene_code code = cook_asset(actor, asset, sample, recipe, error);
    if (code != TLW_SCENE_OK) {
        tlw_asset_free(asset);
        return code;
    }
    return tlw_actor_set_motion(actor, asset, sample, error);
}

tlw_scene_code tlw_actor_cook(tlw_actor* actor, const char* file, const tlw_cook_recipe* recipe,
                              tlw_scene_error* error) {
    *actor = (tlw_actor){.metres_per_unit = 1.0};
    set_name(actor, file);
    tlw_asset* asset;
    tlw_asset_error asset_error;
    const tlw_asset_code loaded = tlw_asset_load(file, NULL, &asset, &asset_error);
    if (loaded != TLW_ASSET_OK) {
        return fail(error, loaded == TLW_ASSET_CANNOT_READ ? TLW_SCENE_CANNOT_READ : TLW_SCENE_BAD,
                    "%s: %s", file, asset_error.message);
    }
    const tlw_scene_code code = cook_asset(actor, asset, file, recipe, error);
    if (code != TLW_SCENE_OK) {
        tlw_asset_free(asset);
        return code;
    }
    return tlw_actor_set_motion(actor, asset, file, error);
}

void tlw_actor_free(tlw_actor* actor) {
    if (actor->blob_memory) {
        tlw_heap_grow_aligned(actor->blob_memory, 0, 0, NULL);
    }
    tlw_asset_free(actor->asset);
    free(actor->vertices);
    free(actor->joint_nodes);
    free(actor->node_pose);
    free(actor->node_globals);
    *actor = (tlw_actor){0};
}

// ---- Clips and poses

tlw_scene_code tlw_actor_find_clip(const tlw_actor* actor, const char* name, uint32_t* clip,
                                   tlw_scene_error* error) {
    const uint32_t count = actor->asset ? actor->asset->clip_count : 0;
    *clip = count > 0 ? 0 : TLW_ASSET_NONE;
    if (name == NULL || name[0] == 0) {
        return TLW_SCENE_OK;
    }
    *clip = actor->asset ? tlw_asset_find_clip(actor->asset, name) : TLW_ASSET_NONE;
    if (*clip != TLW_ASSET_NONE) {
        return TLW_SCENE_OK;
    }
    char names[512] = "";
    for (uint32_t i = 0; i < count; ++i) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%.100s", i ? ", " : "",
                 actor->asset->clips[i].name);
    }
    return fail(error, TLW_SCENE_NO_SUCH, "there is no clip '%s'%s%s", name,
                count ? "; there are: " : "; there are none", names);
}

double tlw_actor_clip_seconds(const tlw_actor* actor, uint32_t clip) {
    return clip == TLW_ASSET_NONE ? 0.0 : actor->asset->clips[clip].duration_seconds;
}

const char* tlw_actor_clip_name(const tlw_actor* actor, uint32_t clip) {
    if (clip == TLW_ASSET_NONE) {
        return "rest";
    }
    const char* name = actor->asset->clips[clip].name;
    return name[0] ? name : "unnamed clip";
}

void tlw_actor_pose(const tlw_actor* actor, uint32_t clip, double seconds, float* joints) {
    uint64_t count;
    const tlw_blob_joint* binds = tlw_blob_find(actor->blob_memory, TLW_SECTION_JOINTS, &count);
    if (actor->asset == NULL) {
        for (uint32_t j = 0; j < count; ++j) {
            for (int k = 0; k < 16; ++k) {
                joints[(size_t)j * 16 + (size_t)k] = (float)binds[j].bind[k];
            }
        }
        return;
    }
    const double loop = tlw_actor_clip_seconds(actor, clip);
    if (clip == TLW_ASSET_NONE) {
        tlw_asset_rest_pose(actor->asset, actor->node_pose);
    } else {
        tlw_asset_evaluate_clip(actor->asset, clip, loop > 0.0 ? fmod(seconds, loop) : 0.0,
                                actor->node_pose);
    }
    tlw_asset_global_matrices(actor->asset, actor->node_pose, actor->node_globals);
    for (uint32_t j = 0; j < count; ++j) {
        const double* from = actor->node_globals + (size_t)actor->joint_nodes[j] * 16;
        for (int k = 0; k < 16; ++k) {
            const double unit = k >= 12 && k < 15 ? actor->metres_per_unit : 1.0;
            joints[(size_t)j * 16 + (size_t)k] = (float)(from[k] * unit);
        }
    }
}

// ---- Data for drawing and dumps

const uint32_t* tlw_actor_indices(const tlw_actor* actor, uint64_t* count) {
    return tlw_blob_find(actor->blob_memory, TLW_SECTION_INDICES, count);
}

const tlw_vertex* tlw_actor_vertices(const tlw_actor* actor) {
    return actor->vertices;
}

void tlw_actor_voxel_centre(const tlw_actor* actor, uint32_t voxel, double centre[3]) {
    uint64_t count;
    const tlw_blob_cell* cell =
        (const tlw_blob_cell*)tlw_blob_find(actor->blob_memory, TLW_SECTION_VOXEL_CELL, &count) +
        voxel;
    const int16_t at[3] = {cell->x, cell->y, cell->z};
    for (int axis = 0; axis < 3; ++axis) {
        centre[axis] = actor->info.origin[axis] + (at[axis] + 0.5) * actor->info.voxel_metres;
    }
}

double tlw_actor_vertex_bytes(const tlw_actor* actor) {
    const tlw_blob_header* header = (const void*)actor->blob_memory;
    const tlw_blob_section* table = (const void*)(header + 1);
    double bytes = 0.0;
    for (uint32_t i = 0; i < header->section_count; ++i) {
        if (table[i].kind >= TLW_SECTION_GROUPS && table[i].kind <= TLW_SECTION_VERTEX_COOKED) {
            bytes += (double)table[i].count * table[i].element_bytes;
        }
    }
    return bytes / actor->info.vertex_count;
}
