// SPDX-License-Identifier: MIT
// Reads the character that the command line names, on a thread of its own: a blob as it is,
// anything else by the cooker, whose messages and exit codes these are.
#include "tools/view/load.h"

#include "platform/thread.h"
#include "tools/cook/command.h"

#include <stdlib.h>
#include <string.h>

#define FILES_MAX 64u // that are watched; a recipe may extend more

typedef struct watched {
    uint32_t count;
    char* paths[FILES_MAX];
    uint64_t stamps[FILES_MAX]; // as they were before they were read
    uint64_t seen[FILES_MAX];   // as tlw_view_load_is_stale saw them last
} watched;

struct tlw_view_loader {
    const tlw_view_source* source;
    tlw_command command; // tallow-view's, which also keeps what it says
    watched files;
    bool has_thread, is_asked_again;
    tlw_thread thread;
    tlw_atomic_u32 is_done;
    tlw_atomic_pointer stage;
    tlw_atomic_u32 share; // in thousandths
    tlw_view_model* model;
    tlw_exit_code code;
    char message[TLW_VIEW_MESSAGE_BYTES];
};

// ---- What is said

// The loader whose thread runs, of which there is one at a time: a command has no place for it.
static tlw_view_loader* speaker;

static void hear(const char* line) {
    const size_t length = strlen(speaker->message);
    snprintf(speaker->message + length, sizeof speaker->message - length, "%s%s",
             length > 0 ? "\n" : "", line);
}

static tlw_exit_code fail(const tlw_view_loader* l, const tlw_scene_error* error) {
    return tlw_command_fail(&l->command, tlw_scene_exit_code(error->code), "%s", error->message);
}

static void show_progress(const char* stage, double share, void* user) {
    tlw_view_loader* l = user;
    atomic_store_explicit(&l->stage, (void*)stage, memory_order_relaxed);
    atomic_store_explicit(&l->share, (uint32_t)(share * 1000.0), memory_order_relaxed);
}

// ---- Watched files

static void forget_files(watched* files) {
    for (uint32_t i = 0; i < files->count; ++i) {
        free(files->paths[i]);
    }
    files->count = 0;
}

// Each file once.
static void watch(tlw_view_loader* l, const char* path) {
    watched* files = &l->files;
    for (uint32_t i = 0; i < files->count; ++i) {
        if (strcmp(files->paths[i], path) == 0) {
            return;
        }
    }
    char* copy = files->count < FILES_MAX ? malloc(strlen(path) + 1) : NULL;
    if (copy) {
        memcpy(copy, path, strlen(path) + 1);
        files->paths[files->count] = copy;
        files->stamps[files->count] = files->seen[files->count] = tlw_file_stamp(path);
        ++files->count;
    }
}

bool tlw_view_load_is_stale(tlw_view_loader* l) {
    bool is_stale = false;
    for (uint32_t i = 0; i < l->files.count; ++i) {
        const uint64_t stamp = tlw_file_stamp(l->files.paths[i]);
        const bool is_whole = stamp != 0 && stamp == l->files.seen[i];
        is_stale = is_stale || (is_whole && stamp != l->files.stamps[i]);
        l->files.seen[i] = stamp;
    }
    return is_stale;
}

tlw_result tlw_view_load_write(tlw_view_loader* l, const char* path, const void* bytes, size_t size,
                               tlw_file_error* error) {
    watched* files = &l->files;
    uint32_t at = 0;
    while (at < files->count && strcmp(files->paths[at], path) != 0) {
        ++at;
    }
    const bool is_as_read = at == files->count || tlw_file_stamp(path) == files->stamps[at];
    const tlw_result result = tlw_file_replace(path, bytes, size, error);
    if (result == TLW_OK && at == files->count) {
        watch(l, path);
    } else if (result == TLW_OK && is_as_read) {
        files->stamps[at] = files->seen[at] = tlw_file_stamp(path);
    }
    return result;
}

