// SPDX-License-Identifier: MIT
// Finds the places of the body (motion.h): reads a subject's voxels, their joints and the names of
// these; writes the lists of voxels.
#include "tools/motion/private.h"

#include <stdlib.h>
#include <string.h>

const char* tlw_motion_place_name(tlw_motion_place place) {
    static const char* const names[] = {
#define PLACE_NAME(id, name) name,
        TLW_MOTION_PLACE_TABLE(PLACE_NAME)
#undef PLACE_NAME
    };
    return (unsigned)place < TLW_MOTION_PLACE_COUNT ? names[place] : NULL;
}

const uint32_t* tlw_motion_place_voxels(const tlw_motion* motion, tlw_motion_place place,
                                        uint32_t* count) {
    *count = motion->own->place_counts[place];
    return motion->own->place_voxels[place];
}

// ---- Words of names

static bool is_small(char c) {
    return c >= 'a' && c <= 'z';
}

static bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c) {
    return is_small(c) || is_capital(c);
}

static char small(char c) {
    return is_capital(c) ? (char)(c - 'A' + 'a') : c;
}

// Whether `list`, words with a space after each, has the word name[0, length).
static bool list_has(const char* list, const char* name, size_t length) {
    for (const char* at = list; *at; ++at) {
        size_t n = 0;
        while (at[n] && at[n] != ' ' && n < length && at[n] == small(name[n])) {
            ++n;
        }
        if (n == length && at[n] == ' ') {
            return true;
        }
        at = strchr(at, ' ');
    }
    return false;
}

static bool name_has(const char* name, const char* list) {
    for (size_t at = 0; name[at];) {
        if (!is_letter(name[at])) {
            ++at;
            continue;
        }
        size_t end = at + 1;
        while (is_letter(name[end]) && !(is_small(name[end - 1]) && is_capital(name[end])) &&
               !(is_capital(name[end]) && is_small(name[end + 1]) && is_capital(name[end - 1]))) {
            ++end;
        }
        if (list_has(list, name + at, end - at)) {
            return true;
        }
        at = end;
    }
    return false;
}

// ---- Places of joints

enum {
    TRUNK = 1,
    HEAD = 2,
    HAND = 4,
    THIGH = 8,
    FOOT = 16,
    ARM = 32,
    LEG = 64,
    EAR = 128,
    NECK = 256,
    CHEST = 512
};

#define TRUNK_WORDS "hip hips pelvis spine torso belly waist abdomen trunk "

static const struct {
    unsigned place;
    const char* words;
} words[] = {
    {TRUNK, TRUNK_WORDS},
    {HEAD, "head skull face jaw "},
    {HAND, "hand hands wrist finger thumb forearm fore "},
    {THIGH, "thigh upleg "},
    {FOOT, "foot feet ankle toe paw hoof "},
    {ARM, "arm "},
    {LEG, "leg shin calf knee "},
    {EAR, "ear ears tail hair "},
    {NECK, "neck "},
    {CHEST, "chest shoulder clavicle collar breast "},
};

typedef struct skeleton {
    const tlw_motion* motion;
    uint32_t* parents;
    unsigned* own; // what a joint's own name says
    unsigned* place;
    bool* has_voxels;
} skeleton;

// The first joint upwards with one of these words in its name, itself among them.
static unsigned nearest_named(const skeleton* s, uint32_t joint) {
    while (joint != TLW_NO_INDEX && s->own[joint] == 0) {
        joint = s->parents[joint];
    }
    return joint == TLW_NO_INDEX ? 0 : s->own[joint];
}

// Whether no joint with voxels is below that one.
static bool is_leaf(const skeleton* s, uint32_t joint) {
    for (uint32_t j = 0; j < s->motion->own->joint_count; ++j) {
        for (uint32_t up = s->has_voxels[j] ? s->parents[j] : TLW_NO_INDEX; up != TLW_NO_INDEX;
             up = s->parents[up]) {
            if (up == joint) {
                return false;
            }
        }
    }
    return true;
}

static bool has_place(const skeleton* s, unsigned place) {
    for (uint32_t j = 0; j < s->motion->own->joint_count; ++j) {
        if (s->has_voxels[j] && s->place[j] & place) {
            return true;
        }
    }
    return false;
}

// The last joint of each chain with a word, or the first.
static void take_ends(const skeleton* s, unsigned chain, unsigned place, bool is_last) {
    for (uint32_t j = 0; j < s->motion->own->joint_count; ++j) {
        const uint32_t parent = s->parents[j];
        const bool is_first = parent == TLW_NO_INDEX || !(nearest_named(s, parent) & chain);
        if (nearest_named(s, j) & chain && (is_last ? is_leaf(s, j) : is_first)) {
            s->place[j] |= place;
        }
    }
}

