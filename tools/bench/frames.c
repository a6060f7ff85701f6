// SPDX-License-Identifier: MIT
// Opens a scene, warms it up, steps it frame by frame, and keeps the world's reports.
#include "tools/bench/frames.h"

#include "platform/thread.h"
#include "profiling/profile.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES_COOKIE 0x4652414Du

static uint64_t read_platform_clock(void* user) {
    (void)user;
    return tlw_clock_ns();
}

tlw_frames_def tlw_default_frames_def(const tlw_scene_entry* scene, const tlw_actor* actor) {
    return (tlw_frames_def){.cookie = FRAMES_COOKIE,
                            .scene = scene,
                            .actor = actor,
                            .character_count = scene->character_count,
                            .worker_count = 1,
                            .frame_count = 300,
                            .warm_up_count = 30,
                            .isa = tlw_isa_best(),
                            .has_output = true,
                            .output = tlw_default_output(),
                            .percentile = 99.0,
                            .clock = read_platform_clock};
}

// The state of a measurement beside its result.
typedef struct measurement {
    tlw_frames* out;
    tlw_scene* scene;
    tlw_noise_watch watch;
    tlw_core_set cores;
    tlw_character_report report; // of the character that was asked last
} measurement;

static tlw_scene_code fail(tlw_scene_error* error, tlw_scene_code code, const char* what) {
    if (error) {
        error->code = code;
        snprintf(error->message, sizeof error->message, "%s", what);
    }
    return code;
}

static tlw_scene_code open_scene(measurement* m, tlw_scene_error* error) {
    const tlw_frames_def* def = &m->out->def;
    tlw_scene_def scene = tlw_scene_entry_def(def->scene, def->actor);
    scene.clip = def->clip ? def->clip : scene.clip;
    scene.mixes_clips = scene.mixes_clips && def->clip == NULL;
    scene.is_still = scene.is_still && def->clip == NULL;
    scene.character_count = def->character_count;
    scene.worker_count =
        def->worker_count > 1 ? def->worker_count : 0; // 0: tasks run on this thread
    scene.world.isa = def->isa;
    scene.world.clock = def->clock;
    scene.world.clock_user = def->clock_user;
    scene.world.budget_ms = def->budget_ms > 0.0 ? def->budget_ms : scene.world.budget_ms;
    scene.output = def->output;
    scene.volume = def->volume;
    scene.has_positions = scene.has_normals = def->has_output;
    const tlw_scene_code code = tlw_scene_open(&scene, &m->scene, error);
    if (code != TLW_SCENE_OK) {
        return code;
    }
    m->out->clip = scene.mixes_clips ? "mixed" : tlw_actor_clip_name(def->actor, m->scene->clip);
    m->out->world_bytes = m->scene->world_bytes;
    m->out->character_bytes = m->scene->characters[0].memory_bytes;
    for (uint32_t i = 0; i < def->character_count && def->repeats > 0; ++i) {
        tlw_settings settings;
        TLW_IGNORE(
            tlw_character_get_settings(m->scene->world, m->scene->characters[i].id, &settings));
        settings.repeats = def->repeats;
        TLW_IGNORE(
            tlw_character_set_settings(m->scene->world, m->scene->characters[i].id, &settings));
    }
    return TLW_SCENE_OK;
}

static bool make_room(tlw_frames* out) {
    const size_t frames = out->def.frame_count, characters = out->def.character_count;
    out->frames = calloc(frames, sizeof *out->frames);
    out->character_ms = calloc(frames, characters * sizeof *out->character_ms);
    bool has_room = out->frames && out->character_ms;
    for (uint32_t i = 0; i < TLW_FRAMES_WORST && has_room; ++i) {
        out->worst[i].characters = calloc(characters, sizeof *out->worst[i].characters);
        has_room = out->worst[i].characters != NULL;
    }
    return has_room;
}

void tlw_frames_free(tlw_frames* frames) {
    for (uint32_t i = 0; i < TLW_FRAMES_WORST; ++i) {
        free(frames->worst[i].characters);
    }
    free(frames->frames);
    free(frames->character_ms);
    *frames = (tlw_frames){0};
}

static uint64_t now_ns(const tlw_frames_def* def) {
    return def->clock(def->clock_user);
}

// Spends plant_us in a zone of the pass, to test that a gate closes.
static void plant(const tlw_frames_def* def) {
    static const tlw_zone_site sites[TLW_PASS_COUNT] = {
#define SITE(name, text, colour, meaning) TLW_ZONE_SITE(text, colour),
        TLW_PASS_TABLE(SITE)
#undef SITE
    };
    if (def->plant_us > 0.0) {
        TLW_ZONE_AT(&sites[def->plant_pass]);
        (void)sites;
        const uint64_t start = now_ns(def);
        while ((double)(now_ns(def) - start) < def->plant_us * 1e3) {
            tlw_cpu_pause();
        }
    }
}

static const tlw_character_report* character_report(measurement* m, uint32_t i) {
    TLW_IGNORE(tlw_character_get_report(m->scene->world, m->scene->characters[i].id, &m->report));
    return &m->report;
}

