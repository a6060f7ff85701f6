// SPDX-License-Identifier: MIT
// Reads everything in a blob and compares what follows from something else. Deliberately a second
// implementation, which shares neither code nor the numbering of steps with the validator.
#if !defined(_WIN32)
#    define _POSIX_C_SOURCE 200809L // posix_memalign
#endif

#include "tests/cook/support/blob_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#    include <malloc.h>
#endif

typedef struct reader {
    const void* blob;
    const tlw_blob_lattice* lattice;
    const uint8_t* strings;
    const tlw_blob_joint* joints;
    const uint32_t *voxel_of, *slot_of;
    const tlw_blob_cell* cells;
    const float *weights, *limits, *volume;
    const uint16_t *joints_of_windows, *slot_materials;
    const tlw_blob_joint_pair* pairs;
    const tlw_blob_window* windows;
    const float* site_kinds;
    uint32_t* slot_of_site; // TLW_BLOB_NO_INDEX where there is no voxel
    const char* problem;
    double sum; // of everything that was read, so that no read is optimised away
} reader;

static const void* section(const reader* r, tlw_blob_section_kind kind) {
    uint64_t count;
    return tlw_blob_find(r->blob, kind, &count);
}

static uint64_t section_count(const reader* r, tlw_blob_section_kind kind) {
    uint64_t count;
    (void)tlw_blob_find(r->blob, kind, &count);
    return count;
}

static void need(reader* r, bool holds, const char* what) {
    if (!holds && r->problem == NULL) {
        r->problem = what;
    }
}

static void take(reader* r, double value, const char* what) {
    need(r, value - value == 0, what);
    r->sum += value;
}

static void take_floats(reader* r, const float* values, uint64_t count, const char* what) {
    for (uint64_t i = 0; i < count; ++i) {
        take(r, (double)values[i], what);
    }
}

static void take_name(reader* r, uint32_t name) {
    r->sum += (double)strlen((const char*)r->strings + name);
}

static void read_skeleton(reader* r) {
    const tlw_blob_layer* layers = section(r, TLW_SECTION_LAYERS);
    const tlw_blob_part* parts = section(r, TLW_SECTION_PARTS);
    for (uint32_t j = 0; j < r->lattice->joint_count; ++j) {
        const double* m = r->joints[j].bind;
        const double determinant = m[0] * (m[5] * m[10] - m[9] * m[6]) +
                                   m[4] * (m[9] * m[2] - m[1] * m[10]) +
                                   m[8] * (m[1] * m[6] - m[5] * m[2]);
        for (int i = 0; i < 16; ++i) {
            take(r, m[i], "a bind matrix");
        }
        take(r, 1.0 / determinant, "the inverse of a bind matrix");
        take_name(r, r->joints[j].name);
        r->sum += parts[r->joints[j].part].voxel_count;
        uint32_t depth = 0;
        for (uint32_t up = j; up != TLW_BLOB_NO_INDEX && r->problem == NULL;
             up = r->joints[up].parent) {
            need(r, depth++ < r->lattice->joint_count, "a joint without a root");
        }
    }
    uint64_t in_layers = 0, in_parts = 0;
    for (uint32_t i = 0; i < r->lattice->layer_count; ++i) {
        take_name(r, layers[i].name);
        in_layers += layers[i].voxel_count;
    }
    for (uint32_t i = 0; i < r->lattice->part_count; ++i) {
        r->sum += i > 0 ? r->joints[parts[i].joint].bind[12] : 0.0;
        in_parts += parts[i].voxel_count;
    }
    need(r, in_layers == r->lattice->voxel_count, "voxels of all layers");
    need(r, in_parts == r->lattice->voxel_count, "voxels of all parts");
}

// Reads a slot's joints as skinning does: the whole list of the window, also the joints that the
// voxel does not have. Returns the sum of the weights.
static double read_joints(reader* r, uint32_t slot) {
    const tlw_blob_window* window = &r->windows[slot / TLW_BLOB_LANES];
    double sum = 0.0;
    uint32_t held = 0, reference = 0;
    float largest = 0.0f;
    for (uint32_t k = 0; k < window->influences; ++k) {
        const uint32_t at = window->first_influence + k, joint = r->joints_of_windows[at];
        const float weight = r->weights[(size_t)at * TLW_BLOB_LANES + slot % TLW_BLOB_LANES];
        take(r, (double)weight * r->joints[joint].bind[12], "a weight");
        need(r, weight >= 0.0f, "a weight below 0");
        sum += (double)weight;
        held += weight > 0.0f;
        reference = weight > largest ? joint : reference;
        largest = weight > largest ? weight : largest;
    }
    need(r, held <= 4, "a voxel of more than four joints");
    for (uint32_t k = 0; k < window->influences; ++k) {
        const uint32_t at = window->first_influence + k;
        uint32_t listed = 0; // does not rely on the order of pairs
        for (uint32_t i = 0; i < r->lattice->pair_count; ++i) {
            listed +=
                r->pairs[i].joint == r->joints_of_windows[at] && r->pairs[i].reference == reference;
        }
        need(r, listed == 1 || r->weights[(size_t)at * TLW_BLOB_LANES + slot % TLW_BLOB_LANES] == 0,
             "a pair that is not listed");
    }
    return sum;
}

