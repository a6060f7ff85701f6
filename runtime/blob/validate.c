// SPDX-License-Identifier: MIT
// The blob's validator (MODEL 9.3): the entry point, the header, the table of sections, the lattice
// and the number of elements of every section. The other checks are in validate_*.c, by what they
// look at; validator.h lists them. Freestanding; reads the blob, writes only the report.
#include "runtime/blob/validator.h"

#include "platform/checked.h"
#include "platform/fpu.h"

#include <float.h>
#include <string.h>

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
        return fail_as(view, TLW_ERROR_OLD_BLOB, table, 0, 0,
                       offsetof(tlw_blob_header, format_version), "format version",
                       TLW_BLOB_FORMAT_VERSION, header->format_version);
    }
    if (header->layout_hash != tlw_blob_layout_hash()) {
        return fail_as(view, TLW_ERROR_OLD_BLOB, table, 0, 0,
                       offsetof(tlw_blob_header, layout_hash), "layout hash",
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
    for (uint32_t i = 0; i < sizeof header->reserved; ++i) {
        if (header->reserved[i] != 0) {
            return fail_in(view, table, 0, i, offsetof(tlw_blob_header, reserved) + i,
                           "reserved byte", 0, header->reserved[i]);
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

// An entry of the table. `end` is the end of the section before, and then of this one.
static tlw_result check_section(const blob_view* view, uint32_t i, int64_t last_kind,
                                uint64_t* end) {
    const tlw_blob_header* header = (const tlw_blob_header*)view->bytes;
    const tlw_blob_section* section = (const tlw_blob_section*)(header + 1) + i;
    const uint64_t at = sizeof *header + (uint64_t)i * sizeof *section;
    if (section->kind >= TLW_SECTION_COUNT || (int64_t)section->kind <= last_kind) {
        return fail(view, TLW_SECTION_COUNT, i, at, "section kind, ascending",
                    integer_bound(section->kind, (uint64_t)(last_kind + 1), TLW_SECTION_COUNT - 1),
                    section->kind);
    }
    const uint32_t element_bytes = tlw_blob_element_bytes((tlw_blob_section_kind)section->kind);
    if (section->element_bytes != element_bytes) {
        return fail(view, section->kind, i, at, "element size", element_bytes,
                    section->element_bytes);
    }
    const uint32_t zeros[] = {section->lattice, section->reserved};
    for (uint32_t k = 0; k < TLW_COUNT_OF(zeros); ++k) {
        if (zeros[k] != 0) {
            return fail_in(view, section->kind, i, k, at, "lattice or reserved field", 0, zeros[k]);
        }
    }
    // `end` is at most the size of a blob in memory, so rounding it up does not overflow.
    const uint64_t offset = tlw_blob_align(*end);
    uint64_t bytes;
    if (section->offset != offset) {
        return fail(view, section->kind, i, at, "section offset", offset, section->offset);
    }
    if (offset > view->size) { // an empty section after the last bytes of a blob that is cut off
        const uint64_t last = view->size / TLW_BLOB_ALIGNMENT * TLW_BLOB_ALIGNMENT;
        return fail(view, section->kind, i, at, "section within the blob", last, offset);
    }
    if (!tlw_mul_u64(section->count, element_bytes, &bytes) || !tlw_add_u64(offset, bytes, end) ||
        *end > view->size) {
        return fail(view, section->kind, i, at, "section size",
                    (view->size - offset) / element_bytes, section->count);
    }
    return TLW_OK;
}

// Sections follow in the order of their kinds, each where the one before ends, so that none
// overlap.
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
        const tlw_result result = check_section(view, i, last_kind, &end);
        if (result != TLW_OK) {
            return result;
        }
        last_kind = sections[i].kind;
        view->sections[sections[i].kind] = &sections[i];
    }
    if (end != view->size) {
        return fail(view, table, header->section_count, end, "end of the last section", view->size,
                    end);
    }
    return TLW_OK;
}

static tlw_result check_lattice_reals(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_LATTICE;
    const tlw_blob_lattice* l = view->lattice;
    const double reals[] = {l->voxel_metres, l->origin[0], l->origin[1], l->origin[2],
                            l->extent_voxels};
    for (uint32_t i = 0; i < TLW_COUNT_OF(reals); ++i) {
        if (!is_finite_double(reals[i])) {
            return fail_component(view, kind, 0, i, "finite number",
                                  double_bound(reals[i], -DOUBLE_MAX, DOUBLE_MAX),
                                  bits_of_double(reals[i]));
        }
    }
    // The inverse of a larger size is finite too.
    if (!(l->voxel_metres >= 1e-30)) {
        return fail_at(view, kind, 0, "voxel size, at least 1e-30", bits_of_double(1e-30),
                       bits_of_double(l->voxel_metres));
    }
    if (!(l->extent_voxels > 0.0)) {
        return fail_at(view, kind, 0, "extent above 0", bits_of_double(DBL_TRUE_MIN),
                       bits_of_double(l->extent_voxels));
    }
    if (!is_finite(l->stiffness_scale) || !(l->stiffness_scale > 0.0f)) {
        return fail_at(view, kind, 0, "stiffness scale above 0",
                       float_bound(l->stiffness_scale, FLT_TRUE_MIN, FLT_MAX),
                       bits_of(l->stiffness_scale));
    }
    if (!is_finite(l->cost) || l->cost < 0.0f) {
        return fail_at(view, kind, 0, "cost, 0 or more", float_bound(l->cost, 0.0f, FLT_MAX),
                       bits_of(l->cost));
    }
    for (uint32_t axis = 0; axis < 3; ++axis) {
        const float g = l->rest_gravity[axis];
        if (!(g >= -TLW_BLOB_GRAVITY_MAX && g <= TLW_BLOB_GRAVITY_MAX)) {
            return fail_component(view, kind, 0, axis, "rest gravity, within 1e6",
                                  float_bound(g, -TLW_BLOB_GRAVITY_MAX, TLW_BLOB_GRAVITY_MAX),
                                  bits_of(g));
        }
    }
    return TLW_OK;
}

static tlw_result check_lattice(blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_LATTICE;
    if (count_of(view, kind) != 1) {
        return fail(view, (uint32_t)kind, 0, 0, "one lattice", 1, count_of(view, kind));
    }
    const tlw_blob_lattice* l = view->lattice = first_of(view, kind);
    const tlw_result result = check_lattice_reals(view);
    if (result != TLW_OK) {
        return result;
    }
    for (uint32_t axis = 0; axis < 3; ++axis) {
        if (l->size[axis] == 0 || l->size[axis] > INT16_MAX) {
            return fail_component(view, kind, 0, axis, "cells along an axis, 1 to 32767",
                                  integer_bound(l->size[axis], 1, INT16_MAX), l->size[axis]);
        }
    }
    const struct {
        const char* what;
        uint64_t low, high, found;
    } ranges[] = {
        {"lane axis", 0, 2, l->lane_axis},
        {"voxel count", 1, UINT32_MAX / 4, l->voxel_count},
        {"window count", 1, UINT32_MAX / 128, l->window_count},
        {"slot count", (uint64_t)l->window_count * LANES, (uint64_t)l->window_count * LANES,
         l->slot_count},
        {"site count", 2 * TLW_BLOB_PADDING + LANES, UINT32_MAX / 4, l->site_count},
        {"influence count", l->window_count, (uint64_t)l->window_count * TLW_BLOB_JOINTS_PER_WINDOW,
         l->influence_count},
        {"pair count", 1, UINT16_MAX, l->pair_count},
        {"region count", 0, l->region_width == 2 ? UINT32_MAX / 16 : 0, l->region_count},
        {"joint count", 1, UINT16_MAX, l->joint_count},
        {"layer count", 2, TLW_BLOB_LAYERS_MAX, l->layer_count},
        {"part count", 1, (uint64_t)l->joint_count + 1, l->part_count},
        {"region width", 2, 3, l->region_width},
        {"artist weights flag", 0, 1, l->has_artist_weights},
        {"skinning", 0, TLW_SKINNING_COUNT - 1, l->skinning},
        {"profile count", 1, TLW_BLOB_PROFILES_MAX, l->profile_count},
        {"limb count", 0, TLW_BLOB_LIMBS_MAX, l->limb_count},
        {"muscle count", 0, TLW_BLOB_MUSCLES_MAX, l->muscle_count},
        {"windows with a Lame voxel", 0, l->window_count, l->lame_windows},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(ranges); ++i) {
        if (ranges[i].found < ranges[i].low || ranges[i].found > ranges[i].high) {
            return fail_at(view, kind, 0, ranges[i].what,
                           integer_bound(ranges[i].found, ranges[i].low, ranges[i].high),
                           ranges[i].found);
        }
    }
    if (l->site_count % LANES != 0) {
        return fail_at(view, kind, 0, "site count, a multiple of 8",
                       l->site_count - l->site_count % LANES, l->site_count);
    }
    if (l->part_count * l->layer_count > UINT16_MAX) {
        return fail_at(view, kind, 0, "materials", UINT16_MAX, l->part_count * l->layer_count);
    }
    if (!tlw_is_neighbour_set(l->neighbours)) {
        return fail_at(view, kind, 0, "neighbour set", TLW_STEPS, l->neighbours);
    }
    return TLW_OK;
}

tlw_result tlw_blob_check_counts(const blob_view* view) {
    for (uint32_t i = 0; i < TLW_SECTION_COUNT; ++i) {
        const tlw_blob_section_kind kind = (tlw_blob_section_kind)i;
        if (view->sections[kind] == NULL) {
            if (!tlw_blob_is_optional(kind)) {
                return fail(view, i, 0, 0, "section present", 1, 0);
            }
            continue;
        }
        const uint64_t found = view->sections[kind]->count;
        const uint64_t expected = tlw_blob_section_elements(kind, view->lattice);
        if (expected != TLW_BLOB_ANY_COUNT && found != expected) {
            return fail_at(view, kind, 0, "element count", expected, found);
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
    const uintptr_t address = (uintptr_t)bytes;
    if (address == 0 || address % TLW_BLOB_ALIGNMENT != 0) {
        if (report) {
            report->result = TLW_ERROR_MISALIGNED;
            report->what = "address, a multiple of 64";
            report->expected = tlw_blob_align(address | 1); // the next one; 64 for null
            report->found = address;
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
    static blob_check* const checks[] = {
#define CHECK_ENTRY(name) tlw_blob_check_##name,
        TLW_BLOB_CHECKS(CHECK_ENTRY)
#undef CHECK_ENTRY
    };
    for (size_t i = 0; i < TLW_COUNT_OF(checks) && result == TLW_OK; ++i) {
        result = checks[i](&view);
    }
    return result;
}
