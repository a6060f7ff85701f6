// SPDX-License-Identifier: MIT
// Opens a validated blob: sections by name, windows by site, voxels by cell. Reads links, joints
// and layers of single voxels (MODEL 9.1, 9.2).
#include "tools/inspect/inspect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t key_of(int32_t x, int32_t y, int32_t z) {
    return (uint64_t)(uint32_t)z << 32 | (uint64_t)(uint32_t)y << 16 | (uint32_t)x;
}

static int compare_places(const void* a, const void* b) {
    const tlw_inspect_place *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->voxel > y->voxel) - (x->voxel < y->voxel);
}

bool tlw_inspect_open(tlw_inspect* in, const void* bytes) {
    tlw_blob_contents contents;
    tlw_blob_find_all(bytes, &contents);
    *in = (tlw_inspect){.header = bytes,
                        .table = (const tlw_blob_section*)((const tlw_blob_header*)bytes + 1),
                        .mesh_count = contents.count[TLW_SECTION_MESHES],
                        .bend_count = contents.count[TLW_SECTION_BENDS],
                        .bend_pair_count = contents.count[TLW_SECTION_BEND_PAIRS]};
#define OPEN_SECTION(kind, field, type, count) in->field = contents.first[TLW_SECTION_##kind];
    TLW_BLOB_SECTIONS(OPEN_SECTION)
#undef OPEN_SECTION
    const tlw_blob_lattice* l = in->lattice;
    const size_t groups = l->site_count / TLW_BLOB_LANES;
    in->window_of = malloc(groups * sizeof *in->window_of);
    in->places = malloc(l->voxel_count * sizeof *in->places);
    if (in->window_of == NULL || in->places == NULL ||
        tlw_blob_open(bytes, in->header->total_bytes, TLW_BLOB_SKIP_CONTENT_HASH, &in->blob,
                      NULL) != TLW_OK) {
        return false;
    }
    memset(in->window_of, 0xFF, groups * sizeof *in->window_of);
    for (uint32_t w = 0; w < l->window_count; ++w) {
        in->window_of[in->windows[w].rows[TLW_ROW_SELF] / TLW_BLOB_LANES] = w;
    }
    for (uint32_t v = 0; v < l->voxel_count; ++v) {
        in->places[v].key = key_of(in->voxel_cell[v].x, in->voxel_cell[v].y, in->voxel_cell[v].z);
        in->places[v].voxel = v;
    }
    qsort(in->places, l->voxel_count, sizeof *in->places, compare_places);
    return true;
}

void tlw_inspect_close(tlw_inspect* in) {
    free(in->window_of);
    free(in->places);
    *in = (tlw_inspect){0};
}

