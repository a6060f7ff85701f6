// SPDX-License-Identifier: MIT
// Tallow's runtime: the one header that an engine includes.
#ifndef TLW_RUNTIME_TALLOW_H
#define TLW_RUNTIME_TALLOW_H

#include "platform/base.h"
#include "platform/handlers.h"
#include "platform/isa.h"
#include "platform/result.h"
#include "platform/task.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_version {
    uint32_t major, minor, patch;
} tlw_version;

// The version of the library that was linked.
tlw_version tlw_get_version(void);

TLW_EXTERN_C_END

#endif
