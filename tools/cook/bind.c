// SPDX-License-Identifier: MIT
// Stage bind (RULES 10): binds every render vertex and every further point to up to eight voxels
// around it. The weights are trilinear over the centres of the 2x2x2 cube that the point's own
// voxel reaches through links inside the cube, renormalised. Nothing is reached across a cut, so a
// hand that rests on a thigh does not pull it along. What is far from the body follows a voxel of
// its own joint, so that the tip of a sword does not hang on the foot beside it. Reads
// cook->sources, cook->voxels, cook->links, cook->skeleton and cook->order; writes cook->bindings,
// and counts in cook->sources.
#include "tools/cook/stages.h"

#include <math.h>

static int32_t floor_to_cell(double x) {
    const double limit = 1e6; // far outside any grid, and still an int32_t
    const double cell = floor(x);
    return (int32_t)(cell < -limit ? -limit : cell > limit ? limit : cell);
}

static int32_t clamp_to(int32_t x, int32_t size) {
    return x < 0 ? 0 : x >= size ? size - 1 : x;
}

static double squared_to_centre(tlw_int3 cell, tlw_double3 at) {
    const double x = (double)cell.x + 0.5 - at.x, y = (double)cell.y + 0.5 - at.y,
                 z = (double)cell.z + 0.5 - at.z;
    return x * x + y * y + z * z;
}

// The voxel whose centre is nearest; the lowest of several. Searches shells of cells around the
// point's cell, or around the nearest cell of the grid for a point outside it. The centres of shell
// r are at least r - 0.5 away.
static uint32_t nearest_voxel(const tlw_cook* cook, tlw_double3 at, tlw_int3 cell) {
    const tlw_int3 n = cook->grid.size;
    const tlw_int3 from = {clamp_to(cell.x, n.x), clamp_to(cell.y, n.y), clamp_to(cell.z, n.z)};
    uint32_t best = TLW_NO_VOXEL;
    double best_squared = INFINITY;
    // No shell beyond this one has cells of the grid, so the search ends for points far away too.
    const int32_t widest = n.x > n.y ? (n.x > n.z ? n.x : n.z) : (n.y > n.z ? n.y : n.z);
    for (int32_t r = 0; r < widest; ++r) {
        const double nearest_possible = r > 0 ? (double)r - 0.5 : 0.0;
        if (best != TLW_NO_VOXEL &&
            nearest_possible * nearest_possible > best_squared + TLW_SLACK) {
            return best;
        }
        for (int32_t z = from.z - r; z <= from.z + r; ++z) {
            for (int32_t y = from.y - r; y <= from.y + r; ++y) {
                const bool is_face =
                    z == from.z - r || z == from.z + r || y == from.y - r || y == from.y + r;
                for (int32_t x = from.x - r; x <= from.x + r; x += is_face || r == 0 ? 1 : 2 * r) {
                    const tlw_int3 there = {x, y, z};
                    const uint32_t voxel = tlw_cook_voxel_at(cook, there);
                    if (voxel == TLW_NO_VOXEL) {
                        continue;
                    }
                    const double squared = squared_to_centre(there, at);
                    if (squared < best_squared - TLW_SLACK ||
                        (squared <= best_squared + TLW_SLACK && voxel < best)) {
                        best_squared = squared < best_squared ? squared : best_squared;
                        best = voxel;
                    }
                }
            }
        }
    }
    return best;
}

static tlw_double3 in_voxels(const tlw_cook_grid* grid, tlw_double3 point) {
    return (tlw_double3){(point.x - grid->origin.x) / grid->voxel,
                         (point.y - grid->origin.y) / grid->voxel,
                         (point.z - grid->origin.z) / grid->voxel};
}

static tlw_int3 cell_of(tlw_double3 at) {
    return (tlw_int3){floor_to_cell(at.x), floor_to_cell(at.y), floor_to_cell(at.z)};
}

