// SPDX-License-Identifier: MIT
// The blob's validator on muscles and bellies: one planted error per rule, and errors that need
// more than one changed number (MODEL 3.18, 3.19, 9.3, RULES 9.12, 9.14).
#include "tests/cook/support/damaged_blobs.h"
#include "tests/cook/support/planted_numbers.h"
#include "tests/test.h"

#include <string.h>

// MUSCLED_ELL has a muscle of 5 vertices in lane 0 and one of 4 in lane 1, both with a field.
#define LINE     0u
#define OTHER    1u // the lane of the shorter muscle
#define NONE     5u // a lane without a muscle
#define VERTICES 5u

// The number of a lane in an array of a row, a field or a shape, and its component in a report.
#define IN_ROW(field, lane)   (offsetof(tlw_blob_muscle_row, field) + 4 * (size_t)(lane))
#define IN_FIELD(field, lane) (offsetof(tlw_blob_muscle_field, field) + 4 * (size_t)(lane))
#define COMPONENT(offset)     ((uint32_t)((offset) / 4))
#define NUMBER(kind_, element_, offset_, value_, what_)                                  \
    {                                                                                    \
        .kind = TLW_SECTION_##kind_, .element = element_, .offset = offset_, .bytes = 4, \
        .value = value_, .reported = TLW_SECTION_##kind_, .what = what_,                 \
        .component = COMPONENT(offset_)                                                  \
    }
#define ROW(vertex, field, lane, value, what) \
    NUMBER(MUSCLE_ROWS, vertex, IN_ROW(field, lane), value, what)
#define OF_FIELD(field, lane, value, what) \
    NUMBER(MUSCLE_FIELDS, 0, IN_FIELD(field, lane), value, what)
#define JOINT_OF_ROW(vertex, k, lane, value_, what_)                                               \
    {                                                                                              \
        .kind = TLW_SECTION_MUSCLE_ROWS, .element = vertex,                                        \
        .offset = offsetof(tlw_blob_muscle_row, joint) + ((size_t)(k)*8 + (lane)) * 2, .bytes = 2, \
        .value = value_, .reported = TLW_SECTION_MUSCLE_ROWS, .what = what_,                       \
        .component = (24 + (k)) * 8 + (lane)                                                       \
    }
#define MUSCLE(which, field, value, ...) \
    FIELD(MUSCLES, tlw_blob_muscle, which, field, value, __VA_ARGS__)

#define BIG_32    0x49800001u // the next after 2^20
#define ANGLE_181 0x43350000u

