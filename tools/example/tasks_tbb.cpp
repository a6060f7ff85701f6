// SPDX-License-Identifier: MIT
// The task callbacks on Intel's oneTBB (Debian: libtbb-dev). The project is written in C; this file
// is C++17 because TBB is a C++ library, and is left out where TBB is not installed.
//
// All ranges run in one arena. A thread has an index in the arena, below the arena's size, that no
// other thread there has at the same time: this is the worker. Enqueued tasks start without the
// help of the caller, so they run between tlw_world_begin_step and tlw_world_end_step.
#include "tools/example/tasks.h"

#include <algorithm>
#include <memory>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

namespace {

struct arena {
    oneapi::tbb::task_arena tbb;
    uint32_t worker_count;
    // One slot of the arena is kept for the thread that waits in finish.
    explicit arena(uint32_t size) : tbb(static_cast<int>(size), 1), worker_count(size) {}
};

// C code calls these functions, and an exception must not pass through it. If TBB has no memory for
// a task, noexcept ends the program.
void* enqueue(tlw_task* task, uint32_t count, uint32_t min_range, void* context,
              void* user) noexcept {
    arena* a = static_cast<arena*>(user);
    if (count == 0) {
        return nullptr;
    }
    // A group per handle, with ranges as small as they may be: the runtime's items are whole
    // characters. parallel_for would halve ranges and so make some that are smaller than
    // `min_range`.
    auto group = std::make_unique<oneapi::tbb::task_group>();
    for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
        end = count - begin < min_range ? count : begin + min_range;
        a->tbb.enqueue(group->defer([=] {
            const int worker = oneapi::tbb::this_task_arena::current_thread_index();
            task(begin, end, static_cast<uint32_t>(worker), context);
        }));
    }
    return group.release();
}

// The caller enters the arena, and runs ranges itself until those of the group have all run. The
// wait makes what they wrote visible.
void finish(void* handle, void* user) noexcept {
    arena* a = static_cast<arena*>(user);
    std::unique_ptr<oneapi::tbb::task_group> group(static_cast<oneapi::tbb::task_group*>(handle));
    a->tbb.execute([&] { group->wait(); });
}

void close_tbb(const tlw_task_system* tasks) noexcept {
    delete static_cast<arena*>(tasks->user);
}

// TBB starts threads when there is work, and goes on with fewer where the system refuses.
tlw_task_system open_tbb(uint32_t worker_count) noexcept {
    try {
        // An arena of 1 has two slots all the same: an enqueued task may run on a thread of TBB
        // while the caller is in the other one.
        auto a = std::make_unique<arena>(std::max(worker_count, 2u));
        a->tbb.initialize();
        const uint32_t size = a->worker_count;
        return {enqueue, finish, a.release(), size};
    } catch (...) {
        return {nullptr, nullptr, nullptr, 0};
    }
}

} // namespace

const example_tasks example_tasks_tbb = {"tbb", open_tbb, close_tbb};
