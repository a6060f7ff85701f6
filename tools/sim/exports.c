// SPDX-License-Identifier: MIT
// Begins, fills and commits the files of --export.
#include "tools/sim/exports.h"

static tlw_exit_code fail(const tlw_export_error* error) {
    return tlw_command_fail(&tlw_sim_command, tlw_export_exit_code(error->code), "%s",
                            error->message);
}

bool tlw_sim_exports_have_normals(const sim_options* options) {
    bool has_normals = false;
    for (uint32_t i = 0; i < options->export_count; ++i) {
        has_normals |= tlw_export_has_normals(tlw_export_kind_of(options->exports[i]));
    }
    return has_normals;
}

tlw_exit_code tlw_sim_exports_begin(const sim_options* options, const tlw_scene* scene,
                                    sim_exports* exports) {
    const tlw_actor* actor = scene->def.actor;
    for (uint32_t i = 0; i < options->export_count; ++i) {
        tlw_export_def def = tlw_default_export_def();
        def.blob = &actor->blob;
        def.path = options->exports[i];
        def.clip = tlw_actor_clip_name(actor, scene->clip);
        def.frame_count = options->frames;
        def.every = options->export_every;
        def.hz = options->hz;
        tlw_export_error error;
        if (tlw_export_begin(&def, &exports->files[i], &error) != TLW_EXPORT_OK) {
            return fail(&error);
        }
        exports->count += 1;
    }
    return TLW_EXIT_OK;
}

void tlw_sim_exports_add(sim_exports* exports, const tlw_scene* scene) {
    const tlw_scene_character* character = &scene->characters[0];
    for (uint32_t i = 0; i < exports->count; ++i) {
        tlw_export_add(exports->files[i], character->positions, character->normals);
    }
}

tlw_exit_code tlw_sim_exports_commit(sim_exports* exports) {
    for (uint32_t i = 0; i < exports->count; ++i) {
        tlw_export_error error;
        tlw_export* file = exports->files[i];
        exports->files[i] = NULL;
        if (tlw_export_commit(file, &error) != TLW_EXPORT_OK) {
            return fail(&error);
        }
    }
    return TLW_EXIT_OK;
}

void tlw_sim_exports_abandon(sim_exports* exports) {
    for (uint32_t i = 0; i < exports->count; ++i) {
        tlw_export_abandon(exports->files[i]);
        exports->files[i] = NULL;
    }
}
