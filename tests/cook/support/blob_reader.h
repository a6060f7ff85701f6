// SPDX-License-Identifier: MIT
// A reader that trusts a validated blob as the runtime and the tools do: it follows every index,
// row, link and name without checking a bound. The sanitizers tell whether that was safe.
#ifndef TLW_TESTS_COOK_SUPPORT_BLOB_READER_H
#define TLW_TESTS_COOK_SUPPORT_BLOB_READER_H

#include "runtime/blob.h"

// Null, or what is wrong: a number that is not finite, a division by 0, tables that contradict each
// other.
const char* blob_unsoundness(const void* bytes);

// Memory on a multiple of 64 bytes and not a byte longer than asked for, so that the address
// sanitizer sees a read after the end.
uint8_t* blob_allocate(size_t size);
void blob_free(uint8_t* bytes);
uint8_t* blob_copy(const void* bytes, size_t size);
// To be called after a change to anything but the header.
void blob_set_content_hash(uint8_t* bytes, size_t size);

#endif
