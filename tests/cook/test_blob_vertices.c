// SPDX-License-Identifier: MIT
// The blob's validator on groups of vertices, rings and radial basis functions, where an error
// needs more than one changed number, or sections that are put together here because small blobs do
// not have them (MODEL 9.3).
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/damaged_blobs.h"
#include "tests/cook/support/planted_numbers.h"
#include "tests/test.h"

#include <string.h>

// Groups

TLW_TEST(blob_rejects_groups_of_no_mesh_and_meshes_without_groups) {
    for (int by = -1; by <= 1; by += 2) {
        size_t size, new_size;
        uint8_t* blob = get_blob(ELL, &size);
        tlw_blob_lattice* lattice = first_of(blob, TLW_SECTION_LATTICE);
        uint64_t counts[TLW_SECTION_COUNT];
        get_counts(blob, counts);
        lattice->group_count += (uint32_t)by;
        for (uint32_t kind = TLW_SECTION_GROUPS; kind <= TLW_SECTION_GROUP_CENTRE; ++kind) {
            const uint64_t count = tlw_blob_section_elements((tlw_blob_section_kind)kind, lattice);
            counts[kind] = count != TLW_BLOB_ANY_COUNT ? count : counts[kind];
        }
        uint8_t* other = resize(blob, counts, &new_size);
        tlw_blob_report report;
        if (by > 0) {
            check_report(other, new_size, TLW_SECTION_LATTICE, "groups of all meshes", &report,
                         HERE);
        } else {
            check_report(other, new_size, TLW_SECTION_MESHES, "groups one after another", &report,
                         HERE);
            CHECK_EQ(report.component, 1);
        }
        blob_free(other);
        blob_free(blob);
    }
}

TLW_TEST(blob_rejects_voxels_and_joints_of_no_group) {
    static const struct {
        tlw_blob_section_kind kind, weights;
        const char* what;
    } lists[] = {{TLW_SECTION_GROUP_VOXEL, TLW_SECTION_GROUP_VOXEL_WEIGHT, "voxels of all groups"},
                 {TLW_SECTION_GROUP_JOINT, TLW_SECTION_GROUP_JOINT_WEIGHT, "joints of all groups"}};
    for (size_t i = 0; i < TLW_COUNT_OF(lists); ++i) {
        size_t size, new_size;
        uint8_t* blob = get_blob(ELL, &size);
        uint64_t counts[TLW_SECTION_COUNT];
        get_counts(blob, counts);
        counts[lists[i].kind] += 1;
        counts[lists[i].weights] += 8;
        uint8_t* other = resize(blob, counts, &new_size);
        tlw_blob_report report;
        check_report(other, new_size, lists[i].kind, lists[i].what, &report, HERE);
        CHECK_EQ(report.element, counts[lists[i].kind] - 1);
        blob_free(other);
        blob_free(blob);
    }
}

TLW_TEST(blob_rejects_a_ninth_voxel_of_a_vertex) {
    size_t size;
    uint8_t* blob = get_blob(ELL, &size);
    const tlw_blob_group* group = first_of(blob, TLW_SECTION_GROUPS);
    uint16_t* weights = first_of(blob, TLW_SECTION_GROUP_VOXEL_WEIGHT);
    CHECK_LT(9, group->voxel_count);
    CHECK_EQ(weights[0], 32768);
    tlw_blob_report report;
    for (uint16_t others = 7; others <= 8; ++others) { // besides the first one
        weights[0] = (uint16_t)(32768 - others);
        for (uint32_t i = 1; i <= others; ++i) {
            weights[i * 8] = 1;
        }
        blob_set_content_hash(blob, size);
        if (others == 7) {
            CHECK_OK(tlw_blob_validate(blob, size, TLW_BLOB_CHECK_ALL, &report));
        } else {
            check_report(blob, size, TLW_SECTION_GROUP_VOXEL_WEIGHT,
                         "weights of a vertex, at most 8", &report, HERE);
            CHECK_EQ(report.element, 0);
            CHECK_EQ(report.found, 9);
        }
    }
    blob_free(blob);
}

