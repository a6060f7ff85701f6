// SPDX-License-Identifier: MIT
#include "tests/runtime/support/stage_recorder.h"

#include "runtime/world/world.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stages, and the four that are not in their table.
enum { STAGE_CARRY = TLW_STAGE_COUNT, STAGE_REGIONS2, STAGE_GOAL2, STAGE_ALL };

static const struct {
    const char *name, *pass;
} stage_names[STAGE_ALL] = {
#define STAGE_NAME(name, pass, reach) {#name, #pass},
    TLW_STAGE_TABLE(STAGE_NAME)
#undef STAGE_NAME
        [STAGE_CARRY] = {"carry", "PREDICT"},
    [STAGE_REGIONS2] = {"regions2", "REGIONS"},
    [STAGE_GOAL2] = {"goal2", "GOAL"},
};

#define ENTRIES_MAX 1024

typedef struct track {
    uint32_t count;
    struct {
        uint32_t stage;
        uint64_t hash;
    } entries[ENTRIES_MAX];
} track;

// Of one character: a track a block, then one a window of regions.
typedef struct character_record {
    const tlw_window_velocity* velocity;
    uint32_t blocks, regions;
    track* tracks;
} character_record;

struct recorder {
    const tlw_kernels* real;
    tlw_kernels own;
    uint32_t character_count;
    character_record* characters;
    int planted_stage;
    uint32_t planted_run;
};

static recorder* current; // of the world that is stepped

static uint64_t hash_lanes(const float* lanes, uint32_t occupied, uint64_t hash) {
    float kept[TLW_LANES] = {0};
    for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
        kept[lane] = occupied >> lane & 1 ? lanes[lane] : 0.0f;
    }
    return tlw_xxh64(kept, sizeof kept, hash);
}

static uint64_t hash_sites(const tlw_substep* s, uint32_t w, const float* arrays, int count,
                           uint64_t hash) {
    for (int i = 0; i < count; ++i) {
        hash = hash_lanes(arrays + (size_t)i * s->stride + s->blob->windows[w].rows[4],
                          s->blob->windows[w].occupied, hash);
    }
    return hash;
}

// What the stage wrote of one window (kernels.h).
static uint64_t hash_window(const tlw_substep* s, uint32_t stage, uint32_t w, uint64_t hash) {
    switch (stage) {
    case TLW_STAGE_skin:
        return tlw_xxh64(&s->pose[w], sizeof s->pose[w], hash);
    case TLW_STAGE_stretch:
        return hash_sites(s, w, s->q2, 3, hash_sites(s, w, s->work, TLW_WORK_ARRAYS, hash));
    case TLW_STAGE_volume_gradients:
        return hash_sites(s, w, s->q, 3, hash_sites(s, w, s->work, 9, hash));
    case TLW_STAGE_volume:
        return hash_sites(s, w, s->mq, 3, hash_sites(s, w, s->q, 3, hash));
    case TLW_STAGE_regions:
        hash = tlw_xxh64(s->now[w].rotation, sizeof s->now[w].rotation, hash);
        return hash_sites(s, w, s->lanes, TLW_LANE_ARRAYS, hash_sites(s, w, s->work, 12, hash));
    case TLW_STAGE_velocity:
    case STAGE_CARRY:
        hash = tlw_xxh64(&s->now[w], sizeof s->now[w], hash);
        return tlw_xxh64(&s->velocity[w], sizeof s->velocity[w], hash);
    case STAGE_GOAL2:
        hash = tlw_xxh64(s->now[w].rotation, sizeof s->now[w].rotation, hash);
        return hash_sites(s, w, s->q, 3, hash);
    default:
        return hash_sites(s, w, s->q, 3, hash);
    }
}

static void begin_record(character_record* record, const tlw_blob_arrays* body,
                         const tlw_window_velocity* velocity) {
    record->velocity = velocity;
    record->blocks = body->block_count;
    record->regions = body->region_stride / TLW_LANES;
    record->tracks = calloc(record->blocks + record->regions, sizeof *record->tracks);
    if (record->tracks == NULL) {
        abort();
    }
}

// One that is not known is just being created: on the caller's thread, with no step under way.
static character_record* record_of(const tlw_substep* s) {
    for (uint32_t i = 0; i < current->character_count; ++i) {
        if (current->characters[i].velocity == s->velocity) {
            return &current->characters[i];
        }
    }
    for (uint32_t i = 0; i < current->character_count; ++i) {
        if (current->characters[i].tracks == NULL) {
            begin_record(&current->characters[i], s->blob, s->velocity);
            return &current->characters[i];
        }
    }
    abort();
}

static void append(track* t, uint32_t stage, uint64_t hash) {
    if (t->count < ENTRIES_MAX) {
        t->entries[t->count].stage = stage;
        t->entries[t->count].hash = hash;
        t->count += 1;
    }
}

