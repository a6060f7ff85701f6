// SPDX-License-Identifier: MIT
// Firm joints and the parts that they become (RULES 8.5, 8.6): names word by word, shapes at the
// border of the rule, and random trees against the rule written out joint by joint.
#include "tests/helpers.h"
#include "tests/test.h"
#include "tools/cook/stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stages firm and parts alone, on a bar of cells whose joints the test chooses.
typedef struct bench {
    tlw_cook_joint* joints;
    tlw_cook_input input;
    tlw_cook_recipe recipe;
    tlw_cook cook;
} bench;

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count + 1, bytes);
    CHECK(memory != NULL);
    return memory;
}

// A bar of `length` slabs of 2x2 voxels, all linked, all of joint 0, which is kept and has no
// parent; the others are not kept.
static void make_bench(bench* b, uint32_t joint_count, uint32_t length) {
    *b = (bench){.joints = allocate(joint_count, sizeof *b->joints),
                 .recipe = tlw_default_cook_recipe()};
    b->input = (tlw_cook_input){.joints = b->joints, .joint_count = joint_count};
    tlw_cook* cook = &b->cook;
    const uint32_t voxels = length * 4;
    *cook = (tlw_cook){.input = &b->input, .recipe = &b->recipe};
    cook->grid = (tlw_cook_grid){.voxel = 1, .size = {2, 2, (int32_t)length}, .extent = length};
    cook->voxels.count = voxels;
    cook->voxels.coordinates = allocate(voxels, sizeof *cook->voxels.coordinates);
    cook->voxels.index = allocate(voxels, sizeof *cook->voxels.index);
    cook->weights = allocate(voxels, sizeof *cook->weights);
    cook->links.masks = allocate(voxels, sizeof *cook->links.masks);
    for (uint32_t v = 0; v < voxels; ++v) {
        cook->voxels.coordinates[v] =
            (tlw_int3){(int32_t)(v % 2), (int32_t)(v / 2 % 2), (int32_t)(v / 4)};
        cook->voxels.index[tlw_cook_cell(&cook->grid, cook->voxels.coordinates[v])] = v;
        cook->weights[v].weight[0] = 1;
    }
    for (uint32_t v = 0; v < voxels; ++v) {
        cook->links.masks[v] = tlw_cook_all_links(cook, v);
    }
    cook->skeleton.joints = allocate(joint_count, sizeof *cook->skeleton.joints);
    cook->skeleton.segments = allocate(joint_count, sizeof *cook->skeleton.segments);
    cook->skeleton.joint_count = joint_count;
    cook->names = allocate(joint_count, sizeof *cook->names);
    for (uint32_t j = 0; j < joint_count; ++j) {
        b->joints[j].parent = TLW_NO_JOINT;
    }
}

// The nearest kept joint above every joint. What was found on the way up holds for all on the way,
// so that a chain takes as many steps as it has joints.
static void find_kept_parents(bench* b) {
    tlw_cook_skeleton_joint* joints = b->cook.skeleton.joints;
    const uint32_t count = b->input.joint_count;
    bool* is_found = allocate(count, sizeof *is_found);
    for (uint32_t j = 0; j < count; ++j) {
        uint32_t up = j;
        do {
            up = is_found[up] ? joints[up].parent : b->joints[up].parent;
        } while (up != TLW_NO_JOINT && !joints[up].is_kept);
        for (uint32_t k = j; k != up && !is_found[k]; k = b->joints[k].parent) {
            joints[k].parent = up;
            is_found[k] = true;
        }
    }
    free(is_found);
}

// Fills in what earlier stages make of the joints: kept ancestors, leaves, names.
static void run_bench(bench* b) {
    tlw_cook* cook = &b->cook;
    tlw_cook_skeleton_joint* joints = cook->skeleton.joints;
    const uint32_t count = b->input.joint_count;
    for (uint32_t j = 0; j < count; ++j) {
        joints[j].segment_begin = j;
        cook->skeleton.segments[j] = (tlw_cook_segment){.owner = j, .child = TLW_NO_JOINT};
    }
    find_kept_parents(b);
    for (uint32_t j = 0; j < count; ++j) {
        if (joints[j].is_kept && joints[j].parent != TLW_NO_JOINT) {
            cook->skeleton.segments[joints[j].parent].child = j;
        }
    }
    tlw_sort_joint_names(b->joints, count, cook->names);
    cook->mirrors = tlw_cook_allocate(cook, b->recipe.part_count, sizeof *cook->mirrors);
    for (uint32_t p = 0; p < b->recipe.part_count; ++p) {
        CHECK_OK(tlw_cook_check_part(cook, p));
    }
    CHECK_OK(tlw_cook_find_firm(cook));
    (void)tlw_cook_make_parts(cook);
}

