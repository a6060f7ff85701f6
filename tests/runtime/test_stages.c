// SPDX-License-Identifier: MIT
// The pages that list the stages and passes agree with the tables that generate the rest: MODEL 3.1
// and 7.2, and the comment at the top of runtime/passes/kernels.h.
#include "runtime/passes/kernels.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL_FILE   TLW_TEST_RUNTIME_FOLDER "/MODEL.md"
#define KERNELS_FILE TLW_TEST_RUNTIME_FOLDER "/passes/kernels.h"

// "volume gradients": pages write a space where names have a line.
static const char* words_of(const char* name, char text[32]) {
    snprintf(text, 32, "%s", name);
    for (char* at = strchr(text, '_'); at; at = strchr(at, '_')) {
        *at = ' ';
    }
    return text;
}

// The pages list an ordinary substep with regions of width 3; the other stages stand for some of
// these.
static bool is_listed(const tlw_stage_info* stage) {
    return (stage->only == TLW_ONLY_ALL || stage->only == TLW_ONLY_WIDTH_3) &&
           stage->phase != TLW_PHASE_CARRIED;
}

// The part of the page after the first `mark`. It must have one.
static const char* after(const char* page, const char* mark) {
    CHECK_CONTAINS(page, mark);
    return strstr(page, mark) + strlen(mark);
}

TLW_TEST(model_lists_every_stage_in_the_order_of_the_table) {
    char* page = tlw_test_read_text(MODEL_FILE, NULL);
    const char* at = after(page, "\n| stage | reads | writes |\n| --- | --- | --- |\n");
    for (int i = 0; i < TLW_STAGE_COUNT; ++i) {
        char name[32], want[40], row[40];
        if (is_listed(&tlw_stages[i])) {
            snprintf(want, sizeof want, "| %s | ", words_of(tlw_stages[i].name, name));
            snprintf(row, sizeof row, "%.*s", (int)strlen(want), at);
            CHECK_STRING(row, want);
            at = after(at, "\n");
        }
    }
    CHECK_EQ(*at, '\n'); // no further row
    free(page);
}

// "before    skin       p_skin, Rb": the phase where it changes, then the pass.
TLW_TEST(model_lists_every_pass_in_its_phase) {
    char* page = tlw_test_read_text(MODEL_FILE, NULL);
    const char* at = after(after(page, "\n### 3.1 "), "\n```\n");
    static const char* const phases[] = {
        [TLW_PHASE_SKIN] = "before",       [TLW_PHASE_MEASURE] = "before",
        [TLW_PHASE_CORRECT] = "before",    [TLW_PHASE_BEFORE] = "before",
        [TLW_PHASE_REPEATED] = "repeated", [TLW_PHASE_AFTER] = "after",
        [TLW_PHASE_LIMIT] = "after",       [TLW_PHASE_CONTACT] = "after",
        [TLW_PHASE_END] = "after"};
    int last_pass = -1;
    const char* last_phase = NULL;
    for (int i = 0; i < TLW_STAGE_COUNT; ++i) {
        const tlw_stage_info* stage = &tlw_stages[i];
        if (!is_listed(stage) || (int)stage->pass == last_pass) {
            continue;
        }
        char want[40], line[40];
        const char* phase = phases[stage->phase];
        const bool is_first = last_phase == NULL || strcmp(phase, last_phase) != 0;
        // The second line of the repeated phase goes on with "n times".
        snprintf(want, sizeof want, "%-10s%-11s", is_first ? phase : "",
                 tlw_pass_name(stage->pass));
        snprintf(line, sizeof line, "%.*s", (int)strlen(want), at);
        if (!is_first && strncmp(line, "n times   ", 10) == 0) {
            memset(line, ' ', 10);
        }
        CHECK_STRING(line, want);
        at = after(at, "\n");
        last_pass = (int)stage->pass;
        last_phase = phase;
    }
    CHECK(strncmp(at, "```", 3) == 0); // no further line
    free(page);
}

// Adds the stages of the phases from `first` to `last` to a list: "skin, predict | stretch".
static void list_groups(tlw_phase first, tlw_phase last, char* groups, size_t bytes) {
    for (int i = 0; i < TLW_STAGE_COUNT; ++i) {
        const tlw_stage_info* stage = &tlw_stages[i];
        if (is_listed(stage) && stage->phase >= first && stage->phase <= last) {
            const size_t used = strlen(groups);
            char name[32];
            snprintf(groups + used, bytes - used, "%s%s",
                     used == 0                 ? ""
                     : stage->reads_neighbours ? " | "
                                               : ", ",
                     words_of(stage->name, name));
        }
    }
}

TLW_TEST(model_groups_the_stages_as_the_table_does) {
    char* page = tlw_test_read_text(MODEL_FILE, NULL);
    char groups[512] = "", line[520], measured[128] = "", corrected[64] = "";
    list_groups(TLW_PHASE_SKIN, TLW_PHASE_SKIN, groups, sizeof groups);
    list_groups(TLW_PHASE_BEFORE, TLW_PHASE_END, groups, sizeof groups);
    snprintf(line, sizeof line, "\n%s\n", groups);
    CHECK_CONTAINS(after(page, "\n### 7.2 "), line);
    // Where volume is kept, the lengths are solved for before the last of these groups.
    list_groups(TLW_PHASE_SKIN, TLW_PHASE_MEASURE, measured, sizeof measured);
    list_groups(TLW_PHASE_CORRECT, TLW_PHASE_BEFORE, corrected, sizeof corrected);
    snprintf(line, sizeof line, "`%s | %s`", measured, corrected);
    CHECK_CONTAINS(after(page, "\n### 7.2 "), line);
    free(page);
}

TLW_TEST(kernel_header_says_what_every_stage_reads_and_writes) {
    char* header = tlw_test_read_text(KERNELS_FILE, NULL);
    for (int i = 0; i < TLW_STAGE_COUNT; ++i) {
        char name[32], line[64];
        snprintf(line, sizeof line, "\n//     %-16s ", words_of(tlw_stages[i].name, name));
        CHECK_CONTAINS(header, line);
    }
    free(header);
}
