// SPDX-License-Identifier: MIT
// The blob's validator on errors that need more than one changed number: sections that are left out
// or have another length, rows at other sites, tables that agree with each other and with nothing
// else (MODEL 9.3).
#include "tests/cook/support/damaged_blobs.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ELL has texture coordinates, MIXED_ELL two materials per slot and paint.
TLW_TEST(blob_needs_every_section_but_the_optional_ones) {
    for (uint32_t which = ELL; which <= MIXED_ELL; which += MIXED_ELL - ELL) {
        size_t size, new_size;
        uint8_t* blob = get_blob(which, &size);
        for (uint32_t kind = 0; kind < TLW_SECTION_COUNT; ++kind) {
            uint8_t* without = rebuild(blob, kind, UINT32_MAX, 0, &new_size);
            tlw_blob_report report;
            uint64_t count;
            const bool is_there = tlw_blob_find(blob, (tlw_blob_section_kind)kind, &count) != NULL;
            if (kind == TLW_SECTION_INDICES) { // the meshes still ask for them
                check_report(without, new_size, TLW_SECTION_MESHES, "indices one after another",
                             &report, HERE);
            } else if (is_there && kind >= TLW_SECTION_GROUP_NORMAL &&
                       kind <= TLW_SECTION_GROUP_CENTRE) { // and for these
                check_report(without, new_size, kind, "present where a vertex needs it", &report,
                             HERE);
            } else if (is_there && kind >= TLW_SECTION_BENDS &&
                       kind <= TLW_SECTION_FIELD) { // test_blob_bends.c says which rule
                CHECK_RESULT(tlw_blob_validate(without, new_size, TLW_BLOB_CHECK_ALL, &report),
                             TLW_ERROR_BAD_BLOB);
            } else if (tlw_blob_is_optional((tlw_blob_section_kind)kind)) {
                CHECK_OK(tlw_blob_validate(without, new_size, TLW_BLOB_CHECK_ALL, &report));
                CHECK(blob_unsoundness(without) == NULL);
            } else {
                check_report(without, new_size, kind,
                             kind == TLW_SECTION_LATTICE ? "one lattice" : "section present",
                             &report, HERE);
            }
            blob_free(without);
        }
        blob_free(blob);
    }
}

TLW_TEST(blob_rejects_sections_of_another_length) {
    static const struct {
        uint32_t which, kind;
        int by;
        const char* what;
    } cases[] = {
        {ELL, TLW_SECTION_LATTICE, 1, "one lattice"},
        {ELL, TLW_SECTION_BLOCKS, -1, "two blocks or more"},
        {ELL, TLW_SECTION_BLOCKS, 1, "up to the last window"},
        {ELL, TLW_SECTION_WINDOWS, 1, "element count"},
        {ELL, TLW_SECTION_JOINT_BOX, -1, "element count"},
        {ELL, TLW_SECTION_JOINT_PAIRS, 1, "element count"},
        {ELL, TLW_SECTION_SITE_KIND, -1, "element count"},
        {MIXED_ELL, TLW_SECTION_SLOT_BLEND, -1, "element count"},
        {MIXED_ELL, TLW_SECTION_SLOT_STIFFNESS, 1, "element count"},
        {ELL, TLW_SECTION_SLOT_MOMENT, -1, "element count"},
        {ELL, TLW_SECTION_SLOT_VOLUME_PAIR, -1, "element count"},
        {ELL, TLW_SECTION_SLOT_VOLUME_END, 1, "element count"},
        {ELL, TLW_SECTION_SLOT_REGION, 1, "element count"},
        {ELL, TLW_SECTION_REGION_SITE, 1, "element count"},
        {ELL, TLW_SECTION_REGION_FIRST, 1, "element count"},
        {WITH_ALL, TLW_SECTION_SLOT_REGION, -1, "element count"},
        {WITH_ALL, TLW_SECTION_REGION_SITE, -8, "element count"},
        {WITH_ALL, TLW_SECTION_REGION_FIRST, 1, "element count"},
        {ELL, TLW_SECTION_UVS, 1, "two per vertex"},
        {ELL, TLW_SECTION_UVS, -1, "two per vertex"},
        {ELL, TLW_SECTION_INDICES, 1, "indices of all meshes"},
        {ELL, TLW_SECTION_SLOT_REST, -1, "element count"},
        {ELL, TLW_SECTION_GROUPS, 1, "element count"},
        {ELL, TLW_SECTION_GROUP_VOXEL_WEIGHT, 1, "8 weights per element"},
        {ELL, TLW_SECTION_GROUP_JOINT_WEIGHT, -1, "8 weights per element"},
        {ELL, TLW_SECTION_GROUP_POSITION, -1, "element count"},
        {ELL, TLW_SECTION_GROUP_NORMAL, 1, "element count"},
        {ELL, TLW_SECTION_GROUP_TANGENT, -1, "element count"},
        {ELL, TLW_SECTION_GROUP_CENTRE, 1, "element count"},
        {ELL, TLW_SECTION_VERTEX_SOURCE, -1, "element count"},
        {ELL, TLW_SECTION_VERTEX_COOKED, 1, "element count"},
        {ELL, TLW_SECTION_INFLUENCE_JOINT, 1, "element count"},
        {ELL, TLW_SECTION_INFLUENCE_WEIGHT, -1, "element count"},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        size_t size, new_size;
        uint8_t* blob = get_blob(cases[i].which, &size);
        const uint64_t count = entry_of(blob, cases[i].kind)->count + (uint64_t)cases[i].by;
        uint8_t* other = rebuild(blob, UINT32_MAX, cases[i].kind, count, &new_size);
        tlw_blob_report report;
        check_report(other, new_size, cases[i].kind, cases[i].what, &report, HERE);
        blob_free(other);
        blob_free(blob);
    }
}

