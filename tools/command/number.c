// SPDX-License-Identifier: MIT
// Numbers on a command line, through strtoul and strtod.
#include "tools/command/number.h"

#include <stdlib.h>

bool tlw_parse_count(const char* text, uint32_t least, uint32_t most, uint32_t* out) {
    char* end;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != 0 || value < least || value > most) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

bool tlw_parse_real(const char* text, double least, double most, double* out) {
    char* end;
    const double value = strtod(text, &end);
    if (end == text || *end != 0 || !(value >= least && value <= most)) { // also not a number
        return false;
    }
    *out = value;
    return true;
}

bool tlw_parse_positive(const char* text, double most, double* out) {
    double value;
    if (!tlw_parse_real(text, 0.0, most, &value) || value == 0.0) {
        return false;
    }
    *out = value;
    return true;
}
