// SPDX-License-Identifier: MIT
// The run without a window: steps the character at 60 Hz and writes pictures as PNG. It runs twice:
// first without drawing, to find the deviation that has the hottest colour, so that colours mean
// the same in all pictures.
#include "platform/clock.h"
#include "tools/command/output_file.h"
#include "tools/view/app.h"
#include "tools/view/context.h"
#include "tools/view/picture.h"

#include <stdio.h>
#include <stdlib.h>

#define FRAME_SECONDS (1.0 / 60.0)
#define SHORTER_SIDE  540.0f // pixels of a picture whose letters and lines have scale 1

typedef struct run {
    tlw_view_app* app;
    tlw_studio* studio;
    tlw_view_picture* meshes;
    tlw_picture picture;
    uint8_t* rgba;
    uint32_t drawn; // pictures so far
    uint64_t step_ns, draw_ns;
} run;

static tlw_exit_code fail(const char* why) {
    return tlw_command_fail(&tlw_view_command, TLW_EXIT_FAILED, "%s", why);
}

// The GPU's rows begin at the bottom.
static void copy_picture(run* r) {
    const size_t width = r->picture.width, height = r->picture.height;
    tlw_studio_read(r->studio, r->rgba);
    for (size_t y = 0; y < height; ++y) {
        const uint8_t* row = r->rgba + (height - 1 - y) * width * 4;
        for (size_t x = 0; x < width; ++x) {
            r->picture.pixels[y * width + x] =
                (tlw_rgb){(float)row[x * 4] / 255.0f, (float)row[x * 4 + 1] / 255.0f,
                          (float)row[x * 4 + 2] / 255.0f};
        }
    }
}

static void draw(const run* r) {
    const tlw_view_size size = r->app->options->size;
    const uint32_t shorter = size.width < size.height ? size.width : size.height;
    const float scale = (float)shorter / SHORTER_SIDE;
    const tlw_view_area whole = {.width = size.width, .height = size.height};
    tlw_view_draw(r->app, r->meshes, r->studio, whole, scale, false);
}

static tlw_exit_code write_picture(run* r) {
    static tlw_output_file file;
    char path[TLW_PATH_MAX];
    if (!tlw_view_pattern_path(r->app->options->png, r->drawn, path, sizeof path)) {
        return tlw_command_fail(&tlw_view_command, TLW_EXIT_CANNOT_WRITE,
                                "the name of a picture is too long");
    }
    tlw_exit_code code = tlw_output_file_begin(&tlw_view_command, &file, path);
    if (code == TLW_EXIT_OK) {
        const uint64_t start = tlw_clock_ns();
        draw(r);
        glFinish();
        r->draw_ns += tlw_clock_ns() - start;
        copy_picture(r);
        code = tlw_output_file_committed(&tlw_view_command, &file,
                                         tlw_picture_commit(&r->picture, &file.writer));
    }
    tlw_output_file_abandon(&file);
    ++r->drawn;
    return code;
}

static void find_farthest(tlw_view_app* app) {
    const tlw_view_camera camera = app->camera;
    float farthest[TLW_VIEW_CHARACTERS] = {0.0f, 0.0f};
    tlw_view_restart(app);
    for (uint32_t frame = 1; frame < app->options->frames; ++frame) {
        tlw_view_step(app, FRAME_SECONDS);
    }
    for (uint32_t i = 0; i < app->side_count; ++i) {
        farthest[i] = app->sides[i].character.farthest;
    }
    tlw_view_restart(app);
    for (uint32_t i = 0; i < app->side_count; ++i) {
        app->sides[i].character.farthest = farthest[i];
    }
    tlw_view_measure(app);
    app->camera = camera;
}

static uint32_t pane_count(const tlw_view_app* app) {
    tlw_view_pane panes[TLW_VIEW_PANES_MAX];
    const uint32_t count = tlw_view_panes(app, (tlw_view_area){.width = 64, .height = 64}, panes);
    return count > 0 ? count : 1;
}

static tlw_exit_code draw_all(run* r) {
    const tlw_view_options* o = r->app->options;
    tlw_exit_code code = TLW_EXIT_OK;
    find_farthest(r->app);
    for (uint32_t frame = 0; frame < o->frames && code == TLW_EXIT_OK; ++frame) {
        if (frame > 0) {
            const uint64_t start = tlw_clock_ns();
            tlw_view_step(r->app, FRAME_SECONDS);
            r->step_ns += tlw_clock_ns() - start;
        }
        if (frame % o->every == 0) {
            code = write_picture(r);
        }
    }
    if (code == TLW_EXIT_OK) {
        printf("%u frames, %.2f ms each to step; %u pictures, %.2f ms each to draw, by %s\n",
               o->frames, (double)r->step_ns * 1e-6 / o->frames, r->drawn,
               (double)r->draw_ns * 1e-6 / r->drawn, (const char*)glGetString(GL_RENDERER));
        if (o->wants_hash) {
            printf("hash %016llx\n", (unsigned long long)tlw_view_hash(r->app));
        }
        code = tlw_output_flush(&tlw_view_command);
    }
    return code;
}

tlw_exit_code tlw_view_run_windowless(tlw_view_app* app) {
    const tlw_view_size size = app->options->size;
    char why[TLW_VIEW_WHY_BYTES];
    tlw_view_context context;
    run r = {.app = app};
    tlw_exit_code code = tlw_view_load_all(app);
    if (code != TLW_EXIT_OK) {
        return code;
    }
    if (!tlw_view_context_open_windowless(&context, why)) {
        code = fail(why);
    } else if ((r.studio = tlw_studio_create(size.width, size.height, why)) == NULL) {
        code = fail(why);
    } else {
        r.rgba = malloc((size_t)size.width * size.height * 4);
        r.meshes = tlw_view_picture_create();
        tlw_view_frame(app, size.width / pane_count(app), size.height);
        code = r.rgba && r.meshes && tlw_picture_create(&r.picture, size.width, size.height)
                   ? draw_all(&r)
                   : fail("out of memory");
    }
    free(r.rgba);
    tlw_view_picture_free(r.meshes);
    tlw_picture_free(&r.picture);
    tlw_studio_free(r.studio);
    tlw_view_context_close(&context);
    return code;
}
