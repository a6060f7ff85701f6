// SPDX-License-Identifier: MIT
// Model of a pipe, on the library's own code (jobs/queue.h): the owner pushes sets, takes ranges of
// them and reuses the slots for other sets, while a thief takes ranges too. Every item must run
// once, with the right set, and no word of a slot may be written over while a range that was taken
// on the strength of it can still read it.
#define TLW_PIPE_SLOTS 2
#include "tests/model/model.h"

#include "jobs/protocol.h"
#include "jobs/queue.h"

enum planted { NONE, NO_GENERATION };

// The owner pushes `SETS` sets of `ITEMS` items, `AT_ONCE` at a time; the thief looks `LOOKS`
// times.
template <planted BUG, unsigned ITEMS, unsigned SETS, unsigned AT_ONCE, unsigned LOOKS>
struct queue_model : rl::test_suite<queue_model<BUG, ITEMS, SETS, AT_ONCE, LOOKS>, 2> {
    struct job_set {
        rl::var<unsigned> args;
        rl::var<unsigned> runs[ITEMS];
        tlw_atomic_u32 left;
    };
    tlw_job_pipe pipe;
    uint32_t depth;
    tlw_atomic_u32 height;
    job_set sets[SETS];

    // relacy runs one thread at a time, so a load is never later than a store that comes after it
    // in the run; in C11 it may be, if nothing orders the two. So the model looks for that order by
    // itself: at each write over a slot's words, the reads of ranges that the thief has taken there
    // must have happened before. believed_at is when it made them, on its own clock.
    rl::timestamp_t believed_at[TLW_PIPE_SLOTS];

    static queue_model*& current() {
        static queue_model* model;
        return model;
    }
    static void before_store(const void* word) {
        queue_model* model = current();
        const auto* self = static_cast<rl::thread_info<2>*>(rl::ctx().threadx_);
        for (unsigned i = 0; i < TLW_PIPE_SLOTS; ++i) {
            const tlw_job_slot* slot = &model->pipe.slots[i];
            if (word == &slot->set || word == &slot->size || word == &slot->grain) {
                RL_ASSERT(self->acq_rel_order_[1] >= model->believed_at[i]);
            }
        }
    }

    void before() {
        current() = this;
        searched::before_relaxed_store = before_store;
        depth = 0;
        height.store(0, rl::mo_relaxed, $);
        for (auto& at : believed_at) {
            at = 0;
        }
        for (auto& slot : pipe.slots) {
            slot.cursor.store(0, rl::mo_relaxed, $);
            slot.set.store(nullptr, rl::mo_relaxed, $);
            slot.size.store(0, rl::mo_relaxed, $);
            slot.grain.store(0, rl::mo_relaxed, $);
        }
        for (job_set& set : sets) {
            set.args($) = 0u;
            set.left.store(ITEMS, rl::mo_relaxed, $);
            for (auto& run : set.runs) {
                run($) = 0u;
            }
        }
    }

    // run_slot of execute.c.
    bool take(unsigned self, tlw_job_slot* slot) {
        tlw_job_range range;
        range.set = nullptr;
        if (!tlw_slot_take(slot, 1, &range)) {
            return false;
        }
        if (self == 1) {
            believed_at[slot - pipe.slots] = searched::read_at[self];
        }
        job_set* set = (job_set*)range.set;
        RL_ASSERT(set->args($) == 7 + (set - sets));
        RL_ASSERT(range.end <= ITEMS && range.size == ITEMS);
        for (uint32_t item = range.begin; item < range.end; ++item) {
            RL_ASSERT(set->runs[item]($) == 0);
            set->runs[item]($) = 1u;
        }
        const uint32_t done = range.end - range.begin;
        if (done == range.size || tlw_state_count(&set->left, done)) {
            set->args($) = 99u; // complete: the memory is the caller's again
        }
        return true;
    }

    void own() {
        for (unsigned which = 0; which < SETS; ++which) {
            sets[which].args($) = 7 + which;
            if (BUG == NO_GENERATION && depth == 0) {
                pipe.slots[0].cursor.store(0, rl::mo_relaxed, $); // it was 0, with a generation
            }
            RL_ASSERT(tlw_pipe_push(&pipe, &depth, &height, &sets[which], ITEMS, 1));
            if ((which + 1) % AT_ONCE != 0) {
                continue;
            }
            while (depth > 0) { // run_own of execute.c
                if (!take(0, &pipe.slots[depth - 1])) {
                    depth -= 1;
                }
            }
        }
    }

    void steal() { // run_other of execute.c
        for (unsigned looks = 0; looks < LOOKS; ++looks) {
            const uint32_t end = height.load(rl::mo_relaxed, $);
            for (uint32_t at = 0; at < end; ++at) {
                if (tlw_cursor_left(pipe.slots[at].cursor.load(rl::mo_relaxed, $)) > 0) {
                    (void)take(1, &pipe.slots[at]);
                }
            }
        }
    }

    void thread(unsigned index) {
        if (index == 0) {
            own();
        } else {
            steal();
        }
    }

    void after() {
        for (job_set& set : sets) {
            for (auto& run : set.runs) {
                RL_ASSERT(run($) == 1);
            }
        }
    }
};

int main(int argc, char** argv) {
    int wrong = 0;
    const unsigned more = is_full() ? 2 : 0;
    wrong += expect<queue_model<NONE, 1, 2, 1, 1>>("one item", true, 4 + more);
    wrong += expect<queue_model<NONE, 2, 2, 1, 2>>("two items", true, 3 + more);
    wrong += expect<queue_model<NONE, 3, 2, 1, 2>>("three items", true, 3 + more);
    wrong += expect<queue_model<NONE, 2, 2, 2, 2>>("two slots", true, 3 + more);
    wrong += expect<queue_model<NONE, 1, 4, 2, 2>>("two slots, used twice", true, 3 + more);
    wrong += expect<queue_model<NO_GENERATION, 2, 2, 1, 2>>("planted: no generation", false, 4);
    wrong += check_orders("queue", shows_all(argc, argv),
                          {search<queue_model<NONE, 2, 2, 1, 2>, 2>,
                           search<queue_model<NONE, 1, 4, 2, 2>, 2>,
                           search<queue_model<NONE, 2, 2, 1, 2>, 3>});
    return wrong;
}
