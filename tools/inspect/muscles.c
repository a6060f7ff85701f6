// SPDX-License-Identifier: MIT
// Reads muscles of a blob (RULES 9.12 to 9.14): vertices and fields out of their groups of eight,
// and what a single voxel has of bellies. Lattice axes become x, y, z.
#include "tools/inspect/inspect.h"

static void turn(const tlw_inspect* in, const float from[3][TLW_BLOB_LANES], uint32_t lane,
                 float to[3]) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
        to[(in->lattice->lane_axis + axis) % 3] = from[axis][lane];
    }
}

tlw_inspect_vertex tlw_inspect_vertex_of(const tlw_inspect* in, uint32_t muscle, uint32_t vertex) {
    const tlw_blob_muscle_group* group = &in->muscle_groups[muscle / TLW_BLOB_LANES];
    const tlw_blob_muscle_row* row = &in->muscle_rows[group->first_row + vertex];
    const uint32_t lane = muscle % TLW_BLOB_LANES;
    tlw_inspect_vertex out = {.radius = row->radius[lane],
                              .flex = row->flex[lane],
                              .arc = row->arc[lane],
                              .is_dynamic = row->is_dynamic[lane] > 0.0f,
                              .ratio = row->ratio[lane],
                              .length = row->length[lane],
                              .slack = row->slack[lane],
                              .is_belly = row->belly[lane] > 0.0f};
    turn(in, row->place, lane, out.place);
    turn(in, row->tangent, lane, out.tangent);
    turn(in, row->balance, lane, out.balance);
    turn(in, row->outward, lane, out.outward);
    for (uint32_t k = 0; k < TLW_BLOB_LINE_JOINTS; ++k) {
        if (row->weight[k][lane] > 0.0f) {
            out.joint[out.joint_count] = row->joint[k][lane];
            out.weight[out.joint_count++] = row->weight[k][lane];
        }
    }
    return out;
}

uint32_t tlw_inspect_fields_of(const tlw_inspect* in, uint32_t muscle,
                               tlw_inspect_ellipsoid out[TLW_BLOB_LINE_FIELDS]) {
    const tlw_blob_muscle_group* group = &in->muscle_groups[muscle / TLW_BLOB_LANES];
    const uint32_t lane = muscle % TLW_BLOB_LANES;
    uint32_t count = 0;
    for (uint32_t f = group->first_field; f < group[1].first_field; ++f) {
        const tlw_blob_muscle_field* field = &in->muscle_fields[f];
        if (field->inverse[0][lane] > 0.0f) { // else the muscle has fewer fields than its group
            tlw_inspect_ellipsoid* to = &out[count++];
            to->joint = field->joint[lane];
            to->gain = field->gain[lane];
            to->reach = field->reach[lane];
            turn(in, field->centre, lane, to->centre);
            turn(in, field->inverse, lane, to->inverse);
        }
    }
    return count;
}

float tlw_inspect_line_length(const tlw_inspect* in, uint32_t muscle) {
    return tlw_inspect_vertex_of(in, muscle, in->muscles[muscle].vertex_count - 1).arc;
}

// Whether the voxel in that lane has the entry's muscle: the weights of those that do sum to 1.
static bool has_entry(const tlw_inspect* in, const tlw_blob_belly_entry* entry, uint32_t lane) {
    int sum = 0;
    for (uint32_t k = 0; k < entry->vertex_count; ++k) {
        sum += in->belly_weight[entry->first_weight + k].linear[lane];
    }
    return sum > 0;
}

uint32_t tlw_inspect_bellies_of(const tlw_inspect* in, uint32_t voxel,
                                tlw_inspect_belly out[TLW_BLOB_VOXEL_MUSCLES]) {
    const uint32_t slot = in->voxel_slot[voxel], lane = slot % TLW_BLOB_LANES;
    const uint32_t* window = in->muscles ? &in->belly_windows[slot / TLW_BLOB_LANES] : NULL;
    uint32_t count = 0;
    for (uint32_t i = window ? window[0] : 0; window && i < window[1]; ++i) {
        const tlw_blob_belly_entry* entry = &in->belly_entry[i];
        if (!has_entry(in, entry, lane) || count == TLW_BLOB_VOXEL_MUSCLES) {
            continue;
        }
        tlw_inspect_belly* to = &out[count++];
        *to = (tlw_inspect_belly){.muscle = entry->muscle,
                                  .a = in->belly_shape[i].a[lane],
                                  .first_vertex = entry->first_vertex,
                                  .vertex_count = entry->vertex_count};
        turn(in, in->belly_shape[i].d, lane, to->d);
        for (uint32_t k = 0; k < entry->vertex_count && k < TLW_BLOB_LINE_VERTICES; ++k) {
            const tlw_blob_belly_weight* weight = &in->belly_weight[entry->first_weight + k];
            to->curve[k] = (float)weight->curve[lane] * TLW_BLOB_STATION_UNIT;
            to->linear[k] = (float)weight->linear[lane] * TLW_BLOB_STATION_UNIT;
        }
    }
    return count;
}

uint32_t tlw_inspect_muscle_voxels(const tlw_inspect* in, uint32_t muscle) {
    const uint32_t entries = in->belly_windows[in->lattice->window_count];
    uint32_t voxels = 0;
    for (uint32_t i = 0; i < entries; ++i) {
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES && in->belly_entry[i].muscle == muscle;
             ++lane) {
            voxels += has_entry(in, &in->belly_entry[i], lane);
        }
    }
    return voxels;
}
