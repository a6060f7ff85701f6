// SPDX-License-Identifier: MIT
// Readers that run in a process of their own: what they make arrives, and whatever they do instead
// is an error that says so. The readers here misbehave on purpose.
#include "tests/asset/rod.h"
#include "tests/asset/sound.h"
#include "tests/test.h"
#include "tools/asset/import.h"
#include "tools/asset/wire.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEGABYTE ((uint64_t)1 << 20)

// A load in progress.
typedef struct subject {
    tlw_gltf g;
    tlw_asset asset;
    tlw_asset_memory memory;
    tlw_asset_error error;
} subject;

static void begin(subject* s) {
    *s = (subject){.error.code = TLW_ASSET_OK};
    s->g = (tlw_gltf){.asset = &s->asset,
                      .memory = &s->memory,
                      .error = &s->error,
                      .limits = tlw_default_asset_limits()};
    s->asset.memory = &s->memory;
    s->memory.limit_bytes = s->g.limits.memory_bytes;
    s->g.notes = (tlw_notes){
        .memory = &s->memory,
        .texts = tlw_asset_allocate(&s->memory, TLW_KEPT, TLW_NOTES_MAX, sizeof *s->g.notes.texts),
        .count = &s->asset.note_count};
    s->asset.notes = s->g.notes.texts;
}

static void end(subject* s) {
    tlw_asset_free_all(&s->memory);
}

// Nobody is left to wait for.
static void check_no_child(void) {
    CHECK(waitpid(-1, NULL, WNOHANG) < 0);
    CHECK_EQ(errno, ECHILD);
}

static void check_stopped(subject* s, tlw_import_reader* reader, const char* part) {
    CHECK(!tlw_import(&s->g, "some.fbx", reader));
    CHECK_EQ(s->error.code, TLW_ASSET_CANNOT_READ);
    CHECK_CONTAINS(s->error.message, "cannot read 'some.fbx': the importer ");
    CHECK_CONTAINS(s->error.message, part);
    check_no_child();
    end(s);
}

static tlw_asset* load_rod(void) {
    tlw_rod rod = tlw_rod_make();
    // A second mesh without a skin, a colour, and a note.
    tlw_rod_edit(&rod, "'indices':3}]}]",
                 "'indices':3}]},{'name':'hat','primitives':[{'attributes':{'POSITION':0},"
                 "'indices':3},{'attributes':{'POSITION':0},'mode':0}]}]");
    tlw_asset* asset;
    tlw_asset_error error;
    CHECK_EQ(tlw_rod_load(&rod, &asset, &error), TLW_ASSET_OK);
    CHECK(asset->note_count > 0 && asset->clip_count > 0 && asset->file_count == 0);
    tlw_rod_free(&rod);
    return asset;
}

// The rod's memory leaves with the child.
static bool read_rod(tlw_gltf* g, const char* path) {
    (void)path;
    *g->asset = *load_rod();
    return true;
}

static bool read_badly(tlw_gltf* g, const char* path) {
    return tlw_gltf_fail(g, NULL, "%s has three legs", path);
}

static bool crash(tlw_gltf* g, const char* path) {
    (void)g;
    (void)path;
    raise(SIGSEGV);
    return true;
}

static bool give_up(tlw_gltf* g, const char* path) {
    (void)g;
    (void)path;
    _exit(7);
}

static bool wait_for_ever(tlw_gltf* g, const char* path) {
    (void)g;
    (void)path;
    while (getppid() > 0) { // always
        pause();
    }
    return true;
}

static bool take_everything(tlw_gltf* g, const char* path) {
    (void)g;
    (void)path;
    // Where nobody can see a block, clang makes none.
    static uint8_t* volatile last;
    for (uint64_t i = 0; i < 4096; ++i) { // ends by itself where nothing stops it
        uint8_t* block = malloc(MEGABYTE);
        if (block) {
            memset(block, 1, MEGABYTE);
        }
        last = block;
    }
    return last != NULL;
}

