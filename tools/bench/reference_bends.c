// SPDX-License-Identifier: MIT
// Skinned volume of the scalar reference: MODEL 3.12, a second time and without wide registers.
// Reads skin, rb and outwards of every voxel; writes skin. Voxels without a share are not visited.
#include "tools/bench/reference_voxel.h"

#include "runtime/blob.h"

#include <stdlib.h>
#include <string.h>

#define SWEEPS      4
#define REST_LENGTH 1e-4 // lengths are brought towards 0 by this, in voxels

// The coefficients of a voxel's volume as a polynomial of l: the triple product of three axes, each
// of which is at + l by.
TLW_INLINE void measure(const voxel* all, const voxel* v, float a[4]) {
    vec3 at[3], by[3], at_cross[3], by_cross[3];
    for (int k = 0; k < 3; ++k) {
        const uint32_t low = v->faces[2 * k], high = v->faces[2 * k + 1];
        if (low == NONE && high == NONE) {
            at[k] = matrix_of(v->rb).c[k];
            by[k] = (vec3){0, 0, 0};
            continue;
        }
        const voxel *from = low != NONE ? &all[low] : v, *to = high != NONE ? &all[high] : v;
        const float share = low != NONE && high != NONE ? 0.5f : 1.0f;
        at[k] = scale(sub(to->skin, from->skin), share);
        by[k] = scale(sub(to->outwards, from->outwards), share);
    }
    for (int k = 0; k < 3; ++k) {
        at_cross[k] = cross(at[(k + 1) % 3], at[(k + 2) % 3]);
        by_cross[k] = cross(by[(k + 1) % 3], by[(k + 2) % 3]);
    }
    a[0] = dot(at[0], at_cross[0]);
    a[1] = dot(by[0], at_cross[0]) + dot(by[1], at_cross[1]) + dot(by[2], at_cross[2]);
    a[2] = dot(at[0], by_cross[0]) + dot(at[1], by_cross[1]) + dot(at[2], by_cross[2]);
    a[3] = dot(by[0], by_cross[0]);
}

static void measure_all(tlw_reference* reference) {
    bends* all = &reference->bends;
    for (uint32_t k = 0; k < all->count; ++k) {
        memset(all->bends[k].a, 0, sizeof all->bends[k].a);
        all->bends[k].length = 0.0;
    }
    for (uint32_t k = 0; k < all->pair_count; ++k) {
        all->pairs[k].j = 0.0;
    }
    for (uint32_t i = 0; i < all->voxel_count; ++i) {
        const bent_voxel* v = &all->voxels[i];
        float a[4];
        measure(reference->voxels, &reference->voxels[v->voxel], a);
        for (uint32_t k = 0; k < v->count; ++k) {
            bend* of = &all->bends[v->bends[k]];
            float share = v->shares[k];
            for (int m = 0; m < 4; ++m) {
                of->a[m] += (double)(share * a[m]);
                share *= v->shares[k];
            }
        }
        if (v->count == 2) {
            all->pairs[v->pair].j += (double)(v->shares[0] * v->shares[1] * a[1]);
        }
    }
}

static void solve(bends* all) {
    for (int i = 0; i < SWEEPS; ++i) {
        for (uint32_t k = 0; k < all->count; ++k) {
            bend* b = &all->bends[k];
            const double *a = b->a, l = b->length;
            double r = a[0] - b->rest_volume + l * (a[1] + l * (a[2] + l * a[3]));
            for (uint32_t p = 0; p < all->pair_count; ++p) {
                const bend_pair* pair = &all->pairs[p];
                if (pair->first == k || pair->second == k) {
                    const uint32_t other = pair->first == k ? pair->second : pair->first;
                    r += pair->j * all->bends[other].length;
                }
            }
            const double slope = a[1] + l * (2.0 * a[2] + l * 3.0 * a[3]);
            const double g = slope > 0.0 ? slope : 0.0, floor = b->rest_slope / 8.0;
            const double next = l - r * g / (g * g + floor * floor);
            b->length = next > b->reach ? b->reach : next < -b->reach ? -b->reach : next;
        }
    }
    for (uint32_t k = 0; k < all->count; ++k) {
        double* l = &all->bends[k].length;
        *l = *l > REST_LENGTH ? *l - REST_LENGTH : *l < -REST_LENGTH ? *l + REST_LENGTH : 0.0;
    }
}

