// SPDX-License-Identifier: MIT
// Stage parts (RULES 8.5): parts of the character, a joint and its subtree each, and their
// materials. Reads the recipe, cook->names, cook->weights and cook->anatomy; writes cook->parts.
#include "tools/cook/stages.h"

// A joint has the part of the nearest joint at or above it that the recipe gives one; part 0 is the
// whole character. Parents may come after their children in the input, so the walk up goes to the
// first joint whose part is known, and a second walk sets that part on the joints passed: no joint
// is passed more than twice.
static void find_parts(const tlw_cook* cook, uint32_t* joint_part) {
    const tlw_cook_joint* joints = cook->input->joints;
    const uint32_t count = cook->input->joint_count;
    const uint32_t unknown = UINT32_MAX;
    for (uint32_t j = 0; j < count; ++j) {
        joint_part[j] = unknown;
    }
    for (uint32_t p = 0; p < cook->recipe->part_count;
         ++p) { // if a joint has two parts, the first counts
        const uint32_t joint =
            tlw_find_joint_name(cook->names, count, cook->recipe->parts[p].joint);
        joint_part[joint] = joint_part[joint] == unknown ? p + 1 : joint_part[joint];
    }
    for (uint32_t j = 0; j < count; ++j) {
        uint32_t up = j;
        while (up != TLW_NO_JOINT && joint_part[up] == unknown) {
            up = joints[up].parent;
        }
        const uint32_t part = up != TLW_NO_JOINT ? joint_part[up] : 0;
        for (up = j; up != TLW_NO_JOINT && joint_part[up] == unknown; up = joints[up].parent) {
            joint_part[up] = part;
        }
    }
}

static void fill_materials(const tlw_cook* cook, uint32_t p) {
    const tlw_cook_recipe* recipe = cook->recipe;
    const tlw_cook_part* part = p > 0 ? &recipe->parts[p - 1] : NULL;
    for (uint32_t i = 0; i < recipe->layer_count; ++i) {
        const tlw_cook_layer* layer = &recipe->layers[i];
        cook->parts.materials[p * recipe->layer_count + i] = (tlw_blob_material){
            part && part->stiffness[i] >= 0.0f ? part->stiffness[i] : layer->stiffness,
            part && part->damping[i] >= 0.0f ? part->damping[i] : layer->damping,
            part && part->anchor_hz[i] >= 0.0f ? part->anchor_hz[i] : layer->anchor_hz};
    }
}

tlw_result tlw_cook_make_parts(tlw_cook* cook) {
    const tlw_cook_recipe* recipe = cook->recipe;
    const uint32_t joint_count = cook->input->joint_count;
    tlw_cook_parts* parts = &cook->parts;
    parts->count = recipe->part_count + 1;
    parts->of_joint = tlw_cook_allocate(cook, joint_count, sizeof *parts->of_joint);
    parts->list = tlw_cook_allocate(cook, parts->count, sizeof *parts->list);
    parts->materials = tlw_cook_allocate(cook, (uint64_t)parts->count * recipe->layer_count,
                                         sizeof *parts->materials);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    find_parts(cook, parts->of_joint);
    for (uint32_t p = 0; p < parts->count; ++p) {
        parts->list[p].joint =
            p > 0 ? tlw_find_joint_name(cook->names, joint_count, recipe->parts[p - 1].joint)
                  : TLW_BLOB_NO_INDEX;
        parts->list[p].kind = p > 0 ? TLW_PART_RECIPE : TLW_PART_WHOLE;
        fill_materials(cook, p);
    }
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        parts->list[parts->of_joint[cook->weights[v].joint[0]]].voxel_count += 1;
    }
    return TLW_OK;
}