TLW_TEST(blob_rejects_normals_that_no_mesh_has) {
    size_t size, new_size;
    uint8_t* blob = get_blob(MIXED_ELL, &size);
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(blob, counts);
    CHECK_EQ(counts[TLW_SECTION_GROUP_NORMAL], TLW_BLOB_ABSENT);
    counts[TLW_SECTION_GROUP_NORMAL] = counts[TLW_SECTION_GROUP_POSITION];
    uint8_t* other = resize(blob, counts, &new_size);
    tlw_blob_report report;
    check_report(other, new_size, TLW_SECTION_GROUP_NORMAL, "present where a vertex needs it",
                 &report, HERE);
    blob_free(other);
    blob_free(blob);
}

TLW_TEST(blob_without_artist_weights_has_no_centres_and_skins_nothing) {
    scene* s = scene_make(SCENE_unweighted_lump, 0);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 6;
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output out;
    CHECK_OK(tlw_cook_character(scene_input(s), &recipe, &options, &out));
    tlw_blob blob;
    tlw_blob_info info;
    uint64_t count;
    CHECK_OK(tlw_blob_open(out.blob, out.blob_bytes, TLW_BLOB_CHECK_ALL, &blob, NULL));
    CHECK_OK(tlw_blob_get_info(&blob, &info));
    CHECK(tlw_blob_find(out.blob, TLW_SECTION_GROUP_CENTRE, &count) == NULL);
    CHECK_LT(0u, info.vertex_count);
    for (uint32_t v = 0; v < info.vertex_count; ++v) {
        tlw_vertex_skinning skinning;
        tlw_vertex_binding binding;
        CHECK_OK(tlw_blob_get_skinning(&blob, TLW_ORDER_SOURCE, v, 1, &skinning));
        CHECK_OK(tlw_blob_get_bindings(&blob, TLW_ORDER_SOURCE, v, 1, &binding));
        for (int k = 0; k < 8; ++k) {
            CHECK_EQ(skinning.joints[k], 0);
            CHECK_EQ(skinning.weights[k], 0.0f);
            CHECK_EQ(binding.centre[k % 3], 0.0f);
        }
        CHECK_LT(0.0f, binding.weights[0]);
    }
    tlw_cook_output_free(&out);
    scene_free(s);
}

// Rings and radial basis functions

#define VERTICES   18u // of ELL
#define GROUPS     3u
#define DOMAINS    2u
#define CENTRES    4u // 3 of the first domain, 1 of the second
#define SEAMS      2u
#define NEIGHBOURS 3u // 2 of the first seam vertex, 1 of the second