static const planted_number errors[] = {
    FIELD(LATTICE, tlw_blob_lattice, 0, muscle_count, 1025, "muscle count", 0),
    LEADS_TO(LATTICE, 0, offsetof(tlw_blob_lattice, muscle_count), 4, 0, MUSCLES,
             "absent without muscles", 0),
    LEADS_TO(LATTICE, 0, offsetof(tlw_blob_lattice, muscle_count), 4, 3, MUSCLES, "element count",
             0),
    MUSCLE(0, name, UINT32_MAX, "name", 0),
    MUSCLE(0, vertex_count, 2, "vertices, 3 to 32", 0),
    MUSCLE(1, vertex_count, 33, "vertices, 3 to 32", 0),
    MUSCLE(0, bulge, NAN_32, "bulge, 0 to 10", 0),
    MUSCLE(0, bulge, MINUS_1, "bulge, 0 to 10", 0),
    MUSCLE(0, bulge, 0x41200001, "bulge, 0 to 10", 0),
    MUSCLE(0, radius, INF_32, "radius, 0 to 2^15 voxels", 0),
    MUSCLE(0, radius, TWO_32, "the largest radius of its vertices", 0),
    LEADS_TO(MUSCLES, 0, offsetof(tlw_blob_muscle, radius), 4, 0, MUSCLE_ROWS,
             "radius, at most the muscle's", 16 * 8),
    MUSCLE(1, reach, NAN_32, "reach, 0 to 64", 0),
    MUSCLE(1, reach, 0x42800001, "reach, 0 to 64", 0),
    MUSCLE(0, flex_joint, 3, "joint", 0),
    MUSCLE(0, flex_joint, 0, "a joint with a parent", 0),
    MUSCLE(0, flex_joint, TLW_BLOB_NO_INDEX, "angle, 0 to 180; 0 without a joint", 0),
    MUSCLE(1, flex_to, ONE_32, "angle, 0 to 180; 0 without a joint", 1),
    MUSCLE(0, flex_from, MINUS_1, "angle, 0 to 180; 0 without a joint", 0),
    MUSCLE(0, flex_to, ANGLE_181, "angle, 0 to 180; 0 without a joint", 1),
    MUSCLE(0, flex_to, NAN_32, "angle, 0 to 180; 0 without a joint", 1),
    MUSCLE(0, flex_to, 0x41200000, "angles at least 1 degree apart", 0), // 10
    FIELD(MUSCLE_GROUPS, tlw_blob_muscle_group, 0, first_row, 1, "rows one after another", 0),
    FIELD(MUSCLE_GROUPS, tlw_blob_muscle_group, 1, first_row, 4, "rows one after another", 0),
    FIELD(MUSCLE_GROUPS, tlw_blob_muscle_group, 0, first_field, 1,
          "fields one after another, at most 8", 1),
    FIELD(MUSCLE_GROUPS, tlw_blob_muscle_group, 1, first_field, 9,
          "fields one after another, at most 8", 1),
    LEADS_TO(MUSCLE_GROUPS, 1, offsetof(tlw_blob_muscle_group, first_field), 4, 2, MUSCLE_FIELDS,
             "element count", 0),
    ROW(0, place[0], LINE, NAN_32, "place, within 2^20 voxels"),
    ROW(4, place[2], LINE, BIG_32, "place, within 2^20 voxels"),
    ROW(1, tangent[1], LINE, NAN_32, "tangent, -1 to 1"),
    ROW(1, tangent[1], LINE, TWO_32, "tangent, -1 to 1"),
    LEADS_TO(MUSCLE_ROWS, 1, IN_ROW(tangent[1], LINE), 4, HALF_32, MUSCLE_ROWS,
             "tangent of length 1", 3 * 8),
    ROW(1, outward[1], LINE, NAN_32, "outward direction, -1 to 1"),
    ROW(1, outward[1], LINE, TWO_32, "outward direction, -1 to 1"),
    LEADS_TO(MUSCLE_ROWS, 1, IN_ROW(outward[1], LINE), 4, HALF_32, MUSCLE_ROWS,
             "outward direction of length 1 or 0", 9 * 8),
    ROW(2, balance[0], LINE, NAN_32, "balance, at most the springs'"),
    ROW(2, balance[0], LINE, BIG_32, "balance, at most the springs'"),
    ROW(0, length[0], LINE, 0x3E700000, "length of a segment, 0.25 or more"),
    ROW(0, length[0], LINE, NAN_32, "length of a segment, 0.25 or more"),
    ROW(0, ratio[0], LINE, 0x3E000000, "stiffness ratio, 1 to 100"),
    ROW(3, ratio[0], LINE, 0x43C80000, "stiffness ratio, 1 to 100"), // 400
    ROW(1, ratio[0], LINE, NAN_32, "stiffness ratio, 1 to 100"),
    ROW(0, slack[0], LINE, 0, "slack length, by the ratio"),
    ROW(0, slack[0], LINE, BIG_32, "slack length, by the ratio"),
    ROW(0, belly[0], LINE, HALF_32, "belly, 0 or 1"),
    ROW(4, length[0], LINE, ONE_32, "no segment after the last vertex"),
    ROW(4, belly[0], LINE, ONE_32, "no segment after the last vertex"),
    ROW(2, radius[0], LINE, TWO_32, "radius, at most the muscle's"),
    ROW(2, radius[0], LINE, MINUS_1, "radius, at most the muscle's"),
    ROW(0, arc[0], LINE, ONE_32, "arc length, the sum of the lengths"),
    ROW(2, arc[0], LINE, NAN_32, "arc length, the sum of the lengths"),
    ROW(2, flex[0], LINE, 0x41880000, "flex share, within 16"),
    ROW(2, flex[0], LINE, NAN_32, "flex share, within 16"),
    ROW(2, is_dynamic[0], LINE, HALF_32, "dynamic, 0 or 1"),
    ROW(2, weight[0], LINE, NAN_32, "weight, 0 to 1"),
    ROW(2, weight[0], LINE, HALF_32, "weights that sum to 1"),
    ROW(2, weight[2], LINE, HALF_32, "weight, 0 to 1"), // place 1 is unused
    JOINT_OF_ROW(2, 0, LINE, 3, "joints, ascending; 0 without a weight"),
    JOINT_OF_ROW(2, 1, LINE, 1, "joints, ascending; 0 without a weight"),
    JOINT_OF_ROW(2, 1, OTHER, 1, "joints, ascending; 0 without a weight"), // as place 0
    ROW(4, place[0], OTHER, LEAST_32, "0 beyond the last vertex"),
    ROW(2, weight[3], NONE, ONE_32, "0 beyond the last vertex"),
    JOINT_OF_ROW(2, 2, NONE, 1, "0 beyond the last vertex"),
    OF_FIELD(centre[1], LINE, BIG_32, "centre, within 2^20 voxels"),
    OF_FIELD(inverse[2], LINE, 0, "inverse of a radius, at most 4"),
    OF_FIELD(inverse[1], LINE, NAN_32, "inverse of a radius, at most 4"),
    OF_FIELD(inverse[1], LINE, 0x40900000, "inverse of a radius, at most 4"), // 4.5
    OF_FIELD(gain[0], LINE, 0x42200001, "gain, 0 to 40"),
    OF_FIELD(gain[0], LINE, MINUS_1, "gain, 0 to 40"),
    OF_FIELD(reach[0], OTHER, ONE_32, "reach, 0, or above 1 up to 100"),
    OF_FIELD(reach[0], OTHER, INF_32, "reach, 0, or above 1 up to 100"),
    OF_FIELD(gain[0], NONE, ONE_32, "0 where there is no field"),
    LEADS_TO(MUSCLE_FIELDS, 0, IN_FIELD(inverse[0], LINE), 4, 0, MUSCLE_FIELDS,
             "0 where there is no field", 0),
    PLAIN(BELLY_WINDOWS, uint32_t, 0, 1, "entries one after another, at most 32", 0),
    FIELD(BELLY_ENTRY, tlw_blob_belly_entry, 0, muscle, 2, "muscle", 0),
    FIELD(BELLY_ENTRY, tlw_blob_belly_entry, 0, first_vertex, 5, "first vertex", 0),
    FIELD(BELLY_ENTRY, tlw_blob_belly_entry, 0, vertex_count, 0, "vertices of the muscle", 0),
    FIELD(BELLY_ENTRY, tlw_blob_belly_entry, 0, vertex_count, 33, "vertices of the muscle", 0),
    FIELD(BELLY_ENTRY, tlw_blob_belly_entry, 0, first_weight, 1, "weights one after another", 0),
};