// Keeps the frame if it is among the worst. It takes over the memory of the frame that it
// displaces.
static void keep_if_worst(measurement* m, uint32_t frame) {
    tlw_frames* out = m->out;
    const double ms = out->frames[frame].ms;
    uint32_t at = out->worst_count;
    while (at > 0 && ms > out->worst[at - 1].ms) {
        at -= 1;
    }
    if (at == TLW_FRAMES_WORST) {
        return;
    }
    const uint32_t last =
        out->worst_count < TLW_FRAMES_WORST ? out->worst_count : TLW_FRAMES_WORST - 1;
    tlw_frame_character* characters = out->worst[last].characters;
    memmove(&out->worst[at + 1], &out->worst[at], (last - at) * sizeof out->worst[0]);
    out->worst[at] = (tlw_worst_of_frames){frame, ms, characters};
    out->worst_count = last + 1;
    for (uint32_t i = 0; i < out->def.character_count; ++i) {
        const tlw_character_report* report = character_report(m, i);
        characters[i] =
            (tlw_frame_character){(double)report->step_ns * 1e-6, {0}, report->was_split};
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            characters[i].pass_ms[p] = (double)report->pass_ns[p] * 1e-6;
        }
    }
}

static void keep_frame(measurement* m, uint32_t number, uint64_t ns, uint64_t planted_ns) {
    const tlw_frames_def* def = &m->out->def;
    tlw_frame* frame = &m->out->frames[number];
    tlw_world_report report;
    tlw_world_get_report(m->scene->world, &report);
    frame->ms = (double)ns * 1e-6;
    double passes = 0.0;
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        frame->pass_ms[p] = (double)report.pass_ns[p] * 1e-6;
        frame->pass_ms[p] += p == (int)def->plant_pass ? (double)planted_ns * 1e-6 : 0.0;
        passes += frame->pass_ms[p];
    }
    const double outside = frame->ms * def->worker_count - passes;
    frame->outside_ms = outside > 0.0 ? outside : 0.0;
    frame->substeps = report.substeps;
    frame->asleep_count = report.asleep_count;
    frame->voxel_substeps = report.voxel_substeps;
    frame->flags = report.flags;
    frame->scratch_bytes = m->out->scratch_bytes = report.scratch_high_water_bytes;
    for (uint32_t i = 0; i < def->character_count; ++i) {
        const double ms = (double)character_report(m, i)->step_ns * 1e-6;
        m->out->character_ms[(size_t)number * def->character_count + i] = (float)ms;
        if (ms > frame->slowest_ms) {
            frame->slowest_ms = ms;
            frame->slowest = i;
        }
    }
    keep_if_worst(m, number);
}

static void pose_next(tlw_scene* scene) {
    TLW_ZONE("pose");
    scene->seconds += 1.0 / TLW_FRAME_HZ;
    tlw_scene_pose(scene, scene->seconds);
}

static void run_frame(measurement* m, uint32_t number) {
    const tlw_frames_def* def = &m->out->def;
    pose_next(m->scene);
    tlw_noise_frame_begin(&m->watch);
    const uint64_t begin = now_ns(def);
    tlw_world_step(m->scene->world, 1.0 / TLW_FRAME_HZ);
    const uint64_t stepped = now_ns(def);
    plant(def);
    const uint64_t end = now_ns(def);
    m->out->frames[number].is_clean = tlw_noise_frame_end(&m->watch);
    keep_frame(m, number, end - begin, def->plant_us > 0.0 ? end - stepped : 0);
    TLW_FRAME_MARK();
}

// Pins the thread to its core if it works alone. Where several run is up to the system.
static void pin(measurement* m) {
    const uint32_t core = tlw_thread_current_core();
    m->out->is_pinned = m->out->def.worker_count == 1 && tlw_thread_get_cores(&m->cores) &&
                        tlw_thread_pin(core == TLW_ANY_CORE ? 0 : core);
}

static void unpin(measurement* m) {
    if (m->out->is_pinned) {
        tlw_thread_set_cores(tlw_thread_current_id(), &m->cores, TLW_ANY_CORE);
    }
}

static tlw_scene_code run(measurement* m, tlw_scene_error* error) {
    tlw_frames* out = m->out;
    tlw_trace* trace = NULL;
    pin(m);
    tlw_scene_start(m->scene);
    for (uint32_t i = 0; i < out->def.warm_up_count; ++i) {
        pose_next(m->scene);
        tlw_world_step(m->scene->world, 1.0 / TLW_FRAME_HZ);
    }
    tlw_noise_begin(&m->watch, out->def.worker_count);
    if (out->def.trace) {
        trace = tlw_trace_begin(out->def.budget_ms);
        if (trace == NULL) {
            unpin(m);
            return fail(error, TLW_SCENE_CANNOT_READ, "no memory for the trace");
        }
    }
    for (; out->count < out->def.frame_count; ++out->count) {
        run_frame(m, out->count);
    }
    out->noise = tlw_noise_end(&m->watch);
    unpin(m);
    // Before the scene is closed: the trace has the names of its characters.
    if (trace) {
        out->trace = tlw_trace_save(trace, out->def.trace);
    }
    tlw_scene_close(m->scene);
    m->scene = NULL;
    tlw_trace_end(trace);
    return TLW_SCENE_OK;
}

tlw_scene_code tlw_frames_measure(const tlw_frames_def* def, tlw_frames* out,
                                  tlw_scene_error* error) {
    *out = (tlw_frames){.def = *def};
    if (def->cookie != FRAMES_COOKIE) {
        return fail(error, TLW_SCENE_BAD, "the def did not come from tlw_default_frames_def");
    }
    out->def.clock = def->clock ? def->clock : read_platform_clock;
    measurement m = {.out = out};
    tlw_scene_code code = make_room(out)
                              ? open_scene(&m, error)
                              : fail(error, TLW_SCENE_CANNOT_READ, "no memory for so many frames");
    if (code == TLW_SCENE_OK) {
        code = run(&m, error);
    }
    tlw_scene_close(m.scene);
    if (code == TLW_SCENE_OK && !tlw_frames_summarise(out)) {
        code = fail(error, TLW_SCENE_CANNOT_READ, "no memory for so many frames");
    }
    return code;
}