TLW_TEST(blob_rejects_a_table_that_does_not_fit) {
    uint8_t* blob = blob_allocate(sizeof(tlw_blob_header));
    size_t size;
    uint8_t* whole = get_blob(ELL, &size);
    memcpy(blob, whole, sizeof(tlw_blob_header));
    ((tlw_blob_header*)blob)->total_bytes = sizeof(tlw_blob_header);
    blob_set_content_hash(blob, sizeof(tlw_blob_header));
    tlw_blob_report report;
    check_report(blob, sizeof(tlw_blob_header), IN_HEADER, "size of the table", &report, HERE);
    check_report(blob, 63, IN_HEADER, "size of the header", &report, HERE);
    CHECK_EQ(report.expected, 64);
    CHECK_EQ(report.found, 63);
    blob_free(whole);
    blob_free(blob);
}

TLW_TEST(blob_rejects_a_wrong_content_hash_unless_told_to_skip_it) {
    size_t size;
    uint8_t* blob = get_blob(ELL, &size);
    ((tlw_blob_header*)blob)->content_hash ^= 1;
    tlw_blob_report report;
    CHECK_RESULT(tlw_blob_validate(blob, size, TLW_BLOB_CHECK_ALL, &report), TLW_ERROR_BAD_BLOB);
    CHECK_STRING(report.what, "content hash");
    CHECK_EQ(report.found, report.expected ^ 1);
    CHECK_OK(tlw_blob_validate(blob, size, TLW_BLOB_SKIP_CONTENT_HASH, NULL));
    blob_free(blob);
}

TLW_TEST(blob_rejects_strings_without_an_end) {
    size_t size;
    uint8_t* blob = get_blob(ELL, &size);
    const tlw_blob_section* strings = entry_of(blob, TLW_SECTION_STRINGS);
    blob[strings->offset + strings->count - 1] = 'x';
    blob_set_content_hash(blob, size);
    tlw_blob_report report;
    check_report(blob, size, TLW_SECTION_STRINGS, "a 0 at the end", &report, HERE);
    CHECK_EQ(report.element, strings->count - 1);
    size_t new_size;
    uint8_t* none = rebuild(blob, UINT32_MAX, TLW_SECTION_STRINGS, 0, &new_size);
    check_report(none, new_size, TLW_SECTION_STRINGS, "a string or more", &report, HERE);
    blob_free(none);
    blob_free(blob);
}

