// SPDX-License-Identifier: MIT
// Private to tallow-cook: remarks as sentences.
#ifndef TLW_TOOLS_COOK_REMARKS_H
#define TLW_TOOLS_COOK_REMARKS_H

#include "tools/cook/command.h"

typedef void tlw_cook_remark(const char* text, void* user);

// Tells every remark after a cook that went well.
void tlw_cook_tell_remarks(const tlw_cook_run* run, tlw_cook_remark* hear, void* user);

#endif
