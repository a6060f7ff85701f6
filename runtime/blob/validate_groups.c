// SPDX-License-Identifier: MIT
// The blob's validator: groups of eight vertices with their lists of voxels and joints, rest
// shapes, both orders of vertices, and rings (MODEL 9.3, RULES 10.5 to 10.9). Freestanding; reads
// the blob, writes only the report.
#include "runtime/blob/validator.h"

// As in a pose (MODEL 4.8): products of a larger number with what a pose may hold would not be
// finite.
#define NUMBER_MAX 1e18f

tlw_result tlw_blob_check_finite(const blob_view* view, tlw_blob_section_kind kind) {
    const float* numbers = first_of(view, kind);
    for (uint64_t i = 0; i < count_of(view, kind); ++i) {
        if (!(numbers[i] >= -NUMBER_MAX && numbers[i] <= NUMBER_MAX)) {
            return fail_at(view, kind, i, "finite number",
                           float_bound(numbers[i], -NUMBER_MAX, NUMBER_MAX), bits_of(numbers[i]));
        }
    }
    return TLW_OK;
}

bool tlw_blob_is_voxel_slot(const blob_view* view, uint32_t slot) {
    const uint32_t* voxel_of = first_of(view, TLW_SECTION_SLOT_VOXEL);
    return slot < view->lattice->slot_count && voxel_of[slot] != TLW_BLOB_NO_INDEX;
}

uint32_t tlw_blob_nearest_voxel_slot(const blob_view* view, uint32_t slot) {
    const uint32_t* voxel_of = first_of(view, TLW_SECTION_SLOT_VOXEL);
    uint32_t s = slot < view->lattice->slot_count ? slot : view->lattice->slot_count - 1;
    while (s > 0 && voxel_of[s] == TLW_BLOB_NO_INDEX) {
        s -= 1;
    }
    while (voxel_of[s] == TLW_BLOB_NO_INDEX) { // there is a voxel: its count is 1 or more
        s += 1;
    }
    return s;
}

// The list of a group in GROUP_VOXEL or GROUP_JOINT.
typedef struct group_list {
    tlw_blob_section_kind weight_kind;
    uint64_t first;
    uint32_t count;
    uint32_t last_lane; // the lanes after it repeat it
} group_list;

#define PLACES 8u // voxels, and joints, of a vertex

// Each element has a weight above 0 in some lane. Writes the sum of each lane's weights.
static tlw_result sum_weights(const blob_view* view, const group_list* list,
                              uint32_t sums[TLW_BLOB_LANES]) {
    const uint16_t* weights = first_of(view, list->weight_kind);
    uint32_t places[TLW_BLOB_LANES] = {0};
    memset(sums, 0, TLW_BLOB_LANES * sizeof *sums);
    for (uint64_t i = list->first; i < list->first + list->count; ++i) {
        const uint16_t* of_lane = weights + i * LANES;
        uint32_t all = 0;
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            const uint32_t weight = of_lane[lane];
            if (weight > TLW_BLOB_WEIGHT_ONE) {
                return fail_at(view, list->weight_kind, i * LANES + lane, "weight, at most 2^15",
                               TLW_BLOB_WEIGHT_ONE, weight);
            }
            if (lane > list->last_lane && weight != of_lane[list->last_lane]) {
                return fail_at(view, list->weight_kind, i * LANES + lane,
                               "the last vertex repeated", of_lane[list->last_lane], weight);
            }
            places[lane] += weight > 0;
            sums[lane] += weight;
            all |= weight;
        }
        if (all == 0) {
            return fail_at(view, list->weight_kind, i * LANES, "a weight above 0 in some lane", 1,
                           0);
        }
    }
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        if (places[lane] > PLACES) {
            return fail_at(view, list->weight_kind, list->first * LANES + lane,
                           "weights of a vertex, at most 8", PLACES, places[lane]);
        }
    }
    return TLW_OK;
}

