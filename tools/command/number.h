// SPDX-License-Identifier: MIT
// Numbers on a command line. The whole text must be the number, and the number within its range;
// otherwise the functions return false and leave *out as it was.
#ifndef TLW_TOOLS_COMMAND_NUMBER_H
#define TLW_TOOLS_COMMAND_NUMBER_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// Decimal digits, no sign.
bool tlw_parse_count(const char* text, uint32_t least, uint32_t most, uint32_t* out);
// Both ends belong to the range.
bool tlw_parse_real(const char* text, double least, double most, double* out);
// Above 0, up to and including `most`.
bool tlw_parse_positive(const char* text, double most, double* out);

TLW_EXTERN_C_END

#endif
