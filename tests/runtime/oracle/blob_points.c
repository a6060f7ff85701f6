// SPDX-License-Identifier: MIT
// Reads the sections GROUPS to RBF_SEAM_WEIGHT of a blob (RULES 10.5 to 10.10).
#include "tests/runtime/oracle/blob_points.h"

#include "runtime/blob.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

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

static const void* section(const reader* r, tlw_blob_section_kind kind) {
    uint64_t count;
    return tlw_blob_find(r->blob, kind, &count);
}

static uint32_t voxel_at(const reader* r, uint32_t slot) {
    CHECK_LT(slot, r->lattice->slot_count);
    CHECK_LT(r->slot_voxel[slot], r->lattice->voxel_count);
    return r->oracle_voxel[r->slot_voxel[slot]];
}

// One lane of a group: up to eight voxels or joints with a weight.
static void read_lane(const reader* r, const tlw_blob_group* group, uint32_t lane,
                      oracle_bound_point* point) {
    const uint32_t* slots = section(r, TLW_SECTION_GROUP_VOXEL);
    const uint16_t* weights = section(r, TLW_SECTION_GROUP_VOXEL_WEIGHT);
    const uint16_t* joints = section(r, TLW_SECTION_GROUP_JOINT);
    const uint16_t* joint_weights = section(r, TLW_SECTION_GROUP_JOINT_WEIGHT);
    uint32_t sum = 0, count = 0;
    for (size_t k = group->first_voxel; k < group->first_voxel + group->voxel_count; ++k) {
        if (weights[8 * k + lane] > 0) {
            CHECK_LT(count, 8u);
            point->voxel[count] = voxel_at(r, slots[k]);
            point->weight[count++] = weights[8 * k + lane] / 32768.0;
            sum += weights[8 * k + lane];
        }
    }
    CHECK_EQ(sum, 32768u);
    sum = count = 0;
    for (size_t k = group->first_joint; k < group->first_joint + group->joint_count; ++k) {
        if (joint_weights[8 * k + lane] > 0) {
            CHECK_LT(count, 8u);
            point->joint[count] = joints[k];
            point->skinning[count++] = joint_weights[8 * k + lane] / 32768.0;
            sum += joint_weights[8 * k + lane];
        }
    }
    CHECK_EQ(sum, group->skinned >> lane & 1 ? 32768u : 0u);
}

static void read_points(const reader* r, blob_points* p) {
    const tlw_blob_group* groups = section(r, TLW_SECTION_GROUPS);
    const float* positions = section(r, TLW_SECTION_GROUP_POSITION);
    const float* normals = section(r, TLW_SECTION_GROUP_NORMAL);
    const float* tangents = section(r, TLW_SECTION_GROUP_TANGENT);
    const uint32_t* source_of = section(r, TLW_SECTION_VERTEX_SOURCE);
    p->count = r->lattice->vertex_count;
    p->points = allocate(p->count, sizeof *p->points);
    for (uint32_t g = 0; g < r->lattice->group_count; ++g) {
        for (uint32_t lane = 0; lane < groups[g].vertex_count; ++lane) {
            oracle_bound_point* point = &p->points[source_of[groups[g].first_vertex + lane]];
            for (uint32_t a = 0; a < 3; ++a) {
                const size_t at = (3 * (size_t)g + a) * 8 + lane;
                point->rest[a] =
                    ((double)positions[at] - r->lattice->origin[a]) / r->lattice->voxel_metres;
                point->normal[a] = normals ? (double)normals[at] : 0;
                point->tangent[a] = tangents ? (double)tangents[(4 * (size_t)g + a) * 8 + lane] : 0;
            }
            read_lane(r, &groups[g], lane, point);
        }
    }
}

static void read_rings(const reader* r, blob_points* p) {
    const tlw_blob_group* groups = section(r, TLW_SECTION_GROUPS);
    const uint32_t* neighbours = section(r, TLW_SECTION_RING_NEIGHBOUR);
    const float* weights = section(r, TLW_SECTION_RING_WEIGHT);
    const uint32_t* source_of = section(r, TLW_SECTION_VERTEX_SOURCE);
    if (!neighbours) {
        return;
    }
    p->rings = allocate(p->count, sizeof *p->rings);
    for (uint32_t g = 0; g < r->lattice->group_count; ++g) {
        for (uint32_t lane = 0; lane < groups[g].vertex_count; ++lane) {
            oracle_ring* ring = &p->rings[source_of[groups[g].first_vertex + lane]];
            for (uint32_t k = 0; k < 6; ++k) {
                ring->neighbour[k] = source_of[neighbours[(6 * (size_t)g + k) * 8 + lane]];
                for (uint32_t i = 0; i < 2; ++i) { // per metre in the blob
                    ring->weight[k][i] = (double)weights[(12 * (size_t)g + 2 * k + i) * 8 + lane] *
                                         r->lattice->voxel_metres;
                }
            }
        }
    }
}