static tlw_result check_voxels(const blob_view* view, const tlw_blob_group* group) {
    const uint32_t* slots = first_of(view, TLW_SECTION_GROUP_VOXEL);
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint64_t end = (uint64_t)group->first_voxel + group->voxel_count;
    for (uint64_t i = group->first_voxel; i < end; ++i) {
        if (!tlw_blob_is_voxel_slot(view, slots[i])) {
            return fail_at(view, TLW_SECTION_GROUP_VOXEL, i, "slot of a voxel",
                           tlw_blob_nearest_voxel_slot(view, slots[i]), slots[i]);
        }
        if (i > group->first_voxel && slots[i] <= slots[i - 1]) {
            return fail_at(view, TLW_SECTION_GROUP_VOXEL, i, "ascending slots",
                           (uint64_t)slots[i - 1] + 1, slots[i]);
        }
        const uint32_t flags = windows[slots[i] / LANES].flags;
        if (!(flags & TLW_WINDOW_IS_BOUND)) {
            return fail_at(view, TLW_SECTION_WINDOWS, slots[i] / LANES, "flags",
                           flags | TLW_WINDOW_IS_BOUND, flags);
        }
    }
    const group_list list = {TLW_SECTION_GROUP_VOXEL_WEIGHT, group->first_voxel, group->voxel_count,
                             group->vertex_count - 1u};
    uint32_t sums[TLW_BLOB_LANES];
    const tlw_result result = sum_weights(view, &list, sums);
    for (uint32_t lane = 0; result == TLW_OK && lane < LANES; ++lane) {
        if (sums[lane] != TLW_BLOB_WEIGHT_ONE) {
            return fail_at(view, list.weight_kind, list.first * LANES + lane,
                           "weights that sum to 2^15", TLW_BLOB_WEIGHT_ONE, sums[lane]);
        }
    }
    return result;
}

static tlw_result check_joints(const blob_view* view, uint64_t g, const tlw_blob_group* group) {
    const uint16_t* joints = first_of(view, TLW_SECTION_GROUP_JOINT);
    const uint64_t end = (uint64_t)group->first_joint + group->joint_count;
    for (uint64_t i = group->first_joint; i < end; ++i) {
        if (joints[i] >= view->lattice->joint_count) {
            return fail_at(view, TLW_SECTION_GROUP_JOINT, i, "joint",
                           last_index(view->lattice->joint_count), joints[i]);
        }
        if (i > group->first_joint && joints[i] <= joints[i - 1]) {
            return fail_at(view, TLW_SECTION_GROUP_JOINT, i, "ascending joints", joints[i - 1] + 1u,
                           joints[i]);
        }
    }
    const group_list list = {TLW_SECTION_GROUP_JOINT_WEIGHT, group->first_joint, group->joint_count,
                             group->vertex_count - 1u};
    uint32_t sums[TLW_BLOB_LANES], skinned = 0;
    const tlw_result result = sum_weights(view, &list, sums);
    for (uint32_t lane = 0; result == TLW_OK && lane < LANES; ++lane) {
        if (sums[lane] != 0 && sums[lane] != TLW_BLOB_WEIGHT_ONE) {
            return fail_at(view, list.weight_kind, list.first * LANES + lane,
                           "weights that sum to 2^15, or none", TLW_BLOB_WEIGHT_ONE, sums[lane]);
        }
        skinned |= (sums[lane] != 0) * 1u << lane;
    }
    if (result == TLW_OK && group->skinned != skinned) {
        return fail_at(view, TLW_SECTION_GROUPS, g, "skinned where it has joints", skinned,
                       group->skinned);
    }
    return result;
}

// Where the lists of the next group begin.
typedef struct list_ends {
    uint64_t voxel, joint;
} list_ends;

