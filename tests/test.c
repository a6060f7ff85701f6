// SPDX-License-Identifier: MIT
// The test runner: main() of every test executable, checks and small helpers.
//   test_platform [--list] [NAME-PART...]   runs all tests, or those whose name contains one of the
//   parts
// A watchdog names a test that hangs and aborts. TLW_TEST_SECONDS sets how long a test may take.
#define _XOPEN_SOURCE 700
#include "tests/test.h"

#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/file.h"
#include "platform/thread.h"
#include "tools/command/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if TLW_OS_WINDOWS
#    include <direct.h>
#    include <process.h>
#else
#    include <ftw.h>
#    include <sys/stat.h>
#endif
#if !defined(TLW_TEST_FALLBACK)
#    include <cmocka.h>
#endif

static tlw_test_case* first_test;
static size_t test_count;

static bool comes_before(const tlw_test_case* a, const tlw_test_case* b) {
    int order = strcmp(a->file, b->file);
    return order != 0 ? order < 0 : a->line < b->line;
}

// Keeps the list in order of file and line, whatever order constructors run in, so that a run reads
// like the source.
void tlw_test_register(tlw_test_case* test) {
    tlw_test_case** at = &first_test;
    while (*at && comes_before(*at, test)) {
        at = &(*at)->next;
    }
    test->next = *at;
    *at = test;
    test_count += 1;
}

// ---- Watchdog

// Much longer than any test takes on a loaded machine, and less than ctest allows
// (TallowTests.cmake).
#if TLW_UNDER_SANITIZER || defined(TLW_TEST_FALLBACK)
#    define SECONDS_PER_TEST 600
#else
#    define SECONDS_PER_TEST 150
#endif

static tlw_atomic_pointer watched_test; // name, or null between tests
static tlw_atomic_u64 watched_until;
static uint64_t allowed_ns;

static void watchdog(void* user) {
    (void)user;
    for (;;) {
        tlw_thread_sleep_ns(50000000);
        const char* name = atomic_load(&watched_test);
        if (name && tlw_clock_ns() > atomic_load(&watched_until)) {
            fprintf(stderr, "watchdog: %s hangs: it has run for %g s\n", name,
                    (double)allowed_ns * 1e-9);
            fflush(stderr);
            abort();
        }
    }
}

static bool start_watchdog(void) {
    static tlw_thread thread; // never joined: it ends with the process
    const char* asked = getenv("TLW_TEST_SECONDS");
    const double seconds = asked ? strtod(asked, NULL) : 0;
    allowed_ns = (uint64_t)((seconds > 0 ? seconds : SECONDS_PER_TEST) * 1e9);
    tlw_thread_def def = tlw_default_thread_def();
    def.main = watchdog;
    def.name = "watchdog";
    return tlw_thread_start(&thread, &def) == TLW_OK;
}

// Null if no test runs.
static void watch(const tlw_test_case* test) {
    atomic_store(&watched_until, tlw_clock_ns() + allowed_ns);
    atomic_store(&watched_test, test ? (void*)(uintptr_t)test->name : NULL);
}

#if defined(TLW_TEST_FALLBACK)
enum { TEST_FAILED = 1, TEST_SKIPPED = 2 };
static jmp_buf test_end;

_Noreturn void tlw_test_fail(const char* file, int line, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%d: ", file, line);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    longjmp(test_end, TEST_FAILED);
}

_Noreturn void tlw_test_skip(const char* file, int line, const char* reason) {
    printf("%s:%d: skipped: %s\n", file, line, reason);
    longjmp(test_end, TEST_SKIPPED);
}

// A function of its own, so that no local variable is live across setjmp that longjmp could
// clobber.
static int run_one(tlw_test_case* test) {
    int end = setjmp(test_end);
    if (end == 0) {
        test->run();
    }
    return end;
}

static int run_all(tlw_test_case** tests, size_t count) {
    static const char* const words[] = {"      OK", " FAILED ", " SKIPPED"};
    size_t ends[3] = {0};
    for (size_t i = 0; i < count; ++i) {
        printf("[ RUN      ] %s\n", tests[i]->name);
        fflush(stdout);
        watch(tests[i]);
        int end = run_one(tests[i]);
        ends[end] += 1;
        printf("[ %s ] %s\n", words[end], tests[i]->name);
        fflush(stdout);
    }
    printf("%zu passed, %zu failed, %zu skipped\n", ends[0], ends[TEST_FAILED], ends[TEST_SKIPPED]);
    return ends[TEST_FAILED] == 0 ? 0 : 1;
}
#else
_Noreturn void tlw_test_fail(const char* file, int line, const char* format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_error("%s\n", text);
    _fail(file, line);
    abort(); // _fail does not return, but does not say so
}

_Noreturn void tlw_test_skip(const char* file, int line, const char* reason) {
    print_message("%s:%d: skipped: %s\n", file, line, reason);
    _skip(file, line);
    abort(); // likewise
}

static void run_one(void** state) {
    tlw_test_case* test = *state;
    watch(test);
    test->run();
}

static int run_all(tlw_test_case** tests, size_t count) {
    struct CMUnitTest* list = calloc(count, sizeof *list);
    for (size_t i = 0; i < count; ++i) {
        list[i] = (struct CMUnitTest){
            .name = tests[i]->name, .test_func = run_one, .initial_state = tests[i]};
    }
    int failed = _cmocka_run_group_tests("tallow", list, count, NULL, NULL);
    free(list);
    return failed == 0 ? 0 : 1;
}
#endif

void tlw_check_int(const char* file, int line, const char* what, int64_t a, int64_t b) {
    if (a != b) {
        tlw_test_fail(file, line, "%s: %lld is not %lld", what, (long long)a, (long long)b);
    }
}

