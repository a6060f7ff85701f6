// SPDX-License-Identifier: MIT
// Private to runtime: whether a tlw_blob came from tlw_blob_open.
#ifndef TLW_RUNTIME_BLOB_OPEN_H
#define TLW_RUNTIME_BLOB_OPEN_H

#include "runtime/asset.h"

TLW_EXTERN_C_BEGIN

bool tlw_blob_is_open(const tlw_blob* blob);

TLW_EXTERN_C_END

#endif
