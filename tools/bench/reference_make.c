// SPDX-License-Identifier: MIT
// Makes the scalar reference from a blob: voxels, gains, links, rest shapes. Also poses.
#include "tools/bench/reference_links.h"
#include "tools/bench/reference_voxel.h"

#include "runtime/blob.h"
#include "runtime/lattice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- From the blob

static const void* find(const void* blob, tlw_blob_section_kind kind) {
    uint64_t count;
    return tlw_blob_find(blob, kind, &count);
}

static void take_links(voxel* v, const tlw_reference_links* links) {
    // x-, x+, y-, y+, z-, z+
    static const uint8_t face_steps[6] = {TLW_STEP_LANE_MINUS,  TLW_STEP_LANE_PLUS,
                                          TLW_STEP_ROW_MINUS,   TLW_STEP_ROW_PLUS,
                                          TLW_STEP_PLANE_MINUS, TLW_STEP_PLANE_PLUS};
    memset(v->faces, 0xff, sizeof v->faces);
    v->neighbour_count = links->count;
    for (uint32_t k = 0; k < links->count; ++k) {
        v->neighbours[k] = links->neighbours[k];
        v->steps[k] = links->steps[k];
        for (int f = 0; f < 6; ++f) {
            v->faces[f] = face_steps[f] == links->steps[k] ? links->neighbours[k] : v->faces[f];
        }
    }
}

// ks, kd and f_a of a slot: of one material or of two, ks times what was painted (MODEL 3.10).
typedef struct mixed_material {
    double ks, kd, hz;
} mixed_material;

static mixed_material mix_materials(const void* blob, uint32_t slot) {
    const tlw_blob_material* materials = find(blob, TLW_SECTION_MATERIALS);
    const uint16_t* slot_material = find(blob, TLW_SECTION_SLOT_MATERIAL);
    const tlw_blob_blend* blends = find(blob, TLW_SECTION_SLOT_BLEND); // or null
    const float* painted = find(blob, TLW_SECTION_SLOT_STIFFNESS);     // or null
    const tlw_blob_material own = materials[slot_material[slot]];
    mixed_material m = {(double)own.stiffness, (double)own.damping, (double)own.anchor_hz};
    if (blends != NULL && blends[slot].share > 0) {
        const tlw_blob_material second = materials[blends[slot].material];
        const double b = blends[slot].share / (double)TLW_BLOB_SHARE_ONE;
        m.ks += b * ((double)second.stiffness - m.ks);
        m.kd += b * ((double)second.damping - m.kd);
        m.hz += b * ((double)second.anchor_hz - m.hz);
    }
    m.ks *= painted != NULL ? (double)painted[slot] : 1.0;
    return m;
}

static void set_material(voxel* v, const tlw_blob_lattice* lattice, mixed_material material,
                         double h) {
    const double relative = h * 60.0, angle = 2.0 * 3.14159265358979323846 * material.hz * h;
    const double ks = material.ks * (double)lattice->stiffness_scale;
    v->goal = (float)(1.0 - exp(-ks * relative * relative));
    const double kept = exp(-angle * angle); // by the anchor
    v->anchor = (float)(1.0 - kept);
    v->damping = (float)(pow(material.kd, h / 0.1) / (kept > 0.5 ? kept : 0.5));
    if (v->is_bone) {
        v->goal = v->damping = v->anchor = 0.0f;
    }
}

// The region's mass and rest centre; the masses of all voxels must be set.
static void set_moments(const voxel* all, voxel* v) {
    float mass = v->mass;
    vec3 sum = {0, 0, 0};
    for (uint32_t k = 0; k < v->neighbour_count; ++k) {
        const float m = all[v->neighbours[k]].mass;
        mass += m;
        sum = add_scaled(sum, offsets[v->steps[k]], m);
    }
    v->inverse_mass = 1.0f / mass;
    v->c0 = scale(sum, v->inverse_mass);
}