bool tlw_cook_is_off_body(const tlw_cook* cook, tlw_double3 point) {
    const tlw_int3 own = cell_of(in_voxels(&cook->grid, point));
    for (int i = 0; i < 27; ++i) {
        const tlw_int3 cell = {own.x + i % 3 - 1, own.y + i / 3 % 3 - 1, own.z + i / 9 - 1};
        if (tlw_cook_voxel_at(cook, cell) != TLW_NO_VOXEL) {
            return false;
        }
    }
    return true;
}

tlw_cook_binding tlw_cook_bind_point(const tlw_cook* cook, tlw_double3 point) {
    const tlw_double3 at = in_voxels(&cook->grid, point);
    tlw_cook_binding binding = {.count = 0};
    const tlw_int3 own_cell = cell_of(at);
    uint32_t own = tlw_cook_voxel_at(cook, own_cell);
    if (own == TLW_NO_VOXEL) {
        own = nearest_voxel(cook, at, own_cell);
    }
    binding.squared = squared_to_centre(cook->voxels.coordinates[own], at);
    const tlw_int3 base = {floor_to_cell(at.x - 0.5), floor_to_cell(at.y - 0.5),
                           floor_to_cell(at.z - 0.5)};
    const double fx = at.x - 0.5 - (double)base.x, fy = at.y - 0.5 - (double)base.y,
                 fz = at.z - 0.5 - (double)base.z;
    uint32_t voxels[8];
    (void)tlw_cook_cube(cook, base, voxels);
    int own_corner = -1;
    for (int i = 0; i < 8; ++i) {
        own_corner = voxels[i] == own ? i : own_corner;
    }
    if (own_corner < 0) { // a point that is in no voxel, and not beside one
        binding.count = 1;
        binding.voxel[0] = own;
        binding.weight[0] = 1.0;
        return binding;
    }
    const unsigned reached = tlw_cook_reach_in_cube(cook, voxels, own_corner);
    double sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        const double weight =
            (i & 1 ? fx : 1.0 - fx) * (i >> 1 & 1 ? fy : 1.0 - fy) * (i >> 2 & 1 ? fz : 1.0 - fz);
        if ((reached >> i & 1) && weight > 0.0) {
            binding.voxel[binding.count] = voxels[i];
            binding.weight[binding.count++] = weight;
            sum += weight;
        }
    }
    if (binding.count == 0) { // every centre that is reached has weight 0
        binding.count = 1;
        binding.voxel[0] = own;
        binding.weight[0] = sum = 1.0;
    }
    for (uint32_t i = 0; i < binding.count; ++i) {
        binding.weight[i] /= sum;
    }
    return binding;
}

tlw_cook_followed tlw_cook_round_weights(const uint32_t* index, const double* weight,
                                         uint32_t count) {
    const double one = (double)TLW_BLOB_WEIGHT_ONE;
    int32_t rounded[8], left = (int32_t)TLW_BLOB_WEIGHT_ONE;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        rounded[i] = (int32_t)floor(weight[i] * one + 0.5);
        left -= rounded[i];
        largest = weight[i] > weight[largest] ? i : largest;
    }
    rounded[largest] += left;
    tlw_cook_followed out = {.count = 0};
    for (uint32_t i = 0; i < count; ++i) {
        if (rounded[i] > 0) {
            out.index[out.count] = index[i];
            out.weight[out.count++] = (uint16_t)rounded[i];
        }
    }
    return out;
}

// Seats
// ------------------------------------------------------------------------------------------------

#define FAR_SQUARED 4.0 // a vertex further than 2 voxels from its own follows a seat
#define NO_SEAT_YET (TLW_NO_VOXEL - 1)

static bool has_touched(const tlw_cook* cook, uint32_t joint) {
    const tlw_cook_skeleton_joint* j = &cook->skeleton.joints[joint];
    return j->touched_begin < j->touched_end;
}

