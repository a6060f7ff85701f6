// SPDX-License-Identifier: MIT
// A text that grows, and what HTML and JSON ask of names and numbers in it.
#ifndef TLW_TOOLS_BENCH_TEXT_H
#define TLW_TOOLS_BENCH_TEXT_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_text {
    char* bytes; // no final zero
    size_t used, capacity;
    bool out_of_memory; // from then on nothing is added
} tlw_text;

void tlw_text_free(tlw_text* text);
void tlw_text_add(tlw_text* text, const char* format, ...) TLW_PRINTF(2, 3);
// For element content and quoted attributes. Bytes that are no UTF-8, and controls, become '?'.
void tlw_text_html(tlw_text* text, const char* name);
// With its quotes.
void tlw_text_json(tlw_text* text, const char* name);
// As short as 9 digits allow; null for what is not finite.
void tlw_text_json_number(tlw_text* text, double value);

TLW_EXTERN_C_END

#endif
