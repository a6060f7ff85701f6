// SPDX-License-Identifier: MIT
// Pass skin. Reads the palette and each voxel's weights; writes the pose: p_skin, linear blend
// skinning of the voxel's centre, and Rb, the blended rotation (design.md, substep 0).
//
//     p_skin = sum_k w_k M_k x0        Rb = normalise(sum_k w_k q_k)
//
// Eight voxels gather 64-byte rows and are transposed once: hardware gathers of 16 numbers a joint
// were three times slower. The palette's rotations have the sign of the voxel's first joint.
#include "runtime/kernels.h"
#include "runtime/wide.h"

TLW_FORCE_INLINE void blend(const tlw_skin_entry* palette, const uint16_t* entries,
                            const float* weights, uint32_t influences, f8* low, f8* high) {
    const float* at = palette[entries[0]].row[0];
    f8 w = all(weights[0]);
    *low = mul(tlw_f8_load_aligned(at), w);
    *high = mul(tlw_f8_load_aligned(at + 8), w);
    TLW_UNROLL for (uint32_t k = 1; k < influences; ++k) {
        at = palette[entries[k]].row[0];
        w = all(weights[k]);
        *low = mad(tlw_f8_load_aligned(at), w, *low);
        *high = mad(tlw_f8_load_aligned(at + 8), w, *high);
    }
}

// The first `lanes`; behind them there is no voxel.
TLW_FORCE_INLINE void skin_window(const tlw_substep* s, uint32_t w, uint32_t influences,
                                  uint32_t lanes) {
    const tlw_body* body = s->body;
    const tlw_blob_window* window = &body->windows[w];
    const uint16_t* entries = body->slot_joint + (size_t)w * TLW_LANES * TLW_BLOB_JOINTS_A_VOXEL;
    const float* weights = body->slot_weight + (size_t)w * TLW_LANES * TLW_BLOB_JOINTS_A_VOXEL;
    tlw_f8x8 low, high;
    TLW_UNROLL for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
        if (lane >= lanes) {
            low.row[lane] = high.row[lane] = tlw_f8_zero();
            continue;
        }
        blend(s->palette, entries + lane * TLW_BLOB_JOINTS_A_VOXEL,
              weights + lane * TLW_BLOB_JOINTS_A_VOXEL, influences, &low.row[lane],
              &high.row[lane]);
    }
    low = tlw_f8x8_transpose(low);
    high = tlw_f8x8_transpose(high);
    const f8 x = add(tlw_f8_iota(), all((float)window->cell[0] + 0.5f));
    const f8 y = all((float)window->cell[1] + 0.5f), z = all((float)window->cell[2] + 0.5f);
    const f8x3 skin = {
        add(mad(low.row[2], z, mad(low.row[1], y, mul(low.row[0], x))), low.row[3]),
        add(mad(low.row[6], z, mad(low.row[5], y, mul(low.row[4], x))), low.row[7]),
        add(mad(high.row[2], z, mad(high.row[1], y, mul(high.row[0], x))), high.row[3])};
    tlw_window_pose* pose = &s->pose[w];
    store_window3(pose->skin, skin);
    store_window4(pose->rb, normalise4((f8x4){high.row[4], high.row[5], high.row[6], high.row[7]}));
}

// What predict will want.
TLW_FORCE_INLINE void fetch_window(const tlw_substep* s, uint32_t w) {
    fetch_lines(&s->last[w].p, sizeof s->last[w].p);
    fetch_lines(&s->now[w].p, sizeof s->now[w].p);
    fetch_lines(&s->pose_last[w].skin, sizeof s->pose_last[w].skin);
    fetch_lines(&s->velocity[w], sizeof s->velocity[w]);
    fetch_lines(&s->gains[w], sizeof s->gains[w]);
}

void TLW_KERNEL(tlw_stage_skin)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_body* body = s->body;
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        if (s->is_cold) {
            fetch_window(s, w);
        }
        const tlw_blob_window* window = &body->windows[w];
        const bool is_half = window->occupied >> TLW_LANES / 2 == 0;
        // Constants: loops unrolled. Halves are few, and take an influence of weight 0 along.
        switch (window->influences + 4u * is_half) {
        case 1:
            skin_window(s, w, 1, TLW_LANES);
            break;
        case 2:
            skin_window(s, w, 2, TLW_LANES);
            break;
        case 3:
            skin_window(s, w, 3, TLW_LANES);
            break;
        case 4:
            skin_window(s, w, 4, TLW_LANES);
            break;
        case 5:
        case 6:
            skin_window(s, w, 2, TLW_LANES / 2);
            break;
        default:
            skin_window(s, w, 4, TLW_LANES / 2);
            break;
        }
    }
}
