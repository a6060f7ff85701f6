// SPDX-License-Identifier: MIT
// Path lengths over links (RULES 7): 1 for a step through a face, 2 through an edge, 3 through a
// corner, the Manhattan distance of Iwamoto et al. 2015, 5.1, after Dionne and de Lasa 2013. Used
// by the stages weights, distances and layers.
#include "tools/cook/stages.h"

#include <string.h>

// Dijkstra's algorithm with buckets. Buckets by distance modulo 4 are enough, because no step is
// longer than 3.
tlw_result tlw_cook_path_lengths(tlw_cook* cook, const uint32_t* links, const uint32_t* sources,
                                 uint32_t source_count, uint32_t* distance) {
    const uint32_t count = cook->voxels.count;
    // While a bucket fills, all of its voxels have one distance, and a voxel is lowered to that
    // distance at most once: no bucket holds more than all voxels.
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
                continue; // a shorter path was found since
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
        tlw_cook_free(cook, queue[b]);
    }
    return result;
}
