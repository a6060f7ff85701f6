// SPDX-License-Identifier: MIT
// The blob's validator on skinned volume and profiles: one planted error per rule, and errors that
// need more than one changed number (MODEL 9.3, RULES 8.8, 9.8 to 9.10).
#include "tests/cook/support/damaged_blobs.h"
#include "tests/cook/support/planted_numbers.h"
#include "tests/test.h"

#include <string.h>

// Skinned volume

// ELL has two bends, of joints 1 and 2. All of its 14 windows have both and their couple. Windows 0
// and 1 are full, lane 1 of window 2 is bone, lane 3 of window 6 is empty.
static const planted_number errors_of_ell[] = {
    FIELD(BENDS, tlw_blob_bend, 1, joint, 3, "joint", 0),
    FIELD(BENDS, tlw_blob_bend, 0, joint, UINT32_MAX, "joint", 0),
    FIELD(BENDS, tlw_blob_bend, 0, joint, 0, "a joint with a parent", 0),
    FIELD(BENDS, tlw_blob_bend, 1, joint, 1, "a joint that is no bend before it", 0),
    FIELD(BENDS, tlw_blob_bend, 0, rest_volume, NAN_32, "rest volume, at least 1e-12", 0),
    FIELD(BENDS, tlw_blob_bend, 0, rest_volume, INF_32, "rest volume, at least 1e-12", 0),
    FIELD(BENDS, tlw_blob_bend, 1, rest_volume, MINUS_1, "rest volume, at least 1e-12", 0),
    FIELD(BENDS, tlw_blob_bend, 1, rest_volume, 0, "rest volume, at least 1e-12", 0),
    FIELD(BENDS, tlw_blob_bend, 1, rest_volume, LEAST_32, "rest volume, at least 1e-12", 0),
    FIELD(BENDS, tlw_blob_bend, 1, rest_volume, 0x41880000, // 17
          "rest volume, the sum of its shares", 0),
    FIELD(BENDS, tlw_blob_bend, 0, rest_slope, NAN_32,
          "rest slope, 0.01 to 7 times the rest volume", 0),
    FIELD(BENDS, tlw_blob_bend, 0, rest_slope, INF_32,
          "rest slope, 0.01 to 7 times the rest volume", 0),
    FIELD(BENDS, tlw_blob_bend, 0, rest_slope, HALF_32,
          "rest slope, 0.01 to 7 times the rest volume", 0),
    FIELD(BENDS, tlw_blob_bend, 1, rest_slope, 0, "rest slope, 0.01 to 7 times the rest volume", 0),
    FIELD(BENDS, tlw_blob_bend, 1, rest_slope, MINUS_1,
          "rest slope, 0.01 to 7 times the rest volume", 0),
    FIELD(BENDS, tlw_blob_bend, 1, reach, NAN_32, "reach, 0 to 1e6", 0),
    FIELD(BENDS, tlw_blob_bend, 1, reach, MINUS_1, "reach, 0 to 1e6", 0),
    FIELD(BENDS, tlw_blob_bend, 1, reach, 0x49742401, "reach, 0 to 1e6", 0), // the next after 1e6
    FIELD(BEND_PAIRS, tlw_blob_bend_pair, 0, second, 2, "bend", 1),
    FIELD(BEND_PAIRS, tlw_blob_bend_pair, 0, first, 1, "first below second", 0),
    FIELD(BEND_PAIRS, tlw_blob_bend_pair, 0, first, 0xFFFF, "first below second", 0),
    FIELD(BEND_PAIRS, tlw_blob_bend_pair, 0, second, 0, "first below second", 0),
    FIELD(BEND_WINDOWS, tlw_blob_bend_window, 0, first_entry, 1,
          "entries one after another, at most 16", 0),
    FIELD(BEND_WINDOWS, tlw_blob_bend_window, 1, first_entry, 17,
          "entries one after another, at most 16", 0),
    FIELD(BEND_WINDOWS, tlw_blob_bend_window, 2, first_entry, 1,
          "entries one after another, at most 16", 0),
    FIELD(BEND_WINDOWS, tlw_blob_bend_window, 14, first_entry, 29,
          "entries one after another, at most 16", 0),
    FIELD(BEND_WINDOWS, tlw_blob_bend_window, 14, first_entry, UINT32_MAX,
          "entries one after another, at most 16", 0),
    FIELD(BEND_WINDOWS, tlw_blob_bend_window, 0, first_couple, 1,
          "couples one after another, at most 8", 1),
    FIELD(BEND_WINDOWS, tlw_blob_bend_window, 1, first_couple, 9,
          "couples one after another, at most 8", 1),
    FIELD(BEND_WINDOWS, tlw_blob_bend_window, 2, first_couple, 0,
          "couples one after another, at most 8", 1),
    FIELD(BEND_WINDOWS, tlw_blob_bend_window, 14, first_couple, 15,
          "couples one after another, at most 8", 1),
    LEADS_TO(BEND_WINDOWS, 14, offsetof(tlw_blob_bend_window, first_entry), 4, 27, BEND_ENTRY,
             "element count", 0),
    LEADS_TO(BEND_WINDOWS, 14, offsetof(tlw_blob_bend_window, first_couple), 4, 13, BEND_COUPLE,
             "element count", 0),
    LEADS_TO(BEND_WINDOWS, 1, offsetof(tlw_blob_bend_window, first_entry), 4, 3, BEND_ENTRY,
             "ascending bends", 0),
    LEADS_TO(BEND_WINDOWS, 1, offsetof(tlw_blob_bend_window, first_entry), 4, 1, BEND_COUPLE,
             "entry of its window", 1),
    LEADS_TO(BEND_WINDOWS, 1, offsetof(tlw_blob_bend_window, first_couple), 4, 2, BEND_COUPLE,
             "ascending pairs", 0),
    LEADS_TO(BEND_WINDOWS, 1, offsetof(tlw_blob_bend_window, first_couple), 4, 0, BEND_SHARE,
             "a couple that is listed", 0),
    PLAIN(BEND_ENTRY, uint16_t, 1, 2, "bend", 0),
    PLAIN(BEND_ENTRY, uint16_t, 27, 0xFFFF, "bend", 0),
    PLAIN(BEND_ENTRY, uint16_t, 1, 0, "ascending bends", 0),
    PLAIN(BEND_SHARE, uint16_t, 0, 0xFFFF, "share, 0 to 1; 0 where empty", 0),
    PLAIN(BEND_SHARE, uint16_t, 9, 32769, "share, 0 to 1; 0 where empty", 0),
    PLAIN(BEND_SHARE, uint16_t, 12 * 8 + 3, 1, "share, 0 to 1; 0 where empty", 0),
    PLAIN(BEND_SHARE, uint16_t, 1 * 8 + 2, 16384, "shares that sum to 1 at most", 0),
    FIELD(BEND_COUPLE, tlw_blob_bend_couple, 0, pair, 1, "pair", 0),
    FIELD(BEND_COUPLE, tlw_blob_bend_couple, 13, pair, 0xFFFF, "pair", 0),
    FIELD(BEND_COUPLE, tlw_blob_bend_couple, 0, first, 2, "entry of its window", 0),
    FIELD(BEND_COUPLE, tlw_blob_bend_couple, 0, second, 255, "entry of its window", 1),
    FIELD(BEND_COUPLE, tlw_blob_bend_couple, 0, first, 1, "bend of its pair", 0),
    FIELD(BEND_COUPLE, tlw_blob_bend_couple, 0, second, 0, "bend of its pair", 1),
    PLAIN(FIELD, uint16_t, 0, 0x8000, "field, -1 to 1; 0 for bone, without a share and where empty",
          0),
    PLAIN(FIELD, uint16_t, 8, 16401, "field, -1 to 1; 0 for bone, without a share and where empty",
          0),
    PLAIN(FIELD, uint16_t, 2 * 24 + 1, 1,
          "field, -1 to 1; 0 for bone, without a share and where empty", 0),
    PLAIN(FIELD, uint16_t, 6 * 24 + 16 + 3, 8192,
          "field, -1 to 1; 0 for bone, without a share and where empty", 0),
    PLAIN(FIELD, uint16_t, 0, 16384, "a vector no longer than 1", 0),
};

