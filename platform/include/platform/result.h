// SPDX-License-Identifier: MIT
// Named results, which functions that can fail return. There is one table for all layers, so that a
// result means the same everywhere and has one printable name.
#ifndef TLW_PLATFORM_RESULT_H
#define TLW_PLATFORM_RESULT_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// name, what it means to a person who reads it in a log
#define TLW_RESULT_TABLE(X)                                                         \
    X(TLW_OK, "ok")                                                                 \
    X(TLW_ERROR_BAD_ARGUMENT, "an argument is outside what the function accepts")   \
    X(TLW_ERROR_BAD_DEF, "the def did not come from its default function")          \
    X(TLW_ERROR_OVERFLOW, "a size or count does not fit its type")                  \
    X(TLW_ERROR_OUT_OF_MEMORY, "the memory given is too small")                     \
    X(TLW_ERROR_MISALIGNED, "the memory given is not aligned as required")          \
    X(TLW_ERROR_CAPACITY, "a table that was sized at creation is full")             \
    X(TLW_ERROR_UNSUPPORTED, "this machine, build or blob cannot do it")            \
    X(TLW_ERROR_TIMEOUT, "the time given ran out")                                  \
    X(TLW_ERROR_BUSY, "another thread is doing it")                                 \
    X(TLW_ERROR_NOT_FOUND, "nothing has that name")                                 \
    X(TLW_ERROR_CANNOT_READ, "the file cannot be read")                             \
    X(TLW_ERROR_CANNOT_WRITE, "the file cannot be written")                         \
    X(TLW_ERROR_TOO_LARGE, "the file is larger than the limit")                     \
    X(TLW_ERROR_BAD_BLOB, "the blob is damaged")                                    \
    X(TLW_ERROR_OLD_BLOB, "the blob was cooked for another version: cook it again") \
    X(TLW_ERROR_STALE_ID, "the id is null, or what it named is gone")               \
    X(TLW_ERROR_SMALL_SCRATCH, "the world's scratch is too small for this blob")    \
    X(TLW_ERROR_BAD_POSE, "a transform of the pose is not usable")                  \
    X(TLW_ERROR_SYSTEM, "the operating system refused")

typedef enum tlw_result {
#define TLW_RESULT_ENUM(name, meaning) name,
    TLW_RESULT_TABLE(TLW_RESULT_ENUM)
#undef TLW_RESULT_ENUM
        TLW_RESULT_COUNT
} tlw_result;

// The enumerator's own spelling, "TLW_ERROR_BUSY"; "TLW_ERROR_UNKNOWN" for a number outside the
// table.
const char* tlw_result_name(tlw_result result);

// A sentence fragment for logs, "another thread is doing it".
const char* tlw_result_meaning(tlw_result result);

TLW_EXTERN_C_END

#endif
