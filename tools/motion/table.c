// SPDX-License-Identifier: MIT
// The table of all numbers of a character: runs every experiment with the variants that it is
// compared with, and prints rows as Markdown.
#include "tools/motion/private.h"

#include <string.h>

typedef enum variant { MULTI, SINGLE, FAT, SOFT, NO_SKIN, NO_VOLUME, VARIANT_COUNT } variant;

static tlw_motion_def variant_def(const tlw_actor* actor, tlw_preset preset, variant v) {
    tlw_motion_def def = tlw_default_motion_def();
    def.actor = actor;
    def.preset = preset;
    def.layers = v == SINGLE    ? TLW_MOTION_SINGLE
                 : v == FAT     ? TLW_MOTION_FAT
                 : v == NO_SKIN ? TLW_MOTION_NO_SKIN
                                : TLW_MOTION_MULTI;
    def.has_firm_parts = v != FAT && v != SOFT;
    def.has_volume = v != NO_VOLUME;
    return def;
}

static double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

tlw_scene_code tlw_motion_measure(const tlw_actor* actor, tlw_preset preset, tlw_motion_row* out,
                                  tlw_scene_error* error) {
    const tlw_motion_experiment stop = tlw_default_motion_experiment(TLW_MOTION_STOP),
                                bob = tlw_default_motion_experiment(TLW_MOTION_BOB),
                                clip = tlw_motion_clip_experiment(actor);
    tlw_motion_trace multi_trace = {0}, single_trace = {0};
    tlw_motion_trace* const traces[VARIANT_COUNT] = {
        [MULTI] = &multi_trace, [SINGLE] = &single_trace};
    tlw_motion_numbers stops[VARIANT_COUNT] = {0}, clips[VARIANT_COUNT] = {0};
    tlw_scene_code code = TLW_SCENE_OK;
    *out = (tlw_motion_row){0};
    snprintf(out->name, sizeof out->name, "%s %.0f", actor->name, actor->info.extent_voxels + 0.5);
    for (int v = 0; v < VARIANT_COUNT && code == TLW_SCENE_OK; ++v) {
        const tlw_motion_def def = variant_def(actor, preset, (variant)v);
        tlw_motion* motion;
        code = tlw_motion_open(&def, &motion, error);
        if (code == TLW_SCENE_OK && v == MULTI) {
            code = tlw_motion_run(motion, &bob, NULL, &out->bob, error);
        }
        if (code == TLW_SCENE_OK && (v == MULTI || v == SINGLE)) {
            code = tlw_motion_run(motion, &stop, NULL, &stops[v], error);
        }
        if (code == TLW_SCENE_OK) {
            code = tlw_motion_run(motion, &clip, traces[v], &clips[v], error);
        }
        if (code == TLW_SCENE_OK && v == SINGLE) {
            out->difference =
                tlw_motion_difference(motion, TLW_MOTION_BODY, &multi_trace, &single_trace);
        }
        tlw_motion_close(motion);
    }
    tlw_motion_trace_free(&multi_trace);
    tlw_motion_trace_free(&single_trace);
    out->stop = stops[MULTI];
    out->clip = clips[MULTI];
    out->belly_single = ratio(stops[MULTI].places[TLW_MOTION_BELLY].overshoot,
                              stops[SINGLE].places[TLW_MOTION_BELLY].overshoot);
    out->belly_fat_single = ratio(stops[MULTI].places[TLW_MOTION_BELLY_FAT].overshoot,
                                  stops[SINGLE].places[TLW_MOTION_BELLY_FAT].overshoot);
    out->hand_lag =
        ratio(clips[MULTI].places[TLW_MOTION_HAND].lag, clips[FAT].places[TLW_MOTION_HAND].lag);
    out->hand_lag_soft =
        ratio(clips[SOFT].places[TLW_MOTION_HAND].lag, clips[FAT].places[TLW_MOTION_HAND].lag);
    out->residual = ratio(clips[NO_SKIN].residual, clips[MULTI].residual);
    out->volume = ratio(clips[MULTI].volume_error, clips[NO_VOLUME].volume_error);
    return code;
}

void tlw_motion_print_table(const tlw_motion_row* rows, uint32_t count, FILE* out) {
    fputs(
        "| character | belly overshoot %L | Hz | half-life s | belly bob mm | head bob mm | hand "
        "bob mm | thigh bob mm | foot bob mm | belly multi/single | belly fat multi/single | hand "
        "lag multi/fat (without firm) | skin residual | volume on/off | multi-single rms |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        out);
    for (uint32_t k = 0; k < count; ++k) {
        const tlw_motion_row* r = &rows[k];
        const tlw_motion_place_numbers* belly = &r->stop.places[TLW_MOTION_BELLY];
        fprintf(out, "| %s | %.1f | %.1f | %.2f |", r->name, 100 * belly->overshoot, belly->hertz,
                belly->half_life_seconds);
        static const tlw_motion_place bobs[] = {TLW_MOTION_BELLY, TLW_MOTION_HEAD, TLW_MOTION_HAND,
                                                TLW_MOTION_THIGH, TLW_MOTION_FOOT};
        for (size_t b = 0; b < TLW_COUNT_OF(bobs); ++b) {
            fprintf(out, " %.0f |", TLW_MOTION_MM(r->bob.places[bobs[b]].peak));
        }
        fprintf(out, " %.2f | %.2f | %.2f (%.2f) | %.2f | %.2f | %.0f%% |\n", r->belly_single,
                r->belly_fat_single, r->hand_lag, r->hand_lag_soft, r->residual, r->volume,
                100 * r->difference);
    }
}
