// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 8.5, 8.6 and 8.8: reads joints, their names, voxels and links, writes
// parts with their materials, bone, ratios and limits, the part of every joint and voxel, and the
// materials of profiles.
#include "tests/cook/oracle/oracle_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRM_STIFFNESS 2.0f
#define FIRM_DAMPING   0.1f
#define FIRM_ANCHOR_HZ 12.0f

// Names
// -------------------------------------------------------------------------------------------

static const char* const firm_words[] = {"head", "neck",  "skull",  "face",  "jaw",
                                         "hand", "wrist", "finger", "thumb", "foot",
                                         "feet", "ankle", "toe",    "paw",   "hoof"};
static const char* const soft_words[] = {"ear",    "tail", "hair",   "tongue",  "cheek",
                                         "breast", "bust", "belly",  "stomach", "butt",
                                         "glute",  "fat",  "jiggle", "twist",   "roll"};

static bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_small(char c) {
    return c >= 'a' && c <= 'z';
}

// Whether the letters are the word, in any case, or the word and an s.
static bool is_word(const char* letters, size_t count, const char* word) {
    const size_t length = strlen(word);
    if (count != length && count != length + 1) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        const char small = is_capital(letters[i]) ? (char)(letters[i] - 'A' + 'a') : letters[i];
        if (small != (i < length ? word[i] : 's')) {
            return false;
        }
    }
    return true;
}

// Whether a word ends before name[at], which follows the letter name[at - 1].
static bool ends_before(const char* name, size_t at) {
    if (!is_capital(name[at])) {
        return !is_small(name[at]);
    }
    return is_small(name[at - 1]) || is_small(name[at + 1]);
}

// Finds the next word of a name from *at on, and moves *at behind it; false if there is none.
static bool next_word(const char* name, size_t* at, size_t* first) {
    size_t i = *at;
    while (name[i] != '\0' && !is_capital(name[i]) && !is_small(name[i])) {
        ++i;
    }
    if (name[i] == '\0') {
        return false;
    }
    *first = i++;
    while (!ends_before(name, i)) {
        ++i;
    }
    *at = i;
    return true;
}

static bool has_word(const char* name, const char* const* words, size_t word_count) {
    size_t at = 0, first;
    while (next_word(name, &at, &first)) {
        for (size_t w = 0; w < word_count; ++w) {
            if (is_word(name + first, at - first, words[w])) {
                return true;
            }
        }
    }
    return false;
}

bool oracle_mirror_name(const char* name, char* mirrored, size_t room) {
    static const char* const sides[][2] = {
        {"left", "right"}, {"right", "left"}, {"l", "r"}, {"r", "l"}};
    size_t at = 0, first;
    uint32_t found = 0;
    while (next_word(name, &at, &first)) {
        for (size_t s = 0; s < TLW_COUNT_OF(sides); ++s) {
            // is_word also takes the word and an s, which is none here.
            if (at - first != strlen(sides[s][0]) ||
                !is_word(name + first, at - first, sides[s][0])) {
                continue;
            }
            char other[8] = "";
            for (size_t i = 0; sides[s][1][i] != '\0'; ++i) {
                // The first letter keeps its case, the others take that of the second.
                const bool is_large = is_capital(name[first + (i > 0)]);
                other[i] = (char)(sides[s][1][i] - (is_large ? 'a' - 'A' : 0));
            }
            snprintf(mirrored, room, "%.*s%s%s", (int)first, name, other, name + at);
            ++found;
        }
    }
    return found == 1;
}

bool oracle_is_firm_name(const char* name) {
    return has_word(name, firm_words, TLW_COUNT_OF(firm_words));
}

bool oracle_is_soft_name(const char* name) {
    return has_word(name, soft_words, TLW_COUNT_OF(soft_words));
}

// Firm joints
// -------------------------------------------------------------------------------------------

// Whether `joint` is `above` or below it, over all joints of the input.
static bool is_at_or_below(const tlw_cook_input* input, uint32_t joint, uint32_t above) {
    for (uint32_t up = joint; up != TLW_NO_JOINT; up = input->joints[up].parent) {
        if (up == above) {
            return true;
        }
    }
    return false;
}

