// SPDX-License-Identifier: MIT
// World and characters must use exactly the bytes that they ask for (MODEL 6). Their memory ends at
// a guard page; outputs have guard bytes around and between their elements.
#include "platform/pages.h"
#include "runtime/world/world.h"
#include "tests/cook/support/small_blobs.h"
#include "tests/runtime/support/small_characters.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAME (1.0 / 60.0)

// Places a block so that it ends at a guard page, without slack: all sizes are multiples of the
// alignment.
static void* at_end(tlw_pages* pages, size_t bytes, size_t alignment) {
    CHECK_OK(tlw_pages_allocate(pages, bytes));
    uint8_t* block = tlw_pages_at_end(pages, bytes, alignment);
    CHECK_LT((size_t)(pages->base + pages->bytes - (block + bytes)), alignment);
    memset(pages->base, 0x5A, (size_t)(block - pages->base));
    memset(block, 0xE7, bytes); // memory may hold anything before it is used
    return block;
}

static void check_before(const tlw_pages* pages, const void* block) {
    for (const uint8_t* at = pages->base; at < (const uint8_t*)block; ++at) {
        CHECK_EQ(*at, 0x5A);
    }
}

// A task system that runs ranges in order, each as the next worker, so that all workers' scratch is
// used.
static void* deal(tlw_task* task, uint32_t count, uint32_t range, void* context, void* user) {
    const uint32_t workers = *(const uint32_t*)user;
    for (uint32_t begin = 0, item = 0; begin < count; begin += range, ++item) {
        task(begin, count - begin < range ? count : begin + range, item % workers, context);
    }
    return NULL;
}

static uint64_t tick(void* user) {
    return *(uint64_t*)user += 10;
}

#define LINE TLW_MEMORY_ALIGNMENT

// Cache lines in which every byte is `unused`: the longest run of them, and whether the last line
// is one.
typedef struct idle_lines {
    size_t longest;
    bool is_last_idle;
} idle_lines;

// Not checked by the address sanitizer, which would see reads of the gaps between the arrays.
__attribute__((no_sanitize("address"))) static idle_lines find_idle(const void* memory,
                                                                    size_t bytes, uint8_t unused) {
    const uint8_t* at = memory;
    idle_lines out = {0, false};
    size_t run = 0;
    for (size_t line = 0; line * LINE < bytes; ++line) {
        const size_t end = bytes < (line + 1) * LINE ? bytes : (line + 1) * LINE;
        bool is_idle = true;
        for (size_t i = line * LINE; i < end; ++i) {
            is_idle = is_idle && at[i] == unused;
        }
        run = is_idle ? run + 1 : 0;
        out.longest = run > out.longest ? run : out.longest;
        out.is_last_idle = is_idle;
    }
    return out;
}

// Whether a muscle can move a window. Smoothing (RULES 9.14) hands a belly on to voxels whose
// station is an end of the line; where that is 0 thick and fixed, nothing displaces them.
static bool can_move(const tlw_blob_arrays* blob, const tlw_blob_belly_entry* entry) {
    const uint32_t lane = entry->muscle % TLW_LANES;
    for (uint32_t i = 0; i < entry->vertex_count; ++i) {
        const tlw_blob_muscle_row* row =
            &blob->muscle_rows[blob->muscle_groups[entry->muscle / TLW_LANES].first_row +
                               entry->first_vertex + i];
        const tlw_blob_belly_weight* weight = &blob->belly_weight[entry->first_weight + i];
        for (uint32_t k = 0; k < TLW_LANES; ++k) {
            if ((weight->curve[k] != 0 && row->radius[lane] > 0.0f) ||
                (weight->linear[k] != 0 && row->is_dynamic[lane] > 0.0f)) {
                return true;
            }
        }
    }
    return false;
}

