// SPDX-License-Identifier: MIT
// Names and colours of the passes, from the table in runtime/passes.h.
#include "runtime/passes.h"

static const char* const pass_names[TLW_PASS_COUNT] = {
#define NAME(name, text, colour, meaning) text,
    TLW_PASS_TABLE(NAME)
#undef NAME
};

const char* tlw_pass_name(tlw_pass pass) {
    return (uint32_t)pass < TLW_PASS_COUNT ? pass_names[pass] : "unknown";
}

uint32_t tlw_pass_colour(tlw_pass pass) {
    static const uint32_t colours[TLW_PASS_COUNT] = {
#define COLOUR(name, text, colour, meaning) colour,
        TLW_PASS_TABLE(COLOUR)
#undef COLOUR
    };
    return (uint32_t)pass < TLW_PASS_COUNT ? colours[pass] : 0;
}