static uint8_t* get_muscles(size_t* size) {
    uint8_t* blob = get_blob(MUSCLED_ELL, size);
    CHECK_EQ(((const tlw_blob_lattice*)first_of(blob, TLW_SECTION_LATTICE))->muscle_count, 2);
    CHECK_EQ(entry_of(blob, TLW_SECTION_MUSCLE_ROWS)->count, VERTICES);
    CHECK_EQ(entry_of(blob, TLW_SECTION_MUSCLE_FIELDS)->count, 1);
    return blob;
}

TLW_TEST(blob_report_names_every_planted_error_of_muscles) {
    size_t size;
    uint8_t* blob = get_muscles(&size);
    CHECK_STRING(blob_unsoundness(blob) ? blob_unsoundness(blob) : "sound", "sound");
    check_planted_numbers(blob, size, errors, TLW_COUNT_OF(errors));
    blob_free(blob);
}

// A voxel that has the muscle of an entry, and one that does not.
typedef struct belly_lanes {
    uint64_t entry;
    uint32_t with, without, window;
} belly_lanes;

static belly_lanes find_lanes(uint8_t* blob) {
    const tlw_blob_belly_shape* shapes = first_of(blob, TLW_SECTION_BELLY_SHAPE);
    const uint32_t* windows = first_of(blob, TLW_SECTION_BELLY_WINDOWS);
    belly_lanes found = {.window = 0};
    for (uint64_t e = 0; e < entry_of(blob, TLW_SECTION_BELLY_SHAPE)->count; ++e) {
        uint32_t with = 8, without = 8;
        while (windows[found.window + 1] <= e) {
            found.window += 1;
        }
        for (uint32_t lane = 0; lane < 8; ++lane) {
            *(shapes[e].a[lane] > 0.0f ? &with : &without) = lane;
        }
        if (with < 8 && without < 8) {
            return (belly_lanes){e, with, without, found.window};
        }
    }
    tlw_test_fail(HERE, "no window has both");
    return found;
}

#define IN_SHAPE(field, lane) (offsetof(tlw_blob_belly_shape, field) + 4 * (size_t)(lane))

