// SPDX-License-Identifier: MIT
// The handlers for asserts and log lines, names of results and instruction sets, and the serial
// task system. Asserts are compiled into this file in every build, so that Release runs these tests
// too.
#undef TLW_ENABLE_ASSERTS
#define TLW_ENABLE_ASSERTS 1
#include "platform/handlers.h"
#include "platform/isa.h"
#include "platform/result.h"
#include "platform/task.h"
#include "tests/platform/captured_log.h"
#include "tests/test.h"

#include <string.h>

int tlw_test_asserts_compiled_out(int* evaluated);

typedef struct captured_assert {
    int count, line;
    char text[256];
} captured_assert;

static bool capture_assert(const char* condition, const char* message, const char* file, int line,
                           void* user) {
    captured_assert* seen = user;
    seen->count += 1;
    seen->line = line;
    snprintf(seen->text, sizeof seen->text, "%s|%s|%s", condition, message, file);
    return false;
}

TLW_TEST(assert_calls_the_engines_handler_with_condition_message_and_place) {
    captured_assert seen = {0};
    tlw_set_assert_handler(capture_assert, &seen);
    int value = 3;
    TLW_ASSERT(value == 3);
    CHECK_EQ(seen.count, 0);
    TLW_ASSERT_MESSAGE(value == 4, "four is wanted");
    int line = __LINE__ - 1;
    tlw_set_assert_handler(NULL, NULL);
    CHECK_EQ(seen.count, 1);
    CHECK_EQ(seen.line, line);
    CHECK_CONTAINS(seen.text, "value == 4|four is wanted|");
    CHECK_CONTAINS(seen.text, "test_handlers.c");
}

TLW_TEST(assert_compiled_out_does_not_evaluate_its_condition) {
    int evaluated = 0;
    CHECK_EQ(tlw_test_asserts_compiled_out(&evaluated), 5);
    CHECK_EQ(evaluated, 0);
}

TLW_TEST(log_reaches_the_engines_handler_and_cuts_long_lines) {
    captured_log log;
    captured_log_begin(&log);
    tlw_log(TLW_LOG_WARNING, "%d voxels", 7);
    CHECK_STRING(log.text, "7 voxels");
    CHECK_EQ(log.level, TLW_LOG_WARNING);
    char longer[2000];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    tlw_log(TLW_LOG_INFO, "%s", longer);
    captured_log_end();
    CHECK_EQ(strlen(log.text), 511);
    CHECK_STRING(log.text + 508, "...");
    CHECK_EQ(log.count, 2);
}

TLW_TEST(results_have_distinct_names_and_meanings) {
    for (int i = 0; i < TLW_RESULT_COUNT; ++i) {
        CHECK(strncmp(tlw_result_name((tlw_result)i), "TLW_", 4) == 0);
        CHECK(strlen(tlw_result_meaning((tlw_result)i)) > 1);
        for (int k = 0; k < i; ++k) {
            CHECK(strcmp(tlw_result_name((tlw_result)i), tlw_result_name((tlw_result)k)) != 0);
        }
    }
    CHECK_STRING(tlw_result_name((tlw_result)9999), "TLW_ERROR_UNKNOWN");
    CHECK_STRING(tlw_result_name((tlw_result)-1), "TLW_ERROR_UNKNOWN");
    CHECK_STRING(tlw_result_meaning((tlw_result)-1), "unknown result");
}

TLW_TEST(isa_names_go_both_ways_and_the_best_one_is_supported) {
    for (unsigned i = 0; i < TLW_ISA_COUNT; ++i) {
        tlw_isa isa = TLW_ISA_COUNT;
        CHECK(tlw_isa_from_name(tlw_isa_name((tlw_isa)i), &isa));
        CHECK_EQ(isa, i);
    }
    tlw_isa untouched = TLW_ISA_NEON;
    CHECK(!tlw_isa_from_name("avx1024", &untouched));
    CHECK_EQ(untouched, TLW_ISA_NEON);
    CHECK(tlw_isa_is_supported(TLW_ISA_SCALAR));
    CHECK(tlw_isa_is_supported(tlw_isa_best()));
    CHECK(!tlw_isa_is_supported(TLW_ISA_COUNT));
    CHECK_EQ(tlw_isa_is_supported(TLW_ISA_SSE2), TLW_CPU_X64);
    CHECK_EQ(tlw_isa_is_supported(TLW_ISA_NEON), TLW_CPU_ARM64);
    CHECK_STRING(tlw_isa_name((tlw_isa)77), "unknown");
}

typedef struct touched_items {
    uint8_t seen[100];
    int calls;
} touched_items;

static void touch(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    touched_items* items = context;
    CHECK_EQ(worker, 0);
    items->calls += 1;
    for (uint32_t i = begin; i < end; ++i) {
        items->seen[i] += 1;
    }
}

TLW_TEST(serial_task_system_runs_every_item_once_before_enqueue_returns) {
    tlw_task_system system = tlw_serial_task_system();
    touched_items items = {0};
    CHECK_EQ(system.worker_count, 1);
    CHECK(system.enqueue(touch, 100, 7, &items, system.user) == NULL);
    for (int i = 0; i < 100; ++i) {
        CHECK_EQ(items.seen[i], 1);
    }
    int calls = items.calls;
    CHECK(system.enqueue(touch, 0, 1, &items, system.user) == NULL);
    CHECK_EQ(items.calls, calls);
}
