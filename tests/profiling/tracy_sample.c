// SPDX-License-Identifier: MIT
// A program to capture by hand with Tracy's own tools (profiling/README.md): nested zones, early
// returns, a table of sites, pools, plots, messages and frame marks on two threads. Prints the
// counts that the capture must show.
#include <stdio.h>

#include "platform/thread.h"
#include "profiling/profile.h"

enum { FRAMES = 100, CHARACTERS = 8, WAYS = 4, THREADS = 2 };

#define SAMPLE_PASSES(X)       \
    X("pass strain", 0xFF8800) \
    X("pass goal", 0x0088FF)

#define SAMPLE_SITE(name, rgb) TLW_ZONE_SITE(name, rgb),
static const tlw_zone_site pass_sites[] = {SAMPLE_PASSES(SAMPLE_SITE)};
#undef SAMPLE_SITE

static volatile unsigned work_sink;

static int simulate_character(int number) {
    int way = number % WAYS;
    TLW_ZONE("character");
    TLW_ZONE_VALUE(number);
    TLW_ZONE_NAME(way == 0 ? "character at rest" : "character at work");
    if (way == 0) {
        return 0;
    }
    for (int pass = 0; pass < 2; ++pass) {
        TLW_ZONE_AT(&pass_sites[pass]);
        if (way == 1) {
            return 1;
        }
        for (unsigned i = 0; i < 200; ++i) {
            work_sink += i;
        }
        if (way == 2) {
            break;
        }
    }
    TLW_ZONE_COLOUR("skin", 0x33CC33);
    TLW_ZONE("skin inner");
    return way;
}

static void run_frames(void* user) {
    bool is_main = user == NULL;
    TLW_THREAD_NAME(is_main ? "sample main" : "sample worker");
    for (int frame = 0; frame < FRAMES; ++frame) {
        TLW_ZONE("frame work");
        char state[64];
        TLW_POOL_ALLOC("state", state, sizeof state);
        for (int number = 0; number < CHARACTERS; ++number) {
            simulate_character(number);
        }
        TLW_PLOT("load", frame * 0.5);
        if (frame % 10 == 0) {
            TLW_MESSAGE("ten frames");
        }
        tlw_thread_sleep_ns(2000000);
        TLW_POOL_FREE("state", state, sizeof state);
        if (is_main) {
            TLW_FRAME_MARK();
        }
    }
}

int main(void) {
    tlw_thread_sleep_ns(1500000000); // gives the capture tool time to connect
    tlw_thread worker;
    tlw_thread_def def = tlw_default_thread_def();
    def.main = run_frames;
    def.user = &worker;
    if (tlw_thread_start(&worker, &def) != TLW_OK) {
        return 1;
    }
    run_frames(NULL);
    tlw_thread_join(&worker);
    tlw_thread_sleep_ns(500000000);

    int each_way = THREADS * FRAMES * CHARACTERS / WAYS;
    printf("frame work %d\ncharacter %d\npass strain %d\npass goal %d\nskin %d\nskin inner %d\n",
           THREADS * FRAMES, WAYS * each_way, 3 * each_way, each_way, 2 * each_way, 2 * each_way);
    printf("frame marks %d\nmessages %d\n", FRAMES, THREADS * FRAMES / 10);
    return 0;
}
