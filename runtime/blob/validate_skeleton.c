// SPDX-License-Identifier: MIT
// The blob's validator: strings, joints and their binds, layers, parts, materials, profiles (MODEL
// 9.3). Freestanding; reads the blob, writes only the report.
#include "runtime/blob/text.h"
#include "runtime/blob/validator.h"

#include <float.h>

// A name is an offset into the strings. With a 0 at the very end, every name ends.
tlw_result tlw_blob_check_strings(const blob_view* view) {
    const char* strings = first_of(view, TLW_SECTION_STRINGS);
    const uint64_t count = count_of(view, TLW_SECTION_STRINGS);
    if (count == 0) {
        return fail_at(view, TLW_SECTION_STRINGS, 0, "a string or more", 1, 0);
    }
    if (strings[count - 1] != 0) {
        return fail_at(view, TLW_SECTION_STRINGS, count - 1, "a 0 at the end", 0,
                       (uint8_t)strings[count - 1]);
    }
    return TLW_OK;
}

typedef struct bind_fault {
    uint32_t component; // of the matrix; for a rule about a column, its first number
    uint64_t expected, found;
} bind_fault;

// The first rule of tlw_blob_is_bind that a matrix breaks; false if it breaks none. A length is
// bounded by its square. Ranges are open: the nearest allowed double is one bit inside.
static bool find_bind_fault(const double m[16], bind_fault* out) {
    static const struct {
        uint32_t component;
        double value;
    } affine[] = {{3, 0.0}, {7, 0.0}, {11, 0.0}, {15, 1.0}};
    for (size_t i = 0; i < TLW_COUNT_OF(affine); ++i) {
        const double found = m[affine[i].component];
        if (!(found == affine[i].value)) {
            *out = (bind_fault){affine[i].component, bits_of_double(affine[i].value),
                                bits_of_double(found)};
            return true;
        }
    }
    const double *x = m, *y = m + 4, *z = m + 8;
    const double n[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
                         x[0] * y[1] - x[1] * y[0]};
    const double x2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    const double y2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    const double z2 = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
    const double n2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    const double volume = n[0] * z[0] + n[1] * z[1] + n[2] * z[2];
    const struct {
        uint32_t component;
        double low, high, found;
    } ranges[] = {
        {0, 1e-24, 1e36, x2},
        {4, 1e-24, 1e36, y2},
        {8, 1e-24, 1e36, z2},
        // The second column against the first, the third against their plane: squared sines.
        {4, 1.01e-8 * (x2 * y2), DBL_MAX, n2},
        {8, 1.01e-8 * (n2 * z2), DBL_MAX, volume * volume},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(ranges); ++i) {
        const double found = ranges[i].found;
        if (!(found > ranges[i].low && found < ranges[i].high)) {
            *out = (bind_fault){ranges[i].component,
                                found > ranges[i].low ? bits_of_double(ranges[i].high) - 1
                                                      : bits_of_double(ranges[i].low) + 1,
                                bits_of_double(found)};
            return true;
        }
    }
    for (uint32_t i = 12; i < 15; ++i) {
        if (!(m[i] >= -1e18 && m[i] <= 1e18)) {
            *out = (bind_fault){i, double_bound(m[i], -1e18, 1e18), bits_of_double(m[i])};
            return true;
        }
    }
    return false;
}

bool tlw_blob_is_bind(const double m[16]) {
    bind_fault fault;
    return !find_bind_fault(m, &fault);
}

tlw_result tlw_blob_check_joints(const blob_view* view) {
    const tlw_blob_joint* joints = first_of(view, TLW_SECTION_JOINTS);
    const tlw_blob_lattice* l = view->lattice;
    for (uint32_t j = 0; j < l->joint_count; ++j) {
        for (uint32_t i = 0; i < 16; ++i) {
            if (!is_finite_double(joints[j].bind[i])) {
                return fail_component(view, TLW_SECTION_JOINTS, j, i, "finite bind matrix",
                                      double_bound(joints[j].bind[i], -DOUBLE_MAX, DOUBLE_MAX),
                                      bits_of_double(joints[j].bind[i]));
            }
        }
        bind_fault fault;
        if (find_bind_fault(joints[j].bind, &fault)) {
            return fail_component(view, TLW_SECTION_JOINTS, j, fault.component,
                                  "bind matrix with an inverse", fault.expected, fault.found);
        }
        const tlw_result result = check_name(view, TLW_SECTION_JOINTS, j, joints[j].name);
        if (result != TLW_OK) {
            return result;
        }
        if (joints[j].part >= l->part_count) {
            return fail_at(view, TLW_SECTION_JOINTS, j, "part", last_index(l->part_count),
                           joints[j].part);
        }
        if (joints[j].is_kept > 1) {
            return fail_at(view, TLW_SECTION_JOINTS, j, "kept flag", 1, joints[j].is_kept);
        }
    }
    return TLW_OK;
}

// Every joint leads up to a root. Joints of a path that was climbed before are marked, so that a
// joint is visited twice at most, and not once per joint below it.
tlw_result tlw_blob_check_parents(const blob_view* view) {
    const tlw_blob_joint* joints = first_of(view, TLW_SECTION_JOINTS);
    const uint32_t count = view->lattice->joint_count;
    uint8_t has_root[UINT16_MAX / 8 + 1];
    memset(has_root, 0, sizeof has_root);
    for (uint32_t j = 0; j < count; ++j) {
        if (joints[j].parent != TLW_BLOB_NO_INDEX && joints[j].parent >= count) {
            return fail_at(view, TLW_SECTION_JOINTS, j, "parent", last_index(count),
                           joints[j].parent);
        }
    }
    for (uint32_t j = 0; j < count; ++j) {
        uint32_t climbed = 0, up = j;
        while (up != TLW_BLOB_NO_INDEX && !(has_root[up / 8] >> up % 8 & 1)) {
            if (++climbed > count) { // a loop: climbing ends at a joint, not above a root
                return fail_at(view, TLW_SECTION_JOINTS, j, "a root above it", TLW_BLOB_NO_INDEX,
                               up);
            }
            up = joints[up].parent;
        }
        for (up = j; climbed > 0; --climbed) {
            has_root[up / 8] = (uint8_t)(has_root[up / 8] | 1u << up % 8);
            up = joints[up].parent;
        }
    }
    return TLW_OK;
}

