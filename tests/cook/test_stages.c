// SPDX-License-Identifier: MIT
// The table of stages in tools/cook/README.md agrees with TLW_COOK_STAGES: the same stages in the
// same order, each with a file and the section of RULES.md that it implements.
#include "tests/test.h"
#include "tools/cook/stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TLW_TEST(cook_readme_lists_every_stage_in_the_order_of_the_table) {
    static const struct {
        const char* name;
        int rule;
    } stages[] = {
#define STAGE(name, function, shown, rule, cost) {#name, rule},
        TLW_COOK_STAGES(STAGE)
#undef STAGE
    };
    static const char head[] =
        "\n| stage | file | rule | what it does |\n| --- | --- | --- | --- |\n";
    char* page = tlw_test_read_text(TLW_TEST_COOK_FOLDER "/README.md", NULL);
    CHECK_CONTAINS(page, head);
    const char* at = strstr(page, head) + strlen(head);
    for (size_t i = 0; i < TLW_COUNT_OF(stages); ++i) {
        char name[32] = "", file[40] = "", path[1024];
        int rule = 0;
        CHECK_EQ(sscanf(at, "| %31s | `%39[a-z_.]` | %d | ", name, file, &rule), 3);
        CHECK_STRING(name, stages[i].name);
        CHECK_EQ(rule, stages[i].rule);
        snprintf(path, sizeof path, "%s/%s", TLW_TEST_COOK_FOLDER, file);
        free(tlw_test_read_text(path, NULL)); // it exists
        at = strchr(at, '\n') + 1;
    }
    CHECK_EQ(*at, '\n'); // no further row
    free(page);
}
