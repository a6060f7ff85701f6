// SPDX-License-Identifier: MIT
// Reads the sections MUSCLES to LAME of a blob (RULES 8.9, 9.12 to 9.14).
#include "tests/runtime/oracle/blob_muscles.h"

#include "runtime/blob.h"
#include "tests/test.h"

#include <stdlib.h>

typedef struct reader {
    const void* blob;
    const tlw_blob_lattice* lattice;
    const uint32_t* slot_voxel;
    const uint32_t* oracle_voxel;
} reader;

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count ? count : 1, bytes);
    CHECK(memory != NULL);
    return memory;
}

static const void* section(const reader* r, tlw_blob_section_kind kind, uint64_t* count) {
    uint64_t own;
    return tlw_blob_find(r->blob, kind, count ? count : &own);
}

// Three rows of eight lanes, along lane, row and plane, as a vector along the model's axes.
static oracle_vec in_model(const reader* r, const float rows[3][TLW_LANES], uint32_t lane) {
    double along[3];
    for (uint32_t k = 0; k < 3; ++k) {
        along[(r->lattice->lane_axis + k) % 3] = (double)rows[k][lane];
    }
    return vec_of(along);
}

static void read_vertex(const reader* r, const tlw_blob_muscle_row* row, uint32_t lane,
                        oracle_line_vertex* v) {
    *v = (oracle_line_vertex){.place = in_model(r, row->place, lane),
                              .tangent = in_model(r, row->tangent, lane),
                              .balance = in_model(r, row->balance, lane),
                              .outward = in_model(r, row->outward, lane),
                              .radius = (double)row->radius[lane],
                              .arc = (double)row->arc[lane],
                              .flex = (double)row->flex[lane],
                              .is_dynamic = row->is_dynamic[lane] > 0,
                              .ratio = (double)row->ratio[lane],
                              .length = (double)row->length[lane],
                              .slack = (double)row->slack[lane],
                              .is_belly = row->belly[lane] > 0};
    double sum = 0;
    for (uint32_t k = 0; k < 4; ++k) {
        v->joint[k] = row->joint[k][lane];
        v->weight[k] = (double)row->weight[k][lane];
        sum += v->weight[k];
        CHECK_LT(v->joint[k], r->lattice->joint_count);
    }
    CHECK_NEAR(sum, 1, 1e-6);
}

static void read_fields(const reader* r, const tlw_blob_muscle_group* group, uint32_t lane,
                        oracle_muscle_rest* muscle) {
    const tlw_blob_muscle_field* fields = section(r, TLW_SECTION_MUSCLE_FIELDS, NULL);
    for (uint32_t f = group[0].first_field; f < group[1].first_field; ++f) {
        if (fields[f].inverse[0][lane] > 0) { // else the muscle has fewer
            double first[3] = {0, 0, 0};
            first[r->lattice->lane_axis] = 1;
            CHECK_LT(muscle->field_count, ORACLE_LINE_FIELDS);
            muscle->fields[muscle->field_count++] =
                (oracle_line_field){.joint = fields[f].joint[lane],
                                    .centre = in_model(r, fields[f].centre, lane),
                                    .inverse = in_model(r, fields[f].inverse, lane),
                                    .first = vec_of(first),
                                    .gain = (double)fields[f].gain[lane],
                                    .reach = (double)fields[f].reach[lane]};
        }
    }
}

static void read_muscle(const reader* r, uint32_t m, oracle_muscle_rest* muscle) {
    const tlw_blob_muscle* head = (const tlw_blob_muscle*)section(r, TLW_SECTION_MUSCLES, NULL) + m;
    const tlw_blob_muscle_group* group =
        (const tlw_blob_muscle_group*)section(r, TLW_SECTION_MUSCLE_GROUPS, NULL) + m / TLW_LANES;
    const tlw_blob_muscle_row* rows = section(r, TLW_SECTION_MUSCLE_ROWS, NULL);
    CHECK_LE(head->vertex_count, ORACLE_LINE_VERTICES);
    CHECK_LE(group[0].first_row + head->vertex_count, group[1].first_row);
    muscle->vertex_count = head->vertex_count;
    muscle->bulge = (double)head->bulge;
    muscle->radius = (double)head->radius;
    muscle->flex_joint = head->flex_joint == TLW_BLOB_NO_INDEX ? ORACLE_NO_FLEX : head->flex_joint;
    muscle->flex_from = (double)head->flex_from;
    muscle->flex_to = (double)head->flex_to;
    for (uint32_t i = 0; i < head->vertex_count; ++i) {
        read_vertex(r, &rows[group->first_row + i], m % TLW_LANES, &muscle->vertices[i]);
    }
    read_fields(r, group, m % TLW_LANES, muscle);
}

