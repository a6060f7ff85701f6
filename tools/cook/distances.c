// SPDX-License-Identifier: MIT
// Stage distances (RULES 7): d_skin, the path length from the shell (voxels with a missing or cut
// face neighbour), and d_seg, from the voxels that segments touch. Reads cook->links and
// cook->skeleton; writes d_skin, d_seg and max_d_skin of cook->anatomy.
#include "tools/cook/stages.h"

tlw_result tlw_cook_measure(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    tlw_cook_anatomy* anatomy = &cook->anatomy;
    anatomy->d_skin = tlw_cook_allocate(cook, count, sizeof *anatomy->d_skin);
    anatomy->d_seg = tlw_cook_allocate(cook, count, sizeof *anatomy->d_seg);
    uint32_t* shell = tlw_cook_allocate(cook, count, sizeof *shell);
    tlw_result result = cook->error.result;
    uint32_t shell_count = 0;
    for (uint32_t v = 0; v < count && result == TLW_OK; ++v) {
        if ((cook->links.masks[v] & TLW_FACE_STEPS) != TLW_FACE_STEPS) {
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
    for (uint32_t v = 0; v < count && result == TLW_OK; ++v) {
        anatomy->max_d_skin =
            anatomy->d_skin[v] > anatomy->max_d_skin ? anatomy->d_skin[v] : anatomy->max_d_skin;
    }
    tlw_cook_free(cook, shell);
    return result;
}