static void read_slots(reader* r) {
    const uint32_t slots = r->lattice->slot_count;
    const tlw_blob_material* materials = section(r, TLW_SECTION_MATERIALS);
    const uint8_t* layers = section(r, TLW_SECTION_SLOT_LAYER);
    const tlw_blob_layer* layer_list = section(r, TLW_SECTION_LAYERS);
    const tlw_blob_blend* blends = section(r, TLW_SECTION_SLOT_BLEND);
    const float* factors = section(r, TLW_SECTION_SLOT_STIFFNESS);
    for (uint32_t s = 0; s < slots; ++s) {
        const double sum = read_joints(r, s);
        const bool is_empty = r->voxel_of[s] == TLW_BLOB_NO_INDEX;
        if (blends != NULL && blends[s].share > 0) {
            const tlw_blob_material* second = &materials[blends[s].material];
            take(r, pow((double)second->stiffness * (double)second->damping, 0.1), "a blend");
            need(r, !is_empty && layers[s] > 0, "a blend of bone, or of nothing");
            need(r, blends[s].material % r->lattice->layer_count == layers[s], "layer of a blend");
            need(r, blends[s].material != r->slot_materials[s], "a blend with itself");
            need(r, blends[s].share <= 1 << 15, "a share above a half");
        }
        if (factors != NULL) {
            take(r, (double)factors[s], "a factor of stiffness");
            need(r, is_empty ? factors[s] == 0 : fabs(log2((double)factors[s])) <= 2,
                 "the range of a factor");
        }
        take(r, (double)materials[r->slot_materials[s]].stiffness, "stiffness");
        take(r, pow((double)materials[r->slot_materials[s]].damping, 0.1), "damping");
        take(r, (double)materials[r->slot_materials[s]].anchor_hz, "the anchor");
        take(r, (double)r->limits[s], "a limit");
        take(r, (double)r->volume[s], "a volume weight");
        if (r->voxel_of[s] == TLW_BLOB_NO_INDEX) {
            need(r, sum == 0.0, "weights of an empty slot");
        } else {
            need(r, fabs(sum - 1.0) < 1e-4, "weights of a voxel");
            r->sum += r->cells[r->voxel_of[s]].d_skin + layer_list[layers[s]].voxel_count;
        }
    }
    for (uint32_t v = 0; v < r->lattice->voxel_count; ++v) {
        need(r, r->voxel_of[r->slot_of[v]] == v, "the slot of a voxel");
    }
}

// The runtime looks at the boxes in place of the voxels, so they must hold them.
static void read_boxes(reader* r) {
    const tlw_blob_joint_box* boxes = section(r, TLW_SECTION_JOINT_BOX);
    for (uint32_t w = 0; w < r->lattice->window_count; ++w) {
        const tlw_blob_window* window = &r->windows[w];
        for (size_t k = 0; k < (size_t)window->influences * TLW_BLOB_LANES; ++k) {
            const size_t at = (size_t)window->first_influence * TLW_BLOB_LANES + k;
            const tlw_blob_joint_box* box = &boxes[r->joints_of_windows[at / TLW_BLOB_LANES]];
            for (int i = 0; i < 3 && r->weights[at] > 0.0f; ++i) {
                const int cell = window->cell[i] + (i == 0 ? (int)(k % TLW_BLOB_LANES) : 0);
                need(r, cell >= box->low[i] && cell <= box->high[i],
                     "a voxel outside its joint's box");
            }
        }
    }
}

// Whether a voxel of the window is not linked to a voxel of that row: the window then cannot use
// sums along the row.
static bool has_cuts_along(const reader* r, const tlw_blob_window* window, uint32_t row) {
    for (uint32_t step = 3 * row; step < 3 * row + 3; ++step) {
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES && step != 13; ++lane) {
            const bool is_linked = window->links[step < 13 ? step : step - 1] >> lane & 1;
            if ((window->occupied >> lane & 1) && !is_linked &&
                r->site_kinds[window->rows[row] + lane + step % 3 - 1] > 0.0f) {
                return true;
            }
        }
    }
    return false;
}

static bool is_told_apart(const reader* r, uint32_t site) {
    return r->windows[r->slot_of_site[site] / TLW_BLOB_LANES].flags & TLW_WINDOW_IS_TOLD_APART;
}

// Reads a voxel's neighbours as the passes do: by what lies at their sites, and by links only where
// there are cuts.
static void read_lane(reader* r, const tlw_blob_window* window, uint32_t slot) {
    const uint8_t* neighbours = section(r, TLW_SECTION_SLOT_NEIGHBOURS);
    const uint8_t* regions = section(r, TLW_SECTION_SLOT_REGIONS);
    const float* pairs = section(r, TLW_SECTION_SLOT_VOLUME_PAIR);
    const int8_t* ends = section(r, TLW_SECTION_SLOT_VOLUME_END);
    const int16_t* moments = section(r, TLW_SECTION_SLOT_MOMENT);
    const uint32_t lane = slot % TLW_BLOB_LANES, slots = r->lattice->slot_count;
    const tlw_blob_cell a = r->cells[r->voxel_of[slot]];
    double volume[3] = {0, 0, 0};
    int mass = 0, lane_row = 0, plane = 0, plane_plane = 0, linked = 0, held[3] = {0, 0, 0};
    bool has_end[3][2] = {{false}}; // a linked face on the minus side, on the plus side
    for (uint32_t step = 0; step < 27; ++step) {
        const uint32_t site = window->rows[step / 3] + lane + step % 3 - 1;
        const int o[3] = {(int)(step % 3) - 1, (int)(step / 3 % 3) - 1, (int)(step / 9) - 1};
        const uint32_t k = step < 13 ? step : step - 1;
        const bool is_linked = step == 13 || (window->links[k] >> lane & 1);
        if (!(window->flags & TLW_WINDOW_HAS_CUTS)) {
            need(r, is_linked == (r->site_kinds[site] > 0.0f),
                 "a link that is not what loads find");
        }
        if (!is_linked) {
            continue;
        }
        need(r, !has_cuts_along(r, window, step / 3) || is_told_apart(r, site),
             "a region that is told apart");
        const tlw_blob_cell b = r->cells[r->voxel_of[r->slot_of_site[site]]];
        const int d[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
        for (uint32_t i = 0; i < 3; ++i) {
            need(r, d[(r->lattice->lane_axis + i) % 3] == o[i], "a neighbour in its place");
            if (o[i] != 0 && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] == 1) {
                held[i] = 1;
                has_end[i][o[i] > 0] = true;
                volume[i] += (double)r->volume[r->slot_of_site[site]];
            }
        }
        const int m = r->site_kinds[site] > TLW_SITE_SOFT ? TLW_BONE_MASS : 1;
        mass += m;
        lane_row += m * o[0] * o[1];
        plane += m * o[2];
        plane_plane += m * o[2] * o[2];
        linked += step != 13;
    }
    need(r, moments[(size_t)TLW_MOMENT_MASS * slots + slot] == mass, "a mass");
    need(r, moments[(size_t)TLW_MOMENT_PLANE * slots + slot] == plane, "a moment");
    need(r, moments[(size_t)TLW_MOMENT_LANE_ROW * slots + slot] == lane_row, "a moment");
    need(r, moments[(size_t)TLW_MOMENT_PLANE_PLANE * slots + slot] == plane_plane, "a moment");
    take(r, 1.0 / moments[(size_t)TLW_MOMENT_MASS * slots + slot], "a mean over a region");
    for (uint32_t i = 0; i < 3; ++i) {
        need(r, fabs((double)pairs[(size_t)i * slots + slot] - volume[i]) < 1e-6, "a pair");
        const int end = has_end[i][0] == has_end[i][1] ? 0 : has_end[i][1] ? -1 : 1;
        need(r, ends[(size_t)i * slots + slot] == end, "an end");
    }
    need(r, regions[slot] == (r->lattice->region_width == 2 ? 8 : linked + 1), "regions");
    take(r, 1.0 / regions[slot], "a mean over regions");
    need(r, r->lattice->neighbours != 26 || neighbours[slot] == linked, "neighbours");
    need(r, (window->flags & TLW_WINDOW_IS_THIN) || (held[0] && held[1] && held[2]),
         "a voxel that is thin");
}

