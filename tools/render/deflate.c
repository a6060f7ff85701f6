// SPDX-License-Identifier: MIT
// The compressor. The bytes become tokens (a letter, or a match: length and distance back), found
// by chains of equal three-byte hashes with one letter of lookahead (lazy matching). Every
// BLOCK_TOKENS tokens get Huffman codes of at most 15 bits, made by merging the two rarest nodes;
// a code that would be longer is flattened by halving the counts.
#include "tools/render/deflate.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_TOKENS 32768u
#define WINDOW       32768u
#define HASH_BITS    15
#define CHAIN_MAX    96 // candidates that are compared at a place
#define MATCH_MIN    3
#define MATCH_MAX    258
#define NONE         UINT32_MAX
#define LETTERS      286 // 256 bytes, the end of a block, 29 lengths
#define DISTANCES    30
#define CODE_LETTERS 19 // of the code that tells the lengths of the other two

typedef struct bit_writer {
    uint8_t* bytes;
    size_t used, capacity;
    uint64_t bits;
    uint32_t bit_count;
    bool is_out_of_memory;
} bit_writer;

static void put_byte(bit_writer* w, uint8_t byte) {
    if (w->used == w->capacity && !w->is_out_of_memory) {
        const size_t capacity = w->capacity * 2 + 4096;
        uint8_t* bytes = realloc(w->bytes, capacity);
        w->is_out_of_memory = bytes == NULL;
        w->bytes = bytes ? bytes : w->bytes;
        w->capacity = bytes ? capacity : w->capacity;
    }
    if (!w->is_out_of_memory) {
        w->bytes[w->used++] = byte;
    }
}

static void put_bits(bit_writer* w, uint32_t value, uint32_t count) {
    w->bits |= (uint64_t)value << w->bit_count;
    for (w->bit_count += count; w->bit_count >= 8; w->bit_count -= 8, w->bits >>= 8) {
        put_byte(w, (uint8_t)w->bits);
    }
}

// ---- Huffman codes

typedef struct code {
    uint32_t count; // letters
    uint8_t lengths[LETTERS];
    uint16_t bits[LETTERS]; // lowest bit first, as they are written
} code;

// Lengths by merging the two rarest nodes. Returns the longest.
static uint32_t merge_rarest(const uint32_t* counts, uint32_t count, uint8_t* lengths) {
    uint32_t weight[2 * LETTERS], parent[2 * LETTERS], node_count = count;
    bool is_merged[2 * LETTERS] = {false};
    memcpy(weight, counts, count * sizeof *weight);
    for (;;) {
        uint32_t rarest[2] = {NONE, NONE};
        for (uint32_t i = 0; i < node_count; ++i) {
            if (weight[i] == 0 || is_merged[i]) {
                continue;
            }
            if (rarest[0] == NONE || weight[i] < weight[rarest[0]]) {
                rarest[1] = rarest[0];
                rarest[0] = i;
            } else if (rarest[1] == NONE || weight[i] < weight[rarest[1]]) {
                rarest[1] = i;
            }
        }
        if (rarest[1] == NONE) {
            break;
        }
        weight[node_count] = weight[rarest[0]] + weight[rarest[1]];
        parent[rarest[0]] = parent[rarest[1]] = node_count;
        is_merged[rarest[0]] = is_merged[rarest[1]] = true;
        node_count += 1;
    }
    uint32_t longest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t length = 0;
        for (uint32_t at = i; weight[i] > 0 && is_merged[at]; at = parent[at]) {
            length += 1;
        }
        lengths[i] = (uint8_t)(length > 0 || weight[i] == 0 ? length : 1); // the only letter
        longest = lengths[i] > longest ? lengths[i] : longest;
    }
    return longest;
}

static void make_code(code* c, const uint32_t* counts, uint32_t count, uint32_t longest) {
    uint32_t scaled[LETTERS];
    memcpy(scaled, counts, count * sizeof *scaled);
    c->count = count;
    while (merge_rarest(scaled, count, c->lengths) > longest) {
        for (uint32_t i = 0; i < count; ++i) {
            scaled[i] = scaled[i] ? scaled[i] / 2 + 1 : 0;
        }
    }
    uint32_t next = 0; // canonical: by length, then by letter
    for (uint32_t length = 1; length <= longest; ++length) {
        for (uint32_t i = 0; i < count; ++i) {
            if (c->lengths[i] == length) {
                uint32_t reversed = 0;
                for (uint32_t bit = 0; bit < length; ++bit) {
                    reversed |= (next >> bit & 1u) << (length - 1 - bit);
                }
                c->bits[i] = (uint16_t)reversed;
                next += 1;
            }
        }
        next <<= 1;
    }
}