// LEGS has five bends and four pairs. Window 2 lists the bends 0, 1 and 4 in entries 4 to 6, of
// which 5 is lane 2's alone. Window 3 lists bends 0 to 3 in entries 7 to 10, in pairs of
// neighbours; entries 8 and 9 are together in lane 3 only.
static const planted_number errors_of_legs[] = {
    FIELD(BEND_PAIRS, tlw_blob_bend_pair, 1, second, 1, "ascending by first, then second", 0),
    FIELD(BEND_PAIRS, tlw_blob_bend_pair, 2, first, 0, "ascending by first, then second", 0),
    FIELD(BEND_COUPLE, tlw_blob_bend_couple, 5, pair, 0, "ascending pairs", 0),
    PLAIN(BEND_SHARE, uint16_t, 10 * 8 + 3, 1, "bends of a voxel, at most 2", 0),
    LEADS_TO(BEND_SHARE, 5 * 8 + 2, 0, 2, 0, BEND_ENTRY, "a bend that a voxel has", 0),
    LEADS_TO(BEND_SHARE, 8 * 8 + 3, 0, 2, 0, BEND_COUPLE, "a couple that a voxel has", 0),
    // A voxel of the skin that loses its only share and keeps its field.
    LEADS_TO(BEND_SHARE, 3, 0, 2, 0, FIELD,
             "field, -1 to 1; 0 for bone, without a share and where empty", 0),
};

