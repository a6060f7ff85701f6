// SPDX-License-Identifier: MIT
// Writes frames as CSV, a row per frame, and as JSON. README.md lists the columns and keys.
#include "tools/bench/frame_files.h"

#include "tools/scene/embedding.h"

void tlw_frames_to_csv(const tlw_frames* f, tlw_text* out) {
    tlw_text_add(out, "frame,ms");
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        tlw_text_add(out, ",%s_ms", tlw_pass_name((tlw_pass)p));
    }
    tlw_text_add(out, ",outside_ms,substeps,asleep,flags,clean,scratch_bytes,slowest_character,"
                      "slowest_ms");
    for (uint32_t c = 0; c < f->def.character_count; ++c) {
        tlw_text_add(out, ",character_%u_ms", c);
    }
    tlw_text_add(out, "\n");
    for (uint32_t i = 0; i < f->count; ++i) {
        const tlw_frame* frame = &f->frames[i];
        tlw_text_add(out, "%u,%.6f", i, frame->ms);
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            tlw_text_add(out, ",%.6f", frame->pass_ms[p]);
        }
        tlw_text_add(out, ",%.6f,%u,%u,%u,%d,%zu,%u,%.6f", frame->outside_ms, frame->substeps,
                     frame->asleep_count, frame->flags, frame->is_clean, frame->scratch_bytes,
                     frame->slowest, frame->slowest_ms);
        for (uint32_t c = 0; c < f->def.character_count; ++c) {
            tlw_text_add(out, ",%.6f",
                         (double)f->character_ms[(size_t)i * f->def.character_count + c]);
        }
        tlw_text_add(out, "\n");
    }
}

static void key(tlw_text* out, const char* before, const char* name) {
    tlw_text_add(out, "%s\"%s\": ", before, name);
}

static void add_number(tlw_text* out, const char* before, const char* name, double value) {
    key(out, before, name);
    tlw_text_json_number(out, value);
}

static void add_string(tlw_text* out, const char* before, const char* name, const char* value) {
    key(out, before, name);
    tlw_text_json(out, value);
}

static void add_bool(tlw_text* out, const char* before, const char* name, bool value) {
    key(out, before, name);
    tlw_text_add(out, value ? "true" : "false");
}

static void add_summary(tlw_text* out, const char* before, const char* name,
                        const tlw_bench_summary* s, double mean) {
    key(out, before, name);
    add_number(out, "{", "min", s->min);
    add_number(out, ", ", "median", s->median);
    add_number(out, ", ", "p95", s->p95);
    add_number(out, ", ", "p99", s->p99);
    add_number(out, ", ", "worst", s->worst);
    if (mean >= 0.0) {
        add_number(out, ", ", "mean", mean);
    }
    tlw_text_add(out, "}");
}

static void add_setup(tlw_text* out, const tlw_frames_result* r) {
    const tlw_frames_def* def = &r->frames.def;
    const tlw_blob_info* info = &def->actor->info;
    add_string(out, "{\n  ", "scene", def->scene->name);
    add_string(out, ",\n  ", "character", def->actor->name);
    add_string(out, ",\n  ", "clip", r->frames.clip);
    add_number(out, ",\n  ", "characters", def->character_count);
    add_number(out, ",\n  ", "voxels", info->voxel_count);
    add_number(out, ",\n  ", "vertices", info->vertex_count);
    add_number(out, ",\n  ", "workers", def->worker_count);
    add_string(out, ",\n  ", "isa", tlw_isa_name(def->isa));
    add_string(out, ",\n  ", "embedding", tlw_embedding_name(def->output.embedding));
    add_string(out, ",\n  ", "normals", tlw_normal_source_name(def->output.normals_by));
    add_string(out, ",\n  ", "order", tlw_vertex_order_name(def->output.order));
    add_string(out, ",\n  ", "skinning", tlw_skinning_name(info->skinning));
    add_bool(out, ",\n  ", "skinned_volume",
             info->has_bends && def->volume != TLW_SCENE_VOLUME_OFF);
    add_number(out, ",\n  ", "frames", r->frames.count);
    add_number(out, ",\n  ", "warm_up_frames", def->warm_up_count);
    add_bool(out, ",\n  ", "pinned", r->frames.is_pinned);
    add_bool(out, ",\n  ", "quick", r->is_quick);
    add_string(out, ",\n  \"machine\": {", "cpu", r->machine.cpu);
    add_number(out, ", ", "cores", r->machine.cores);
    add_string(out, ", ", "system", r->machine.system);
    add_string(out, ", ", "compiler", r->machine.compiler);
    add_string(out, ", ", "build", r->machine.build);
    add_string(out, ", ", "commit", r->machine.commit);
    tlw_text_add(out, "}");
}

