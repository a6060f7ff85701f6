// SPDX-License-Identifier: MIT
// The blob's validator: header, table, lattice, skeleton and meshes. What voxels have is in
// blob_voxels.c. Freestanding; reads the blob, writes only the report.
#include "runtime/blob/validator.h"

#include "platform/checked.h"
#include "platform/fpu.h"

#include <string.h>

// The table of sections

typedef enum count_rule {
    COUNT_ONE,
    COUNT_ANY,
    COUNT_OPTIONAL,
    COUNT_JOINTS,
    COUNT_LAYERS,
    COUNT_PARTS,
    COUNT_MATERIALS,
    COUNT_WINDOWS,
    COUNT_INFLUENCES,
    COUNT_INFLUENCE_LANES,
    COUNT_PAIRS,
    COUNT_SITES,
    COUNT_SLOTS,
    COUNT_SLOTS_TIMES_3,
    COUNT_MOMENTS,
    COUNT_REGIONS_OF_SLOTS,
    COUNT_SITES_OF_REGIONS,
    COUNT_REGIONS,
    COUNT_VOXELS,
    COUNT_VERTICES
} count_rule;

typedef struct section_rule {
    const char* name;
    uint32_t name_bytes; // known here, or gcc would make a call to strlen of the loop
    uint32_t element_bytes;
    count_rule count;
} section_rule;