TLW_TEST(blob_report_names_every_planted_error_of_skinned_volume) {
    size_t size;
    uint8_t* ell = get_blob(ELL, &size);
    check_planted_numbers(ell, size, errors_of_ell, TLW_COUNT_OF(errors_of_ell));
    blob_free(ell);
    uint8_t* legs = get_blob(LEGS, &size);
    check_planted_numbers(legs, size, errors_of_legs, TLW_COUNT_OF(errors_of_legs));
    blob_free(legs);
}

TLW_TEST(blob_has_all_sections_of_skinned_volume_or_none) {
    static const struct {
        tlw_blob_section_kind left_out, reported;
        const char* what;
    } cases[] = {
        {TLW_SECTION_BENDS, TLW_SECTION_BEND_PAIRS, "absent without BENDS"},
        {TLW_SECTION_BEND_PAIRS, TLW_SECTION_BEND_COUPLE, "pair"},
        {TLW_SECTION_BEND_WINDOWS, TLW_SECTION_BEND_WINDOWS, "element count"},
        {TLW_SECTION_BEND_ENTRY, TLW_SECTION_BEND_SHARE, "element count"},
        {TLW_SECTION_BEND_SHARE, TLW_SECTION_BEND_SHARE, "element count"},
        {TLW_SECTION_BEND_COUPLE, TLW_SECTION_BEND_WINDOWS, "couples one after another, at most 8"},
        {TLW_SECTION_FIELD, TLW_SECTION_FIELD, "element count"},
    };
    size_t size, new_size;
    uint8_t* blob = get_blob(ELL, &size);
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(blob, counts);
    tlw_blob_report report;
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        const uint32_t kind = (uint32_t)cases[i].left_out;
        uint8_t* other = rebuild(blob, kind, UINT32_MAX, 0, &new_size);
        check_report(other, new_size, (uint32_t)cases[i].reported, cases[i].what, &report, HERE);
        blob_free(other);
        // Alone it is as wrong as absent.
        uint64_t alone[TLW_SECTION_COUNT];
        get_counts(blob, alone);
        for (uint32_t k = TLW_SECTION_BENDS; k <= TLW_SECTION_FIELD; ++k) {
            alone[k] = k == kind ? counts[k] : TLW_BLOB_ABSENT;
        }
        other = resize(blob, alone, &new_size);
        CHECK_RESULT(tlw_blob_validate(other, new_size, TLW_BLOB_CHECK_ALL, &report),
                     TLW_ERROR_BAD_BLOB);
        blob_free(other);
        for (int by = -1; by <= 1; by += 2) {
            other = rebuild(blob, UINT32_MAX, kind, counts[kind] + (uint64_t)by, &new_size);
            CHECK_RESULT(tlw_blob_validate(other, new_size, TLW_BLOB_CHECK_ALL, &report),
                         TLW_ERROR_BAD_BLOB);
            CHECK(report.expected != report.found);
            blob_free(other);
        }
        counts[kind] = TLW_BLOB_ABSENT;
    }
    uint8_t* none = resize(blob, counts, &new_size);
    CHECK_OK(tlw_blob_validate(none, new_size, TLW_BLOB_CHECK_ALL, &report));
    CHECK(blob_unsoundness(none) == NULL);
    blob_free(none);
    none = rebuild(blob, UINT32_MAX, TLW_SECTION_BENDS, 0, &new_size);
    check_report(none, new_size, TLW_SECTION_BENDS, "a bend or more", &report, HERE);
    blob_free(none);
    blob_free(blob);
}

