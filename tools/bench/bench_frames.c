// SPDX-License-Identifier: MIT
// tallow-bench --scene: makes the character, measures the scene, prints the table, writes the
// files, and says whether the budget holds.
#include "tools/bench/frame_files.h"
#include "tools/bench/frame_trace.h"
#include "tools/bench/options.h"

#include <stdlib.h>

#define QUICK_FRAMES 60u

typedef enum output { OUT_JSON, OUT_CSV, OUT_TRACE, OUT_HTML, OUT_COUNT } output;

typedef struct scene_run {
    const bench_options* options;
    tlw_actor actor;
    tlw_frames_result result;
    const char* paths[OUT_COUNT];
    bool is_begun[OUT_COUNT];
    tlw_file_writer writers[OUT_COUNT];
} scene_run;

static int fail(const tlw_scene_error* error) {
    fprintf(stderr, "tallow-bench: %s\n", error->message);
    return EXIT_USAGE;
}

// ---- Files

// Before anything is cooked: nobody waits for a path that cannot be written.
static int begin_files(scene_run* run) {
    const bench_options* o = run->options;
    const char* const paths[OUT_COUNT] = {o->json, o->csv, o->trace, o->html};
    if (o->trace && !tlw_frame_trace_is_there()) {
        fprintf(stderr, "tallow-bench: this build's zones do not go to the built-in profiler; "
                        "--trace needs one with -DTLW_PROFILING=builtin\n");
        return EXIT_USAGE;
    }
    for (int i = 0; i < OUT_COUNT; ++i) {
        run->paths[i] = paths[i];
        if (paths[i] && tlw_file_writer_begin(&run->writers[i], paths[i]) != TLW_OK) {
            fprintf(stderr, "tallow-bench: %s\n", run->writers[i].error.message);
            return EXIT_CANNOT_WRITE;
        }
        run->is_begun[i] = paths[i] != NULL;
    }
    return EXIT_OK;
}

static void abandon_files(scene_run* run) {
    for (int i = 0; i < OUT_COUNT; ++i) {
        if (run->is_begun[i]) {
            tlw_file_writer_abandon(&run->writers[i]);
        }
    }
}

static int commit_file(scene_run* run, output which) {
    run->is_begun[which] = false;
    if (tlw_file_writer_commit(&run->writers[which]) != TLW_OK) {
        fprintf(stderr, "tallow-bench: %s\n", run->writers[which].error.message);
        return EXIT_CANNOT_WRITE;
    }
    printf("  %s\n", run->paths[which]);
    return EXIT_OK;
}

static int write_files(scene_run* run) {
    int status = EXIT_OK;
    for (int i = 0; i < OUT_COUNT && status == EXIT_OK; ++i) {
        tlw_text text = {0};
        if (!run->is_begun[i]) {
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
        default: // the trace was written while its names were there
            break;
        }
        if (text.out_of_memory) {
            fprintf(stderr, "tallow-bench: cannot write '%s': out of memory\n", run->paths[i]);
            status = EXIT_CANNOT_WRITE;
        } else {
            if (text.used > 0) {
                (void)tlw_file_writer_write(&run->writers[i], text.bytes, text.used);
            }
            status = commit_file(run, (output)i); // tells errors of the writes, too
        }
        tlw_text_free(&text);
    }
    return status;
}

// ---- Measuring

static int make_actor(scene_run* run, const tlw_scene_entry* entry) {
    const bench_options* o = run->options;
    tlw_scene_error error;
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = o->resolution ? o->resolution : entry->resolution;
    const tlw_scene_code code =
        o->blob ? tlw_actor_read(&run->actor, o->blob, o->motion[0] ? o->motion : NULL, &error)
                : tlw_actor_make(&run->actor, entry->sample, &recipe, &error);
    return code == TLW_SCENE_OK ? EXIT_OK : fail(&error);
}

static int measure(scene_run* run, const tlw_scene_entry* entry) {
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
    def.budget_ms = o->budget_ms;
    def.percentile = o->percentile;
    def.plant_us = o->plant_us;
    def.plant_pass = o->plant_pass;
    def.trace = o->trace ? &run->writers[OUT_TRACE] : NULL;
    r->is_quick = o->is_quick;
    r->machine = tlw_machine_describe();
    if (tlw_frames_measure(&def, &r->frames, &error) != TLW_SCENE_OK) {
        return fail(&error);
    }
    if (!tlw_frames_judge(&r->frames, &r->verdict)) {
        fprintf(stderr, "tallow-bench: no memory for so many frames\n");
        return EXIT_NOT_MEASURED;
    }
    if (o->html && tlw_frames_scale(&r->frames, o->is_quick, &r->scaling, &error) != TLW_SCENE_OK) {
        return fail(&error);
    }
    return EXIT_OK;
}

// ---- Telling

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
    printf("  %s, %s, %s, commit %s\n\n", r->machine.cpu, r->machine.compiler, r->machine.build,
           r->machine.commit);
    print_table(r);
    printf("\n  %.4g ns a voxel; bytes: %zu world, %zu a character, %zu scratch a worker\n",
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

int tlw_bench_scene(const bench_options* options) {
    static scene_run run;
    run.options = options;
    const tlw_scene_entry* entry = tlw_scene_entry_find(options->scene);
    int status = begin_files(&run);
    if (status == EXIT_OK) {
        status = make_actor(&run, entry);
    }
    if (status == EXIT_OK) {
        status = measure(&run, entry);
    }
    if (status == EXIT_OK) {
        print_result(&run.result);
        status = write_files(&run);
    }
    abandon_files(&run);
    if (status == EXIT_OK && !run.result.verdict.is_met) {
        status = EXIT_OVER_BUDGET;
    }
    tlw_frames_free(&run.result.frames);
    tlw_actor_free(&run.actor);
    return status;
}