// MODEL 3.5: at rest the gradient of an axis has length 1/2, 1 where the voxel itself is one end,
// and 0 where it has neither.
static void set_volume_floor(const voxel* all, voxel* v) {
    float sum = 0.0f;
    for (int a = 0; a < 3; ++a) {
        const uint32_t low = v->faces[2 * a], high = v->faces[2 * a + 1];
        if (low != NONE && high != NONE) {
            sum += 0.25f * (all[low].volume_weight + all[high].volume_weight);
        } else if (low != NONE || high != NONE) {
            sum += all[low != NONE ? low : high].volume_weight + v->volume_weight;
        }
    }
    v->volume_floor = 2.0f / 3.0f * sum;
}

static bool fill(tlw_reference* reference, const void* blob, double h) {
    const tlw_blob_lattice* lattice = find(blob, TLW_SECTION_LATTICE);
    const tlw_blob_cell* cells = find(blob, TLW_SECTION_VOXEL_CELL);
    const tlw_blob_window* windows = find(blob, TLW_SECTION_WINDOWS);
    const uint32_t* slots = find(blob, TLW_SECTION_VOXEL_SLOT);
    const uint16_t* slot_material = find(blob, TLW_SECTION_SLOT_MATERIAL);
    const uint16_t* influence_joint = find(blob, TLW_SECTION_INFLUENCE_JOINT);
    const float* influence_weight = find(blob, TLW_SECTION_INFLUENCE_WEIGHT);
    const float* slot_limit = find(blob, TLW_SECTION_SLOT_LIMIT);
    const float* slot_volume = find(blob, TLW_SECTION_SLOT_VOLUME_WEIGHT);
    tlw_reference_links* links = tlw_reference_find_links(blob);
    if (links == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < reference->count; ++i) {
        voxel* v = &reference->voxels[i];
        const uint32_t slot = slots[i];
        v->is_bone = slot_material[slot] % lattice->layer_count == 0;
        v->mass = v->is_bone ? (float)TLW_BONE_MASS : 1.0f;
        v->pull = v->is_bone ? 1.0f : 0.5f;
        v->rest =
            (vec3){(float)cells[i].x + 0.5f, (float)cells[i].y + 0.5f, (float)cells[i].z + 0.5f};
        v->limit = slot_limit[slot];
        v->volume_weight = slot_volume[slot];
        set_material(v, lattice, mix_materials(blob, slot), h);
        const tlw_blob_window* window = &windows[slot / TLW_BLOB_LANES];
        for (uint32_t k = 0; k < window->influences; ++k) {
            const size_t at = (size_t)window->first_influence + k;
            const float weight = influence_weight[at * TLW_BLOB_LANES + slot % TLW_BLOB_LANES];
            if (weight > 0.0f) {
                // The largest first, because rotations are blended on the side of its rotation.
                const uint32_t here = weight > v->weights[0] ? 0 : v->joint_count;
                v->joints[v->joint_count] = v->joints[0];
                v->weights[v->joint_count++] = v->weights[0];
                v->joints[here] = influence_joint[at];
                v->weights[here] = weight;
            }
        }
        take_links(v, &links[i]);
    }
    for (uint32_t i = 0; i < reference->count; ++i) {
        set_moments(reference->voxels, &reference->voxels[i]);
        set_volume_floor(reference->voxels, &reference->voxels[i]);
    }
    free(links);
    return true;
}

const char* tlw_reference_unknown(const void* blob) {
    const tlw_blob_lattice* l = find(blob, TLW_SECTION_LATTICE);
    const float* g0 = l->rest_gravity;
    return l->region_width != 3                              ? "regions of another width than 3"
           : l->neighbours != TLW_STEPS                      ? "stretch of fewer than 26 neighbours"
           : l->limb_count > 0                               ? "own limbs"
           : g0[0] != 0.0f || g0[1] != 0.0f || g0[2] != 0.0f ? "rest gravity"
           : l->muscle_count > 0                             ? "muscles"
           : l->lame_windows > 0                             ? "Lame layers"
                                                             : NULL;
}