static void read_window(reader* r, uint32_t w) {
    const tlw_blob_window* window = &r->windows[w];
    for (int row = 0; row < 9; ++row) { // as wide loads do: the whole row, linked or not
        const float* load = r->site_kinds + window->rows[row] - 1;
        take_floats(r, load, TLW_BLOB_LANES + 2, "a load");
    }
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        need(r, (window->occupied >> lane & 1) == (r->site_kinds[window->rows[4] + lane] > 0.0f),
             "what lies at a site");
        if (window->occupied >> lane & 1) {
            read_lane(r, window, w * TLW_BLOB_LANES + lane);
        }
    }
}

// Each link adds a number made from its two sites and subtracts the number of the opposite link.
// Over all windows the sum is 0 if every link has its opposite.
static uint64_t pair_sum(const tlw_blob_window* window) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < 26; ++k) {
        const uint32_t step = k < 13 ? k : k + 1;
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
            if (window->links[k] >> lane & 1) {
                const uint64_t from = window->rows[4] + lane;
                const uint64_t to = window->rows[step / 3] + lane + step % 3 - 1;
                sum += (from << 32 | to) * 0x9E3779B97F4A7C15u >> 7;
                sum -= (to << 32 | from) * 0x9E3779B97F4A7C15u >> 7;
            }
        }
    }
    return sum;
}

static void read_windows(reader* r) {
    const tlw_blob_block* blocks = section(r, TLW_SECTION_BLOCKS);
    uint64_t pairs = 0, seen = 0, voxels = 0;
    for (uint64_t i = 0; i + 1 < section_count(r, TLW_SECTION_BLOCKS); ++i) {
        for (uint32_t w = blocks[i].first_window; w < blocks[i + 1].first_window; ++w) {
            need(r, r->windows[w].rows[4] >= blocks[i].first_site, "a window of its block");
            need(r, r->windows[w].rows[4] + TLW_BLOB_LANES <= blocks[i + 1].first_site,
                 "a window of its block");
            read_window(r, w);
            pairs += pair_sum(&r->windows[w]);
            seen += 1;
        }
    }
    for (uint32_t site = 0; site < r->lattice->site_count; ++site) {
        voxels += r->site_kinds[site] != 0.0f;
    }
    // A block's task sums three sites in a row from eight sites before the block on.
    for (uint64_t i = 1; i + 1 < section_count(r, TLW_SECTION_BLOCKS); ++i) {
        for (uint32_t back = 1; back <= TLW_BLOB_LANES + 1; ++back) {
            need(r, r->site_kinds[blocks[i].first_site - back] == 0.0f, "room before a block");
        }
    }
    need(r, seen == r->lattice->window_count, "windows of all blocks");
    need(r, voxels == r->lattice->voxel_count, "sites of all voxels");
    need(r, pairs == 0, "links that go both ways");
}

// What a lane's voxel has of skinned volume, read as the passes do: all entries of its window.
static void read_bends_of(reader* r, uint32_t slot, double* volumes) {
    const tlw_blob_bend* bends = section(r, TLW_SECTION_BENDS);
    const tlw_blob_bend_window* lists = section(r, TLW_SECTION_BEND_WINDOWS);
    const uint16_t* entries = section(r, TLW_SECTION_BEND_ENTRY);
    const uint16_t* shares = section(r, TLW_SECTION_BEND_SHARE);
    const int16_t* field = section(r, TLW_SECTION_FIELD);
    const uint8_t* layers = section(r, TLW_SECTION_SLOT_LAYER);
    const uint32_t w = slot / TLW_BLOB_LANES, lane = slot % TLW_BLOB_LANES;
    double sum = 0.0, length = 0.0;
    uint32_t held = 0;
    for (uint32_t i = lists[w].first_entry; i < lists[w + 1].first_entry; ++i) {
        const double share = shares[(size_t)i * TLW_BLOB_LANES + lane] / 32768.0;
        take(r, share * (double)bends[entries[i]].reach, "a share");
        need(r, share >= 0.0, "a share below 0");
        sum += share;
        held += share > 0.0;
        volumes[entries[i]] += share;
    }
    for (size_t axis = 0; axis < 3; ++axis) {
        const double f = field[(3 * (size_t)w + axis) * TLW_BLOB_LANES + lane] / 16384.0;
        take(r, f, "the field");
        length += f * f;
    }
    need(r, held <= 2 && sum <= 1.0001, "shares of a voxel");
    need(r, length <= 1.01, "a long field");
    need(r, length == 0.0 || (held > 0 && layers[slot] != 0), "a field where nothing moves");
    need(r, held == 0 || r->voxel_of[slot] != TLW_BLOB_NO_INDEX, "shares of an empty slot");
}