static void free_bench(bench* b) {
    void* const memory[] = {
        b->joints,           b->cook.voxels.coordinates, b->cook.voxels.index,      b->cook.weights,
        b->cook.links.masks, b->cook.skeleton.joints,    b->cook.skeleton.segments, b->cook.names};
    tlw_cook_free_stages(&b->cook);
    for (size_t i = 0; i < TLW_COUNT_OF(memory); ++i) {
        free(memory[i]);
    }
}

static uint32_t kind_of(const bench* b, uint32_t joint) {
    return b->cook.parts.list[b->cook.parts.of_joint[joint]].kind;
}

TLW_TEST(firm_joints_are_found_by_whole_words_of_their_names) {
    static const struct {
        const char* name;
        bool is_firm;
    } rows[] = {
        {"head", true},
        {"HEAD", true},
        {"Heads", true},
        {"mixamorig:LeftHand", true},
        {"LHand", true},
        {"handL", true},
        {"hand.L", true},
        {"hand_01", true},
        {"hand1", true},
        {"1hand2", true},
        {"LeftHandThumb3", true},
        {"b_Neck\xC3\xA4", true},
        {"feet", true},
        {"feets", true},
        {"toes", true},
        {"Bip01 R Foot", true},
        {"PAW", true},
        {"IKHoof", true},
        {"headHunter", true},
        {"jaw-bone", true},
        {"lefthand", false}, // one word
        {"handle", false},
        {"header", false},
        {"headss", false},
        {"hoofes", false},
        {"HANDs", false}, // HAN, Ds
        {"LHANDLE", false},
        {"h_a_n_d", false},
        {"ha\xC3\xA4nd", false},
        {"arm", false},
        {"s", false},
        {"", false},
        {"HeadTail", false}, // on both lists
        {"HandTwist", false},
        {"ear.head", false},
        {"FaceHair01", false},
        {"neck roll", false},
        {"ThumbFats", false},
        {"earth_head", true}, // earth is no ear
        {"belly", false},
    };
    bench b;
    make_bench(&b, TLW_COUNT_OF(rows), 1);
    for (uint32_t j = 0; j < TLW_COUNT_OF(rows); ++j) {
        b.joints[j].name = rows[j].name;
    }
    run_bench(&b);
    for (uint32_t j = 0; j < TLW_COUNT_OF(rows); ++j) {
        const uint32_t want = rows[j].is_firm ? TLW_PART_FIRM_NAME : TLW_PART_WHOLE;
        if (kind_of(&b, j) != want) {
            tlw_test_fail(__FILE__, __LINE__, "'%s' is %s", rows[j].name,
                          tlw_part_kind_text((tlw_part_kind)kind_of(&b, j)));
        }
    }
    free_bench(&b);
}

TLW_TEST(every_word_of_both_lists_counts) {
    static const char* const firm[] = {"head", "neck",  "skull",  "face",  "jaw",
                                       "hand", "wrist", "finger", "thumb", "foot",
                                       "feet", "ankle", "toe",    "paw",   "hoof"};
    static const char* const soft[] = {"ear",    "tail", "hair",   "tongue",  "cheek",
                                       "breast", "bust", "belly",  "stomach", "butt",
                                       "glute",  "fat",  "jiggle", "twist",   "roll"};
    enum { WORDS = TLW_COUNT_OF(firm), SOFT_WORDS = TLW_COUNT_OF(soft) };
    bench b;
    char names[SOFT_WORDS][16];
    make_bench(&b, WORDS + SOFT_WORDS, 1);
    for (uint32_t j = 0; j < WORDS; ++j) {
        b.joints[j].name = firm[j];
    }
    for (uint32_t j = 0; j < SOFT_WORDS; ++j) {
        snprintf(names[j], sizeof names[j], "%s_hand", soft[j]);
        b.joints[WORDS + j].name = names[j];
    }
    run_bench(&b);
    CHECK_EQ(b.cook.parts.count, WORDS + 1);
    for (uint32_t j = 0; j < WORDS + SOFT_WORDS; ++j) {
        CHECK_EQ(kind_of(&b, j), j < WORDS ? TLW_PART_FIRM_NAME : TLW_PART_WHOLE);
    }
    free_bench(&b);
}

