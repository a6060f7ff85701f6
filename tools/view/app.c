// SPDX-License-Identifier: MIT
// Loading, stepping and changing what is shown. A character that was loaded again takes the place
// of the old one in the same pose, with the values that somebody changed.
#include "tools/view/app.h"

#include "jobs/task_system.h"
#include "platform/thread.h"
#include "tools/view/colours.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLLOW_SECONDS 0.25  // in which the camera makes up for two thirds of a movement
#define FIT_HEIGHT     0.72f // of the picture's height that a character takes, and of its width
#define FIT_WIDTH      0.90f
#define WATCH_EVERY_NS 500000000u
#define BUDGET_MS      2.0
#define PROBE_LEAST_MM 0.05f // deviations below that are rest
#define PROBE_SECONDS  (1.0 / 60.0)
#define PROBE_RESTS    30u // samples

// ---- Characters

// The clip of that name, or the first one that the character has.
static uint32_t find_clip(const tlw_view_app* app, const tlw_actor* actor) {
    uint32_t clip = TLW_ASSET_NONE;
    if (tlw_actor_find_clip(actor, app->clip, &clip, NULL) != TLW_SCENE_OK) {
        TLW_IGNORE(tlw_actor_find_clip(actor, "", &clip, NULL));
    }
    return clip;
}

static void settle(tlw_view_app* app, tlw_view_side* side) {
    tlw_view_pose(&app->play, &side->way, side->character.motion);
    tlw_view_character_settle(&side->character);
}

void tlw_view_measure(tlw_view_app* app) {
    float farthest = 0.0f;
    for (uint32_t i = 0; i < app->side_count; ++i) {
        farthest = app->sides[i].has_character ? fmaxf(farthest, app->sides[i].character.farthest)
                                               : farthest;
    }
    app->hot = tlw_view_round_up(farthest);
}

// What the camera, the ground and things that touch go by: the first character at the start.
static void lay_out(tlw_view_app* app) {
    const tlw_view_character* c = &app->sides[0].character;
    float squared = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        squared += (c->high[axis] - c->low[axis]) * (c->high[axis] - c->low[axis]);
    }
    app->ground = c->low[1];
    app->size = fmaxf(sqrtf(squared), 1e-3f);
    app->centre[0] = c->middle[0];
    app->centre[1] = c->middle[2];
    tlw_view_hands_lay_out(&app->hands, app->size, app->ground, c->middle);
}

float tlw_view_fit(const tlw_view_app* app, uint32_t width, uint32_t height) {
    const tlw_view_character* c = &app->sides[0].character;
    float extents[3];
    for (int axis = 0; axis < 3; ++axis) {
        extents[axis] = 0.5f * fmaxf(c->high[axis] - c->low[axis], 1e-3f);
    }
    const float wide = sqrtf(extents[0] * extents[0] + extents[2] * extents[2]);
    const float narrow = width < height ? 1.0f : (float)height / (float)width;
    return fmaxf(tlw_view_camera_fit(extents[1], height, height, FIT_HEIGHT),
                 narrow * tlw_view_camera_fit(wide, width, height, FIT_WIDTH));
}

void tlw_view_frame(tlw_view_app* app, uint32_t width, uint32_t height) {
    const tlw_view_character* c = &app->sides[0].character;
    if (!app->sides[0].has_character) {
        return;
    }
    app->camera.target[0] = app->centre[0];
    app->camera.target[1] = app->ground + 0.5f * (c->high[1] - c->low[1]);
    app->camera.target[2] = app->centre[1];
    if (!app->options->has_camera || app->has_framed) {
        app->camera.distance = tlw_view_fit(app, width, height);
    }
    app->has_framed = true;
}

static void drop_character(tlw_view_app* app, uint32_t at) {
    tlw_view_side* side = &app->sides[at];
    if (side->has_character) {
        tlw_view_hands_attach(&app->hands, at, NULL);
        tlw_view_character_close(&side->character);
        tlw_view_values_free(&side->values);
        tlw_view_values_free(&side->cooked);
        tlw_view_history_free(&side->history);
        side->has_character = false;
    }
    if (app->probe.side == at) {
        app->probe.is_there = false;
    }
}