// How many of a window's voxels have both entries.
static uint32_t voxels_of_couple(const reader* r, uint64_t first, uint64_t second) {
    const uint16_t* shares = section(r, TLW_SECTION_BEND_SHARE);
    uint32_t voxels = 0;
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        voxels +=
            shares[first * TLW_BLOB_LANES + lane] > 0 && shares[second * TLW_BLOB_LANES + lane] > 0;
    }
    return voxels;
}

static void read_couples(reader* r, uint32_t w) {
    const tlw_blob_bend* bends = section(r, TLW_SECTION_BENDS);
    const tlw_blob_bend_window* lists = section(r, TLW_SECTION_BEND_WINDOWS);
    const tlw_blob_bend_pair* pairs = section(r, TLW_SECTION_BEND_PAIRS);
    const tlw_blob_bend_couple* couples = section(r, TLW_SECTION_BEND_COUPLE);
    const uint16_t* entries = section(r, TLW_SECTION_BEND_ENTRY);
    const uint64_t first = lists[w].first_entry, end = lists[w + 1].first_entry;
    uint32_t listed = 0, had = 0;
    for (uint32_t i = lists[w].first_couple; i < lists[w + 1].first_couple; ++i) {
        const tlw_blob_bend_pair pair = pairs[couples[i].pair];
        need(r, entries[first + couples[i].first] == pair.first, "a couple of its pair");
        need(r, entries[first + couples[i].second] == pair.second, "a couple of its pair");
        r->sum += (double)bends[pair.first].reach + (double)bends[pair.second].reach;
        listed += voxels_of_couple(r, first + couples[i].first, first + couples[i].second);
    }
    for (uint64_t a = first; a < end; ++a) {
        for (uint64_t b = a + 1; b < end; ++b) {
            had += voxels_of_couple(r, a, b);
        }
    }
    need(r, listed == had, "couples of all voxels");
}

static void read_bends(reader* r) {
    const tlw_blob_bend* bends = section(r, TLW_SECTION_BENDS);
    const uint64_t count = section_count(r, TLW_SECTION_BENDS);
    if (bends == NULL) {
        return;
    }
    double* volumes = calloc(count, sizeof *volumes);
    bool* is_stored = calloc(r->lattice->joint_count, sizeof *is_stored);
    if (volumes == NULL || is_stored == NULL) {
        abort();
    }
    for (uint32_t s = 0; s < r->lattice->slot_count; ++s) {
        read_bends_of(r, s, volumes);
    }
    for (uint32_t w = 0; w < r->lattice->window_count; ++w) {
        read_couples(r, w);
    }
    for (uint64_t b = 0; b < count; ++b) {
        const double eighth = (double)bends[b].rest_slope / 8.0;
        take(r, 1.0 / (double)(float)(eighth * eighth), "a step of a length");
        take(r, (double)bends[b].reach, "a reach");
        need(r, bends[b].reach >= 0.0f, "a reach below 0");
        need(r, fabs((double)bends[b].rest_volume - volumes[b]) <= 1e-6 * volumes[b],
             "a rest volume");
        // No bend of a joint below it was before it.
        need(r, !is_stored[bends[b].joint], "the order of bends");
        for (uint32_t up = bends[b].joint; up != TLW_BLOB_NO_INDEX && r->problem == NULL;
             up = r->joints[up].parent) {
            is_stored[up] = true;
        }
        need(r, r->joints[bends[b].joint].parent != TLW_BLOB_NO_INDEX, "a bend of a root");
    }
    free(volumes);
    free(is_stored);
}

// Every limb that a voxel's bits name, as contact reads it.
static void read_limbs(reader* r) {
    const tlw_blob_limb* limbs = section(r, TLW_SECTION_LIMBS);
    const tlw_blob_slot_limbs* masks = section(r, TLW_SECTION_SLOT_LIMBS);
    const uint8_t* layers = section(r, TLW_SECTION_SLOT_LAYER);
    const uint32_t count = r->lattice->limb_count;
    need(r, (limbs != NULL) == (count > 0) && (masks != NULL) == (count > 0), "limbs or none");
    need(r, section_count(r, TLW_SECTION_LIMBS) == count && count <= 32, "the number of limbs");
    uint32_t touched[32] = {0};
    for (uint32_t s = 0; limbs != NULL && s < r->lattice->slot_count; ++s) {
        const bool is_soft = r->voxel_of[s] != TLW_BLOB_NO_INDEX && layers[s] != 0;
        for (uint32_t i = 0; i < 32; ++i) {
            const bool touches = masks[s].touches & 1u << i, is_half = masks[s].halves & 1u << i;
            need(r, is_soft || (!touches && !is_half), "a limb that touches what does not move");
            need(r, touches || !is_half, "half of nothing");
            need(r, i < count || !touches, "a limb that does not exist");
            touched[i] += touches;
        }
    }
    for (uint32_t i = 0; i < count && r->problem == NULL; ++i) {
        take_floats(r, &limbs[i].ends[0][0], 6, "an end of a limb");
        take_floats(r, limbs[i].radius, 2, "a radius");
        r->sum += r->joints[limbs[i].joint].bind[12];
        need(r, i == 0 || limbs[i - 1].joint < limbs[i].joint, "the order of limbs");
        need(r, touched[i] > 0, "a limb that touches nothing");
        for (int k = 0; k < 2; ++k) {
            const double units = (double)limbs[i].radius[k] * 1024.0;
            need(r, units >= 1.0 && units == floor(units), "the unit of a radius");
            need(r, limbs[i].radius[k] <= 32768.0f, "a large radius");
        }
        for (int k = 0; k < 6; ++k) {
            need(r, fabs((double)limbs[i].ends[k / 3][k % 3]) <= 1048576.0, "an end far away");
        }
    }
}