// Lines that displacements leave idle: the longest run of windows that no muscle moves, of both
// moments one after the other.
static size_t idle_displacements(const tlw_blob* blob) {
    tlw_blob_arrays arrays;
    size_t longest = 0, run = 0;
    tlw_blob_arrays_open(blob->bytes, &arrays);
    for (uint32_t i = 0; arrays.belly_windows != NULL && i < 2 * arrays.window_count; ++i) {
        const uint32_t w = i % arrays.window_count;
        bool is_idle = true;
        for (uint32_t e = arrays.belly_windows[w]; e < arrays.belly_windows[w + 1]; ++e) {
            is_idle = is_idle && !can_move(&arrays, &arrays.belly_entry[e]);
        }
        run = is_idle ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest * sizeof(tlw_window_displacement) / LINE;
}

enum { STREAMS = 7, CHARACTERS = 3 };

typedef struct fenced {
    fixture_character character;
    tlw_pages pages;
    size_t bytes;
    void* streams[STREAMS];
} fenced;

// Asks for every output stream, so that the scratch of embedding is used up too.
static void draw_all(tlw_world* world, fenced* f, tlw_embedding embedding) {
    const tlw_blob_info info = small_info(f->character.which);
    tlw_output output = tlw_default_output();
    tlw_stream* const streams[STREAMS] = {&output.positions, &output.normals, &output.tangents,
                                          &output.deltas,    &output.lattice, &output.voxel_deltas,
                                          &output.voxel_fits};
    for (int i = 0; i < STREAMS; ++i) {
        const size_t most = (size_t)info.vertex_count * 3 + (size_t)info.voxel_count * 12;
        f->streams[i] = f->streams[i] ? f->streams[i] : sample_allocate(most * sizeof(float));
        streams[i]->data = f->streams[i];
    }
    output.embedding = embedding;
    output.normals_by = info.has_ring_normals && embedding == TLW_EMBED_DELTA
                            ? TLW_NORMALS_BY_RING
                            : TLW_NORMALS_BY_GRADIENT;
    CHECK_OK(tlw_character_set_output(world, f->character.id, &output));
}

// Moves in every direction all the time, so that a number that is 0 was never written.
static void stir(tlw_world* world, const fenced* f, int frame, uint64_t* random) {
    const tlw_blob blob = small_blob(f->character.which);
    const tlw_blob_info info = small_info(f->character.which);
    const double x = 0.01 * info.voxel_metres * frame;
    sample_joints joints;
    bind_pose(&blob, TLW_POSE_MATRICES, (const double[3]){x, -2.0 * x, 3.0 * x}, &joints);
    const tlw_root root = {{x, x, x}, {0.3f, 0.4f, 0.5f, 1.0f}, 1.0f};
    const tlw_pose pose = {&joints, info.joint_count, root, frame == 5};
    CHECK_OK(tlw_character_set_pose(world, f->character.id, &pose));
    if (frame % 3 == 1) { // it is still fading when the next one begins
        const uint32_t profile = (uint32_t)frame % info.profile_count;
        CHECK_OK(tlw_character_fade_to(world, f->character.id, profile, 0.1f));
    }
    for (uint32_t m = 0; m < info.muscle_count; ++m) {
        CHECK_OK(tlw_character_set_tension(world, f->character.id, m, 0.05f * (float)(frame + 1)));
    }
    for (uint32_t v = 0; v < info.voxel_count && frame % 4 == 2; ++v) {
        tlw_voxel_state state;
        CHECK_OK(tlw_character_get_voxel(world, f->character.id, v, &state));
        for (int i = 0; i < 3; ++i) {
            state.position[i] += (float)(tlw_test_random(random) % 1000) * 1e-3f;
        }
        CHECK_OK(
            tlw_character_set_voxel(world, f->character.id, v, state.position, state.velocity));
    }
}

// Writes nothing outside the bytes that were asked for, and uses all of them.
static void use_exact_memory(uint32_t which, uint32_t workers, float split_cost) {
    uint64_t now = 0, random = 1 + which;
    tlw_world_def def = fixture_world_def(CHARACTERS);
    def.scratch_bytes = small_info(which).scratch_bytes;
    def.tasks.enqueue = deal;
    def.tasks.user = &workers;
    def.tasks.worker_count = workers;
    def.split_cost = split_cost;
    def.clock = tick;
    def.clock_user = &now;
    def.budget_ms = 1.0;
    tlw_character_def character = tlw_default_character_def();
    character.blob = small_blob(which);
    size_t world_bytes;
    CHECK_OK(tlw_world_bytes(&def, &world_bytes));
    tlw_pages world_pages;
    uint8_t* world_memory = at_end(&world_pages, world_bytes, LINE);
    tlw_world* world;
    CHECK_RESULT(tlw_world_create(&def, world_memory, world_bytes - 1, &world),
                 TLW_ERROR_OUT_OF_MEMORY);
    CHECK(world == NULL);
    CHECK_OK(tlw_world_create(&def, world_memory, world_bytes, &world));
    const size_t tables = world_bytes - workers * def.scratch_bytes;
    memset(world_memory + tables, 0xE7, world_bytes - tables); // scratch may hold anything
    fenced characters[CHARACTERS];
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        fenced* f = &characters[i];
        *f = (fenced){.character = {.which = which}};
        CHECK_OK(tlw_character_bytes(&character, &f->bytes));
        f->character.memory = at_end(&f->pages, f->bytes, LINE);
        CHECK_RESULT(tlw_character_create(world, &character, f->character.memory, f->bytes - 1,
                                          &f->character.id),
                     TLW_ERROR_OUT_OF_MEMORY);
        CHECK_EQ(f->character.id.index1, 0u);
        CHECK_OK(tlw_character_create(world, &character, f->character.memory, f->bytes,
                                      &f->character.id));
    }
    for (int frame = 0; frame < 14; ++frame) {
        for (uint32_t i = 0; i < CHARACTERS; ++i) {
            stir(world, &characters[i], frame, &random);
            draw_all(world, &characters[i], frame % 2 == 0 ? TLW_EMBED_FRAMES : TLW_EMBED_DELTA);
        }
        CHECK_EQ(tlw_world_step(world, frame == 9 ? 1.0 : FRAME * 1.1) & TLW_STEP_NOT_FINITE, 0u);
    }
    tlw_world_report report;
    tlw_world_get_report(world, &report);
    CHECK_EQ(report.memory_bytes, world_bytes);
    CHECK_EQ(report.scratch_high_water_bytes, def.scratch_bytes);
    // What create cleared is no longer 0, and scratch is no longer what it was, with three
    // exceptions: regions of bone alone never rotate, a site array may have one line more than it
    // needs, and deviations of vertices have eight more, two lines, so that groups load whole.
    const idle_lines table = find_idle(world_memory, tables, 0);
    // deal() runs tasks one after another, so the first task takes all split characters and the
    // other workers stay idle.
    const bool has_idlers = split_cost != FLT_MAX;
    CHECK_EQ(table.is_last_idle, has_idlers);
    // Lines of the whole array, less those that have a byte of the first worker's.
    const size_t row = sizeof *world->pass_ns;
    const size_t idle = (workers * row + LINE - 1) / LINE - (row + LINE - 1) / LINE;
    CHECK_LE(table.longest, has_idlers ? idle : 0);
    for (uint32_t w = 0; w < (has_idlers ? 1 : workers); ++w) {
        const idle_lines scratch =
            find_idle(world_memory + tables + w * def.scratch_bytes, def.scratch_bytes, 0xE7);
        CHECK_LE(scratch.longest, 2u);
        CHECK(!scratch.is_last_idle);
    }
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        const idle_lines own = find_idle(characters[i].character.memory, characters[i].bytes, 0);
        const size_t team = 1 + sizeof(tlw_team) / LINE; // no other worker joined the team
        const size_t still = idle_displacements(&character.blob);
        CHECK_LE(own.longest, still > team ? still : team);
        CHECK(!own.is_last_idle);
        CHECK_OK(tlw_character_reset(world, characters[i].character.id));
        check_before(&characters[i].pages, characters[i].character.memory);
    }
    check_before(&world_pages, world_memory);
    tlw_world_destroy(world);
    tlw_pages_free(&world_pages);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        tlw_pages_free(&characters[i].pages);
        for (int k = 0; k < STREAMS; ++k) {
            sample_free(characters[i].streams[k]);
        }
    }
}