uint32_t tlw_inspect_voxel_at(const tlw_inspect* in, int32_t x, int32_t y, int32_t z) {
    if (x < 0 || y < 0 || z < 0 || x > INT16_MAX || y > INT16_MAX || z > INT16_MAX) {
        return TLW_BLOB_NO_INDEX;
    }
    const uint64_t key = key_of(x, y, z);
    uint32_t low = 0, high = in->lattice->voxel_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (in->places[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < in->lattice->voxel_count && in->places[low].key == key ? in->places[low].voxel
                                                                        : TLW_BLOB_NO_INDEX;
}

uint32_t tlw_inspect_voxel_of_site(const tlw_inspect* in, uint32_t site) {
    const uint32_t w = in->window_of[site / TLW_BLOB_LANES];
    return w != TLW_BLOB_NO_INDEX ? in->slot_voxel[w * TLW_BLOB_LANES + site % TLW_BLOB_LANES]
                                  : TLW_BLOB_NO_INDEX;
}

// A cell of the lattice's axes, which begin with the lane axis, as a cell of the axes x, y, z.
static uint32_t cell_in_xyz(uint32_t cell, uint32_t lane_axis) {
    static const uint32_t weight[3] = {1, 3, 9};
    return cell % 3 * weight[lane_axis] + cell / 3 % 3 * weight[(lane_axis + 1) % 3] +
           cell / 9 * weight[(lane_axis + 2) % 3];
}

void tlw_inspect_around(const tlw_inspect* in, uint32_t voxel, uint32_t around[TLW_CELLS_AROUND]) {
    memset(around, 0xFF, TLW_CELLS_AROUND * sizeof *around);
    around[TLW_CELL_SELF] = voxel;
    const uint32_t slot = in->voxel_slot[voxel], lane = slot % TLW_BLOB_LANES;
    const tlw_blob_window* window = &in->windows[slot / TLW_BLOB_LANES];
    for (int step = 0; step < TLW_STEPS; ++step) {
        if (window->links[step] >> lane & 1) {
            const uint32_t cell = (uint32_t)tlw_cell_of_step(step);
            around[cell_in_xyz(cell, in->lattice->lane_axis)] =
                tlw_inspect_voxel_of_site(in, window->rows[cell / 3] + lane + cell % 3 - 1);
        }
    }
}

bool tlw_inspect_is_neighbour(const tlw_inspect* in, uint32_t cell) {
    return tlw_neighbour_set_has(in->lattice->neighbours, tlw_cell_distance((int)cell));
}

tlw_inspect_joints tlw_inspect_joints_of(const tlw_inspect* in, uint32_t voxel) {
    const uint32_t slot = in->voxel_slot[voxel];
    const tlw_blob_window* window = &in->windows[slot / TLW_BLOB_LANES];
    tlw_inspect_joints out = {.count = 0};
    for (uint32_t k = 0; k < window->influences;
         ++k) { // the list ascends, so equal weights stay in order
        const size_t i = (size_t)window->first_influence + k;
        const float weight = in->influence_weight[i * TLW_BLOB_LANES + slot % TLW_BLOB_LANES];
        if (weight > 0.0f) {
            uint32_t at = out.count++;
            for (; at > 0 && out.weight[at - 1] < weight; --at) {
                out.joint[at] = out.joint[at - 1];
                out.weight[at] = out.weight[at - 1];
            }
            out.joint[at] = in->influence_joint[i];
            out.weight[at] = weight;
        }
    }
    return out;
}

uint32_t tlw_inspect_part(const tlw_inspect* in, uint32_t voxel) {
    return tlw_inspect_joints_of(in, voxel).joint[0];
}

uint32_t tlw_inspect_layer(const tlw_inspect* in, uint32_t voxel) {
    return in->slot_layer[in->voxel_slot[voxel]];
}

uint32_t tlw_inspect_material_part(const tlw_inspect* in, uint32_t voxel) {
    return in->slot_material[in->voxel_slot[voxel]] / in->lattice->layer_count;
}

tlw_inspect_bends tlw_inspect_bends_of(const tlw_inspect* in, uint32_t voxel) {
    tlw_inspect_bends out = {.count = 0};
    if (in->bends == NULL) {
        return out;
    }
    const uint32_t slot = in->voxel_slot[voxel], lane = slot % TLW_BLOB_LANES;
    const tlw_blob_bend_window* lists = &in->bend_windows[slot / TLW_BLOB_LANES];
    for (size_t i = lists->first_entry; i < lists[1].first_entry; ++i) {
        const float share = (float)in->bend_share[i * TLW_BLOB_LANES + lane] * TLW_BLOB_BEND_UNIT;
        if (share > 0.0f) {
            const uint32_t at = out.count > 0 && out.share[0] < share ? 0 : out.count;
            if (at < out.count) { // at most two: the one that is there gives way
                out.bend[1] = out.bend[0];
                out.share[1] = out.share[0];
            }
            out.bend[at] = in->bend_entry[i];
            out.share[at] = share;
            out.count += 1;
        }
    }
    return out;
}

void tlw_inspect_field_of(const tlw_inspect* in, uint32_t voxel, float field[3]) {
    const size_t slot = in->voxel_slot[voxel], lane = slot % TLW_BLOB_LANES;
    for (size_t axis = 0; axis < 3; ++axis) {
        const size_t at = (slot / TLW_BLOB_LANES * 3 + axis) * TLW_BLOB_LANES + lane;
        field[(in->lattice->lane_axis + axis) % 3] =
            in->field != NULL ? (float)in->field[at] * TLW_BLOB_FIELD_UNIT : 0.0f;
    }
}

uint32_t tlw_inspect_bend_voxels(const tlw_inspect* in, uint32_t bend) {
    const size_t entries =
        in->bends != NULL ? in->bend_windows[in->lattice->window_count].first_entry : 0;
    uint32_t voxels = 0;
    for (size_t i = 0; i < entries; ++i) {
        for (size_t lane = 0; lane < TLW_BLOB_LANES && in->bend_entry[i] == bend; ++lane) {
            voxels += in->bend_share[i * TLW_BLOB_LANES + lane] > 0;
        }
    }
    return voxels;
}

double tlw_inspect_limb_length(const tlw_inspect* in, uint32_t limb) {
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double along =
            (double)in->limbs[limb].ends[1][axis] - (double)in->limbs[limb].ends[0][axis];
        squared += along * along;
    }
    return sqrt(squared);
}

uint32_t tlw_inspect_limb_voxels(const tlw_inspect* in, uint32_t limb) {
    uint32_t voxels = 0;
    for (uint32_t s = 0; s < in->lattice->slot_count; ++s) {
        voxels += in->slot_limbs[s].touches >> limb & 1;
    }
    return voxels;
}

bool tlw_inspect_has_rest_gravity(const tlw_inspect* in) {
    const float* g = in->lattice->rest_gravity;
    return g[0] != 0.0f || g[1] != 0.0f || g[2] != 0.0f;
}

double tlw_inspect_delta(float anchor_hz) {
    const double angle = 2.0 * 3.14159265358979323846 * (double)anchor_hz / 60.0;
    return exp(-angle * angle);
}

const char* tlw_inspect_skinning(const tlw_inspect* in) {
    static const char* const words[] = {
#define SKINNING_WORD(enumerator, text) text,
        TLW_SKINNINGS(SKINNING_WORD)
#undef SKINNING_WORD
    };
    return words[in->lattice->skinning];
}

tlw_inspect_drawn tlw_inspect_draw(const tlw_picture* picture, tlw_inspect_write* write,
                                   void* user) {
    const tlw_result result = tlw_picture_write(picture, write, user);
    return result == TLW_OK                    ? TLW_DRAWN
           : result == TLW_ERROR_OUT_OF_MEMORY ? TLW_DRAWN_NO_MEMORY
                                               : TLW_DRAWN_NOT_WRITTEN;
}

tlw_inspect_vertices tlw_inspect_vertices_of(const tlw_inspect* in) {
    tlw_inspect_vertices out = {.has_rings = in->ring_neighbour != NULL,
                                .has_rbf = in->rbf != NULL};
    uint64_t bytes = 0, voxels = 0, joints = 0;
    for (uint32_t i = 0; i < in->header->section_count; ++i) {
        const tlw_blob_section* section = &in->table[i];
        if (section->kind >= TLW_SECTION_GROUPS && section->kind <= TLW_SECTION_VERTEX_COOKED) {
            bytes += section->count * section->element_bytes;
        }
        voxels += section->kind == TLW_SECTION_GROUP_VOXEL ? section->count : 0;
        joints += section->kind == TLW_SECTION_GROUP_JOINT ? section->count : 0;
    }
    if (in->lattice->vertex_count > 0) {
        out.bytes_per_vertex = (double)bytes / in->lattice->vertex_count;
        out.voxels_per_group = (double)voxels / in->lattice->group_count;
        out.joints_per_group = (double)joints / in->lattice->group_count;
    }
    return out;
}