// Looks at the voxels that the joint's segments touch and returns the one whose centre is nearest
// to the joint. If several are equally near, it is the one with the lowest number.
static uint32_t nearest_touched(const tlw_cook* cook, uint32_t joint) {
    const tlw_cook_skeleton_joint* j = &cook->skeleton.joints[joint];
    const tlw_double3 at = in_voxels(&cook->grid, j->position);
    uint32_t best = TLW_NO_VOXEL;
    double best_squared = INFINITY;
    for (uint32_t i = j->touched_begin; i < j->touched_end; ++i) {
        const uint32_t voxel = cook->skeleton.touched[i];
        const double squared = squared_to_centre(cook->voxels.coordinates[voxel], at);
        if (squared < best_squared - TLW_SLACK ||
            (squared <= best_squared + TLW_SLACK && voxel < best)) {
            best_squared = squared < best_squared ? squared : best_squared;
            best = voxel;
        }
    }
    return best;
}

// The seat of a joint, or of its nearest ancestor that has one; TLW_NO_VOXEL without. A walk up
// sets its result on every joint that it passed, so that a long chain is walked once.
static uint32_t seat_of(const tlw_cook* cook, uint32_t* seats, uint32_t joint) {
    uint32_t top = joint, seat = TLW_NO_VOXEL;
    while (top != TLW_NO_JOINT && seats[top] == NO_SEAT_YET && !has_touched(cook, top)) {
        top = cook->input->joints[top].parent;
    }
    if (top != TLW_NO_JOINT) {
        seat = seats[top] != NO_SEAT_YET ? seats[top] : nearest_touched(cook, top);
        seats[top] = seat;
    }
    for (uint32_t up = joint; up != top; up = cook->input->joints[up].parent) {
        seats[up] = seat;
    }
    return seat;
}

// ------------------------------------------------------------------------------------------------

static tlw_cook_followed binding_of(const tlw_cook* cook, tlw_cook_source* source, uint32_t vertex,
                                    uint32_t* seats) {
    const float* position = source->mesh.positions + (size_t)vertex * 3;
    tlw_cook_binding binding = tlw_cook_bind_point(
        cook, (tlw_double3){(double)position[0], (double)position[1], (double)position[2]});
    if (binding.squared > FAR_SQUARED + TLW_SLACK) {
        const tlw_cook_followed joints = tlw_cook_skinning(cook, source, vertex);
        const uint32_t seat =
            joints.count > 0 ? seat_of(cook, seats, joints.index[0]) : TLW_NO_VOXEL;
        source->far_vertices += 1;
        source->farthest = fmax(source->farthest, sqrt(binding.squared));
        if (seat != TLW_NO_VOXEL) {
            source->seated_vertices += 1;
            binding.count = 1;
            binding.voxel[0] = seat;
            binding.weight[0] = 1.0;
        }
    }
    for (uint32_t i = 0; i < binding.count; ++i) {
        binding.voxel[i] = cook->order.slot_of_voxel[binding.voxel[i]];
    }
    return tlw_cook_round_weights(binding.voxel, binding.weight, binding.count);
}

tlw_result tlw_cook_bind(tlw_cook* cook) {
    const tlw_cook_sources* sources = &cook->sources;
    const uint32_t joints = cook->input->joint_count;
    uint32_t* seats = tlw_cook_allocate(cook, joints, sizeof *seats);
    cook->bindings = tlw_cook_allocate(cook, sources->vertex_count, sizeof *cook->bindings);
    for (uint32_t j = 0; seats != NULL && j < joints; ++j) {
        seats[j] = NO_SEAT_YET;
    }
    for (uint32_t i = 0; cook->error.result == TLW_OK && i < sources->count; ++i) {
        tlw_cook_source* source = &sources->list[i];
        for (uint32_t v = 0; v < source->mesh.vertex_count; ++v) {
            cook->bindings[source->first_vertex + v] = binding_of(cook, source, v, seats);
        }
    }
    tlw_cook_free(cook, seats);
    return cook->error.result;
}