TLW_TEST(blob_rejects_more_materials_than_a_slot_can_name) {
    size_t size;
    uint8_t* blob = get_blob(ELL, &size);
    tlw_blob_lattice* lattice =
        (tlw_blob_lattice*)(blob + entry_of(blob, TLW_SECTION_LATTICE)->offset);
    lattice->joint_count = UINT16_MAX;
    lattice->part_count = UINT16_MAX;
    blob_set_content_hash(blob, size);
    tlw_blob_report report;
    check_report(blob, size, TLW_SECTION_LATTICE, "materials", &report, HERE);
    blob_free(blob);
}

// A window that has more voxels than its slots.
TLW_TEST(blob_rejects_lanes_that_disagree_with_their_slots) {
    size_t size;
    uint8_t* blob = get_blob(WITH_ALL, &size);
    tlw_blob_window* windows =
        (tlw_blob_window*)(blob + entry_of(blob, TLW_SECTION_WINDOWS)->offset);
    tlw_blob_report report;
    windows[0].occupied = 0xFF;
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_WINDOWS, "occupied lanes", &report, HERE);
    blob_free(blob);
}

// A blob whose sites, from window `from` on, are `away` larger (or smaller), in every table that
// has sites.
static uint8_t* shift_sites(uint32_t which, uint32_t from, int32_t away, size_t* size) {
    size_t old_size;
    uint8_t* blob = get_blob(which, &old_size);
    const uint32_t by = (uint32_t)away;
    tlw_blob_lattice* lattice = first_of(blob, TLW_SECTION_LATTICE);
    tlw_blob_window* windows = first_of(blob, TLW_SECTION_WINDOWS);
    const uint32_t old_count = lattice->site_count, first = windows[from].rows[4];
    for (uint32_t w = 0; w < lattice->window_count; ++w) {
        // All rows of this blob begin at the same cell, so no load starts before its row.
        for (int r = 0; r < TLW_ROWS_AROUND; ++r) {
            windows[w].rows[r] += windows[w].rows[r] >= first ? by : 0;
        }
    }
    tlw_blob_block* blocks = first_of(blob, TLW_SECTION_BLOCKS);
    for (uint64_t b = 0; b < entry_of(blob, TLW_SECTION_BLOCKS)->count; ++b) {
        blocks[b].first_site += blocks[b].first_site >= first ? by : 0;
    }
    lattice->site_count += by;
    const float* old_kinds = first_of(blob, TLW_SECTION_SITE_KIND);
    uint8_t* shifted = rebuild(blob, UINT32_MAX, TLW_SECTION_SITE_KIND, old_count + by, size);
    float* kinds = first_of(shifted, TLW_SECTION_SITE_KIND);
    memcpy(kinds + first + away, old_kinds + first, (old_count - first) * sizeof *kinds);
    for (int32_t i = 0; i < away; ++i) {
        kinds[first + (uint32_t)i] = 0.0f;
    }
    blob_set_content_hash(shifted, *size);
    blob_free(blob);
    return shifted;
}

TLW_TEST(blob_may_leave_more_room_between_rows_but_not_inside_one) {
    size_t size;
    tlw_blob_report report;
    uint8_t* blob = get_blob(LARGE_ELL, &size);
    const tlw_blob_window* windows = first_of(blob, TLW_SECTION_WINDOWS);
    uint32_t apart = 0, inside = 0;
    for (uint32_t w = 1; w < 20; ++w) {
        const bool is_inside = windows[w].cell[0] != 0;
        for (int32_t by = 8; by <= 16; by += 8) {
            size_t new_size;
            uint8_t* shifted = shift_sites(LARGE_ELL, w, by, &new_size);
            if (is_inside) {
                check_report(shifted, new_size, TLW_SECTION_WINDOWS, "row", &report, HERE);
                inside += 1;
            } else {
                CHECK_OK(tlw_blob_validate(shifted, new_size, TLW_BLOB_CHECK_ALL, &report));
                const char* problem = blob_unsoundness(shifted);
                CHECK_STRING(problem ? problem : "sound", "sound");
                apart += 1;
            }
            blob_free(shifted);
        }
    }
    CHECK_LT(0u, apart);
    CHECK_LT(0u, inside);
    blob_free(blob);
}