const char* const* tlw_view_load_files(const tlw_view_loader* l, uint32_t* count) {
    *count = l->files.count;
    return (const char* const*)l->files.paths;
}

// ---- Loading

// By its first bytes. A file that is none of both is told by its name.
static bool is_blob(const char* path) {
    char start[sizeof TLW_BLOB_MAGIC] = "";
    FILE* file = fopen(path, "rb");
    const size_t read = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    const char* ending = strrchr(path, '.');
    return (read == sizeof start - 1 && memcmp(start, TLW_BLOB_MAGIC, read) == 0) ||
           (ending && strcmp(ending, ".tlw") == 0);
}

static tlw_exit_code read_motion(tlw_view_loader* l, tlw_actor* actor) {
    tlw_asset* asset;
    tlw_asset_error error;
    show_progress("motion", 0.0, l);
    const tlw_asset_code code = tlw_asset_load(l->source->motion, NULL, &asset, &error);
    if (code != TLW_ASSET_OK) {
        return tlw_command_fail(&l->command, tlw_asset_exit_code(code), "%s: %s", l->source->motion,
                                error.message);
    }
    tlw_scene_error scene_error;
    return tlw_actor_set_motion(actor, asset, l->source->motion, &scene_error) == TLW_SCENE_OK
               ? TLW_EXIT_OK
               : fail(l, &scene_error);
}

// Called when the file has been read, long before the cook ends: what somebody writes after that is
// a change.
static void note_file(const char* path, uint64_t hash, void* user) {
    (void)hash;
    watch(user, path);
}

// The recipe is moved to *recipe.
static tlw_exit_code cook(tlw_view_loader* l, tlw_actor* actor, tlw_recipe* recipe) {
    const tlw_view_source* source = l->source;
    tlw_cook_run run = {.command = &l->command,
                        .progress = show_progress,
                        .note_file = note_file,
                        .user = l,
                        .arguments = {.input = source->file, .recipe = source->recipe}};
    tlw_scene_error error;
    tlw_exit_code code = tlw_cook_run_files(&run);
    for (uint32_t i = 0; i < run.recipe.file_count; ++i) {
        watch(l, run.recipe.files[i]);
    }
    if (code == TLW_EXIT_OK && tlw_actor_open(actor, source->file, run.output.blob,
                                              run.output.blob_bytes, &error) != TLW_SCENE_OK) {
        code = fail(l, &error);
    }
    if (code == TLW_EXIT_OK && source->motion[0] == 0) {
        tlw_asset* asset = run.asset;
        run.asset = NULL; // the actor owns it from now on
        if (tlw_actor_set_motion(actor, asset, source->file, &error) != TLW_SCENE_OK) {
            code = fail(l, &error);
        }
    }
    if (code == TLW_EXIT_OK) {
        *recipe = run.recipe;
        run.recipe = (tlw_recipe){0};
    }
    tlw_cook_run_free(&run);
    return code;
}

static tlw_exit_code load_actor(tlw_view_loader* l, tlw_actor* actor, tlw_recipe* recipe) {
    const tlw_view_source* source = l->source;
    tlw_scene_error error;
    tlw_exit_code code;
    if (!is_blob(source->file)) {
        code = cook(l, actor, recipe);
    } else if (source->recipe) {
        code = tlw_command_mistake(&l->command, "a blob is cooked already; there is no use for",
                                   source->recipe, "");
    } else {
        code = tlw_actor_read(actor, source->file, NULL, &error) == TLW_SCENE_OK ? TLW_EXIT_OK
                                                                                 : fail(l, &error);
    }
    if (code == TLW_EXIT_OK && source->motion[0]) {
        code = read_motion(l, actor);
    }
    // A clip that is not there is a mistake of the command line, and named before anything is
    // shown.
    const char* clip = source->motion[0] ? source->motion_clip : source->file_clip;
    uint32_t ignored;
    if (code == TLW_EXIT_OK && tlw_actor_find_clip(actor, clip, &ignored, &error) != TLW_SCENE_OK) {
        code = fail(l, &error);
    }
    return code;
}

