// SPDX-License-Identifier: MIT
// The blob's validator on damaged blobs: truncated, with flipped bytes, and with one planted error
// per rule (MODEL 9.3). What the validator lets through is read as a runtime would read it
// (blob_reader.h), while the sanitizers watch.
#include "tests/cook/support/damaged_blobs.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TLW_TEST(blobs_of_every_kind_are_valid_and_sound) {
    for (uint32_t i = 0; i < SMALL_BLOB_COUNT; ++i) {
        size_t size;
        uint8_t* blob = get_blob(i, &size);
        tlw_blob_report report;
        CHECK_OK(tlw_blob_validate(blob, size, TLW_BLOB_CHECK_ALL, &report));
        CHECK_EQ(report.result, TLW_OK);
        CHECK_OK(tlw_blob_validate(blob, size, TLW_BLOB_SKIP_CONTENT_HASH, NULL));
        CHECK_STRING(blob_unsoundness(blob) ? blob_unsoundness(blob) : "sound", "sound");
        blob_free(blob);
    }
}

// What is left of a blob that is cut off, with a size and a hash that fit it: the report must have
// two values that differ, also if the sections that are gone are said to be empty.
static void check_truncated(uint8_t* cut, size_t length, bool has_empty_sections) {
    tlw_blob_header* header = (tlw_blob_header*)cut;
    tlw_blob_section* sections = (tlw_blob_section*)(header + 1);
    header->total_bytes = length;
    for (uint32_t i = 0; has_empty_sections && i < header->section_count &&
                         (uint8_t*)(sections + i + 1) <= cut + length;
         ++i) {
        if (sections[i].offset + sections[i].count * sections[i].element_bytes > length) {
            sections[i].offset =
                i > 0 ? tlw_blob_align(sections[i - 1].offset +
                                       sections[i - 1].count * sections[i - 1].element_bytes)
                      : sections[i].offset;
            sections[i].count = 0;
        }
    }
    blob_set_content_hash(cut, length);
    tlw_blob_report report;
    CHECK_RESULT(tlw_blob_validate(cut, length, TLW_BLOB_CHECK_ALL, &report), TLW_ERROR_BAD_BLOB);
    if (report.expected == report.found) {
        tlw_test_fail(__FILE__, __LINE__, "cut to %zu bytes: '%s' expects what it found", length,
                      report.what);
    }
}

TLW_TEST(blob_rejects_every_truncation) {
    for (uint32_t i = 1; i <= 2; ++i) {
        size_t size;
        uint8_t* blob = get_blob(i, &size);
        for (size_t length = 0; length < size; ++length) {
            uint8_t* cut = blob_copy(blob, length);
            CHECK_RESULT(tlw_blob_validate(cut, length, TLW_BLOB_CHECK_ALL, NULL),
                         TLW_ERROR_BAD_BLOB);
            // The same with a size and a hash that fit what is left.
            if (length >= sizeof(tlw_blob_header)) {
                check_truncated(cut, length, false);
                check_truncated(cut, length, true);
            }
            blob_free(cut);
        }
        blob_free(blob);
    }
}

TLW_TEST(blob_rejects_what_is_longer_than_it_says) {
    size_t size;
    uint8_t* blob = get_blob(ELL, &size);
    uint8_t* longer = blob_allocate(size + 64);
    memcpy(longer, blob, size);
    memset(longer + size, 0, 64);
    CHECK_RESULT(tlw_blob_validate(longer, size + 64, TLW_BLOB_CHECK_ALL, NULL),
                 TLW_ERROR_BAD_BLOB);
    ((tlw_blob_header*)longer)->total_bytes = size + 64;
    blob_set_content_hash(longer, size + 64);
    tlw_blob_report report;
    CHECK_RESULT(tlw_blob_validate(longer, size + 64, TLW_BLOB_CHECK_ALL, &report),
                 TLW_ERROR_BAD_BLOB);
    CHECK_STRING(report.what, "end of the last section");
    blob_free(longer);
    blob_free(blob);
}

TLW_TEST(blob_rejects_every_flipped_byte_by_its_hash) {
    static const uint8_t flips[] = {0x01, 0x80, 0xFF};
    for (uint32_t i = 1; i <= 2; ++i) {
        size_t size;
        uint8_t* blob = get_blob(i, &size);
        for (size_t at = 0; at < size; ++at) {
            for (size_t k = 0; k < TLW_COUNT_OF(flips); ++k) {
                const uint8_t flip = flips[k];
                blob[at] ^= flip;
                if (tlw_blob_validate(blob, size, TLW_BLOB_CHECK_ALL, NULL) == TLW_OK) {
                    tlw_test_fail(__FILE__, __LINE__, "%s: byte %zu, flipped by %u, is let through",
                                  small_blob_name(i), at, flip);
                }
                blob[at] ^= flip;
            }
        }
        blob_free(blob);
    }
}

TLW_TEST(blob_with_a_flipped_byte_and_its_hash_put_right_is_rejected_or_harmless) {
    static const uint8_t flips[] = {0x80, 0x01, 0x10, 0xFF};
    for (uint32_t i = 1; i <= 3; ++i) {
        size_t size;
        uint8_t* blob = get_blob(i, &size);
        const tlw_blob_header header = *(const tlw_blob_header*)blob;
        uint32_t rejected = 0, accepted = 0;
        // The blob with cuts is long: half of the flips are left out, and so are its many vertices,
        // which the other blobs have too.
        const size_t end = i == LEGS ? entry_of(blob, TLW_SECTION_MESHES)->offset : size;
        for (size_t at = 0; at < end; ++at) {
            for (size_t k = i == LEGS; k < TLW_COUNT_OF(flips); k += i == LEGS ? 2 : 1) {
                blob[at] ^= flips[k];
                // Half of them skip the hash: nothing else may depend on it.
                tlw_blob_trust trust = TLW_BLOB_SKIP_CONTENT_HASH;
                if (k % 2 == 0) {
                    blob_set_content_hash(blob, size);
                    trust = TLW_BLOB_CHECK_ALL;
                }
                tlw_blob_report report;
                if (tlw_blob_validate(blob, size, trust, &report) == TLW_OK) {
                    const char* problem = blob_unsoundness(blob);
                    if (problem) {
                        tlw_test_fail(__FILE__, __LINE__, "%s: byte %zu, flipped by %u: %s",
                                      small_blob_name(i), at, flips[k], problem);
                    }
                    accepted += 1;
                } else {
                    if (report.expected == report.found) {
                        tlw_test_fail(__FILE__, __LINE__,
                                      "%s: byte %zu, flipped by %u: '%s' expects what it found",
                                      small_blob_name(i), at, flips[k], report.what);
                    }
                    rejected += 1;
                }
                blob[at] ^= flips[k];
                memcpy(blob, &header, sizeof header);
            }
        }
        CHECK_LT(end, rejected); // otherwise the test looks at nothing
        CHECK_LT(100u, accepted);
        blob_free(blob);
    }
}

