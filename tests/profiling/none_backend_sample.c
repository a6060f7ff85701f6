// SPDX-License-Identifier: MIT
// Uses every macro in code that does something. none_backend.cmake compiles it with the none
// backend and once more with the macros deleted, and expects the same object code. Arguments call a
// function that is defined nowhere: they are compiled but never evaluated. (No argument takes the
// address of a local, because gcc -O0 then keeps that local on the stack even if the address is
// never evaluated.)
#if defined(TLW_TEST_MACROS_DELETED)
#    include "platform/base.h"
typedef struct tlw_zone_site {
    int unused;
} tlw_zone_site;
#    define TLW_ZONE(name)
#    define TLW_ZONE_COLOUR(name, rgb)
#    define TLW_ZONE_AT(site)
#    define TLW_ZONE_VALUE(value)
#    define TLW_ZONE_NAME(text)
#    define TLW_FRAME_MARK()
#    define TLW_PLOT(name, value)
#    define TLW_MESSAGE(text)
#    define TLW_THREAD_NAME(name)
#    define TLW_POOL_ALLOC(pool, pointer, bytes)
#    define TLW_POOL_FREE(pool, pointer, bytes)
#else
#    include "profiling/profile.h"
#endif

extern const tlw_zone_site sample_sites[2];
int sample_side_effect(int* x);
int sample_work(int* list, int count);

int sample_work(int* list, int count) {
    TLW_ZONE("work");
    TLW_THREAD_NAME("sample");
    int sum = 0;
    if (count == 0) {
        return -1;
    }
    for (int i = 0; i < count; ++i) {
        TLW_ZONE_COLOUR("element", 0x3080FF);
        TLW_ZONE_VALUE(sample_side_effect(list));                    // not evaluated
        TLW_ZONE_NAME((const char*)list + sample_side_effect(list)); // nor this
        TLW_ZONE_AT(&sample_sites[i & 1]);
        sum += list[i];
        if (sum < 0) {
            TLW_MESSAGE("negative");
            break;
        }
        TLW_PLOT("sum", sample_side_effect(list));
    }
    TLW_POOL_ALLOC("lists", list, sample_side_effect(list));
    TLW_POOL_FREE("lists", list, (size_t)count * sizeof *list);
    TLW_FRAME_MARK();
    return sum;
}
