// SPDX-License-Identifier: MIT
// Private to tools/asset: runs a reader that is not to be trusted with damaged files in a process
// of its own, with limits of time and memory.
#ifndef TLW_TOOLS_ASSET_IMPORT_H
#define TLW_TOOLS_ASSET_IMPORT_H

#include "tools/asset/gltf.h"

// Fills g->asset or g->error.
typedef bool tlw_import_reader(tlw_gltf* g, const char* path);

// Calls the reader in a child process and takes over what it made. If the child takes longer than
// g->limits.import_seconds, or more memory than g->limits.import_bytes, it is killed, and the error
// says so; likewise if it crashes. No child is left when this returns. Systems other than Linux do
// not tell how much memory a process has, so there the time alone is limited; Windows cannot copy a
// process, so the reader is called directly, which a note says.
bool tlw_import(tlw_gltf* g, const char* path, tlw_import_reader* reader);

#endif