// The cooker lays rows out as near to each other as the format allows.
TLW_TEST(blob_rejects_rows_that_lie_nearer_than_their_voxels_look) {
    size_t size;
    uint8_t* blob = get_blob(LARGE_ELL, &size);
    const tlw_blob_lattice* lattice = first_of(blob, TLW_SECTION_LATTICE);
    const tlw_blob_window* windows = first_of(blob, TLW_SECTION_WINDOWS);
    uint32_t tried = 0, looked_at = 0, of_blocks = 0, others = 0; // by the rule that is broken
    for (uint32_t w = 1; w < lattice->window_count; ++w) {
        if (windows[w].cell[0] != 0) {
            continue;
        }
        size_t new_size;
        tlw_blob_report report;
        uint8_t* shifted = shift_sites(LARGE_ELL, w, -8, &new_size);
        CHECK_RESULT(tlw_blob_validate(shifted, new_size, TLW_BLOB_CHECK_ALL, &report),
                     TLW_ERROR_BAD_BLOB);
        CHECK(blob_unsoundness(shifted) != NULL);
        looked_at += strcmp(report.what, "no voxel of another row") == 0;
        of_blocks += strcmp(report.what, "a gap before it") == 0;
        others += strcmp(report.what, "ascending sites") == 0; // two windows would overlap
        tried += 1;
        blob_free(shifted);
    }
    printf("    nearer than looked at %u, than a block may be %u, than any may be %u\n", looked_at,
           of_blocks, others);
    CHECK_EQ(looked_at + of_blocks + others, tried);
    CHECK_LT(0u, looked_at);
    CHECK_LT(0u, of_blocks);
    blob_free(blob);
}

// The added joints have a weight of 1e-7, too little to change the sum.
TLW_TEST(blob_rejects_a_fifth_joint_of_a_voxel) {
    size_t size;
    uint8_t* blob = get_blob(LEGS, &size);
    const tlw_blob_lattice* lattice = first_of(blob, TLW_SECTION_LATTICE);
    const tlw_blob_window* windows = first_of(blob, TLW_SECTION_WINDOWS);
    float* weights = first_of(blob, TLW_SECTION_INFLUENCE_WEIGHT);
    uint32_t tried = 0;
    for (uint32_t w = 0; w < lattice->window_count; ++w) {
        for (uint32_t lane = 0; lane < 8 && windows[w].influences > 4; ++lane) {
            float* here = weights + (size_t)windows[w].first_influence * 8 + lane;
            uint32_t held = 0, added = 0;
            float before[TLW_BLOB_JOINTS_PER_WINDOW];
            for (uint32_t k = 0; k < windows[w].influences; ++k) {
                before[k] = here[k * 8];
                held += before[k] > 0.0f;
            }
            if (held == 0) {
                continue;
            }
            for (uint32_t k = 0; k < windows[w].influences && held + added < 5; ++k) {
                added += before[k] == 0.0f;
                here[k * 8] = before[k] == 0.0f ? 1e-7f : before[k];
            }
            CHECK_EQ(held + added, 5);
            blob_set_content_hash(blob, size);
            tlw_blob_report report;
            check_report(blob, size, TLW_SECTION_INFLUENCE_WEIGHT, "joints of a voxel, 1 to 4",
                         &report, HERE);
            CHECK_EQ(report.element, (uint64_t)windows[w].first_influence * 8 + lane);
            CHECK_EQ(report.found, 5);
            for (uint32_t k = 0; k < windows[w].influences; ++k) {
                here[k * 8] = before[k];
            }
            tried += 1;
        }
    }
    CHECK_LT(0u, tried);
    blob_set_content_hash(blob, size);
    CHECK_OK(tlw_blob_validate(blob, size, TLW_BLOB_CHECK_ALL, NULL)); // all was put back
    blob_free(blob);
}

