// SPDX-License-Identifier: MIT
// tallow-bench --scene: makes the character, measures the scene, prints the table, writes the
// files, and says whether the budget holds.
#include "tools/bench/frame_files.h"
#include "tools/bench/options.h"
#include "tools/command/output_file.h"
#include "tools/command/trace.h"
#include "tools/scene/embedding.h"

#include <stdlib.h>

#define QUICK_FRAMES 60u

typedef enum output { OUT_JSON, OUT_CSV, OUT_TRACE, OUT_HTML, OUT_COUNT } output;

typedef struct scene_run {
    const bench_options* options;
    tlw_actor actor;
    tlw_frames_result result;
    const char* paths[OUT_COUNT];
    tlw_output_file files[OUT_COUNT];
} scene_run;

static tlw_exit_code fail(const char* what) {
    return tlw_command_fail(&tlw_bench_command_line, TLW_EXIT_USAGE, "%s", what);
}

// ---- Files

// Before anything is cooked: nobody waits for a path that cannot be written.
static tlw_exit_code begin_files(scene_run* run) {
    const bench_options* o = run->options;
    const char* const paths[OUT_COUNT] = {o->json, o->csv, o->trace, o->html};
    if (o->trace && !tlw_trace_is_possible()) {
        return fail("this build's zones do not go to the built-in profiler; "
                    "--trace needs one with -DTLW_PROFILING=builtin");
    }
    tlw_exit_code code = TLW_EXIT_OK;
    for (int i = 0; i < OUT_COUNT && code == TLW_EXIT_OK; ++i) {
        run->paths[i] = paths[i];
        code = tlw_output_file_begin(&tlw_bench_command_line, &run->files[i], paths[i]);
    }
    return code;
}

static tlw_exit_code write_files(scene_run* run) {
    tlw_exit_code code = TLW_EXIT_OK;
    for (int i = 0; i < OUT_COUNT && code == TLW_EXIT_OK; ++i) {
        tlw_text text = {0};
        if (!run->files[i].is_begun) {
            continue;
        }
        switch ((output)i) {
        case OUT_JSON:
            tlw_frames_to_json(&run->result, &text);
            break;
        case OUT_CSV:
            tlw_frames_to_csv(&run->result.frames, &text);
            break;
        case OUT_HTML:
            tlw_frames_to_html(&run->result, &text);
            break;
        default: // the trace was written while the scene that its zones are named after was open
            break;
        }
        code = tlw_output_file_commit_text(&tlw_bench_command_line, &run->files[i], &text);
        if (code == TLW_EXIT_OK) {
            printf("  %s\n", run->paths[i]);
        }
        tlw_text_free(&text);
    }
    return code;
}

// ---- Measuring

static tlw_exit_code make_actor(scene_run* run, const tlw_scene_entry* entry) {
    const bench_options* o = run->options;
    tlw_scene_error error;
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = o->resolution ? o->resolution : entry->resolution;
    recipe.has_ring_normals = o->output.normals_by == TLW_NORMALS_BY_RING;
    recipe.embedding = o->output.embedding == TLW_EMBED_RBF ? TLW_COOK_EMBED_RBF : recipe.embedding;
    recipe.skinning = o->skinning;
    const tlw_scene_code code =
        o->blob ? tlw_actor_read(&run->actor, o->blob, o->motion[0] ? o->motion : NULL, &error)
                : tlw_actor_make(&run->actor, entry->sample, &recipe, &error);
    return code == TLW_SCENE_OK ? TLW_EXIT_OK : fail(error.message);
}

static tlw_exit_code measure(scene_run* run, const tlw_scene_entry* entry) {
    const bench_options* o = run->options;
    tlw_frames_result* r = &run->result;
    tlw_scene_error error;
    tlw_frames_def def = tlw_default_frames_def(entry, &run->actor);
    def.clip = o->clip;
    def.character_count = o->characters ? o->characters : def.character_count;
    def.worker_count = o->workers;
    def.frame_count = o->frames ? o->frames : o->is_quick ? QUICK_FRAMES : def.frame_count;
    def.warm_up_count = o->is_quick ? 6 : def.warm_up_count;
    def.isa = o->isa;
    def.output = o->output;
    def.volume = o->volume;
    def.budget_ms = o->budget_ms;
    def.percentile = o->percentile;
    def.plant_us = o->plant_us;
    def.plant_pass = o->plant_pass;
    def.trace = o->trace ? &run->files[OUT_TRACE].writer : NULL;
    r->is_quick = o->is_quick;
    r->machine = tlw_machine_describe();
    if (tlw_frames_measure(&def, &r->frames, &error) != TLW_SCENE_OK) {
        return fail(error.message);
    }
    if (!tlw_frames_judge(&r->frames, &r->verdict)) {
        return tlw_command_fail(&tlw_bench_command_line, TLW_EXIT_FAILED,
                                "no memory for so many frames");
    }
    if (o->html && tlw_frames_scale(&r->frames, o->is_quick, &r->scaling, &error) != TLW_SCENE_OK) {
        return fail(error.message);
    }
    return TLW_EXIT_OK;
}

