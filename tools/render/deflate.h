// SPDX-License-Identifier: MIT
// Compresses bytes as a zlib stream (RFC 1950 around RFC 1951): matches within 32 KB, and Huffman
// codes of each block's own. stb_image_write's compressor has fixed codes only, with which
// pictures of few colours are about a third larger. The same bytes give the same stream.
#ifndef TLW_TOOLS_RENDER_DEFLATE_H
#define TLW_TOOLS_RENDER_DEFLATE_H

#include "platform/base.h"

// Returns the stream, which the caller frees, or null if out of memory.
uint8_t* tlw_deflate(const uint8_t* bytes, size_t count, size_t* stream_bytes);

#endif
