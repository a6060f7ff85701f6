// SPDX-License-Identifier: MIT
// Times frames of scenes, and finds out which of them other processes disturbed.
#include "tools/bench/measure.h"

#include "platform/clock.h"
#include "tools/bench/noise.h"

#include <stdlib.h>
#include <string.h>

#define WARM_UP_FRAMES 2u
#define CLEAN_FRAMES   5u // with fewer clean frames, all frames count
#define CLEAN_ROUNDS   5u
#define QUICK_ROUNDS   2u
#define MOST_PROBE     4.0 // times a quiet probe: the most that a disturbed one counts

static double larger(double a, double b) {
    return a > b ? a : b;
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median_of(const double* samples, size_t count) {
    double sorted[TLW_BENCH_FRAMES_MAX];
    memcpy(sorted, samples, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    return sorted[(count - 1) / 2];
}

// ---- The core

// What a probe takes when nothing disturbs it: the least of this run. 0: there was none yet.
static double quiet_ns;

static double noted(double probe_ns) {
    quiet_ns = quiet_ns == 0.0 || probe_ns < quiet_ns ? probe_ns : quiet_ns;
    return probe_ns;
}

static double probe(void) {
    return noted(tlw_noise_probe_ns());
}

// Limits a probe: an interrupted probe says something about the system, not about the core, and
// must not outweigh the others.
static double core_share(double probe_ns) {
    const double most = MOST_PROBE * quiet_ns;
    return probe_ns < most ? probe_ns : most;
}

static double others_of(double cpu, double wall, double probes, size_t probe_count) {
    const double of_time = wall > 0.0 ? 1.0 - cpu / wall : 0.0;
    const double of_core = 1.0 - quiet_ns * (double)probe_count / probes;
    return larger(larger(of_time, of_core), 0.0);
}

void tlw_bench_pin(tlw_bench_core* core) {
    const uint32_t now = tlw_thread_current_core();
    core->is_pinned =
        tlw_thread_get_cores(&core->cores) && tlw_thread_pin(now == TLW_ANY_CORE ? 0 : now);
    for (int i = 0; i < 2000; ++i) {
        (void)probe();
    }
}

void tlw_bench_unpin(tlw_bench_core* core) {
    if (core->is_pinned) {
        tlw_thread_set_cores(tlw_thread_current_id(), &core->cores, TLW_ANY_CORE);
        core->is_pinned = false;
    }
}

void tlw_bench_watch_begin(tlw_bench_watch* watch) {
    watch->probe_before = probe();
    watch->cpu_before = tlw_noise_cpu_ns(false);
    watch->wall_before = (double)tlw_clock_ns();
}

double tlw_bench_watch_end(tlw_bench_watch* watch, bool* is_clean) {
    const double wall = (double)tlw_clock_ns() - watch->wall_before;
    const double cpu = tlw_noise_cpu_ns(false) - watch->cpu_before;
    const double after = probe(), quiet = 1.1 * quiet_ns;
    watch->wall += wall;
    watch->cpu += cpu;
    watch->probes += core_share(watch->probe_before) + core_share(after);
    watch->frames += 1;
    *is_clean = cpu > 0.98 * wall && watch->probe_before < quiet && after < quiet;
    return cpu < wall ? cpu : wall;
}

double tlw_bench_watch_others(const tlw_bench_watch* watch) {
    return others_of(watch->cpu, watch->wall, watch->probes, 2 * watch->frames);
}

// ---- Rounds

// Leaves only clean frames if there are enough of them. The others would measure other processes.
static void drop_disturbed(tlw_bench_measured* m) {
    size_t clean = 0, at = 0;
    for (size_t i = 0; i < m->count; ++i) {
        clean += m->is_clean[i];
    }
    if (clean < CLEAN_FRAMES) {
        return;
    }
    for (size_t i = 0; i < m->count; ++i) {
        if (m->is_clean[i]) {
            m->frame_ms[at] = m->frame_ms[i];
            m->step[at] = m->step[i];
            for (int p = 0; p < TLW_PASS_COUNT; ++p) {
                m->passes[p][at] = m->passes[p][i];
            }
            at += 1;
        }
    }
    m->count = at;
}

void tlw_bench_keep_round(tlw_bench_measured* best, tlw_bench_measured* now) {
    if (now->count == 0) {
        return;
    }
    drop_disturbed(now);
    now->median = median_of(now->frame_ms, now->count);
    if (best->count == 0 || now->median < best->median) {
        *best = *now;
    }
}

// The poses of the next frame. They are the engine's work and are not timed; the step is.
static void pose_next(tlw_scene* scene) {
    scene->seconds += TLW_BENCH_FRAME_SECONDS;
    tlw_scene_pose(scene, scene->seconds);
}

void tlw_bench_measure(tlw_scene* scene, size_t frames, tlw_bench_measured* best) {
    static tlw_bench_measured now;
    static double embed[TLW_BENCH_FRAMES_MAX]; // share of the embed pass in each frame
    tlw_bench_watch watch = {0};
    now.count = 0;
    for (size_t i = 0; i < WARM_UP_FRAMES; ++i) {
        tlw_scene_advance(scene, TLW_BENCH_FRAME_SECONDS);
    }
    for (size_t i = 0; i < frames; ++i) {
        pose_next(scene);
        tlw_bench_watch_begin(&watch);
        tlw_world_step(scene->world, TLW_BENCH_FRAME_SECONDS);
        const double taken = tlw_bench_watch_end(&watch, &now.is_clean[now.count]);
        tlw_world_report report;
        tlw_world_get_report(scene->world, &report);
        if (report.voxel_substeps == 0) {
            continue;
        }
        const double per_voxel = 1.0 / (double)report.voxel_substeps;
        now.frame_ms[now.count] = taken * 1e-6;
        now.step[now.count] = taken * per_voxel;
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            now.passes[p][now.count] = (double)report.pass_ns[p] * per_voxel;
        }
        embed[now.count] = (double)report.pass_ns[TLW_PASS_EMBED] / (double)report.wall_ns;
        now.count += 1;
    }
    if (now.count == 0) {
        return;
    }
    const double others = 1.0 - median_of(embed, now.count);
    for (size_t i = 0; i < now.count; ++i) {
        now.step[i] *= others;
    }
    now.others = tlw_bench_watch_others(&watch);
    tlw_bench_keep_round(best, &now);
}

bool tlw_bench_open_contender(tlw_bench* bench, tlw_bench_contender* contender) {
    tlw_scene_def def = tlw_bench_scene_def(&contender->actor);
    def.has_positions = def.has_normals = true;
    contender->scene = tlw_bench_open(bench, &def);
    contender->best.count = 0;
    return contender->scene != NULL;
}

void tlw_bench_measure_in_turns(tlw_bench* bench, tlw_bench_contender* of, size_t count) {
    const bool is_quick = tlw_bench_is_quick(bench);
    const size_t rounds = is_quick ? 1 : 5, frames = is_quick ? 24 : TLW_BENCH_FRAMES_MAX;
    tlw_bench_core core = {0};
    tlw_bench_pin(&core);
    for (size_t round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < count; ++i) {
            tlw_bench_measure(of[i].scene, frames, &of[i].best);
        }
    }
    tlw_bench_unpin(&core);
    for (size_t i = 0; i < count; ++i) {
        tlw_bench_measured* best = &of[i].best;
        const tlw_bench_about about = tlw_bench_noise(best->others);
        of[i].ms = tlw_bench_row_about(bench, of[i].name, "ms", best->frame_ms, best->count, &about)
                       .median;
    }
}