static void fill_rbf(uint8_t* blob) {
    *(tlw_blob_rbf*)first_of(blob, TLW_SECTION_RBF) = (tlw_blob_rbf){.radius = 0.25f,
                                                                     .seam_share = 0.5f,
                                                                     .seam_passes = 5,
                                                                     .domain_count = DOMAINS,
                                                                     .centre_count = CENTRES,
                                                                     .coefficient_count = 16,
                                                                     .row_count = VERTICES,
                                                                     .seam_count = SEAMS};
    const tlw_blob_rbf_domain domains[DOMAINS] = {{0, 0, 3, 0, 4, 0}, {2, 3, 1, 8, 1, 24}};
    memcpy(first_of(blob, TLW_SECTION_RBF_DOMAIN), domains, sizeof domains);
    tlw_blob_binding* centres = first_of(blob, TLW_SECTION_RBF_CENTRE);
    float* inverse = first_of(blob, TLW_SECTION_RBF_INVERSE);
    for (uint32_t c = 0; c < CENTRES; ++c) {
        const uint32_t columns = c < 3 ? 7 : 2; // the rest of the eight stays 0
        centres[c].slots[1] = 1;                // the other places are the first slot
        centres[c].weights[0] = 0.75f;
        centres[c].weights[1] = 0.25f;
        for (uint32_t i = 0; i < columns; ++i) {
            inverse[c * 8 + i] = (float)i - 2.0f;
        }
    }
    uint32_t* row_first = first_of(blob, TLW_SECTION_RBF_ROW_FIRST);
    uint16_t* row_index = first_of(blob, TLW_SECTION_RBF_ROW_INDEX);
    float* row_weight = first_of(blob, TLW_SECTION_RBF_ROW_WEIGHT);
    uint32_t* vertex_row = first_of(blob, TLW_SECTION_RBF_VERTEX_ROW);
    for (uint32_t v = 0; v < VERTICES; ++v) {
        row_first[v + 1] = row_first[v] + 2;
        row_index[v * 2] = (uint16_t)(v % 3);
        row_index[v * 2 + 1] = 8;
        row_weight[v * 2] = 0.5f;
        row_weight[v * 2 + 1] = -1.5f;
        vertex_row[v] = VERTICES - 1 - v;
    }
    const tlw_blob_rbf_seam seams[SEAMS + 1] = {{1, 0}, {4, 2}, {VERTICES, NEIGHBOURS}};
    const uint32_t seam_rows[NEIGHBOURS] = {2, 3, 5};
    const float seam_weights[NEIGHBOURS] = {0.25f, 0.75f, 1.0f};
    memcpy(first_of(blob, TLW_SECTION_RBF_SEAM), seams, sizeof seams);
    memcpy(first_of(blob, TLW_SECTION_RBF_SEAM_ROW), seam_rows, sizeof seam_rows);
    memcpy(first_of(blob, TLW_SECTION_RBF_SEAM_WEIGHT), seam_weights, sizeof seam_weights);
}

// ELL with rings and rbf, whose numbers are sound and mean nothing.
static uint8_t* get_blob_with_rbf(size_t* size) {
    static const struct {
        tlw_blob_section_kind kind;
        uint64_t count;
    } added[] = {{TLW_SECTION_RING_NEIGHBOUR, 48 * GROUPS},
                 {TLW_SECTION_RING_WEIGHT, 96 * GROUPS},
                 {TLW_SECTION_RBF, 1},
                 {TLW_SECTION_RBF_DOMAIN, DOMAINS},
                 {TLW_SECTION_RBF_CENTRE, CENTRES},
                 {TLW_SECTION_RBF_INVERSE, CENTRES * 8},
                 {TLW_SECTION_RBF_ROW_FIRST, VERTICES + 1},
                 {TLW_SECTION_RBF_ROW_INDEX, VERTICES * 2},
                 {TLW_SECTION_RBF_ROW_WEIGHT, VERTICES * 2},
                 {TLW_SECTION_RBF_VERTEX_ROW, VERTICES},
                 {TLW_SECTION_RBF_SEAM, SEAMS + 1},
                 {TLW_SECTION_RBF_SEAM_ROW, NEIGHBOURS},
                 {TLW_SECTION_RBF_SEAM_WEIGHT, NEIGHBOURS}};
    size_t old_size;
    uint8_t* without = get_blob(ELL, &old_size);
    uint64_t counts[TLW_SECTION_COUNT];
    get_counts(without, counts);
    for (size_t i = 0; i < TLW_COUNT_OF(added); ++i) {
        counts[added[i].kind] = added[i].count;
    }
    uint8_t* blob = resize(without, counts, size);
    blob_free(without);
    uint32_t* neighbours = first_of(blob, TLW_SECTION_RING_NEIGHBOUR);
    float* weights = first_of(blob, TLW_SECTION_RING_WEIGHT);
    for (uint32_t i = 0; i < 48 * GROUPS; ++i) {
        neighbours[i] = i % VERTICES;
        weights[i * 2] = 0.5f;
    }
    fill_rbf(blob);
    blob_set_content_hash(blob, *size);
    return blob;
}

