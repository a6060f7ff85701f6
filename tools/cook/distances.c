// SPDX-License-Identifier: MIT
// Stage distances (design.md, cooking rule 7): path lengths over links, 1 for a face, 2 for an
// edge, 3 for a corner, from a set of source voxels; d_skin from the shell, d_seg from what
// segments touch. Also the steps over the 26 neighbours that every later stage uses.
#include "tools/cook/stages.h"

#include <string.h>

// Bit i of a link mask is step i; the opposite of step i is 25 - i.
const tlw_int3 tlw_link_steps[26] = {
    {-1, -1, -1}, {0, -1, -1}, {1, -1, -1}, {-1, 0, -1}, {0, 0, -1}, {1, 0, -1}, {-1, 1, -1},
    {0, 1, -1},   {1, 1, -1},  {-1, -1, 0}, {0, -1, 0},  {1, -1, 0}, {-1, 0, 0}, {1, 0, 0},
    {-1, 1, 0},   {0, 1, 0},   {1, 1, 0},   {-1, -1, 1}, {0, -1, 1}, {1, -1, 1}, {-1, 0, 1},
    {0, 0, 1},    {1, 0, 1},   {-1, 1, 1},  {0, 1, 1},   {1, 1, 1},
};
const uint8_t tlw_link_lengths[26] = {3, 2, 3, 2, 1, 2, 3, 2, 3, 2, 1, 2, 1,
                                      1, 2, 1, 2, 3, 2, 3, 2, 1, 2, 3, 2, 3};

uint32_t tlw_linked_voxel(const tlw_cook* cook, uint32_t voxel, int step) {
    const tlw_int3 at = cook->voxels.coordinates[voxel], by = tlw_link_steps[step];
    return cook->voxels
        .index[tlw_cook_cell(&cook->grid, (tlw_int3){at.x + by.x, at.y + by.y, at.z + by.z})];
}

// Buckets by distance modulo 4 are enough: no step is longer than 3.
tlw_result tlw_cook_path_lengths(tlw_cook* cook, const uint32_t* links, const uint32_t* sources,
                                 uint32_t source_count, uint32_t* distance) {
    const uint32_t count = cook->voxels.count;
    // While a bucket fills it stands for one distance, and a voxel is lowered to that at most once.
    uint32_t* queue[4];
    uint32_t length[4] = {0}, room = count + 1;
    for (int b = 0; b < 4; ++b) {
        queue[b] = tlw_cook_allocate(cook, room, sizeof **queue);
    }
    tlw_result result = cook->error.result;
    if (result == TLW_OK) {
        memset(distance, 0xFF, count * sizeof *distance); // TLW_UNREACHED
        for (uint32_t i = 0; i < source_count; ++i) {
            if (distance[sources[i]] != 0) {
                distance[sources[i]] = 0;
                queue[0][length[0]++] = sources[i];
            }
        }
    }
    uint32_t empty = 0;
    for (uint32_t d = 0; empty < 4 && result == TLW_OK; ++d) {
        const uint32_t bucket = d % 4;
        empty = length[bucket] == 0 ? empty + 1 : 0;
        for (uint32_t i = 0; i < length[bucket]; ++i) {
            const uint32_t voxel = queue[bucket][i];
            if (distance[voxel] != d) {
                continue; // reached by a shorter way since
            }
            for (uint32_t left = links[voxel]; left != 0; left &= left - 1) {
                const int step = __builtin_ctz(left);
                const uint32_t to = tlw_linked_voxel(cook, voxel, step);
                const uint32_t reached = d + tlw_link_lengths[step];
                if (reached < distance[to]) {
                    distance[to] = reached;
                    queue[reached % 4][length[reached % 4]++] = to;
                }
            }
        }
        length[bucket] = 0;
    }
    for (int b = 0; b < 4; ++b) {
        tlw_cook_free(cook, queue[b], room, sizeof **queue);
    }
    return result;
}

bool tlw_is_face_step(int step) {
    return tlw_link_lengths[step] == 1;
}

tlw_result tlw_cook_measure(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    tlw_cook_anatomy* anatomy = &cook->anatomy;
    anatomy->d_skin = tlw_cook_allocate(cook, count, sizeof *anatomy->d_skin);
    anatomy->d_seg = tlw_cook_allocate(cook, count, sizeof *anatomy->d_seg);
    uint32_t* shell = tlw_cook_allocate(cook, count, sizeof *shell);
    tlw_result result = cook->error.result;
    uint32_t shell_count = 0;
    for (uint32_t v = 0; v < count && result == TLW_OK; ++v) {
        if ((cook->links.masks[v] & TLW_FACE_LINKS) != TLW_FACE_LINKS) {
            shell[shell_count++] = v;
        }
    }
    if (result == TLW_OK) {
        result =
            tlw_cook_path_lengths(cook, cook->links.masks, shell, shell_count, anatomy->d_skin);
    }
    if (result == TLW_OK) {
        result = tlw_cook_path_lengths(cook, cook->links.masks, cook->skeleton.touched,
                                       cook->skeleton.touched_count, anatomy->d_seg);
    }
    tlw_cook_free(cook, shell, count, sizeof *shell);
    return result;
}