// ---- Output

static void print_row(const char* name, const tlw_bench_summary* s, double share) {
    printf("  %-16s %9.4f %9.4f %9.4f %9.4f %9.4f", name, s->min, s->median, s->p95, s->p99,
           s->worst);
    if (share >= 0.0) {
        printf(" %7.1f%%", share * 100.0);
    }
    printf("\n");
}

static void print_table(const tlw_frames_result* r) {
    const tlw_frames* f = &r->frames;
    const double all = f->mean_ms * f->def.worker_count;
    printf("  %-16s %9s %9s %9s %9s %9s %8s\n", "ms", "min", "median", "p95", "p99", "worst",
           "share");
    print_row("frame", &f->total, -1.0);
    if (f->clean.count > 0 && f->clean.count < f->count) {
        print_row("clean frames", &f->clean, -1.0);
    }
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        print_row(tlw_pass_name((tlw_pass)p), &f->passes[p], f->pass_mean_ms[p] / all);
    }
    print_row("outside passes", &f->outside, f->outside_mean_ms / all);
    print_row("a character", &f->character, -1.0);
}

static void print_result(const tlw_frames_result* r) {
    const tlw_frames* f = &r->frames;
    const tlw_blob_info* info = &f->def.actor->info;
    char text[512];
    printf("%s: %s\n", f->def.scene->name, f->def.scene->what);
    printf("  %u x %s, %u voxels, %u vertices, clip %s; %u worker%s, %s%s; %u frames after %u\n",
           f->def.character_count, f->def.actor->name, info->voxel_count, info->vertex_count,
           f->clip, f->def.worker_count, f->def.worker_count > 1 ? "s" : "",
           tlw_isa_name(f->def.isa), f->is_pinned ? ", pinned" : "", f->count,
           f->def.warm_up_count);
    printf("  embedding %s, normals by %s, %s order\n", tlw_embedding_name(f->def.output.embedding),
           tlw_normal_source_name(f->def.output.normals_by),
           tlw_vertex_order_name(f->def.output.order));
    printf("  %s, %s, %s, commit %s\n\n", r->machine.cpu, r->machine.compiler, r->machine.build,
           r->machine.commit);
    print_table(r);
    printf("\n  %.4g ns per voxel; bytes: %zu world, %zu per character, %zu scratch per worker\n",
           f->ns_per_voxel, f->world_bytes, f->character_bytes, f->scratch_bytes);
    printf("  others took %.1f%% (stolen %.1f%%)%s", f->noise.others * 100.0,
           f->noise.stolen * 100.0, f->noise.is_noisy ? ": a noisy run" : "");
    if (f->def.worker_count == 1) {
        printf("; %zu of %u frames are clean of them", f->clean.count, f->count);
    }
    printf("\n");
    if (f->trace.is_written && f->trace.dropped_events + f->trace.forgotten_events > 0) {
        printf("  the trace has the newest events; %llu older ones are not in it\n",
               (unsigned long long)(f->trace.dropped_events + f->trace.forgotten_events));
    }
    if (r->verdict.has_budget) {
        tlw_verdict_text(f, &r->verdict, text, sizeof text);
        printf("  %s\n", text);
    }
}

tlw_exit_code tlw_bench_scene(const bench_options* options) {
    static scene_run run;
    run.options = options;
    const tlw_scene_entry* entry = tlw_scene_entry_find(options->scene);
    tlw_exit_code code = begin_files(&run);
    if (code == TLW_EXIT_OK) {
        code = make_actor(&run, entry);
    }
    if (code == TLW_EXIT_OK) {
        code = measure(&run, entry);
    }
    if (code == TLW_EXIT_OK) {
        print_result(&run.result);
        code = write_files(&run);
    }
    for (int i = 0; i < OUT_COUNT; ++i) {
        tlw_output_file_abandon(&run.files[i]);
    }
    if (code == TLW_EXIT_OK && !run.result.verdict.is_met) {
        code = TLW_EXIT_FAILED;
    }
    tlw_frames_free(&run.result.frames);
    tlw_actor_free(&run.actor);
    return code;
}
