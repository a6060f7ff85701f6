// SPDX-License-Identifier: MIT
#if !defined(_WIN32)
#    define _POSIX_C_SOURCE 200809L // posix_memalign
#endif

#include "tests/cook/blob_reader.h"

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
    const uint16_t *slot_joints, *slot_materials;
    const char* problem;
    double sum; // of all that was read, so that no read is left out
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

static void read_slots(reader* r) {
    const uint32_t slots = r->lattice->slot_count;
    const tlw_blob_material* materials = section(r, TLW_SECTION_MATERIALS);
    const uint8_t* layers = section(r, TLW_SECTION_SLOT_LAYER);
    const tlw_blob_layer* layer_list = section(r, TLW_SECTION_LAYERS);
    for (uint32_t s = 0; s < slots; ++s) {
        double sum = 0.0;
        for (uint32_t k = 0; k < TLW_BLOB_JOINTS_A_VOXEL; ++k) {
            const size_t at = (size_t)k * slots + s;
            sum += (double)r->weights[at];
            take(r, (double)r->weights[at] * r->joints[r->slot_joints[at]].bind[12], "a weight");
        }
        take(r, (double)materials[r->slot_materials[s]].stiffness, "stiffness");
        take(r, pow((double)materials[r->slot_materials[s]].damping, 0.1), "damping");
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

static void read_window(reader* r, const tlw_blob_window* window) {
    for (int row = 0; row < 9; ++row) { // as wide loads do it: whole, whatever is linked
        take_floats(r, r->weights + window->rows[row] - 1, TLW_BLOB_LANES + 2, "a load");
        take_floats(r, r->volume + window->rows[row] - 1, TLW_BLOB_LANES + 2, "a load");
    }
    for (uint32_t k = 0; k < 26; ++k) {
        const uint32_t step = k < 13 ? k : k + 1;
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
            if (window->links[k] >> lane & 1) {
                const uint32_t slot = window->rows[step / 3] + lane + step % 3 - 1;
                const tlw_blob_cell a = r->cells[r->voxel_of[window->slot + lane]];
                const tlw_blob_cell b = r->cells[r->voxel_of[slot]];
                const int d[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
                const int l2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                need(r, l2 >= 1 && l2 <= 3, "a neighbour in its place");
                r->sum += 1.0 / sqrt((double)l2);
            }
        }
    }
}

// Links as pairs of slots add up to nothing, if each has its other half.
static uint64_t pair_sum(const tlw_blob_window* window) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < 26; ++k) {
        const uint32_t step = k < 13 ? k : k + 1;
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
            if (window->links[k] >> lane & 1) {
                const uint64_t from = window->slot + lane;
                const uint64_t to = window->rows[step / 3] + lane + step % 3 - 1;
                sum += (from << 32 | to) * 0x9E3779B97F4A7C15u >> 7;
                sum -= (to << 32 | from) * 0x9E3779B97F4A7C15u >> 7;
            }
        }
    }
    return sum;
}

static void read_windows(reader* r) {
    const tlw_blob_window* windows = section(r, TLW_SECTION_WINDOWS);
    const uint32_t* splits = section(r, TLW_SECTION_SPLITS);
    uint64_t pairs = 0, seen = 0;
    for (uint64_t i = 0; i + 1 < section_count(r, TLW_SECTION_SPLITS); ++i) {
        for (uint32_t w = splits[i]; w < splits[i + 1]; ++w) {
            read_window(r, &windows[w]);
            pairs += pair_sum(&windows[w]);
            seen += 1;
        }
    }
    need(r, seen == r->lattice->window_count, "windows of all splits");
    need(r, pairs == 0, "links that go both ways");
}

static void read_regions(reader* r) {
    const tlw_blob_region* regions = section(r, TLW_SECTION_REGIONS);
    for (uint64_t i = 0; i < section_count(r, TLW_SECTION_REGIONS); ++i) {
        double mass = 0.0, x = 0.0;
        for (int k = 0; k < 8; ++k) {
            if (regions[i].slots[k] != TLW_BLOB_NO_INDEX) {
                mass += 1.0;
                x += r->cells[r->voxel_of[regions[i].slots[k]]].x;
            }
        }
        take(r, x / mass, "the centre of a region");
    }
}

