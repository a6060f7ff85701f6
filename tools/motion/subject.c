// SPDX-License-Identifier: MIT
// Opens a subject: a world with one character of an actor, with the materials that the def asks
// for. Reads the actor's blob; writes the subject, which the other files read. Steps it and reads
// its voxels.
#include "tools/command/memory.h"
#include "tools/motion/private.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

tlw_scene_code tlw_motion_fail(tlw_scene_error* error, tlw_scene_code code, const char* format,
                               ...) {
    if (error) {
        error->code = code;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return code;
}

tlw_scene_code tlw_motion_fail_memory(tlw_scene_error* error) {
    return tlw_motion_fail(error, TLW_SCENE_CANNOT_READ, "out of memory for an experiment");
}

const char* tlw_motion_layers_name(tlw_motion_layers layers) {
    static const char* const names[] = {
#define LAYERS_NAME(id, name, what) name,
        TLW_MOTION_LAYER_TABLE(LAYERS_NAME)
#undef LAYERS_NAME
    };
    return (unsigned)layers < TLW_MOTION_LAYERS_COUNT ? names[layers] : NULL;
}

tlw_motion_def tlw_default_motion_def(void) {
    return (tlw_motion_def){.preset = TLW_PRESET_COOKED,
                            .layers = TLW_MOTION_MULTI,
                            .has_firm_parts = true,
                            .has_volume = true,
                            .has_limit = true,
                            .substep_seconds = 1.0 / 60.0};
}

// ---- The blob

// MODEL 3.5: volume moves voxel j by its weight w_j, and a stencil of weight 0 is skipped. The
// content hash covers the weights, so it is made anew.
static tlw_scene_code copy_without_volume(tlw_motion* motion, tlw_scene_error* error) {
    const tlw_actor* actor = motion->def.actor;
    tlw_motion_private* own = motion->own;
    own->blob_memory = tlw_heap_grow_aligned(NULL, 0, actor->blob_bytes, NULL);
    if (own->blob_memory == NULL) {
        return tlw_motion_fail_memory(error);
    }
    memcpy(own->blob_memory, actor->blob_memory, actor->blob_bytes);
    static const tlw_blob_section_kind kinds[] = {TLW_SECTION_SLOT_VOLUME_WEIGHT,
                                                  TLW_SECTION_SLOT_VOLUME_PAIR};
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        uint64_t count;
        const uint8_t* first = tlw_blob_find(own->blob_memory, kinds[k], &count);
        memset(own->blob_memory + (first - own->blob_memory), 0, (size_t)count * sizeof(float));
    }
    tlw_blob_header* header = (tlw_blob_header*)(void*)own->blob_memory;
    header->content_hash =
        tlw_xxh64(own->blob_memory + sizeof *header, actor->blob_bytes - sizeof *header, 0);
    const tlw_result result =
        tlw_blob_open(own->blob_memory, actor->blob_bytes, TLW_BLOB_CHECK_ALL, &own->blob, NULL);
    return result == TLW_OK ? TLW_SCENE_OK
                            : tlw_motion_fail(error, TLW_SCENE_BAD, "%s without volume: %s",
                                              actor->name, tlw_result_meaning(result));
}