TLW_TEST(world_and_character_stay_in_the_bytes_they_asked_for_and_use_them_all) {
    for (uint32_t which = 0; which < SMALL_BLOB_COUNT; ++which) {
        use_exact_memory(which, 1, FLT_MAX);
        use_exact_memory(which, 3, FLT_MAX);
        use_exact_memory(which, 3, 1e-3f);
    }
}

// Colliders in the middle of every body, drags everywhere, a filter, and all that a world can keep
// of it.
static void touch_everything(tlw_world* world, const fenced* characters, int frame) {
    const tlw_pose_filter filter = tlw_default_pose_filter();
    for (uint32_t i = 0; i < 64 && frame == 0; ++i) {
        tlw_collider_def def = tlw_default_collider_def();
        tlw_collider_pose pose = tlw_default_collider_pose();
        tlw_collider_id id;
        def.kind = (tlw_collider_kind)(i % 3);
        def.radii[0] = def.radii[1] = def.half_extents[1] = 0.2f;
        def.ends[1][i % 3] = 0.3f;
        pose.position[i % 3] = 0.01 * i - 0.3;
        pose.rotation[i % 3] = 0.5f;
        CHECK_OK(tlw_collider_create(world, &def, &pose, &id));
    }
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        const tlw_character_id id = characters[i].character.id;
        const uint32_t voxels = small_info(characters[i].character.which).voxel_count;
        tlw_contact contacts[16];
        uint32_t count;
        CHECK_OK(tlw_character_set_pose_filter(world, id, frame % 5 == 4 ? NULL : &filter));
        for (uint32_t d = 0; d < 8; ++d) {
            const tlw_drag drag = {((uint32_t)frame * 8 + d) * 7 % voxels,
                                   {0.3, 0.2, 0.1},
                                   0.05f * (float)(1 + d),
                                   20.0f};
            TLW_IGNORE(tlw_character_set_drag(world, id, d, &drag)); // bone is refused
        }
        CHECK_OK(tlw_character_get_contacts(world, id, contacts, 16, &count));
        CHECK_LE(count, 16u);
    }
}