static bool is_leaf_below_a_joint(const oracle_work* work, uint32_t joint) {
    const oracle_result* result = work->result;
    for (uint32_t j = 0; j < result->joint_count; ++j) {
        if (j != joint && result->is_kept[j] && is_at_or_below(work->input, j, joint)) {
            return false;
        }
    }
    return result->is_kept[joint] && result->parent[joint] != ORACLE_NONE;
}

static bool has_narrow_base(const oracle_result* result, uint32_t joint) {
    uint64_t n = 0, faces = 0;
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        const oracle_voxel* voxel = &result->voxels[v];
        if (voxel->joint != joint) {
            continue;
        }
        n += 1;
        for (int face = 0; face < 6; ++face) {
            const uint32_t other = voxel->faces[face];
            faces += other != ORACLE_NONE && result->voxels[other].joint != joint;
        }
    }
    return faces * faces * faces < 8 * n * n;
}

// What makes a joint firm, looking at no part of the recipe; ORACLE_PART_WHOLE: nothing does.
static oracle_part_kind firmness(const oracle_work* work, uint32_t joint) {
    const tlw_cook_input* input = work->input;
    const tlw_cook_recipe* recipe = work->recipe;
    for (uint32_t up = joint; up != TLW_NO_JOINT; up = input->joints[up].parent) {
        const char* name = input->joints[up].name;
        if (!recipe->is_firm_auto) {
            for (uint32_t k = 0; k < recipe->firm_joint_count; ++k) {
                if (strcmp(recipe->firm_joints[k], name) == 0) {
                    return ORACLE_PART_FIRM_RECIPE;
                }
            }
        } else if (oracle_is_soft_name(name)) {
            return ORACLE_PART_WHOLE;
        } else if (oracle_is_firm_name(name)) {
            return ORACLE_PART_FIRM_NAME;
        }
    }
    const bool is_firm = recipe->is_firm_auto && is_leaf_below_a_joint(work, joint) &&
                         has_narrow_base(work->result, joint);
    return is_firm ? ORACLE_PART_FIRM_SHAPE : ORACLE_PART_WHOLE;
}

// Parts
// -------------------------------------------------------------------------------------------

static void add_part(const oracle_work* work, uint32_t joint, oracle_part_kind kind,
                     const tlw_cook_part* given) {
    const bool is_firm = kind >= ORACLE_PART_FIRM_RECIPE;
    oracle_part* part = &work->result->parts[work->result->part_count++];
    const tlw_cook_recipe* recipe = work->recipe;
    part->joint = joint;
    part->kind = kind;
    part->bone_share = recipe->bone_share;
    part->bone_radius_voxels = recipe->bone_radius_voxels;
    part->limit_extent = (double)recipe->limit_extent;
    part->limit_thickness = (double)recipe->limit_thickness;
    if (given != NULL && given->bone_share.denominator != 0) {
        part->bone_share = given->bone_share;
        part->bone_radius_voxels = -1; // the part's share goes before the recipe's radius
    }
    if (given != NULL && given->bone_radius_voxels >= 0) {
        part->bone_radius_voxels = given->bone_radius_voxels;
    }
    if (given != NULL && given->limit_extent >= 0) {
        part->limit_extent = (double)given->limit_extent;
    }
    if (given != NULL && given->limit_thickness >= 0) {
        part->limit_thickness = (double)given->limit_thickness;
    }
    for (uint32_t layer = 0; layer < work->recipe->layer_count; ++layer) {
        const tlw_cook_layer* from = &work->recipe->layers[layer];
        const bool has_ratio = given != NULL && given->ratio[layer].denominator != 0;
        part->ratio[layer] = has_ratio ? given->ratio[layer] : from->ratio;
        float ks = is_firm ? FIRM_STIFFNESS : from->stiffness;
        float kd = is_firm ? FIRM_DAMPING : from->damping;
        float hz = is_firm ? FIRM_ANCHOR_HZ : from->anchor_hz;
        if (given != NULL) {
            ks = given->stiffness[layer] >= 0 ? given->stiffness[layer] : ks;
            kd = given->damping[layer] >= 0 ? given->damping[layer] : kd;
            hz = given->anchor_hz[layer] >= 0 ? given->anchor_hz[layer] : hz;
        }
        part->stiffness[layer] = (double)ks;
        part->damping[layer] = (double)kd;
        part->anchor_hz[layer] = (double)hz;
    }
}