TLW_TEST(blob_rejects_influences_of_no_window_and_pairs_of_no_voxel) {
    size_t size, new_size, last_size;
    uint8_t* blob = get_blob(ELL, &size);
    tlw_blob_lattice* lattice = first_of(blob, TLW_SECTION_LATTICE);
    tlw_blob_report report;
    lattice->influence_count += 1;
    uint8_t* more =
        rebuild(blob, UINT32_MAX, TLW_SECTION_INFLUENCE_JOINT, lattice->influence_count, &new_size);
    uint8_t* longer = rebuild(more, UINT32_MAX, TLW_SECTION_INFLUENCE_WEIGHT,
                              (uint64_t)lattice->influence_count * 8, &last_size);
    check_report(longer, last_size, TLW_SECTION_LATTICE, "influences of all windows", &report,
                 HERE);
    CHECK_EQ(report.expected, lattice->influence_count - 1);
    CHECK_EQ(report.found, lattice->influence_count);
    blob_free(longer);
    blob_free(more);
    lattice->influence_count -= 1;
    lattice->pair_count += 1;
    more = rebuild(blob, UINT32_MAX, TLW_SECTION_JOINT_PAIRS, lattice->pair_count, &new_size);
    tlw_blob_joint_pair* pairs = first_of(more, TLW_SECTION_JOINT_PAIRS);
    pairs[5] = (tlw_blob_joint_pair){.joint = 2, .reference = 2};
    blob_set_content_hash(more, new_size);
    check_report(more, new_size, TLW_SECTION_JOINT_PAIRS, "a pair that a voxel has", &report, HERE);
    CHECK_EQ(report.element, 5);
    blob_free(more);
    blob_free(blob);
}

// Two rows exchange places: their sites still ascend, their cells do not.
TLW_TEST(blob_rejects_windows_whose_cells_do_not_ascend) {
    size_t size;
    uint8_t* blob = get_blob(ELL, &size);
    tlw_blob_cell* cells = first_of(blob, TLW_SECTION_VOXEL_CELL);
    tlw_blob_window* windows = first_of(blob, TLW_SECTION_WINDOWS);
    windows[0].cell[1] = 1;
    windows[1].cell[1] = 0;
    for (uint32_t v = 0; v < 16; ++v) {
        cells[v].y = v < 8;
    }
    blob_set_content_hash(blob, size);
    tlw_blob_report report;
    check_report(blob, size, TLW_SECTION_WINDOWS, "ascending cells", &report, HERE);
    CHECK_EQ(report.element, 1);
    // Both in the same place: a cell cannot hold two voxels.
    windows[0].cell[1] = 0;
    for (uint32_t v = 0; v < 16; ++v) {
        cells[v].y = 0;
    }
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_WINDOWS, "ascending cells", &report, HERE);
    blob_free(blob);
}

// A link that is removed at both ends shows only in what was summed over links.
TLW_TEST(blob_rejects_a_cut_that_its_sums_do_not_know) {
    size_t size;
    uint8_t* blob = get_blob(ELL, &size);
    tlw_blob_window* windows = first_of(blob, TLW_SECTION_WINDOWS);
    windows[0].links[13] &= 0xFE;
    windows[0].links[12] &= 0xFD;
    blob_set_content_hash(blob, size);
    tlw_blob_report report;
    check_report(blob, size, TLW_SECTION_SLOT_NEIGHBOURS, "linked neighbours", &report, HERE);
    blob_free(blob);
}