TLW_TEST(blob_report_names_every_planted_error_of_bellies) {
    size_t size;
    uint8_t* blob = get_muscles(&size);
    const belly_lanes at = find_lanes(blob);
    const tlw_blob_belly_entry* entry =
        (const tlw_blob_belly_entry*)first_of(blob, TLW_SECTION_BELLY_ENTRY) + at.entry;
    const uint8_t* layers = first_of(blob, TLW_SECTION_SLOT_LAYER);
    const uint32_t weight = entry->first_weight;
    const bool is_soft = layers[at.window * 8 + at.without] - 1u < TLW_BLOB_EMPTY_LAYER - 1u;
    const planted_number planted[] = {
        NUMBER(BELLY_SHAPE, at.entry, IN_SHAPE(d[1], at.with), NAN_32, "d, within 64"),
        NUMBER(BELLY_SHAPE, at.entry, IN_SHAPE(d[2], at.with), 0x42800001, "d, within 64"),
        NUMBER(BELLY_SHAPE, at.entry, IN_SHAPE(a[0], at.with), TWO_32, "a, 0 to 1"),
        NUMBER(BELLY_SHAPE, at.entry, IN_SHAPE(a[0], at.with), NAN_32, "a, 0 to 1"),
        NUMBER(BELLY_SHAPE, at.entry, IN_SHAPE(a[0], at.with), MINUS_1, "a, 0 to 1"),
        {.kind = TLW_SECTION_BELLY_SHAPE,
         .element = at.entry,
         .offset = IN_SHAPE(a[0], at.without),
         .bytes = 4,
         .value = HALF_32,
         .reported = is_soft ? TLW_SECTION_BELLY_WEIGHT : TLW_SECTION_BELLY_SHAPE,
         .is_elsewhere = true,
         .what = is_soft ? "weights that sum to 1" : "no muscle for bone and where empty",
         .component = at.without},
        {.kind = TLW_SECTION_BELLY_WEIGHT,
         .element = weight,
         .offset = 2 * at.without,
         .bytes = 2,
         .value = 1,
         .reported = TLW_SECTION_BELLY_WEIGHT,
         .what = "weight, -1 to 1; 0 without the muscle",
         .component = at.without},
        {.kind = TLW_SECTION_BELLY_WEIGHT,
         .element = weight,
         .offset = 16 + 2 * at.with,
         .bytes = 2,
         .value = 0xFFFF,
         .reported = TLW_SECTION_BELLY_WEIGHT,
         .what = "weight, -1 to 1; 0 without the muscle",
         .component = 8 + at.with},
        {.kind = TLW_SECTION_BELLY_WEIGHT,
         .element = weight,
         .offset = 2 * at.with,
         .bytes = 2,
         .value = 77,
         .reported = TLW_SECTION_BELLY_WEIGHT,
         .what = "weights that sum to 1",
         .component = at.with},
    };
    check_planted_numbers(blob, size, planted, TLW_COUNT_OF(planted));
    tlw_blob_muscle* muscles = first_of(blob, TLW_SECTION_MUSCLES);
    tlw_blob_report report;
    muscles[0].reach *= 0.99f;
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_BELLY_SHAPE, "|d| squared, by the muscle's reach", &report,
                 HERE);
    blob_free(blob);
}

TLW_TEST(blob_has_all_sections_of_muscles_or_none) {
    size_t size, new_size;
    uint8_t* blob = get_muscles(&size);
    tlw_blob_report report;
    for (uint32_t kind = TLW_SECTION_MUSCLES; kind <= TLW_SECTION_BELLY_WEIGHT; ++kind) {
        for (int by = -1; by <= 1; ++by) {
            const uint64_t count = entry_of(blob, kind)->count + (uint64_t)by;
            uint8_t* other = by == 0 ? rebuild(blob, kind, UINT32_MAX, 0, &new_size)
                                     : rebuild(blob, UINT32_MAX, kind, count, &new_size);
            CHECK_RESULT(tlw_blob_validate(other, new_size, TLW_BLOB_CHECK_ALL, &report),
                         TLW_ERROR_BAD_BLOB);
            CHECK(report.expected != report.found);
            blob_free(other);
        }
    }
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(blob, counts);
    ((tlw_blob_lattice*)first_of(blob, TLW_SECTION_LATTICE))->muscle_count = 0;
    for (uint32_t kind = TLW_SECTION_MUSCLES; kind <= TLW_SECTION_BELLY_WEIGHT; ++kind) {
        counts[kind] = kind == TLW_SECTION_BELLY_WEIGHT ? 0 : TLW_BLOB_ABSENT;
    }
    uint8_t* empty = resize(blob, counts, &new_size);
    check_report(empty, new_size, TLW_SECTION_BELLY_WEIGHT, "absent without muscles", &report,
                 HERE);
    blob_free(empty);
    counts[TLW_SECTION_BELLY_WEIGHT] = TLW_BLOB_ABSENT;
    uint8_t* none = resize(blob, counts, &new_size);
    CHECK_OK(tlw_blob_validate(none, new_size, TLW_BLOB_CHECK_ALL, &report));
    blob_free(none);
    blob_free(blob);
}

