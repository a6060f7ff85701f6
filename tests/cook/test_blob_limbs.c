// SPDX-License-Identifier: MIT
// The blob's validator on own limbs and rest gravity: one planted error per rule, and errors that
// need more than one changed number (MODEL 3.16, 3.17, 9.3, RULES 9.11).
#include "tests/cook/support/damaged_blobs.h"
#include "tests/cook/support/planted_numbers.h"
#include "tests/test.h"

#include <string.h>

// ELL gets two limbs by hand, of joints 0 and 2. Lane 0 of window 0 may be touched by both, by the
// second by half, lane 1 by the first. Lane 1 of window 2 is bone, lane 3 of window 6 is empty.
#define BOTH  0u
#define FIRST 1u
#define BONE  (2u * 8 + 1)
#define EMPTY (6u * 8 + 3)

static uint8_t* get_blob_with_limbs(size_t* size) {
    uint8_t* ell = get_blob(ELL, size);
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(ell, counts);
    tlw_blob_lattice* lattice = first_of(ell, TLW_SECTION_LATTICE);
    lattice->limb_count = 2;
    counts[TLW_SECTION_LIMBS] = 2;
    counts[TLW_SECTION_SLOT_LIMBS] = lattice->slot_count;
    uint8_t* blob = resize(ell, counts, size);
    blob_free(ell);
    tlw_blob_limb* limbs = first_of(blob, TLW_SECTION_LIMBS);
    limbs[0] = (tlw_blob_limb){0, {{0.5f, 1.5f, 2.5f}, {-3.5f, 1.5f, 2.5f}}, {1.5f, 1.25f}};
    limbs[1] = (tlw_blob_limb){2, {{4.0f, 4.0f, 4.0f}, {4.0f, 4.0f, 4.0f}}, {32768.0f, 0x1p-10f}};
    tlw_blob_slot_limbs* slots = first_of(blob, TLW_SECTION_SLOT_LIMBS);
    slots[BOTH] = (tlw_blob_slot_limbs){3, 2};
    slots[FIRST] = (tlw_blob_slot_limbs){1, 0};
    blob_set_content_hash(blob, *size);
    return blob;
}

// Two numbers of a lattice or a limb are components of one array.
#define GRAVITY_AT(axis) (offsetof(tlw_blob_lattice, rest_gravity) + 4 * (axis))
#define END_AT(k)        (offsetof(tlw_blob_limb, ends) + 4 * (k))
#define RADIUS_AT(k)     (offsetof(tlw_blob_limb, radius) + 4 * (k))
#define NUMBER(kind_, element_, offset_, value_, ...)                                    \
    {                                                                                    \
        .kind = TLW_SECTION_##kind_, .element = element_, .offset = offset_, .bytes = 4, \
        .value = value_, .reported = TLW_SECTION_##kind_, .what = __VA_ARGS__            \
    }