static void check_same(const tlw_asset* a, const tlw_asset* b) {
    CHECK_EQ(a->node_count, b->node_count);
    for (uint32_t i = 0; i < a->node_count; ++i) {
        CHECK_STRING(a->nodes[i].name, b->nodes[i].name);
        CHECK_EQ(a->nodes[i].mesh, b->nodes[i].mesh);
        CHECK(memcmp(a->nodes[i].matrix, b->nodes[i].matrix, sizeof a->nodes[i].matrix) == 0);
    }
    CHECK_EQ(a->mesh_count, b->mesh_count);
    for (uint32_t i = 0; i < a->mesh_count; ++i) {
        const tlw_asset_primitive *p = a->meshes[i].primitives, *q = b->meshes[i].primitives;
        const size_t vertices = p->vertex_count;
        CHECK_STRING(a->meshes[i].name, b->meshes[i].name);
        CHECK_EQ(a->meshes[i].primitive_count, b->meshes[i].primitive_count);
        CHECK_EQ(p->vertex_count, q->vertex_count);
        CHECK(memcmp(p->positions, q->positions, vertices * 3 * sizeof(float)) == 0);
        CHECK((p->normals == NULL) == (q->normals == NULL));
        CHECK(memcmp(p->indices, q->indices, p->triangle_count * 3 * sizeof(uint32_t)) == 0);
        CHECK_EQ(p->influence_count, q->influence_count);
        CHECK(p->influence_count == 0 ||
              memcmp(p->weights, q->weights, vertices * p->influence_count * sizeof(float)) == 0);
    }
    CHECK_EQ(a->skins[0].joint_count, b->skins[0].joint_count);
    CHECK(memcmp(a->skins[0].inverse_binds, b->skins[0].inverse_binds,
                 a->skins[0].joint_count * 16 * sizeof(double)) == 0);
    CHECK_EQ(a->clips[0].channel_count, b->clips[0].channel_count);
    CHECK_EQ(a->note_count, b->note_count);
    CHECK_STRING(a->notes[0], b->notes[0]);
}

TLW_TEST(what_a_reader_makes_arrives_whole) {
    subject s;
    begin(&s);
    tlw_asset* rod = load_rod();
    CHECK(tlw_import(&s.g, "some.fbx", read_rod));
    const char* why = tlw_asset_unsoundness(&s.asset);
    CHECK_STRING(why ? why : "", "");
    check_same(&s.asset, rod);
    check_no_child();
    tlw_asset_free(rod);
    end(&s);
}

TLW_TEST(what_a_reader_says_is_wrong_arrives) {
    subject s;
    begin(&s);
    CHECK(!tlw_import(&s.g, "some.fbx", read_badly));
    CHECK_EQ(s.error.code, TLW_ASSET_BAD);
    CHECK_STRING(s.error.message, "some.fbx has three legs");
    check_no_child();
    end(&s);
}

TLW_TEST(a_reader_that_crashes_is_an_error) {
    subject s;
    begin(&s);
    check_stopped(&s, crash, "crashed on it (signal 11)");
    begin(&s);
    check_stopped(&s, give_up, "gave up on it (exit code 7)");
}

TLW_TEST(a_reader_that_hangs_is_stopped_after_its_time) {
    subject s;
    begin(&s);
    s.g.limits.import_seconds = 1;
    check_stopped(&s, wait_for_ever, "took more than 1 s and was stopped");
}

TLW_TEST(a_reader_that_takes_all_memory_is_stopped) {
    if (!TLW_OS_LINUX) {
        tlw_test_skip(__FILE__, __LINE__, "only Linux tells how much memory a process has");
    }
    subject s;
    begin(&s);
    s.g.limits.import_bytes = 64 * MEGABYTE;
    check_stopped(&s, take_everything, "took more than 64 MB of memory and was stopped");
}

TLW_TEST(an_asset_beyond_the_memory_limit_is_refused) {
    subject s;
    begin(&s);
    s.memory.limit_bytes = s.memory.used_bytes + 1000;
    CHECK(!tlw_import(&s.g, "some.fbx", read_rod));
    CHECK_CONTAINS(s.error.message, "memory limit");
    check_no_child();
    end(&s);
}

TLW_TEST(an_asset_that_is_cut_off_is_no_asset) {
    tlw_asset* rod = load_rod();
    const uint64_t size = tlw_wire_bytes(rod);
    uint8_t* whole = malloc((size_t)size);
    CHECK(whole != NULL);
    tlw_wire_write(rod, whole);
    for (uint64_t cut = 0; cut <= size; cut += 8) {
        uint8_t* bytes = malloc((size_t)cut + (cut == 0)); // so that a sanitizer sees its end
        subject s;
        begin(&s);
        memcpy(bytes, whole, (size_t)cut);
        CHECK_EQ(tlw_wire_read(&s.g, bytes, cut), cut == size);
        free(bytes);
        end(&s);
    }
    free(whole);
    tlw_asset_free(rod);
}