// Flips the lowest bit of something that the stage wrote.
static void flip(const tlw_substep* s, uint32_t stage) {
    const tlw_window_state* now = &s->now[s->blob->window_count - 1];
    const tlw_blob_window* window = &s->blob->windows[s->blob->window_count - 1];
    uint32_t lane = 0;
    while ((window->occupied >> lane & 1) == 0) {
        ++lane;
    }
    const size_t site = window->rows[4] + lane;
    float* at = stage == TLW_STAGE_skin      ? &s->pose[s->blob->window_count - 1].skin[0][lane]
                : stage == TLW_STAGE_stretch ? s->q2 + site
                : stage == TLW_STAGE_volume  ? s->q + site
                : stage == TLW_STAGE_velocity || stage == STAGE_CARRY   ? (float*)&now->p[0][lane]
                : stage == TLW_STAGE_predict || stage == TLW_STAGE_goal ? s->q + site
                : stage == TLW_STAGE_limit || stage == STAGE_GOAL2      ? s->q + site
                : stage == STAGE_REGIONS2 ? s->region_work + s->blob->region_stride - 1
                                          : s->work + site;
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    bits ^= 1;
    memcpy(at, &bits, sizeof bits);
}

static uint32_t runs_of(const track* t, uint32_t stage) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->count; ++i) {
        count += t->entries[i].stage == stage;
    }
    return count;
}

static void record(const tlw_substep* s, uint32_t stage, uint32_t first, uint32_t end) {
    character_record* c = record_of(s);
    const bool is_regions = stage == STAGE_REGIONS2;
    const uint32_t last = is_regions ? c->regions : c->blocks;
    // The last range alone looks at its own track: nobody else writes there meanwhile.
    if ((int)stage == current->planted_stage && end == last &&
        runs_of(&c->tracks[is_regions ? c->blocks + last - 1 : last - 1], stage) ==
            current->planted_run) {
        flip(s, stage);
    }
    for (uint32_t b = first; b < end; ++b) {
        uint64_t hash = 0;
        if (is_regions) {
            const size_t stride = s->blob->region_stride;
            for (size_t i = 0; i < 16; ++i) {
                hash = tlw_xxh64(s->region_work + i * stride + (size_t)b * TLW_LANES,
                                 TLW_LANES * sizeof(float), hash);
            }
            append(&c->tracks[c->blocks + b], stage, hash);
            continue;
        }
        for (uint32_t w = s->blob->blocks[b].first_window; w < s->blob->blocks[b + 1].first_window;
             ++w) {
            hash = hash_window(s, stage, w, hash);
        }
        append(&c->tracks[b], stage, hash);
    }
}