static void read_profiles(reader* r) {
    const tlw_blob_profile* profiles = section(r, TLW_SECTION_PROFILES);
    const tlw_blob_profile_material* materials = section(r, TLW_SECTION_PROFILE_MATERIALS);
    const size_t count = (size_t)r->lattice->part_count * r->lattice->layer_count;
    need(r, r->lattice->skinning <= 1, "skinning");
    for (size_t i = 0; i + 1 < r->lattice->profile_count; ++i) {
        const char* name = (const char*)r->strings + profiles[i].name;
        need(r, strcmp(name, "cooked") != 0, "a profile that is called cooked");
        for (size_t k = 0; k < i; ++k) {
            need(r, strcmp(name, (const char*)r->strings + profiles[k].name) != 0,
                 "two profiles of one name");
        }
        for (size_t m = i * count; m < (i + 1) * count; ++m) {
            take(r, (double)materials[m].stiffness, "stiffness of a profile");
            take(r, pow((double)materials[m].damping, 0.1), "damping of a profile");
            take(r, (double)materials[m].anchor_hz, "the anchor of a profile");
            take(r, (double)materials[m].limit_scale, "the limit of a profile");
            need(r,
                 materials[m].stiffness >= 0 && materials[m].damping <= 1 &&
                     materials[m].anchor_hz >= 0 && materials[m].limit_scale >= 0,
                 "the range of a profile's material");
        }
    }
}

static void read_regions(reader* r) {
    const uint32_t* sites = section(r, TLW_SECTION_REGION_SITE);
    const uint32_t* firsts = section(r, TLW_SECTION_REGION_FIRST);
    const uint32_t* region_of = section(r, TLW_SECTION_SLOT_REGION);
    const uint32_t slots = r->lattice->slot_count;
    const uint64_t stride = tlw_blob_region_stride(r->lattice);
    for (uint64_t i = 0; i < stride; ++i) { // whole windows of regions, also after the last one
        double mass = 0.0, x = 0.0;
        for (uint64_t k = 0; k < 8; ++k) {
            const uint32_t site = sites[k * stride + i];
            mass += (double)r->site_kinds[site];
            if (site != 0) {
                x += r->cells[r->voxel_of[r->slot_of_site[site]]].x;
                need(r, region_of[k * slots + r->slot_of_site[site]] == i, "a member's region");
            }
        }
        if (i < r->lattice->region_count) {
            take(r, x / mass, "the centre of a region");
            r->sum += r->cells[r->voxel_of[firsts[i]]].x;
        } else {
            need(r, mass == 0.0, "members of no region");
        }
    }
    for (uint64_t at = 0; at < section_count(r, TLW_SECTION_SLOT_REGION); ++at) {
        const uint32_t slot = (uint32_t)(at % slots);
        const uint32_t site = sites[at / slots * stride + region_of[at]];
        need(r, r->voxel_of[slot] == TLW_BLOB_NO_INDEX || r->slot_of_site[site] == slot,
             "a region that has the voxel");
    }
}

// The number of a vertex in one of the sections GROUP_POSITION to GROUP_CENTRE, 0 if it is absent.
static double number_of(const float* numbers, uint64_t group, uint32_t components, uint32_t c,
                        uint32_t lane) {
    return numbers ? (double)numbers[(group * components + c) * 8 + lane] : 0.0;
}

static void read_group(reader* r, uint64_t g, uint32_t cooked) {
    const tlw_blob_group* group = (const tlw_blob_group*)section(r, TLW_SECTION_GROUPS) + g;
    const uint32_t* slots = section(r, TLW_SECTION_GROUP_VOXEL);
    const uint16_t* voxel_weights = section(r, TLW_SECTION_GROUP_VOXEL_WEIGHT);
    const uint16_t* joints = section(r, TLW_SECTION_GROUP_JOINT);
    const uint16_t* joint_weights = section(r, TLW_SECTION_GROUP_JOINT_WEIGHT);
    need(r, group->first_vertex == cooked, "the first vertex of a group");
    for (uint32_t lane = 0; lane < 8; ++lane) {
        uint32_t bound = 0, skinned = 0, voxels = 0, bones = 0;
        for (size_t i = group->first_voxel; i < (size_t)group->first_voxel + group->voxel_count;
             ++i) {
            const uint32_t weight = voxel_weights[i * 8 + lane];
            take(r, weight * (double)r->cells[r->voxel_of[slots[i]]].x, "a voxel of a vertex");
            need(r, (r->windows[slots[i] / 8].flags & TLW_WINDOW_IS_BOUND) != 0, "a bound window");
            bound += weight;
            voxels += weight != 0;
        }
        for (size_t i = group->first_joint; i < (size_t)group->first_joint + group->joint_count;
             ++i) {
            const uint32_t weight = joint_weights[i * 8 + lane];
            take(r, weight * r->joints[joints[i]].bind[12], "a joint of a vertex");
            skinned += weight;
            bones += weight != 0;
        }
        need(r, bound == 32768 && voxels <= 8, "weights of voxels");
        need(r, skinned == (group->skinned >> lane & 1) * 32768u && bones <= 8,
             "weights of joints");
    }
}