static void stay_in_memory_with_all(uint32_t which, uint32_t workers, float split_cost) {
    uint64_t random = 1 + which;
    tlw_world_def def = fixture_world_def(CHARACTERS);
    def.scratch_bytes = small_info(which).scratch_bytes;
    def.tasks.enqueue = deal;
    def.tasks.user = &workers;
    def.tasks.worker_count = workers;
    def.split_cost = split_cost;
    def.collider_capacity = 64;
    def.contact_capacity = 16;
    tlw_character_def character = tlw_default_character_def();
    character.blob = small_blob(which);
    character.drag_capacity = 8;
    character.has_pose_filter = true;
    size_t world_bytes;
    CHECK_OK(tlw_world_bytes(&def, &world_bytes));
    tlw_pages world_pages;
    uint8_t* world_memory = at_end(&world_pages, world_bytes, LINE);
    tlw_world* world;
    CHECK_OK(tlw_world_create(&def, world_memory, world_bytes, &world));
    memset(world_memory + world_bytes - workers * def.scratch_bytes, 0xE7,
           workers * def.scratch_bytes); // scratch may hold anything
    fenced characters[CHARACTERS];
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        fenced* f = &characters[i];
        *f = (fenced){.character = {.which = which}};
        CHECK_OK(tlw_character_bytes(&character, &f->bytes));
        f->character.memory = at_end(&f->pages, f->bytes, LINE);
        CHECK_OK(tlw_character_create(world, &character, f->character.memory, f->bytes,
                                      &f->character.id));
    }
    for (int frame = 0; frame < 8; ++frame) {
        touch_everything(world, characters, frame);
        for (uint32_t i = 0; i < CHARACTERS; ++i) {
            stir(world, &characters[i], frame, &random);
        }
        CHECK_EQ(tlw_world_step(world, FRAME * 1.1) & TLW_STEP_NOT_FINITE, 0u);
    }
    check_before(&world_pages, world_memory);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        check_before(&characters[i].pages, characters[i].character.memory);
    }
    tlw_world_destroy(world);
    tlw_pages_free(&world_pages);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        tlw_pages_free(&characters[i].pages);
    }
}