void tlw_bench_close_contenders(tlw_bench_contender* of, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        tlw_scene_close(of[i].scene);
        tlw_actor_free(&of[i].actor);
        of[i].scene = NULL;
    }
}

// ---- Turns

// A neighbour on the core stays, interrupts come and go: the median of 15 probes shows the
// neighbour.
#define PROBES_AT_ONCE 15
#define THREADS_MAX    16u
// A worker that waits for its next frame may spin for this long; it is not a neighbour.
#define SETTLE_NS 1000000u

// One of several threads that probe at once. Two virtual cores that a hypervisor has put on one
// real core look quiet whenever the other one rests, so all must be busy together.
typedef struct probe_thread {
    tlw_thread thread;
    tlw_atomic_u32* arrived;
    uint32_t count;
    double ns;
} probe_thread;

static void probe_in_thread(void* user) {
    probe_thread* t = user;
    double ns[PROBES_AT_ONCE];
    atomic_fetch_add(t->arrived, 1);
    while (atomic_load(t->arrived) < t->count) {
        tlw_cpu_pause();
    }
    for (int i = 0; i < PROBES_AT_ONCE; ++i) {
        ns[i] = tlw_noise_probe_ns();
    }
    t->ns = median_of(ns, PROBES_AT_ONCE);
    atomic_fetch_add(t->arrived, 1);
    while (atomic_load(t->arrived) < 2 * t->count) { // keeps this core busy until all have probed
        (void)tlw_noise_probe_ns();
    }
}