static tlw_result check_material(const blob_view* view, tlw_blob_section_kind kind, uint64_t i,
                                 float stiffness, float damping, float anchor_hz) {
    if (!is_finite(stiffness) || stiffness < 0.0f) {
        return fail_at(view, kind, i, "stiffness, 0 or more", float_bound(stiffness, 0.0f, FLT_MAX),
                       bits_of(stiffness));
    }
    if (!(damping >= 0.0f && damping <= 1.0f)) {
        return fail_at(view, kind, i, "damping, 0 to 1", float_bound(damping, 0.0f, 1.0f),
                       bits_of(damping));
    }
    if (!is_finite(anchor_hz) || anchor_hz < 0.0f) {
        return fail_at(view, kind, i, "anchor, 0 or more", float_bound(anchor_hz, 0.0f, FLT_MAX),
                       bits_of(anchor_hz));
    }
    return TLW_OK;
}

tlw_result tlw_blob_check_materials(const blob_view* view) {
    const tlw_blob_layer* layers = first_of(view, TLW_SECTION_LAYERS);
    const tlw_blob_part* parts = first_of(view, TLW_SECTION_PARTS);
    const tlw_blob_material* materials = first_of(view, TLW_SECTION_MATERIALS);
    const tlw_blob_lattice* l = view->lattice;
    for (uint32_t i = 0; i < l->layer_count; ++i) {
        const tlw_result result = check_name(view, TLW_SECTION_LAYERS, i, layers[i].name);
        if (result != TLW_OK) {
            return result;
        }
    }
    uint64_t voxels = 0;
    for (uint32_t i = 0; i < l->part_count; ++i) {
        const bool is_right =
            i == 0 ? parts[i].joint == TLW_BLOB_NO_INDEX : parts[i].joint < l->joint_count;
        if (!is_right) {
            return fail_at(view, TLW_SECTION_PARTS, i, "joint",
                           i == 0 ? TLW_BLOB_NO_INDEX : last_index(l->joint_count), parts[i].joint);
        }
        const uint32_t kind = parts[i].kind;
        if (kind >= TLW_PART_KIND_COUNT || (kind == TLW_PART_WHOLE) != (i == 0)) {
            return fail_at(view, TLW_SECTION_PARTS, i, "kind",
                           i == 0                        ? TLW_PART_WHOLE
                           : kind >= TLW_PART_KIND_COUNT ? last_index(TLW_PART_KIND_COUNT)
                                                         : TLW_PART_RECIPE,
                           kind);
        }
        voxels += parts[i].voxel_count;
    }
    if (voxels != l->voxel_count) {
        return fail_at(view, TLW_SECTION_PARTS, 0, "voxels of all parts", l->voxel_count, voxels);
    }
    for (uint32_t i = 0; i < l->part_count * l->layer_count; ++i) {
        const tlw_blob_material* m = &materials[i];
        const tlw_result result =
            check_material(view, TLW_SECTION_MATERIALS, i, m->stiffness, m->damping, m->anchor_hz);
        if (result != TLW_OK) {
            return result;
        }
    }
    return TLW_OK;
}

// Every profile after the first has a name of its own. "cooked" is that of the first, which is the
// MATERIALS and not in the list.
static tlw_result check_profile_names(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_PROFILES;
    const tlw_blob_profile* profiles = first_of(view, kind);
    const char* strings = first_of(view, TLW_SECTION_STRINGS);
    for (uint64_t i = 0; i < count_of(view, kind); ++i) {
        const tlw_result result = check_name(view, kind, i, profiles[i].name);
        if (result != TLW_OK) {
            return result;
        }
        const char* name = strings + profiles[i].name;
        bool is_taken = tlw_is_same_text(name, "cooked");
        for (uint64_t k = 0; k < i && !is_taken; ++k) {
            is_taken = tlw_is_same_text(name, strings + profiles[k].name);
        }
        if (is_taken) {
            return fail_at(view, kind, i, "a name that no profile before it has", 0, 1);
        }
    }
    return TLW_OK;
}

// Ranges are those of tlw_character_set_material.
tlw_result tlw_blob_check_profiles(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_PROFILE_MATERIALS;
    const tlw_blob_lattice* l = view->lattice;
    const uint64_t profiles = l->profile_count - 1u;
    tlw_result result = check_count(view, TLW_SECTION_PROFILES, profiles);
    if (result == TLW_OK) {
        result = check_count(view, kind, profiles * l->part_count * l->layer_count);
    }
    if (result == TLW_OK) {
        result = check_profile_names(view);
    }
    const tlw_blob_profile_material* materials = first_of(view, kind);
    for (uint64_t i = 0; result == TLW_OK && i < count_of(view, kind); ++i) {
        const tlw_blob_profile_material* m = &materials[i];
        result = check_material(view, kind, i, m->stiffness, m->damping, m->anchor_hz);
        if (result == TLW_OK && !(m->limit_scale >= 0.0f && m->limit_scale <= FLT_MAX)) {
            return fail_at(view, kind, i, "limit scale, 0 or more",
                           float_bound(m->limit_scale, 0.0f, FLT_MAX), bits_of(m->limit_scale));
        }
    }
    return result;
}
