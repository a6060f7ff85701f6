// SPDX-License-Identifier: MIT
// Takes the place of platform/atomic.h for protocol code that a model compiles: relacy's atomics
// behind the names of C11. Each operation in the source is a site. A model can weaken the memory
// order of one site (model.h), and can ask when a thread made its last relaxed load.
#ifndef TLW_PLATFORM_ATOMIC_H
#define TLW_PLATFORM_ATOMIC_H

#include "platform/base.h"
#include <cstring>
#include <relacy/relacy.hpp>
#include <type_traits>

// A search has no use for the layout of memory, and relacy does not align what it allocates.
#undef TLW_ALIGNAS
#define TLW_ALIGNAS(bytes)

typedef rl::atomic<uint32_t> tlw_atomic_u32;
typedef rl::atomic<uint64_t> tlw_atomic_u64;
typedef rl::atomic<void*> tlw_atomic_pointer;

namespace searched {

enum { SITES = 512, THREADS = 8 };

// One operation in the source. `word` is the text of its first argument.
struct site {
    const char* file;
    const char* function;
    const char* operation;
    const char* word;
    rl::memory_order order; // as written
};
inline site sites[SITES];  // those that a run has reached have a file
inline int weak_site = -1; // this one has weak_order instead of its own
inline rl::memory_order weak_order;

// A planted bug: an operation of this function on this word does not look at the word. A load finds
// 0, a compare-exchange adds the difference to whatever the word holds.
inline const char *blind_function, *blind_word;

inline bool is_blind(const site& at) {
    return blind_function && !std::strcmp(at.function, blind_function) &&
           !std::strcmp(at.word, blind_word);
}

// When each thread made its last relaxed load, on its own clock.
inline rl::timestamp_t read_at[THREADS];
// Called before each relaxed store.
inline void (*before_relaxed_store)(const void* word);

inline rl::memory_order order(int number, const site& at) {
    sites[number] = at;
    return number == weak_site ? weak_order : at.order;
}
template <typename type> type load(const rl::atomic<type>* word, int number, const site& at) {
    const type value = word->load(order(number, at), $);
    if (at.order == rl::mo_relaxed) {
        rl::thread_info_base* self = rl::ctx().threadx_;
        read_at[self->index_] = self->own_acq_rel_order_;
    } else if (is_blind(at)) {
        return 0;
    }
    return value;
}
template <typename type, typename other>
void store(rl::atomic<type>* word, other value, int number, const site& at) {
    if (at.order == rl::mo_relaxed && before_relaxed_store) {
        before_relaxed_store(word);
    }
    word->store((type)value, order(number, at), $);
}
template <typename type, typename other>
type exchange(rl::atomic<type>* word, other value, int number, const site& at) {
    return word->exchange((type)value, order(number, at), $);
}
template <typename type, typename other>
type add(rl::atomic<type>* word, other value, int number, const site& at) {
    return word->fetch_add((type)value, order(number, at), $);
}
template <typename type, typename other>
type sub(rl::atomic<type>* word, other value, int number, const site& at) {
    return word->fetch_sub((type)value, order(number, at), $);
}
template <typename type, typename other>
type keep(rl::atomic<type>* word, other mask, int number, const site& at) {
    return word->fetch_and((type)mask, order(number, at), $);
}
// The order of failure is a site of its own. relacy does not take all pairs of orders, so it is
// told only the one that counts.
template <typename type, typename other>
bool change(rl::atomic<type>* word, type* expected, other value, int number, const site& at,
            int failed_number, const site& failed_at) {
    const rl::memory_order done = order(number, at), failed = order(failed_number, failed_at);
    if constexpr (std::is_integral_v<type>) {
        if (is_blind(at)) {
            (void)word->fetch_add((type)value - *expected, done, $);
            return true;
        }
    }
    rl::ctx().sched();
    rl::preemption_disabler alone(rl::ctx());
    if (word->debug_value() == *expected) {
        return word->compare_exchange_strong(*expected, (type)value, done, $, rl::mo_relaxed, $);
    }
    return word->compare_exchange_strong(*expected, (type)value, failed, $, failed, $);
}

// A plain field that threads hand to each other (TLW_SHARED): relacy looks for races on it.
template <typename type> struct shared {
    rl::var<type> field;
    operator type() const { return const_cast<rl::var<type>&>(field)($); }
    shared& operator=(type value) {
        field($) = value;
        return *this;
    }
};

} // namespace searched

#define TLW_SHARED(type) searched::shared<type>

#define memory_order_relaxed rl::mo_relaxed
#define memory_order_acquire rl::mo_acquire
#define memory_order_release rl::mo_release
#define memory_order_acq_rel rl::mo_acq_rel
#define memory_order_seq_cst rl::mo_seq_cst

// Two arguments: the number of this occurrence in the source, and what it is.
#define TLW_SITE(operation, word, order)            \
    __COUNTER__, searched::site {                   \
        __FILE__, __func__, operation, #word, order \
    }

#define atomic_load_explicit(word, order) searched::load(word, TLW_SITE("load", word, order))
#define atomic_store_explicit(word, value, order) \
    searched::store(word, value, TLW_SITE("store", word, order))
#define atomic_exchange_explicit(word, value, order) \
    searched::exchange(word, value, TLW_SITE("exchange", word, order))
#define atomic_fetch_add_explicit(word, value, order) \
    searched::add(word, value, TLW_SITE("fetch_add", word, order))
#define atomic_fetch_sub_explicit(word, value, order) \
    searched::sub(word, value, TLW_SITE("fetch_sub", word, order))
#define atomic_fetch_and_explicit(word, value, order) \
    searched::keep(word, value, TLW_SITE("fetch_and", word, order))
#define atomic_compare_exchange_strong_explicit(word, expected, value, order, failed)  \
    searched::change(word, expected, value, TLW_SITE("compare_exchange", word, order), \
                     TLW_SITE("failed compare_exchange", word, failed))
// relacy's weak exchange fails for no reason only once per word, which adds nothing to the loops
// that it stands in.
#define atomic_compare_exchange_weak_explicit atomic_compare_exchange_strong_explicit

#define atomic_load(word) searched::load(word, TLW_SITE("load", word, rl::mo_seq_cst))
#define atomic_store(word, value) \
    searched::store(word, value, TLW_SITE("store", word, rl::mo_seq_cst))
#define atomic_exchange(word, value) \
    searched::exchange(word, value, TLW_SITE("exchange", word, rl::mo_seq_cst))
#define atomic_fetch_add(word, value) \
    searched::add(word, value, TLW_SITE("fetch_add", word, rl::mo_seq_cst))
#define atomic_fetch_sub(word, value) \
    searched::sub(word, value, TLW_SITE("fetch_sub", word, rl::mo_seq_cst))

#endif