static void put_letter(bit_writer* w, const code* c, uint32_t letter) {
    put_bits(w, c->bits[letter], c->lengths[letter]);
}

// ---- Tokens

typedef struct token {
    uint16_t length;   // 0: a letter
    uint16_t distance; // back from here; or the letter
} token;

// The letter of a length or a distance, how many more bits follow, and their value.
typedef struct split {
    uint32_t letter, bit_count, bits;
} split;

static split split_length(uint32_t length) {
    if (length == MATCH_MAX) {
        return (split){285, 0, 0};
    }
    const uint32_t from = length - MATCH_MIN;
    uint32_t bit_count = 0;
    while (from >> (bit_count + 3) != 0) {
        bit_count += 1;
    }
    return (split){257 + bit_count * 4 + (from >> bit_count), bit_count,
                   from & ((1u << bit_count) - 1)};
}

static split split_distance(uint32_t distance) {
    const uint32_t from = distance - 1;
    uint32_t bit_count = 0;
    while (from >> (bit_count + 2) != 0) {
        bit_count += 1;
    }
    return (split){bit_count * 2 + (from >> bit_count), bit_count, from & ((1u << bit_count) - 1)};
}

// The lengths of both codes, run by run: 16 repeats the length before, 17 and 18 are runs of 0.
static void put_code_lengths(bit_writer* w, const code* letters, const code* distances) {
    static const uint8_t order[CODE_LETTERS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    static const uint8_t extra_bits[CODE_LETTERS] = {[16] = 2, [17] = 3, [18] = 7};
    uint8_t lengths[LETTERS + DISTANCES], runs[LETTERS + DISTANCES], extra[LETTERS + DISTANCES];
    uint32_t count = 0, run_count = 0, counts[CODE_LETTERS] = {0};
    memcpy(lengths, letters->lengths, letters->count);
    memcpy(lengths + letters->count, distances->lengths, distances->count);
    count = letters->count + distances->count;
    for (uint32_t i = 0; i < count;) {
        uint32_t same = 1;
        while (i + same < count && lengths[i + same] == lengths[i] && same < 138) {
            same += 1;
        }
        uint8_t letter = lengths[i];
        uint32_t taken = 1;
        extra[run_count] = 0;
        if (letter == 0 && same >= 3) {
            taken = same;
            letter = same < 11 ? 17 : 18;
            extra[run_count] = (uint8_t)(same - (same < 11 ? 3 : 11));
        } else if (i > 0 && lengths[i - 1] == letter && same >= 3) {
            taken = same < 6 ? same : 6;
            letter = 16;
            extra[run_count] = (uint8_t)(taken - 3);
        }
        counts[letter] += 1;
        runs[run_count++] = letter;
        i += taken;
    }
    code c;
    make_code(&c, counts, CODE_LETTERS, 7);
    uint32_t told = CODE_LETTERS;
    while (told > 4 && c.lengths[order[told - 1]] == 0) {
        told -= 1;
    }
    put_bits(w, letters->count - 257, 5);
    put_bits(w, distances->count - 1, 5);
    put_bits(w, told - 4, 4);
    for (uint32_t i = 0; i < told; ++i) {
        put_bits(w, c.lengths[order[i]], 3);
    }
    for (uint32_t i = 0; i < run_count; ++i) {
        put_letter(w, &c, runs[i]);
        put_bits(w, extra[i], extra_bits[runs[i]]);
    }
}

static void put_block(bit_writer* w, const token* tokens, uint32_t count, bool is_last) {
    uint32_t letter_counts[LETTERS] = {[256] = 1}, distance_counts[DISTANCES] = {0};
    for (uint32_t i = 0; i < count; ++i) {
        const token t = tokens[i];
        letter_counts[t.length ? split_length(t.length).letter : t.distance] += 1;
        if (t.length) {
            distance_counts[split_distance(t.distance).letter] += 1;
        }
    }
    code letters, distances;
    make_code(&letters, letter_counts, LETTERS, 15);
    make_code(&distances, distance_counts, DISTANCES, 15);
    put_bits(w, is_last ? 1u : 0u, 1);
    put_bits(w, 2, 2);
    put_code_lengths(w, &letters, &distances);
    for (uint32_t i = 0; i < count; ++i) {
        const token t = tokens[i];
        if (t.length == 0) {
            put_letter(w, &letters, t.distance);
            continue;
        }
        const split length = split_length(t.length), distance = split_distance(t.distance);
        put_letter(w, &letters, length.letter);
        put_bits(w, length.bits, length.bit_count);
        put_letter(w, &distances, distance.letter);
        put_bits(w, distance.bits, distance.bit_count);
    }
    put_letter(w, &letters, 256);
}

// ---- Matches

typedef struct matcher {
    const uint8_t* bytes;
    size_t count;
    uint32_t first[1u << HASH_BITS]; // the last place of each hash
    uint32_t before[WINDOW];         // the place before it with the same hash
} matcher;

static uint32_t hash_at(const matcher* m, size_t at) {
    const uint8_t* p = m->bytes + at;
    const uint32_t three = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    return three * 2654435761u >> (32 - HASH_BITS);
}

static void remember(matcher* m, size_t at) {
    if (at + MATCH_MIN <= m->count) {
        const uint32_t hash = hash_at(m, at);
        m->before[at % WINDOW] = m->first[hash];
        m->first[hash] = (uint32_t)at;
    }
}

static token find_match(const matcher* m, size_t at) {
    token best = {0, 0};
    if (at + MATCH_MIN > m->count) {
        return best;
    }
    const size_t room = m->count - at < MATCH_MAX ? m->count - at : MATCH_MAX;
    uint32_t from = m->first[hash_at(m, at)];
    for (int chain = 0; chain < CHAIN_MAX && from != NONE && at - from <= WINDOW - 1; ++chain) {
        size_t length = 0;
        while (length < room && m->bytes[from + length] == m->bytes[at + length]) {
            length += 1;
        }
        if (length >= MATCH_MIN && length > best.length) {
            best = (token){(uint16_t)length, (uint16_t)(at - from)};
        }
        const uint32_t next = m->before[from % WINDOW];
        if (length == room || next == NONE || next >= from) {
            break;
        }
        from = next;
    }
    return best;
}

static uint32_t adler32(const uint8_t* bytes, size_t count) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < count; ++i) {
        a = (a + bytes[i]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

uint8_t* tlw_deflate(const uint8_t* bytes, size_t count, size_t* stream_bytes) {
    bit_writer w = {0};
    matcher* m = malloc(sizeof *m);
    token* tokens = malloc(BLOCK_TOKENS * sizeof *tokens);
    const bool has_memory = m && tokens && count < NONE;
    if (has_memory) {
        m->bytes = bytes;
        m->count = count;
        memset(m->first, 0xFF, sizeof m->first);
        memset(m->before, 0xFF, sizeof m->before);
        put_byte(&w, 0x78); // deflate, window of 32 KB
        put_byte(&w, 0xDA); // and a check of these two bytes
        uint32_t token_count = 0;
        for (size_t at = 0; at < count;) {
            if (token_count == BLOCK_TOKENS) {
                put_block(&w, tokens, token_count, false);
                token_count = 0;
            }
            token t = find_match(m, at);
            remember(m, at);
            // A longer match one letter later is worth the letter.
            if (t.length > 0 && t.length < 64 && find_match(m, at + 1).length > t.length) {
                t.length = 0;
            }
            tokens[token_count++] = t.length ? t : (token){0, bytes[at]};
            for (size_t end = at + (t.length ? t.length : 1u); ++at < end;) {
                remember(m, at);
            }
        }
        put_block(&w, tokens, token_count, true);
        put_bits(&w, 0, (8 - w.bit_count) % 8);
        const uint32_t check = adler32(bytes, count);
        for (uint32_t i = 0; i < 4; ++i) {
            put_byte(&w, (uint8_t)(check >> (24 - 8 * i)));
        }
    }
    free(m);
    free(tokens);
    if (!has_memory || w.is_out_of_memory) {
        free(w.bytes);
        return NULL;
    }
    *stream_bytes = w.used;
    return w.bytes;
}
