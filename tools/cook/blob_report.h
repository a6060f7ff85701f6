// SPDX-License-Identifier: MIT
// What the validator found wrong with a blob (tlw_blob_report, MODEL 9.3), as text for a person:
// the cooker, tools/inspect and tools/scene say it in the same words.
#ifndef TLW_TOOLS_COOK_BLOB_REPORT_H
#define TLW_TOOLS_COOK_BLOB_REPORT_H

#include "runtime/blob.h"

TLW_EXTERN_C_BEGIN

#define TLW_BLOB_REPORT_TEXT_BYTES 384

// Writes and returns `text`: section, element, component (if the element has several), byte, rule,
// and both values in decimal and hexadecimal. A report with any other result than
// TLW_ERROR_BAD_BLOB gives the meaning of that result.
const char* tlw_blob_report_text(const tlw_blob_report* report,
                                 char text[TLW_BLOB_REPORT_TEXT_BYTES]);

TLW_EXTERN_C_END

#endif