TLW_TEST(everything_that_touches_and_pulls_stays_in_the_bytes_that_were_asked_for) {
    for (uint32_t which = 0; which < SMALL_BLOB_COUNT; ++which) {
        stay_in_memory_with_all(which, 3, FLT_MAX);
        stay_in_memory_with_all(which, 2, 1e-3f);
    }
}

TLW_TEST(memory_off_its_alignment_is_named) {
    const tlw_world_def def = fixture_world_def(2);
    tlw_character_def character = tlw_default_character_def();
    character.blob = small_blob(SMALL_ELL);
    size_t world_bytes, bytes;
    CHECK_OK(tlw_world_bytes(&def, &world_bytes));
    CHECK_OK(tlw_character_bytes(&character, &bytes));
    uint8_t* memory = sample_allocate(world_bytes + bytes + 64);
    tlw_world *none, *world = fixture_world(&def);
    for (size_t off = 1; off < TLW_MEMORY_ALIGNMENT; ++off) {
        tlw_character_id id;
        CHECK_RESULT(tlw_world_create(&def, memory + off, world_bytes, &none),
                     TLW_ERROR_MISALIGNED);
        CHECK_RESULT(tlw_character_create(world, &character, memory + off, bytes, &id),
                     TLW_ERROR_MISALIGNED);
        CHECK(none == NULL && id.index1 == 0 && id.generation == 0);
    }
    CHECK_EQ(tlw_world_character_count(world), 0u);
    fixture_world_free(world);
    sample_free(memory);
}

TLW_TEST(scratch_that_is_too_small_and_a_full_table_are_named) {
    tlw_world_def def = fixture_world_def(1);
    const tlw_blob_info info = small_info(SMALL_LARGE_ELL);
    tlw_character_def character = tlw_default_character_def();
    character.blob = small_blob(SMALL_LARGE_ELL);
    size_t bytes;
    CHECK_OK(tlw_character_bytes(&character, &bytes));
    void* memory = sample_allocate(bytes);
    static const size_t less[] = {1, 64, SIZE_MAX};
    for (size_t i = 0; i < TLW_COUNT_OF(less); ++i) {
        def.scratch_bytes = less[i] == SIZE_MAX ? 0 : info.scratch_bytes - less[i];
        tlw_world* world = fixture_world(&def);
        tlw_character_id id;
        CHECK_RESULT(tlw_character_create(world, &character, memory, bytes, &id),
                     TLW_ERROR_SMALL_SCRATCH);
        CHECK_EQ(tlw_world_step(world, FRAME), 0u);
        fixture_world_free(world);
    }
    def.scratch_bytes = info.scratch_bytes;
    tlw_world* world = fixture_world(&def);
    tlw_character_id id, second;
    CHECK_OK(tlw_character_create(world, &character, memory, bytes, &id));
    void* more = sample_allocate(bytes);
    CHECK_RESULT(tlw_character_create(world, &character, more, bytes, &second), TLW_ERROR_CAPACITY);
    CHECK(!tlw_character_is_valid(world, second));
    CHECK(tlw_character_is_valid(world, id));
    fixture_world_free(world);
    sample_free(memory);
    sample_free(more);
}

// Outputs

typedef struct guarded {
    tlw_pages pages;
    uint8_t* data;
    size_t bytes; // to the end of the last element
    uint32_t stride, element, count;
} guarded;