TLW_TEST(blob_without_pairs_of_bends_needs_no_couples) {
    size_t size, new_size;
    uint8_t* blob = get_blob(ELL, &size);
    // Every voxel keeps the first of its bends. The second, which then has none, is left out, and
    // with it every second entry.
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(blob, counts);
    tlw_blob_bend* bend = first_of(blob, TLW_SECTION_BENDS);
    tlw_blob_bend_window* windows = first_of(blob, TLW_SECTION_BEND_WINDOWS);
    uint16_t* entries = first_of(blob, TLW_SECTION_BEND_ENTRY);
    uint16_t* shares = first_of(blob, TLW_SECTION_BEND_SHARE);
    const uint64_t kept = counts[TLW_SECTION_BEND_ENTRY] / 2;
    uint64_t volume = 0;
    for (uint32_t w = 0; w < counts[TLW_SECTION_BEND_WINDOWS]; ++w) {
        windows[w] = (tlw_blob_bend_window){w, 0};
    }
    for (uint64_t i = 0; i < kept; ++i) {
        entries[i] = 0;
        memmove(shares + i * 8, shares + i * 16, 8 * sizeof *shares);
        for (uint32_t lane = 0; lane < 8; ++lane) {
            volume += shares[i * 8 + lane];
        }
    }
    bend->rest_volume = (float)volume * TLW_BLOB_BEND_UNIT;
    counts[TLW_SECTION_BENDS] = 1;
    counts[TLW_SECTION_BEND_ENTRY] = kept;
    counts[TLW_SECTION_BEND_SHARE] = kept * 8;
    counts[TLW_SECTION_BEND_PAIRS] = counts[TLW_SECTION_BEND_COUPLE] = TLW_BLOB_ABSENT;
    uint8_t* other = resize(blob, counts, &new_size);
    CHECK_OK(tlw_blob_validate(other, new_size, TLW_BLOB_CHECK_ALL, NULL));
    CHECK_STRING(blob_unsoundness(other) ? blob_unsoundness(other) : "sound", "sound");
    blob_free(other);
    blob_free(blob);
}

TLW_TEST(blob_rejects_a_pair_of_bends_that_no_voxel_has) {
    size_t size, new_size;
    uint8_t* blob = get_blob(LEGS, &size);
    const uint64_t count = entry_of(blob, TLW_SECTION_BEND_PAIRS)->count;
    uint8_t* other = rebuild(blob, UINT32_MAX, TLW_SECTION_BEND_PAIRS, count + 1, &new_size);
    ((tlw_blob_bend_pair*)first_of(other, TLW_SECTION_BEND_PAIRS))[count] =
        (tlw_blob_bend_pair){3, 4};
    blob_set_content_hash(other, new_size);
    tlw_blob_report report;
    check_report(other, new_size, TLW_SECTION_BEND_PAIRS, "a pair that a voxel has", &report, HERE);
    CHECK_EQ(report.element, count);
    blob_free(other);
    other = rebuild(blob, UINT32_MAX, TLW_SECTION_BEND_PAIRS, 65537, &new_size);
    check_report(other, new_size, TLW_SECTION_BEND_PAIRS, "pairs, at most 65536", &report, HERE);
    blob_free(other);
    blob_free(blob);
}

// Lane 0 of window 3 of LEGS has entries 9 and 10; it gets 7 for 9. No couple has 7 and 10.
TLW_TEST(blob_rejects_two_bends_of_a_voxel_that_are_no_couple) {
    size_t size;
    uint8_t* blob = get_blob(LEGS, &size);
    uint16_t* shares = first_of(blob, TLW_SECTION_BEND_SHARE);
    CHECK(shares[7 * 8] == 0 && shares[9 * 8] > 0 && shares[10 * 8] > 0);
    shares[7 * 8] = shares[9 * 8];
    shares[9 * 8] = 0;
    blob_set_content_hash(blob, size);
    tlw_blob_report report;
    check_report(blob, size, TLW_SECTION_BEND_SHARE, "a couple that is listed", &report, HERE);
    CHECK_EQ(report.element, 10 * 8);
    blob_free(blob);
}