// Whether at least two joints above have the same word of the trunk: of Spine, Spine1 and Spine2
// the last is the chest.
static bool is_third(const skeleton* s, uint32_t joint) {
    const tlw_blob* blob = &s->motion->own->blob;
    for (const char* word = TRUNK_WORDS; *word; word = strchr(word, ' ') + 1) {
        char one[16];
        const size_t length = (size_t)(strchr(word, ' ') - word) + 1;
        memcpy(one, word, length);
        one[length] = 0;
        int count = 0;
        for (uint32_t up = joint; up != TLW_NO_INDEX; up = s->parents[up]) {
            count += name_has(tlw_blob_joint_name(blob, up), one);
            if (up == joint && count == 0) {
                break;
            }
        }
        if (count > 2) {
            return true;
        }
    }
    return false;
}

static void find_joint_places(const skeleton* s) {
    const tlw_motion_private* own = s->motion->own;
    for (uint32_t j = 0; j < own->joint_count; ++j) {
        tlw_joint_info info;
        TLW_IGNORE(tlw_blob_get_joint(&own->blob, j, &info));
        s->parents[j] = info.parent;
        s->has_voxels[j] = info.has_voxels;
        s->own[j] = 0;
        for (size_t w = 0; w < TLW_COUNT_OF(words); ++w) {
            s->own[j] |= name_has(info.name, words[w].words) ? words[w].place : 0;
        }
        s->own[j] = s->own[j] & EAR ? EAR : s->own[j];
    }
    for (uint32_t j = 0; j < own->joint_count; ++j) {
        s->own[j] = s->own[j] & TRUNK && is_third(s, j) ? CHEST : s->own[j];
    }
    for (uint32_t j = 0; j < own->joint_count; ++j) {
        s->place[j] = nearest_named(s, j);
    }
    if (!has_place(s, HEAD)) {
        take_ends(s, NECK, HEAD, true);
    }
    if (!has_place(s, HAND)) {
        take_ends(s, ARM, HAND, true);
    }
    if (!has_place(s, THIGH)) {
        take_ends(s, LEG, THIGH, false);
    }
    if (!has_place(s, FOOT)) {
        take_ends(s, LEG, FOOT, true);
    }
}

// ---- Lists

static bool is_in(const tlw_motion* motion, const skeleton* s, tlw_motion_place place,
                  uint32_t voxel) {
    const unsigned at = s->place[motion->joints[voxel]];
    const uint32_t layer = motion->layers[voxel], skin = motion->own->layer_count - 1;
    if (layer == 0) {
        return false;
    }
    switch (place) {
    case TLW_MOTION_BELLY:
        return at & TRUNK;
    case TLW_MOTION_BELLY_FAT:
        return at & TRUNK && layer > 1 && layer < skin;
    case TLW_MOTION_HEAD:
        return at & HEAD;
    case TLW_MOTION_HAND:
        return at & HAND;
    case TLW_MOTION_THIGH:
        return at & THIGH;
    case TLW_MOTION_FOOT:
        return at & FOOT;
    default:
        return true;
    }
}

static bool list_places(tlw_motion* motion, const skeleton* s) {
    tlw_motion_private* own = motion->own;
    for (int place = 0; place < TLW_MOTION_PLACE_COUNT; ++place) {
        uint32_t* list = malloc(((size_t)motion->voxel_count + 1) * sizeof *list);
        if (list == NULL) {
            return false;
        }
        own->place_voxels[place] = list;
        for (uint32_t v = 0; v < motion->voxel_count; ++v) {
            if (is_in(motion, s, (tlw_motion_place)place, v)) {
                list[own->place_counts[place]++] = v;
            }
        }
    }
    return true;
}

bool tlw_motion_find_places(tlw_motion* motion) {
    const size_t joints = motion->own->joint_count;
    skeleton s = {.motion = motion,
                  .parents = calloc(joints, sizeof *s.parents),
                  .own = calloc(joints, sizeof *s.own),
                  .place = calloc(joints, sizeof *s.place),
                  .has_voxels = calloc(joints, sizeof *s.has_voxels)};
    bool is_done = s.parents && s.own && s.place && s.has_voxels;
    if (is_done) {
        find_joint_places(&s);
        is_done = list_places(motion, &s);
    }
    free(s.parents);
    free(s.own);
    free(s.place);
    free(s.has_voxels);
    return is_done;
}