static tlw_stream make_guarded(guarded* g, uint32_t count, uint32_t components, tlw_format format,
                               uint32_t gap) {
    const uint32_t component = format == TLW_FORMAT_FLOAT32 ? 4 : 2;
    g->element = components * component;
    g->stride = g->element + gap * component;
    g->count = count;
    g->bytes = count == 0 ? 0 : (size_t)g->stride * (count - 1) + g->element;
    CHECK_OK(tlw_pages_allocate(&g->pages, g->bytes + 1));
    g->data = tlw_pages_at_end(&g->pages, g->bytes, component);
    memset(g->pages.base, 0xCD, g->pages.bytes);
    return (tlw_stream){g->data, gap == 0 ? 0 : g->stride, format};
}

// All elements are written, and nothing before, between or after them.
static void check_guarded(const guarded* g, bool is_written) {
    const uint8_t* end = g->pages.base + g->pages.bytes;
    for (const uint8_t* at = g->pages.base; at < end; ++at) {
        const bool is_inside = at >= g->data && at < g->data + g->bytes;
        const size_t offset = is_inside ? (size_t)(at - g->data) % g->stride : 0;
        if (!is_inside || offset >= g->element) {
            CHECK_EQ(*at, 0xCD);
        }
    }
    for (uint32_t i = 0; i < g->count && is_written; ++i) {
        const uint8_t* element = g->data + (size_t)i * g->stride;
        uint32_t same = 0;
        for (uint32_t k = 0; k < g->element; ++k) {
            same += element[k] == 0xCD;
        }
        CHECK_LT(same, g->element / 2);
    }
}

TLW_TEST(outputs_write_their_elements_and_not_a_byte_more) {
    for (uint32_t which = 0; which < SMALL_BLOB_COUNT; ++which) {
        const tlw_blob_info info = small_info(which);
        for (uint32_t variant = 0; variant < 24; ++variant) {
            const tlw_world_def def = fixture_world_def(1);
            tlw_world* world = fixture_world(&def);
            fixture_character c = fixture_add(world, which, TLW_POSE_MATRICES);
            const tlw_format format = variant & 1 ? TLW_FORMAT_FLOAT16 : TLW_FORMAT_FLOAT32;
            const uint32_t gap = variant & 2 ? 1 + variant % 5 : 0;
            tlw_output output = tlw_default_output();
            output.embedding = (tlw_embedding)(variant % 3);
            output.first_vertex = variant & 4 && info.vertex_count > 3 ? 3 : 0;
            uint32_t count = info.vertex_count - output.first_vertex;
            if (variant & 8) {
                count = count > 5 ? count - 5 : count;
                output.vertex_count = count;
            }
            guarded g[5];
            output.positions = make_guarded(&g[0], count, 3, format, gap);
            output.normals = make_guarded(&g[1], count, 3, format, gap);
            output.tangents = make_guarded(&g[2], count, 3, format, gap);
            output.deltas = make_guarded(&g[3], count, 3, format, gap);
            output.lattice = make_guarded(&g[4], info.voxel_count, 12, format, gap);
            CHECK_OK(tlw_character_set_output(world, c.id, &output));
            for (int frame = 0; frame < 3; ++frame) {
                CHECK_OK(fixture_pose(world, &c, 0.02 * frame, false));
                (void)tlw_world_step(world, FRAME);
            }
            for (int i = 0; i < 5; ++i) {
                check_guarded(&g[i], true);
            }
            // A zeroed stream is not written any more.
            const tlw_output none = tlw_default_output();
            CHECK_OK(tlw_character_set_output(world, c.id, &none));
            for (int i = 0; i < 5; ++i) {
                tlw_pages_free(&g[i].pages);
            }
            (void)tlw_world_step(world, FRAME);
            fixture_remove(world, &c);
            fixture_world_free(world);
        }
    }
}