TLW_TEST(blob_with_rings_and_rbf_is_valid_sound_and_says_so) {
    size_t size;
    uint8_t* bytes = get_blob_with_rbf(&size);
    tlw_blob blob;
    tlw_blob_info info;
    tlw_blob_report report;
    if (tlw_blob_open(bytes, size, TLW_BLOB_CHECK_ALL, &blob, &report) != TLW_OK) {
        tlw_test_fail(HERE, "%s of %s", report.what, tlw_blob_section_name(report.section));
    }
    CHECK_STRING(blob_unsoundness(bytes) ? blob_unsoundness(bytes) : "sound", "sound");
    CHECK_OK(tlw_blob_get_info(&blob, &info));
    CHECK(info.has_ring_normals && info.has_rbf);
    blob_free(bytes);
}

#define EMPTY 51u // slot of ELL

static const planted_number planted_errors[] = {
    PLAIN(RING_NEIGHBOUR, uint32_t, 143, VERTICES, "vertex", 0),
    PLAIN(RING_NEIGHBOUR, uint32_t, 0, UINT32_MAX, "vertex", 0),
    PLAIN(RING_WEIGHT, uint32_t, 287, NAN_32, "finite number", 0),
    FIELD(RBF, tlw_blob_rbf, 0, radius, 0, "radius above 0", 0),
    FIELD(RBF, tlw_blob_rbf, 0, radius, INF_32, "radius above 0", 0),
    FIELD(RBF, tlw_blob_rbf, 0, seam_share, NAN_32, "seam share, 0 to 1", 0),
    FIELD(RBF, tlw_blob_rbf, 0, seam_share, MINUS_1, "seam share, 0 to 1", 0),
    FIELD(RBF, tlw_blob_rbf, 0, seam_share, TWO_32, "seam share, 0 to 1", 0),
    FIELD(RBF, tlw_blob_rbf, 0, seam_passes, 17, "seam passes, at most 16", 0),
    FIELD(RBF, tlw_blob_rbf, 0, domain_count, 0, "a domain or more", 0),
    LEADS_TO(RBF, 0, offsetof(tlw_blob_rbf, domain_count), 4, UINT32_MAX, RBF_DOMAIN,
             "element count", 0),
    LEADS_TO(RBF, 0, offsetof(tlw_blob_rbf, centre_count), 4, 3, RBF_CENTRE, "element count", 0),
    LEADS_TO(RBF, 0, offsetof(tlw_blob_rbf, row_count), 4, UINT32_MAX, RBF_ROW_FIRST,
             "element count", 0),
    LEADS_TO(RBF, 0, offsetof(tlw_blob_rbf, seam_count), 4, 3, RBF_SEAM, "element count", 0),
    FIELD(RBF, tlw_blob_rbf, 0, coefficient_count, 65537, "coefficients, at most 65536", 0),
    FIELD(RBF, tlw_blob_rbf, 0, coefficient_count, 24, "coefficients of all domains", 0),
    LEADS_TO(RBF, 0, offsetof(tlw_blob_rbf, coefficient_count), 4, 8, RBF_DOMAIN,
             "coefficients that the head has", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 1, joint, 3, "joint, ascending", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 1, joint, 0, "joint, ascending", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 0, first_centre, 1, "centres one after another", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 1, first_centre, 2, "centres one after another", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 0, centre_count, 0, "a centre or more", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 1, centre_count, 2, "a centre or more", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 0, centre_count, UINT32_MAX, "a centre or more", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 0, term_count, 0, "terms, 1 or 4", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 0, term_count, 2, "terms, 1 or 4", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 1, term_count, UINT32_MAX, "terms, 1 or 4", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 1, first_coefficient, 7,
          "coefficients one after another", 0),
    FIELD(RBF_DOMAIN, tlw_blob_rbf_domain, 1, first_inverse, 32, "inverses one after another", 0),
    LEADS_TO(RBF_DOMAIN, 0, offsetof(tlw_blob_rbf_domain, term_count), 4, 1, RBF_INVERSE,
             "0 after the last coefficient", 0),
    FIELD(RBF_CENTRE, tlw_blob_binding, 3, slots[7], EMPTY, "slot of a voxel", 7),
    FIELD(RBF_CENTRE, tlw_blob_binding, 0, slots[0], UINT32_MAX, "slot of a voxel", 0),
    FIELD(RBF_CENTRE, tlw_blob_binding, 1, weights[0], NAN_32, "weight, 0 to 1", 0),
    FIELD(RBF_CENTRE, tlw_blob_binding, 1, weights[2], MINUS_1, "weight, 0 to 1", 2),
    FIELD(RBF_CENTRE, tlw_blob_binding, 1, weights[1], 0, "weights that sum to 1", 0),
    PLAIN(RBF_INVERSE, uint32_t, 0, INF_32, "finite number", 0),
    PLAIN(RBF_INVERSE, uint32_t, 31, TWO_32, "0 after the last coefficient", 0),
    PLAIN(RBF_ROW_FIRST, uint32_t, 0, 1, "rows one after another", 0),
    PLAIN(RBF_ROW_FIRST, uint32_t, 5, 7, "rows one after another", 0),
    PLAIN(RBF_ROW_FIRST, uint32_t, 5, 37, "rows one after another", 0),
    PLAIN(RBF_ROW_FIRST, uint32_t, VERTICES, UINT32_MAX, "rows one after another", 0),
    LEADS_TO(RBF_ROW_FIRST, VERTICES, 0, 4, 35, RBF_ROW_INDEX, "element count", 0),
    PLAIN(RBF_ROW_INDEX, uint16_t, 35, 16, "coefficient", 0),
    PLAIN(RBF_ROW_INDEX, uint16_t, 0, 0xFFFF, "coefficient", 0),
    PLAIN(RBF_ROW_WEIGHT, uint32_t, 4, NAN_32, "finite number", 0),
    PLAIN(RBF_VERTEX_ROW, uint32_t, 17, VERTICES, "row", 0),
    PLAIN(RBF_VERTEX_ROW, uint32_t, 0, UINT32_MAX, "row", 0),
    FIELD(RBF_SEAM, tlw_blob_rbf_seam, 0, first, 1, "neighbours one after another", 0),
    FIELD(RBF_SEAM, tlw_blob_rbf_seam, 1, first, 4, "neighbours one after another", 0),
    FIELD(RBF_SEAM, tlw_blob_rbf_seam, 2, first, 1, "neighbours one after another", 0),
    FIELD(RBF_SEAM, tlw_blob_rbf_seam, 2, first, UINT32_MAX, "neighbours one after another", 0),
    FIELD(RBF_SEAM, tlw_blob_rbf_seam, 1, row, 1, "row, ascending", 0),
    FIELD(RBF_SEAM, tlw_blob_rbf_seam, 0, row, VERTICES, "row, ascending", 0),
    FIELD(RBF_SEAM, tlw_blob_rbf_seam, 2, row, 17, "number of rows after the last seam", 0),
    LEADS_TO(RBF_SEAM, 1, offsetof(tlw_blob_rbf_seam, first), 4, 0, RBF_SEAM,
             "weights that sum to 1", 0),
    PLAIN(RBF_SEAM_ROW, uint32_t, 2, VERTICES, "row", 0),
    PLAIN(RBF_SEAM_ROW, uint32_t, 0, UINT32_MAX, "row", 0),
    PLAIN(RBF_SEAM_WEIGHT, uint32_t, 1, INF_32, "finite number", 0),
    LEADS_TO(RBF_SEAM_WEIGHT, 2, 0, 4, 0, RBF_SEAM, "weights that sum to 1", 0),
};

