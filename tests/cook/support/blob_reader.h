// SPDX-License-Identifier: MIT
// A reader that trusts a validated blob as the runtime and the tools do: follows every index, row,
// link and name without a look at any bound. Sanitizers say whether that was right.
#ifndef TLW_TESTS_COOK_SUPPORT_BLOB_READER_H
#define TLW_TESTS_COOK_SUPPORT_BLOB_READER_H

#include "runtime/blob.h"

// Null, or what a reader would have stumbled over: a number that is not finite, a division by 0.
const char* blob_unsoundness(const void* bytes);

// On a multiple of 64 bytes, and no longer than asked for: a read behind the end is an error of
// the address sanitizer.
uint8_t* blob_allocate(size_t size);
void blob_free(uint8_t* bytes);
uint8_t* blob_copy(const void* bytes, size_t size);
// After a change behind the header.
void blob_set_content_hash(uint8_t* bytes, size_t size);

#endif