// The values of a new character: what the recipe says, and what somebody changed on the old one.
static bool read_values(tlw_view_side* side, const tlw_view_character* c, tlw_view_values* cooked,
                        tlw_view_values* values, char* remarks, size_t room) {
    remarks[0] = 0;
    if (!tlw_view_values_read(cooked, c)) {
        return false;
    }
    side->plain = cooked->settings;
    if (c->model->has_recipe) {
        tlw_view_values_take(cooked, c->model, &c->model->recipe, remarks, room);
    }
    return tlw_view_values_copy(values, cooked);
}

// A profile that is shown stays, if the new character has one of that name.
static void carry(const tlw_view_side* side, const tlw_view_model* model, tlw_view_values* values) {
    const tlw_view_model* old = side->character.model;
    tlw_view_values base = {0};
    uint32_t profile;
    if (!tlw_view_values_copy(&base, &side->cooked)) {
        return;
    }
    if (side->values.profile != base.profile) {
        tlw_view_values_set_profile(&base, old, side->values.profile);
    }
    if (side->values.profile != side->cooked.profile &&
        tlw_blob_find_profile(&model->actor.blob,
                              tlw_blob_profile_name(&old->actor.blob, side->values.profile),
                              &profile) == TLW_OK) {
        tlw_view_values_set_profile(values, model, profile);
    }
    tlw_view_values_carry(values, model, &side->values, &base, old);
    tlw_view_values_free(&base);
}

// Plays what the recipe's `view` names, unless the command line names something else.
static void take_play(tlw_view_app* app, const tlw_recipe* recipe) {
    const tlw_view_source* source = &app->sides[0].source;
    const tlw_recipe_view* view = &recipe->view;
    if (view->clip && !(source->motion[0] ? source->motion_clip : source->file_clip)) {
        snprintf(app->clip, sizeof app->clip, "%s", view->clip);
    }
    if (tlw_recipe_place(recipe, "view.root_motion")) {
        app->play.is_in_place = !view->root_motion;
    }
    app->play.noise_mm = view->noise_mm;
}

// Puts a character of the model there, with the values of the one that it replaces. False: the
// side's message says why, and the old character stays.
static bool show_model(tlw_view_app* app, uint32_t at, tlw_view_model* model,
                       const tlw_view_values* like) {
    tlw_view_side* side = &app->sides[at];
    tlw_view_character c;
    tlw_view_values values = {0}, cooked = {0};
    char remarks[TLW_VIEW_MESSAGE_BYTES] = "";
    bool is_good = tlw_view_character_open(&c, model, app->tasks ? &app->task_system : NULL,
                                           app->budget_ms, side->message, sizeof side->message);
    if (is_good) {
        is_good = read_values(side, &c, &cooked, &values, remarks, sizeof remarks);
        if (!is_good) {
            snprintf(side->message, sizeof side->message, "out of memory");
        }
    }
    if (!is_good) {
        tlw_view_values_free(&cooked);
        tlw_view_values_free(&values);
        tlw_view_character_close(&c);
        return false;
    }
    if (like) {
        TLW_IGNORE(tlw_view_values_copy(&values, like)); // rows of the same model: no memory
    } else if (side->has_character) {
        carry(side, model, &values);
        ++app->reloads;
    } else if (at == 0) {
        take_play(app, &model->recipe);
    }
    drop_character(app, at);
    side->character = c;
    side->values = values;
    side->cooked = cooked;
    side->has_character = true;
    (void)tlw_view_history_begin(&side->history, &values);
    const uint32_t clip = find_clip(app, &model->actor);
    if (app->clip[0] && clip != TLW_ASSET_NONE &&
        strcmp(app->clip, tlw_actor_clip_name(&model->actor, clip)) != 0) {
        const size_t used = strlen(remarks);
        snprintf(remarks + used, sizeof remarks - used, "%sthere is no clip '%s'",
                 used > 0 ? "\n" : "", app->clip);
    }
    side->message[0] = 0;
    if (tlw_view_values_apply(&values, &side->character, side->message, sizeof side->message) &&
        remarks[0]) {
        snprintf(side->message, sizeof side->message, "%s", remarks);
        (void)tlw_command_fail(&tlw_view_command, TLW_EXIT_OK, "%s", remarks);
    }
    snprintf(app->clip, sizeof app->clip, "%s",
             clip == TLW_ASSET_NONE ? "" : tlw_actor_clip_name(&model->actor, clip));
    side->way = tlw_view_find_way(&model->actor, clip);
    settle(app, side);
    if (at == 0 && !app->has_framed) {
        lay_out(app);
    }
    tlw_view_hands_attach(&app->hands, at, &side->character);
    tlw_view_measure(app);
    return true;
}