// A bar of 2x2 cells. A leaf that owns the last slabs has 4 faces to the rest: 64 < 8 n^2 from
// n = 4 on. One that owns slabs in the middle has 8: 512 < 8 n^2 from n = 12 on, and n = 8 is the
// border itself.
TLW_TEST(leaf_is_firm_by_shape_where_few_faces_hold_it) {
    static const struct {
        uint32_t first, end; // slabs of the leaf, of 12
        bool is_firm;
    } rows[] = {{11, 12, true}, {8, 12, true}, {5, 6, false},
                {5, 7, false},  {5, 8, true},  {12, 12, false}};
    for (size_t i = 0; i < TLW_COUNT_OF(rows); ++i) {
        for (int variant = 0; variant < 4; ++variant) {
            bench b;
            make_bench(&b, 2, 12);
            b.joints[0] =
                (tlw_cook_joint){.name = variant == 1 ? "belly" : "spine", .parent = TLW_NO_JOINT};
            b.joints[1] = (tlw_cook_joint){.name = "bone", .parent = 0};
            // Without a kept joint above it, or itself not kept, a leaf is not firm.
            b.cook.skeleton.joints[0].is_kept = variant != 2;
            b.cook.skeleton.joints[1].is_kept = variant != 3;
            for (uint32_t v = rows[i].first * 4; v < rows[i].end * 4; ++v) {
                b.cook.weights[v].joint[0] = 1;
            }
            run_bench(&b);
            const bool is_firm = rows[i].is_firm && variant == 0;
            CHECK_EQ(kind_of(&b, 1), is_firm ? TLW_PART_FIRM_SHAPE : TLW_PART_WHOLE);
            CHECK_EQ(kind_of(&b, 0), TLW_PART_WHOLE);
            CHECK_EQ(b.cook.parts.count, is_firm ? 2 : 1);
            if (is_firm) {
                CHECK_EQ(b.cook.parts.list[1].voxel_count, (rows[i].end - rows[i].first) * 4);
                for (uint32_t layer = 0; layer < b.recipe.layer_count; ++layer) {
                    const tlw_blob_material m =
                        b.cook.parts.materials[b.recipe.layer_count + layer];
                    CHECK_EQ(m.stiffness, 2.0f);
                    CHECK_EQ(m.damping, 0.1f);
                    CHECK_EQ(m.anchor_hz, 12.0f);
                }
            }
            free_bench(&b);
        }
    }
}

// A cut link holds nothing.
TLW_TEST(cut_faces_do_not_count_as_shared) {
    bench b;
    make_bench(&b, 2, 12);
    b.joints[0] = (tlw_cook_joint){.name = "spine", .parent = TLW_NO_JOINT};
    b.joints[1] = (tlw_cook_joint){.name = "bone", .parent = 0};
    b.cook.skeleton.joints[0].is_kept = b.cook.skeleton.joints[1].is_kept = true;
    for (uint32_t v = 20; v < 28; ++v) { // two slabs in the middle: not firm, unless faces are cut
        b.cook.weights[v].joint[0] = 1;
    }
    b.cook.links.masks[20] = 0; // its faces within the leaf do not matter
    run_bench(&b);
    CHECK_EQ(kind_of(&b, 1), TLW_PART_FIRM_SHAPE);
    free_bench(&b);
}

// The rule as it is written, with a walk up for every question.

typedef struct rule {
    const bench* b;
    const uint8_t* list;   // per joint: 0 on none, 1 on the first list, 2 on the second
    const bool* is_chosen; // per joint: the recipe's `firm` names it
    const uint32_t* part;  // per joint: the recipe's part on it, 0 for none
    const uint32_t *voxels, *faces;
} rule;

static uint32_t firm_kind_by_rule(const rule* r, uint32_t joint) {
    const tlw_cook_skeleton_joint* kept = r->b->cook.skeleton.joints;
    if (!r->b->recipe.is_firm_auto) {
        for (uint32_t up = joint; up != TLW_NO_JOINT; up = r->b->joints[up].parent) {
            if (r->is_chosen[up]) {
                return TLW_PART_FIRM_RECIPE;
            }
        }
        return TLW_PART_WHOLE;
    }
    for (uint32_t up = joint; up != TLW_NO_JOINT; up = r->b->joints[up].parent) {
        if (r->list[up] != 0) {
            return r->list[up] == 1 ? TLW_PART_FIRM_NAME : TLW_PART_WHOLE;
        }
    }
    bool has_above = false, has_below = false;
    for (uint32_t up = r->b->joints[joint].parent; up != TLW_NO_JOINT;
         up = r->b->joints[up].parent) {
        has_above = has_above || kept[up].is_kept;
    }
    for (uint32_t j = 0; j < r->b->input.joint_count; ++j) {
        for (uint32_t up = r->b->joints[j].parent; up != TLW_NO_JOINT;
             up = r->b->joints[up].parent) {
            has_below = has_below || (up == joint && kept[j].is_kept);
        }
    }
    const double n = r->voxels[joint], faces = r->faces[joint];
    return kept[joint].is_kept && has_above && !has_below && faces * faces * faces < 8.0 * n * n
               ? TLW_PART_FIRM_SHAPE
               : TLW_PART_WHOLE;
}

