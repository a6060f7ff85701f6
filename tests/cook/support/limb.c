// SPDX-License-Identifier: MIT
#include "tests/cook/support/limb.h"

#include "tests/test.h"

#include <stdlib.h>

uint32_t limb_voxel_on_axis(const limb* l, int x) {
    return l->index[(LIMB_CENTRE * LIMB_ACROSS + LIMB_CENTRE) * LIMB_LENGTH + x];
}

static void add_voxels(limb* l) {
    for (int cell = 0; cell < LIMB_CELLS; ++cell) {
        const tlw_int3 at = {cell % LIMB_LENGTH, cell / LIMB_LENGTH % LIMB_ACROSS,
                             cell / LIMB_LENGTH / LIMB_ACROSS};
        const int y = at.y - LIMB_CENTRE, z = at.z - LIMB_CENTRE;
        l->index[cell] = TLW_NO_VOXEL;
        if (y * y + z * z <= LIMB_CENTRE * LIMB_CENTRE) {
            l->index[cell] = l->cook.voxels.count;
            l->coordinates[l->cook.voxels.count++] = at;
        }
    }
}

// What a joint's bone touches, in the order of joints.
static void add_bones(limb* l, uint32_t bones, const uint32_t* joint_of_bone) {
    static const char* const names[LIMB_BONES_MAX] = {"a", "b", "c", "d", "e",
                                                      "f", "g", "h", "i", "j"};
    uint32_t bone_of[LIMB_BONES_MAX], touched = 0;
    for (uint32_t b = 0; b < bones; ++b) {
        bone_of[joint_of_bone ? joint_of_bone[b] : b] = b;
    }
    for (uint32_t j = 0; j < bones; ++j) {
        const int bone = (int)bone_of[j], of = (int)bones;
        const int first = LIMB_LENGTH * bone / of - 1, last = LIMB_LENGTH * (bone + 1) / of;
        const uint32_t before = (uint32_t)(bone - 1);
        const uint32_t parent =
            bone == 0 ? TLW_NO_JOINT : (joint_of_bone ? joint_of_bone[before] : before);
        l->joints[j] = (tlw_cook_joint){.name = names[j], .parent = parent};
        l->heat[j] = (tlw_cook_heat){names[j], 1.0f, 1.0f};
        l->skeleton_joints[j] =
            (tlw_cook_skeleton_joint){.parent = parent, .is_kept = true, .touched_begin = touched};
        for (int x = first < 0 ? 0 : first; x <= last && x < LIMB_LENGTH; ++x) {
            l->touched[touched++] = limb_voxel_on_axis(l, x);
        }
        l->skeleton_joints[j].touched_end = touched;
    }
    tlw_sort_joint_names(l->joints, bones, l->names);
    l->cook.skeleton = (tlw_cook_skeleton){.joints = l->skeleton_joints,
                                           .joint_count = bones,
                                           .touched = l->touched,
                                           .touched_count = touched};
}

limb* limb_make(uint32_t bones, const uint32_t* joint_of_bone) {
    limb* l = calloc(1, sizeof *l);
    CHECK(l != NULL);
    l->recipe = tlw_default_cook_recipe();
    l->recipe.is_firm_auto = false; // it would ask for segments, which a limb has not
    l->tasks = tlw_serial_task_system();
    l->input = (tlw_cook_input){.joints = l->joints, .joint_count = bones};
    l->cook = (tlw_cook){.input = &l->input, .recipe = &l->recipe, .tasks = &l->tasks};
    tlw_cook* cook = &l->cook;
    cook->weight_mode = TLW_WEIGHTS_HEAT;
    cook->names = l->names;
    cook->grid = (tlw_cook_grid){
        .voxel = 1.0, .size = {LIMB_LENGTH, LIMB_ACROSS, LIMB_ACROSS}, .extent = LIMB_LENGTH};
    cook->voxels = (tlw_cook_voxels){.coordinates = l->coordinates, .index = l->index};
    add_voxels(l);
    CHECK_OK(tlw_cook_link(cook));
    add_bones(l, bones, joint_of_bone);
    return l;
}

void limb_free(limb* l) {
    tlw_cook_free_stages(&l->cook);
    free(l);
}

tlw_result limb_cook_bends(limb* l) {
    static tlw_result (*const stages[])(tlw_cook*) = {
        tlw_cook_weigh,      tlw_cook_reweigh,    tlw_cook_measure,     tlw_cook_measure_depth,
        tlw_cook_find_firm,  tlw_cook_make_parts, tlw_cook_make_limits, tlw_cook_make_layers,
        tlw_cook_make_order, tlw_cook_make_bends};
    tlw_result result = TLW_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(stages) && result == TLW_OK; ++i) {
        result = stages[i](&l->cook);
    }
    return result;
}