// Every vertex, by its group and lane.
static void read_vertices(reader* r, const tlw_blob_mesh* mesh) {
    static const struct {
        tlw_blob_section_kind kind;
        uint32_t components;
    } shapes[] = {{TLW_SECTION_GROUP_POSITION, 3},
                  {TLW_SECTION_GROUP_NORMAL, 3},
                  {TLW_SECTION_GROUP_TANGENT, 4},
                  {TLW_SECTION_GROUP_CENTRE, 3}};
    const uint32_t* source_of = section(r, TLW_SECTION_VERTEX_SOURCE);
    const uint32_t* cooked_of = section(r, TLW_SECTION_VERTEX_COOKED);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        const uint64_t g = (uint64_t)mesh->first_group + v / 8;
        const uint32_t cooked = mesh->first_vertex + v, source = source_of[cooked];
        need(r, source - mesh->first_vertex < mesh->vertex_count, "a source of another mesh");
        need(r, cooked_of[source] == cooked, "the way back");
        for (size_t i = 0; i < 4; ++i) {
            for (uint32_t c = 0; c < shapes[i].components; ++c) {
                take(r, number_of(section(r, shapes[i].kind), g, shapes[i].components, c, v % 8),
                     "a rest shape");
            }
        }
        if (v % 8 == 0) {
            read_group(r, g, cooked);
        }
    }
}

// The line of a muscle as the runtime walks it.
static void read_line(reader* r, uint32_t m) {
    const tlw_blob_muscle* muscle = (const tlw_blob_muscle*)section(r, TLW_SECTION_MUSCLES) + m;
    const tlw_blob_muscle_group* group =
        (const tlw_blob_muscle_group*)section(r, TLW_SECTION_MUSCLE_GROUPS) + m / 8;
    const tlw_blob_muscle_row* rows =
        (const tlw_blob_muscle_row*)section(r, TLW_SECTION_MUSCLE_ROWS) + group->first_row;
    const uint32_t lane = m % 8, count = muscle->vertex_count;
    double arc = 0.0, mean = 0.0, bellies = 0.0;
    need(r, group[1].first_row - group[0].first_row >= count, "rows of a muscle");
    for (uint32_t i = 0; i + 1 < count; ++i) {
        mean += (double)rows[i].length[lane] / (double)(count - 1);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const tlw_blob_muscle_row* row = &rows[i];
        double weights = 0.0, tangent = 0.0;
        for (int a = 0; a < 3; ++a) {
            const double t = (double)row->tangent[a][lane];
            take(r, (double)row->place[a][lane] + (double)row->balance[a][lane], "a vertex");
            need(r, fabs((double)row->place[a][lane]) <= 1048576.0, "a vertex far away");
            tangent += t * t;
        }
        need(r, fabs(tangent - 1.0) < 1e-3, "a tangent");
        for (int k = 0; k < 4; ++k) {
            r->sum += r->joints[row->joint[k][lane]].bind[12];
            weights += (double)row->weight[k][lane];
        }
        need(r, fabs(weights - 1.0) < 1e-3, "weights of a vertex");
        need(r, row->is_dynamic[lane] == 0.0f || row->is_dynamic[lane] == 1.0f, "is_dynamic");
        need(r, row->radius[lane] >= 0.0f && row->radius[lane] <= muscle->radius, "a radius");
        need(r, fabs((double)row->flex[lane]) <= 16.0, "a flex share");
        need(r, fabs((double)row->arc[lane] - arc) <= 1e-3 * (1.0 + arc), "an arc length");
        if (i + 1 < count) {
            const double length = (double)row->length[lane];
            const double stiff = (double)row->ratio[lane] * length / mean;
            need(r, length > 0.2499 && stiff > 0.999 && stiff < 100.1, "a segment");
            need(r, row->slack[lane] > 0.0f && row->slack[lane] < row->length[lane], "a spring");
            arc += length;
            bellies += (double)row->belly[lane];
        }
    }
    need(r, bellies >= 1.0, "a muscle without a belly");
}

static void read_fields(reader* r, uint32_t m) {
    const tlw_blob_muscle_group* group =
        (const tlw_blob_muscle_group*)section(r, TLW_SECTION_MUSCLE_GROUPS) + m / 8;
    const tlw_blob_muscle_field* fields = section(r, TLW_SECTION_MUSCLE_FIELDS);
    for (uint32_t i = group[0].first_field; i < group[1].first_field; ++i) {
        const uint32_t lane = m % 8;
        for (int a = 0; a < 3; ++a) {
            take(r, (double)fields[i].centre[a][lane] * (double)fields[i].inverse[a][lane],
                 "a field");
            need(r, fields[i].inverse[a][lane] >= 0.0f && fields[i].inverse[a][lane] < 4.01f,
                 "radii of a field");
        }
        need(r, fields[i].gain[lane] >= 0.0f && fields[i].gain[lane] <= 40.0f, "a gain");
        need(r, fields[i].reach[lane] == 0.0f || fields[i].reach[lane] > 1.0f, "a reach");
        r->sum += r->joints[fields[i].joint[lane]].bind[12];
    }
}

// What a lane of a window has of a muscle.
static void read_belly(reader* r, uint64_t e, uint32_t slot, uint32_t* muscles_of_voxel) {
    const tlw_blob_belly_entry* entry =
        (const tlw_blob_belly_entry*)section(r, TLW_SECTION_BELLY_ENTRY) + e;
    const tlw_blob_belly_shape* shape =
        (const tlw_blob_belly_shape*)section(r, TLW_SECTION_BELLY_SHAPE) + e;
    const tlw_blob_belly_weight* weights =
        (const tlw_blob_belly_weight*)section(r, TLW_SECTION_BELLY_WEIGHT) + entry->first_weight;
    const tlw_blob_muscle* muscle =
        (const tlw_blob_muscle*)section(r, TLW_SECTION_MUSCLES) + entry->muscle;
    const uint8_t layer = ((const uint8_t*)section(r, TLW_SECTION_SLOT_LAYER))[slot];
    const uint32_t lane = slot % 8;
    const double x = (double)shape->d[0][lane], y = (double)shape->d[1][lane],
                 z = (double)shape->d[2][lane], a = (double)shape->a[lane];
    int curve = 0, linear = 0;
    for (uint32_t i = 0; i < entry->vertex_count; ++i) {
        curve += weights[i].curve[lane];
        linear += weights[i].linear[lane];
    }
    take(r, x + y + z, "a belly");
    need(r, entry->first_vertex + entry->vertex_count <= muscle->vertex_count, "vertices");
    need(r, sqrt(x * x + y * y + z * z) <= (double)muscle->reach * 1.0001, "the reach");
    need(r, a >= 0.0 && a <= 1.0, "a share of a line");
    need(r, curve == linear && (curve == 16384 || curve == 0), "weights of a station");
    if (curve != 0) {
        *muscles_of_voxel += 1;
        need(r, layer > 0 && r->voxel_of[slot] != TLW_BLOB_NO_INDEX, "a muscle that moves bone");
    } else {
        need(r, x == 0.0 && y == 0.0 && z == 0.0 && a == 0.0, "a belly without a station");
    }
}