static bool has_entry(const tlw_cook_recipe* recipe, const char* joint) {
    for (uint32_t k = 0; k < recipe->part_count; ++k) {
        if (strcmp(recipe->parts[k].joint, joint) == 0) {
            return true;
        }
    }
    return false;
}

// Whether an entry of the recipe stands for the joint itself: by its name, or as the mirror image
// of its name where the recipe has no entry for the joint.
static bool stands_for(const tlw_cook_recipe* recipe, const tlw_cook_part* part,
                       const char* joint) {
    char mirrored[1024];
    return strcmp(part->joint, joint) == 0 ||
           (part->is_mirrored && !has_entry(recipe, joint) &&
            oracle_mirror_name(part->joint, mirrored, sizeof mirrored) &&
            strcmp(mirrored, joint) == 0);
}

// The recipe's part of a joint, with the joint that it is on; part 0, on ORACLE_NONE, without one.
static uint32_t recipe_part(const oracle_work* work, uint32_t joint, uint32_t* on) {
    const tlw_cook_input* input = work->input;
    for (*on = joint; *on != TLW_NO_JOINT; *on = input->joints[*on].parent) {
        for (uint32_t k = 0; k < work->recipe->part_count; ++k) {
            if (stands_for(work->recipe, &work->recipe->parts[k], input->joints[*on].name)) {
                return k + 1;
            }
        }
    }
    *on = ORACLE_NONE;
    return 0;
}

uint32_t oracle_joint_named(const tlw_cook_input* input, const char* name) {
    for (uint32_t j = 0; j < input->joint_count; ++j) {
        if (strcmp(input->joints[j].name, name) == 0) {
            return j;
        }
    }
    return ORACLE_NONE;
}

static const char* check_mirrors(const oracle_work* work) {
    for (uint32_t k = 0; k < work->recipe->part_count; ++k) {
        const tlw_cook_part* part = &work->recipe->parts[k];
        char mirrored[1024];
        if (!part->is_mirrored) {
            continue;
        }
        if (!oracle_mirror_name(part->joint, mirrored, sizeof mirrored)) {
            return "a mirrored part's joint has no side in its name, or several";
        }
        if (oracle_joint_named(work->input, mirrored) == ORACLE_NONE) {
            return "a mirrored part's joint has no partner";
        }
    }
    return NULL;
}

const char* oracle_make_parts(oracle_work* work) {
    const char* error = check_mirrors(work);
    if (error != NULL) {
        return error;
    }
    const tlw_cook_input* input = work->input;
    const tlw_cook_recipe* recipe = work->recipe;
    oracle_result* result = work->result;
    const uint32_t n = result->joint_count;
    result->parts = oracle_allocate((size_t)1 + recipe->part_count + n, sizeof *result->parts);
    result->joint_part = oracle_allocate(n, sizeof *result->joint_part);
    oracle_part_kind* firm = oracle_allocate(n, sizeof *firm);
    bool* is_in_firm_part = oracle_allocate(n, sizeof *is_in_firm_part);
    for (uint32_t j = 0; j < n; ++j) {
        firm[j] = firmness(work, j);
    }

    add_part(work, ORACLE_NONE, ORACLE_PART_WHOLE, NULL);
    for (uint32_t k = 0; k < recipe->part_count; ++k) {
        const tlw_cook_part* given = &recipe->parts[k];
        add_part(work, oracle_joint_named(input, given->joint), ORACLE_PART_RECIPE, given);
    }
    for (uint32_t j = 0; j < n; ++j) {
        uint32_t on;
        result->joint_part[j] = recipe_part(work, j, &on);
        is_in_firm_part[j] =
            firm[j] != ORACLE_PART_WHOLE && (on == ORACLE_NONE || firm[on] == ORACLE_PART_WHOLE);
    }
    // A firm part's joints are those that its topmost reaches through firm joints alone.
    for (uint32_t top = 0; top < n; ++top) {
        const uint32_t parent = input->joints[top].parent;
        if (!is_in_firm_part[top] || (parent != TLW_NO_JOINT && is_in_firm_part[parent])) {
            continue;
        }
        add_part(work, top, firm[top], NULL);
        for (uint32_t j = 0; j < n; ++j) {
            uint32_t up = j;
            while (up != top && up != TLW_NO_JOINT && is_in_firm_part[up]) {
                up = input->joints[up].parent;
            }
            if (up == top) {
                result->joint_part[j] = result->part_count - 1;
            }
        }
    }
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        voxel->part = result->joint_part[voxel->joint];
        result->parts[voxel->part].voxel_count += 1;
    }
    free(firm);
    free(is_in_firm_part);
    return NULL;
}

