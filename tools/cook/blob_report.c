// SPDX-License-Identifier: MIT
// Writes a tlw_blob_report as one line of text. Reads nothing but the report.
#include "tools/cook/blob_report.h"

#include <inttypes.h>
#include <stdio.h>

const char* tlw_blob_report_text(const tlw_blob_report* report,
                                 char text[TLW_BLOB_REPORT_TEXT_BYTES]) {
    if (report->result == TLW_ERROR_OLD_BLOB) {
        snprintf(text, TLW_BLOB_REPORT_TEXT_BYTES,
                 "%s (%s: expected %" PRIu64 ", found %" PRIu64 ")",
                 tlw_result_meaning(report->result), report->what, report->expected, report->found);
        return text;
    }
    if (report->result != TLW_ERROR_BAD_BLOB) {
        snprintf(text, TLW_BLOB_REPORT_TEXT_BYTES, "%s", tlw_result_meaning(report->result));
        return text;
    }
    char component[32] = "";
    if (report->component != 0) {
        snprintf(component, sizeof component, ", component %" PRIu32, report->component);
    }
    snprintf(text, TLW_BLOB_REPORT_TEXT_BYTES,
             "%s, element %" PRIu64 "%s, byte %" PRIu64 ": %s: expected %" PRIu64 " (0x%" PRIx64
             "), found %" PRIu64 " (0x%" PRIx64 ")",
             tlw_blob_section_name(report->section), report->element, component, report->offset,
             report->what, report->expected, report->expected, report->found, report->found);
    return text;
}