// One lane of an entry: the vertices that it has a weight for.
static void read_belly(const tlw_blob_belly_entry* entry, const tlw_blob_belly_weight* weights,
                       uint32_t lane, oracle_belly* belly) {
    double curve = 0, linear = 0;
    for (uint32_t k = 0; k < entry->vertex_count; ++k) {
        const tlw_blob_belly_weight* w = &weights[entry->first_weight + k];
        if (w->curve[lane] != 0 || w->linear[lane] != 0) {
            CHECK_LT(belly->count, 4u);
            belly->vertex[belly->count] = entry->first_vertex + k;
            belly->curve[belly->count] = w->curve[lane] / (double)TLW_BLOB_STATION_ONE;
            belly->linear[belly->count] = w->linear[lane] / (double)TLW_BLOB_STATION_ONE;
            curve += belly->curve[belly->count];
            linear += belly->linear[belly->count];
            belly->count += 1;
        }
    }
    CHECK_EQ(curve, 1.0);
    CHECK_EQ(linear, 1.0);
}

static void read_bellies(const reader* r, blob_muscles* b) {
    const uint32_t* windows = section(r, TLW_SECTION_BELLY_WINDOWS, NULL);
    const tlw_blob_belly_entry* entries = section(r, TLW_SECTION_BELLY_ENTRY, NULL);
    const tlw_blob_belly_shape* shapes = section(r, TLW_SECTION_BELLY_SHAPE, NULL);
    const tlw_blob_belly_weight* weights = section(r, TLW_SECTION_BELLY_WEIGHT, NULL);
    for (uint32_t slot = 0; slot < r->lattice->slot_count; ++slot) {
        const uint32_t window = slot / TLW_LANES, lane = slot % TLW_LANES;
        for (uint32_t k = windows[window]; k < windows[window + 1]; ++k) {
            const oracle_vec d = in_model(r, shapes[k].d, lane);
            if (vec_length(d) == 0) {
                continue;
            }
            CHECK_LT(r->slot_voxel[slot], r->lattice->voxel_count);
            oracle_voxel_bellies* of = &b->bellies[r->oracle_voxel[r->slot_voxel[slot]]];
            CHECK_LT(of->count, ORACLE_VOXEL_MUSCLES);
            oracle_belly* belly = &of->of[of->count++];
            belly->muscle = entries[k].muscle;
            belly->d = d;
            belly->a = (double)shapes[k].a[lane];
            read_belly(&entries[k], weights, lane, belly);
        }
    }
}

static void read_lame(const reader* r, blob_muscles* b) {
    uint64_t count;
    const tlw_blob_lame* lame = section(r, TLW_SECTION_LAME, &count);
    b->material_count = r->lattice->part_count * r->lattice->layer_count;
    if (lame == NULL) {
        return;
    }
    CHECK_EQ(count, b->material_count);
    b->lame = allocate(count, sizeof *b->lame);
    for (uint64_t i = 0; i < count; ++i) {
        b->lame[i] = (oracle_lame){1000 * (double)lame[i].young_kpa, (double)lame[i].poisson,
                                   (double)lame[i].density};
    }
}

blob_muscles* blob_muscles_read(const void* blob, const uint32_t* oracle_voxel) {
    reader r = {.blob = blob, .oracle_voxel = oracle_voxel};
    r.lattice = section(&r, TLW_SECTION_LATTICE, NULL);
    r.slot_voxel = section(&r, TLW_SECTION_SLOT_VOXEL, NULL);
    blob_muscles* b = allocate(1, sizeof *b);
    b->muscle_count = r.lattice->muscle_count;
    if (b->muscle_count > 0) {
        b->muscles = allocate(b->muscle_count, sizeof *b->muscles);
        b->bellies = allocate(r.lattice->voxel_count, sizeof *b->bellies);
        for (uint32_t m = 0; m < b->muscle_count; ++m) {
            read_muscle(&r, m, &b->muscles[m]);
        }
        read_bellies(&r, b);
    }
    read_lame(&r, b);
    return b;
}

void blob_muscles_free(blob_muscles* b) {
    free(b->muscles);
    free(b->bellies);
    free(b->lame);
    free(b);
}
