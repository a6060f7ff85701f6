// SPDX-License-Identifier: MIT
// The blob's validator: the character's own limbs, and which of them may touch each voxel (MODEL
// 3.16, 9.3, RULES 9.11). Freestanding; reads the blob, writes only the report.
#include "runtime/blob/validator.h"

// An end may lie outside of the grid, because joints may; further out floats would no longer tell
// a tenth of a voxel apart.
#define END_MAX    1048576.0f // 2^20 voxels
#define RADIUS_MAX 32768.0f   // 2^15 voxels, as many as the grid may have cells along an axis

// Both sections are there if the lattice has limbs, and neither if it has none.
static tlw_result check_presence(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    if (l->limb_count == 0) {
        for (uint32_t kind = TLW_SECTION_LIMBS; kind <= TLW_SECTION_SLOT_LIMBS; ++kind) {
            if (view->sections[kind] != NULL) {
                return fail(view, kind, 0, view->sections[kind]->offset, "absent without limbs", 0,
                            1);
            }
        }
        return TLW_OK;
    }
    const tlw_result result = check_count(view, TLW_SECTION_LIMBS, l->limb_count);
    return result == TLW_OK ? check_count(view, TLW_SECTION_SLOT_LIMBS, l->slot_count) : result;
}

static tlw_result check_joint(const blob_view* view, uint32_t i) {
    const tlw_blob_section_kind kind = TLW_SECTION_LIMBS;
    const tlw_blob_limb* limb = (const tlw_blob_limb*)first_of(view, kind) + i;
    if (limb->joint >= view->lattice->joint_count) {
        return fail_at(view, kind, i, "joint", last_index(view->lattice->joint_count), limb->joint);
    }
    if (i > 0 && limb->joint <= limb[-1].joint) {
        return fail_at(view, kind, i, "ascending joints", (uint64_t)limb[-1].joint + 1,
                       limb->joint);
    }
    return TLW_OK;
}

static tlw_result check_capsule(const blob_view* view, uint32_t i) {
    const tlw_blob_section_kind kind = TLW_SECTION_LIMBS;
    const tlw_blob_limb* limb = (const tlw_blob_limb*)first_of(view, kind) + i;
    for (uint32_t k = 0; k < 6; ++k) {
        const float end = limb->ends[k / 3][k % 3];
        if (!(end >= -END_MAX && end <= END_MAX)) {
            return fail_component(view, kind, i, k, "end, within 2^20 voxels",
                                  float_bound(end, -END_MAX, END_MAX), bits_of(end));
        }
    }
    for (uint32_t k = 0; k < 2; ++k) {
        const float radius = limb->radius[k];
        if (!(radius >= TLW_BLOB_LIMB_UNIT && radius <= RADIUS_MAX)) {
            return fail_component(view, kind, i, k, "radius, 1/1024 to 2^15 voxels",
                                  float_bound(radius, TLW_BLOB_LIMB_UNIT, RADIUS_MAX),
                                  bits_of(radius));
        }
        // The quotient is exact and at most 2^25, so the conversion is too.
        const float whole = (float)(uint32_t)(radius / TLW_BLOB_LIMB_UNIT) * TLW_BLOB_LIMB_UNIT;
        if (whole != radius) {
            return fail_component(view, kind, i, k, "radius, a multiple of 1/1024", bits_of(whole),
                                  bits_of(radius));
        }
    }
    return TLW_OK;
}

// Bits of limbs that exist; those that push by half are among those that touch; none for a slot
// that does not move.
static tlw_result check_slot(const blob_view* view, uint32_t slot, uint32_t* touching) {
    const tlw_blob_section_kind kind = TLW_SECTION_SLOT_LIMBS;
    const tlw_blob_slot_limbs* limbs = (const tlw_blob_slot_limbs*)first_of(view, kind) + slot;
    const uint8_t layer = ((const uint8_t*)first_of(view, TLW_SECTION_SLOT_LAYER))[slot];
    const uint32_t all = UINT32_MAX >> (TLW_BLOB_LIMBS_MAX - view->lattice->limb_count);
    if (layer == 0 || layer == TLW_BLOB_EMPTY_LAYER) {
        const uint32_t masks[2] = {limbs->touches, limbs->halves};
        for (uint32_t k = 0; k < 2; ++k) {
            if (masks[k] != 0) {
                return fail_component(view, kind, slot, k, "no limb for bone and where empty", 0,
                                      masks[k]);
            }
        }
        return TLW_OK;
    }
    if ((limbs->touches & ~all) != 0) {
        return fail_at(view, kind, slot, "limbs that exist", limbs->touches & all, limbs->touches);
    }
    if ((limbs->halves & ~limbs->touches) != 0) {
        return fail_component(view, kind, slot, 1, "halves among the limbs that touch",
                              limbs->halves & limbs->touches, limbs->halves);
    }
    *touching |= limbs->touches;
    return TLW_OK;
}

tlw_result tlw_blob_check_limbs(const blob_view* view) {
    const uint32_t count = view->lattice->limb_count;
    tlw_result result = check_presence(view);
    if (result != TLW_OK || count == 0) {
        return result;
    }
    for (uint32_t i = 0; i < count && result == TLW_OK; ++i) {
        result = check_joint(view, i);
        if (result == TLW_OK) {
            result = check_capsule(view, i);
        }
    }
    uint32_t touching = 0;
    for (uint32_t slot = 0; slot < view->lattice->slot_count && result == TLW_OK; ++slot) {
        result = check_slot(view, slot, &touching);
    }
    for (uint32_t i = 0; i < count && result == TLW_OK; ++i) {
        if (!(touching >> i & 1)) {
            result = fail_at(view, TLW_SECTION_LIMBS, i, "a limb that may touch a voxel", 1, 0);
        }
    }
    return result;
}
