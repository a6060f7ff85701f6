// SPDX-License-Identifier: MIT
// Tests of pass stretch (runtime/passes/stretch.c, MODEL 3.4 and 7.2), the only stage that reads
// what it has itself written for earlier blocks in the same call. Here blocks are stepped alone and
// in any order, as tasks may step them, over scratch in which other characters have left their
// numbers. The bits must be those of one call over all blocks.
#include "runtime/world/character.h"
#include "tests/runtime/support/sample_characters.h"
#include "tests/test.h"
#include "tools/cook/stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_X = 40, SIZE_Y = 24, SIZE_Z = 4 };

typedef struct fixture {
    tlw_cook_recipe recipe;
    tlw_cook cook;
    tlw_blob_lattice lattice;
    tlw_blob_window* windows;
    tlw_blob_arrays blob;
    size_t stride;
    float *site_kind, *q, *work, *mq;
    uint8_t* neighbours;
} fixture;

typedef bool is_voxel_function(int x, int y, int z, uint64_t* random);

static tlw_int3 step_from(tlw_int3 a, int k) {
    const tlw_int3 by = tlw_link_steps[k];
    return (tlw_int3){a.x + by.x, a.y + by.y, a.z + by.z};
}

static void fill_cells(fixture* f, is_voxel_function* is_voxel, uint64_t* random) {
    tlw_cook* cook = &f->cook;
    const size_t cells = (size_t)SIZE_X * SIZE_Y * SIZE_Z;
    cook->grid.size = (tlw_int3){SIZE_X, SIZE_Y, SIZE_Z};
    cook->voxels.index = tlw_cook_allocate(cook, cells, sizeof *cook->voxels.index);
    cook->voxels.coordinates = tlw_cook_allocate(cook, cells, sizeof *cook->voxels.coordinates);
    cook->links.masks = tlw_cook_allocate(cook, cells, sizeof *cook->links.masks);
    CHECK(cook->voxels.index && cook->voxels.coordinates && cook->links.masks);
    for (int z = 0; z < SIZE_Z; ++z) {
        for (int y = 0; y < SIZE_Y; ++y) {
            for (int x = 0; x < SIZE_X; ++x) {
                const tlw_int3 cell = {x, y, z};
                uint32_t* index = &cook->voxels.index[tlw_cook_cell(&cook->grid, cell)];
                *index = TLW_NO_VOXEL;
                if (is_voxel(x, y, z, random)) {
                    *index = cook->voxels.count;
                    cook->voxels.coordinates[cook->voxels.count++] = cell;
                }
            }
        }
    }
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        for (int k = 0; k < TLW_STEPS; ++k) {
            const tlw_int3 other = step_from(cook->voxels.coordinates[v], k);
            if (tlw_cook_inside_grid(&cook->grid, other) &&
                cook->voxels.index[tlw_cook_cell(&cook->grid, other)] != TLW_NO_VOXEL) {
                cook->links.masks[v] |= 1u << k;
            }
        }
    }
}

static void open_fixture(fixture* f, is_voxel_function* is_voxel, uint64_t* random) {
    *f = (fixture){.recipe = tlw_default_cook_recipe(), .lattice = {.neighbours = TLW_STEPS}};
    f->cook.recipe = &f->recipe;
    fill_cells(f, is_voxel, random);
    CHECK_OK(tlw_cook_make_order(&f->cook));
    const tlw_cook_order* order = &f->cook.order;
    f->stride = ((size_t)order->site_count + 15) / 16 * 16;
    f->windows = sample_allocate(order->window_count * sizeof *f->windows);
    f->site_kind = sample_allocate(f->stride * sizeof(float));
    f->q = sample_allocate(3 * f->stride * sizeof(float));
    f->mq = sample_allocate(3 * f->stride * sizeof(float));
    f->work = sample_allocate(TLW_WORK_ARRAYS * f->stride * sizeof(float));
    f->neighbours = sample_allocate(order->slot_count);
    memset(f->windows, 0, order->window_count * sizeof *f->windows);
    memset(f->site_kind, 0, f->stride * sizeof(float));
    memset(f->q, 0, 3 * f->stride * sizeof(float));
    memset(f->neighbours, 0, order->slot_count);
    for (uint32_t w = 0; w < order->window_count; ++w) {
        memcpy(f->windows[w].rows, order->windows[w].rows, sizeof f->windows[w].rows);
        memcpy(f->windows[w].links, order->windows[w].links, sizeof f->windows[w].links);
        f->windows[w].occupied = order->windows[w].occupied;
        f->windows[w].flags = order->windows[w].flags;
    }
    for (uint32_t s = 0; s < order->slot_count; ++s) {
        const uint32_t voxel = order->voxel_of_slot[s], site = tlw_cook_site(order, s);
        if (voxel != TLW_NO_VOXEL) {
            f->site_kind[site] = tlw_test_random(random) % 5 ? TLW_SITE_SOFT : TLW_SITE_BONE;
            f->neighbours[s] = (uint8_t)__builtin_popcount(f->cook.links.masks[voxel]);
            for (size_t i = 0; i < 3; ++i) {
                f->q[i * f->stride + site] = (float)(tlw_test_random(random) >> 40) * 1e-6f;
            }
        }
    }
    f->blob = (tlw_blob_arrays){.lattice = &f->lattice,
                                .windows = f->windows,
                                .blocks = order->blocks,
                                .site_kind = f->site_kind,
                                .slot_neighbours = f->neighbours,
                                .block_count = order->block_count,
                                .window_count = order->window_count};
}

