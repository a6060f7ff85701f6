// SPDX-License-Identifier: MIT
// Stage firm (RULES 8.6): which joints are firm, because the recipe lists them, or by their names
// and their shape. Heads, hands and feet should not wobble, and a mesh does not say which they are.
// Reads the recipe, cook->names, cook->skeleton, cook->links and cook->weights; writes cook->firm.
// Integers only, and every joint is visited a fixed number of times, whatever the tree is like.
#include "tools/cook/stages.h"

#include <string.h>

// ---- Names

// The words of both lists, in small letters. A joint on both lists is not firm.
static const char* const firm_words[] = {"head", "neck",  "skull",  "face",  "jaw",
                                         "hand", "wrist", "finger", "thumb", "foot",
                                         "feet", "ankle", "toe",    "paw",   "hoof"};
static const char* const soft_words[] = {"ear",    "tail", "hair",   "tongue",  "cheek",
                                         "breast", "bust", "belly",  "stomach", "butt",
                                         "glute",  "fat",  "jiggle", "twist",   "roll"};

// The word itself, or the word and an s.
static bool is_word(const char* text, size_t length, const char* word) {
    return tlw_is_word(text, length, word) ||
           (length > 1 && (text[length - 1] == 's' || text[length - 1] == 'S') &&
            tlw_is_word(text, length - 1, word));
}

static bool is_listed(const char* text, size_t length, const char* const* words, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (is_word(text, length, words[i])) {
            return true;
        }
    }
    return false;
}

typedef enum name_list { ON_NO_LIST, ON_FIRM_LIST, ON_SOFT_LIST } name_list;

static name_list list_of(const char* name) {
    name_list found = ON_NO_LIST;
    size_t at = 0;
    for (size_t length; (length = tlw_next_word(name, &at)) > 0; at += length) {
        if (is_listed(name + at, length, soft_words, TLW_COUNT_OF(soft_words))) {
            return ON_SOFT_LIST;
        }
        if (is_listed(name + at, length, firm_words, TLW_COUNT_OF(firm_words))) {
            found = ON_FIRM_LIST;
        }
    }
    return found;
}

// ---- The tree

// Joints with every parent before its children. Parents may come after their children in the
// input, so each joint that has no place yet gets one behind those above it that have none either.
static void order_joints(const tlw_cook* cook, uint32_t* order, bool* is_placed) {
    const tlw_cook_joint* joints = cook->input->joints;
    uint32_t placed = 0;
    for (uint32_t j = 0; j < cook->input->joint_count; ++j) {
        uint32_t depth = 0;
        for (uint32_t up = j; up != TLW_NO_JOINT && !is_placed[up]; up = joints[up].parent) {
            depth += 1;
        }
        uint32_t next = placed + depth;
        for (uint32_t up = j; up != TLW_NO_JOINT && !is_placed[up]; up = joints[up].parent) {
            is_placed[up] = true;
            order[--next] = up;
        }
        placed += depth;
    }
}

// ---- Shape

// What is counted of a joint: its voxels, and their linked faces to voxels of other joints.
typedef struct joint_shape {
    uint32_t voxels, faces;
} joint_shape;

static void measure_shapes(const tlw_cook* cook, joint_shape* shapes) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const uint32_t joint = cook->weights[v].joint[0];
        shapes[joint].voxels += 1;
        for (uint32_t left = cook->links.masks[v] & TLW_FACE_STEPS; left != 0; left &= left - 1) {
            const uint32_t to = tlw_linked_voxel(cook, v, __builtin_ctz(left));
            shapes[joint].faces += cook->weights[to].joint[0] != joint;
        }
    }
}

// faces < 2 n^(2/3), in integers. False for a joint without voxels.
static bool is_knob(joint_shape shape) {
    const tlw_wide_int n = shape.voxels, faces = shape.faces;
    return faces * faces * faces < 8 * n * n;
}

// A kept joint without a kept joint below it, and with one above it. Such a joint owns the one
// segment that leads to no child.
static bool is_leaf_of_limb(const tlw_cook_skeleton* skeleton, uint32_t joint) {
    const tlw_cook_skeleton_joint* j = &skeleton->joints[joint];
    return j->is_kept && j->parent != TLW_NO_JOINT &&
           skeleton->segments[j->segment_begin].child == TLW_NO_JOINT;
}

// ---- The stage

static void find_by_list(tlw_cook* cook) {
    const tlw_cook_recipe* recipe = cook->recipe;
    const uint32_t count = cook->input->joint_count;
    tlw_cook_firm* firm = &cook->firm;
    for (uint32_t i = 0; i < recipe->firm_joint_count; ++i) {
        firm->kind[tlw_find_joint_name(cook->names, count, recipe->firm_joints[i])] =
            TLW_PART_FIRM_RECIPE;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t j = firm->order[i], parent = cook->input->joints[j].parent;
        if (parent != TLW_NO_JOINT && firm->kind[parent] != TLW_PART_WHOLE) {
            firm->kind[j] = TLW_PART_FIRM_RECIPE;
        }
    }
}

// `lists` is scratch: the list that the nearest listed joint at or above each joint is on.
static void find_by_name_and_shape(tlw_cook* cook, const joint_shape* shapes, uint8_t* lists) {
    tlw_cook_firm* firm = &cook->firm;
    for (uint32_t i = 0; i < cook->input->joint_count; ++i) {
        const uint32_t j = firm->order[i], parent = cook->input->joints[j].parent;
        lists[j] = (uint8_t)list_of(cook->input->joints[j].name);
        if (lists[j] == ON_NO_LIST && parent != TLW_NO_JOINT) {
            lists[j] = lists[parent];
        }
        if (lists[j] == ON_FIRM_LIST) {
            firm->kind[j] = TLW_PART_FIRM_NAME;
        } else if (lists[j] == ON_NO_LIST && is_leaf_of_limb(&cook->skeleton, j) &&
                   is_knob(shapes[j])) {
            firm->kind[j] = TLW_PART_FIRM_SHAPE;
        }
    }
}

tlw_result tlw_cook_find_firm(tlw_cook* cook) {
    const uint32_t count = cook->input->joint_count;
    tlw_cook_firm* firm = &cook->firm;
    firm->kind = tlw_cook_allocate(cook, count, sizeof *firm->kind);
    firm->order = tlw_cook_allocate(cook, count, sizeof *firm->order);
    bool* is_placed = tlw_cook_allocate(cook, count, sizeof *is_placed);
    uint8_t* lists = tlw_cook_allocate(cook, count, sizeof *lists);
    joint_shape* shapes = tlw_cook_allocate(cook, count, sizeof *shapes);
    if (cook->error.result == TLW_OK) {
        order_joints(cook, firm->order, is_placed);
        if (cook->recipe->is_firm_auto) {
            measure_shapes(cook, shapes);
            find_by_name_and_shape(cook, shapes, lists);
        } else {
            find_by_list(cook);
        }
    }
    tlw_cook_free(cook, is_placed);
    tlw_cook_free(cook, lists);
    tlw_cook_free(cook, shapes);
    return cook->error.result;
}