TLW_TEST(blob_at_a_misaligned_address_or_null_is_named_so) {
    size_t size;
    uint8_t* blob = get_blob(ELL, &size);
    uint8_t* room = blob_allocate(size + 64);
    tlw_blob_report report;
    for (size_t by = 1; by < 64; ++by) {
        memcpy(room + by, blob, size);
        CHECK_RESULT(tlw_blob_validate(room + by, size, TLW_BLOB_CHECK_ALL, &report),
                     TLW_ERROR_MISALIGNED);
        CHECK_RESULT(report.result, TLW_ERROR_MISALIGNED);
        CHECK_EQ(report.expected, (uintptr_t)room + 64);
        CHECK_EQ(report.found, (uintptr_t)room + by);
    }
    CHECK_RESULT(tlw_blob_validate(NULL, 0, TLW_BLOB_CHECK_ALL, &report), TLW_ERROR_MISALIGNED);
    CHECK_EQ(report.expected, 64);
    CHECK_EQ(report.found, 0);
    CHECK_RESULT(tlw_blob_validate(NULL, size, TLW_BLOB_SKIP_CONTENT_HASH, NULL),
                 TLW_ERROR_MISALIGNED);
    blob_free(room);
    blob_free(blob);
}

// One planted error per rule

typedef struct planted {
    uint32_t which;   // small blob
    uint32_t section; // a kind, IN_HEADER, or IN_TABLE: element is then a place in the table
    uint64_t element;
    size_t offset, bytes; // of the number that is changed, in the element
    uint64_t value;       // what it is changed to
    // What the report must say.
    uint32_t reported; // section
    const char* what;
    uint32_t component;
} planted;

// The last arguments are what the report must say: the rule and, if it is not 0, the component.
#define PLANT(which_, section_, element_, offset_, bytes_, value_, reported_, ...)    \
    {                                                                                 \
        .which = which_, .section = section_, .element = element_, .offset = offset_, \
        .bytes = bytes_, .value = value_, .reported = reported_, .what = __VA_ARGS__  \
    }
#define HEADER(field, value, ...)                              \
    PLANT(ELL, IN_HEADER, 0, offsetof(tlw_blob_header, field), \
          sizeof((tlw_blob_header*)NULL)->field, value, TLW_SECTION_COUNT, __VA_ARGS__)
#define TABLE(index, field, value, reported, ...)                  \
    PLANT(ELL, IN_TABLE, index, offsetof(tlw_blob_section, field), \
          sizeof((tlw_blob_section*)NULL)->field, value, reported, __VA_ARGS__)
