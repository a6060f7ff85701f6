// SPDX-License-Identifier: MIT
// Names and meanings of results, from the table in result.h.
#include "platform/result.h"

typedef struct result_row {
    const char* name;
    const char* meaning;
} result_row;

static const result_row result_rows[TLW_RESULT_COUNT] = {
#define RESULT_ROW(name, meaning) {#name, meaning},
    TLW_RESULT_TABLE(RESULT_ROW)
#undef RESULT_ROW
};

const char* tlw_result_name(tlw_result result) {
    return (unsigned)result < TLW_RESULT_COUNT ? result_rows[result].name : "TLW_ERROR_UNKNOWN";
}

const char* tlw_result_meaning(tlw_result result) {
    return (unsigned)result < TLW_RESULT_COUNT ? result_rows[result].meaning : "unknown result";
}
