// SPDX-License-Identifier: MIT
// Makes the fixture of the tests of pass embed, and the expected output in double precision (MODEL
// 5, RULES 10). A second implementation on purpose: it shares no code with runtime/output.
#include "tests/runtime/support/embed_fixture.h"

#include "runtime/world/character.h"
#include "tests/cook/support/sample_input.h"
#include "tests/runtime/support/sample_characters.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Quaternions (x, y, z, w) and vectors

static void multiply(const double a[4], const double b[4], double out[4]) {
    const double r[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
                         a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, r, sizeof r);
}

static void normalise(double* a, int count) {
    double squared = 0.0;
    for (int i = 0; i < count; ++i) {
        squared += a[i] * a[i];
    }
    for (int i = 0; i < count && squared > 0.0; ++i) {
        a[i] /= sqrt(squared);
    }
}

static void to_matrix(const double a[4], double m[3][3]) {
    const double x = a[0], y = a[1], z = a[2], w = a[3];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(m, r, sizeof r);
}

static void rotate(const double a[4], const double v[3], double out[3]) {
    double m[3][3], r[3];
    to_matrix(a, m);
    for (int i = 0; i < 3; ++i) {
        r[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
    memcpy(out, r, sizeof r);
}

static void conjugate(const double a[4], double out[4]) {
    const double r[4] = {-a[0], -a[1], -a[2], a[3]};
    memcpy(out, r, sizeof r);
}

static double determinant(double m[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void cofactor(double m[3][3], double out[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            out[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    }
}

double embed_fixture_number(embed_fixture* fixture, double low, double high) {
    const double unit = (double)(tlw_test_random(&fixture->random) >> 11) * 0x1p-53;
    return low + (high - low) * unit;
}

static void random_rotation(embed_fixture* fixture, double angle, double out[4]) {
    double axis[3];
    for (int i = 0; i < 3; ++i) {
        axis[i] = embed_fixture_number(fixture, -1.0, 1.0);
    }
    normalise(axis, 3);
    const double half = 0.5 * embed_fixture_number(fixture, -angle, angle);
    for (int i = 0; i < 3; ++i) {
        out[i] = axis[i] * sin(half);
    }
    out[3] = cos(half);
}

// The rotation that takes the lattice axes (lane, row, plane) to the asset's: a permutation.
static void permutation_of_axes(const tlw_blob_arrays* blob, double out[4]) {
    static const double permutations[3][4] = {
        {0.0, 0.0, 0.0, 1.0}, {0.5, 0.5, 0.5, 0.5}, {-0.5, -0.5, -0.5, 0.5}};
    memcpy(out, permutations[blob->lattice->lane_axis], sizeof permutations[0]);
}

// ---- The fixture

static size_t site_stride(const tlw_blob_arrays* blob) {
    return ((size_t)blob->site_count + 15) / 16 * 16;
}

typedef struct eight_weights {
    uint32_t* joints;
    float* weights;
} eight_weights;

static eight_weights spread_weights(const tlw_cook_mesh* mesh, uint32_t joint_count) {
    const size_t count = (size_t)mesh->vertex_count * 8;
    const eight_weights out = {sample_allocate(count * sizeof *out.joints),
                               sample_allocate(count * sizeof *out.weights)};
    CHECK_EQ(mesh->influence_count, 4u);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        uint32_t* joints = out.joints + (size_t)v * 8;
        float* weights = out.weights + (size_t)v * 8;
        memcpy(joints, mesh->joints + (size_t)v * 4, 4 * sizeof *joints);
        memcpy(weights, mesh->weights + (size_t)v * 4, 4 * sizeof *weights);
        for (uint32_t k = 4, j = v; k < 8; ++j) {
            bool is_new = true;
            for (uint32_t i = 0; i < k; ++i) {
                is_new = is_new && joints[i] != j % joint_count;
            }
            if (is_new) {
                joints[k] = j % joint_count;
                weights[k] = 0.03125f * (float)k;
                k += 1;
            }
        }
    }
    return out;
}

static void cook(embed_fixture* fixture, const embed_fixture_def* def) {
    static const float points[9] = {0.02f, 0.5f, 0.1f, -0.1f, 0.3f, 0.0f, 0.1f, 0.6f, -0.05f};
    static const float point_normals[9] = {0.0f, 0.0f, 1.0f, -1.0f, 0.0f, 0.0f, 0.6f, 0.8f, 0.0f};
    sample_input* sample = sample_input_make(def->variant);
    tlw_cook_input input = *sample_input_get(sample);
    tlw_cook_mesh mesh = input.meshes[0];
    float* tangents = NULL;
    if (def->has_tangents) {
        tangents = sample_allocate((size_t)mesh.vertex_count * 4 * sizeof *tangents);
        for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
            const float* n = mesh.normals + (size_t)v * 3;
            double t[3] = {(double)n[1] + 0.1, -(double)n[2], (double)n[0]};
            normalise(t, 3);
            for (int i = 0; i < 3; ++i) {
                tangents[(size_t)v * 4 + (size_t)i] = (float)t[i];
            }
            tangents[(size_t)v * 4 + 3] = v % 2 ? 1.0f : -1.0f;
        }
        mesh.tangents = tangents;
    }
    if (def->forgets_weights) {
        mesh.influence_count = 0;
        mesh.joints = NULL;
        mesh.weights = NULL;
    }
    eight_weights eight = {NULL, NULL};
    if (def->has_eight_weights) {
        eight = spread_weights(&mesh, input.joint_count);
        mesh.influence_count = 8;
        mesh.joints = eight.joints;
        mesh.weights = eight.weights;
    }
    input.meshes = &mesh;
    const tlw_cook_points sockets = {
        .name = "sockets", .count = 3, .positions = points, .normals = point_normals};
    if (def->has_points) {
        input.points = &sockets;
        input.points_count = 1;
    }
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = def->resolution;
    recipe.region_width = def->region_width ? def->region_width : 3;
    recipe.cuts = def->cuts;
    recipe.cut_count = def->cut_count;
    const tlw_cook_options options = tlw_default_cook_options();
    const tlw_result result = tlw_cook_character(&input, &recipe, &options, &fixture->cooked);
    CHECK_STRING(fixture->cooked.error.message, "");
    CHECK_OK(result);
    sample_free(tangents);
    sample_free(eight.joints);
    sample_free(eight.weights);
    sample_input_free(sample);
}

static void read_vertices(embed_fixture* fixture) {
    const uint32_t count = fixture->blob.lattice->vertex_count;
    tlw_blob blob;
    CHECK_OK(tlw_blob_open(fixture->cooked.blob, fixture->cooked.blob_bytes,
                           TLW_BLOB_SKIP_CONTENT_HASH, &blob, NULL));
    fixture->vertices = sample_allocate(count * sizeof *fixture->vertices);
    fixture->skinning = sample_allocate(count * sizeof *fixture->skinning);
    fixture->bindings = sample_allocate(count * sizeof *fixture->bindings);
    CHECK_OK(tlw_blob_get_vertices(&blob, TLW_ORDER_SOURCE, 0, count, fixture->vertices));
    CHECK_OK(tlw_blob_get_skinning(&blob, TLW_ORDER_SOURCE, 0, count, fixture->skinning));
    CHECK_OK(tlw_blob_get_bindings(&blob, TLW_ORDER_SOURCE, 0, count, fixture->bindings));
}

// NaN, so that anything read before it is written shows; but for gaps between rows and for the
// first sites, which a step keeps at 0.
static void make_scratch(embed_fixture* fixture, size_t bytes) {
    const tlw_blob_arrays* blob = &fixture->blob;
    const size_t stride = site_stride(blob);
    memset(fixture->scratch, 0xff, bytes);
    for (size_t i = 0; i < TLW_EMBED_SITE_ARRAYS; ++i) {
        float* array = (float*)fixture->scratch + i * stride;
        memset(array, 0, (i < 6 ? blob->site_count : TLW_LANES) * sizeof *array);
        for (uint32_t w = 0; w < blob->window_count && i < 6; ++w) {
            memset(array + blob->windows[w].rows[4], 0xff, TLW_LANES * sizeof *array);
        }
    }
}

embed_fixture* embed_fixture_make(const embed_fixture_def* def) {
    embed_fixture* fixture = calloc(1, sizeof *fixture);
    CHECK(fixture != NULL);
    fixture->random = 7;
    cook(fixture, def);
    tlw_blob_arrays_open(fixture->cooked.blob, &fixture->blob);
    read_vertices(fixture);
    const tlw_blob_arrays* blob = &fixture->blob;
    for (int k = 0; k < 2; ++k) {
        fixture->states[k] =
            sample_allocate((size_t)blob->window_count * sizeof *fixture->states[k]);
        fixture->poses[k] = sample_allocate((size_t)blob->window_count * sizeof *fixture->poses[k]);
    }
    fixture->pose = sample_allocate((size_t)blob->window_count * sizeof *fixture->pose);
    fixture->joints = sample_allocate((size_t)blob->lattice->joint_count * sizeof *fixture->joints);
    fixture->results = sample_allocate((size_t)blob->block_count * sizeof *fixture->results);
    const size_t scratch = tlw_embed_scratch_bytes(blob, site_stride(blob));
    fixture->scratch = sample_allocate(scratch);
    make_scratch(fixture, scratch);
    fixture->embed = (tlw_embed){.blob = blob,
                                 .from = fixture->states[0],
                                 .to = fixture->states[1],
                                 .pose_from = fixture->poses[0],
                                 .pose_to = fixture->poses[1],
                                 .pose = fixture->pose,
                                 .blend = 1.0f,
                                 .joint_affines = fixture->joints,
                                 .results = fixture->results};
    embed_fixture_pose(fixture, 0.0, 0.0, 0.0);
    embed_fixture_disturb(fixture, 0.0, 0.0);
    return fixture;
}

void embed_fixture_free(embed_fixture* fixture) {
    sample_free(fixture->vertices);
    sample_free(fixture->skinning);
    sample_free(fixture->bindings);
    for (int k = 0; k < 2; ++k) {
        sample_free(fixture->states[k]);
        sample_free(fixture->poses[k]);
    }
    sample_free(fixture->pose);
    sample_free(fixture->joints);
    sample_free(fixture->results);
    sample_free(fixture->scratch);
    tlw_cook_output_free(&fixture->cooked);
    free(fixture);
}

void embed_fixture_pose(embed_fixture* fixture, double angle, double stretch, double root_angle) {
    const tlw_blob_arrays* blob = &fixture->blob;
    const tlw_blob_lattice* lattice = blob->lattice;
    double(*rotations)[4] = sample_allocate(lattice->joint_count * sizeof *rotations);
    for (uint32_t j = 0; j < lattice->joint_count; ++j) {
        double m[3][3];
        random_rotation(fixture, angle, rotations[j]);
        to_matrix(rotations[j], m);
        const double scale = 1.0 + embed_fixture_number(fixture, -stretch, stretch);
        const double* at = blob->joints[j].bind + 12;
        for (int i = 0; i < 3; ++i) {
            double offset = at[i] + embed_fixture_number(fixture, -0.02, 0.02) * angle;
            for (int k = 0; k < 3; ++k) {
                fixture->joints[j].row[i][k] = (float)(m[i][k] * scale);
                offset -= m[i][k] * scale * at[k];
            }
            fixture->joints[j].row[i][3] = (float)offset;
            fixture->joints[j].unused[i] = NAN;
        }
        fixture->joints[j].unused[3] = NAN;
    }
    double root[4], axes[4];
    random_rotation(fixture, root_angle, root);
    permutation_of_axes(blob, axes);
    for (int i = 0; i < 4; ++i) {
        fixture->embed.root_rotation[i] = (float)root[i];
    }
    memset(fixture->pose, 0, blob->window_count * sizeof *fixture->pose);
    for (uint32_t v = 0; v < lattice->voxel_count; ++v) {
        const uint32_t slot = blob->voxel_slot[v], lane = slot % 8;
        const tlw_blob_cell* cell = &blob->voxel_cell[v];
        const double c[3] = {cell->x, cell->y, cell->z};
        double place[3] = {0.0}, rotation[4] = {0.0}, x0[3];
        for (int i = 0; i < 3; ++i) {
            x0[i] = lattice->origin[i] + lattice->voxel_metres * (c[i] + 0.5);
        }
        const tlw_blob_window* window = &blob->windows[slot / 8];
        const uint16_t* joints = blob->influence_joint + window->first_influence;
        const float* weights = blob->influence_weight + (size_t)window->first_influence * 8 + lane;
        uint32_t largest = 0;
        for (uint32_t k = 1; k < window->influences; ++k) {
            largest = weights[k * 8] > weights[largest * 8] ? k : largest;
        }
        for (uint32_t k = 0; k < window->influences; ++k) {
            const uint32_t joint = joints[k];
            const double weight = (double)weights[k * 8];
            double side = 0.0;
            for (int i = 0; i < 4; ++i) {
                side += rotations[joint][i] * rotations[joints[largest]][i];
            }
            for (int i = 0; i < 4; ++i) {
                rotation[i] += weight * rotations[joint][i] * (side < 0.0 ? -1.0 : 1.0);
            }
            for (int i = 0; i < 3; ++i) {
                const float* row = fixture->joints[joint].row[i];
                place[i] += weight * ((double)row[0] * x0[0] + (double)row[1] * x0[1] +
                                      (double)row[2] * x0[2] + (double)row[3]);
            }
        }
        normalise(rotation, 4);
        multiply(root, rotation, rotation);
        multiply(rotation, axes, rotation);
        rotate(root, place, place);
        for (int i = 0; i < 3; ++i) {
            fixture->pose[slot / 8].skin[i][lane] = (float)(place[i] / lattice->voxel_metres);
        }
        for (int i = 0; i < 4; ++i) {
            fixture->pose[slot / 8].rb[i][lane] = (float)rotation[i];
        }
    }
    sample_free(rotations);
}

void embed_fixture_disturb(embed_fixture* fixture, double distance, double angle) {
    const tlw_blob_arrays* blob = &fixture->blob;
    uint64_t slots;
    const uint8_t* layer = tlw_blob_find(blob->bytes, TLW_SECTION_SLOT_LAYER, &slots);
    for (int k = 0; k < 2; ++k) {
        tlw_window_state* states = fixture->states[k];
        tlw_window_pose* poses = fixture->poses[k];
        memset(states, 0, blob->window_count * sizeof *states);
        memset(poses, 0, blob->window_count * sizeof *poses);
        for (uint32_t v = 0; v < blob->lattice->voxel_count; ++v) {
            const uint32_t slot = blob->voxel_slot[v], w = slot / 8, lane = slot % 8;
            double rb[4], relative[4], moved[4], d[3];
            for (int i = 0; i < 4; ++i) {
                rb[i] = (double)fixture->pose[w].rb[i][lane];
            }
            random_rotation(fixture, angle, moved);
            multiply(moved, rb, rb);
            random_rotation(fixture, angle, relative);
            const double side = embed_fixture_number(fixture, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
            for (int i = 0; i < 4; ++i) {
                poses[w].rb[i][lane] = (float)rb[i];
                states[w].rotation[i][lane] = (float)(relative[i] * side); // the same rotation
            }
            const double reach =
                layer[slot] == 0 ? 0.0 : distance; // bone stays on its skinned place
            for (int i = 0; i < 3; ++i) {
                poses[w].skin[i][lane] =
                    (float)((double)fixture->pose[w].skin[i][lane] + (3.0 + k) * distance);
                d[i] = embed_fixture_number(fixture, -reach, reach);
            }
            rotate(rb, d, d);
            for (int i = 0; i < 3; ++i) {
                states[w].p[i][lane] = (float)((double)poses[w].skin[i][lane] + d[i]);
            }
        }
    }
}

void embed_fixture_run(embed_fixture* fixture, const tlw_output* output, tlw_isa isa,
                       uint32_t grain) {
    const tlw_kernels* kernels = tlw_kernels_of(isa);
    tlw_embed* e = &fixture->embed;
    CHECK(kernels != NULL);
    CHECK_OK(tlw_output_check(&fixture->blob, output));
    e->output = *output;
    tlw_embed_plan(e);
    tlw_embed_place(e, fixture->scratch, site_stride(&fixture->blob));
    tlw_embed_function* const stages[] = {kernels->embed_lattice, kernels->embed_frames,
                                          kernels->embed_vertices};
    const uint32_t counts[] = {fixture->blob.block_count,
                               e->wants_slopes || e->wants_frame_slopes ? fixture->blob.block_count
                                                                        : 0,
                               e->group_count + e->voxel_groups};
    for (int s = 0; s < 3; ++s) {
        for (uint32_t i = 0; i < counts[s]; i += grain) {
            stages[s](e, i, counts[s] - i < grain ? counts[s] : i + grain);
        }
    }
}

// ---- In double precision

typedef struct voxel {
    double p[3], delta[3], rb[3][3], r[3][3], f[3][3], slope[3][3];
} voxel;

// Rb^T (p - p_skin) at substep k of the last two.
static void deviation(const embed_fixture* fixture, int k, uint32_t w, uint32_t lane, double d[3]) {
    double back[4];
    for (int i = 0; i < 4; ++i) {
        back[i] = (double)fixture->poses[k][w].rb[i][lane];
    }
    conjugate(back, back);
    for (int i = 0; i < 3; ++i) {
        d[i] =
            (double)fixture->states[k][w].p[i][lane] - (double)fixture->poses[k][w].skin[i][lane];
    }
    rotate(back, d, d);
}

static void set_voxel(const embed_fixture* fixture, uint32_t v, voxel* out) {
    const tlw_blob_arrays* blob = &fixture->blob;
    const tlw_embed* e = &fixture->embed;
    const uint32_t w = blob->voxel_slot[v] / 8, lane = blob->voxel_slot[v] % 8;
    const double a = (double)e->blend, metres = blob->lattice->voxel_metres;
    double rb[4], r0[4], r1[4], root[4], axes[4], d[3], d0[3], skin[3], side = 0.0;
    deviation(fixture, 0, w, lane, d0);
    deviation(fixture, 1, w, lane, d);
    for (int i = 0; i < 4; ++i) {
        rb[i] = (double)fixture->pose[w].rb[i][lane];
        r0[i] = (double)fixture->states[0][w].rotation[i][lane];
        r1[i] = (double)fixture->states[1][w].rotation[i][lane];
        root[i] = (double)e->root_rotation[i];
        side += r0[i] * r1[i];
    }
    conjugate(root, root);
    for (int i = 0; i < 3; ++i) {
        skin[i] = (double)fixture->pose[w].skin[i][lane];
    }
    for (int i = 0; i < 3; ++i) {
        d[i] = d0[i] * (1.0 - a) + d[i] * a;
    }
    for (int i = 0; i < 4; ++i) {
        r1[i] = r0[i] * (1.0 - a) + (side < 0.0 ? -r1[i] : r1[i]) * a;
    }
    normalise(r1, 4);
    rotate(rb, d, d);
    for (int i = 0; i < 3; ++i) {
        d[i] *= metres;
        skin[i] *= metres;
    }
    rotate(root, d, out->delta);
    rotate(root, skin, skin);
    for (int i = 0; i < 3; ++i) {
        out->p[i] = skin[i] + out->delta[i];
    }
    // Rotations of the asset's rest frame in model space: the permutation of axes undone.
    permutation_of_axes(blob, axes);
    conjugate(axes, axes);
    multiply(root, rb, rb);
    multiply(rb, r1, r1);
    multiply(r1, axes, r1);
    multiply(rb, axes, rb);
    to_matrix(rb, out->rb);
    to_matrix(r1, out->r);
}

// For each cell of the grid 0, or the number of its voxel plus 1.
static uint32_t* map_cells(const tlw_blob_arrays* blob) {
    const uint32_t* n = blob->lattice->size;
    uint32_t* map = calloc((size_t)n[0] * n[1] * n[2], sizeof *map);
    CHECK(map != NULL);
    for (uint32_t v = 0; v < blob->lattice->voxel_count; ++v) {
        const tlw_blob_cell* c = &blob->voxel_cell[v];
        map[((size_t)c->z * n[1] + (size_t)c->y) * n[0] + (size_t)c->x] = v + 1;
    }
    return map;
}

// A voxel and those linked to it, with offsets in the asset's axes; returns their number.
static int region_of(const tlw_blob_arrays* blob, const uint32_t* map, uint32_t v,
                     uint32_t members[TLW_CELLS_AROUND], double offsets[TLW_CELLS_AROUND][3]) {
    const uint32_t* n = blob->lattice->size;
    const tlw_blob_cell* cell = &blob->voxel_cell[v];
    const uint32_t slot = blob->voxel_slot[v], axis = blob->lattice->lane_axis;
    const tlw_blob_window* window = &blob->windows[slot / 8];
    int count = 0, step = 0;
    for (int plane = -1; plane <= 1; ++plane) {
        for (int row = -1; row <= 1; ++row) {
            for (int along = -1; along <= 1; ++along) {
                const bool is_self = along == 0 && row == 0 && plane == 0;
                const bool is_linked = is_self || (window->links[step] >> slot % 8 & 1);
                step += !is_self;
                if (!is_linked) {
                    continue;
                }
                int offset[3];
                offset[axis] = along;
                offset[(axis + 1) % 3] = row;
                offset[(axis + 2) % 3] = plane;
                const size_t at =
                    ((size_t)(cell->z + offset[2]) * n[1] + (size_t)(cell->y + offset[1])) * n[0] +
                    (size_t)(cell->x + offset[0]);
                CHECK(map[at] != 0);
                members[count] = map[at] - 1;
                for (int i = 0; i < 3; ++i) {
                    offsets[count][i] = offset[i];
                }
                count += 1;
            }
        }
    }
    return count;
}

static void set_gradients(const tlw_blob_arrays* blob, const uint32_t* map, const uint8_t* layer,
                          voxel* voxels, uint32_t v) {
    uint32_t members[TLW_CELLS_AROUND];
    double offsets[TLW_CELLS_AROUND][3], mass[TLW_CELLS_AROUND], sum = 0.0, c0[3] = {0.0},
                                                                 c[3] = {0.0}, e[3] = {0.0};
    const int count = region_of(blob, map, v, members, offsets);
    const double metres = blob->lattice->voxel_metres;
    for (int k = 0; k < count; ++k) {
        mass[k] = layer[blob->voxel_slot[members[k]]] == 0 ? (double)TLW_BONE_MASS : 1.0;
        sum += mass[k];
        for (int i = 0; i < 3; ++i) {
            c0[i] += mass[k] * offsets[k][i];
            c[i] += mass[k] * voxels[members[k]].p[i] / metres;
            e[i] += mass[k] * voxels[members[k]].delta[i] / metres;
        }
    }
    double a0[3][3] = {{0.0}}, a[3][3] = {{0.0}}, d[3][3] = {{0.0}}, inverse[3][3];
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const double off = (offsets[k][j] - c0[j] / sum) * mass[k] / sum;
                a0[i][j] += (offsets[k][i] - c0[i] / sum) * off;
                a[i][j] += (voxels[members[k]].p[i] / metres - c[i] / sum) * off;
                d[i][j] += (voxels[members[k]].delta[i] / metres - e[i] / sum) * off;
            }
        }
    }
    voxel* out = &voxels[v];
    const double volume = determinant(a0), third = (a0[0][0] + a0[1][1] + a0[2][2]) / 3.0;
    const double least = 1e-3 * third * third * third;
    CHECK(fabs(volume - least) > 1e-3 * least ||
          volume == 0.0);  // nearer, floats could decide otherwise
    cofactor(a0, inverse); // which is the adjugate, because a0 is symmetric
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out->f[i][j] = out->r[i][j];
            out->slope[i][j] = out->r[i][j] - out->rb[i][j];
            for (int k = 0; volume > least && k < 3; ++k) {
                out->f[i][j] = (k ? out->f[i][j] : 0.0) + a[i][k] * inverse[k][j] / volume;
                out->slope[i][j] = (k ? out->slope[i][j] : 0.0) + d[i][k] * inverse[k][j] / volume;
            }
        }
    }
}