TLW_TEST(blob_rejects_a_bend_before_one_of_a_joint_above_it) {
    size_t size;
    uint8_t* blob = get_blob(LEGS, &size);
    tlw_blob_bend* bends = first_of(blob, TLW_SECTION_BENDS);
    tlw_blob_joint* joints = first_of(blob, TLW_SECTION_JOINTS);
    CHECK(bends[2].joint == 4 && bends[3].joint == 5 && joints[5].parent == 4);
    bends[2].joint = 5;
    bends[3].joint = 4;
    blob_set_content_hash(blob, size);
    tlw_blob_report report;
    check_report(blob, size, TLW_SECTION_BENDS, "a bend after those of joints above it", &report,
                 HERE);
    CHECK_EQ(report.element, 2);
    CHECK_EQ(report.expected, 4);
    CHECK_EQ(report.found, 5);
    // Over a joint between them that is no bend.
    bends[2].joint = 2;
    bends[3].joint = 4;
    bends[0].joint = 5;
    joints[4].parent = 7;
    joints[7].parent = 3;
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_BENDS, "a bend after those of joints above it", &report,
                 HERE);
    CHECK_EQ(report.element, 0);
    CHECK_EQ(report.expected, 4);
    blob_free(blob);
}

// Half of the joints are a chain, the others bends that hang on its end. If every bend climbed the
// chain, that would take 1e9 visits.
TLW_TEST(blob_with_a_bend_per_joint_is_checked_in_linear_time) {
    size_t size, new_size;
    uint8_t* blob = get_blob(ELL, &size);
    const uint32_t count = UINT16_MAX, chain = count / 2;
    ((tlw_blob_lattice*)first_of(blob, TLW_SECTION_LATTICE))->joint_count = count;
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(blob, counts);
    const uint64_t kept = counts[TLW_SECTION_JOINTS];
    counts[TLW_SECTION_JOINTS] = counts[TLW_SECTION_JOINT_BOX] = count;
    counts[TLW_SECTION_BENDS] = count - chain;
    uint8_t* other = resize(blob, counts, &new_size);
    tlw_blob_joint* joints = first_of(other, TLW_SECTION_JOINTS);
    tlw_blob_joint_box* boxes = first_of(other, TLW_SECTION_JOINT_BOX);
    tlw_blob_bend* bends = first_of(other, TLW_SECTION_BENDS);
    for (uint32_t j = 0; j < count; ++j) {
        joints[j] = joints[0];
        boxes[j] = j < kept ? boxes[j] : (tlw_blob_joint_box){{0, 0, 0}, {-1, -1, -1}};
        joints[j].parent = j == 0 ? TLW_BLOB_NO_INDEX : j < chain ? j - 1 : chain - 1;
        if (j >= chain) {
            bends[j - chain] = j - chain < 2 ? bends[j - chain] : bends[0];
            bends[j - chain].joint = j;
        }
    }
    blob_set_content_hash(other, new_size);
    tlw_blob_report report;
    for (int i = 0; i < 20; ++i) { // the first bend without a voxel is wrong; all were climbed from
        check_report(other, new_size, TLW_SECTION_BENDS, "rest volume, the sum of its shares",
                     &report, HERE);
        CHECK_EQ(report.element, 2);
    }
    blob_free(other);
    blob_free(blob);
}

