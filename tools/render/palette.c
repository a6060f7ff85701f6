// SPDX-License-Identifier: MIT
// Counts colours and splits boxes of them. Sums are exact integers, so that the same pictures give
// the same palette on every machine.
#include "tools/render/palette.h"

#include <stdlib.h>
#include <string.h>

#define BITS  7
#define CELLS (1u << (3 * BITS))

typedef struct tlw_palette_cells {
    uint32_t counts[CELLS];
    uint16_t nearest[CELLS]; // index + 1; 0: not known yet
} tlw_palette_cells;

static uint32_t cell_of(const uint8_t rgb[3]) {
    const uint32_t shift = 8 - BITS;
    return (uint32_t)(rgb[0] >> shift) << (2 * BITS) | (uint32_t)(rgb[1] >> shift) << BITS |
           (uint32_t)(rgb[2] >> shift);
}

static uint32_t channel_of(uint32_t cell, int channel) {
    return cell >> (BITS * (2 - channel)) & ((1u << BITS) - 1);
}

// 7 bits to 8, so that 127 becomes 255.
static uint32_t widen(uint32_t value) {
    return value << (8 - BITS) | value >> (2 * BITS - 8);
}

bool tlw_palette_begin(tlw_palette* palette) {
    *palette = (tlw_palette){.cells = calloc(1, sizeof(tlw_palette_cells))};
    return palette->cells != NULL;
}

void tlw_palette_free(tlw_palette* palette) {
    free(palette->cells);
    *palette = (tlw_palette){0};
}

void tlw_palette_count(tlw_palette* palette, const uint8_t* rgb, size_t pixel_count) {
    for (size_t i = 0; i < pixel_count; ++i) {
        uint32_t* count = &palette->cells->counts[cell_of(rgb + i * 3)];
        *count += *count < UINT32_MAX;
    }
}

// A range of the list of cells that occur, and sums over its pixels.
typedef struct box {
    uint32_t first, end;
    uint64_t weight, sum[3], squares[3];
} box;

static void measure(box* b, const uint32_t* list, const uint32_t* counts) {
    b->weight = 0;
    memset(b->sum, 0, sizeof b->sum);
    memset(b->squares, 0, sizeof b->squares);
    for (uint32_t i = b->first; i < b->end; ++i) {
        const uint64_t weight = counts[list[i]];
        b->weight += weight;
        for (int k = 0; k < 3; ++k) {
            const uint64_t value = channel_of(list[i], k);
            b->sum[k] += weight * value;
            b->squares[k] += weight * value * value;
        }
    }
}

// The squared error along a channel if the box becomes one colour.
static double error_along(const box* b, int channel) {
    const double mean = (double)b->sum[channel] / (double)b->weight;
    return (double)b->squares[channel] - mean * (double)b->sum[channel];
}

static int widest_channel(const box* b) {
    int widest = 0;
    for (int k = 1; k < 3; ++k) {
        widest = error_along(b, k) > error_along(b, widest) ? k : widest;
    }
    return widest;
}

// Moves the cells at or below the mean to the front. Both halves have cells, because the channel
// has more than one value.
static box split_box(box* b, uint32_t* list, const uint32_t* counts) {
    const int channel = widest_channel(b);
    uint32_t end = b->first;
    for (uint32_t i = b->first; i < b->end; ++i) {
        if (channel_of(list[i], channel) * b->weight <= b->sum[channel]) {
            const uint32_t cell = list[end];
            list[end++] = list[i];
            list[i] = cell;
        }
    }
    box upper = {.first = end, .end = b->end};
    b->end = end;
    measure(b, list, counts);
    measure(&upper, list, counts);
    return upper;
}

bool tlw_palette_choose(tlw_palette* palette, uint32_t count) {
    const uint32_t* counts = palette->cells->counts;
    uint32_t used = 0;
    for (uint32_t i = 0; i < CELLS; ++i) {
        used += counts[i] > 0;
    }
    uint32_t* list = malloc((used + 1) * sizeof *list);
    if (list == NULL) {
        return false;
    }
    used = 0;
    for (uint32_t i = 0; i < CELLS; ++i) {
        if (counts[i] > 0) {
            list[used++] = i;
        }
    }
    box boxes[256] = {{.first = 0, .end = used}};
    uint32_t box_count = used > 0 ? 1 : 0;
    measure(&boxes[0], list, counts);
    while (box_count > 0 && box_count < count) {
        uint32_t worst = 0;
        double most = 0.0;
        for (uint32_t i = 0; i < box_count; ++i) {
            const double error = error_along(&boxes[i], widest_channel(&boxes[i]));
            if (boxes[i].end - boxes[i].first > 1 && error > most) {
                most = error;
                worst = i;
            }
        }
        if (most <= 0.0) {
            break;
        }
        boxes[box_count] = split_box(&boxes[worst], list, counts);
        box_count += 1;
    }
    palette->count = box_count;
    for (uint32_t i = 0; i < box_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            const uint64_t half = boxes[i].weight / 2;
            palette->colours[i][k] =
                (uint8_t)widen((uint32_t)((boxes[i].sum[k] + half) / boxes[i].weight));
        }
    }
    memset(palette->cells->nearest, 0, sizeof palette->cells->nearest);
    free(list);
    return true;
}

uint8_t tlw_palette_nearest(tlw_palette* palette, const uint8_t rgb[3]) {
    const uint32_t cell = cell_of(rgb);
    uint16_t* nearest = &palette->cells->nearest[cell];
    if (*nearest == 0) {
        int32_t least = INT32_MAX;
        for (uint32_t i = 0; i < palette->count; ++i) {
            int32_t squared = 0;
            for (int k = 0; k < 3; ++k) {
                const int32_t apart =
                    (int32_t)widen(channel_of(cell, k)) - (int32_t)palette->colours[i][k];
                squared += apart * apart;
            }
            if (squared < least) {
                least = squared;
                *nearest = (uint16_t)(i + 1);
            }
        }
    }
    return (uint8_t)(*nearest - 1);
}