// ---- Opening

// Chooses the file that a side's recipe is saved to at first: the one it was read from, or a new
// one beside the asset with the asset's name.
static void name_save_path(tlw_view_side* side, const char* suffix) {
    const char* of = side->source.recipe ? side->source.recipe : side->source.file;
    const char* name = strrchr(of, '/');
    const char* dot = strrchr(name ? name : of, '.');
    const int stem = dot && dot != of ? (int)(dot - of) : (int)strlen(of);
    if (side->source.recipe && suffix[0] == 0) {
        snprintf(side->save_path, sizeof side->save_path, "%s", of);
    } else {
        snprintf(side->save_path, sizeof side->save_path, "%.*s%s.json", stem, of, suffix);
    }
}

static void start_tasks(tlw_view_app* app) {
    app->worker_count = tlw_core_count();
    app->scheduler = enkiNewTaskScheduler();
    if (app->scheduler) {
        enkiInitTaskSchedulerNumThreads(app->scheduler, app->worker_count);
        app->tasks = tlw_jobs_tasks_create(app->scheduler);
    }
    if (app->tasks) { // without them it steps on this thread, to the same bits
        app->task_system = tlw_jobs_task_system(app->tasks);
    }
}

tlw_exit_code tlw_view_open(tlw_view_app* app, const tlw_view_options* options) {
    *app = (tlw_view_app){.options = options,
                          .side_count = options->source_count,
                          .play = tlw_default_view_play(),
                          .camera = options->camera,
                          .hot = tlw_view_round_up(0.0f),
                          .shown = options->shown,
                          .cut_axis = options->cut_axis,
                          .cut_share = options->cut_share,
                          .budget_ms = BUDGET_MS};
    const tlw_view_source* first = &options->sources[0];
    const char* clip = first->motion[0] ? first->motion_clip : first->file_clip;
    snprintf(app->clip, sizeof app->clip, "%s", clip ? clip : "");
    start_tasks(app);
    app->stop = tlw_view_stop_create();
    bool is_good = app->stop != NULL;
    for (uint32_t i = 0; i < app->side_count; ++i) {
        app->sides[i].source = options->sources[i];
        name_save_path(&app->sides[i], "");
        app->sides[i].loader = tlw_view_loader_create(&app->sides[i].source);
        is_good = is_good && app->sides[i].loader;
    }
    return is_good ? TLW_EXIT_OK
                   : tlw_command_fail(&tlw_view_command, TLW_EXIT_FAILED, "out of memory");
}

void tlw_view_close(tlw_view_app* app) {
    tlw_view_stop_free(app->stop);
    for (uint32_t i = 0; i < TLW_VIEW_CHARACTERS; ++i) {
        tlw_view_loader_free(app->sides[i].loader);
        drop_character(app, i);
    }
    if (app->tasks) {
        tlw_jobs_tasks_destroy(app->tasks);
    }
    if (app->scheduler) {
        enkiDeleteTaskScheduler(app->scheduler);
    }
    *app = (tlw_view_app){0};
}

// ---- Loading

// Watches the voxel that the command line names.
static tlw_exit_code pick_named(tlw_view_app* app) {
    const uint32_t count = app->sides[0].character.model->actor.info.voxel_count;
    tlw_view_side* side = &app->sides[0];
    if (app->options->has_voxel && app->options->voxel >= count) {
        snprintf(side->message, sizeof side->message, "there is no voxel %u; there are %u, from 0",
                 app->options->voxel, count);
        return tlw_command_fail(&tlw_view_command, TLW_EXIT_USAGE, "%s", side->message);
    }
    if (app->options->has_voxel) {
        app->probe = (tlw_view_probe){.is_there = true, .voxel = app->options->voxel};
    }
    return TLW_EXIT_OK;
}

// The model that news bring, or what went wrong.
static tlw_exit_code take_news(tlw_view_app* app, uint32_t at) {
    tlw_view_side* side = &app->sides[at];
    tlw_view_model* model = side->news.model;
    tlw_exit_code code = side->news.code;
    side->is_loading = false;
    if (model == NULL) {
        memcpy(side->message, side->news.message, sizeof side->message);
    } else if (!show_model(app, at, model, NULL)) {
        code = tlw_command_fail(&tlw_view_command, TLW_EXIT_BAD_ASSET, "%s", side->message);
    } else if (at == 0) {
        if (app->side_count > 1 && app->sides[1].loader == NULL) {
            (void)show_model(app, 1, model, NULL); // the other side is a copy of this one
        }
        code = pick_named(app);
    }
    if (at == 0) { // without the first one nothing is shown
        app->load_code = code;
    }
    tlw_view_model_release(model);
    side->news.model = NULL;
    return code;
}