TLW_TEST(blob_report_names_every_planted_error_of_rings_and_rbf) {
    size_t size;
    uint8_t* blob = get_blob_with_rbf(&size);
    check_planted_numbers(blob, size, planted_errors, TLW_COUNT_OF(planted_errors));
    blob_free(blob);
}

TLW_TEST(blob_rejects_rings_and_rbf_with_a_section_left_out_or_of_another_length) {
    size_t size, new_size;
    uint8_t* blob = get_blob_with_rbf(&size);
    tlw_blob_report report;
    for (uint32_t kind = TLW_SECTION_RING_NEIGHBOUR; kind <= TLW_SECTION_RBF_SEAM_WEIGHT; ++kind) {
        const bool is_ring = kind <= TLW_SECTION_RING_WEIGHT;
        for (int by = -1; by <= 1; ++by) {
            const uint64_t count = entry_of(blob, kind)->count + (uint64_t)by;
            uint8_t* other = rebuild(blob, by == 0 ? kind : UINT32_MAX, kind, count, &new_size);
            if (by == 0 && kind == TLW_SECTION_RBF) {
                check_report(other, new_size, TLW_SECTION_RBF_DOMAIN, "absent without RBF", &report,
                             HERE);
            } else if (by == 0 && is_ring) {
                check_report(other, new_size, TLW_SECTION_RING_WEIGHT,
                             "present where RING_NEIGHBOUR is", &report, HERE);
            } else {
                CHECK_RESULT(tlw_blob_validate(other, new_size, TLW_BLOB_CHECK_ALL, &report),
                             TLW_ERROR_BAD_BLOB);
                CHECK(report.expected != report.found);
            }
            blob_free(other);
        }
    }
    // An inverse that is too short for the last domain.
    uint8_t* other = rebuild(blob, UINT32_MAX, TLW_SECTION_RBF_INVERSE, CENTRES * 8 - 1, &new_size);
    check_report(other, new_size, TLW_SECTION_RBF_DOMAIN, "an inverse in RBF_INVERSE", &report,
                 HERE);
    blob_free(other);
    blob_free(blob);
}