static void close_fixture(fixture* f) {
    tlw_cook_free_stages(&f->cook);
    sample_free(f->windows);
    sample_free(f->site_kind);
    sample_free(f->q);
    sample_free(f->mq);
    sample_free(f->work);
    sample_free(f->neighbours);
}

// Runs stretch in one call, or block by block in `order`; returns a hash of mq. Gaps are 0, as the
// runtime keeps them; windows hold what was there before. Blocks that follow each other in `order`
// are done by one thread, as in a team's part.
static uint64_t stretch(fixture* f, tlw_isa isa, const uint32_t* order, uint32_t calls) {
    memset(f->work, 0, TLW_WORK_ARRAYS * f->stride * sizeof(float));
    memset(f->mq, 0, 3 * f->stride * sizeof(float));
    for (size_t a = 0; a < TLW_WORK_ARRAYS; ++a) {
        for (uint32_t w = 0; w < f->blob.window_count; ++w) {
            for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
                f->work[a * f->stride + f->windows[w].rows[4] + lane] = 0.7f;
            }
        }
    }
    tlw_substep substep = {.blob = &f->blob,
                           .stride = f->stride,
                           .q = f->q,
                           .work = f->work,
                           .mq = f->mq,
                           .stretch_gain = 0.8f};
    tlw_stage_function* stage = tlw_kernels_of(isa)->stages[TLW_STAGE_stretch];
    for (uint32_t i = 0; i < calls; ++i) {
        const bool follows = order && i > 0 && order[i] == order[i - 1] + 1;
        substep.seen_blocks = follows ? substep.seen_blocks + 1 : 0;
        stage(&substep, order ? order[i] : 0, order ? order[i] + 1 : f->blob.block_count);
    }
    return tlw_xxh64(f->mq, 3 * f->stride * sizeof(float), 0);
}

// Returns the number of blocks.
static uint32_t check_orders(fixture* f, uint64_t* random) {
    const uint32_t count = f->blob.block_count;
    uint32_t* order = sample_allocate(count * sizeof *order);
    uint64_t whole = 0;
    for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (!tlw_isa_is_built((tlw_isa)isa) || !tlw_isa_is_supported((tlw_isa)isa)) {
            continue;
        }
        const uint64_t hash = stretch(f, (tlw_isa)isa, NULL, 1);
        whole = whole == 0 ? hash : whole;
        CHECK_EQ(hash, whole);
        for (int how = TLW_TEST_FORWARD; how <= TLW_TEST_SHUFFLED; ++how) {
            tlw_test_number(order, count, (tlw_test_order)how, random);
            CHECK_EQ(stretch(f, (tlw_isa)isa, order, count), whole);
        }
    }
    sample_free(order);
    return count;
}

static bool is_in_box(int x, int y, int z, uint64_t* random) {
    (void)random;
    return x < 11 && y < 5 && z < 4;
}

// As in a limb that is scaled to nothing: pulls without a direction add up to 0, however far the
// voxels are from the root.
TLW_TEST(stretch_leaves_voxels_that_are_all_in_one_place_where_they_are) {
    static const float place[3] = {31.7f, -42.3f, 17.9f};
    uint64_t random = 3;
    fixture f;
    open_fixture(&f, is_in_box, &random);
    for (size_t i = 0; i < 3 * f.stride; ++i) {
        f.q[i] = f.site_kind[i % f.stride] > 0.0f ? place[i / f.stride] : 0.0f;
    }
    for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (!tlw_isa_is_built((tlw_isa)isa) || !tlw_isa_is_supported((tlw_isa)isa)) {
            continue;
        }
        double farthest = 0.0;
        (void)stretch(&f, (tlw_isa)isa, NULL, 1);
        for (size_t i = 0; i < 3 * f.stride; ++i) {
            const double off = fabs((double)f.mq[i] - (double)f.q[i]);
            farthest = off <= farthest ? farthest : off; // a NaN stays
        }
        printf("    %s: %.1e voxel\n", tlw_isa_name((tlw_isa)isa), farthest);
        CHECK_LT(farthest, 0.05);
    }
    close_fixture(&f);
}

// A plate whose ninth row, the first of a block, begins where the windows of the eighth end.
static bool is_in_plate(int x, int y, int z, uint64_t* random) {
    (void)random;
    return z == 0 && (y == 8 ? x >= 8 && x < 23 : x < 15);
}

TLW_TEST(stretch_has_the_same_bits_in_blocks_of_any_order_on_a_plate_with_a_row_moved_aside) {
    uint64_t random = 1;
    fixture f;
    open_fixture(&f, is_in_plate, &random);
    CHECK_LT(1u, check_orders(&f, &random));
    close_fixture(&f);
}

// Rows of any length, beginning anywhere, some with holes.
static bool is_in_rows(int x, int y, int z, uint64_t* random) {
    static int first, last;
    if (x == 0) {
        first = (int)(tlw_test_random(random) % (SIZE_X - 2));
        last = first + (int)(tlw_test_random(random) % (uint64_t)(SIZE_X - first));
    }
    (void)y;
    (void)z;
    return x >= first && x <= last && tlw_test_random(random) % 8 != 0;
}

TLW_TEST(stretch_has_the_same_bits_in_blocks_of_any_order_on_characters_of_random_rows) {
    uint64_t random = 7;
    uint32_t blocks = 0;
    for (int n = 0; n < 60; ++n) {
        fixture f;
        open_fixture(&f, is_in_rows, &random);
        blocks += check_orders(&f, &random);
        close_fixture(&f);
    }
    printf("    %u blocks\n", blocks);
    CHECK_LT(500u, blocks);
}
