// SPDX-License-Identifier: MIT
// A text that grows on the heap, and how HTML and JSON want names and numbers in it.
#ifndef TLW_TOOLS_COMMAND_TEXT_H
#define TLW_TOOLS_COMMAND_TEXT_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_text {
    char* bytes; // no final zero
    size_t used, capacity;
    bool out_of_memory; // nothing was added since
} tlw_text;

void tlw_text_free(tlw_text* text);
// As printf does.
void tlw_text_add(tlw_text* text, const char* format, ...) TLW_PRINTF(2, 3);
// Escapes for element content and quoted attributes. Bytes that are not UTF-8, and control
// characters, become '?'.
void tlw_text_html(tlw_text* text, const char* name);
// Adds a string with its quotes, escaped, so that a reader of JSON gets the same text back. Bytes
// that are not UTF-8, which JSON cannot have, become '?'.
void tlw_text_json(tlw_text* text, const char* name);
// At most 9 digits; null for a value that is not finite.
void tlw_text_json_number(tlw_text* text, double value);

TLW_EXTERN_C_END

#endif