TLW_TEST(outputs_that_are_not_usable_are_named_and_leave_the_last_one) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    const tlw_blob_info info = small_info(SMALL_ELL);
    float* floats = sample_allocate((size_t)info.vertex_count * 12 * sizeof(float));
    tlw_output good = tlw_default_output();
    good.positions.data = floats;
    CHECK_OK(tlw_character_set_output(world, c.id, &good));
    tlw_output bad = good;
    bad.cookie ^= 1;
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_DEF);
    bad = good;
    bad.embedding = (tlw_embedding)5;
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    bad = good;
    bad.normals_by = (tlw_normal_source)2;
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    bad = good;
    bad.order = (tlw_vertex_order)2;
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    static const float smoothings[] = {-0.01f, 1.01f, NAN, INFINITY};
    for (size_t i = 0; i < TLW_COUNT_OF(smoothings); ++i) {
        bad = good;
        bad.smoothing = smoothings[i];
        CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    }
    bad = good;
    bad.embedding = TLW_EMBED_RBF;
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_UNSUPPORTED);
    bad = good;
    bad.normals_by = TLW_NORMALS_BY_RING;
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_UNSUPPORTED);
    bad = good;
    bad.voxel_deltas = (tlw_stream){floats, 10, TLW_FORMAT_FLOAT32};
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    bad = good;
    bad.voxel_fits = (tlw_stream){floats, 44, TLW_FORMAT_FLOAT32};
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    bad = good;
    bad.first_vertex = info.vertex_count + 1;
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    bad = good;
    bad.first_vertex = 1;
    bad.vertex_count = info.vertex_count;
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    static const uint32_t strides[] = {1, 8, 11, 13, 14};
    for (size_t i = 0; i < TLW_COUNT_OF(strides); ++i) {
        bad = good;
        bad.positions.stride_bytes = strides[i];
        CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    }
    bad = good;
    bad.normals = (tlw_stream){floats, 0, (tlw_format)2};
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    bad = good;
    bad.lattice = (tlw_stream){floats, 44, TLW_FORMAT_FLOAT32};
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_BAD_ARGUMENT);
    bad = good;
    bad.deltas.data = (uint8_t*)floats + 2;
    CHECK_RESULT(tlw_character_set_output(world, c.id, &bad), TLW_ERROR_MISALIGNED);
    bad.deltas.format = TLW_FORMAT_FLOAT16;
    CHECK_OK(tlw_character_set_output(world, c.id, &bad));
    CHECK_OK(tlw_character_set_output(world, c.id, &good));
    (void)tlw_world_step(world, 0.0);
    float sum = 0.0f;
    for (uint32_t i = 0; i < info.vertex_count * 3; ++i) {
        sum += floats[i] < 0.0f ? -floats[i] : floats[i];
    }
    CHECK_LT(0.0, (double)sum);
    fixture_remove(world, &c);
    fixture_world_free(world);
    sample_free(floats);
}

// The bounds reach half a voxel's diagonal beyond all voxel centres, wherever they moved.
TLW_TEST(bounds_hold_every_voxel_and_half_its_diagonal) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_LARGE_ELL, TLW_POSE_MATRICES);
    const tlw_blob_info info = small_info(SMALL_LARGE_ELL);
    tlw_output output = tlw_default_output();
    tlw_bounds bounds;
    CHECK_RESULT(tlw_character_get_bounds(world, c.id, &bounds), TLW_ERROR_UNSUPPORTED);
    output.wants_bounds = true;
    CHECK_OK(tlw_character_set_output(world, c.id, &output));
    (void)tlw_world_step(world, FRAME); // the bind pose: state is voxels from the origin
    CHECK_OK(tlw_character_get_bounds(world, c.id, &bounds));
    for (int i = 0; i < 3; ++i) {
        double low = 1e9, high = -1e9;
        for (uint32_t v = 0; v < info.voxel_count; ++v) {
            tlw_voxel_state state;
            CHECK_OK(tlw_character_get_voxel(world, c.id, v, &state));
            const double at = (double)state.position[i] * info.voxel_metres;
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        const double half = 0.8660254037844386 * info.voxel_metres;
        CHECK_NEAR(bounds.low[i], low - half, 1e-4 * info.voxel_metres);
        CHECK_NEAR(bounds.high[i], high + half, 1e-4 * info.voxel_metres);
    }
    fixture_remove(world, &c);
    fixture_world_free(world);
}
