// SPDX-License-Identifier: MIT
// Shared by the models: a word to sleep on; expect(), which checks that a protocol holds in every
// interleaving, or that a planted bug is found in one; and check_orders(), which weakens the memory
// orders of the library's code one at a time and expects each to be noticed.
#ifndef TLW_TESTS_MODEL_MODEL_H
#define TLW_TESTS_MODEL_MODEL_H

#include "platform/atomic.h" // the one in searched/

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <iostream>
#include <ostream>
#include <relacy/relacy.hpp>

// What a thread sleeps on: tlw_wait and tlw_wake_one (searched/platform/thread.h) as
// platform/wait_table.c implements them. Comparing and going to sleep are atomic under the mutex.
// (relacy's own futex has fences, which would hide an order that we lack.)
struct sleeping_place {
    const tlw_atomic_u32* word;
    rl::mutex mutex;
    rl::condition_variable changed;
};

// Those of the model that runs; each model sets them before each interleaving.
inline sleeping_place* sleeping_places;

inline sleeping_place* place_of(const tlw_atomic_u32* word) {
    sleeping_place* place = sleeping_places;
    while (place->word != word) {
        place += 1;
    }
    return place;
}

// Searches all interleavings if `context_bound` is 0, otherwise those with up to that many
// preemptions.
template <typename model> bool holds(unsigned context_bound, rl::iteration_t* iterations) {
    // Not a string stream: relacy replaces operator new, which the library's streams do not expect.
    std::ostream quiet(std::getenv("TLW_MODEL_TRACE") ? std::cout.rdbuf() : nullptr);
    rl::test_params params;
    params.search_type = context_bound ? rl::sched_bound : rl::sched_full;
    params.context_bound = context_bound;
    params.execution_depth_limit = 4000;
    params.output_stream = &quiet;
    params.progress_stream = &quiet;
    bool result = rl::simulate<model>(params);
    *iterations = params.stop_iteration;
    return result;
}

template <typename model> int expect(const char* name, bool should_hold, unsigned context_bound) {
    rl::iteration_t iterations = 0;
    const std::clock_t start = std::clock();
    bool held = holds<model>(context_bound, &iterations);
    std::printf("%-52s %s after %llu interleavings, %.1f s%s\n", name, held ? "holds" : "fails",
                (unsigned long long)iterations, double(std::clock() - start) / CLOCKS_PER_SEC,
                held == should_hold ? "" : "  <-- WRONG");
    std::fflush(stdout);
    return held == should_hold ? 0 : 1;
}

// A search that must fail once an order is weakened.
typedef bool orders_search(void);

template <typename model, unsigned context_bound> bool search() {
    rl::iteration_t iterations;
    return holds<model>(context_bound, &iterations);
}

inline const char* order_name(rl::memory_order order) {
    return order == rl::mo_relaxed   ? "relaxed"
           : order == rl::mo_acquire ? "acquire"
           : order == rl::mo_release ? "release"
           : order == rl::mo_acq_rel ? "acq_rel"
                                     : "seq_cst";
}

// The orders that are one step weaker than the site's. Returns how many.
inline int weaker_orders(const searched::site& site, rl::memory_order weaker[2]) {
    const bool reads = std::strcmp(site.operation, "store") != 0;
    const bool writes = std::strcmp(site.operation, "load") != 0 &&
                        std::strcmp(site.operation, "failed compare_exchange") != 0;
    switch (site.order) {
    case rl::mo_seq_cst:
        weaker[0] = !writes ? rl::mo_acquire : !reads ? rl::mo_release : rl::mo_acq_rel;
        return 1;
    case rl::mo_acq_rel:
        weaker[0] = rl::mo_acquire;
        weaker[1] = rl::mo_release;
        return 2;
    case rl::mo_relaxed:
        return 0;
    default:
        weaker[0] = rl::mo_relaxed;
        return 1;
    }
}

// The table of orders in README.md. A row is "| `file` | `function` | operation | `word` | order |
// ... |"; the last column names the models that notice, or says why none does.
struct orders_table {
    char text[1 << 16];
    size_t length;

    orders_table() : length(0) {
        std::FILE* file = std::fopen(TLW_MODEL_README, "rb");
        if (file) {
            length = std::fread(text, 1, sizeof text - 1, file);
            std::fclose(file);
        }
        text[length] = 0;
    }

    // The rest of the first row that begins with `begin`; null if there is none.
    const char* row(const char* begin) const {
        const char* found = std::strstr(text, begin);
        while (found && found != text && found[-1] != '\n') {
            found = std::strstr(found + 1, begin);
        }
        return found ? found + std::strlen(begin) : nullptr;
    }
};

// What the compiler puts before the names of the project's files.
inline const size_t root_length = sizeof __FILE__ - sizeof "tests/model/model.h";