// What a probe takes on the slowest of `workers` threads at once; with fewer than 2, on this
// thread.
static double probe_cores(uint32_t workers) {
    static probe_thread threads[THREADS_MAX];
    tlw_atomic_u32 arrived = 0;
    uint32_t count = workers < THREADS_MAX ? workers : THREADS_MAX;
    count = count < tlw_core_count() ? count : tlw_core_count();
    count = count > 1 ? count : 1;
    if (count > 1) {
        tlw_thread_sleep_ns(SETTLE_NS);
    }
    for (uint32_t i = 0; i < count; ++i) {
        threads[i].arrived = &arrived;
        threads[i].count = count;
        tlw_thread_def def = tlw_default_thread_def();
        def.main = probe_in_thread;
        def.user = &threads[i];
        if (i > 0 && tlw_thread_start(&threads[i].thread, &def) != TLW_OK) {
            abort(); // without threads nothing here can be measured
        }
    }
    probe_in_thread(&threads[0]);
    double most = threads[0].ns;
    for (uint32_t i = 1; i < count; ++i) {
        tlw_thread_join(&threads[i].thread);
        most = larger(most, threads[i].ns);
    }
    return core_share(noted(most));
}

static bool is_quiet(double probe_ns) {
    return probe_ns < 1.1 * quiet_ns;
}

// Sums of a round.
typedef struct round_sums {
    double cpu, wall; // only of turns on one thread: workers that wait for each other sleep
    double probes;
    size_t turns;
    double probe; // the last one
    double worst; // the longest probe; above MOST_PROBE where others took a core from us
} round_sums;

// The first frame warms the caches and is not timed, except with crowds, which no cache holds.
static double take_turn(const tlw_bench_turns* turns, bool is_wall, uint32_t workers,
                        round_sums* sums) {
    const bool is_alone = turns->scene->def.worker_count < 2;
    double cpu = 0.0, wall = 0.0, voxels = 0.0;
    const double switches = tlw_noise_switches();
    for (size_t i = turns->scene->character_count > 1; i <= turns->frames; ++i) {
        pose_next(turns->scene);
        const double cpu_before = tlw_noise_cpu_ns(false), before = (double)tlw_clock_ns();
        tlw_world_step(turns->scene->world, TLW_BENCH_FRAME_SECONDS);
        if (i > 0) {
            tlw_world_report report;
            wall += (double)tlw_clock_ns() - before;
            cpu += tlw_noise_cpu_ns(false) - cpu_before;
            tlw_world_get_report(turns->scene->world, &report);
            voxels += (double)report.voxel_substeps;
        }
    }
    // How much others took: the time that one thread did not have, or the context switches of
    // several. Workers that wake on a busy core cause some switches themselves, and the system's
    // own threads cause one per 10 ms; those are subtracted.
    const double lost =
        is_alone ? 1.0 - cpu / wall - 0.02 : tlw_noise_switches() - switches - wall * 1e-7 - 2.0;
    sums->probe = probe_cores(workers);
    sums->probes += sums->probe;
    sums->turns += 1;
    sums->worst = larger(sums->worst, lost > 0.0 ? (MOST_PROBE + lost) * quiet_ns : sums->probe);
    if (is_alone) {
        sums->cpu += cpu;
        sums->wall += wall;
    }
    return (is_wall ? wall : cpu) / voxels;
}