#define WRAPPER(name, pass, reach)                                                  \
    static void record_##name(const tlw_substep* s, uint32_t first, uint32_t end) { \
        current->real->stages[TLW_STAGE_##name](s, first, end);                     \
        record(s, TLW_STAGE_##name, first, end);                                    \
    }
TLW_STAGE_TABLE(WRAPPER)
#undef WRAPPER

static void record_carry(const tlw_substep* s, uint32_t first, uint32_t end) {
    current->real->carry(s, first, end);
    record(s, STAGE_CARRY, first, end);
}

static void record_regions2(const tlw_substep* s, uint32_t first, uint32_t end) {
    current->real->regions2(s, first, end);
    record(s, STAGE_REGIONS2, first, end);
}

static void record_goal2(const tlw_substep* s, uint32_t first, uint32_t end) {
    current->real->goal2(s, first, end);
    record(s, STAGE_GOAL2, first, end);
}

recorder* recorder_start(tlw_world* world) {
    recorder* r = calloc(1, sizeof *r);
    CHECK(r != NULL && current == NULL);
    r->planted_stage = -1;
    r->real = world->kernels;
    r->own = *world->kernels;
#define WRAP(name, pass, reach) r->own.stages[TLW_STAGE_##name] = record_##name;
    TLW_STAGE_TABLE(WRAP)
#undef WRAP
    r->own.carry = record_carry;
    r->own.regions2 = record_regions2;
    r->own.goal2 = record_goal2;
    r->character_count = world->def.character_capacity;
    r->characters = calloc(r->character_count, sizeof *r->characters);
    CHECK(r->characters != NULL);
    for (uint32_t i = 0; i < r->character_count; ++i) {
        const tlw_character* c = world->slots[i].character;
        if (c) {
            begin_record(&r->characters[i], &c->blob, c->velocity);
        }
    }
    world->kernels = &r->own;
    current = r;
    return r;
}

void recorder_stop(recorder* r, tlw_world* world) {
    world->kernels = r->real;
    current = NULL;
}

void recorder_free(recorder* r) {
    for (uint32_t i = 0; i < r->character_count; ++i) {
        free(r->characters[i].tracks);
    }
    free(r->characters);
    free(r);
}

void recorder_plant(recorder* r, const char* stage, uint32_t run) {
    for (int i = 0; i < STAGE_ALL; ++i) {
        if (strcmp(stage_names[i].name, stage) == 0) {
            r->planted_stage = i;
            r->planted_run = run;
            return;
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "no stage '%s'", stage);
}

// When the k-th entry of a track was made, in halves of a block's entries: the k-th run over
// regions comes just before the k-th goal of any block.
static uint32_t moment_of(const character_record* c, uint32_t which, uint32_t k) {
    if (which < c->blocks) {
        return 2 * k + 1;
    }
    uint32_t goals = 0;
    for (uint32_t i = 0; i < c->tracks[0].count; ++i) {
        goals += c->tracks[0].entries[i].stage == STAGE_GOAL2;
        if (goals == k + 1) {
            return 2 * i;
        }
    }
    return 2 * c->tracks[0].count;
}

recorder_difference recorder_compare(const recorder* a, const recorder* b) {
    recorder_difference first = {0};
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < a->character_count; ++i) {
        const character_record *x = &a->characters[i], *y = &b->characters[i];
        for (uint32_t t = 0; x->tracks && y->tracks && t < x->blocks + x->regions; ++t) {
            for (uint32_t k = 0; k < x->tracks[t].count || k < y->tracks[t].count; ++k) {
                const bool is_there = k < x->tracks[t].count && k < y->tracks[t].count;
                if (is_there && x->tracks[t].entries[k].hash == y->tracks[t].entries[k].hash &&
                    x->tracks[t].entries[k].stage == y->tracks[t].entries[k].stage) {
                    continue;
                }
                const uint32_t moment = moment_of(x, t, k);
                if (moment < best) {
                    const track* longer =
                        x->tracks[t].count > y->tracks[t].count ? &x->tracks[t] : &y->tracks[t];
                    best = moment;
                    first = (recorder_difference){true,
                                                  stage_names[longer->entries[k].stage].name,
                                                  stage_names[longer->entries[k].stage].pass,
                                                  i,
                                                  t < x->blocks ? t : t - x->blocks,
                                                  k};
                }
                break;
            }
        }
    }
    return first;
}

// A character's stages one after the other, all blocks of each hashed together.
typedef struct sequence {
    uint32_t count;
    struct {
        uint32_t stage;
        uint64_t hash;
    } entries[RECORDER_LIST_MAX];
} sequence;

static void extend(sequence* out, const track* tracks, uint32_t count, uint32_t k) {
    if (out->count == RECORDER_LIST_MAX || count == 0 || k >= tracks[0].count) {
        return;
    }
    uint64_t hash = 0;
    for (uint32_t t = 0; t < count; ++t) {
        hash = tlw_xxh64(&tracks[t].entries[k].hash, sizeof hash, hash);
    }
    out->entries[out->count].stage = tracks[0].entries[k].stage;
    out->entries[out->count].hash = hash;
    out->count += 1;
}

static sequence* sequences_of(const recorder* r) {
    sequence* all = calloc(r->character_count, sizeof *all);
    CHECK(all != NULL);
    for (uint32_t i = 0; i < r->character_count; ++i) {
        const character_record* c = &r->characters[i];
        uint32_t goals = 0;
        for (uint32_t k = 0; c->tracks && k < c->tracks[0].count; ++k) {
            if (c->tracks[0].entries[k].stage == STAGE_GOAL2) {
                extend(&all[i], c->tracks + c->blocks, c->regions, goals++);
            }
            extend(&all[i], c->tracks, c->blocks, k);
        }
    }
    return all;
}

uint32_t recorder_list(const recorder* r, recorder_entry out[RECORDER_LIST_MAX]) {
    sequence* all = sequences_of(r);
    uint32_t count = 0;
    for (uint32_t k = 0; k < RECORDER_LIST_MAX; ++k) {
        for (uint32_t stage = 0; stage < STAGE_ALL && count < RECORDER_LIST_MAX; ++stage) {
            uint32_t found = 0;
            uint64_t hash = 0;
            for (uint32_t i = 0; i < r->character_count; ++i) {
                if (k < all[i].count && all[i].entries[k].stage == stage) {
                    hash = tlw_xxh64(&all[i].entries[k].hash, sizeof hash, hash);
                    found += 1;
                }
            }
            if (found > 0) {
                out[count++] =
                    (recorder_entry){stage_names[stage].name, stage_names[stage].pass, hash};
            }
        }
    }
    free(all);
    return count;
}

void recorder_print(const recorder* r) {
    sequence* all = sequences_of(r);
    for (uint32_t i = 0; i < r->character_count; ++i) {
        for (uint32_t k = 0; k < all[i].count; ++k) {
            printf("  character %u run %2u %-16s %016llx\n", i, k,
                   stage_names[all[i].entries[k].stage].name,
                   (unsigned long long)all[i].entries[k].hash);
        }
    }
    free(all);
}