void tlw_reference_correct(tlw_reference* reference) {
    bends* all = &reference->bends;
    if (all->count == 0) {
        return;
    }
    measure_all(reference);
    solve(all);
    for (uint32_t i = 0; i < all->voxel_count; ++i) {
        const bent_voxel* bent = &all->voxels[i];
        voxel* v = &reference->voxels[bent->voxel];
        float by = 0.0f;
        for (uint32_t k = 0; k < bent->count; ++k) {
            by += bent->shares[k] * (float)all->bends[bent->bends[k]].length;
        }
        v->outwards = scale(v->outwards, by);
        v->skin = add(v->skin, v->outwards);
    }
}

// ---- From the blob

typedef struct sections {
    const tlw_blob_lattice* lattice;
    const tlw_blob_bend_window* windows;
    const uint16_t* entries;
    const uint16_t* shares;
    const int16_t* field;
    const uint32_t* slots;
} sections;

// The bends of a voxel. Voxels without any are not kept.
static void add_voxel(bends* all, const sections* blob, uint32_t index) {
    const uint32_t slot = blob->slots[index], lane = slot % TLW_BLOB_LANES;
    const tlw_blob_bend_window* window = &blob->windows[slot / TLW_BLOB_LANES];
    bent_voxel* v = &all->voxels[all->voxel_count];
    *v = (bent_voxel){.voxel = index};
    for (uint32_t i = window[0].first_entry; i < window[1].first_entry; ++i) {
        const float share =
            (float)blob->shares[(size_t)i * TLW_BLOB_LANES + lane] * TLW_BLOB_BEND_UNIT;
        if (share > 0.0f && v->count < 2) {
            v->bends[v->count] = blob->entries[i];
            v->shares[v->count++] = share;
        }
    }
    for (uint32_t p = 0; p < all->pair_count && v->count == 2; ++p) {
        if (all->pairs[p].first == v->bends[0] && all->pairs[p].second == v->bends[1]) {
            v->pair = p;
        }
    }
    all->voxel_count += v->count > 0;
}

// F has lattice axes in the blob, and those of the model here.
static vec3 field_of(const sections* blob, uint32_t slot) {
    float f[3];
    for (uint32_t a = 0; a < 3; ++a) {
        const size_t at = ((size_t)(slot / TLW_BLOB_LANES) * 3 + a) * TLW_BLOB_LANES;
        f[(blob->lattice->lane_axis + a) % 3] =
            (float)blob->field[at + slot % TLW_BLOB_LANES] * TLW_BLOB_FIELD_UNIT;
    }
    return (vec3){f[0], f[1], f[2]};
}

bool tlw_reference_make_bends(tlw_reference* reference, const void* blob) {
    uint64_t any, bend_count = 0, pair_count = 0;
    const tlw_blob_bend* from = tlw_blob_find(blob, TLW_SECTION_BENDS, &bend_count);
    const tlw_blob_bend_pair* pairs = tlw_blob_find(blob, TLW_SECTION_BEND_PAIRS, &pair_count);
    if (from == NULL || bend_count == 0) {
        return true;
    }
    const sections of = {tlw_blob_find(blob, TLW_SECTION_LATTICE, &any),
                         tlw_blob_find(blob, TLW_SECTION_BEND_WINDOWS, &any),
                         tlw_blob_find(blob, TLW_SECTION_BEND_ENTRY, &any),
                         tlw_blob_find(blob, TLW_SECTION_BEND_SHARE, &any),
                         tlw_blob_find(blob, TLW_SECTION_FIELD, &any),
                         tlw_blob_find(blob, TLW_SECTION_VOXEL_SLOT, &any)};
    bends* all = &reference->bends;
    *all = (bends){.bends = calloc(bend_count, sizeof *all->bends),
                   .pairs = calloc(pair_count + 1, sizeof *all->pairs),
                   .voxels = calloc(reference->count, sizeof *all->voxels)};
    if (all->bends == NULL || all->pairs == NULL || all->voxels == NULL) {
        return false;
    }
    for (; all->count < bend_count; ++all->count) {
        const tlw_blob_bend* b = &from[all->count];
        all->bends[all->count] = (bend){.rest_volume = (double)b->rest_volume,
                                        .rest_slope = (double)b->rest_slope,
                                        .reach = (double)b->reach};
    }
    for (; all->pair_count < pair_count; ++all->pair_count) {
        const tlw_blob_bend_pair* p = &pairs[all->pair_count];
        all->pairs[all->pair_count] = (bend_pair){.first = p->first, .second = p->second};
    }
    for (uint32_t i = 0; i < reference->count; ++i) {
        reference->voxels[i].field = field_of(&of, of.slots[i]);
        add_voxel(all, &of, i);
    }
    return true;
}

void tlw_reference_free_bends(tlw_reference* reference) {
    free(reference->bends.bends);
    free(reference->bends.pairs);
    free(reference->bends.voxels);
}