void tlw_bench_take_rounds(const tlw_bench* bench, const tlw_bench_turns* of, size_t count,
                           bool is_wall, size_t wanted, tlw_bench_rounds* rounds) {
    static round_sums sums[TLW_BENCH_ROUNDS_MAX * TLW_BENCH_PATIENCE];
    static double worst[TLW_BENCH_ROUNDS_MAX * TLW_BENCH_PATIENCE];
    const size_t most = tlw_bench_is_quick(bench) ? QUICK_ROUNDS : wanted * TLW_BENCH_PATIENCE;
    uint32_t workers = 1;
    for (size_t i = 0; i < count; ++i) {
        const uint32_t its = of[i].scene->def.worker_count;
        workers = its > workers ? its : workers;
    }
    double before = probe_cores(workers);
    rounds->clean = rounds->taken = 0;
    while (rounds->taken < most && rounds->clean < wanted) {
        round_sums* now = &sums[rounds->taken];
        *now = (round_sums){.worst = before};
        for (size_t i = 0; i < count; ++i) {
            rounds->ns[i][rounds->taken] = take_turn(&of[i], is_wall, workers, now);
        }
        before = now->probe;
        rounds->clean += is_quiet(now->worst);
        worst[rounds->taken] = now->worst;
        rounds->taken += 1;
    }
    // The clean rounds count, or the least disturbed ones where there are too few clean ones.
    qsort(worst, rounds->taken, sizeof *worst, compare_doubles);
    const size_t fewest = rounds->taken < CLEAN_ROUNDS ? rounds->taken : CLEAN_ROUNDS;
    const double limit = worst[(rounds->clean > fewest ? rounds->clean : fewest) - 1];
    round_sums all = {0};
    rounds->count = 0;
    for (size_t r = 0; r < rounds->taken; ++r) {
        if (sums[r].worst <= limit) {
            for (size_t i = 0; i < count; ++i) {
                rounds->ns[i][rounds->count] = rounds->ns[i][r];
            }
            rounds->count += 1;
            all.cpu += sums[r].cpu;
            all.wall += sums[r].wall;
            all.probes += sums[r].probes;
            all.turns += sums[r].turns;
        }
    }
    const size_t disturbed = rounds->count > rounds->clean ? rounds->count - rounds->clean : 0;
    rounds->others = larger(others_of(all.cpu, all.wall, all.probes, all.turns),
                            (double)disturbed / (double)rounds->count);
}

// ---- Characters

bool tlw_bench_make_actor(tlw_bench* bench, const char* sample, const tlw_cook_recipe* recipe,
                          tlw_actor* actor) {
    tlw_scene_error error;
    if (tlw_actor_make(actor, sample, recipe, &error) != TLW_SCENE_OK) {
        tlw_bench_fail(bench, "%s", error.message);
        return false;
    }
    return true;
}

bool tlw_bench_make_sample(tlw_bench* bench, const char* sample, uint32_t resolution,
                           tlw_actor* actor) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    return tlw_bench_make_actor(bench, sample, &recipe, actor);
}

tlw_scene_def tlw_bench_scene_def(const tlw_actor* actor) {
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = actor;
    def.clip = "dance";
    def.worker_count = 0; // tasks run on this thread
    return def;
}

tlw_scene* tlw_bench_open(tlw_bench* bench, const tlw_scene_def* def) {
    tlw_scene* scene;
    tlw_scene_error error;
    if (tlw_scene_open(def, &scene, &error) != TLW_SCENE_OK) {
        tlw_bench_fail(bench, "%s", error.message);
        return NULL;
    }
    for (uint32_t i = 0; i < scene->character_count; ++i) {
        tlw_settings settings;
        TLW_IGNORE(tlw_character_get_settings(scene->world, scene->characters[i].id, &settings));
        settings.rotation_iterations = TLW_BENCH_ITERATIONS;
        TLW_IGNORE(tlw_character_set_settings(scene->world, scene->characters[i].id, &settings));
    }
    tlw_scene_start(scene);
    return scene;
}

tlw_bench_about tlw_bench_target(tlw_bench_bound bound, double target, double others) {
    return (tlw_bench_about){bound, target, others};
}

tlw_bench_about tlw_bench_noise(double others) {
    return (tlw_bench_about){TLW_BENCH_NO_TARGET, 0.0, others};
}