void tlw_check_uint(const char* file, int line, const char* what, uint64_t a, uint64_t b) {
    if (a != b) {
        tlw_test_fail(file, line, "%s: %llu (0x%llx) is not %llu (0x%llx)", what,
                      (unsigned long long)a, (unsigned long long)a, (unsigned long long)b,
                      (unsigned long long)b);
    }
}

void tlw_check_double(const char* file, int line, const char* what, double a, double b) {
    if (!(a == b)) {
        tlw_test_fail(file, line, "%s: %.17g is not %.17g", what, a, b);
    }
}

void tlw_check_pointer(const char* file, int line, const char* what, const void* a, const void* b) {
    if (a != b) {
        tlw_test_fail(file, line, "%s: %p is not %p", what, a, b);
    }
}

void tlw_check_near(const char* file, int line, const char* what, double a, double b,
                    double tolerance) {
    double difference = a > b ? a - b : b - a;
    if (!(difference <= tolerance)) { // a NaN fails
        tlw_test_fail(file, line, "%s: %.17g and %.17g differ by %.3g, more than %.3g", what, a, b,
                      difference, tolerance);
    }
}

void tlw_check_order(const char* file, int line, const char* what, long double a, long double b,
                     bool may_be_equal) {
    if (!(may_be_equal ? a <= b : a < b)) {
        tlw_test_fail(file, line, "%s does not hold for %.17g and %.17g", what, (double)a,
                      (double)b);
    }
}

void tlw_check_string(const char* file, int line, const char* what, const char* a, const char* b) {
    if (a == NULL || b == NULL || strcmp(a, b) != 0) {
        tlw_test_fail(file, line, "%s: \"%s\" is not \"%s\"", what, a ? a : "(null)",
                      b ? b : "(null)");
    }
}

void tlw_check_contains(const char* file, int line, const char* text, const char* part) {
    if (text == NULL || strstr(text, part) == NULL) {
        tlw_test_fail(file, line, "\"%s\" is not in \"%s\"", part, text ? text : "(null)");
    }
}

void tlw_check_bytes(const char* file, int line, const char* what, const void* a, const void* b,
                     size_t bytes) {
    const uint8_t* left = a;
    const uint8_t* right = b;
    for (size_t i = 0; i < bytes; ++i) {
        if (left[i] != right[i]) {
            tlw_test_fail(file, line, "%s: byte %zu of %zu is 0x%02x, not 0x%02x", what, i, bytes,
                          left[i], right[i]);
        }
    }
}

void tlw_test_number(uint32_t* out, uint32_t count, tlw_test_order order, uint64_t* random) {
    for (uint32_t i = 0; i < count; ++i) {
        out[i] = order == TLW_TEST_BACKWARD ? count - 1 - i : i;
    }
    for (uint32_t i = count; i > 1 && order == TLW_TEST_SHUFFLED; --i) {
        const uint32_t other = (uint32_t)(tlw_test_random(random) % i), kept = out[other];
        out[other] = out[i - 1];
        out[i - 1] = kept;
    }
}

static char folder[512];

#if !TLW_OS_WINDOWS
static int remove_entry(const char* path, const struct stat* status, int kind, struct FTW* walk) {
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}
#endif

static void remove_test_folder(void) {
    if (folder[0]) {
#if TLW_OS_WINDOWS
        char command[600];
        snprintf(command, sizeof command, "rmdir /s /q \"%s\" 2>nul", folder);
        (void)system(command);
#else
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
#endif
    }
}

char* tlw_test_read_text(const char* path, size_t* size) {
    uint8_t* bytes;
    size_t count;
    tlw_file_error error;
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.grow = tlw_heap_grow;
    if (tlw_file_read(&def, &bytes, &count, &error) != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    char* text = realloc(bytes, count + 1);
    CHECK(text != NULL);
    text[count] = 0;
    if (size) {
        *size = count;
    }
    return text;
}

const char* tlw_test_folder(void) {
    if (!folder[0]) {
#if TLW_OS_WINDOWS
        const char* base = getenv("TEMP");
        snprintf(folder, sizeof folder, "%s\\tallow_test_%d", base && base[0] ? base : ".",
                 _getpid());
        remove_test_folder(); // process ids are reused
        (void)_mkdir(folder);
#else
        const char* base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/tallow_test_XXXXXX", base && base[0] ? base : "/tmp");
        if (mkdtemp(folder) == NULL) {
            fprintf(stderr, "cannot make a folder for tests: %s\n", folder);
            exit(1);
        }
#endif
    }
    return folder;
}

static bool is_wanted(const tlw_test_case* test, int count, char** parts) {
    bool wanted = count == 0;
    for (int i = 0; i < count; ++i) {
        wanted = wanted || strstr(test->name, parts[i]) != NULL;
    }
    return wanted;
}

int main(int argc, char** argv) {
    bool list = argc == 2 && strcmp(argv[1], "--list") == 0;
    tlw_test_case** tests = calloc(test_count + 1, sizeof *tests);
    size_t count = 0;
    for (tlw_test_case* test = first_test; test; test = test->next) {
        if (list) {
            printf("%s\n", test->name);
        } else if (is_wanted(test, argc - 1, argv + 1)) {
            tests[count++] = test;
        }
    }
    int result = 0;
    if (!list) {
        if (count == 0) {
            fprintf(stderr, "no test of this name here; --list shows them\n");
            result = 2;
        } else if (!start_watchdog()) {
            fprintf(stderr, "cannot start the thread that watches the tests\n");
            result = 2;
        } else {
            result = run_all(tests, count);
            watch(NULL);
        }
    }
    remove_test_folder();
    free(tests);
    return result;
}
