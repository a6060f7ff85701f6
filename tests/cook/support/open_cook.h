// SPDX-License-Identifier: MIT
// A cook that stays open after its last stage, for tests that look into what stages left.
#ifndef TLW_TESTS_COOK_SUPPORT_OPEN_COOK_H
#define TLW_TESTS_COOK_SUPPORT_OPEN_COOK_H

#include "tests/test.h"
#include "tools/cook/stages.h"

typedef struct open_cook {
    tlw_task_system tasks;
    tlw_cook_recipe recipe;
    tlw_cook cook;
} open_cook;

// Set what the recipe asks for before opening.
TLW_INLINE tlw_result open_cook_run(open_cook* c, const tlw_cook_input* input) {
    c->tasks = tlw_serial_task_system();
    c->cook = (tlw_cook){.input = input, .recipe = &c->recipe, .tasks = &c->tasks};
    return tlw_cook_run_stages(&c->cook);
}

TLW_INLINE void open_cook_close(open_cook* c) {
    tlw_cook_free_stages(&c->cook);
}

#endif