static uint32_t recipe_part_by_rule(const rule* r, uint32_t joint, uint32_t* on) {
    for (*on = joint; *on != TLW_NO_JOINT; *on = r->b->joints[*on].parent) {
        if (r->part[*on] != 0) {
            return r->part[*on];
        }
    }
    return 0;
}

static bool is_firm_by_rule(const rule* r, uint32_t joint) {
    uint32_t on;
    const uint32_t part = recipe_part_by_rule(r, joint, &on);
    return firm_kind_by_rule(r, joint) != TLW_PART_WHOLE &&
           (part == 0 || firm_kind_by_rule(r, on) == TLW_PART_WHOLE);
}

TLW_TEST(random_trees_have_the_parts_that_the_rule_says) {
    enum { JOINTS = 60, PARTS = 6, LENGTH = 60, ROUNDS = 200 };
    static const char* const words[] = {"bone", "Hand", "EarHead", "tail", "x"};
    static const uint8_t lists[] = {0, 1, 2, 2, 0};
    uint64_t seed = 17;
    uint32_t seen[TLW_PART_KIND_COUNT] = {0};
    for (int round = 0; round < ROUNDS; ++round) {
        bench b;
        make_bench(&b, JOINTS, LENGTH);
        uint32_t order[JOINTS], part[JOINTS] = {0}, voxels[JOINTS] = {0}, faces[JOINTS] = {0};
        uint8_t list[JOINTS];
        bool is_chosen[JOINTS] = {false};
        char names[JOINTS][24];
        const char* chosen[JOINTS];
        tlw_cook_part parts[PARTS] = {0};
        for (uint32_t i = 0; i < JOINTS; ++i) { // parents before and after their children
            const uint32_t k = (uint32_t)(tlw_test_random(&seed) % (i + 1));
            order[i] = order[k];
            order[k] = i;
        }
        for (uint32_t i = 0; i < JOINTS; ++i) {
            const uint32_t j = order[i], nearby = i < 5 ? i : 5;
            // Words of the lists are rare, or nothing would be firm by shape.
            const uint32_t word = tlw_test_random(&seed) % 8 == 0
                                      ? (uint32_t)(tlw_test_random(&seed) % TLW_COUNT_OF(words))
                                      : 0;
            snprintf(names[j], sizeof names[j], "%s_%u", words[word], j);
            list[j] = lists[word];
            b.joints[j] = (tlw_cook_joint){
                .name = names[j],
                .parent = i % 20 == 0 ? TLW_NO_JOINT
                                      : order[i - 1 - (uint32_t)(tlw_test_random(&seed) % nearby)]};
            b.cook.skeleton.joints[j].is_kept = tlw_test_random(&seed) % 3 != 0;
        }
        for (uint32_t v = 0; v < LENGTH * 4; ++v) { // runs of slabs
            b.cook.weights[v].joint[0] = v % 4 != 0 || tlw_test_random(&seed) % 3 != 0
                                             ? v > 0 ? b.cook.weights[v - 1].joint[0] : 0
                                             : (uint32_t)(tlw_test_random(&seed) % JOINTS);
        }
        for (uint32_t v = 0; v < LENGTH * 4; ++v) {
            const uint32_t joint = b.cook.weights[v].joint[0];
            const uint32_t beside[] = {v ^ 1u, v ^ 2u, v >= 4 ? v - 4 : v,
                                       v + 4 < LENGTH * 4 ? v + 4 : v};
            voxels[joint] += 1;
            for (int k = 0; k < 4; ++k) {
                faces[joint] += b.cook.weights[beside[k]].joint[0] != joint;
            }
        }
        b.recipe.is_firm_auto = round % 3 != 0;
        for (uint32_t j = 0; j < JOINTS && !b.recipe.is_firm_auto; ++j) {
            if (tlw_test_random(&seed) % 10 == 0) {
                chosen[b.recipe.firm_joint_count++] = names[j];
                is_chosen[j] = true;
            }
        }
        b.recipe.firm_joints = chosen;
        b.recipe.parts = parts;
        b.recipe.part_count = (uint32_t)(tlw_test_random(&seed) % (PARTS + 1));
        for (uint32_t p = 0; p < b.recipe.part_count; ++p) {
            const uint32_t j = (uint32_t)(tlw_test_random(&seed) % JOINTS);
            parts[p] = tlw_default_cook_part(names[j]);
            part[j] = part[j] == 0 ? p + 1 : part[j];
        }
        run_bench(&b);
        const rule r = {&b, list, is_chosen, part, voxels, faces};
        uint32_t next = b.recipe.part_count + 1, in_parts[JOINTS + PARTS + 1] = {0};
        uint32_t want[JOINTS];
        for (uint32_t j = 0; j < JOINTS; ++j) { // topmost firm joints, in order
            const uint32_t parent = b.joints[j].parent;
            uint32_t on;
            want[j] = recipe_part_by_rule(&r, j, &on);
            if (is_firm_by_rule(&r, j) &&
                (parent == TLW_NO_JOINT || !is_firm_by_rule(&r, parent))) {
                CHECK_LT(next, b.cook.parts.count);
                CHECK_EQ(b.cook.parts.list[next].joint, j);
                CHECK_EQ(b.cook.parts.list[next].kind, firm_kind_by_rule(&r, j));
                want[j] = next++;
            }
        }
        CHECK_EQ(b.cook.parts.count, next);
        for (uint32_t j = 0; j < JOINTS; ++j) {
            uint32_t top = j;
            while (is_firm_by_rule(&r, top) && b.joints[top].parent != TLW_NO_JOINT &&
                   is_firm_by_rule(&r, b.joints[top].parent)) {
                top = b.joints[top].parent;
            }
            CHECK_EQ(b.cook.parts.of_joint[j], want[top]);
            in_parts[want[top]] += voxels[j];
            seen[kind_of(&b, j)] += 1;
        }
        for (uint32_t p = 0; p < next; ++p) {
            CHECK_EQ(b.cook.parts.list[p].voxel_count, in_parts[p]);
        }
        free_bench(&b);
    }
    for (uint32_t kind = 0; kind < TLW_PART_KIND_COUNT; ++kind) {
        CHECK_LT(50, seen[kind]); // otherwise the test looks at nothing
    }
}

