// SPDX-License-Identifier: MIT
// Progress of commands: a line that is written over on a terminal, plain lines in a log.
#include "tests/test.h"
#include "tools/command/progress.h"

#include <stdio.h>
#include <string.h>

static uint64_t now_ns;

static uint64_t clock_by_hand(void) {
    return now_ns;
}

static void at(tlw_progress* p, double seconds, const char* stage, double share) {
    now_ns = 1000 + (uint64_t)(seconds * 1e9);
    tlw_progress_show(stage, share, p);
}

static tlw_progress begin(bool is_terminal) {
    now_ns = 1000;
    return (tlw_progress){"tallow-cook: hero.glb", tmpfile(), is_terminal,
                          clock_by_hand,           1000,      1000};
}

static const char* text_of(tlw_progress* p) {
    static char text[512];
    rewind(p->out);
    text[fread(text, 1, sizeof text - 1, p->out)] = 0;
    fclose(p->out);
    return text;
}

TLW_TEST(a_log_gets_a_line_every_five_seconds_and_none_of_what_is_over_sooner) {
    tlw_progress p = begin(false);
    at(&p, 0.0, "check", 0.0);
    at(&p, 4.9, "weld", 0.1);
    at(&p, 5.0, "voxelise", 0.2);
    at(&p, 9.9, "voxelise", 0.3);
    at(&p, 12.0, "weights and links", 0.456);
    at(&p, 60.0, "done", 1.0);
    CHECK_STRING(text_of(&p), "tallow-cook: hero.glb: 20%, voxelise, 5 s\n"
                              "tallow-cook: hero.glb: 46%, weights and links, 12 s\n");
}

TLW_TEST(a_terminal_shows_every_step_over_the_one_before) {
    tlw_progress p = begin(true);
    at(&p, 0.0, "check", 0.0);
    at(&p, 0.1, "done", 1.0);
    const char* text = text_of(&p);
    CHECK_CONTAINS(text, "\r[  0%] check ");
    CHECK_CONTAINS(text, "\r[100%] done ");
    CHECK_EQ(text[strlen(text) - 1], '\r'); // the line is empty again
}