tlw_exit_code tlw_view_load_all(tlw_view_app* app) {
    tlw_exit_code code = TLW_EXIT_OK;
    for (uint32_t i = 0; i < app->side_count && code == TLW_EXIT_OK; ++i) {
        (void)tlw_view_load_now(app->sides[i].loader, &app->sides[i].news);
        code = take_news(app, i);
    }
    return code;
}

bool tlw_view_is_loading(const tlw_view_app* app) {
    return app->sides[0].is_loading || app->sides[1].is_loading;
}

bool tlw_view_has_character(const tlw_view_app* app) {
    return app->sides[0].has_character;
}

// One loading at a time; the other side waits for its turn.
static void begin_loading(tlw_view_app* app, uint32_t at) {
    if (!tlw_view_is_loading(app)) {
        app->sides[at].is_loading = true;
        app->sides[at].is_asked = false;
        tlw_view_load_begin(app->sides[at].loader);
    }
}

static bool was_loaded(const tlw_view_side* side) {
    uint32_t files;
    (void)tlw_view_load_files(side->loader, &files);
    return files > 0;
}

void tlw_view_reload(tlw_view_app* app) {
    for (uint32_t i = 0; i < app->side_count; ++i) {
        app->sides[i].is_asked = app->sides[i].loader != NULL;
    }
}

void tlw_view_look(tlw_view_app* app, uint64_t now_ns) {
    for (uint32_t i = 0; i < app->side_count; ++i) {
        tlw_view_side* side = &app->sides[i];
        if (side->is_loading) {
            const tlw_view_load_state state = tlw_view_load_poll(side->loader, &side->news);
            if (state == TLW_VIEW_LOAD_GOOD || state == TLW_VIEW_LOAD_BAD) {
                (void)take_news(app, i); // the side's message has what it said
            }
        } else if (side->is_asked) {
            begin_loading(app, i);
        }
    }
    if (now_ns - app->watched_ns < WATCH_EVERY_NS && app->watched_ns != 0) {
        return;
    }
    app->watched_ns = now_ns;
    for (uint32_t i = 0; i < app->side_count; ++i) {
        tlw_view_side* side = &app->sides[i];
        if (side->loader && !side->is_loading &&
            (!was_loaded(side) || tlw_view_load_is_stale(side->loader))) {
            begin_loading(app, i);
        }
    }
}

void tlw_view_set_compared(tlw_view_app* app, bool is_compared) {
    if (is_compared && app->side_count == 1 && app->sides[0].has_character) {
        const tlw_view_side* first = &app->sides[0];
        app->sides[1].source = first->source;
        name_save_path(&app->sides[1], "_b");
        app->side_count = 2;
        if (!show_model(app, 1, first->character.model, &first->values)) {
            app->side_count = 1;
        }
    } else if (!is_compared && app->side_count == 2) {
        tlw_view_loader_free(app->sides[1].loader);
        drop_character(app, 1);
        app->sides[1] = (tlw_view_side){0};
        app->side_count = 1;
        app->chosen = 0;
    }
    // Both begin at the same state.
    tlw_view_restart(app);
}

// ---- Motion

void tlw_view_restart(tlw_view_app* app) {
    app->play.seconds = 0.0;
    app->steps = 0;
    app->play.owed = 0.0;
    tlw_view_hands_let_go(&app->hands);
    for (uint32_t i = 0; i < app->side_count; ++i) {
        if (app->sides[i].has_character) {
            settle(app, &app->sides[i]);
        }
    }
    if (app->sides[0].has_character) {
        const float* middle = app->sides[0].character.middle;
        for (int i = 0; i < 2; ++i) {
            app->camera.target[i * 2] += middle[i * 2] - app->centre[i];
            app->centre[i] = middle[i * 2];
        }
    }
    app->probe.count = app->probe.next = 0;
    tlw_view_measure(app);
}

