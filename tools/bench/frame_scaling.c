// SPDX-License-Identifier: MIT
// Measures the same scene with more characters, and with more workers, in short runs.
#include "tools/bench/frames.h"

#include "platform/thread.h"

#define POINT_SECONDS_MAX 3.0 // for one point of a curve
#define CROWD_MAX         64u
#define QUICK_CROWD_MAX   8u
#define WORKERS_MAX       8u

static tlw_scene_code measure_point(const tlw_frames* from, uint32_t characters, uint32_t workers,
                                    uint32_t count, uint32_t frame_count, tlw_scaling_point* out,
                                    tlw_scene_error* error) {
    tlw_frames_def def = from->def;
    tlw_frames frames;
    def.character_count = characters;
    def.worker_count = workers;
    def.frame_count = frame_count;
    def.warm_up_count = 2;
    def.trace = NULL;
    const tlw_scene_code code = tlw_frames_measure(&def, &frames, error);
    *out = (tlw_scaling_point){count, frames.total.median};
    tlw_frames_free(&frames);
    return code;
}

tlw_scene_code tlw_frames_scale(const tlw_frames* frames, bool is_quick, tlw_scaling* out,
                                tlw_scene_error* error) {
    const uint32_t frame_count = is_quick ? 6 : 30;
    const uint32_t cores = tlw_core_count(), crowd = is_quick ? QUICK_CROWD_MAX : CROWD_MAX;
    const double one_ms = frames->mean_ms / frames->def.character_count;
    *out = (tlw_scaling){0};
    tlw_scene_code code = TLW_SCENE_OK;
    for (uint32_t n = 1; n <= crowd && code == TLW_SCENE_OK; n *= 2) {
        if (n > 4 && one_ms * n * frame_count * 1e-3 > POINT_SECONDS_MAX) {
            break;
        }
        code = measure_point(frames, n, frames->def.worker_count, n, frame_count,
                             &out->characters[out->character_points++], error);
        out->crowd = n;
    }
    // As many characters as were asked for, or enough that every worker has some.
    out->crowd = frames->def.character_count > 1 ? frames->def.character_count
                 : out->crowd > 16               ? 16
                                                 : out->crowd;
    const uint32_t most = 2 * cores < WORKERS_MAX ? 2 * cores : WORKERS_MAX;
    for (uint32_t n = 1; n <= most && code == TLW_SCENE_OK; ++n) {
        code = measure_point(frames, out->crowd, n, n, frame_count,
                             &out->workers[out->worker_points++], error);
    }
    out->is_measured = code == TLW_SCENE_OK;
    return code;
}