// What a group says about its vertices and lists. `left` is how many vertices of its mesh no group
// has yet, from `vertex` on.
static tlw_result check_group(const blob_view* view, uint64_t g, uint64_t vertex, uint64_t left,
                              list_ends* ends) {
    const tlw_blob_section_kind kind = TLW_SECTION_GROUPS;
    const tlw_blob_group* group = (const tlw_blob_group*)first_of(view, kind) + g;
    const uint64_t vertices = left < LANES ? left : LANES;
    const uint64_t voxels = count_of(view, TLW_SECTION_GROUP_VOXEL) - ends->voxel;
    const uint64_t joints = count_of(view, TLW_SECTION_GROUP_JOINT) - ends->joint;
    const uint64_t most = TLW_BLOB_GROUP_VOXELS;
    const struct {
        const char* what;
        uint64_t low, high, found;
    } ranges[] = {
        {"vertices one after another", vertex, vertex, group->first_vertex},
        {"vertices of a group", vertices, vertices, group->vertex_count},
        {"voxels one after another", ends->voxel, ends->voxel, group->first_voxel},
        {"voxels of a group, 1 to 64", 1, voxels < most ? voxels : most, group->voxel_count},
        {"joints one after another", ends->joint, ends->joint, group->first_joint},
        {"joints of a group, at most 64", 0, joints < most ? joints : most, group->joint_count},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(ranges); ++i) {
        if (ranges[i].found < ranges[i].low || ranges[i].found > ranges[i].high) {
            return fail_at(view, kind, g, ranges[i].what,
                           integer_bound(ranges[i].found, ranges[i].low, ranges[i].high),
                           ranges[i].found);
        }
    }
    ends->voxel += group->voxel_count;
    ends->joint += group->joint_count;
    const tlw_result result = check_voxels(view, group);
    return result == TLW_OK ? check_joints(view, g, group) : result;
}

// Lists and weights that belong to no group were not checked.
static tlw_result check_totals(const blob_view* view, const list_ends* ends) {
    const struct {
        tlw_blob_section_kind kind;
        const char* what;
        uint64_t expected;
    } totals[] = {{TLW_SECTION_GROUP_VOXEL, "voxels of all groups", ends->voxel},
                  {TLW_SECTION_GROUP_JOINT, "joints of all groups", ends->joint}};
    for (size_t i = 0; i < TLW_COUNT_OF(totals); ++i) {
        if (count_of(view, totals[i].kind) != totals[i].expected) {
            return fail_at(view, totals[i].kind, totals[i].expected, totals[i].what,
                           totals[i].expected, count_of(view, totals[i].kind));
        }
    }
    return TLW_OK;
}

static tlw_result check_lists(const blob_view* view, bool* is_skinned) {
    const struct {
        tlw_blob_section_kind weight, of;
    } pairs[] = {{TLW_SECTION_GROUP_VOXEL_WEIGHT, TLW_SECTION_GROUP_VOXEL},
                 {TLW_SECTION_GROUP_JOINT_WEIGHT, TLW_SECTION_GROUP_JOINT}};
    for (size_t i = 0; i < TLW_COUNT_OF(pairs); ++i) {
        const uint64_t expected = count_of(view, pairs[i].of) * LANES;
        if (count_of(view, pairs[i].weight) != expected) {
            return fail_at(view, pairs[i].weight, 0, "8 weights per element", expected,
                           count_of(view, pairs[i].weight));
        }
    }
    const tlw_blob_mesh* meshes = first_of(view, TLW_SECTION_MESHES);
    const tlw_blob_group* groups = first_of(view, TLW_SECTION_GROUPS);
    list_ends ends = {0, 0};
    for (uint64_t m = 0; m < count_of(view, TLW_SECTION_MESHES); ++m) {
        uint64_t g = meshes[m].first_group;
        for (uint64_t done = 0; done < meshes[m].vertex_count; done += LANES, ++g) {
            const tlw_result result = check_group(view, g, meshes[m].first_vertex + done,
                                                  meshes[m].vertex_count - done, &ends);
            if (result != TLW_OK) {
                return result;
            }
            *is_skinned = *is_skinned || groups[g].skinned != 0;
        }
    }
    return check_totals(view, &ends);
}

// Lanes after the last vertex of a group repeat its numbers.
static tlw_result check_repeated(const blob_view* view, tlw_blob_section_kind kind,
                                 uint32_t components) {
    const tlw_blob_group* groups = first_of(view, TLW_SECTION_GROUPS);
    const float* numbers = first_of(view, kind);
    for (uint64_t g = 0; numbers != NULL && g < view->lattice->group_count; ++g) {
        const uint32_t last = groups[g].vertex_count - 1u;
        for (uint64_t c = components * g; c < components * (g + 1); ++c) {
            for (uint32_t lane = last + 1; lane < LANES; ++lane) {
                const uint64_t expected = bits_of(numbers[c * LANES + last]);
                const uint64_t found = bits_of(numbers[c * LANES + lane]);
                if (found != expected) {
                    return fail_at(view, kind, c * LANES + lane, "the last vertex repeated",
                                   expected, found);
                }
            }
        }
    }
    return TLW_OK;
}