static void follow(tlw_view_app* app, double dt) {
    const float share = (float)(1.0 - exp(-dt / FOLLOW_SECONDS));
    for (int i = 0; i < 2; ++i) {
        const float way = share * (app->sides[0].character.middle[i * 2] - app->centre[i]);
        app->camera.target[i * 2] += way;
        app->centre[i] += way;
    }
}

static void note_probe(tlw_view_app* app, double dt);

void tlw_view_step(tlw_view_app* app, double dt) {
    if (!tlw_view_has_character(app)) {
        return;
    }
    app->play.seconds += dt;
    ++app->steps;
    tlw_view_hands_advance(&app->hands, dt);
    for (uint32_t i = 0; i < app->side_count; ++i) {
        tlw_view_side* side = &app->sides[i];
        if (side->has_character) {
            tlw_view_pose(&app->play, &side->way, side->character.motion);
            (void)tlw_view_character_step(&side->character, dt);
        }
    }
    tlw_view_measure(app);
    follow(app, dt);
    note_probe(app, dt);
}

void tlw_view_advance(tlw_view_app* app, double passed) {
    double dt;
    const uint32_t due = tlw_view_play_due(&app->play, passed, &dt);
    for (uint32_t i = 0; i < due; ++i) {
        tlw_view_step(app, dt);
    }
}

void tlw_view_step_once(tlw_view_app* app) {
    app->play.is_paused = true;
    tlw_view_step(app, tlw_view_play_step(&app->play));
}

void tlw_view_set_clip(tlw_view_app* app, uint32_t clip) {
    const tlw_asset* asset =
        tlw_view_has_character(app) ? app->sides[0].character.model->actor.asset : NULL;
    if (asset == NULL || clip >= asset->clip_count) {
        return;
    }
    snprintf(app->clip, sizeof app->clip, "%s",
             tlw_actor_clip_name(&app->sides[0].character.model->actor, clip));
    for (uint32_t i = 0; i < app->side_count; ++i) {
        tlw_view_side* side = &app->sides[i];
        if (side->has_character) {
            const tlw_actor* actor = &side->character.model->actor;
            // By number on the first side, whose clips need not have different names.
            side->way = tlw_view_find_way(actor, i == 0 ? clip : find_clip(app, actor));
        }
    }
    tlw_view_restart(app);
}

void tlw_view_change_clip(tlw_view_app* app, int by) {
    const tlw_view_side* first = &app->sides[0];
    if (first->has_character && first->way.clip != TLW_ASSET_NONE) {
        const uint32_t count = first->character.model->actor.asset->clip_count;
        tlw_view_set_clip(app, (first->way.clip + count + (uint32_t)(by % (int)count)) % count);
    }
}

// ---- Values

uint32_t tlw_view_chosen_side(const tlw_view_app* app) {
    const bool is_there = app->chosen < app->side_count && app->sides[app->chosen].has_character;
    return is_there ? app->chosen : 0;
}

tlw_view_side* tlw_view_chosen(tlw_view_app* app) {
    return &app->sides[tlw_view_chosen_side(app)];
}

void tlw_view_set_values(tlw_view_app* app, bool is_whole) {
    tlw_view_side* side = tlw_view_chosen(app);
    side->message[0] = 0;
    (void)tlw_view_values_apply(&side->values, &side->character, side->message,
                                sizeof side->message);
    if (is_whole) {
        tlw_view_history_keep(&side->history, &side->values);
    }
}

static void go_to(tlw_view_app* app, const tlw_view_values* values) {
    if (values && tlw_view_values_copy(&tlw_view_chosen(app)->values, values)) {
        tlw_view_set_values(app, false);
    }
}

void tlw_view_undo(tlw_view_app* app) {
    go_to(app, tlw_view_history_undo(&tlw_view_chosen(app)->history));
}

void tlw_view_redo(tlw_view_app* app) {
    go_to(app, tlw_view_history_redo(&tlw_view_chosen(app)->history));
}

void tlw_view_reset_values(tlw_view_app* app) {
    tlw_view_side* side = tlw_view_chosen(app);
    if (side->has_character && tlw_view_values_copy(&side->values, &side->cooked)) {
        tlw_view_set_values(app, true);
    }
}

bool tlw_view_has_changes(const tlw_view_app* app) {
    bool has_any = false;
    for (uint32_t i = 0; i < app->side_count; ++i) {
        const tlw_view_side* side = &app->sides[i];
        has_any = has_any || (side->has_character && side->loader &&
                              !tlw_view_values_equal(&side->values, &side->cooked));
    }
    return has_any;
}