// Layer and joint of each voxel, and the voxels that it is linked to.
static bool read_lattice(tlw_motion* motion) {
    tlw_motion_private* own = motion->own;
    const uint32_t voxels = motion->voxel_count;
    tlw_blob_contents c;
    tlw_blob_find_all(motion->def.actor->blob_memory, &c);
    const tlw_blob_lattice* lattice = c.first[TLW_SECTION_LATTICE];
    const tlw_blob_cell* cells = c.first[TLW_SECTION_VOXEL_CELL];
    const uint32_t* slots = c.first[TLW_SECTION_VOXEL_SLOT];
    const tlw_blob_window* windows = c.first[TLW_SECTION_WINDOWS];
    const uint16_t* influences = c.first[TLW_SECTION_INFLUENCE_JOINT];
    const float* weights = c.first[TLW_SECTION_INFLUENCE_WEIGHT];
    const uint8_t* layers = c.first[TLW_SECTION_SLOT_LAYER];
    const uint32_t* size = lattice->size;
    const size_t grid_cells = (size_t)size[0] * size[1] * size[2];
    uint32_t* grid = malloc(grid_cells * sizeof *grid);
    own->layers = malloc(voxels);
    own->joints = malloc(voxels * sizeof *own->joints);
    own->around = malloc((size_t)voxels * TLW_CELLS_AROUND * sizeof *own->around);
    motion->layers = own->layers;
    motion->joints = own->joints;
    motion->around = own->around;
    if (!grid || !own->layers || !own->joints || !own->around) {
        free(grid);
        return false;
    }
    for (size_t i = 0; i < grid_cells; ++i) {
        grid[i] = TLW_NO_INDEX;
    }
    for (uint32_t v = 0; v < voxels; ++v) {
        const size_t row = (size_t)cells[v].y + (size_t)size[1] * (size_t)cells[v].z;
        grid[(size_t)cells[v].x + size[0] * row] = v;
    }
    for (uint32_t v = 0; v < voxels; ++v) {
        const tlw_blob_window* window = &windows[slots[v] / TLW_LANES];
        const uint32_t lane = slots[v] % TLW_LANES;
        own->layers[v] = layers[slots[v]];
        float largest = -1;
        for (uint32_t k = 0; k < window->influences; ++k) {
            const uint32_t at = window->first_influence + k;
            const float weight = weights[(size_t)at * TLW_LANES + lane];
            if (weight > largest) {
                largest = weight;
                own->joints[v] = influences[at];
            }
        }
        uint32_t* around = own->around + (size_t)v * TLW_CELLS_AROUND;
        for (uint32_t cell = 0; cell < TLW_CELLS_AROUND; ++cell) {
            around[cell] = TLW_NO_INDEX;
        }
        around[TLW_CELL_SELF] = v;
        for (int step = 0; step < TLW_STEPS; ++step) {
            if (!(window->links[step] >> lane & 1)) {
                continue;
            }
            // From lattice axes to x, y, z.
            const int cell = tlw_cell_of_step(step);
            const int lattice_offset[3] = {cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
            int offset[3];
            for (uint32_t a = 0; a < 3; ++a) {
                offset[(a + lattice->lane_axis) % 3] = lattice_offset[a];
            }
            const size_t x = (size_t)(cells[v].x + offset[0]), y = (size_t)(cells[v].y + offset[1]),
                         z = (size_t)(cells[v].z + offset[2]);
            around[offset[0] + 1 + 3 * (offset[1] + 1) + 9 * (offset[2] + 1)] =
                grid[x + size[0] * (y + size[1] * z)];
        }
    }
    free(grid);
    return true;
}

// ---- Materials

static bool is_firm(const tlw_blob* blob, uint32_t part) {
    tlw_part_info info;
    return tlw_blob_get_part(blob, part, &info) == TLW_OK &&
           (info.kind == TLW_PART_FIRM_RECIPE || info.kind == TLW_PART_FIRM_NAME ||
            info.kind == TLW_PART_FIRM_SHAPE);
}

// The layer whose values a layer takes.
static uint32_t source_layer(const tlw_motion* motion, uint32_t layer) {
    const uint32_t skin = motion->own->layer_count - 1, fat = skin > 1 ? skin - 1 : 1;
    switch (motion->def.layers) {
    case TLW_MOTION_SINGLE:
        return 1;
    case TLW_MOTION_FAT:
        return fat;
    case TLW_MOTION_NO_SKIN:
        return layer == skin ? fat : layer;
    default:
        return layer;
    }
}

static tlw_result set_materials(tlw_motion* motion) {
    const tlw_motion_private* own = motion->own;
    tlw_material materials[TLW_BLOB_LAYERS_MAX];
    tlw_result result = TLW_OK;
    for (uint32_t part = 0; part < own->part_count; ++part) {
        const bool is_part_firm = is_firm(&own->blob, part);
        const uint32_t from = is_part_firm && !motion->def.has_firm_parts ? 0 : part;
        // Part 0 was changed already, unless it is the one at hand; so this reads sources first.
        tlw_material sources[TLW_BLOB_LAYERS_MAX];
        for (uint32_t l = 1; l < own->layer_count && result == TLW_OK; ++l) {
            result = tlw_character_get_material(motion->world, motion->id, from, l, &sources[l]);
        }
        for (uint32_t l = 1; l < own->layer_count && result == TLW_OK; ++l) {
            const bool is_kept = from != part || (is_part_firm && motion->def.has_firm_parts);
            materials[l] = sources[is_kept ? l : source_layer(motion, l)];
            if (motion->def.materials) {
                materials[l] = motion->def.materials[l];
            }
            if (!motion->def.has_limit) {
                materials[l].limit_scale = 1e9f;
            }
        }
        for (uint32_t l = 1; l < own->layer_count && result == TLW_OK; ++l) {
            result = tlw_character_set_material(motion->world, motion->id, part, l, &materials[l]);
        }
    }
    return result;
}

// ---- Opening

static tlw_result create_world(tlw_motion* motion) {
    tlw_motion_private* own = motion->own;
    tlw_world_def world = tlw_default_world_def();
    world.character_capacity = 1;
    world.scratch_bytes = motion->def.actor->info.scratch_bytes;
    world.substep_seconds = motion->def.substep_seconds;
    world.collider_capacity = motion->def.collider_capacity;
    world.contact_capacity = motion->def.contact_capacity;
    world.clock = motion->def.clock;
    world.budget_ms = motion->def.budget_ms > 0 ? motion->def.budget_ms : world.budget_ms;
    world.tasks = motion->def.tasks ? *motion->def.tasks : world.tasks;
    size_t bytes;
    tlw_result result = tlw_world_bytes(&world, &bytes);
    if (result != TLW_OK) {
        return result;
    }
    own->world_memory = tlw_heap_grow_aligned(NULL, 0, bytes, NULL);
    if (own->world_memory == NULL) {
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    result = tlw_world_create(&world, own->world_memory, bytes, &motion->world);
    if (result != TLW_OK) {
        motion->world = NULL;
        return result;
    }
    tlw_character_def def = tlw_default_character_def();
    def.blob = own->blob;
    def.preset = motion->def.preset;
    def.drag_capacity = motion->def.drag_capacity;
    def.has_pose_filter = motion->def.has_pose_filter;
    result = tlw_character_bytes(&def, &bytes);
    if (result != TLW_OK) {
        return result;
    }
    own->character_memory = tlw_heap_grow_aligned(NULL, 0, bytes, NULL);
    if (own->character_memory == NULL) {
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    result = tlw_character_create(motion->world, &def, own->character_memory, bytes, &motion->id);
    if (result == TLW_OK && def.has_pose_filter) {
        const tlw_pose_filter filter = tlw_default_pose_filter();
        result = tlw_character_set_pose_filter(motion->world, motion->id, &filter);
    }
    return result == TLW_OK ? set_materials(motion) : result;
}

static tlw_scene_code open(tlw_motion* motion, tlw_scene_error* error) {
    tlw_motion_private* own = motion->own;
    const tlw_actor* actor = motion->def.actor;
    own->blob = actor->blob;
    own->part_count = actor->info.part_count;
    own->layer_count = actor->info.layer_count;
    own->joint_count = actor->info.joint_count;
    motion->voxel_count = actor->info.voxel_count;
    motion->extent_voxels = actor->info.extent_voxels;
    motion->voxel_metres = actor->info.voxel_metres;
    motion->voxels = calloc(motion->voxel_count, sizeof *motion->voxels);
    motion->pose_joints = calloc((size_t)own->joint_count * 16, sizeof(float));
    if (!motion->voxels || !motion->pose_joints || !read_lattice(motion) ||
        !tlw_motion_find_places(motion)) {
        return tlw_motion_fail_memory(error);
    }
    if (!motion->def.has_volume) {
        const tlw_scene_code code = copy_without_volume(motion, error);
        if (code != TLW_SCENE_OK) {
            return code;
        }
    }
    const tlw_result result = create_world(motion);
    if (result != TLW_OK) {
        return tlw_motion_fail(
            error, result == TLW_ERROR_OUT_OF_MEMORY ? TLW_SCENE_CANNOT_READ : TLW_SCENE_BAD,
            "%s: %s", actor->name, tlw_result_meaning(result));
    }
    tlw_motion_reset(motion);
    return TLW_SCENE_OK;
}

tlw_scene_code tlw_motion_open(const tlw_motion_def* def, tlw_motion** out,
                               tlw_scene_error* error) {
    tlw_motion* motion = calloc(1, sizeof *motion);
    tlw_motion_private* own = calloc(1, sizeof *own);
    *out = NULL;
    if (!motion || !own) {
        free(motion);
        free(own);
        return tlw_motion_fail_memory(error);
    }
    motion->def = *def;
    motion->own = own;
    const tlw_scene_code code = open(motion, error);
    if (code != TLW_SCENE_OK) {
        tlw_motion_close(motion);
        return code;
    }
    *out = motion;
    return TLW_SCENE_OK;
}

void tlw_motion_close(tlw_motion* motion) {
    if (motion == NULL) {
        return;
    }
    tlw_motion_private* own = motion->own;
    if (motion->world) {
        tlw_world_destroy(motion->world);
    }
    void* const aligned[] = {own->world_memory, own->character_memory, own->blob_memory};
    for (size_t k = 0; k < TLW_COUNT_OF(aligned); ++k) {
        if (aligned[k]) {
            tlw_heap_grow_aligned(aligned[k], 0, 0, NULL);
        }
    }
    for (int place = 0; place < TLW_MOTION_PLACE_COUNT; ++place) {
        free(own->place_voxels[place]);
    }
    free(own->layers);
    free(own->joints);
    free(own->around);
    free(motion->voxels);
    free(motion->pose_joints);
    free(own);
    free(motion);
}

// ---- Stepping

void tlw_motion_pose(tlw_motion* motion, uint32_t clip, double seconds) {
    if (clip != TLW_ASSET_NONE) {
        tlw_actor_pose(motion->def.actor, clip, seconds, motion->pose_joints);
        return;
    }
    for (uint32_t j = 0; j < motion->own->joint_count; ++j) {
        tlw_joint_info info;
        if (tlw_blob_get_joint(&motion->own->blob, j, &info) == TLW_OK) {
            for (size_t k = 0; k < 16; ++k) {
                motion->pose_joints[(size_t)j * 16 + k] = (float)info.bind[k];
            }
        }
    }
}

static void set_pose(tlw_motion* motion) {
    tlw_pose pose = tlw_default_pose();
    pose.joints = motion->pose_joints;
    pose.joint_count = motion->own->joint_count;
    pose.root = motion->root;
    pose.is_jump = motion->is_jump;
    motion->is_jump = false;
    // A bad pose shows as TLW_STEP_BAD_POSE in the step's flags.
    TLW_IGNORE(tlw_character_set_pose(motion->world, motion->id, &pose));
}

void tlw_motion_settle(tlw_motion* motion) {
    motion->is_jump = false;
    motion->flags_seen = 0;
    set_pose(motion);
    TLW_IGNORE(tlw_character_reset(motion->world, motion->id));
}

void tlw_motion_reset(tlw_motion* motion) {
    motion->root = tlw_default_pose().root;
    tlw_motion_pose(motion, TLW_ASSET_NONE, 0);
    tlw_motion_settle(motion);
}

tlw_step_flags tlw_motion_step(tlw_motion* motion, double dt) {
    set_pose(motion);
    const tlw_step_flags flags = tlw_world_step(motion->world, dt);
    motion->flags_seen |= flags;
    return flags;
}

void tlw_motion_read(tlw_motion* motion) {
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        TLW_IGNORE(tlw_character_get_voxel(motion->world, motion->id, v, &motion->voxels[v]));
    }
}