static void load(void* user) {
    tlw_view_loader* l = user;
    tlw_actor actor = {0};
    tlw_recipe recipe = {0};
    speaker = l;
    l->code = load_actor(l, &actor, &recipe);
    if (l->code == TLW_EXIT_OK) {
        char message[768];
        l->model = tlw_view_model_create(&actor, message, sizeof message);
        if (l->model == NULL) {
            l->code = tlw_command_fail(&l->command, TLW_EXIT_BAD_ASSET, "%s", message);
        }
    } else {
        tlw_actor_free(&actor);
    }
    if (l->model) {
        l->model->has_recipe = !is_blob(l->source->file);
        l->model->recipe = recipe;
    } else {
        tlw_recipe_free(&recipe);
    }
    atomic_store_explicit(&l->is_done, 1, memory_order_release);
}

static void prepare(tlw_view_loader* l) {
    forget_files(&l->files);
    watch(l, l->source->file);
    if (l->source->recipe) {
        watch(l, l->source->recipe);
    }
    if (l->source->motion[0]) {
        watch(l, l->source->motion);
    }
    l->model = NULL;
    l->message[0] = 0;
    show_progress("reading", 0.0, l);
    atomic_store_explicit(&l->is_done, 0, memory_order_relaxed);
}

void tlw_view_load_begin(tlw_view_loader* l) {
    if (l->has_thread) {
        l->is_asked_again = true;
        return;
    }
    prepare(l);
    tlw_thread_def def = tlw_default_thread_def();
    def.main = load;
    def.user = l;
    def.name = "loading";
    l->has_thread = tlw_thread_start(&l->thread, &def) == TLW_OK;
    if (!l->has_thread) { // then the window stands still meanwhile
        load(l);
    }
}

static tlw_view_load_state take_news(tlw_view_loader* l, tlw_view_load_news* news) {
    atomic_store_explicit(&l->is_done, 0, memory_order_relaxed);
    news->model = l->model;
    news->code = l->code;
    snprintf(news->message, sizeof news->message, "%s", l->message);
    l->model = NULL;
    return news->model ? TLW_VIEW_LOAD_GOOD : TLW_VIEW_LOAD_BAD;
}

tlw_view_load_state tlw_view_load_poll(tlw_view_loader* l, tlw_view_load_news* news) {
    *news = (tlw_view_load_news){.stage = atomic_load_explicit(&l->stage, memory_order_relaxed)};
    news->share = atomic_load_explicit(&l->share, memory_order_relaxed) / 1000.0;
    if (atomic_load_explicit(&l->is_done, memory_order_acquire) == 0) {
        return l->has_thread ? TLW_VIEW_LOAD_RUNS : TLW_VIEW_LOAD_RESTS;
    }
    if (l->has_thread) {
        tlw_thread_join(&l->thread);
        l->has_thread = false;
    }
    const tlw_view_load_state state = take_news(l, news);
    if (l->is_asked_again) {
        l->is_asked_again = false;
        tlw_view_load_begin(l);
    }
    return state;
}

tlw_view_load_state tlw_view_load_now(tlw_view_loader* l, tlw_view_load_news* news) {
    *news = (tlw_view_load_news){0};
    prepare(l);
    load(l);
    return take_news(l, news);
}

tlw_view_loader* tlw_view_loader_create(const tlw_view_source* source) {
    tlw_view_loader* l = calloc(1, sizeof *l);
    if (l) {
        l->source = source;
        l->command = tlw_view_command;
        l->command.hear = hear;
    }
    return l;
}

void tlw_view_loader_free(tlw_view_loader* l) {
    if (l == NULL) {
        return;
    }
    if (l->has_thread) {
        tlw_thread_join(&l->thread);
    }
    tlw_view_model_release(l->model);
    forget_files(&l->files);
    free(l);
}
