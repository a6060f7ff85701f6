// SPDX-License-Identifier: MIT
// Reads or cooks a character while the window goes on, and watches the files that it was made from.
// What goes wrong is said on stderr, with the exit code of the cooker, and kept for the window.
//
//     tlw_view_loader* loader = tlw_view_loader_create(&source);
//     tlw_view_load_begin(loader);
//     while (tlw_view_load_poll(loader, &news) == TLW_VIEW_LOAD_RUNS) ... // show news.share
//     if (news.model) ... // a good character, which the caller owns
//     tlw_view_loader_free(loader);
#ifndef TLW_TOOLS_VIEW_LOAD_H
#define TLW_TOOLS_VIEW_LOAD_H

#include "tools/view/model.h"
#include "tools/view/options.h"

#define TLW_VIEW_MESSAGE_BYTES 1024

typedef enum tlw_view_load_state {
    TLW_VIEW_LOAD_RESTS, // nothing was begun, or the news of the last loading were taken
    TLW_VIEW_LOAD_RUNS,
    TLW_VIEW_LOAD_GOOD, // news.model
    TLW_VIEW_LOAD_BAD   // news.code and news.message
} tlw_view_load_state;

typedef struct tlw_view_load_news {
    const char* stage; // a literal: what is being done
    double share;      // of it, 0 to 1
    tlw_view_model* model;
    tlw_exit_code code;
    char message[TLW_VIEW_MESSAGE_BYTES]; // lines, without the command's name
} tlw_view_load_news;

typedef struct tlw_view_loader tlw_view_loader;

// The source outlives the loader. Null: out of memory.
tlw_view_loader* tlw_view_loader_create(const tlw_view_source* source);
// Waits for a loading that runs.
void tlw_view_loader_free(tlw_view_loader* loader);

// Begins to load. Nothing if it loads already; poll then asks for another loading after this one.
void tlw_view_load_begin(tlw_view_loader* loader);
// GOOD and BAD come once for each loading.
tlw_view_load_state tlw_view_load_poll(tlw_view_loader* loader, tlw_view_load_news* news);
// Loads on the calling thread, and waits.
tlw_view_load_state tlw_view_load_now(tlw_view_loader* loader, tlw_view_load_news* news);
// Whether a file that the last loading read, or tried to read, has changed since. A file that is
// being written counts when it has been the same twice.
bool tlw_view_load_is_stale(tlw_view_loader* loader);

// Replaces a file that the next loading will read, the recipe of the source, which may have another
// path since the last one. Only what others write to it counts as a change: what somebody wrote to
// the file at this path before still does. Never while it loads.
tlw_result tlw_view_load_write(tlw_view_loader* loader, const char* path, const void* bytes,
                               size_t size, tlw_file_error* error);

// Files that were read, most important first: the character, its recipe and what that extends, the
// motion. Valid until the next loading begins.
const char* const* tlw_view_load_files(const tlw_view_loader* loader, uint32_t* count);

#endif