static const planted_number errors_of_limbs[] = {
    NUMBER(LATTICE, 0, GRAVITY_AT(0), NAN_32, "rest gravity, within 1e6", 0),
    NUMBER(LATTICE, 0, GRAVITY_AT(1), INF_32, "rest gravity, within 1e6", 1),
    NUMBER(LATTICE, 0, GRAVITY_AT(1), 0x49742401, "rest gravity, within 1e6", 1), // after 1e6
    NUMBER(LATTICE, 0, GRAVITY_AT(2), 0xC9742401, "rest gravity, within 1e6", 2),
    FIELD(LATTICE, tlw_blob_lattice, 0, limb_count, 33, "limb count", 0),
    FIELD(LATTICE, tlw_blob_lattice, 0, limb_count, UINT32_MAX, "limb count", 0),
    LEADS_TO(LATTICE, 0, offsetof(tlw_blob_lattice, limb_count), 4, 1, LIMBS, "element count", 0),
    LEADS_TO(LATTICE, 0, offsetof(tlw_blob_lattice, limb_count), 4, 32, LIMBS, "element count", 0),
    LEADS_TO(LATTICE, 0, offsetof(tlw_blob_lattice, limb_count), 4, 0, LIMBS,
             "absent without limbs", 0),
    FIELD(LIMBS, tlw_blob_limb, 1, joint, 3, "joint", 0),
    FIELD(LIMBS, tlw_blob_limb, 0, joint, UINT32_MAX, "joint", 0),
    FIELD(LIMBS, tlw_blob_limb, 1, joint, 0, "ascending joints", 0),
    LEADS_TO(LIMBS, 0, offsetof(tlw_blob_limb, joint), 4, 2, LIMBS, "ascending joints", 0),
    NUMBER(LIMBS, 0, END_AT(0), NAN_32, "end, within 2^20 voxels", 0),
    NUMBER(LIMBS, 1, END_AT(2), INF_32, "end, within 2^20 voxels", 2),
    NUMBER(LIMBS, 1, END_AT(3), 0x49800001, "end, within 2^20 voxels", 3), // the next after 2^20
    NUMBER(LIMBS, 0, END_AT(5), 0xC9800001, "end, within 2^20 voxels", 5),
    NUMBER(LIMBS, 0, RADIUS_AT(0), NAN_32, "radius, 1/1024 to 2^15 voxels", 0),
    NUMBER(LIMBS, 0, RADIUS_AT(1), INF_32, "radius, 1/1024 to 2^15 voxels", 1),
    NUMBER(LIMBS, 0, RADIUS_AT(0), MINUS_1, "radius, 1/1024 to 2^15 voxels", 0),
    NUMBER(LIMBS, 0, RADIUS_AT(1), 0, "radius, 1/1024 to 2^15 voxels", 1),
    NUMBER(LIMBS, 1, RADIUS_AT(1), LEAST_32, "radius, 1/1024 to 2^15 voxels", 1),
    NUMBER(LIMBS, 1, RADIUS_AT(0), 0x47000001, "radius, 1/1024 to 2^15 voxels", 0),
    NUMBER(LIMBS, 1, RADIUS_AT(1), 0x3A800001, "radius, a multiple of 1/1024", 1),
    NUMBER(LIMBS, 0, RADIUS_AT(0), 0x3FC00001, "radius, a multiple of 1/1024", 0), // after 1.5
    FIELD(SLOT_LIMBS, tlw_blob_slot_limbs, FIRST, touches, 5, "limbs that exist", 0),
    FIELD(SLOT_LIMBS, tlw_blob_slot_limbs, FIRST, touches, UINT32_MAX, "limbs that exist", 0),
    FIELD(SLOT_LIMBS, tlw_blob_slot_limbs, FIRST, halves, 2, "halves among the limbs that touch",
          1),
    FIELD(SLOT_LIMBS, tlw_blob_slot_limbs, FIRST, halves, 1u << 31,
          "halves among the limbs that touch", 1),
    FIELD(SLOT_LIMBS, tlw_blob_slot_limbs, BONE, touches, 1, "no limb for bone and where empty", 0),
    FIELD(SLOT_LIMBS, tlw_blob_slot_limbs, BONE, halves, 1, "no limb for bone and where empty", 1),
    FIELD(SLOT_LIMBS, tlw_blob_slot_limbs, EMPTY, touches, 2, "no limb for bone and where empty",
          0),
    FIELD(SLOT_LIMBS, tlw_blob_slot_limbs, EMPTY, halves, 1u << 31,
          "no limb for bone and where empty", 1),
};

TLW_TEST(blob_report_names_every_planted_error_of_limbs) {
    size_t size;
    uint8_t* blob = get_blob_with_limbs(&size);
    CHECK_STRING(blob_unsoundness(blob) ? blob_unsoundness(blob) : "sound", "sound");
    check_planted_numbers(blob, size, errors_of_limbs, TLW_COUNT_OF(errors_of_limbs));
    blob_free(blob);
}

// What the cooker makes, too: its first limb may touch a slot or more.
TLW_TEST(blob_report_names_errors_planted_in_cooked_limbs) {
    static const planted_number errors[] = {
        NUMBER(LIMBS, 0, RADIUS_AT(0), 0, "radius, 1/1024 to 2^15 voxels", 0),
        NUMBER(LIMBS, 1, END_AT(4), NAN_32, "end, within 2^20 voxels", 4),
    };
    size_t size;
    uint8_t* blob = get_blob(TOUCHING_LEGS, &size);
    CHECK_LT(1, ((const tlw_blob_lattice*)first_of(blob, TLW_SECTION_LATTICE))->limb_count);
    check_planted_numbers(blob, size, errors, TLW_COUNT_OF(errors));
    blob_free(blob);
}