// The file of a site below the project's root; null if it is the model's own.
inline const char* library_file(const searched::site& site) {
    const char* file = site.file ? site.file + root_length : "tests/model/";
    return std::strncmp(file, "tests/model/", 12) == 0 ? nullptr : file;
}

inline void row_begin(const searched::site& site, char* text, size_t size) {
    std::snprintf(text, size, "| `%s` | `%s` | %s | `%s` | %s | ", library_file(site),
                  site.function, site.operation, site.word, order_name(site.order));
}

// What follows the model's name in the row; null if the row does not name it.
inline const char* after_name(const char* rest, const char* name) {
    char quoted[64];
    std::snprintf(quoted, sizeof quoted, "`%s`", name);
    const char* found = std::strstr(rest, quoted);
    return found && found < rest + std::strcspn(rest, "\n") ? found + std::strlen(quoted) : nullptr;
}

// "`NAME` but for acquire": nobody notices if the operation only releases; and the reverse.
inline bool is_excused(const char* after, const searched::site& site, rl::memory_order weaker) {
    return site.order == rl::mo_acq_rel && after &&
           !std::strncmp(after, weaker == rl::mo_release ? " but for acquire" : " but for release",
                         16);
}

// True if one of the searches fails when the site has that order; says so.
inline bool is_noticed(int number, rl::memory_order order,
                       std::initializer_list<orders_search*> searches) {
    const searched::site site = searched::sites[number];
    searched::weak_site = number;
    searched::weak_order = order;
    bool fails = false;
    int count = 0;
    for (orders_search* one : searches) {
        if (!fails) {
            fails = !one();
            count += 1;
        }
    }
    searched::weak_site = -1;
    std::printf("%s %s %s: %s for %s ", site.function, site.operation, site.word, order_name(order),
                order_name(site.order));
    if (fails) {
        std::printf("fails in search %d\n", count);
    } else {
        std::printf("holds\n");
    }
    std::fflush(stdout);
    return fails;
}

// Weakens each site that the table gives to this model, one step in each way that there is; one of
// the searches must fail. With `show_all` (for whoever fills the table in), weakens every site of
// the library that was reached and says what came of it.
inline int check_orders(const char* name, bool show_all,
                        std::initializer_list<orders_search*> searches) {
    static const orders_table table;
    int wrong = 0;
    int checked = 0;
    for (orders_search* one : searches) {
        if (!one()) {
            std::printf("a search fails with all orders as they are  <-- WRONG\n");
            return 1;
        }
    }
    for (int number = 0; number < searched::SITES; ++number) {
        const searched::site site = searched::sites[number];
        rl::memory_order weaker[2];
        if (!library_file(site) || site.order == rl::mo_relaxed) {
            continue;
        }
        char begin[512];
        row_begin(site, begin, sizeof begin);
        const char* rest = table.row(begin);
        if (!rest) {
            std::printf("not in the table of README.md  <-- WRONG\n%s\n", begin);
            wrong += 1;
        }
        const char* after = rest ? after_name(rest, name) : nullptr;
        if (!show_all && !after) {
            continue;
        }
        for (int i = 0; i < weaker_orders(site, weaker); ++i) {
            if (!show_all && is_excused(after, site, weaker[i])) {
                continue;
            }
            checked += 1;
            if (is_noticed(number, weaker[i], searches)) {
                continue;
            }
            if (!show_all) {
                wrong += 1;
                std::printf("  <-- WRONG\n");
            } else if (weaker[i] != rl::mo_relaxed) {
                (void)is_noticed(number, rl::mo_relaxed, searches);
            }
        }
    }
    // A row that names this model but was never reached would be an empty promise.
    for (const char* at = table.text; (at = std::strstr(at, "\n| `")) != nullptr; ++at) {
        const char* end = at + 1 + std::strcspn(at + 1, "\n");
        bool was_reached = !after_name(at + 1, name);
        for (int number = 0; number < searched::SITES && !was_reached; ++number) {
            char begin[512] = "";
            if (library_file(searched::sites[number])) {
                row_begin(searched::sites[number], begin, sizeof begin);
                was_reached = !std::strncmp(at + 1, begin, std::strlen(begin));
            }
        }
        if (!was_reached) {
            std::printf("never reached  <-- WRONG\n%.*s\n", (int)(end - at - 1), at + 1);
            wrong += 1;
        }
    }
    std::printf("%d weakened orders were checked\n", checked);
    return wrong + (checked == 0);
}

inline bool is_full() {
    return std::getenv("TLW_TEST_FULL") != nullptr;
}

// For check_orders(): `model_... orders` shows every site.
inline bool shows_all(int argc, char** argv) {
    return argc > 1 && std::strcmp(argv[1], "orders") == 0;
}

#endif