TLW_TEST(blob_rejects_muscles_of_one_name_of_no_name_and_of_long_names) {
    size_t size, new_size;
    uint8_t* blob = get_muscles(&size);
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(blob, counts);
    const uint64_t end = counts[TLW_SECTION_STRINGS];
    counts[TLW_SECTION_STRINGS] += 65;
    uint8_t* other = resize(blob, counts, &new_size);
    memset((char*)first_of(other, TLW_SECTION_STRINGS) + end, 'm', 64);
    tlw_blob_muscle* muscles = first_of(other, TLW_SECTION_MUSCLES);
    const struct {
        uint64_t name;
        const char* what; // null: it is good
    } cases[] = {{muscles[0].name, "a name that no muscle before it has"},
                 {end + 64, "bytes of a name, 1 to 63"},
                 {end, "bytes of a name, 1 to 63"},
                 {end + 1, NULL}};
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        tlw_blob_report report;
        muscles[1].name = (uint32_t)cases[i].name;
        blob_set_content_hash(other, new_size);
        if (cases[i].what != NULL) {
            check_report(other, new_size, TLW_SECTION_MUSCLES, cases[i].what, &report, HERE);
            CHECK_EQ(report.element, 1);
        } else {
            CHECK_OK(tlw_blob_validate(other, new_size, TLW_BLOB_CHECK_ALL, &report));
        }
    }
    blob_free(other);
    blob_free(blob);
}

TLW_TEST(blob_rejects_a_muscle_of_tendons_and_entries_of_no_voxel) {
    size_t size;
    uint8_t* blob = get_muscles(&size);
    tlw_blob_report report;
    tlw_blob_muscle_row* rows = first_of(blob, TLW_SECTION_MUSCLE_ROWS);
    float before[VERTICES];
    for (uint32_t v = 0; v < VERTICES; ++v) {
        before[v] = rows[v].belly[LINE];
        rows[v].belly[LINE] = 0.0f;
    }
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_MUSCLES, "a segment that is no tendon", &report, HERE);
    for (uint32_t v = 0; v < VERTICES; ++v) {
        rows[v].belly[LINE] = before[v];
    }
    const tlw_blob_belly_entry* entry = first_of(blob, TLW_SECTION_BELLY_ENTRY);
    memset(first_of(blob, TLW_SECTION_BELLY_SHAPE), 0, sizeof(tlw_blob_belly_shape));
    memset((tlw_blob_belly_weight*)first_of(blob, TLW_SECTION_BELLY_WEIGHT) + entry->first_weight,
           0, entry->vertex_count * sizeof(tlw_blob_belly_weight));
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_BELLY_ENTRY, "a muscle that a voxel has", &report, HERE);
    blob_free(blob);
}

TLW_TEST(blob_with_a_flipped_byte_of_its_muscles_is_rejected_or_harmless) {
    static const uint8_t flips[] = {0x80, 0x01, 0xFF};
    size_t size;
    uint8_t* blob = get_muscles(&size);
    const size_t first = (size_t)entry_of(blob, TLW_SECTION_MUSCLES)->offset;
    const tlw_blob_section* last = entry_of(blob, TLW_SECTION_BELLY_WEIGHT);
    const size_t end = (size_t)(last->offset + last->count * last->element_bytes);
    uint32_t rejected = 0, accepted = 0;
    for (size_t at = first; at < end; at += TLW_UNDER_SANITIZER ? 7 : 1) {
        const uint8_t flip = flips[at % TLW_COUNT_OF(flips)];
        tlw_blob_report report;
        blob[at] ^= flip;
        if (tlw_blob_validate(blob, size, TLW_BLOB_SKIP_CONTENT_HASH, &report) == TLW_OK) {
            const char* problem = blob_unsoundness(blob);
            if (problem != NULL) {
                tlw_test_fail(HERE, "byte %zu, flipped by %u: %s", at, flip, problem);
            }
            accepted += 1;
        } else {
            CHECK(report.expected != report.found);
            rejected += 1;
        }
        blob[at] ^= flip;
    }
    CHECK_LT(100u, accepted);
    CHECK_LT(100u, rejected);
    blob_free(blob);
}