static void read_muscles(reader* r) {
    const tlw_blob_muscle* muscles = section(r, TLW_SECTION_MUSCLES);
    const uint32_t* windows = section(r, TLW_SECTION_BELLY_WINDOWS);
    const uint32_t count = r->lattice->muscle_count;
    need(r, (muscles != NULL) == (count > 0) && (windows != NULL) == (count > 0),
         "muscles or none");
    for (uint32_t m = 0; m < count && r->problem == NULL; ++m) {
        take_name(r, muscles[m].name);
        take(r, (double)muscles[m].bulge + (double)muscles[m].reach, "a muscle");
        need(r, muscles[m].radius > 0.0f, "a muscle without a radius");
        if (muscles[m].flex_joint != TLW_BLOB_NO_INDEX) {
            take(r, 1.0 / ((double)muscles[m].flex_to - (double)muscles[m].flex_from), "a flex");
            r->sum += r->joints[r->joints[muscles[m].flex_joint].parent].bind[12];
        }
        read_line(r, m);
        read_fields(r, m);
    }
    for (uint32_t w = 0; count > 0 && w < r->lattice->window_count; ++w) {
        uint32_t of_voxel[8] = {0};
        for (uint64_t e = windows[w]; e < windows[w + 1]; ++e) {
            for (uint32_t lane = 0; lane < 8; ++lane) {
                read_belly(r, e, w * 8 + lane, &of_voxel[lane]);
                need(r, of_voxel[lane] <= 4, "a voxel of five muscles");
            }
        }
    }
}

static void read_rings(reader* r) {
    const uint32_t* neighbours = section(r, TLW_SECTION_RING_NEIGHBOUR);
    const uint32_t* source_of = section(r, TLW_SECTION_VERTEX_SOURCE);
    for (uint64_t i = 0; i < section_count(r, TLW_SECTION_RING_NEIGHBOUR); ++i) {
        r->sum += source_of[neighbours[i]];
    }
    take_floats(r, section(r, TLW_SECTION_RING_WEIGHT), section_count(r, TLW_SECTION_RING_WEIGHT),
                "a weight of a ring");
    need(r,
         section_count(r, TLW_SECTION_RING_NEIGHBOUR) * 2 ==
             section_count(r, TLW_SECTION_RING_WEIGHT),
         "weights of rings");
}

// Coefficients of one domain: its inverse times the deviations of its centres.
static void read_domain(reader* r, const tlw_blob_rbf_domain* domain, double* coefficients) {
    const tlw_blob_binding* centres = section(r, TLW_SECTION_RBF_CENTRE);
    const float* inverse = section(r, TLW_SECTION_RBF_INVERSE);
    const uint32_t columns = (domain->centre_count + domain->term_count + 7) / 8 * 8;
    r->sum += r->joints[domain->joint].bind[12];
    for (uint32_t c = 0; c < domain->centre_count; ++c) {
        const tlw_blob_binding* centre = &centres[domain->first_centre + c];
        double value = 0.0, weight = 0.0;
        for (int k = 0; k < 8; ++k) {
            value += (double)centre->weights[k] * r->cells[r->voxel_of[centre->slots[k]]].x;
            weight += (double)centre->weights[k];
        }
        need(r, fabs(weight - 1.0) < 1e-3, "weights of a centre");
        for (uint32_t i = 0; i < columns; ++i) {
            coefficients[domain->first_coefficient + i] +=
                value * (double)inverse[domain->first_inverse + (size_t)c * columns + i];
        }
    }
}

static void read_rbf(reader* r) {
    const tlw_blob_rbf* head = section(r, TLW_SECTION_RBF);
    if (head == NULL) {
        return;
    }
    const tlw_blob_rbf_domain* domains = section(r, TLW_SECTION_RBF_DOMAIN);
    const uint32_t* first = section(r, TLW_SECTION_RBF_ROW_FIRST);
    const uint16_t* index = section(r, TLW_SECTION_RBF_ROW_INDEX);
    const float* weight = section(r, TLW_SECTION_RBF_ROW_WEIGHT);
    const uint32_t* row_of = section(r, TLW_SECTION_RBF_VERTEX_ROW);
    const tlw_blob_rbf_seam* seams = section(r, TLW_SECTION_RBF_SEAM);
    const uint32_t* seam_rows = section(r, TLW_SECTION_RBF_SEAM_ROW);
    const float* seam_weights = section(r, TLW_SECTION_RBF_SEAM_WEIGHT);
    double* coefficients = calloc((size_t)head->coefficient_count + 1, sizeof *coefficients);
    double* rows = calloc((size_t)head->row_count + 1, sizeof *rows);
    if (coefficients == NULL || rows == NULL) {
        abort();
    }
    for (uint32_t d = 0; d < head->domain_count; ++d) {
        read_domain(r, &domains[d], coefficients);
    }
    for (uint32_t i = 0; i < head->row_count; ++i) {
        for (uint32_t k = first[i]; k < first[i + 1]; ++k) {
            rows[i] += (double)weight[k] * coefficients[index[k]];
        }
    }
    for (uint32_t v = 0; v < r->lattice->vertex_count; ++v) {
        r->sum += rows[row_of[v]];
    }
    for (uint32_t s = 0; s < head->seam_count; ++s) {
        double sum = 0.0;
        for (uint32_t k = seams[s].first; k < seams[s + 1].first; ++k) {
            r->sum += rows[seam_rows[k]];
            sum += (double)seam_weights[k];
        }
        rows[seams[s].row] += (double)head->seam_share;
        need(r, fabs(sum - 1.0) < 1e-3, "weights of a seam");
    }
    need(r, head->seam_passes <= 16, "seam passes");
    take(r, (double)head->radius + (double)head->seam_share, "the head of rbf");
    free(coefficients);
    free(rows);
}