// Profiles
// -------------------------------------------------------------------------------------------

// The part that a joint names, or ORACLE_NONE: the recipe's on it, mirrored ones included, or the
// firm part that begins with it.
static uint32_t part_named(const oracle_work* work, const char* joint) {
    const oracle_result* result = work->result;
    if (joint == NULL) {
        return 0;
    }
    for (uint32_t k = 0; k < work->recipe->part_count; ++k) {
        if (stands_for(work->recipe, &work->recipe->parts[k], joint)) {
            return k + 1;
        }
    }
    for (uint32_t p = 1 + work->recipe->part_count; p < result->part_count; ++p) {
        if (strcmp(work->input->joints[result->parts[p].joint].name, joint) == 0) {
            return p;
        }
    }
    return ORACLE_NONE;
}

static const char* check_profile_name(const tlw_cook_recipe* recipe, uint32_t profile) {
    const char* name = recipe->profiles[profile].name;
    if (strcmp(name, "cooked") == 0) {
        return "a profile has the name of the first";
    }
    for (uint32_t k = 0; k < profile; ++k) {
        if (strcmp(recipe->profiles[k].name, name) == 0) {
            return "two profiles have one name";
        }
    }
    return NULL;
}

static void set_numbers(double* numbers, const float* given, uint32_t count) {
    for (uint32_t layer = 0; layer < count; ++layer) {
        if (given[layer] >= 0) {
            numbers[layer] = (double)given[layer];
        }
    }
}

const char* oracle_make_profiles(oracle_work* work) {
    const tlw_cook_recipe* recipe = work->recipe;
    oracle_result* result = work->result;
    const uint32_t layers = recipe->layer_count;
    result->profile_count = recipe->profile_count;
    result->profile_parts = oracle_allocate((size_t)recipe->profile_count * result->part_count,
                                            sizeof *result->profile_parts);
    for (uint32_t k = 0; k < recipe->profile_count; ++k) {
        const tlw_cook_profile* profile = &recipe->profiles[k];
        oracle_profile_part* parts = &result->profile_parts[(size_t)k * result->part_count];
        const char* error = check_profile_name(recipe, k);
        if (error != NULL) {
            return error;
        }
        for (uint32_t p = 0; p < result->part_count; ++p) {
            memcpy(parts[p].stiffness, result->parts[p].stiffness, sizeof parts[p].stiffness);
            memcpy(parts[p].damping, result->parts[p].damping, sizeof parts[p].damping);
            memcpy(parts[p].anchor_hz, result->parts[p].anchor_hz, sizeof parts[p].anchor_hz);
            for (uint32_t layer = 0; layer < layers; ++layer) {
                parts[p].limit_scale[layer] = 1;
            }
        }
        for (uint32_t e = 0; e < profile->part_count; ++e) {
            const tlw_cook_profile_part* given = &profile->parts[e];
            const uint32_t p = part_named(work, given->joint);
            if (p == ORACLE_NONE) {
                return "a profile names a joint that has no part";
            }
            set_numbers(parts[p].stiffness, given->stiffness, layers);
            set_numbers(parts[p].damping, given->damping, layers);
            set_numbers(parts[p].anchor_hz, given->anchor_hz, layers);
            set_numbers(parts[p].limit_scale, given->limit_scale, layers);
        }
    }
    return NULL;
}