TLW_TEST(blob_has_rest_volumes_that_are_the_sums_of_shares_to_a_step_of_a_float) {
    size_t size;
    uint8_t* blob = get_blob(LEGS, &size);
    for (uint32_t b = 0; b < entry_of(blob, TLW_SECTION_BENDS)->count; ++b) {
        uint8_t* at = (uint8_t*)&((tlw_blob_bend*)first_of(blob, TLW_SECTION_BENDS))[b].rest_volume;
        uint32_t bits;
        memcpy(&bits, at, sizeof bits);
        for (uint32_t by = 0; by <= 6; by += 6) {
            const uint32_t changed = bits + by - 3;
            memcpy(at, &changed, sizeof changed);
            blob_set_content_hash(blob, size);
            tlw_blob_report report;
            check_report(blob, size, TLW_SECTION_BENDS, "rest volume, the sum of its shares",
                         &report, HERE);
            CHECK_EQ(report.element, b);
            CHECK_LE(report.expected - bits + 1, 2); // the cooker's sum, or a step beside it
        }
        memcpy(at, &bits, sizeof bits);
    }
    blob_free(blob);
}

// Profiles

// ELL has two parts and four layers; it gets two profiles, "wet" and "dry".
#define MATERIALS 8u

static uint8_t* get_blob_with_profiles(size_t* size) {
    size_t old_size;
    uint8_t* without = get_blob(ELL, &old_size);
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(without, counts);
    const uint64_t strings = counts[TLW_SECTION_STRINGS];
    CHECK_EQ(counts[TLW_SECTION_MATERIALS], MATERIALS);
    counts[TLW_SECTION_STRINGS] += 15;
    counts[TLW_SECTION_PROFILES] = 2;
    counts[TLW_SECTION_PROFILE_MATERIALS] = 2 * MATERIALS;
    uint8_t* blob = resize(without, counts, size);
    blob_free(without);
    ((tlw_blob_lattice*)first_of(blob, TLW_SECTION_LATTICE))->profile_count = 3;
    memcpy((char*)first_of(blob, TLW_SECTION_STRINGS) + strings, "wet\0dry\0cooked", 15);
    tlw_blob_profile* profiles = first_of(blob, TLW_SECTION_PROFILES);
    profiles[0].name = (uint32_t)strings;
    profiles[1].name = (uint32_t)strings + 4;
    tlw_blob_profile_material* materials = first_of(blob, TLW_SECTION_PROFILE_MATERIALS);
    for (uint32_t i = 0; i < 2 * MATERIALS; ++i) {
        materials[i] = (tlw_blob_profile_material){(float)i, 0.5f, 2.0f, 1e30f};
    }
    blob_set_content_hash(blob, *size);
    return blob;
}

static const planted_number errors_of_profiles[] = {
    LEADS_TO(LATTICE, 0, offsetof(tlw_blob_lattice, profile_count), 4, 2, PROFILES, "element count",
             0),
    LEADS_TO(LATTICE, 0, offsetof(tlw_blob_lattice, profile_count), 4, 256, PROFILES,
             "element count", 0),
    FIELD(PROFILES, tlw_blob_profile, 1, name, 100000, "name", 0),
    FIELD(PROFILE_MATERIALS, tlw_blob_profile_material, 0, stiffness, MINUS_1,
          "stiffness, 0 or more", 0),
    FIELD(PROFILE_MATERIALS, tlw_blob_profile_material, 15, stiffness, NAN_32,
          "stiffness, 0 or more", 0),
    FIELD(PROFILE_MATERIALS, tlw_blob_profile_material, 3, damping, TWO_32, "damping, 0 to 1", 0),
    FIELD(PROFILE_MATERIALS, tlw_blob_profile_material, 3, damping, NAN_32, "damping, 0 to 1", 0),
    FIELD(PROFILE_MATERIALS, tlw_blob_profile_material, 8, anchor_hz, INF_32, "anchor, 0 or more",
          0),
    FIELD(PROFILE_MATERIALS, tlw_blob_profile_material, 8, limit_scale, INF_32,
          "limit scale, 0 or more", 0),
    FIELD(PROFILE_MATERIALS, tlw_blob_profile_material, 8, limit_scale, NAN_32,
          "limit scale, 0 or more", 0),
    FIELD(PROFILE_MATERIALS, tlw_blob_profile_material, 8, limit_scale, MINUS_1,
          "limit scale, 0 or more", 0),
};