static void read_meshes(reader* r) {
    const tlw_blob_mesh* meshes = section(r, TLW_SECTION_MESHES);
    const uint32_t* cooked_of = section(r, TLW_SECTION_VERTEX_COOKED);
    const uint32_t* indices = section(r, TLW_SECTION_INDICES);
    const float* uvs = section(r, TLW_SECTION_UVS);
    for (uint64_t m = 0; m < section_count(r, TLW_SECTION_MESHES); ++m) {
        take_name(r, meshes[m].name);
        read_vertices(r, &meshes[m]);
        for (uint32_t i = 0; i < meshes[m].index_count; ++i) {
            const uint32_t vertex = indices[meshes[m].first_index + i];
            r->sum += cooked_of[vertex];
            r->sum += uvs ? (double)uvs[(size_t)vertex * 2 + 1] : 0.0;
        }
    }
    for (uint64_t i = 0; i < section_count(r, TLW_SECTION_INDICES); ++i) {
        r->sum += cooked_of[indices[i]];
    }
    take_floats(r, uvs, section_count(r, TLW_SECTION_UVS), "a texture coordinate");
    read_rings(r);
    read_rbf(r);
}

const char* blob_unsoundness(const void* bytes) {
    reader r = {.blob = bytes};
    r.lattice = section(&r, TLW_SECTION_LATTICE);
    r.strings = section(&r, TLW_SECTION_STRINGS);
    r.joints = section(&r, TLW_SECTION_JOINTS);
    r.voxel_of = section(&r, TLW_SECTION_SLOT_VOXEL);
    r.slot_of = section(&r, TLW_SECTION_VOXEL_SLOT);
    r.cells = section(&r, TLW_SECTION_VOXEL_CELL);
    r.weights = section(&r, TLW_SECTION_INFLUENCE_WEIGHT);
    r.limits = section(&r, TLW_SECTION_SLOT_LIMIT);
    r.volume = section(&r, TLW_SECTION_SLOT_VOLUME_WEIGHT);
    r.joints_of_windows = section(&r, TLW_SECTION_INFLUENCE_JOINT);
    r.slot_materials = section(&r, TLW_SECTION_SLOT_MATERIAL);
    r.pairs = section(&r, TLW_SECTION_JOINT_PAIRS);
    r.windows = section(&r, TLW_SECTION_WINDOWS);
    r.site_kinds = section(&r, TLW_SECTION_SITE_KIND);
    r.slot_of_site = malloc(r.lattice->site_count * sizeof *r.slot_of_site);
    if (r.slot_of_site == NULL) {
        abort();
    }
    memset(r.slot_of_site, 0xFF, r.lattice->site_count * sizeof *r.slot_of_site);
    for (uint32_t v = 0; v < r.lattice->voxel_count; ++v) {
        const uint32_t slot = r.slot_of[v];
        r.slot_of_site[r.windows[slot / TLW_BLOB_LANES].rows[4] + slot % TLW_BLOB_LANES] = slot;
    }
    take(&r, 1.0 / (double)(float)r.lattice->voxel_metres, "the voxel size");
    take(&r, (double)(float)r.lattice->extent_voxels, "the extent");
    take(&r, (double)(float)r.lattice->origin[0], "the origin");
    take(&r, 1.0 / (double)r.lattice->stiffness_scale, "the stiffness scale");
    take(&r, (double)r.lattice->cost, "the cost");
    for (int axis = 0; axis < 3; ++axis) {
        take(&r, (double)r.lattice->rest_gravity[axis], "the rest gravity");
        need(&r, fabs((double)r.lattice->rest_gravity[axis]) <= 1e6, "a large rest gravity");
    }
    read_skeleton(&r);
    read_profiles(&r);
    read_slots(&r);
    read_boxes(&r);
    read_windows(&r);
    read_regions(&r);
    read_bends(&r);
    read_limbs(&r);
    read_muscles(&r);
    read_meshes(&r);
    free(r.slot_of_site);
    return r.problem;
}

uint8_t* blob_allocate(size_t size) {
#if defined(_WIN32)
    uint8_t* bytes = _aligned_malloc(size + (size == 0), TLW_BLOB_ALIGNMENT);
#else
    void* block = NULL;
    uint8_t* bytes =
        posix_memalign(&block, TLW_BLOB_ALIGNMENT, size + (size == 0)) == 0 ? block : NULL;
#endif
    if (bytes == NULL) {
        abort();
    }
    return bytes;
}

void blob_free(uint8_t* bytes) {
#if defined(_WIN32)
    _aligned_free(bytes);
#else
    free(bytes);
#endif
}

uint8_t* blob_copy(const void* bytes, size_t size) {
    uint8_t* copy = blob_allocate(size);
    if (size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

void blob_set_content_hash(uint8_t* bytes, size_t size) {
    const size_t header = sizeof(tlw_blob_header);
    if (size >= header) {
        const uint64_t hash = tlw_xxh64(bytes + header, size - header, 0);
        memcpy(bytes + offsetof(tlw_blob_header, content_hash), &hash, sizeof hash);
    }
}