// Materials as the character has them now; all else stays as the sliders have it.
static void take_materials(tlw_view_app* app) {
    tlw_view_side* side = tlw_view_chosen(app);
    tlw_view_values now = {0};
    if (tlw_view_values_read(&now, &side->character)) {
        const size_t cells = (size_t)now.part_count * now.layer_count;
        memcpy(side->values.materials, now.materials, cells * sizeof *now.materials);
        memcpy(side->values.lame, now.lame, cells * sizeof *now.lame);
        tlw_view_values_free(&now);
        tlw_view_history_keep(&side->history, &side->values);
    }
}

// The preset "cooked" means the values that the recipe holds now. After saving they differ from
// those in the blob.
void tlw_view_apply_preset(tlw_view_app* app, uint32_t preset) {
    tlw_view_side* side = tlw_view_chosen(app);
    const size_t cells = (size_t)side->cooked.part_count * side->cooked.layer_count;
    if (side->has_character && preset == TLW_PRESET_COOKED) {
        memcpy(side->values.materials, side->cooked.materials,
               cells * sizeof *side->values.materials);
        memcpy(side->values.lame, side->cooked.lame, cells * sizeof *side->values.lame);
        side->values.profile = side->cooked.profile;
        side->values.preset = preset;
        tlw_view_set_values(app, true);
    } else if (side->has_character &&
               tlw_character_apply_preset(side->character.motion->world, side->character.motion->id,
                                          (tlw_preset)preset) == TLW_OK) {
        side->values.preset = preset;
        take_materials(app);
    }
}

// The blob knows no limits but those of profiles: with others in the recipe, the fade is over at
// once, because setting a material ends it.
void tlw_view_fade_to(tlw_view_app* app, uint32_t profile, float seconds) {
    tlw_view_side* side = tlw_view_chosen(app);
    if (side->has_character &&
        tlw_character_fade_to(side->character.motion->world, side->character.motion->id, profile,
                              seconds) == TLW_OK) {
        side->values.profile = profile;
        side->values.preset = 0;
        if (profile == 0 && side->character.model->recipe.view.part_count > 0) {
            tlw_view_values_set_profile(&side->values, side->character.model, 0);
            tlw_view_set_values(app, true);
        } else {
            take_materials(app);
        }
    }
}

void tlw_view_begin_stop_test(tlw_view_app* app) {
    tlw_view_side* side = tlw_view_chosen(app);
    if (side->has_character) {
        tlw_view_stop_begin(app->stop, side->character.model, &side->values);
    }
}

// ---- A picked voxel

void tlw_view_pick(tlw_view_app* app, uint32_t at, const tlw_view_ray* ray) {
    const tlw_view_side* side = &app->sides[at];
    tlw_pick pick;
    app->probe = (tlw_view_probe){0};
    if (side->has_character &&
        tlw_character_pick(side->character.motion->world, side->character.motion->id, ray->origin,
                           ray->direction, &pick) == TLW_OK) {
        app->probe = (tlw_view_probe){.is_there = true, .side = at, .voxel = pick.voxel};
    }
}

// Element `back` steps ago.
static uint32_t kept_at(const tlw_view_probe* p, uint32_t back) {
    return (p->next + TLW_VIEW_FRAMES_KEPT - 1 - back) % TLW_VIEW_FRAMES_KEPT;
}

// Finds where the voxel comes to rest: the mean of the newest samples. It is not zero where muscles
// or gravity hold the voxel off its skinned place.
static void find_rest(const tlw_view_probe* p, float rest[3]) {
    const uint32_t count = p->count < PROBE_RESTS ? p->count : PROBE_RESTS;
    for (int axis = 0; axis < 3; ++axis) {
        rest[axis] = 0.0f;
        for (uint32_t back = 0; back < count; ++back) {
            rest[axis] += p->vectors[kept_at(p, back)][axis] / (float)count;
        }
    }
}