TLW_TEST(blob_has_limbs_and_their_voxels_or_neither) {
    size_t size, new_size;
    uint8_t* blob = get_blob_with_limbs(&size);
    tlw_blob_lattice* lattice = first_of(blob, TLW_SECTION_LATTICE);
    const uint64_t slots = lattice->slot_count;
    tlw_blob_report report;
    static const tlw_blob_section_kind kinds[] = {TLW_SECTION_LIMBS, TLW_SECTION_SLOT_LIMBS};
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        const uint32_t kind = (uint32_t)kinds[i];
        uint8_t* other = rebuild(blob, kind, UINT32_MAX, 0, &new_size);
        check_report(other, new_size, kind, "element count", &report, HERE);
        CHECK_EQ(report.found, 0);
        CHECK_EQ(report.expected, i == 0 ? 2 : slots);
        // A count of 0 says that the other must go, too.
        ((tlw_blob_lattice*)first_of(other, TLW_SECTION_LATTICE))->limb_count = 0;
        blob_set_content_hash(other, new_size);
        check_report(other, new_size, (uint32_t)kinds[1 - i], "absent without limbs", &report,
                     HERE);
        blob_free(other);
        for (int by = -1; by <= 1; by += 2) {
            const uint64_t count = entry_of(blob, kind)->count + (uint64_t)by;
            other = rebuild(blob, UINT32_MAX, kind, count, &new_size);
            check_report(other, new_size, kind, "element count", &report, HERE);
            blob_free(other);
        }
    }
    // Without limbs even an empty section is one too many.
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(blob, counts);
    lattice->limb_count = 0;
    counts[TLW_SECTION_LIMBS] = 0;
    counts[TLW_SECTION_SLOT_LIMBS] = TLW_BLOB_ABSENT;
    uint8_t* empty = resize(blob, counts, &new_size);
    check_report(empty, new_size, TLW_SECTION_LIMBS, "absent without limbs", &report, HERE);
    blob_free(empty);
    counts[TLW_SECTION_LIMBS] = TLW_BLOB_ABSENT;
    uint8_t* none = resize(blob, counts, &new_size);
    CHECK_OK(tlw_blob_validate(none, new_size, TLW_BLOB_CHECK_ALL, &report));
    CHECK_STRING(blob_unsoundness(none) ? blob_unsoundness(none) : "sound", "sound");
    blob_free(none);
    blob_free(blob);
}

TLW_TEST(blob_rejects_a_limb_that_may_touch_no_voxel) {
    size_t size;
    uint8_t* blob = get_blob_with_limbs(&size);
    tlw_blob_slot_limbs* slots = first_of(blob, TLW_SECTION_SLOT_LIMBS);
    slots[BOTH] = (tlw_blob_slot_limbs){1, 1};
    blob_set_content_hash(blob, size);
    tlw_blob_report report;
    check_report(blob, size, TLW_SECTION_LIMBS, "a limb that may touch a voxel", &report, HERE);
    CHECK_EQ(report.element, 1);
    slots[BOTH] = (tlw_blob_slot_limbs){2, 0};
    slots[FIRST] = (tlw_blob_slot_limbs){0, 0};
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_LIMBS, "a limb that may touch a voxel", &report, HERE);
    CHECK_EQ(report.element, 0);
    blob_free(blob);
}

TLW_TEST(blob_with_a_flipped_byte_of_its_limbs_is_rejected_or_harmless) {
    static const uint8_t flips[] = {0x80, 0x01, 0x10, 0xFF};
    size_t size;
    uint8_t* blob = get_blob_with_limbs(&size);
    const tlw_blob_section *limbs = entry_of(blob, TLW_SECTION_LIMBS),
                           *slots = entry_of(blob, TLW_SECTION_SLOT_LIMBS),
                           *lattice = entry_of(blob, TLW_SECTION_LATTICE);
    const struct {
        uint64_t first, end;
    } ranges[] = {
        {lattice->offset + GRAVITY_AT(0), lattice->offset + sizeof(tlw_blob_lattice)},
        {limbs->offset, limbs->offset + limbs->count * sizeof(tlw_blob_limb)},
        {slots->offset, slots->offset + slots->count * sizeof(tlw_blob_slot_limbs)},
    };
    uint32_t rejected = 0, accepted = 0;
    for (size_t i = 0; i < TLW_COUNT_OF(ranges); ++i) {
        for (uint64_t at = ranges[i].first; at < ranges[i].end; ++at) {
            for (size_t k = 0; k < TLW_COUNT_OF(flips); ++k) {
                blob[at] ^= flips[k];
                tlw_blob_report report;
                if (tlw_blob_validate(blob, size, TLW_BLOB_SKIP_CONTENT_HASH, &report) == TLW_OK) {
                    const char* problem = blob_unsoundness(blob);
                    if (problem != NULL) {
                        tlw_test_fail(__FILE__, __LINE__, "byte %llu, flipped by %u: %s",
                                      (unsigned long long)at, flips[k], problem);
                    }
                    accepted += 1;
                } else {
                    CHECK(report.expected != report.found);
                    rejected += 1;
                }
                blob[at] ^= flips[k];
            }
        }
    }
    CHECK_LT(100u, accepted);
    CHECK_LT(1000u, rejected);
    blob_free(blob);
}

