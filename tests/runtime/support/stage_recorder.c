// SPDX-License-Identifier: MIT
// The stage recorder: wraps every kernel of the stage table (runtime/passes/kernels.h) in a
// function that runs it and then hashes the arrays that its row says it writes. A new row needs no
// change here.
#include "tests/runtime/support/stage_recorder.h"

#include "runtime/world/world.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const pass_enumerators[TLW_STAGE_COUNT] = {
#define PASS_ENUMERATOR(name, pass, ...) #pass,
    TLW_STAGE_TABLE(PASS_ENUMERATOR)
#undef PASS_ENUMERATOR
};

#define ENTRIES_MAX 1024

// What the stages left on one block, or on one window of eight regions, in the order of running.
typedef struct track {
    uint32_t count;
    struct {
        uint32_t stage;
        uint64_t hash;
    } entries[ENTRIES_MAX];
} track;

// One character: a track per block, then one per window of eight regions (width 2).
typedef struct character_record {
    const tlw_window_velocity* velocity; // identifies the character
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

static recorder* current; // the recorder of the world that is stepped

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

// Hashes what the stage wrote to one window, in the order of the TLW_WRITES flags.
static uint64_t hash_window(const tlw_substep* s, uint32_t stage, uint32_t w, uint64_t hash) {
    const uint32_t writes = tlw_stages[stage].writes;
    if (writes & TLW_WRITES_POSE) {
        hash = tlw_xxh64(&s->pose[w], sizeof s->pose[w], hash);
    }
    if (writes & TLW_WRITES_NOW) {
        hash = tlw_xxh64(&s->now[w], sizeof s->now[w], hash);
    }
    if (writes & TLW_WRITES_ROTATION) {
        hash = tlw_xxh64(s->now[w].rotation, sizeof s->now[w].rotation, hash);
    }
    if (writes & TLW_WRITES_VELOCITY) {
        hash = tlw_xxh64(&s->velocity[w], sizeof s->velocity[w], hash);
    }
    if (writes & TLW_WRITES_BEND_SUMS) {
        const tlw_blob_bend_window *lists = &s->blob->bend_windows[w], *next = lists + 1;
        hash = tlw_xxh64(&s->bend_sums[lists->first_entry],
                         (next->first_entry - lists->first_entry) * sizeof *s->bend_sums, hash);
        hash = tlw_xxh64(&s->couple_sums[lists->first_couple],
                         (next->first_couple - lists->first_couple) * sizeof *s->couple_sums, hash);
    }
    hash = hash_sites(s, w, s->work, TLW_WRITTEN_WORK(writes), hash);
    hash = hash_sites(s, w, s->q, writes & TLW_WRITES_Q ? 3 : 0, hash);
    hash = hash_sites(s, w, s->mq, writes & TLW_WRITES_MQ ? 3 : 0, hash);
    return hash_sites(s, w, s->lanes, writes & TLW_WRITES_LANES ? TLW_LANE_ARRAYS : 0, hash);
}

// Hashes what the stage wrote for one window of eight regions.
static uint64_t hash_regions(const tlw_substep* s, uint32_t stage, uint32_t window) {
    const size_t stride = s->blob->region_stride;
    const size_t count = tlw_stages[stage].writes & TLW_WRITES_REGIONS ? TLW_REGION_WORK_ARRAYS : 0;
    uint64_t hash = 0;
    for (size_t i = 0; i < count; ++i) {
        hash = tlw_xxh64(s->region_work + i * stride + (size_t)window * TLW_LANES,
                         TLW_LANES * sizeof(float), hash);
    }
    return hash;
}

static void begin_record(character_record* record, const tlw_blob_arrays* blob,
                         const tlw_window_velocity* velocity) {
    record->velocity = velocity;
    record->blocks = blob->block_count;
    record->regions = blob->region_stride / TLW_LANES;
    record->tracks = calloc(record->blocks + record->regions, sizeof *record->tracks);
    if (record->tracks == NULL) {
        abort();
    }
}

// A character that is not known yet is being created: on the caller's thread, with no step under
// way.
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

// Flips the lowest bit of a float that the stage wrote to the last window.
static void flip(const tlw_substep* s, uint32_t stage) {
    const uint32_t last = s->blob->window_count - 1, writes = tlw_stages[stage].writes;
    const tlw_blob_window* window = &s->blob->windows[last];
    uint32_t lane = 0;
    while ((window->occupied >> lane & 1) == 0) {
        ++lane;
    }
    const size_t site = window->rows[4] + lane;
    float* at = writes & TLW_WRITES_POSE       ? &s->pose[last].skin[0][lane]
                : writes & TLW_WRITES_NOW      ? &s->now[last].p[0][lane]
                : writes & TLW_WRITES_REGIONS  ? s->region_work + s->blob->region_stride - 1
                : writes & TLW_WRITES_MQ       ? s->mq + site
                : TLW_WRITTEN_WORK(writes) > 0 ? s->work + site
                : writes & TLW_WRITES_Q        ? s->q + site
                : writes & TLW_WRITES_ROTATION ? &s->now[last].rotation[0][lane]
                : writes & TLW_WRITES_VELOCITY ? &s->velocity[last].v[0][lane]
                : writes & TLW_WRITES_BEND_SUMS
                    ? &s->bend_sums[s->blob->bend_windows[last + 1].first_entry - 1].a[0]
                    : s->lanes + site;
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
    const bool is_regions = tlw_stages[stage].items == TLW_ITEMS_REGIONS;
    const uint32_t last = is_regions ? c->regions : c->blocks;
    // Only the last range looks at its own track: no other thread writes there meanwhile.
    if ((int)stage == current->planted_stage && end == last &&
        runs_of(&c->tracks[is_regions ? c->blocks + last - 1 : last - 1], stage) ==
            current->planted_run) {
        flip(s, stage);
    }
    for (uint32_t b = first; b < end; ++b) {
        if (is_regions) {
            append(&c->tracks[c->blocks + b], stage, hash_regions(s, stage, b));
            continue;
        }
        uint64_t hash = 0;
        for (uint32_t w = s->blob->blocks[b].first_window; w < s->blob->blocks[b + 1].first_window;
             ++w) {
            hash = hash_window(s, stage, w, hash);
        }
        append(&c->tracks[b], stage, hash);
    }
}

#define WRAPPER(name, ...)                                                          \
    static void record_##name(const tlw_substep* s, uint32_t first, uint32_t end) { \
        current->real->stages[TLW_STAGE_##name](s, first, end);                     \
        record(s, TLW_STAGE_##name, first, end);                                    \
    }
TLW_STAGE_TABLE(WRAPPER)
#undef WRAPPER

recorder* recorder_start(tlw_world* world) {
    recorder* r = calloc(1, sizeof *r);
    CHECK(r != NULL && current == NULL);
    r->planted_stage = -1;
    r->real = world->kernels;
    r->own = *world->kernels;
#define WRAP(name, ...) r->own.stages[TLW_STAGE_##name] = record_##name;
    TLW_STAGE_TABLE(WRAP)
#undef WRAP
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
    for (int i = 0; i < TLW_STAGE_COUNT; ++i) {
        if (strcmp(tlw_stages[i].name, stage) == 0) {
            r->planted_stage = i;
            r->planted_run = run;
            return;
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "no stage '%s'", stage);
}

// How many stages over regions run between this stage over blocks and the one over blocks before
// it.
static uint32_t regions_before(uint32_t stage) {
    uint32_t count = 0;
    for (uint32_t i = stage; i-- > 0;) {
        if (tlw_stages[i].only ==
            TLW_ONLY_WIDTH_3) { // a character that has regions' stages has none of these
            continue;
        }
        if (tlw_stages[i].items == TLW_ITEMS_BLOCKS) {
            break;
        }
        count += 1;
    }
    return tlw_stages[stage].items == TLW_ITEMS_BLOCKS ? count : 0;
}

// When the k-th entry of a track was made, in halves of a block's entries: entries of regions lie
// between two of a block's.
static uint32_t moment_of(const character_record* c, uint32_t which, uint32_t k) {
    if (which < c->blocks) {
        return 2 * k + 1;
    }
    uint32_t regions = 0;
    for (uint32_t i = 0; i < c->tracks[0].count; ++i) {
        regions += regions_before(c->tracks[0].entries[i].stage);
        if (regions > k) {
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
                                                  tlw_stages[longer->entries[k].stage].name,
                                                  pass_enumerators[longer->entries[k].stage],
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

// The stages of a character in the order of running; the hashes of all blocks are combined.
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
        uint32_t regions = 0;
        for (uint32_t k = 0; c->tracks && k < c->tracks[0].count; ++k) {
            for (uint32_t n = regions_before(c->tracks[0].entries[k].stage); n > 0; --n) {
                extend(&all[i], c->tracks + c->blocks, c->regions, regions++);
            }
            extend(&all[i], c->tracks, c->blocks, k);
        }
    }
    return all;
}

// Entries at one place in the list: first stages of width 3 or of any width, then carried ones,
// then those of width 2 alone, as the golden file has them.
static uint32_t list_rank(uint32_t stage) {
    return tlw_stages[stage].only == TLW_ONLY_WIDTH_2
               ? 2
               : tlw_stages[stage].phase == TLW_PHASE_CARRIED;
}

uint32_t recorder_list(const recorder* r, recorder_entry out[RECORDER_LIST_MAX]) {
    sequence* all = sequences_of(r);
    uint32_t count = 0;
    for (uint32_t i = 0; i < RECORDER_LIST_MAX * 3 * TLW_STAGE_COUNT; ++i) {
        const uint32_t k = i / (3 * TLW_STAGE_COUNT), rank = i / TLW_STAGE_COUNT % 3,
                       stage = i % TLW_STAGE_COUNT;
        uint32_t found = 0;
        uint64_t hash = 0;
        for (uint32_t c = 0; c < r->character_count && list_rank(stage) == rank; ++c) {
            if (k < all[c].count && all[c].entries[k].stage == stage) {
                hash = tlw_xxh64(&all[c].entries[k].hash, sizeof hash, hash);
                found += 1;
            }
        }
        if (found > 0 && count < RECORDER_LIST_MAX) {
            out[count++] = (recorder_entry){tlw_stages[stage].name, pass_enumerators[stage], hash};
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
                   tlw_stages[all[i].entries[k].stage].name,
                   (unsigned long long)all[i].entries[k].hash);
        }
    }
    free(all);
}