tlw_reference* tlw_reference_create(const void* blob, double step_seconds, uint32_t iterations) {
    const tlw_blob_lattice* lattice = find(blob, TLW_SECTION_LATTICE);
    tlw_reference* reference = calloc(1, sizeof *reference);
    if (reference == NULL || tlw_reference_unknown(blob) != NULL) {
        free(reference);
        return NULL;
    }
    const double relative = step_seconds * 60.0, gain = 1.0 - exp(-2.0 * relative * relative);
    reference->count = lattice->voxel_count;
    reference->iterations = iterations;
    reference->h = (float)step_seconds;
    reference->stretch_gain = (float)gain;
    reference->volume_gain = (float)(0.5 * gain);
    reference->voxels = calloc(lattice->voxel_count, sizeof *reference->voxels);
    if (reference->voxels == NULL || !fill(reference, blob, step_seconds) ||
        !tlw_reference_make_bends(reference, blob)) {
        tlw_reference_free(reference);
        return NULL;
    }
    return reference;
}

void tlw_reference_free(tlw_reference* reference) {
    if (reference) {
        tlw_reference_free_bends(reference);
        free(reference->voxels);
        free(reference);
    }
}

// ---- Poses

// The rotation of a 3x3 matrix whose columns are at right angles, of any length.
static void rotation_of(const double m[3][4], double out[4]) {
    double r[3][3];
    for (int j = 0; j < 3; ++j) {
        const double by = 1.0 / sqrt(m[0][j] * m[0][j] + m[1][j] * m[1][j] + m[2][j] * m[2][j]);
        for (int i = 0; i < 3; ++i) {
            r[i][j] = m[i][j] * by;
        }
    }
    const double trace = r[0][0] + r[1][1] + r[2][2];
    if (trace > 0.0) {
        out[0] = r[2][1] - r[1][2];
        out[1] = r[0][2] - r[2][0];
        out[2] = r[1][0] - r[0][1];
        out[3] = 1.0 + trace;
    } else {
        const int a = r[0][0] > r[1][1] ? (r[0][0] > r[2][2] ? 0 : 2) : r[1][1] > r[2][2] ? 1 : 2;
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        out[a] = 1.0 + r[a][a] - r[b][b] - r[c][c];
        out[b] = r[a][b] + r[b][a];
        out[c] = r[a][c] + r[c][a];
        out[3] = r[c][b] - r[b][c];
    }
    const double by =
        1.0 / sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    for (int i = 0; i < 4; ++i) {
        out[i] *= by;
    }
}

static void invert(const double m[3][4], double out[3][4]) {
    double determinant = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            out[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
        determinant += m[0][i] * out[i][0];
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[i][j] /= determinant;
        }
        out[i][3] = -(out[i][0] * m[0][3] + out[i][1] * m[1][3] + out[i][2] * m[2][3]);
    }
}

void tlw_reference_pose(const void* blob, const float* joints, tlw_reference_joint* out) {
    const tlw_blob_lattice* l = find(blob, TLW_SECTION_LATTICE);
    const tlw_blob_joint* binds = find(blob, TLW_SECTION_JOINTS);
    for (uint32_t j = 0; j < l->joint_count; ++j) {
        double bind[3][4], posed[3][4], back[3][4], skinned[3][4], rotation[4];
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 4; ++k) {
                bind[i][k] = binds[j].bind[k * 4 + i];
                posed[i][k] = (double)joints[(size_t)j * 16 + (size_t)(k * 4 + i)];
            }
        }
        invert((const double(*)[4])bind, back);
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 4; ++k) {
                skinned[i][k] = posed[i][0] * back[0][k] + posed[i][1] * back[1][k] +
                                posed[i][2] * back[2][k] + (k == 3 ? posed[i][3] : 0.0);
            }
        }
        rotation_of((const double(*)[4])skinned, rotation);
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                out[j].row[i][k] = (float)skinned[i][k];
            }
            out[j].row[i][3] =
                (float)((skinned[i][0] * l->origin[0] + skinned[i][1] * l->origin[1] +
                         skinned[i][2] * l->origin[2] + skinned[i][3]) /
                        l->voxel_metres);
        }
        for (int i = 0; i < 4; ++i) {
            out[j].rotation[i] = (float)rotation[i];
        }
    }
}
