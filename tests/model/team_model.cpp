// SPDX-License-Identifier: MIT
// Model of a team, on the library's own code (runtime/step/team.c). One thread, the owner, posts
// two jobs of two items one after the other; helpers may come at any time, take items, and leave.
// Checked: every item runs exactly once, all items of a job have run when the owner goes on, what
// they wrote can be read in the next job, and no helper reads a job while it is being written.
#define TLW_TEAM_PARTS_MAX 2
#define LOOKS_FOR_JOB      1u // a helper looks twice for a job, and LOOKS_FOR_OTHERS times while
#define LOOKS_FOR_OTHERS   2u // others are at work
#include "tests/model/model.h"

#include "runtime/step/team.c"

enum planted { NONE, ENTERS_BLINDLY, DOES_NOT_WAIT };

template <planted BUG, unsigned HELPERS>
struct team_model : rl::test_suite<team_model<BUG, HELPERS>, HELPERS + 1> {
    enum { JOBS = 2, ITEMS = 2 };
    tlw_team team;
    // How often each item ran; stands for what items write.
    rl::var<unsigned> runs[JOBS][ITEMS];
    struct job_context {
        team_model* model;
        unsigned number;
    } contexts[JOBS];

    void before() {
        searched::blind_function = BUG == ENTERS_BLINDLY  ? "tlw_team_help"
                                   : BUG == DOES_NOT_WAIT ? "tlw_team_run"
                                                          : nullptr;
        searched::blind_word = "&team->gate";
        tlw_team_begin(&team, TLW_TEAM_PARTS_MAX);
        for (unsigned job = 0; job < JOBS; ++job) {
            contexts[job] = {this, job};
            for (auto& of_item : runs[job]) {
                of_item($) = 0u;
            }
        }
    }

    static void run_items(const void* context, uint32_t seen, uint32_t begin, uint32_t end,
                          uint64_t* pass_ns) {
        const job_context* job = (const job_context*)context;
        RL_ASSERT(seen <= begin && begin < end && end <= ITEMS);
        for (uint32_t item = begin; item < end; ++item) {
            if (job->number > 0) {
                for (auto& of_last : job->model->runs[job->number - 1]) {
                    RL_ASSERT(of_last($) == 1);
                }
            }
            auto& run = job->model->runs[job->number][item];
            run($) = run($) + 1;
        }
    }

    void thread(unsigned index) {
        uint64_t ns[TLW_PASS_COUNT] = {0};
        if (index > 0) {
            tlw_team_help(&team, ns);
            return;
        }
        for (job_context& job : contexts) {
            tlw_team_run(&team, run_items, &job, ITEMS, ns);
            for (auto& of_item : runs[job.number]) {
                RL_ASSERT(of_item($) == 1);
            }
        }
        tlw_team_end(&team);
    }
};

int main(int argc, char** argv) {
    int wrong = 0;
    const unsigned more = is_full() ? 1 : 0;
    wrong += expect<team_model<NONE, 1>>("one helper", true, 4 + more);
    wrong += expect<team_model<NONE, 2>>("two helpers", true, 2 + more);
    wrong += expect<team_model<ENTERS_BLINDLY, 2>>("planted: enters a gate just shut", false, 3);
    wrong += expect<team_model<DOES_NOT_WAIT, 2>>("planted: does not wait", false, 3);
    wrong += check_orders("team", shows_all(argc, argv),
                          {search<team_model<NONE, 1>, 2>, search<team_model<NONE, 2>, 2>});
    return wrong;
}