TLW_TEST(blob_rejects_blocks_that_do_not_ascend_or_have_no_room_before_them) {
    for (int32_t by = 0; by <= 8; by += 8) { // 0: as near as rows of one block may lie
        size_t size, new_size;
        uint8_t* blob = shift_sites(ELL, 1, by, &size);
        const tlw_blob_window* windows = first_of(blob, TLW_SECTION_WINDOWS);
        const tlw_blob_block last = ((tlw_blob_block*)first_of(blob, TLW_SECTION_BLOCKS))[1];
        uint8_t* more = rebuild(blob, UINT32_MAX, TLW_SECTION_BLOCKS, 3, &new_size);
        tlw_blob_block* blocks = first_of(more, TLW_SECTION_BLOCKS);
        const tlw_blob_block second = {1, windows[1].rows[4]};
        const struct {
            tlw_blob_block blocks[2]; // after the first
            const char* what;         // null: valid
        } cases[] = {
            {{second, last}, by == 0 ? "a gap before it" : NULL},
            {{{0, 16}, last}, "ascending windows from 0"},
            {{last, last}, "up to the last window"},
            {{{last.first_window + 1, 0}, last}, "up to the last window"},
            {{{UINT32_MAX, 0}, last}, "up to the last window"},
            {{{1, second.first_site + 8}, last}, "site of its first window"},
        };
        for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
            memcpy(blocks + 1, cases[i].blocks, sizeof cases[i].blocks);
            blob_set_content_hash(more, new_size);
            tlw_blob_report report;
            if (cases[i].what) {
                check_report(more, new_size, TLW_SECTION_BLOCKS, cases[i].what, &report, HERE);
            } else {
                CHECK_OK(tlw_blob_validate(more, new_size, TLW_BLOB_CHECK_ALL, NULL));
                CHECK(blob_unsoundness(more) == NULL);
            }
        }
        blob_free(more);
        blob_free(blob);
    }
}

TLW_TEST(blob_rejects_regions_without_voxels_and_members_of_no_voxel) {
    size_t size, new_size;
    uint8_t* blob = get_blob(WITH_ALL, &size);
    tlw_blob_lattice* lattice = first_of(blob, TLW_SECTION_LATTICE);
    tlw_blob_report report;
    uint32_t* sites = first_of(blob, TLW_SECTION_REGION_SITE);
    const uint64_t stride = tlw_blob_region_stride(lattice);
    uint64_t empty = 0; // a member that a region does not have
    while (sites[empty] != 0) {
        empty += 1;
    }
    CHECK_LT(empty % stride, lattice->region_count);
    for (uint32_t site = SITE; site < SITE + 2; ++site) {
        sites[empty] = site;
        blob_set_content_hash(blob, size);
        check_report(blob, size, TLW_SECTION_REGION_SITE, "sites of voxels only", &report, HERE);
    }
    sites[empty] = 0;
    CHECK_LT(lattice->region_count, stride); // one more keeps the stride
    lattice->region_count += 1;
    uint8_t* more =
        rebuild(blob, UINT32_MAX, TLW_SECTION_REGION_FIRST, lattice->region_count, &new_size);
    check_report(more, new_size, TLW_SECTION_REGION_FIRST, "regions with voxels", &report, HERE);
    CHECK_EQ(report.element, lattice->region_count - 1);
    blob_free(more);
    blob_free(blob);
}

// Two regions exchange a member, in both tables: only the places of the two voxels are wrong then.
TLW_TEST(blob_rejects_regions_that_are_no_block) {
    size_t size;
    uint8_t* blob = get_blob(WITH_ALL, &size);
    const tlw_blob_lattice* lattice = first_of(blob, TLW_SECTION_LATTICE);
    uint32_t* region_of = first_of(blob, TLW_SECTION_SLOT_REGION);
    uint32_t* sites = first_of(blob, TLW_SECTION_REGION_SITE);
    const uint32_t* voxel_of = first_of(blob, TLW_SECTION_SLOT_VOXEL);
    const uint64_t stride = tlw_blob_region_stride(lattice);
    uint32_t named = 0, all = 0;
    for (uint64_t k = 0; k < 8; ++k) {
        for (uint32_t a = 0; a < lattice->slot_count; ++a) {
            for (uint32_t b = 0; b < a; ++b) {
                if (voxel_of[a] == TLW_BLOB_NO_INDEX || voxel_of[b] == TLW_BLOB_NO_INDEX) {
                    continue;
                }
                uint32_t* one = &region_of[k * lattice->slot_count + a];
                uint32_t* other = &region_of[k * lattice->slot_count + b];
                for (int back = 0; back < 2; ++back) {
                    const uint32_t region = *one, site = sites[k * stride + *one];
                    sites[k * stride + *one] = sites[k * stride + *other];
                    sites[k * stride + *other] = site;
                    *one = *other;
                    *other = region;
                    if (back == 0) {
                        tlw_blob_report report;
                        CHECK_RESULT(
                            tlw_blob_validate(blob, size, TLW_BLOB_SKIP_CONTENT_HASH, &report),
                            TLW_ERROR_BAD_BLOB);
                        named += strcmp(report.what, "a voxel in its place of the block") == 0;
                        all += 1;
                    }
                }
            }
        }
    }
    CHECK_LT(0u, named);
    CHECK_LT(named, all);
    CHECK_OK(tlw_blob_validate(blob, size, TLW_BLOB_CHECK_ALL, NULL)); // all was put back
    blob_free(blob);
}