#define FIELD_OF(which, kind, type, element, field, value, ...)                                  \
    PLANT(which, TLW_SECTION_##kind, element, offsetof(type, field), sizeof((type*)NULL)->field, \
          value, TLW_SECTION_##kind, __VA_ARGS__)
#define FIELD(kind, type, element, field, value, ...) \
    FIELD_OF(ELL, kind, type, element, field, value, __VA_ARGS__)
#define PLAIN_OF(which, kind, type, element, value, ...)                                  \
    PLANT(which, TLW_SECTION_##kind, element, 0, sizeof(type), value, TLW_SECTION_##kind, \
          __VA_ARGS__)
#define PLAIN(kind, type, element, value, ...) \
    PLAIN_OF(ELL, kind, type, element, value, __VA_ARGS__)
// The lattice says another count than a section has.
#define LATTICE_SAYS(which, field, value, reported)                                   \
    PLANT(which, TLW_SECTION_LATTICE, 0, offsetof(tlw_blob_lattice, field), 4, value, \
          TLW_SECTION_##reported, "element count")
// The error shows in another section.
#define LEADS_TO(which, kind, element, offset, type, value, reported, ...)                         \
    PLANT(which, TLW_SECTION_##kind, element, offset, sizeof(type), value, TLW_SECTION_##reported, \
          __VA_ARGS__)

#define NAN_32  0x7FC00000u
#define INF_32  0x7F800000u
#define MINUS_1 0xBF800000u
#define TWO_32  0x40000000u
#define NAN_64  0x7FF8000000000000u
#define BIG_32  0x5DDE0B6Bu         // 2e18
#define BIG_64  0x7FE0000000000000u // finite as a double, not as a float
#define ONE_32  0x3F800000u
#define HALF_32 0x3F000000u
#define VOXEL   0u // slots of ELL; the first one always has a voxel
#define BONE    17u
#define EMPTY   51u

static const planted planted_errors[] = {
    HEADER(magic[3], 'l', "magic"),
    HEADER(byte_order, 0x04030201, "byte order"),
    HEADER(format_version, 2, "format version"),
    HEADER(layout_hash, 1, "layout hash"),
    HEADER(total_bytes, 64, "total size"),
    HEADER(lattice_count, 2, "lattice count"),
    HEADER(reserved[15], 1, "reserved byte", 15),
    HEADER(section_count, TLW_SECTION_COUNT + 1, "section count"),
    TABLE(1, kind, 0, IN_HEADER, "section kind, ascending"),
    TABLE(2, kind, 7777, IN_HEADER, "section kind, ascending"),
    TABLE(5, element_bytes, 4, TLW_SECTION_LAYERS, "element size"),
    TABLE(6, lattice, 1, TLW_SECTION_PARTS, "lattice or reserved field"),
    TABLE(6, reserved, 1, TLW_SECTION_PARTS, "lattice or reserved field", 1),
    TABLE(7, offset, 64, TLW_SECTION_MATERIALS, "section offset"),
    TABLE(7, offset, UINT64_MAX - 63, TLW_SECTION_MATERIALS, "section offset"),
    TABLE(8, count, UINT64_MAX / 2, TLW_SECTION_WINDOWS, "section size"),
    TABLE(8, count, UINT64_MAX / 80, TLW_SECTION_WINDOWS, "section size"),
    TABLE(8, count, 100000, TLW_SECTION_WINDOWS, "section size"),
    FIELD(LATTICE, tlw_blob_lattice, 0, voxel_metres, NAN_64, "finite number"),
    FIELD(LATTICE, tlw_blob_lattice, 0, origin[1], BIG_64, "finite number", 2),
    FIELD(LATTICE, tlw_blob_lattice, 0, voxel_metres, 0, "voxel size, at least 1e-30"),
    FIELD(LATTICE, tlw_blob_lattice, 0, extent_voxels, 0, "extent above 0"),
    FIELD(LATTICE, tlw_blob_lattice, 0, stiffness_scale, 0, "stiffness scale above 0"),
    FIELD(LATTICE, tlw_blob_lattice, 0, cost, INF_32, "cost, 0 or more"),
    FIELD(LATTICE, tlw_blob_lattice, 0, size[2], 0, "cells along an axis, 1 to 32767", 2),
    FIELD(LATTICE, tlw_blob_lattice, 0, size[0], 32768, "cells along an axis, 1 to 32767"),
    FIELD(LATTICE, tlw_blob_lattice, 0, lane_axis, 3, "lane axis"),
    FIELD(LATTICE, tlw_blob_lattice, 0, voxel_count, 0, "voxel count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, slot_count, 111, "slot count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, slot_count, 120, "slot count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, slot_count, UINT32_MAX, "slot count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, window_count, 0, "window count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, window_count, UINT32_MAX, "window count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, window_count, 13, "slot count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, site_count, 32, "site count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, site_count, UINT32_MAX - 7, "site count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, site_count, 297, "site count, a multiple of 8"),
    FIELD(LATTICE, tlw_blob_lattice, 0, influence_count, 13, "influence count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, influence_count, 14 * 32 + 1, "influence count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, influence_count, UINT32_MAX, "influence count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, pair_count, 0, "pair count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, pair_count, 65536, "pair count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, region_count, 1, "region count"),
    FIELD_OF(WITH_ALL, LATTICE, tlw_blob_lattice, 0, region_count, UINT32_MAX, "region count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, joint_count, 65536, "joint count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, layer_count, 9, "layer count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, part_count, 5, "part count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, region_width, 4, "region width"),
    FIELD(LATTICE, tlw_blob_lattice, 0, has_artist_weights, 2, "artist weights flag"),
    FIELD(LATTICE, tlw_blob_lattice, 0, skinning, TLW_SKINNING_COUNT, "skinning"),
    FIELD(LATTICE, tlw_blob_lattice, 0, profile_count, 0, "profile count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, profile_count, 257, "profile count"),
    FIELD(LATTICE, tlw_blob_lattice, 0, neighbours, 8, "neighbour set"),
    // Counts that the lattice gives otherwise.
    LATTICE_SAYS(ELL, joint_count, 2, JOINTS),
    LATTICE_SAYS(ELL, layer_count, 2, LAYERS),
    LATTICE_SAYS(ELL, part_count, 1, PARTS),
    LATTICE_SAYS(ELL, pair_count, 4, JOINT_PAIRS),
    LATTICE_SAYS(ELL, influence_count, 37, INFLUENCE_JOINT),
    LATTICE_SAYS(ELL, influence_count, 39, INFLUENCE_JOINT),
    LATTICE_SAYS(ELL, site_count, 216, SITE_KIND),
    LATTICE_SAYS(ELL, voxel_count, 1, VOXEL_SLOT),
    LATTICE_SAYS(ELL, vertex_count, 1, VERTEX_SOURCE),
    LATTICE_SAYS(ELL, group_count, 2, GROUPS),
    LATTICE_SAYS(ELL, group_count, UINT32_MAX, GROUPS),
    LATTICE_SAYS(ELL, region_width, 2, SLOT_REGION),
    LATTICE_SAYS(WITH_ALL, region_count, 45, REGION_FIRST),
    LATTICE_SAYS(WITH_ALL, region_count, 49, REGION_SITE),
    FIELD(JOINTS, tlw_blob_joint, 1, bind[5], NAN_64, "finite bind matrix", 5),
    FIELD(JOINTS, tlw_blob_joint, 1, bind[12], BIG_64, "finite bind matrix", 12),
    FIELD(JOINTS, tlw_blob_joint, 1, bind[5], 0, "bind matrix with an inverse", 4),
    FIELD(JOINTS, tlw_blob_joint, 1, bind[15], 0, "bind matrix with an inverse", 15),
    FIELD(JOINTS, tlw_blob_joint, 1, bind[13], 0x43E158E460913D00, "bind matrix with an inverse",
          13),
    // A length of 1e-13: too short to have a direction.
    FIELD(JOINTS, tlw_blob_joint, 1, bind[5], 0x3D3C25C268497682, "bind matrix with an inverse", 4),
    FIELD(JOINTS, tlw_blob_joint, 1, name, 100000, "name"),
    FIELD(JOINTS, tlw_blob_joint, 1, part, 2, "part"),
    FIELD(JOINTS, tlw_blob_joint, 1, is_kept, 2, "kept flag"),
    FIELD(JOINTS, tlw_blob_joint, 2, parent, 3, "parent"),
    FIELD(JOINTS, tlw_blob_joint, 0, parent, 2, "a root above it"),
    FIELD(JOINTS, tlw_blob_joint, 0, parent, 0, "a root above it"),
    FIELD(JOINT_BOX, tlw_blob_joint_box, 0, low[0], 1, "a box that holds its voxels"),
    FIELD(JOINT_BOX, tlw_blob_joint_box, 2, high[2], 5, "a box that holds its voxels", 5),
    FIELD(JOINT_BOX, tlw_blob_joint_box, 1, low[1], 0xFFFF, "a box no larger than its voxels", 1),
    FIELD(JOINT_BOX, tlw_blob_joint_box, 2, high[0], 3, "a box no larger than its voxels", 3),
    // A joint without voxels: no side is touched.
    FIELD_OF(LEGS, JOINT_BOX, tlw_blob_joint_box, 0, high[0], 5, "a box no larger than its voxels"),
    FIELD(JOINT_PAIRS, tlw_blob_joint_pair, 2, joint, 3, "joint"),
    FIELD(JOINT_PAIRS, tlw_blob_joint_pair, 2, reference, 3, "reference"),
    FIELD(JOINT_PAIRS, tlw_blob_joint_pair, 1, joint, 0, "ascending references, then joints"),
    FIELD(JOINT_PAIRS, tlw_blob_joint_pair, 3, reference, 0, "ascending references, then joints"),
    LEADS_TO(ELL, JOINT_PAIRS, 4, offsetof(tlw_blob_joint_pair, reference), uint16_t, 2,
             INFLUENCE_WEIGHT, "a pair that is listed"),
    FIELD(WINDOWS, tlw_blob_window, 0, first_influence, 1, "first influence"),
    FIELD(WINDOWS, tlw_blob_window, 1, first_influence, 1, "first influence"),
    FIELD(WINDOWS, tlw_blob_window, 1, first_influence, 3, "first influence"),
    FIELD(WINDOWS, tlw_blob_window, 13, first_influence, UINT32_MAX, "first influence"),
    FIELD(WINDOWS, tlw_blob_window, 0, influences, 0, "influences, 1 to 32"),
    FIELD(WINDOWS, tlw_blob_window, 0, influences, 33, "influences, 1 to 32"),
    FIELD(WINDOWS, tlw_blob_window, 0, influences, 255, "influences, 1 to 32"),
    FIELD(WINDOWS, tlw_blob_window, 13, influences, 4, "influences, 1 to 32"), // after the last
    LEADS_TO(ELL, WINDOWS, 0, offsetof(tlw_blob_window, influences), uint8_t, 1, INFLUENCE_WEIGHT,
             "weights that sum to 1"),
    LEADS_TO(ELL, WINDOWS, 0, offsetof(tlw_blob_window, influences), uint8_t, 3, INFLUENCE_JOINT,
             "ascending joints"),
    PLAIN(INFLUENCE_JOINT, uint16_t, 1, 3, "joint"),
    PLAIN(INFLUENCE_JOINT, uint16_t, 37, 0xFFFF, "joint"),
    PLAIN(INFLUENCE_JOINT, uint16_t, 1, 0, "ascending joints"),
    PLAIN(INFLUENCE_JOINT, uint16_t, 10, 0, "ascending joints"),
    PLAIN(INFLUENCE_WEIGHT, uint32_t, 0, NAN_32, "weight, 0 to 1; 0 where empty"),
    PLAIN(INFLUENCE_WEIGHT, uint32_t, 9, MINUS_1, "weight, 0 to 1; 0 where empty"),
    PLAIN(INFLUENCE_WEIGHT, uint32_t, 9, TWO_32, "weight, 0 to 1; 0 where empty"),
    PLAIN(INFLUENCE_WEIGHT, uint32_t, 303, HALF_32, "weight, 0 to 1; 0 where empty"),
    PLAIN(INFLUENCE_WEIGHT, uint32_t, 115, 1,
          "weight, 0 to 1; 0 where empty"), // the least float above 0
    PLAIN(INFLUENCE_WEIGHT, uint32_t, 1, HALF_32, "weights that sum to 1"),
    PLAIN(INFLUENCE_WEIGHT, uint32_t, 1, ONE_32, "weights that sum to 1"),
    LEADS_TO(ELL, INFLUENCE_WEIGHT, 258, 0, uint32_t, 0, INFLUENCE_JOINT,
             "a joint that a voxel has"),
    // Two equal weights in lane 0 of window 12: the lower joint is the reference, until it has
    // less.
    PLAIN(INFLUENCE_WEIGHT, uint32_t, 264, HALF_32 - 2, "a pair that is listed"),
    FIELD(LAYERS, tlw_blob_layer, 2, name, 100000, "name"),
    FIELD(LAYERS, tlw_blob_layer, 3, voxel_count, 1, "voxel count"),
    FIELD(PARTS, tlw_blob_part, 0, joint, 0, "joint"),
    FIELD(PARTS, tlw_blob_part, 1, joint, 3, "joint"),
    FIELD(PARTS, tlw_blob_part, 0, kind, TLW_PART_FIRM_NAME, "kind"),
    FIELD(PARTS, tlw_blob_part, 0, kind, TLW_PART_KIND_COUNT, "kind"),
    FIELD(PARTS, tlw_blob_part, 1, kind, TLW_PART_WHOLE, "kind"),
    FIELD(PARTS, tlw_blob_part, 1, kind, TLW_PART_KIND_COUNT, "kind"),
    FIELD(PARTS, tlw_blob_part, 0, voxel_count, UINT32_MAX, "voxels of all parts"),
    FIELD(MATERIALS, tlw_blob_material, 3, stiffness, MINUS_1, "stiffness, 0 or more"),
    FIELD(MATERIALS, tlw_blob_material, 3, stiffness, INF_32, "stiffness, 0 or more"),
    FIELD(MATERIALS, tlw_blob_material, 4, damping, TWO_32, "damping, 0 to 1"),
    FIELD(MATERIALS, tlw_blob_material, 4, damping, NAN_32, "damping, 0 to 1"),
    FIELD(MATERIALS, tlw_blob_material, 5, anchor_hz, MINUS_1, "anchor, 0 or more"),
    FIELD(MATERIALS, tlw_blob_material, 5, anchor_hz, NAN_32, "anchor, 0 or more"),
    FIELD(MATERIALS, tlw_blob_material, 7, anchor_hz, INF_32, "anchor, 0 or more"),
    PLAIN(VOXEL_SLOT, uint32_t, 3, 0, "a slot that names it"),
    PLAIN(VOXEL_SLOT, uint32_t, 3, EMPTY, "a slot that names it"),
    PLAIN(VOXEL_SLOT, uint32_t, 3, UINT32_MAX, "slot"),
    FIELD(VOXEL_CELL, tlw_blob_cell, 4, x, 0x8000, "a cell of the grid"),
    FIELD(VOXEL_CELL, tlw_blob_cell, 4, z, 8, "a cell of the grid", 2),
    FIELD(VOXEL_CELL, tlw_blob_cell, 4, reserved, 1, "reserved field"),
    PLAIN(SLOT_VOXEL, uint32_t, EMPTY, 5, "a voxel that names it"),
    PLAIN(SLOT_VOXEL, uint32_t, EMPTY, 100000, "voxel"),
    PLAIN(SLOT_LAYER, uint8_t, EMPTY, 1, "layer"),
    PLAIN(SLOT_LAYER, uint8_t, VOXEL, 4, "layer"),
    PLAIN(SLOT_LAYER, uint8_t, VOXEL, 255, "layer"),
    PLAIN(SLOT_MATERIAL, uint16_t, EMPTY, 1, "material of its layer"),
    PLAIN(SLOT_MATERIAL, uint16_t, VOXEL, 8, "material of its layer"),
    // Slots of MIXED_ELL: 0 blends material 7 into 3; 17 is bone, 2 has one material, 51 is empty.
    FIELD_OF(MIXED_ELL, SLOT_BLEND, tlw_blob_blend, 0, material, 8, "second material of its layer"),
    FIELD_OF(MIXED_ELL, SLOT_BLEND, tlw_blob_blend, 0, material, UINT16_MAX,
             "second material of its layer"),
    FIELD_OF(MIXED_ELL, SLOT_BLEND, tlw_blob_blend, 0, material, 6, "second material of its layer"),
    FIELD_OF(MIXED_ELL, SLOT_BLEND, tlw_blob_blend, 0, material, 3,
             "second material of another part"),
    FIELD_OF(MIXED_ELL, SLOT_BLEND, tlw_blob_blend, 16, material, 7,
             "second material of another part"),
    FIELD_OF(MIXED_ELL, SLOT_BLEND, tlw_blob_blend, 2, material, 7, "material 0 without a share"),
    FIELD_OF(MIXED_ELL, SLOT_BLEND, tlw_blob_blend, 0, share, 0, "material 0 without a share"),
    FIELD_OF(MIXED_ELL, SLOT_BLEND, tlw_blob_blend, 0, share, 0x8001,
             "share, at most a half; 0 for bone and where empty"),
    FIELD_OF(MIXED_ELL, SLOT_BLEND, tlw_blob_blend, BONE, share, 1,
             "share, at most a half; 0 for bone and where empty"),
    FIELD_OF(MIXED_ELL, SLOT_BLEND, tlw_blob_blend, EMPTY, share, 1,
             "share, at most a half; 0 for bone and where empty"),
    PLAIN_OF(MIXED_ELL, SLOT_STIFFNESS, uint32_t, VOXEL, NAN_32, "factor, 1/4 to 4; 0 where empty"),
    PLAIN_OF(MIXED_ELL, SLOT_STIFFNESS, uint32_t, VOXEL, INF_32, "factor, 1/4 to 4; 0 where empty"),
    PLAIN_OF(MIXED_ELL, SLOT_STIFFNESS, uint32_t, VOXEL, MINUS_1,
             "factor, 1/4 to 4; 0 where empty"),
    PLAIN_OF(MIXED_ELL, SLOT_STIFFNESS, uint32_t, BONE, 0, "factor, 1/4 to 4; 0 where empty"),
    PLAIN_OF(MIXED_ELL, SLOT_STIFFNESS, uint32_t, EMPTY, ONE_32, "factor, 1/4 to 4; 0 where empty"),
    PLAIN(SLOT_LIMIT, uint32_t, VOXEL, NAN_32, "limit, 0 or more; 0 where empty"),
    PLAIN(SLOT_LIMIT, uint32_t, VOXEL, MINUS_1, "limit, 0 or more; 0 where empty"),
    PLAIN(SLOT_LIMIT, uint32_t, EMPTY, TWO_32, "limit, 0 or more; 0 where empty"),
    PLAIN(SLOT_VOLUME_WEIGHT, uint32_t, VOXEL, TWO_32,
          "weight, 0 to 1; 0 for bone and where empty"),
    PLAIN(SLOT_VOLUME_WEIGHT, uint32_t, VOXEL, NAN_32,
          "weight, 0 to 1; 0 for bone and where empty"),
    PLAIN(SLOT_VOLUME_WEIGHT, uint32_t, BONE, HALF_32,
          "weight, 0 to 1; 0 for bone and where empty"),
    PLAIN(SLOT_VOLUME_WEIGHT, uint32_t, EMPTY, ONE_32,
          "weight, 0 to 1; 0 for bone and where empty"),
    PLAIN(SLOT_VOLUME_PAIR, uint32_t, VOXEL, NAN_32, "weights of both sides"),
    PLAIN(SLOT_VOLUME_PAIR, uint32_t, VOXEL + 224, HALF_32, "weights of both sides"),
    PLAIN(SLOT_VOLUME_PAIR, uint32_t, EMPTY + 112, ONE_32, "weights of both sides"),
    PLAIN(SLOT_VOLUME_END, uint8_t, VOXEL, 2, "the end that it stands for"),
    PLAIN(SLOT_VOLUME_END, uint8_t, VOXEL + 224, 0, "the end that it stands for"),
    PLAIN(SLOT_VOLUME_END, uint8_t, EMPTY + 112, 0xFF, "the end that it stands for"),
    PLAIN(SLOT_NEIGHBOURS, uint8_t, VOXEL, 0, "linked neighbours"),
    PLAIN(SLOT_NEIGHBOURS, uint8_t, EMPTY, 1, "linked neighbours"),
    PLAIN(SLOT_REGIONS, uint8_t, VOXEL, 9, "regions that hold it"),
    PLAIN(SLOT_REGIONS, uint8_t, EMPTY, 1, "regions that hold it"),
    PLAIN_OF(WITH_ALL, SLOT_REGIONS, uint8_t, 0, 7, "regions that hold it"),
    PLAIN(SLOT_MOMENT, uint16_t, VOXEL, 0x8000, "moment of its links"),
    PLAIN(SLOT_MOMENT, uint16_t, VOXEL + 3 * 112, 0, "moment of its links"),
    PLAIN(SLOT_MOMENT, uint16_t, BONE + 9 * 112, 1, "moment of its links"),
    PLAIN(SLOT_MOMENT, uint16_t, EMPTY + 4 * 112, 1, "moment of its links"),
    PLAIN(SLOT_REST, uint32_t, VOXEL, NAN_32, "rest shape of its moments"),
    PLAIN(SLOT_REST, uint32_t, BONE + 5 * 112, ONE_32, "rest shape of its moments"),
    PLAIN(SLOT_REST, uint32_t, EMPTY + 2 * 112, ONE_32, "rest shape of its moments"),
    PLAIN(SLOT_REST, uint32_t, EMPTY, 0x80000000, "rest shape of its moments"),
    FIELD(WINDOWS, tlw_blob_window, 0, rows[4], 24, "site"),
    FIELD(WINDOWS, tlw_blob_window, 1, rows[4], 8, "site"),
    FIELD(WINDOWS, tlw_blob_window, 1, rows[4], 41, "site"),
    FIELD(WINDOWS, tlw_blob_window, 1, rows[4], 0xFFFFFFF8, "site"),
    FIELD(WINDOWS, tlw_blob_window, 13, rows[4], 176, "site"),
    FIELD(WINDOWS, tlw_blob_window, 1, rows[4], 16, "ascending sites"),
    FIELD(WINDOWS, tlw_blob_window, 0, reserved[4], 1, "reserved byte", 4),
    FIELD(WINDOWS, tlw_blob_window, 0, occupied, 0, "a voxel or more"),
    FIELD(WINDOWS, tlw_blob_window, 0, occupied, 0xFE, "occupied lanes"),
    FIELD(WINDOWS, tlw_blob_window, 0, cell[0], 5, "cell"),
    FIELD(WINDOWS, tlw_blob_window, 0, cell[1], 0xFFFF, "cell", 1),
    FIELD(WINDOWS, tlw_blob_window, 0, cell[2], 0x7FFF, "cell", 2),
    FIELD(WINDOWS, tlw_blob_window, 1, rows[0], 0, "row"),
    FIELD(WINDOWS, tlw_blob_window, 1, rows[0], 5, "row"),
    FIELD(WINDOWS, tlw_blob_window, 1, rows[8], UINT32_MAX, "row", 8),
    FIELD(WINDOWS, tlw_blob_window, 1, rows[3], TLW_BLOB_EMPTY_ROW, "row", 3),
    FIELD(WINDOWS, tlw_blob_window, 1, rows[3], 17, "row", 3),
    FIELD(WINDOWS, tlw_blob_window, 1, rows[3], 40, "row", 3),
    FIELD(WINDOWS, tlw_blob_window, 6, links[0], 8, "links of voxels only"),
    FIELD(WINDOWS, tlw_blob_window, 0, links[0], 1, "a linked neighbour in its place"),
    FIELD(WINDOWS, tlw_blob_window, 0, links[13], 0, "a neighbour that links back",
          TLW_STEP_LANE_MINUS),
    FIELD(WINDOWS, tlw_blob_window, 0, flags, TLW_WINDOW_HAS_CUTS, "flags"),
    FIELD(WINDOWS, tlw_blob_window, 0, flags, TLW_WINDOW_IS_THIN, "flags"),
    FIELD(WINDOWS, tlw_blob_window, 0, flags, 16 | TLW_WINDOW_IS_BOUND, "flags"),
    FIELD(WINDOWS, tlw_blob_window, 0, flags, 0, "flags"),  // a vertex hangs on it
    FIELD(WINDOWS, tlw_blob_window, 13, flags, 0, "flags"), // and on the last one
    FIELD_OF(LEGS, WINDOWS, tlw_blob_window, 4, flags, TLW_WINDOW_HAS_CUTS, "flags"),
    FIELD_OF(LEGS, WINDOWS, tlw_blob_window, 4, flags, TLW_WINDOW_IS_THIN, "flags"),
    FIELD_OF(LEGS, WINDOWS, tlw_blob_window, 4, flags, TLW_WINDOW_HAS_CUTS | TLW_WINDOW_IS_THIN,
             "flags"),
    FIELD(BLOCKS, tlw_blob_block, 0, first_window, 1, "ascending windows from 0"),
    FIELD(BLOCKS, tlw_blob_block, 1, first_window, 0, "ascending windows from 0"),
    FIELD(BLOCKS, tlw_blob_block, 1, first_window, 13, "up to the last window"),
    FIELD(BLOCKS, tlw_blob_block, 1, first_window, 15, "up to the last window"),
    FIELD(BLOCKS, tlw_blob_block, 0, first_site, 0, "site of its first window"),
    FIELD(BLOCKS, tlw_blob_block, 1, first_site, 184, "site of its first window"),
    FIELD_OF(LARGE_ELL, BLOCKS, tlw_blob_block, 1, first_window, 0, "ascending windows from 0"),
    FIELD_OF(LARGE_ELL, BLOCKS, tlw_blob_block, 1, first_window, 17, "whole rows"),
    FIELD_OF(LARGE_ELL, BLOCKS, tlw_blob_block, 1, first_window, 1000, "up to the last window"),
    FIELD_OF(LARGE_ELL, BLOCKS, tlw_blob_block, 1, first_site, 24, "site of its first window"),
    PLAIN(SITE_KIND, uint32_t, 0, ONE_32, "what lies there"),
    PLAIN(SITE_KIND, uint32_t, 0, 0x80000000, "what lies there"),
    PLAIN(SITE_KIND, uint32_t, 199, NAN_32, "what lies there"),
    PLAIN(SITE_KIND, uint32_t, 24, ONE_32, "what lies there"),  // a gap
    PLAIN(SITE_KIND, uint32_t, 117, ONE_32, "what lies there"), // an empty lane
    PLAIN(SITE_KIND, uint32_t, SITE, 0, "what lies there"),
    PLAIN(SITE_KIND, uint32_t, SITE, TWO_32, "what lies there"),
    PLAIN_OF(WITH_ALL, SLOT_REGION, uint32_t, 0, 44, "region; 0 where empty"),
    PLAIN_OF(WITH_ALL, SLOT_REGION, uint32_t, 4, 1, "region; 0 where empty"),
    PLAIN_OF(WITH_ALL, SLOT_REGION, uint32_t, 32, 0, "eight regions"),
    PLAIN_OF(WITH_ALL, SLOT_REGION, uint32_t, 0, 8, "a region that has its site"),
    LEADS_TO(WITH_ALL, REGION_SITE, 0, 0, uint32_t, 17, SLOT_REGION, "a region that has its site"),
    LEADS_TO(WITH_ALL, REGION_SITE, 0, 0, uint32_t, UINT32_MAX, SLOT_REGION,
             "a region that has its site"),
    PLAIN_OF(WITH_ALL, REGION_SITE, uint32_t, 44, SITE, "0 after the last region"),
    PLAIN_OF(WITH_ALL, REGION_SITE, uint32_t, 383, UINT32_MAX, "0 after the last region"),
    PLAIN_OF(WITH_ALL, REGION_FIRST, uint32_t, 8, 0, "first slot, in order"),
    PLAIN_OF(WITH_ALL, REGION_FIRST, uint32_t, 8, 4, "first slot, in order"),
    PLAIN_OF(WITH_ALL, REGION_FIRST, uint32_t, 8, UINT32_MAX, "first slot, in order"),
    FIELD(MESHES, tlw_blob_mesh, 0, name, 100000, "name"),
    FIELD(MESHES, tlw_blob_mesh, 0, has_normals, 2, "flags, 0 or 1"),
    FIELD(MESHES, tlw_blob_mesh, 0, is_points, UINT32_MAX, "flags, 0 or 1", 2),
    FIELD(MESHES, tlw_blob_mesh, 1, first_vertex, 0, "vertices one after another"),
    FIELD(MESHES, tlw_blob_mesh, 0, vertex_count, UINT32_MAX, "vertices one after another", 1),
    FIELD(MESHES, tlw_blob_mesh, 1, first_group, 0, "groups one after another"),
    FIELD(MESHES, tlw_blob_mesh, 1, first_group, 3, "groups one after another"),
    FIELD(MESHES, tlw_blob_mesh, 0, first_group, UINT32_MAX, "groups one after another"),
    FIELD(MESHES, tlw_blob_mesh, 1, first_index, 0, "indices one after another"),
    FIELD(MESHES, tlw_blob_mesh, 0, index_count, 100000, "indices one after another", 1),
    FIELD(MESHES, tlw_blob_mesh, 0, index_count, 4, "indices, a multiple of 3"),
    LEADS_TO(ELL, MESHES, 1, offsetof(tlw_blob_mesh, vertex_count), uint32_t, 1, LATTICE,
             "vertices of all meshes"),
    PLAIN(INDICES, uint32_t, 7, 16, "vertex of its mesh"),
    PLAIN(UVS, uint32_t, 5, INF_32, "finite number"),
    // ELL has groups of 8, 8 and 2 vertices with 14, 12 and 3 voxels and 2, 3 and 0 joints.
    FIELD(GROUPS, tlw_blob_group, 1, first_vertex, 7, "vertices one after another"),
    FIELD(GROUPS, tlw_blob_group, 0, first_vertex, UINT32_MAX, "vertices one after another"),
    FIELD(GROUPS, tlw_blob_group, 0, vertex_count, 0, "vertices of a group"),
    FIELD(GROUPS, tlw_blob_group, 0, vertex_count, 7, "vertices of a group"),
    FIELD(GROUPS, tlw_blob_group, 1, vertex_count, 9, "vertices of a group"),
    FIELD(GROUPS, tlw_blob_group, 2, vertex_count, 8, "vertices of a group"),
    FIELD(GROUPS, tlw_blob_group, 1, first_voxel, 13, "voxels one after another"),
    FIELD(GROUPS, tlw_blob_group, 0, first_voxel, UINT32_MAX, "voxels one after another"),
    FIELD(GROUPS, tlw_blob_group, 0, voxel_count, 0, "voxels of a group, 1 to 64"),
    FIELD(GROUPS, tlw_blob_group, 0, voxel_count, 65, "voxels of a group, 1 to 64"),
    FIELD(GROUPS, tlw_blob_group, 2, voxel_count, 4, "voxels of a group, 1 to 64"),
    FIELD(GROUPS, tlw_blob_group, 1, first_joint, 3, "joints one after another"),
    FIELD(GROUPS, tlw_blob_group, 2, first_joint, 0, "joints one after another"),
    FIELD(GROUPS, tlw_blob_group, 1, joint_count, 65, "joints of a group, at most 64"),
    FIELD(GROUPS, tlw_blob_group, 2, joint_count, 1, "joints of a group, at most 64"),
    FIELD(GROUPS, tlw_blob_group, 0, skinned, 0xFE, "skinned where it has joints"),
    FIELD(GROUPS, tlw_blob_group, 2, skinned, 1, "skinned where it has joints"),
    LEADS_TO(ELL, GROUPS, 0, offsetof(tlw_blob_group, voxel_count), uint8_t, 13, GROUP_VOXEL_WEIGHT,
             "weights that sum to 2^15"),
    LEADS_TO(ELL, GROUPS, 2, offsetof(tlw_blob_group, voxel_count), uint8_t, 2, GROUP_VOXEL_WEIGHT,
             "weights that sum to 2^15"),
    LEADS_TO(ELL, GROUPS, 0, offsetof(tlw_blob_group, joint_count), uint8_t, 3, GROUP_JOINT,
             "ascending joints"),
    PLAIN(GROUP_VOXEL, uint32_t, 0, EMPTY, "slot of a voxel"),
    PLAIN(GROUP_VOXEL, uint32_t, 28, UINT32_MAX, "slot of a voxel"),
    PLAIN(GROUP_VOXEL, uint32_t, 1, 0, "ascending slots"),
    PLAIN(GROUP_VOXEL, uint32_t, 2, 1, "ascending slots"),
    PLAIN(GROUP_VOXEL_WEIGHT, uint16_t, 0, 32769, "weight, at most 2^15"),
    PLAIN(GROUP_VOXEL_WEIGHT, uint16_t, 0, 32767, "weights that sum to 2^15"),
    PLAIN(GROUP_VOXEL_WEIGHT, uint16_t, 2, 1, "weights that sum to 2^15"),
    PLAIN(GROUP_VOXEL_WEIGHT, uint16_t, 26 * 8 + 7, 1, "the last vertex repeated"),
    PLAIN_OF(WITH_ALL, GROUP_VOXEL_WEIGHT, uint16_t, 0, 0, "a weight above 0 in some lane"),
    PLAIN(GROUP_JOINT, uint16_t, 0, 3, "joint"),
    PLAIN(GROUP_JOINT, uint16_t, 4, 0xFFFF, "joint"),
    PLAIN(GROUP_JOINT, uint16_t, 1, 0, "ascending joints"),
    PLAIN(GROUP_JOINT_WEIGHT, uint16_t, 0, 0xFFFF, "weight, at most 2^15"),
    PLAIN(GROUP_JOINT_WEIGHT, uint16_t, 0, 1, "weights that sum to 2^15, or none"),
    PLAIN_OF(WITH_ALL, GROUP_JOINT_WEIGHT, uint16_t, 7, 0, "the last vertex repeated"),
    PLAIN(GROUP_POSITION, uint32_t, 3, NAN_32, "finite number"),
    PLAIN(GROUP_POSITION, uint32_t, 71, INF_32, "finite number"),
    PLAIN(GROUP_POSITION, uint32_t, 40, BIG_32, "finite number"),
    PLAIN(GROUP_POSITION, uint32_t, 41, BIG_32 | 0x80000000u, "finite number"),
    PLAIN(GROUP_POSITION, uint32_t, 71, TWO_32, "the last vertex repeated"),
    PLAIN(GROUP_NORMAL, uint32_t, 0, NAN_32, "finite number"),
    PLAIN(GROUP_NORMAL, uint32_t, 50, TWO_32, "the last vertex repeated"),
    PLAIN(GROUP_TANGENT, uint32_t, 95, INF_32, "finite number"),
    PLAIN(GROUP_TANGENT, uint32_t, 95, TWO_32, "the last vertex repeated"),
    PLAIN(GROUP_CENTRE, uint32_t, 23, NAN_32, "finite number"),
    PLAIN(GROUP_CENTRE, uint32_t, 50, TWO_32, "the last vertex repeated"),
    PLAIN(VERTEX_SOURCE, uint32_t, 0, 16, "vertex of its mesh"),
    PLAIN(VERTEX_SOURCE, uint32_t, 17, 15, "vertex of its mesh"),
    PLAIN(VERTEX_SOURCE, uint32_t, 17, UINT32_MAX, "vertex of its mesh"),
    LEADS_TO(ELL, VERTEX_SOURCE, 1, 0, uint32_t, 0, VERTEX_COOKED, "the way back"),
    PLAIN(VERTEX_COOKED, uint32_t, 0, 1, "the way back"),
    PLAIN(VERTEX_COOKED, uint32_t, 17, UINT32_MAX, "the way back"),
};

TLW_TEST(blob_report_names_section_element_component_and_values_of_every_planted_error) {
    for (size_t i = 0; i < TLW_COUNT_OF(planted_errors); ++i) {
        const planted* p = &planted_errors[i];
        size_t size;
        uint8_t* blob = get_blob(p->which, &size);
        uint64_t at = p->offset, first = 0;
        if (p->section == IN_TABLE) {
            first = sizeof(tlw_blob_header) + p->element * sizeof(tlw_blob_section);
        } else if (p->section != IN_HEADER) {
            const tlw_blob_section* entry = entry_of(blob, p->section);
            CHECK_LT(p->element, entry->count);
            first = entry->offset + p->element * entry->element_bytes;
        }
        at += first;
        CHECK_LE(at + p->bytes, size);
        uint64_t before = 0;
        memcpy(&before, blob + at, p->bytes);
        CHECK(before != p->value);
        memcpy(blob + at, &p->value, p->bytes);
        blob_set_content_hash(blob, size);
        tlw_blob_report report;
        check_report(blob, size, p->reported, p->what, &report, HERE);
        if (report.component != p->component) {
            tlw_test_fail(__FILE__, __LINE__, "'%s' of %s: component %u was meant, %u found",
                          p->what, tlw_blob_section_name(p->reported), p->component,
                          report.component);
        }
        if (p->section == p->reported && p->section == IN_HEADER) {
            CHECK_LE(report.offset, at);
        } else if (p->section == p->reported || p->section == IN_TABLE) { // reported where it is
            CHECK_EQ(report.element, p->element);
            CHECK_EQ(report.offset, first);
        }
        blob_free(blob);
    }
}

TLW_TEST(blob_report_has_the_very_place_and_numbers) {
    size_t size;
    uint8_t* blob = get_blob(ELL, &size);
    tlw_blob_report report;
    const uint64_t offset = entry_of(blob, TLW_SECTION_INFLUENCE_JOINT)->offset;
    ((uint16_t*)(blob + offset))[21] = 999;
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_INFLUENCE_JOINT, "joint", &report, HERE);
    CHECK_EQ(report.element, 21);
    CHECK_EQ(report.offset, offset + 42);
    CHECK_EQ(report.expected, 2); // the last joint
    CHECK_EQ(report.found, 999);
    CHECK_STRING(tlw_blob_section_name(report.section), "INFLUENCE_JOINT");
    CHECK_STRING(tlw_blob_section_name(TLW_SECTION_COUNT), "header or table");
    CHECK_STRING(tlw_blob_section_name(TLW_SECTION_COUNT + 1), "unknown");
    blob_free(blob);
}

// Ranges are reported by the end that was passed, others by what should be there.
TLW_TEST(blob_report_has_the_bound_that_was_broken) {
    static const struct {
        uint32_t kind;
        uint64_t element;
        size_t offset, bytes;
        uint64_t value, expected;
    } cases[] = {
        {TLW_SECTION_SLOT_LIMIT, VOXEL, 0, 4, MINUS_1, 0},
        {TLW_SECTION_SLOT_LIMIT, VOXEL, 0, 4, NAN_32, 0x7F7FFFFF},
        {TLW_SECTION_SLOT_VOLUME_WEIGHT, VOXEL, 0, 4, MINUS_1, 0},
        {TLW_SECTION_SLOT_VOLUME_WEIGHT, VOXEL, 0, 4, TWO_32, ONE_32},
        {TLW_SECTION_LATTICE, 0, offsetof(tlw_blob_lattice, size[0]), 4, 0, 1},
        {TLW_SECTION_LATTICE, 0, offsetof(tlw_blob_lattice, size[0]), 4, 32768, 32767},
        {TLW_SECTION_LATTICE, 0, offsetof(tlw_blob_lattice, site_count), 4, 221, 216},
        {TLW_SECTION_LATTICE, 0, offsetof(tlw_blob_lattice, extent_voxels), 8, 0, 1},
        {TLW_SECTION_JOINTS, 0, offsetof(tlw_blob_joint, parent), 4, 0, TLW_BLOB_NO_INDEX},
        {TLW_SECTION_PARTS, 0, offsetof(tlw_blob_part, joint), 4, 0, TLW_BLOB_NO_INDEX},
        {TLW_SECTION_PARTS, 1, offsetof(tlw_blob_part, joint), 4, 3, 2},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        size_t size;
        uint8_t* blob = get_blob(ELL, &size);
        const tlw_blob_section* entry = entry_of(blob, cases[i].kind);
        memcpy(blob + entry->offset + cases[i].element * entry->element_bytes + cases[i].offset,
               &cases[i].value, cases[i].bytes);
        tlw_blob_report report;
        CHECK_RESULT(tlw_blob_validate(blob, size, TLW_BLOB_SKIP_CONTENT_HASH, &report),
                     TLW_ERROR_BAD_BLOB);
        CHECK_EQ(report.section, cases[i].kind);
        CHECK_EQ(report.expected, cases[i].expected);
        CHECK_EQ(report.found, cases[i].value);
        blob_free(blob);
    }
}

// The table of sections, which generates structs, counts and order

TLW_TEST(blob_fields_are_section_names_in_lower_case) {
    static const struct {
        const char *kind, *field;
    } names[] = {
#define NAMES(kind, field, type, count) {#kind, #field},
        TLW_BLOB_SECTIONS(NAMES)
#undef NAMES
    };
    for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
        char lower[32] = "";
        for (size_t k = 0; k + 1 < sizeof lower && names[i].kind[k] != 0; ++k) {
            const char c = names[i].kind[k];
            lower[k] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        }
        CHECK_STRING(names[i].field, lower);
    }
}

TLW_TEST(blob_is_laid_out_as_the_table_says) {
    for (uint32_t i = 0; i < SMALL_BLOB_COUNT; ++i) {
        size_t size;
        uint8_t* blob = get_blob(i, &size);
        tlw_blob_contents contents;
        tlw_blob_find_all(blob, &contents);
        uint64_t counts[TLW_SECTION_COUNT];
        for (uint32_t k = 0; k < TLW_SECTION_COUNT; ++k) {
            const tlw_blob_section_kind kind = (tlw_blob_section_kind)k;
            uint64_t count;
            CHECK(tlw_blob_find(blob, kind, &count) == contents.first[k]);
            CHECK_EQ(count, contents.count[k]);
            const uint64_t elements =
                tlw_blob_section_elements(kind, contents.first[TLW_SECTION_LATTICE]);
            CHECK(elements == TLW_BLOB_ANY_COUNT || elements == count || contents.first[k] == NULL);
            CHECK(contents.first[k] != NULL || tlw_blob_is_optional(kind));
            counts[k] = contents.first[k] != NULL ? count : TLW_BLOB_ABSENT;
        }
        const tlw_blob_header* header = (const tlw_blob_header*)blob;
        tlw_blob_section table[TLW_SECTION_COUNT];
        uint32_t section_count;
        CHECK_EQ(tlw_blob_lay_out(counts, table, &section_count), size);
        CHECK_EQ(section_count, header->section_count);
        CHECK(memcmp(table, header + 1, section_count * sizeof *table) == 0);
        blob_free(blob);
    }
}