static void read_domains(const reader* r, const tlw_blob_rbf* head, oracle_rbf* rbf) {
    const tlw_blob_rbf_domain* domains = section(r, TLW_SECTION_RBF_DOMAIN);
    const tlw_blob_binding* centres = section(r, TLW_SECTION_RBF_CENTRE);
    const float* inverse = section(r, TLW_SECTION_RBF_INVERSE);
    rbf->domains = allocate(head->domain_count, sizeof *rbf->domains);
    rbf->centres = allocate(head->centre_count, sizeof *rbf->centres);
    for (uint32_t c = 0; c < head->centre_count; ++c) {
        for (int k = 0; k < 8; ++k) {
            rbf->centres[c].weight[k] = (double)centres[c].weights[k];
            rbf->centres[c].voxel[k] = voxel_at(r, centres[c].slots[k]);
        }
    }
    for (uint32_t d = 0; d < head->domain_count; ++d) {
        const uint32_t n = domains[d].centre_count, length = n + domains[d].term_count;
        const uint32_t stride = (length + 7) / 8 * 8;
        rbf->domains[d] = (oracle_rbf_domain){domains[d].first_centre, n,
                                              domains[d].first_coefficient, length, NULL};
        double* to = rbf->domains[d].inverse = allocate((size_t)length * n, sizeof *to);
        for (uint32_t i = 0; i < length; ++i) {
            for (uint32_t c = 0; c < n; ++c) {
                to[(size_t)i * n + c] =
                    (double)inverse[domains[d].first_inverse + (size_t)c * stride + i];
            }
        }
    }
}

static void read_rows(const reader* r, blob_points* p) {
    oracle_rbf* rbf = &p->rbf;
    const uint32_t* first = section(r, TLW_SECTION_RBF_ROW_FIRST);
    const uint16_t* index = section(r, TLW_SECTION_RBF_ROW_INDEX);
    const float* weight = section(r, TLW_SECTION_RBF_ROW_WEIGHT);
    const uint32_t* vertex_row = section(r, TLW_SECTION_RBF_VERTEX_ROW);
    const uint32_t* source_of = section(r, TLW_SECTION_VERTEX_SOURCE);
    const uint32_t terms = first[rbf->row_count];
    rbf->row_first = allocate(rbf->row_count + 1ull, sizeof *rbf->row_first);
    memcpy(rbf->row_first, first, (rbf->row_count + 1ull) * sizeof *first);
    rbf->row_coefficient = allocate(terms, sizeof *rbf->row_coefficient);
    rbf->row_weight = allocate(terms, sizeof *rbf->row_weight);
    for (uint32_t t = 0; t < terms; ++t) {
        CHECK_LT(index[t], rbf->coefficient_count);
        rbf->row_coefficient[t] = index[t];
        rbf->row_weight[t] = (double)weight[t];
    }
    rbf->point_row = allocate(p->count, sizeof *rbf->point_row);
    for (uint32_t v = 0; v < p->count; ++v) {
        CHECK_LT(vertex_row[v], rbf->row_count);
        rbf->point_row[source_of[v]] = vertex_row[v];
    }
}

static void read_seams(const reader* r, oracle_rbf* rbf) {
    const tlw_blob_rbf_seam* seams = section(r, TLW_SECTION_RBF_SEAM);
    const uint32_t* rows = section(r, TLW_SECTION_RBF_SEAM_ROW);
    const float* weights = section(r, TLW_SECTION_RBF_SEAM_WEIGHT);
    rbf->seam_row = allocate(rbf->seam_count, sizeof *rbf->seam_row);
    rbf->seam_first = allocate(rbf->seam_count + 1ull, sizeof *rbf->seam_first);
    for (uint32_t s = 0; s <= rbf->seam_count; ++s) {
        if (s < rbf->seam_count) {
            rbf->seam_row[s] = seams[s].row;
        }
        rbf->seam_first[s] = seams[s].first;
    }
    const uint32_t count = rbf->seam_first[rbf->seam_count];
    rbf->seam_neighbour = allocate(count, sizeof *rbf->seam_neighbour);
    rbf->seam_weight = allocate(count, sizeof *rbf->seam_weight);
    for (uint32_t k = 0; k < count; ++k) {
        CHECK_LT(rows[k], rbf->row_count);
        rbf->seam_neighbour[k] = rows[k];
        rbf->seam_weight[k] = (double)weights[k];
    }
}

blob_points* blob_points_read(const void* blob, const uint32_t* oracle_voxel) {
    reader r = {.blob = blob, .oracle_voxel = oracle_voxel};
    r.lattice = section(&r, TLW_SECTION_LATTICE);
    r.slot_voxel = section(&r, TLW_SECTION_SLOT_VOXEL);
    blob_points* p = allocate(1, sizeof *p);
    read_points(&r, p);
    read_rings(&r, p);
    const tlw_blob_rbf* head = section(&r, TLW_SECTION_RBF);
    p->has_rbf = head != NULL;
    if (head) {
        p->rbf = (oracle_rbf){.domain_count = head->domain_count,
                              .centre_count = head->centre_count,
                              .coefficient_count = head->coefficient_count,
                              .row_count = head->row_count,
                              .seam_count = head->seam_count,
                              .seam_passes = head->seam_passes,
                              .seam_share = (double)head->seam_share};
        read_domains(&r, head, &p->rbf);
        read_rows(&r, p);
        read_seams(&r, &p->rbf);
    }
    return p;
}

void blob_points_free(blob_points* p) {
    oracle_rbf* rbf = &p->rbf;
    for (uint32_t d = 0; d < rbf->domain_count; ++d) {
        free(rbf->domains[d].inverse);
    }
    void* memory[] = {p->points,
                      p->rings,
                      rbf->domains,
                      rbf->centres,
                      rbf->row_first,
                      rbf->row_coefficient,
                      rbf->row_weight,
                      rbf->point_row,
                      rbf->seam_row,
                      rbf->seam_first,
                      rbf->seam_weight,
                      rbf->seam_neighbour,
                      p};
    for (size_t k = 0; k < TLW_COUNT_OF(memory); ++k) {
        free(memory[k]);
    }
}
