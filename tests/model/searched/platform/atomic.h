// SPDX-License-Identifier: MIT
// Takes the place of platform/atomic.h for protocol code that a model compiles: relacy's atomics
// behind the names of C11. A model can weaken the memory order of one operation, which is known by
// the line that it is on.
#ifndef TLW_PLATFORM_ATOMIC_H
#define TLW_PLATFORM_ATOMIC_H

#include "platform/base.h"
#include <relacy/relacy.hpp>

typedef rl::atomic<uint32_t> tlw_atomic_u32;
typedef rl::atomic<uint64_t> tlw_atomic_u64;
typedef rl::atomic<void*> tlw_atomic_pointer;

namespace searched {
enum { LINES = 1000 };
inline rl::memory_order order_at[LINES]; // of the operation on this line, as written
inline bool is_used[LINES];
inline const char* function_at[LINES];
inline int weak_line; // the operation on it has this order instead
inline rl::memory_order weak_order;

struct site {
    int line;
    const char* function;
};

inline rl::memory_order order(site at, rl::memory_order written) {
    is_used[at.line] = true;
    function_at[at.line] = at.function;
    order_at[at.line] = written;
    return at.line == weak_line ? weak_order : written;
}
template <typename type>
type load(const rl::atomic<type>* word, rl::memory_order written, site at) {
    return word->load(order(at, written), $);
}
template <typename type, typename other>
void store(rl::atomic<type>* word, other value, rl::memory_order written, site at) {
    word->store((type)value, order(at, written), $);
}
template <typename type, typename other>
type exchange(rl::atomic<type>* word, other value, rl::memory_order written, site at) {
    return word->exchange((type)value, order(at, written), $);
}
template <typename type, typename other>
type add(rl::atomic<type>* word, other value, rl::memory_order written, site at) {
    return word->fetch_add((type)value, order(at, written), $);
}
template <typename type, typename other>
type sub(rl::atomic<type>* word, other value, rl::memory_order written, site at) {
    return word->fetch_sub((type)value, order(at, written), $);
}
template <typename type, typename other>
bool change(rl::atomic<type>* word, type* expected, other value, rl::memory_order written,
            rl::memory_order failed, site at) {
    rl::memory_order now = order(at, written);
    return word->compare_exchange_strong(*expected, (type)value, now, $,
                                         now == written ? failed : rl::mo_relaxed, $);
}
} // namespace searched

#define memory_order_relaxed rl::mo_relaxed
#define memory_order_acquire rl::mo_acquire
#define memory_order_release rl::mo_release
#define memory_order_acq_rel rl::mo_acq_rel
#define memory_order_seq_cst rl::mo_seq_cst

#define TLW_SITE                                  (searched::site{__LINE__, __func__})
#define atomic_load_explicit(word, order)         searched::load(word, order, TLW_SITE)
#define atomic_store_explicit(word, value, order) searched::store(word, value, order, TLW_SITE)
#define atomic_exchange_explicit(word, value, order) \
    searched::exchange(word, value, order, TLW_SITE)
#define atomic_fetch_sub_explicit(word, value, order) searched::sub(word, value, order, TLW_SITE)
#define atomic_compare_exchange_weak_explicit(word, expected, value, order, failed) \
    searched::change(word, expected, value, order, failed, TLW_SITE)
#define atomic_store(word, value)     searched::store(word, value, rl::mo_seq_cst, TLW_SITE)
#define atomic_fetch_add(word, value) searched::add(word, value, rl::mo_seq_cst, TLW_SITE)
#define atomic_compare_exchange_strong(word, expected, value) \
    searched::change(word, expected, value, rl::mo_seq_cst, rl::mo_seq_cst, TLW_SITE)

#endif
