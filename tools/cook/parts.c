// SPDX-License-Identifier: MIT
// Stage parts (RULES 8.5, 8.6): parts of the character, a joint and what is below it each, their
// materials, and the thresholds of their layers and limits. Reads the recipe, cook->names,
// cook->mirrors, cook->firm and cook->weights; writes cook->parts.
#include "tools/cook/stages.h"

const tlw_blob_material tlw_cook_firm_material = {2.0f, 0.1f, 12.0f};

// The parts of joints as if nothing were firm: that of the nearest joint at or above that the
// recipe gives one, 0 without any. `part_joint` becomes the joint of each part of the recipe,
// `entry` that nearest joint, which may be one that a part is mirrored to.
static void find_recipe_parts(const tlw_cook* cook, uint32_t* part_joint, uint32_t* entry,
                              uint32_t* of_joint) {
    const tlw_cook_recipe* recipe = cook->recipe;
    const uint32_t count = cook->input->joint_count;
    // Downwards, because the first of two parts of a joint counts.
    for (uint32_t p = recipe->part_count; p > 0; --p) {
        part_joint[p] = tlw_find_joint_name(cook->names, count, recipe->parts[p - 1].joint);
        of_joint[part_joint[p]] = p;
    }
    for (uint32_t p = recipe->part_count; p > 0; --p) {
        const uint32_t mirror = cook->mirrors[p - 1];
        // A joint that the recipe names itself keeps its own part.
        if (mirror != TLW_NO_JOINT &&
            (of_joint[mirror] == 0 || part_joint[of_joint[mirror]] != mirror)) {
            of_joint[mirror] = p;
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t j = cook->firm.order[i], parent = cook->input->joints[j].parent;
        entry[j] = j;
        if (of_joint[j] == 0 && parent != TLW_NO_JOINT) {
            of_joint[j] = of_joint[parent];
            entry[j] = entry[parent];
        }
    }
}

// A part of the recipe on a joint that would be firm takes all below that has this part with it.
// Joints that are firm for all that keep together: the part of the topmost is theirs.
static uint32_t count_firm_parts(const tlw_cook* cook, const uint32_t* entry, bool* is_firm) {
    const uint8_t* kind = cook->firm.kind;
    uint32_t tops = 0;
    for (uint32_t i = 0; i < cook->input->joint_count; ++i) {
        const uint32_t j = cook->firm.order[i], parent = cook->input->joints[j].parent;
        const bool is_taken = cook->parts.of_joint[j] > 0 && kind[entry[j]] != TLW_PART_WHOLE;
        is_firm[j] = kind[j] != TLW_PART_WHOLE && !is_taken;
        tops += is_firm[j] && (parent == TLW_NO_JOINT || !is_firm[parent]);
    }
    return tops;
}

// Firm parts come after the recipe's, by their topmost joint.
static void add_firm_parts(tlw_cook* cook, const bool* is_firm) {
    const tlw_cook_joint* joints = cook->input->joints;
    tlw_cook_parts* parts = &cook->parts;
    uint32_t next = cook->recipe->part_count + 1;
    for (uint32_t j = 0; j < cook->input->joint_count; ++j) {
        if (is_firm[j] && (joints[j].parent == TLW_NO_JOINT || !is_firm[joints[j].parent])) {
            parts->list[next] = (tlw_blob_part){.joint = j, .kind = cook->firm.kind[j]};
            parts->of_joint[j] = next++;
        }
    }
    for (uint32_t i = 0; i < cook->input->joint_count; ++i) {
        const uint32_t j = cook->firm.order[i], parent = joints[j].parent;
        if (is_firm[j] && parent != TLW_NO_JOINT && is_firm[parent]) {
            parts->of_joint[j] = parts->of_joint[parent];
        }
    }
}

static tlw_blob_material material_of(const tlw_cook* cook, uint32_t p, uint32_t layer) {
    const tlw_cook_layer* own = &cook->recipe->layers[layer];
    tlw_blob_material material = {own->stiffness, own->damping, own->anchor_hz};
    if (p > cook->recipe->part_count) {
        return tlw_cook_firm_material;
    }
    if (p > 0) {
        const tlw_cook_part* part = &cook->recipe->parts[p - 1];
        material = (tlw_blob_material){
            part->stiffness[layer] >= 0.0f ? part->stiffness[layer] : material.stiffness,
            part->damping[layer] >= 0.0f ? part->damping[layer] : material.damping,
            part->anchor_hz[layer] >= 0.0f ? part->anchor_hz[layer] : material.anchor_hz};
    }
    return material;
}

static tlw_cook_thresholds thresholds_of(const tlw_cook* cook, uint32_t p) {
    const tlw_cook_recipe* recipe = cook->recipe;
    tlw_cook_thresholds t = {.bone_share = recipe->bone_share,
                             .bone_radius_voxels = recipe->bone_radius_voxels,
                             .limit_extent = recipe->limit_extent,
                             .limit_thickness = recipe->limit_thickness};
    for (uint32_t i = 0; i < recipe->layer_count; ++i) {
        t.ratio[i] = recipe->layers[i].ratio;
    }
    if (p == 0 || p > recipe->part_count) {
        return t; // the whole character, or a firm part
    }
    const tlw_cook_part* part = &recipe->parts[p - 1];
    if (part->bone_share.denominator > 0) {
        t.bone_share = part->bone_share;
        t.bone_radius_voxels = -1;
    }
    if (part->bone_radius_voxels >= 0) {
        t.bone_radius_voxels = part->bone_radius_voxels;
    }
    for (uint32_t i = 0; i < recipe->layer_count; ++i) {
        t.ratio[i] = part->ratio[i].denominator > 0 ? part->ratio[i] : t.ratio[i];
    }
    t.limit_extent = part->limit_extent >= 0.0f ? part->limit_extent : t.limit_extent;
    t.limit_thickness = part->limit_thickness >= 0.0f ? part->limit_thickness : t.limit_thickness;
    return t;
}

// The list, the materials and the thresholds, once it is known how many parts there are.
static tlw_result list_parts(tlw_cook* cook, const uint32_t* part_joint, const bool* is_firm,
                             uint32_t firm_count) {
    const uint32_t from_recipe = cook->recipe->part_count, layers = cook->recipe->layer_count;
    tlw_cook_parts* parts = &cook->parts;
    // The blob has 16 bits for a material, and no more parts than joints and the whole.
    const uint64_t count = (uint64_t)from_recipe + firm_count + 1;
    if (count * layers > UINT16_MAX || count > (uint64_t)cook->input->joint_count + 1) {
        return tlw_cook_fail(
            cook, TLW_ERROR_TOO_LARGE,
            "%u parts of the recipe and %u firm parts; there may be one per joint, "
            "and %u in all with %u layers",
            from_recipe, firm_count, UINT16_MAX / layers - 1, layers);
    }
    parts->count = (uint32_t)count;
    parts->list = tlw_cook_allocate(cook, count, sizeof *parts->list);
    parts->materials = tlw_cook_allocate(cook, count * layers, sizeof *parts->materials);
    parts->thresholds = tlw_cook_allocate(cook, count, sizeof *parts->thresholds);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    parts->list[0] = (tlw_blob_part){.joint = TLW_BLOB_NO_INDEX, .kind = TLW_PART_WHOLE};
    for (uint32_t p = 1; p <= from_recipe; ++p) {
        parts->list[p] = (tlw_blob_part){.joint = part_joint[p], .kind = TLW_PART_RECIPE};
    }
    add_firm_parts(cook, is_firm);
    for (uint32_t i = 0; i < parts->count * layers; ++i) {
        parts->materials[i] = material_of(cook, i / layers, i % layers);
    }
    for (uint32_t p = 0; p < parts->count; ++p) {
        parts->thresholds[p] = thresholds_of(cook, p);
    }
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        parts->list[tlw_cook_part_of(cook, v)].voxel_count += 1;
    }
    return TLW_OK;
}

tlw_result tlw_cook_make_parts(tlw_cook* cook) {
    const uint32_t joint_count = cook->input->joint_count;
    cook->parts.of_joint = tlw_cook_allocate(cook, joint_count, sizeof *cook->parts.of_joint);
    uint32_t* part_joint =
        tlw_cook_allocate(cook, (uint64_t)cook->recipe->part_count + 1, sizeof *part_joint);
    uint32_t* entry = tlw_cook_allocate(cook, joint_count, sizeof *entry);
    bool* is_firm = tlw_cook_allocate(cook, joint_count, sizeof *is_firm);
    if (cook->error.result == TLW_OK) {
        find_recipe_parts(cook, part_joint, entry, cook->parts.of_joint);
        (void)list_parts(cook, part_joint, is_firm, count_firm_parts(cook, entry, is_firm));
    }
    tlw_cook_free(cook, part_joint);
    tlw_cook_free(cook, entry);
    tlw_cook_free(cook, is_firm);
    return cook->error.result;
}