static void set_vertex(const embed_fixture* fixture, bool is_delta, const voxel* voxels, uint32_t v,
                       embed_expected* out) {
    const tlw_blob_arrays* blob = &fixture->blob;
    const tlw_blob_lattice* lattice = blob->lattice;
    const tlw_vertex* vertex = &fixture->vertices[v];
    double skinned[3] = {0.0}, l[3][3] = {{0.0}}, gradient[3][3] = {{0.0}}, riding[3] = {0.0};
    double slope[3][3] = {{0.0}}, weights = 0.0;
    for (int k = 0; k < 8; ++k) {
        const double w = (double)fixture->skinning[v].weights[k];
        const tlw_affine* m = &fixture->joints[fixture->skinning[v].joints[k]];
        weights += w;
        for (int i = 0; w > 0.0 && i < 3; ++i) {
            skinned[i] += w * (double)m->row[i][3];
            for (int j = 0; j < 3; ++j) {
                skinned[i] += w * (double)m->row[i][j] * (double)vertex->position[j];
                l[i][j] += w * (double)m->row[i][j];
            }
        }
    }
    double* delta = out->deltas[v];
    memset(delta, 0, sizeof out->deltas[v]);
    for (int k = 0; k < 8; ++k) {
        const double w = (double)fixture->bindings[v].weights[k];
        const uint32_t which = fixture->bindings[v].voxels[k];
        const voxel* from = &voxels[which];
        const tlw_blob_cell* cell = &blob->voxel_cell[which];
        const double cells[3] = {cell->x, cell->y, cell->z};
        for (int i = 0; w > 0.0 && i < 3; ++i) {
            delta[i] += w * from->delta[i];
            riding[i] += w * from->p[i];
            for (int j = 0; j < 3; ++j) {
                const double p0 = lattice->origin[j] + lattice->voxel_metres * (cells[j] + 0.5);
                riding[i] += w * from->r[i][j] * ((double)vertex->position[j] - p0);
                gradient[i][j] += w * from->f[i][j];
                slope[i][j] += w * from->slope[i][j];
            }
        }
    }
    const bool adds = is_delta && weights > 0.0;
    double cofactors[3][3];
    for (int i = 0; i < 3; ++i) {
        out->positions[v][i] = adds ? skinned[i] + delta[i] : riding[i];
        for (int j = 0; adds && j < 3; ++j) {
            gradient[i][j] = l[i][j] + slope[i][j];
        }
    }
    cofactor(gradient, cofactors);
    for (int i = 0; i < 3; ++i) {
        out->normals[v][i] = out->tangents[v][i] = 0.0;
        for (int j = 0; j < 3; ++j) {
            out->normals[v][i] += cofactors[i][j] * (double)vertex->normal[j];
            out->tangents[v][i] += gradient[i][j] * (double)vertex->tangent[j];
        }
    }
    normalise(out->normals[v], 3);
    normalise(out->tangents[v], 3);
}