// A chain in the worst order for climbing: every joint's parent is the next joint. In quadratic
// time it would take 2e9 visits.
TLW_TEST(blob_with_a_chain_of_65535_joints_is_checked_in_linear_time) {
    size_t size, new_size;
    uint8_t* blob = get_blob(ELL, &size);
    const uint32_t count = UINT16_MAX;
    const tlw_blob_joint joint =
        *(tlw_blob_joint*)(blob + entry_of(blob, TLW_SECTION_JOINTS)->offset);
    ((tlw_blob_lattice*)(blob + entry_of(blob, TLW_SECTION_LATTICE)->offset))->joint_count = count;
    const uint64_t kept = entry_of(blob, TLW_SECTION_JOINTS)->count;
    uint8_t* boxed = rebuild(blob, UINT32_MAX, TLW_SECTION_JOINT_BOX, count, &new_size);
    uint8_t* chain = rebuild(boxed, UINT32_MAX, TLW_SECTION_JOINTS, count, &new_size);
    blob_free(boxed);
    tlw_blob_joint* joints = (tlw_blob_joint*)(chain + entry_of(chain, TLW_SECTION_JOINTS)->offset);
    tlw_blob_joint_box* boxes = first_of(chain, TLW_SECTION_JOINT_BOX);
    for (uint32_t j = 0; j < count; ++j) {
        joints[j] = joint;
        boxes[j] = j < kept ? boxes[j] : (tlw_blob_joint_box){{0, 0, 0}, {-1, -1, -1}};
        joints[j].parent = j + 1 < count ? j + 1 : TLW_BLOB_NO_INDEX;
    }
    tlw_blob_bend* bends = first_of(chain, TLW_SECTION_BENDS);
    CHECK(bends[0].joint == 1 && bends[1].joint == 2);
    bends[0].joint = 2; // the one above comes first
    bends[1].joint = 1;
    blob_set_content_hash(chain, new_size);
    for (int i = 0; i < 20; ++i) {
        CHECK_OK(tlw_blob_validate(chain, new_size, TLW_BLOB_CHECK_ALL, NULL));
    }
    joints[count - 1].parent = count / 2;
    blob_set_content_hash(chain, new_size);
    tlw_blob_report report;
    check_report(chain, new_size, TLW_SECTION_JOINTS, "a root above it", &report, HERE);
    blob_free(chain);
    blob_free(blob);
}

TLW_TEST(blob_finds_sections_that_are_there_and_says_when_not) {
    size_t size;
    uint64_t count = 77;
    uint8_t* blob = get_blob(LEGS, &size);
    CHECK(tlw_blob_find(blob, TLW_SECTION_UVS, &count) == NULL);
    CHECK_EQ(count, 0);
    CHECK(tlw_blob_find(blob, TLW_SECTION_SLOT_BLEND, &count) == NULL);
    CHECK_EQ(count, 0);
    CHECK(tlw_blob_find(blob, TLW_SECTION_SLOT_STIFFNESS, &count) == NULL);
    CHECK_EQ(count, 0);
    CHECK(tlw_blob_find(blob, TLW_SECTION_LATTICE, &count) != NULL);
    CHECK_EQ(count, 1);
    blob_free(blob);
}