// All 32 bits of a mask are limbs then. ELL has as many joints for them, without weights.
TLW_TEST(blob_may_have_32_limbs_and_no_more) {
    for (uint32_t count = TLW_BLOB_LIMBS_MAX; count <= TLW_BLOB_LIMBS_MAX + 1; ++count) {
        size_t size, new_size;
        uint8_t* ell = get_blob_with_limbs(&size);
        tlw_blob_lattice* lattice = first_of(ell, TLW_SECTION_LATTICE);
        const uint32_t kept = lattice->joint_count;
        lattice->limb_count = lattice->joint_count = count;
        uint64_t counts[TLW_SECTION_COUNT];
        get_counts(ell, counts);
        counts[TLW_SECTION_JOINTS] = counts[TLW_SECTION_JOINT_BOX] = count;
        counts[TLW_SECTION_LIMBS] = count;
        uint8_t* blob = resize(ell, counts, &new_size);
        tlw_blob_joint* joints = first_of(blob, TLW_SECTION_JOINTS);
        tlw_blob_joint_box* boxes = first_of(blob, TLW_SECTION_JOINT_BOX);
        tlw_blob_limb* limbs = first_of(blob, TLW_SECTION_LIMBS);
        for (uint32_t j = 0; j < count; ++j) {
            if (j >= kept) {
                joints[j] = joints[0];
                joints[j].is_kept = 0;
                boxes[j] = (tlw_blob_joint_box){{0, 0, 0}, {-1, -1, -1}};
            }
            limbs[j] = limbs[0];
            limbs[j].joint = j;
        }
        tlw_blob_slot_limbs* slots = first_of(blob, TLW_SECTION_SLOT_LIMBS);
        slots[BOTH] = (tlw_blob_slot_limbs){UINT32_MAX, UINT32_MAX};
        blob_set_content_hash(blob, new_size);
        tlw_blob_report report;
        if (count == TLW_BLOB_LIMBS_MAX) {
            CHECK_OK(tlw_blob_validate(blob, new_size, TLW_BLOB_CHECK_ALL, &report));
            CHECK_STRING(blob_unsoundness(blob) ? blob_unsoundness(blob) : "sound", "sound");
        } else {
            check_report(blob, new_size, TLW_SECTION_LATTICE, "limb count", &report, HERE);
            CHECK_EQ(report.expected, TLW_BLOB_LIMBS_MAX);
        }
        blob_free(blob);
        blob_free(ell);
    }
}

TLW_TEST(blob_says_how_many_limbs_it_has_and_what_it_was_modelled_under) {
    size_t size;
    uint8_t* bytes = get_blob_with_limbs(&size);
    tlw_blob_lattice* lattice = first_of(bytes, TLW_SECTION_LATTICE);
    lattice->rest_gravity[1] = -9.81f;
    lattice->rest_gravity[2] = TLW_BLOB_GRAVITY_MAX;
    blob_set_content_hash(bytes, size);
    tlw_blob blob;
    tlw_blob_info info;
    CHECK_OK(tlw_blob_open(bytes, size, TLW_BLOB_CHECK_ALL, &blob, NULL));
    CHECK_OK(tlw_blob_get_info(&blob, &info));
    CHECK_EQ(info.limb_count, 2);
    CHECK_EQ(info.rest_gravity[0], 0.0f);
    CHECK_EQ(info.rest_gravity[1], -9.81f);
    CHECK_EQ(info.rest_gravity[2], 1e6f);
    blob_free(bytes);
}