// Measures the ringing of a picked voxel: its deviation along the direction in which it was
// farthest from its place of rest, from that moment on.
static void measure_probe(tlw_view_probe* p) {
    uint32_t peak = 0;
    float most = 0.0f, rest[3], along[3] = {0.0f, 0.0f, 0.0f};
    if (p->count == 0) {
        return;
    }
    find_rest(p, rest);
    for (uint32_t back = 0; back < p->count; ++back) {
        const float* d = p->vectors[kept_at(p, back)];
        const float way[3] = {d[0] - rest[0], d[1] - rest[1], d[2] - rest[2]};
        const float squared = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
        if (squared > most) {
            most = squared;
            peak = back;
            memcpy(along, way, sizeof along);
        }
    }
    double means[TLW_VIEW_FRAMES_KEPT];
    const float length = most > 0.0f ? sqrtf(most) : 1.0f;
    for (uint32_t back = 0; back < p->count; ++back) {
        const float* d = p->vectors[kept_at(p, back)];
        float mm = 0.0f, offset = 0.0f;
        for (int axis = 0; axis < 3; ++axis) {
            mm += d[axis] * along[axis] / length;
            offset += rest[axis] * along[axis] / length;
        }
        p->deviation_mm[kept_at(p, back)] = mm;
        means[p->count - 1 - back] = (double)(mm - offset);
    }
    const uint32_t before = peak + 1 < p->count ? peak + 1 : peak; // a peak needs a step before it
    const tlw_motion_place_numbers r =
        tlw_motion_ringing(means + (p->count - 1 - before), before + 1, PROBE_SECONDS);
    const bool rings = most > PROBE_LEAST_MM * PROBE_LEAST_MM;
    p->hertz = rings ? r.hertz : 0.0;
    p->half_life_seconds = rings ? r.half_life_seconds : 0.0;
}

static void keep_sample(tlw_view_probe* p, const float vector[3]) {
    memcpy(p->vectors[p->next], vector, sizeof p->vectors[p->next]);
    p->next = (p->next + 1) % TLW_VIEW_FRAMES_KEPT;
    p->count += p->count < TLW_VIEW_FRAMES_KEPT ? 1 : 0;
}

// Steps may have any length. Samples at equal times are therefore interpolated between steps.
static void note_probe(tlw_view_app* app, double dt) {
    tlw_view_probe* p = &app->probe;
    tlw_voxel_state state;
    if (!p->is_there || !app->sides[p->side].has_character || !(dt > 0.0)) {
        return;
    }
    const tlw_motion* motion = app->sides[p->side].character.motion;
    if (tlw_character_get_voxel(motion->world, motion->id, p->voxel, &state) != TLW_OK) {
        p->is_there = false;
        return;
    }
    float now[3];
    for (int axis = 0; axis < 3; ++axis) {
        now[axis] =
            (state.position[axis] - state.skinned[axis]) * (float)(motion->voxel_metres * 1e3);
    }
    for (p->owed_seconds += dt; p->owed_seconds >= PROBE_SECONDS;
         p->owed_seconds -= PROBE_SECONDS) {
        const float back = (float)fmin((p->owed_seconds - PROBE_SECONDS) / dt, 1.0);
        const float sample[3] = {now[0] + back * (p->last[0] - now[0]),
                                 now[1] + back * (p->last[1] - now[1]),
                                 now[2] + back * (p->last[2] - now[2])};
        keep_sample(p, sample);
    }
    memcpy(p->last, now, sizeof p->last);
    measure_probe(p);
}

// ---- Numbers

void tlw_view_note_frame(tlw_view_app* app, float frame_ms) {
    tlw_view_frames* f = &app->frames;
    f->frame_ms[f->next] = frame_ms;
    f->step_ms[f->next] = 0.0f;
    for (uint32_t pass = 0; pass < TLW_PASS_COUNT; ++pass) {
        f->pass_ms[pass][f->next] = 0.0f;
    }
    for (uint32_t i = 0; i < app->side_count; ++i) {
        tlw_world_report report;
        if (!app->sides[i].has_character) {
            continue;
        }
        tlw_world_get_report(app->sides[i].character.motion->world, &report);
        f->step_ms[f->next] += (float)report.wall_ns * 1e-6f;
        for (uint32_t pass = 0; pass < TLW_PASS_COUNT; ++pass) {
            f->pass_ms[pass][f->next] += (float)report.pass_ns[pass] * 1e-6f;
        }
    }
    f->next = (f->next + 1) % TLW_VIEW_FRAMES_KEPT;
    f->count += f->count < TLW_VIEW_FRAMES_KEPT ? 1 : 0;
}

uint64_t tlw_view_hash(const tlw_view_app* app) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < app->side_count; ++i) {
        if (app->sides[i].has_character) {
            hash = hash * 0x9E3779B97F4A7C15u + tlw_view_character_hash(&app->sides[i].character);
        }
    }
    return hash;
}