embed_expected* embed_fixture_expect(const embed_fixture* fixture, tlw_embedding embedding) {
    const tlw_blob_arrays* blob = &fixture->blob;
    const tlw_blob_lattice* lattice = blob->lattice;
    const uint32_t count = lattice->voxel_count, vertices = lattice->vertex_count;
    uint64_t slots;
    const uint8_t* layer = tlw_blob_find(blob->bytes, TLW_SECTION_SLOT_LAYER, &slots);
    embed_expected* out = calloc(1, sizeof *out);
    voxel* voxels = sample_allocate(count * sizeof *voxels);
    uint32_t* map = map_cells(blob);
    CHECK(out != NULL);
    out->positions = sample_allocate(vertices * sizeof *out->positions);
    out->normals = sample_allocate(vertices * sizeof *out->normals);
    out->tangents = sample_allocate(vertices * sizeof *out->tangents);
    out->deltas = sample_allocate(vertices * sizeof *out->deltas);
    out->lattice = sample_allocate(count * sizeof *out->lattice);
    for (uint32_t v = 0; v < count; ++v) {
        set_voxel(fixture, v, &voxels[v]);
        const tlw_blob_cell* cell = &blob->voxel_cell[v];
        const double cells[3] = {cell->x, cell->y, cell->z};
        for (int i = 0; i < 3; ++i) {
            double* row = out->lattice[v] + 4 * i;
            row[3] = voxels[v].p[i];
            for (int j = 0; j < 3; ++j) {
                row[j] = voxels[v].r[i][j];
                row[3] -= row[j] * (lattice->origin[j] + lattice->voxel_metres * (cells[j] + 0.5));
            }
            out->low[i] = v && out->low[i] < voxels[v].p[i] ? out->low[i] : voxels[v].p[i];
            out->high[i] = v && out->high[i] > voxels[v].p[i] ? out->high[i] : voxels[v].p[i];
        }
    }
    for (uint32_t v = 0; v < count; ++v) {
        set_gradients(blob, map, layer, voxels, v);
    }
    const bool is_delta = embedding == TLW_EMBED_AUTO ? lattice->has_artist_weights != 0
                                                      : embedding == TLW_EMBED_DELTA;
    for (uint32_t v = 0; v < vertices; ++v) {
        set_vertex(fixture, is_delta, voxels, v, out);
    }
    sample_free(voxels);
    free(map);
    return out;
}

void embed_expected_free(embed_expected* expected) {
    sample_free(expected->positions);
    sample_free(expected->normals);
    sample_free(expected->tangents);
    sample_free(expected->deltas);
    sample_free(expected->lattice);
    free(expected);
}
