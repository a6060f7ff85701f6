// SPDX-License-Identifier: MIT
// Shares of a list, by the hash of each output's name.
#include "tools/cook/shard.h"

#include "runtime/blob.h"
#include "tools/command/number.h"

#include <string.h>

bool tlw_shard_parse(const char* text, tlw_shard* out) {
    char number[16];
    const char* slash = strchr(text, '/');
    const size_t length = slash ? (size_t)(slash - text) : 0;
    if (slash == NULL || length >= sizeof number) {
        return false;
    }
    memcpy(number, text, length);
    number[length] = 0;
    return tlw_parse_count(slash + 1, 1, TLW_SHARDS_MAX, &out->count) &&
           tlw_parse_count(number, 1, out->count, &out->number);
}

bool tlw_shard_has(const tlw_shard* shard, const char* output) {
    return tlw_xxh64(output, strlen(output), 0) % shard->count + 1 == shard->number;
}