// A walk up from every joint would take 1.8e9 steps each.
TLW_TEST(sixty_thousand_joints_in_one_chain_are_firm_in_no_time) {
    enum { MANY = TLW_UNDER_SANITIZER ? 6000 : 60000 };
    bench b;
    char(*names)[16] = allocate(MANY, sizeof *names);
    make_bench(&b, MANY, 1);
    for (uint32_t j = 0; j < MANY; ++j) { // the last joint is the root
        snprintf(names[j], sizeof names[j], "%s%u", j == MANY - 1 ? "head" : "bone", j);
        b.joints[j].name = names[j];
        b.joints[j].parent = j + 1 < MANY ? j + 1 : TLW_NO_JOINT;
    }
    b.cook.skeleton.joints[MANY - 1].is_kept = true;
    run_bench(&b);
    CHECK_EQ(b.cook.parts.count, 2);
    CHECK_EQ(b.cook.parts.list[1].joint, MANY - 1);
    CHECK_EQ(b.cook.parts.of_joint[0], 1);
    free_bench(&b);
    free(names);
}

TLW_TEST(more_firm_parts_than_a_blob_has_materials_for_are_refused_by_number) {
    enum { MANY = 40000 };
    bench b;
    char(*names)[16] = allocate(MANY, sizeof *names);
    make_bench(&b, MANY, 1);
    for (uint32_t j = 0; j < MANY; ++j) {
        snprintf(names[j], sizeof names[j], "%s%u", j % 2 ? "toe" : "tail", j);
        b.joints[j].name = names[j];
    }
    run_bench(&b);
    CHECK_RESULT(b.cook.error.result, TLW_ERROR_TOO_LARGE);
    CHECK_STRING(b.cook.error.message,
                 "0 parts of the recipe and 20000 firm parts; there may be one per joint, and "
                 "16382 in all with 4 layers");
    free_bench(&b);
    free(names);
}