TLW_TEST(blob_report_names_every_planted_error_of_profiles) {
    size_t size;
    uint8_t* blob = get_blob_with_profiles(&size);
    check_planted_numbers(blob, size, errors_of_profiles, TLW_COUNT_OF(errors_of_profiles));
    CHECK_STRING(blob_unsoundness(blob) ? blob_unsoundness(blob) : "sound", "sound");
    tlw_blob_profile* profiles = first_of(blob, TLW_SECTION_PROFILES);
    const uint32_t wet = profiles[0].name;
    tlw_blob_report report;
    const uint32_t taken[] = {wet, wet + 8}; // the first profile's, and "cooked"
    for (size_t i = 0; i < TLW_COUNT_OF(taken); ++i) {
        profiles[1].name = taken[i];
        blob_set_content_hash(blob, size);
        check_report(blob, size, TLW_SECTION_PROFILES, "a name that no profile before it has",
                     &report, HERE);
        CHECK_EQ(report.element, 1);
    }
    // The same letters elsewhere are the same name.
    memcpy((char*)first_of(blob, TLW_SECTION_STRINGS) + wet + 4, "wet", 4);
    profiles[1].name = wet + 4;
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_PROFILES, "a name that no profile before it has", &report,
                 HERE);
    blob_free(blob);
}

TLW_TEST(blob_has_profiles_and_their_materials_or_neither) {
    size_t size, new_size;
    uint8_t* blob = get_blob_with_profiles(&size);
    tlw_blob_report report;
    for (uint32_t kind = TLW_SECTION_PROFILES; kind <= TLW_SECTION_PROFILE_MATERIALS; ++kind) {
        for (int by = -1; by <= 1; ++by) {
            const uint64_t count = entry_of(blob, kind)->count + (uint64_t)by;
            uint8_t* other = rebuild(blob, by == 0 ? kind : UINT32_MAX, kind, count, &new_size);
            check_report(other, new_size, kind, "element count", &report, HERE);
            blob_free(other);
        }
    }
    // One profile: the sections must go with the others.
    ((tlw_blob_lattice*)first_of(blob, TLW_SECTION_LATTICE))->profile_count = 1;
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_PROFILES, "element count", &report, HERE);
    CHECK_EQ(report.expected, 0);
    blob_free(blob);
}

TLW_TEST(blob_finds_profiles_by_name_and_the_first_is_called_cooked) {
    size_t size;
    uint8_t* bytes = get_blob_with_profiles(&size);
    tlw_blob blob;
    tlw_blob_info info;
    CHECK_OK(tlw_blob_open(bytes, size, TLW_BLOB_CHECK_ALL, &blob, NULL));
    CHECK_OK(tlw_blob_get_info(&blob, &info));
    CHECK_EQ(info.profile_count, 3);
    static const char* const names[] = {"cooked", "wet", "dry"};
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t found = 77;
        CHECK_OK(tlw_blob_find_profile(&blob, names[i], &found));
        CHECK_EQ(found, i);
        CHECK_STRING(tlw_blob_profile_name(&blob, i), names[i]);
    }
    uint32_t found = 77;
    CHECK_RESULT(tlw_blob_find_profile(&blob, "damp", &found), TLW_ERROR_NOT_FOUND);
    CHECK_EQ(found, 77);
    CHECK_STRING(tlw_blob_profile_name(&blob, 3), "");
    CHECK_STRING(tlw_blob_profile_name(&blob, UINT32_MAX), "");
    blob_free(bytes);
}

TLW_TEST(profiles_with_a_flipped_byte_are_rejected_or_harmless) {
    static const uint8_t flips[] = {0x80, 0x01, 0x10, 0xFF};
    size_t size;
    uint8_t* blob = get_blob_with_profiles(&size);
    const size_t first = (size_t)entry_of(blob, TLW_SECTION_PROFILES)->offset;
    const size_t end = (size_t)entry_of(blob, TLW_SECTION_WINDOWS)->offset;
    uint32_t rejected = 0, accepted = 0;
    for (size_t at = first; at < end; ++at) {
        for (size_t k = 0; k < TLW_COUNT_OF(flips); ++k) {
            blob[at] ^= flips[k];
            if (tlw_blob_validate(blob, size, TLW_BLOB_SKIP_CONTENT_HASH, NULL) == TLW_OK) {
                CHECK(blob_unsoundness(blob) == NULL);
                accepted += 1;
            } else {
                rejected += 1;
            }
            blob[at] ^= flips[k];
        }
    }
    CHECK_LT(100u, rejected);
    CHECK_LT(100u, accepted);
    blob_free(blob);
}
