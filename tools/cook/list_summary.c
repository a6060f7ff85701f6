// SPDX-License-Identifier: MIT
// What became of the rows of a list: a table for people and JSON for scripts, both with failures
// last.
#include "tools/cook/list.h"
#include "tools/cook/record.h"

#include <string.h>

#define NAME_WIDTH_MAX 60

static const char* const result_texts[] = {
#define RESULT_TEXT(enumerator, text) text,
    TLW_LIST_RESULTS(RESULT_TEXT)
#undef RESULT_TEXT
};

static const char* output_of(const tlw_list_summary* summary, const tlw_list_done* done) {
    return summary->list->rows[done->row].names[TLW_LIST_OUTPUT];
}

void tlw_list_print_table(const tlw_list_summary* summary, FILE* out) {
    size_t width = 0;
    for (uint32_t i = 0; i < summary->done_count; ++i) {
        const size_t length = strlen(output_of(summary, &summary->done[i]));
        width = length > width ? length : width;
    }
    const int columns = (int)(width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX);
    for (uint32_t i = 0; i < summary->done_count; ++i) {
        const tlw_list_done* done = &summary->done[i];
        fprintf(out, "%-*s  %-10s  %8.2f s", columns, output_of(summary, done),
                result_texts[done->result], done->seconds);
        if (done->result == TLW_LIST_COOKED) {
            fprintf(out, "  %8u voxels  %10llu bytes", done->voxels,
                    (unsigned long long)done->blob_bytes);
        }
        if (done->message) {
            fprintf(out, "  %s", done->message);
        }
        fprintf(out, "\n");
    }
    for (int i = 0; i < TLW_LIST_RESULT_COUNT; ++i) {
        fprintf(out, "%s%u %s", i > 0 ? ", " : "", summary->counts[i], result_texts[i]);
    }
    fprintf(out, "; share %u/%u of %u rows\n", summary->shard.number, summary->shard.count,
            summary->list->row_count);
}

static void add_done(tlw_text* text, const tlw_list_summary* summary, const tlw_list_done* done) {
    tlw_text_add(text, "    {\"row\": %u, \"output\": ", done->row);
    tlw_text_json(text, output_of(summary, done));
    tlw_text_add(text, ", \"result\": \"%s\", \"exit_code\": %d, \"seconds\": ",
                 result_texts[done->result], (int)done->code);
    tlw_text_json_number(text, done->seconds);
    tlw_text_add(text, ", \"voxels\": %u, \"blob_bytes\": %llu, \"message\": ", done->voxels,
                 (unsigned long long)done->blob_bytes);
    if (done->message) {
        tlw_text_json(text, done->message);
    } else {
        tlw_text_add(text, "null");
    }
    tlw_text_add(text, "}");
}

tlw_text tlw_list_make_json(const tlw_list_summary* summary) {
    tlw_text text = {0};
    tlw_text_add(&text, TLW_LIST_SUMMARY_START);
    tlw_text_json(&text, summary->list->path);
    tlw_text_add(&text, ",\n  \"cooker\": \"%s\",\n  \"shard\": %u,\n  \"shards\": %u,\n",
                 tlw_record_cooker(), summary->shard.number, summary->shard.count);
    tlw_text_add(&text, "  \"rows\": %u,\n  \"exit_code\": %d,\n", summary->list->row_count,
                 (int)summary->code);
    tlw_text_add(&text, "  \"counts\": {");
    for (int i = 0; i < TLW_LIST_RESULT_COUNT; ++i) {
        tlw_text_add(&text, "%s\"%s\": %u", i > 0 ? ", " : "", result_texts[i], summary->counts[i]);
    }
    tlw_text_add(&text, "},\n  \"characters\": [");
    for (uint32_t i = 0; i < summary->done_count; ++i) {
        tlw_text_add(&text, i > 0 ? ",\n" : "\n");
        add_done(&text, summary, &summary->done[i]);
    }
    tlw_text_add(&text, "\n  ]\n}\n");
    return text;
}
