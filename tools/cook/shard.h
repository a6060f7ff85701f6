// SPDX-License-Identifier: MIT
// Which rows of a list one process of many cooks. A row's share depends on the name of its output
// alone, so that it stays where it is when rows are added, taken out or moved.
#ifndef TLW_TOOLS_COOK_SHARD_H
#define TLW_TOOLS_COOK_SHARD_H

#include "platform/base.h"

#define TLW_SHARDS_MAX 65536u

typedef struct tlw_shard {
    uint32_t number, count; // share `number` of `count`, from 1
} tlw_shard;

// Reads "2/5". False: it is not two numbers from 1 to TLW_SHARDS_MAX, the first at most the second.
bool tlw_shard_parse(const char* text, tlw_shard* out);
// Whether an output of this name is in the share.
bool tlw_shard_has(const tlw_shard* shard, const char* output);

#endif