// Rest shapes. A section is there exactly if a vertex has something in it, so that the passes need
// not ask twice.
static tlw_result check_shapes(const blob_view* view, bool is_skinned) {
    const tlw_blob_mesh* meshes = first_of(view, TLW_SECTION_MESHES);
    bool has_normals = false, has_tangents = false;
    for (uint64_t m = 0; m < count_of(view, TLW_SECTION_MESHES); ++m) {
        has_normals = has_normals || meshes[m].has_normals;
        has_tangents = has_tangents || meshes[m].has_tangents;
    }
    const bool has_any = view->lattice->group_count > 0;
    const struct {
        tlw_blob_section_kind kind;
        uint32_t components;
        bool is_needed;
    } shapes[] = {{TLW_SECTION_GROUP_POSITION, 3, true},
                  {TLW_SECTION_GROUP_NORMAL, 3, has_any && has_normals},
                  {TLW_SECTION_GROUP_TANGENT, 4, has_any && has_tangents},
                  {TLW_SECTION_GROUP_CENTRE, 3, is_skinned}};
    for (size_t i = 0; i < TLW_COUNT_OF(shapes); ++i) {
        const tlw_blob_section_kind kind = shapes[i].kind;
        const bool is_present = view->sections[kind] != NULL;
        if (is_present != shapes[i].is_needed) {
            return fail(view, (uint32_t)kind, 0, 0, "present where a vertex needs it",
                        shapes[i].is_needed, is_present);
        }
        tlw_result result = tlw_blob_check_finite(view, kind);
        if (result == TLW_OK) {
            result = check_repeated(view, kind, shapes[i].components);
        }
        if (result != TLW_OK) {
            return result;
        }
    }
    return TLW_OK;
}

// Inside each mesh, both orders of vertices are permutations, and one undoes the other. It is
// enough that the way to the source and back leads to the same vertex: no two can then have the
// same source.
static tlw_result check_orders(const blob_view* view) {
    const tlw_blob_mesh* meshes = first_of(view, TLW_SECTION_MESHES);
    const uint32_t* source_of = first_of(view, TLW_SECTION_VERTEX_SOURCE);
    const uint32_t* cooked_of = first_of(view, TLW_SECTION_VERTEX_COOKED);
    for (uint64_t m = 0; m < count_of(view, TLW_SECTION_MESHES); ++m) {
        const uint64_t first = meshes[m].first_vertex, end = first + meshes[m].vertex_count;
        for (uint64_t v = first; v < end; ++v) {
            const uint32_t source = source_of[v];
            if (source < first || source >= end) {
                return fail_at(view, TLW_SECTION_VERTEX_SOURCE, v, "vertex of its mesh",
                               integer_bound(source, first, last_index(end)), source);
            }
            if (cooked_of[source] != v) {
                return fail_at(view, TLW_SECTION_VERTEX_COOKED, source, "the way back", v,
                               cooked_of[source]);
            }
        }
    }
    return TLW_OK;
}

static tlw_result check_rings(const blob_view* view) {
    const uint32_t* neighbours = first_of(view, TLW_SECTION_RING_NEIGHBOUR);
    const bool has_weights = view->sections[TLW_SECTION_RING_WEIGHT] != NULL;
    if ((neighbours != NULL) != has_weights) {
        return fail(view, TLW_SECTION_RING_WEIGHT, 0, 0, "present where RING_NEIGHBOUR is",
                    neighbours != NULL, has_weights);
    }
    for (uint64_t i = 0; i < count_of(view, TLW_SECTION_RING_NEIGHBOUR); ++i) {
        if (neighbours[i] >= view->lattice->vertex_count) {
            return fail_at(view, TLW_SECTION_RING_NEIGHBOUR, i, "vertex",
                           last_index(view->lattice->vertex_count), neighbours[i]);
        }
    }
    return tlw_blob_check_finite(view, TLW_SECTION_RING_WEIGHT);
}

tlw_result tlw_blob_check_groups(const blob_view* view) {
    bool is_skinned = false;
    tlw_result result = check_lists(view, &is_skinned);
    if (result == TLW_OK) {
        result = check_shapes(view, is_skinned);
    }
    if (result == TLW_OK) {
        result = check_orders(view);
    }
    return result == TLW_OK ? check_rings(view) : result;
}