static const section_rule section_rules[TLW_SECTION_COUNT] = {
#define SECTION_RULE(name, field, type, count) \
    {#name, sizeof #name - 1, sizeof(type), COUNT_##count},
    TLW_BLOB_SECTIONS(SECTION_RULE)
#undef SECTION_RULE
};

const char* tlw_blob_section_name(uint32_t kind) {
    return kind < TLW_SECTION_COUNT ? section_rules[kind].name : "unknown";
}

uint64_t tlw_blob_layout_hash(void) {
    uint64_t hash = TLW_BLOB_FORMAT_VERSION;
    for (uint32_t i = 0; i < TLW_SECTION_COUNT; ++i) {
        const section_rule* rule = &section_rules[i];
        // Format 4 was first written with another name for this section. The hash keeps that name,
        // so that blobs of format 4 stay valid; the next format drops it.
        const char* name = i == TLW_SECTION_SITE_KIND ? "SITE_BODY" : rule->name;
        hash = tlw_xxh64(name, rule->name_bytes, hash + rule->element_bytes);
    }
    return hash;
}

const void* tlw_blob_find(const void* bytes, tlw_blob_section_kind kind, uint64_t* count) {
    const tlw_blob_header* header = bytes;
    const tlw_blob_section* table = (const tlw_blob_section*)(header + 1);
    for (uint32_t i = 0; i < header->section_count; ++i) {
        if (table[i].kind == (uint32_t)kind) {
            *count = table[i].count;
            return (const uint8_t*)bytes + table[i].offset;
        }
    }
    *count = 0;
    return NULL;
}

// The validator

// Of a double: also once it is a float, which is what the passes make of it.
static bool is_finite_double(double value) {
    return value >= -3e38 && value <= 3e38;
}

static uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static tlw_result check_header(const blob_view* view, tlw_blob_trust trust) {
    const uint32_t table = TLW_SECTION_COUNT;
    if (view->size < sizeof(tlw_blob_header)) {
        return fail(view, table, 0, 0, "size of the header", sizeof(tlw_blob_header), view->size);
    }
    const tlw_blob_header* header = (const tlw_blob_header*)view->bytes;
    if (memcmp(header->magic, TLW_BLOB_MAGIC, sizeof header->magic) != 0) {
        uint64_t expected, found;
        memcpy(&expected, TLW_BLOB_MAGIC, sizeof expected);
        memcpy(&found, header->magic, sizeof found);
        return fail(view, table, 0, 0, "magic", expected, found);
    }
    if (header->byte_order != TLW_BLOB_BYTE_ORDER) {
        return fail(view, table, 0, offsetof(tlw_blob_header, byte_order), "byte order",
                    TLW_BLOB_BYTE_ORDER, header->byte_order);
    }
    if (header->format_version != TLW_BLOB_FORMAT_VERSION) {
        return fail(view, table, 0, offsetof(tlw_blob_header, format_version), "format version",
                    TLW_BLOB_FORMAT_VERSION, header->format_version);
    }
    if (header->layout_hash != tlw_blob_layout_hash()) {
        return fail(view, table, 0, offsetof(tlw_blob_header, layout_hash), "layout hash",
                    tlw_blob_layout_hash(), header->layout_hash);
    }
    if (header->total_bytes != view->size) {
        return fail(view, table, 0, offsetof(tlw_blob_header, total_bytes), "total size",
                    view->size, header->total_bytes);
    }
    if (header->lattice_count != 1) {
        return fail(view, table, 0, offsetof(tlw_blob_header, lattice_count), "lattice count", 1,
                    header->lattice_count);
    }
    for (size_t i = 0; i < sizeof header->reserved; ++i) {
        if (header->reserved[i] != 0) {
            return fail(view, table, 0, offsetof(tlw_blob_header, reserved) + i, "reserved byte", 0,
                        header->reserved[i]);
        }
    }
    if (trust != TLW_BLOB_SKIP_CONTENT_HASH) {
        const uint64_t hash =
            tlw_xxh64(view->bytes + sizeof *header, view->size - sizeof *header, 0);
        if (hash != header->content_hash) {
            return fail(view, table, 0, offsetof(tlw_blob_header, content_hash), "content hash",
                        hash, header->content_hash);
        }
    }
    return TLW_OK;
}

// Every section in the order of the table, each where the one before ends, so that none overlap.
static tlw_result check_table(blob_view* view) {
    const tlw_blob_header* header = (const tlw_blob_header*)view->bytes;
    const uint32_t table = TLW_SECTION_COUNT;
    if (header->section_count > TLW_SECTION_COUNT) {
        return fail(view, table, 0, offsetof(tlw_blob_header, section_count), "section count",
                    TLW_SECTION_COUNT, header->section_count);
    }
    uint64_t end = sizeof *header + (uint64_t)header->section_count * sizeof(tlw_blob_section);
    if (end > view->size) {
        return fail(view, table, 0, sizeof *header, "size of the table", end, view->size);
    }
    const tlw_blob_section* sections = (const tlw_blob_section*)(header + 1);
    int64_t last_kind = -1;
    for (uint32_t i = 0; i < header->section_count; ++i) {
        const tlw_blob_section* section = &sections[i];
        const uint64_t at = sizeof *header + (uint64_t)i * sizeof *section;
        if (section->kind >= TLW_SECTION_COUNT || (int64_t)section->kind <= last_kind) {
            return fail(view, table, i, at, "section kind, ascending", (uint64_t)(last_kind + 1),
                        section->kind);
        }
        last_kind = section->kind;
        const section_rule* rule = &section_rules[section->kind];
        if (section->element_bytes != rule->element_bytes) {
            return fail(view, section->kind, i, at, "element size", rule->element_bytes,
                        section->element_bytes);
        }
        if (section->lattice != 0 || section->reserved != 0) {
            return fail(view, section->kind, i, at, "lattice or reserved field", 0,
                        section->lattice | section->reserved);
        }
        // `end` is at most the size of what lies in memory: there is room for the padding.
        const uint64_t expected =
            (end + TLW_BLOB_ALIGNMENT - 1) & ~(uint64_t)(TLW_BLOB_ALIGNMENT - 1);
        uint64_t bytes;
        if (section->offset != expected) {
            return fail(view, section->kind, i, at, "section offset", expected, section->offset);
        }
        if (!tlw_mul_u64(section->count, section->element_bytes, &bytes) ||
            !tlw_add_u64(section->offset, bytes, &end) || end > view->size) {
            const uint64_t room = section->offset < view->size ? view->size - section->offset : 0;
            return fail(view, section->kind, i, at, "section size", room / section->element_bytes,
                        section->count);
        }
        view->sections[section->kind] = section;
    }
    if (end != view->size) {
        return fail(view, table, header->section_count, end, "end of the last section", view->size,
                    end);
    }
    return TLW_OK;
}

static tlw_result check_lattice(blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_LATTICE;
    if (count_of(view, kind) != 1) {
        return fail(view, (uint32_t)kind, 0, 0, "one lattice", 1, count_of(view, kind));
    }
    const tlw_blob_lattice* l = view->lattice = first_of(view, kind);
    const double reals[] = {l->voxel_metres, l->origin[0], l->origin[1], l->origin[2],
                            l->extent_voxels};
    for (size_t i = 0; i < TLW_COUNT_OF(reals); ++i) {
        if (!is_finite_double(reals[i])) {
            return fail_at(view, kind, 0, "finite number", i, bits_of_double(reals[i]));
        }
    }
    // Its inverse is finite too.
    if (!(l->voxel_metres >= 1e-30)) {
        return fail_at(view, kind, 0, "voxel size, at least 1e-30", bits_of_double(1e-30),
                       bits_of_double(l->voxel_metres));
    }
    if (!(l->extent_voxels > 0.0)) {
        return fail_at(view, kind, 0, "extent above 0", 0, bits_of_double(l->extent_voxels));
    }
    if (!is_finite(l->anchor_hz) || l->anchor_hz < 0.0f) {
        return fail_at(view, kind, 0, "anchor, 0 or more", 0, bits_of(l->anchor_hz));
    }
    if (!is_finite(l->stiffness_scale) || !(l->stiffness_scale > 0.0f)) {
        return fail_at(view, kind, 0, "stiffness scale above 0", 0, bits_of(l->stiffness_scale));
    }
    if (!is_finite(l->cost) || l->cost < 0.0f) {
        return fail_at(view, kind, 0, "cost, 0 or more", 0, bits_of(l->cost));
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (l->size[axis] == 0 || l->size[axis] > INT16_MAX) {
            return fail_at(view, kind, 0, "cells along an axis, 1 to 32767", 1, l->size[axis]);
        }
    }
    const struct {
        const char* what;
        uint64_t low, high, found;
    } ranges[] = {
        {"lane axis", 0, 2, l->lane_axis},
        {"voxel count", 1, UINT32_MAX / 4, l->voxel_count},
        {"window count", 1, UINT32_MAX / 128, l->window_count},
        {"slot count", (uint64_t)l->window_count * TLW_BLOB_LANES,
         (uint64_t)l->window_count * TLW_BLOB_LANES, l->slot_count},
        {"site count", 2 * TLW_BLOB_PADDING + TLW_BLOB_LANES, UINT32_MAX / 4, l->site_count},
        {"influence count", l->window_count, (uint64_t)l->window_count * TLW_BLOB_JOINTS_A_WINDOW,
         l->influence_count},
        {"pair count", 1, UINT16_MAX, l->pair_count},
        {"region count", 0, l->region_width == 2 ? UINT32_MAX / 16 : 0, l->region_count},
        {"joint count", 1, UINT16_MAX, l->joint_count},
        {"layer count", 2, TLW_BLOB_LAYERS_MAX, l->layer_count},
        {"part count", 1, (uint64_t)l->joint_count + 1, l->part_count},
        {"region width", 2, 3, l->region_width},
        {"artist weights flag", 0, 1, l->has_artist_weights},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(ranges); ++i) {
        if (ranges[i].found < ranges[i].low || ranges[i].found > ranges[i].high) {
            return fail_at(view, kind, 0, ranges[i].what, ranges[i].low, ranges[i].found);
        }
    }
    if (l->site_count % TLW_BLOB_LANES != 0) {
        return fail_at(view, kind, 0, "site count, a multiple of 8", 0, l->site_count);
    }
    if (l->part_count * l->layer_count > UINT16_MAX) {
        return fail_at(view, kind, 0, "materials", UINT16_MAX, l->part_count * l->layer_count);
    }
    const uint32_t sets[] = {6, 14, 18, 20, 26};
    bool is_known = false;
    for (size_t i = 0; i < TLW_COUNT_OF(sets); ++i) {
        is_known = is_known || l->neighbours == sets[i];
    }
    if (!is_known) {
        return fail_at(view, kind, 0, "neighbour set", 26, l->neighbours);
    }
    return TLW_OK;
}

static uint64_t expected_count(const blob_view* view, count_rule rule, uint64_t found) {
    const tlw_blob_lattice* l = view->lattice;
    switch (rule) {
    case COUNT_ONE:
        return 1;
    case COUNT_JOINTS:
        return l->joint_count;
    case COUNT_LAYERS:
        return l->layer_count;
    case COUNT_PARTS:
        return l->part_count;
    case COUNT_MATERIALS:
        return (uint64_t)l->part_count * l->layer_count;
    case COUNT_WINDOWS:
        return l->window_count;
    case COUNT_SLOTS:
        return l->slot_count;
    case COUNT_INFLUENCES:
        return l->influence_count;
    case COUNT_INFLUENCE_LANES:
        return (uint64_t)l->influence_count * TLW_BLOB_LANES;
    case COUNT_PAIRS:
        return l->pair_count;
    case COUNT_SITES:
        return l->site_count;
    case COUNT_SLOTS_TIMES_3:
        return (uint64_t)l->slot_count * 3;
    case COUNT_MOMENTS:
        return (uint64_t)l->slot_count * TLW_MOMENT_COUNT;
    case COUNT_REGIONS_OF_SLOTS:
        return l->region_width == 2 ? (uint64_t)l->slot_count * 8 : 0;
    case COUNT_SITES_OF_REGIONS:
        return tlw_blob_region_stride(l) * 8;
    case COUNT_REGIONS:
        return l->region_count;
    case COUNT_VOXELS:
        return l->voxel_count;
    case COUNT_VERTICES:
        return l->vertex_count;
    default:
        return found;
    }
}

static tlw_result check_counts(const blob_view* view) {
    for (uint32_t kind = 0; kind < TLW_SECTION_COUNT; ++kind) {
        const section_rule* rule = &section_rules[kind];
        if (view->sections[kind] == NULL) {
            if (rule->count != COUNT_OPTIONAL) {
                return fail(view, kind, 0, 0, "section present", 1, 0);
            }
            continue;
        }
        const uint64_t found = view->sections[kind]->count;
        const uint64_t expected = expected_count(view, rule->count, found);
        if (found != expected) {
            return fail_at(view, (tlw_blob_section_kind)kind, 0, "element count", expected, found);
        }
    }
    return TLW_OK;
}

// A name is a byte of the strings section from which a zero is reached.
static bool is_name(const blob_view* view, uint32_t name) {
    const uint8_t* strings = first_of(view, TLW_SECTION_STRINGS);
    const uint64_t count = count_of(view, TLW_SECTION_STRINGS);
    return name < count && strings[count - 1] == 0;
}

// Every joint leads up to a root. Joints on a way that was walked before are marked, so that a
// chain takes two steps a joint and not as many as stand above it.
static tlw_result check_parents(const blob_view* view) {
    const tlw_blob_joint* joints = first_of(view, TLW_SECTION_JOINTS);
    const uint32_t count = view->lattice->joint_count;
    uint8_t has_root[UINT16_MAX / 8 + 1];
    memset(has_root, 0, sizeof has_root);
    for (uint32_t j = 0; j < count; ++j) {
        if (joints[j].parent != TLW_BLOB_NO_INDEX && joints[j].parent >= count) {
            return fail_at(view, TLW_SECTION_JOINTS, j, "parent", count, joints[j].parent);
        }
    }
    for (uint32_t j = 0; j < count; ++j) {
        uint32_t steps = 0, up = j;
        while (up != TLW_BLOB_NO_INDEX && !(has_root[up / 8] >> up % 8 & 1)) {
            if (++steps > count) {
                return fail_at(view, TLW_SECTION_JOINTS, j, "a root above it", count, up);
            }
            up = joints[up].parent;
        }
        for (up = j; steps > 0; --steps) {
            has_root[up / 8] = (uint8_t)(has_root[up / 8] | 1u << up % 8);
            up = joints[up].parent;
        }
    }
    return TLW_OK;
}

static tlw_result check_joints(const blob_view* view) {
    const tlw_blob_joint* joints = first_of(view, TLW_SECTION_JOINTS);
    for (uint32_t j = 0; j < view->lattice->joint_count; ++j) {
        for (int i = 0; i < 16; ++i) {
            if (!is_finite_double(joints[j].bind[i])) {
                return fail_at(view, TLW_SECTION_JOINTS, j, "finite bind matrix", (uint64_t)i,
                               bits_of_double(joints[j].bind[i]));
            }
        }
        if (!tlw_blob_is_bind(joints[j].bind)) {
            return fail_at(view, TLW_SECTION_JOINTS, j, "bind matrix with an inverse",
                           bits_of_double(1.0), bits_of_double(joints[j].bind[15]));
        }
        if (!is_name(view, joints[j].name)) {
            return fail_at(view, TLW_SECTION_JOINTS, j, "name", count_of(view, TLW_SECTION_STRINGS),
                           joints[j].name);
        }
        if (joints[j].part >= view->lattice->part_count) {
            return fail_at(view, TLW_SECTION_JOINTS, j, "part", view->lattice->part_count,
                           joints[j].part);
        }
        if (joints[j].is_kept > 1) {
            return fail_at(view, TLW_SECTION_JOINTS, j, "kept flag", 1, joints[j].is_kept);
        }
    }
    return check_parents(view);
}

static tlw_result check_materials(const blob_view* view) {
    const tlw_blob_layer* layers = first_of(view, TLW_SECTION_LAYERS);
    const tlw_blob_part* parts = first_of(view, TLW_SECTION_PARTS);
    const tlw_blob_material* materials = first_of(view, TLW_SECTION_MATERIALS);
    const tlw_blob_lattice* l = view->lattice;
    for (uint32_t i = 0; i < l->layer_count; ++i) {
        if (!is_name(view, layers[i].name)) {
            return fail_at(view, TLW_SECTION_LAYERS, i, "name", count_of(view, TLW_SECTION_STRINGS),
                           layers[i].name);
        }
    }
    uint64_t voxels = 0;
    for (uint32_t i = 0; i < l->part_count; ++i) {
        const bool is_right =
            i == 0 ? parts[i].joint == TLW_BLOB_NO_INDEX : parts[i].joint < l->joint_count;
        if (!is_right) {
            return fail_at(view, TLW_SECTION_PARTS, i, "joint", l->joint_count, parts[i].joint);
        }
        voxels += parts[i].voxel_count;
    }
    if (voxels != l->voxel_count) {
        return fail_at(view, TLW_SECTION_PARTS, 0, "voxels of all parts", l->voxel_count, voxels);
    }
    for (uint32_t i = 0; i < l->part_count * l->layer_count; ++i) {
        const tlw_blob_material* m = &materials[i];
        if (!is_finite(m->stiffness) || m->stiffness < 0.0f) {
            return fail_at(view, TLW_SECTION_MATERIALS, i, "stiffness, 0 or more", 0,
                           bits_of(m->stiffness));
        }
        if (!(m->damping >= 0.0f && m->damping <= 1.0f)) {
            return fail_at(view, TLW_SECTION_MATERIALS, i, "damping, 0 to 1", bits_of(1.0f),
                           bits_of(m->damping));
        }
    }
    return TLW_OK;
}

static tlw_result check_meshes(const blob_view* view) {
    const tlw_blob_mesh* meshes = first_of(view, TLW_SECTION_MESHES);
    const uint32_t* indices = first_of(view, TLW_SECTION_INDICES);
    const uint64_t index_count = count_of(view, TLW_SECTION_INDICES);
    uint64_t next = 0, next_index = 0;
    for (uint64_t m = 0; m < count_of(view, TLW_SECTION_MESHES); ++m) {
        const tlw_blob_mesh* mesh = &meshes[m];
        if (!is_name(view, mesh->name)) {
            return fail_at(view, TLW_SECTION_MESHES, m, "name", count_of(view, TLW_SECTION_STRINGS),
                           mesh->name);
        }
        if (mesh->has_normals > 1 || mesh->has_tangents > 1 || mesh->is_points > 1) {
            return fail_at(view, TLW_SECTION_MESHES, m, "flags, 0 or 1", 1,
                           mesh->has_normals | mesh->has_tangents | mesh->is_points);
        }
        if (mesh->first_vertex != next ||
            mesh->vertex_count > view->lattice->vertex_count - mesh->first_vertex) {
            return fail_at(view, TLW_SECTION_MESHES, m, "vertices one after another", next,
                           mesh->first_vertex);
        }
        next += mesh->vertex_count;
        if (mesh->first_index != next_index || mesh->index_count > index_count - next_index) {
            return fail_at(view, TLW_SECTION_MESHES, m, "indices one after another", next_index,
                           mesh->first_index);
        }
        if (mesh->index_count % 3 != 0) {
            return fail_at(view, TLW_SECTION_MESHES, m, "indices, a multiple of 3", 0,
                           mesh->index_count);
        }
        next_index += mesh->index_count;
        for (uint64_t i = 0; i < mesh->index_count; ++i) {
            const uint64_t at = mesh->first_index + i;
            if (indices[at] < mesh->first_vertex ||
                indices[at] - mesh->first_vertex >= mesh->vertex_count) {
                return fail_at(view, TLW_SECTION_INDICES, at, "vertex of its mesh",
                               mesh->vertex_count, indices[at]);
            }
        }
    }
    if (next != view->lattice->vertex_count) {
        return fail_at(view, TLW_SECTION_LATTICE, 0, "vertices of all meshes", next,
                       view->lattice->vertex_count);
    }
    if (next_index != index_count) { // the rest would belong to no mesh, and be checked by none
        return fail(view, TLW_SECTION_INDICES, next_index,
                    view->sections[TLW_SECTION_INDICES]->offset, "indices of all meshes",
                    next_index, index_count);
    }
    const float* uvs = first_of(view, TLW_SECTION_UVS);
    const uint64_t uv_count = count_of(view, TLW_SECTION_UVS);
    if (uvs && uv_count != (uint64_t)view->lattice->vertex_count * 2) {
        return fail(view, TLW_SECTION_UVS, 0, view->sections[TLW_SECTION_UVS]->offset,
                    "two a vertex", (uint64_t)view->lattice->vertex_count * 2, uv_count);
    }
    for (uint64_t i = 0; i < uv_count; ++i) {
        if (!is_finite(uvs[i])) {
            return fail_at(view, TLW_SECTION_UVS, i, "finite number", 0, bits_of(uvs[i]));
        }
    }
    return TLW_OK;
}

static tlw_result check_vertices(const blob_view* view) {
    const tlw_blob_vertex* vertices = first_of(view, TLW_SECTION_VERTICES);
    const tlw_blob_skinning* skinning = first_of(view, TLW_SECTION_SKINNING);
    const tlw_blob_binding* bindings = first_of(view, TLW_SECTION_BINDINGS);
    const uint32_t* voxel_of = first_of(view, TLW_SECTION_SLOT_VOXEL);
    for (uint32_t v = 0; v < view->lattice->vertex_count; ++v) {
        float parts[10];
        memcpy(parts, &vertices[v], sizeof parts);
        for (int i = 0; i < 10; ++i) {
            if (!is_finite(parts[i])) {
                return fail_at(view, TLW_SECTION_VERTICES, v, "finite number", (uint64_t)i,
                               bits_of(parts[i]));
            }
        }
        float skin_sum = 0.0f, bind_sum = 0.0f;
        for (int i = 0; i < 8; ++i) {
            const float skin = skinning[v].weights[i], bind = bindings[v].weights[i];
            if (skinning[v].joints[i] >= view->lattice->joint_count) {
                return fail_at(view, TLW_SECTION_SKINNING, v, "joint", view->lattice->joint_count,
                               skinning[v].joints[i]);
            }
            if (!(skin >= 0.0f && skin <= 1.0f)) {
                return fail_at(view, TLW_SECTION_SKINNING, v, "weight, 0 to 1", bits_of(1.0f),
                               bits_of(skin));
            }
            const uint32_t slot = bindings[v].slots[i];
            if (slot >= view->lattice->slot_count || voxel_of[slot] == TLW_BLOB_NO_INDEX) {
                return fail_at(view, TLW_SECTION_BINDINGS, v, "slot of a voxel",
                               view->lattice->slot_count, slot);
            }
            if (!(bind >= 0.0f && bind <= 1.0f)) {
                return fail_at(view, TLW_SECTION_BINDINGS, v, "weight, 0 to 1", bits_of(1.0f),
                               bits_of(bind));
            }
            skin_sum += skin;
            bind_sum += bind;
        }
        if (skin_sum != 0.0f && !(skin_sum > 0.9999f && skin_sum < 1.0001f)) {
            return fail_at(view, TLW_SECTION_SKINNING, v, "weights that sum to 1, or none",
                           bits_of(1.0f), bits_of(skin_sum));
        }
        if (!(bind_sum > 0.9999f && bind_sum < 1.0001f)) {
            return fail_at(view, TLW_SECTION_BINDINGS, v, "weights that sum to 1", bits_of(1.0f),
                           bits_of(bind_sum));
        }
    }
    return TLW_OK;
}

tlw_result tlw_blob_validate(const void* bytes, size_t size, tlw_blob_trust trust,
                             tlw_blob_report* report) {
    TLW_FLOAT_SCOPE();
    blob_view view = {.bytes = bytes, .size = size, .report = report};
    if (report) {
        *report = (tlw_blob_report){.result = TLW_OK, .section = TLW_SECTION_COUNT, .what = ""};
    }
    if (bytes == NULL || (uintptr_t)bytes % TLW_BLOB_ALIGNMENT != 0) {
        if (report) {
            report->result = TLW_ERROR_MISALIGNED;
            report->what = "address, a multiple of 64";
            report->expected = TLW_BLOB_ALIGNMENT;
            report->found = (uintptr_t)bytes % TLW_BLOB_ALIGNMENT;
        }
        return TLW_ERROR_MISALIGNED;
    }
    tlw_result result = check_header(&view, trust);
    if (result == TLW_OK) {
        result = check_table(&view);
    }
    if (result == TLW_OK) {
        result = check_lattice(&view);
    }
    static tlw_result (*const checks[])(const blob_view*) = {check_counts,    check_joints,
                                                             check_materials, tlw_blob_check_voxels,
                                                             check_meshes,    check_vertices};
    for (size_t i = 0; i < TLW_COUNT_OF(checks) && result == TLW_OK; ++i) {
        result = checks[i](&view);
    }
    return result;
}