static void read_meshes(reader* r) {
    const tlw_blob_mesh* meshes = section(r, TLW_SECTION_MESHES);
    const tlw_blob_vertex* vertices = section(r, TLW_SECTION_VERTICES);
    const tlw_blob_skinning* skinning = section(r, TLW_SECTION_SKINNING);
    const tlw_blob_binding* bindings = section(r, TLW_SECTION_BINDINGS);
    const uint32_t* indices = section(r, TLW_SECTION_INDICES);
    const float* uvs = section(r, TLW_SECTION_UVS);
    for (uint64_t m = 0; m < section_count(r, TLW_SECTION_MESHES); ++m) {
        take_name(r, meshes[m].name);
        for (uint32_t i = 0; i < meshes[m].index_count; i += 3) {
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t vertex = indices[meshes[m].first_index + i + k];
                r->sum += (double)vertices[vertex].position[0];
                r->sum += uvs ? (double)uvs[(size_t)vertex * 2 + 1] : 0.0;
            }
        }
    }
    for (uint64_t i = 0; i < section_count(r, TLW_SECTION_INDICES); ++i) {
        r->sum += (double)vertices[indices[i]].normal[0];
    }
    for (uint32_t v = 0; v < r->lattice->vertex_count; ++v) {
        take_floats(r, vertices[v].position, 3, "a position");
        take_floats(r, vertices[v].normal, 3, "a normal");
        take_floats(r, vertices[v].tangent, 4, "a tangent");
        double skin = 0.0, bind = 0.0;
        for (int i = 0; i < 8; ++i) {
            take(r, (double)skinning[v].weights[i] * r->joints[skinning[v].joints[i]].bind[12],
                 "a skin weight");
            take(r,
                 (double)bindings[v].weights[i] *
                     (double)r->cells[r->voxel_of[bindings[v].slots[i]]].x,
                 "a bind weight");
            skin += (double)skinning[v].weights[i];
            bind += (double)bindings[v].weights[i];
        }
        need(r, skin == 0.0 || fabs(skin - 1.0) < 1e-3, "skin weights");
        need(r, fabs(bind - 1.0) < 1e-3, "bind weights");
    }
    take_floats(r, uvs, section_count(r, TLW_SECTION_UVS), "a texture coordinate");
}

const char* blob_unsoundness(const void* bytes) {
    reader r = {.blob = bytes};
    r.lattice = section(&r, TLW_SECTION_LATTICE);
    r.strings = section(&r, TLW_SECTION_STRINGS);
    r.joints = section(&r, TLW_SECTION_JOINTS);
    r.voxel_of = section(&r, TLW_SECTION_SLOT_VOXEL);
    r.slot_of = section(&r, TLW_SECTION_VOXEL_SLOT);
    r.cells = section(&r, TLW_SECTION_VOXEL_CELL);
    r.weights = section(&r, TLW_SECTION_SLOT_WEIGHT);
    r.limits = section(&r, TLW_SECTION_SLOT_LIMIT);
    r.volume = section(&r, TLW_SECTION_SLOT_VOLUME_WEIGHT);
    r.slot_joints = section(&r, TLW_SECTION_SLOT_JOINT);
    r.slot_materials = section(&r, TLW_SECTION_SLOT_MATERIAL);
    take(&r, 1.0 / (double)(float)r.lattice->voxel_metres, "the voxel size");
    take(&r, (double)(float)r.lattice->extent_voxels, "the extent");
    take(&r, (double)(float)r.lattice->origin[0], "the origin");
    take(&r, 1.0 / (double)r.lattice->stiffness_scale, "the stiffness scale");
    take(&r, (double)r.lattice->anchor_hz, "the anchor");
    take(&r, (double)r.lattice->cost, "the cost");
    read_skeleton(&r);
    read_slots(&r);
    read_windows(&r);
    read_regions(&r);
    read_meshes(&r);
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