static void add_times(tlw_text* out, const tlw_frames* f) {
    add_summary(out, ",\n  ", "frame_ms", &f->total, f->mean_ms);
    if (f->def.worker_count == 1) {
        add_number(out, ",\n  ", "clean_frames", (double)f->clean.count);
    } else {
        tlw_text_add(out, ",\n  \"clean_frames\": null");
    }
    if (f->clean.count > 0) {
        add_summary(out, ",\n  ", "clean_frame_ms", &f->clean, -1.0);
    } else {
        tlw_text_add(out, ",\n  \"clean_frame_ms\": null");
    }
    key(out, ",\n  ", "pass_ms");
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        add_summary(out, p ? ",\n    " : "{\n    ", tlw_pass_name((tlw_pass)p), &f->passes[p],
                    f->pass_mean_ms[p]);
    }
    tlw_text_add(out, "\n  }");
    add_summary(out, ",\n  ", "outside_ms", &f->outside, f->outside_mean_ms);
    add_summary(out, ",\n  ", "character_ms", &f->character, -1.0);
    add_number(out, ",\n  ", "ns_per_voxel", f->ns_per_voxel);
    add_number(out, ",\n  \"bytes\": {", "world", (double)f->world_bytes);
    add_number(out, ", ", "character", (double)f->character_bytes);
    add_number(out, ", ", "blob", (double)f->def.actor->blob_bytes);
    add_number(out, ", ", "scratch_high_water", (double)f->scratch_bytes);
    tlw_text_add(out, "}");
}

static void add_verdict(tlw_text* out, const tlw_frames* f, const tlw_verdict* v) {
    key(out, ",\n  ", "budget");
    if (!v->has_budget) {
        tlw_text_add(out, "null");
        return;
    }
    add_number(out, "{", "ms", f->def.budget_ms);
    add_number(out, ", ", "percentile", f->def.percentile);
    add_number(out, ", ", "value_ms", v->value_ms);
    add_bool(out, ", ", "is_met", v->is_met);
    add_number(out, ", ", "frames_over", v->over_count);
    add_string(out, ", ", "largest_pass", tlw_pass_name(v->largest_pass));
    add_number(out, ", ", "largest_share", v->largest_share);
    tlw_text_add(out, "}");
}

static void add_worst(tlw_text* out, const tlw_frames* f) {
    key(out, ",\n  ", "worst_frames");
    tlw_text_add(out, "[");
    for (uint32_t i = 0; i < f->worst_count; ++i) {
        const tlw_frame* frame = &f->frames[f->worst[i].frame];
        add_number(out, i ? ",\n    {" : "\n    {", "frame", f->worst[i].frame);
        add_number(out, ", ", "ms", frame->ms);
        add_number(out, ", ", "slowest_character", frame->slowest);
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            add_number(out, p ? ", " : ", \"pass_ms\": {", tlw_pass_name((tlw_pass)p),
                       frame->pass_ms[p]);
        }
        tlw_text_add(out, "}}");
    }
    tlw_text_add(out, "\n  ]");
}

static void add_points(tlw_text* out, const char* before, const char* name,
                       const tlw_scaling_point* points, uint32_t count) {
    key(out, before, name);
    tlw_text_add(out, "[");
    for (uint32_t i = 0; i < count; ++i) {
        add_number(out, i ? ", {" : "{", "count", points[i].count);
        add_number(out, ", ", "ms", points[i].ms);
        tlw_text_add(out, "}");
    }
    tlw_text_add(out, "]");
}

void tlw_frames_to_json(const tlw_frames_result* r, tlw_text* out) {
    const tlw_noise* noise = &r->frames.noise;
    add_setup(out, r);
    add_times(out, &r->frames);
    add_verdict(out, &r->frames, &r->verdict);
    add_worst(out, &r->frames);
    key(out, ",\n  ", "scaling");
    if (r->scaling.is_measured) {
        add_points(out, "{", "characters", r->scaling.characters, r->scaling.character_points);
        add_points(out, ", ", "workers", r->scaling.workers, r->scaling.worker_points);
        add_number(out, ", ", "workers_shared", r->scaling.crowd);
        tlw_text_add(out, "}");
    } else {
        tlw_text_add(out, "null");
    }
    add_number(out, ",\n  ", "others_share", noise->others);
    add_number(out, ",\n  ", "stolen_share", noise->stolen);
    add_bool(out, ",\n  ", "noisy", noise->is_noisy);
    tlw_text_add(out, "\n}\n");
}
