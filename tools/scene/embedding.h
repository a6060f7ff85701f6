// SPDX-License-Identifier: MIT
// The words with which commands say how an output is embedded, and what they set in tlw_output. A
// header by itself, because command lines are also read in builds without scenes.
#ifndef TLW_TOOLS_SCENE_EMBEDDING_H
#define TLW_TOOLS_SCENE_EMBEDDING_H

#include "runtime/tallow.h"
#include "tools/command/number.h"

#include <string.h>

// word, value; and all of them, as errors and usage list them
#define TLW_EMBEDDING_WORDS(X)  \
    X("auto", TLW_EMBED_AUTO)   \
    X("delta", TLW_EMBED_DELTA) \
    X("fit", TLW_EMBED_FIT)     \
    X("rbf", TLW_EMBED_RBF)     \
    X("frames", TLW_EMBED_FRAMES)
#define TLW_EMBEDDING_LIST "auto, delta, fit, rbf or frames"

#define TLW_NORMAL_SOURCE_WORDS(X)         \
    X("gradient", TLW_NORMALS_BY_GRADIENT) \
    X("ring", TLW_NORMALS_BY_RING)
#define TLW_NORMAL_SOURCE_LIST "gradient or ring"

#define TLW_VERTEX_ORDER_WORDS(X) \
    X("source", TLW_ORDER_SOURCE) \
    X("cooked", TLW_ORDER_COOKED)
#define TLW_VERTEX_ORDER_LIST "source or cooked"

// False for an unknown word; then *out stays. And the word of a value, "unknown" if it has none.
#define TLW_WORDS_FROM(word, value)  \
    if (strcmp(name, (word)) == 0) { \
        *out = (value);              \
        return true;                 \
    }
#define TLW_WORDS_TO(word, value) \
    if (of == (value)) {          \
        return (word);            \
    }

TLW_INLINE bool tlw_embedding_from_name(const char* name, tlw_embedding* out) {
    TLW_EMBEDDING_WORDS(TLW_WORDS_FROM)
    return false;
}

TLW_INLINE const char* tlw_embedding_name(tlw_embedding of) {
    TLW_EMBEDDING_WORDS(TLW_WORDS_TO)
    return "unknown";
}

TLW_INLINE bool tlw_normal_source_from_name(const char* name, tlw_normal_source* out) {
    TLW_NORMAL_SOURCE_WORDS(TLW_WORDS_FROM)
    return false;
}

TLW_INLINE const char* tlw_normal_source_name(tlw_normal_source of) {
    TLW_NORMAL_SOURCE_WORDS(TLW_WORDS_TO)
    return "unknown";
}

TLW_INLINE bool tlw_vertex_order_from_name(const char* name, tlw_vertex_order* out) {
    TLW_VERTEX_ORDER_WORDS(TLW_WORDS_FROM)
    return false;
}

TLW_INLINE const char* tlw_vertex_order_name(tlw_vertex_order of) {
    TLW_VERTEX_ORDER_WORDS(TLW_WORDS_TO)
    return "unknown";
}

#undef TLW_WORDS_FROM
#undef TLW_WORDS_TO

// False unless it is a number from 0 to 1; then *out stays.
TLW_INLINE bool tlw_smoothing_from_text(const char* text, float* out) {
    double value;
    if (!tlw_parse_real(text, 0.0, 1.0, &value)) {
        return false;
    }
    *out = (float)value;
    return true;
}

#endif