// Fewer centres than the head says, in the domains.
TLW_TEST(blob_rejects_centres_of_no_domain) {
    size_t size;
    uint8_t* blob = get_blob_with_rbf(&size);
    tlw_blob_rbf_domain* domains = first_of(blob, TLW_SECTION_RBF_DOMAIN);
    float* inverse = first_of(blob, TLW_SECTION_RBF_INVERSE);
    domains[0].centre_count = 2;
    domains[1].first_centre = 2;
    domains[1].first_inverse = 16;
    memset(inverse, 0, 32 * sizeof *inverse);
    blob_set_content_hash(blob, size);
    tlw_blob_report report;
    check_report(blob, size, TLW_SECTION_RBF, "centres of all domains", &report, HERE);
    CHECK_EQ(report.expected, 3);
    blob_free(blob);
}

TLW_TEST(rings_and_rbf_with_a_flipped_byte_are_rejected_or_harmless) {
    static const uint8_t flips[] = {0x80, 0x01, 0x10, 0xFF};
    size_t size;
    uint8_t* blob = get_blob_with_rbf(&size);
    const tlw_blob_section* last = entry_of(blob, TLW_SECTION_RBF_SEAM_WEIGHT);
    const size_t first = (size_t)entry_of(blob, TLW_SECTION_RING_NEIGHBOUR)->offset;
    const size_t end = (size_t)(last->offset + last->count * last->element_bytes);
    uint32_t rejected = 0, accepted = 0;
    for (size_t at = first; at < end; ++at) {
        for (size_t k = 0; k < TLW_COUNT_OF(flips); ++k) {
            blob[at] ^= flips[k];
            tlw_blob_report report;
            if (tlw_blob_validate(blob, size, TLW_BLOB_SKIP_CONTENT_HASH, &report) == TLW_OK) {
                const char* problem = blob_unsoundness(blob);
                if (problem) {
                    tlw_test_fail(HERE, "byte %zu, flipped by %u: %s", at, flips[k], problem);
                }
                accepted += 1;
            } else {
                CHECK(report.expected != report.found);
                rejected += 1;
            }
            blob[at] ^= flips[k];
        }
    }
    CHECK_LT(1000u, rejected);
    CHECK_LT(1000u, accepted);
    blob_free(blob);
}
