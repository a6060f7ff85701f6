// SPDX-License-Identifier: MIT
// Lists of characters to cook: what is read, every mistake with its row and key, and which share of
// a list each row is in.
#include "platform/file.h"
#include "tests/test.h"
#include "tools/cook/list.h"
#include "tools/cook/shard.h"

#include <stdio.h>
#include <string.h>

static char heard[8192];

static void hear(const char* line) {
    const size_t used = strlen(heard);
    snprintf(heard + used, sizeof heard - used, "%s\n", line);
}

static const tlw_command command = {.name = "test", .hear = hear};

static const char* path_of(const char* name) {
    static char paths[4][1024];
    static int next;
    char* path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", tlw_test_folder(), name);
    return path;
}

static tlw_exit_code read_text(const char* text, tlw_list* list) {
    const char* path = path_of("list.json");
    CHECK_EQ(tlw_file_replace(path, text, strlen(text), NULL), TLW_OK);
    heard[0] = 0;
    return tlw_list_read(&command, path, path_of("summary.json"), list);
}

// Each of `parts` must be said, and nothing else.
static void check_mistakes(const char* text, const char* const* parts, size_t count) {
    tlw_list list;
    size_t lines = 0;
    CHECK_EQ(read_text(text, &list), TLW_EXIT_USAGE);
    for (size_t i = 0; i < count; ++i) {
        CHECK_CONTAINS(heard, parts[i]);
    }
    for (const char* c = heard; *c; ++c) {
        lines += *c == '\n';
    }
    CHECK_EQ(lines, count);
    tlw_list_free(&list);
}

static void check_mistake(const char* text, const char* part) {
    check_mistakes(text, &part, 1);
}

TLW_TEST(list_gives_rows_with_paths_below_its_folder) {
    tlw_list list;
    char expected[1024];
    CHECK_EQ(read_text("{\"characters\": [{\"input\": \"a.glb\", \"output\": \"out/a.tlw\"},"
                       "{\"input\": \"/art/b.glb\", \"recipe\": \"../b.json\", \"output\": "
                       "\"b.tlw\", \"report\": \"b.report\", \"picture\": \"b.png\","
                       "\"depfile\": \"b.d\"}]}",
                       &list),
             TLW_EXIT_OK);
    CHECK_EQ(list.row_count, 2);
    CHECK_STRING(list.rows[0].names[TLW_LIST_OUTPUT], "out/a.tlw");
    snprintf(expected, sizeof expected, "%s/out/a.tlw", tlw_test_folder());
    CHECK_STRING(list.rows[0].paths[TLW_LIST_OUTPUT], expected);
    snprintf(expected, sizeof expected, "%s/out/a.tlw.record", tlw_test_folder());
    CHECK_STRING(list.rows[0].record, expected);
    CHECK(list.rows[0].paths[TLW_LIST_RECIPE] == NULL);
    CHECK_STRING(list.rows[1].paths[TLW_LIST_INPUT], "/art/b.glb");
    snprintf(expected, sizeof expected, "%s/../b.json", tlw_test_folder());
    CHECK_STRING(list.rows[1].paths[TLW_LIST_RECIPE], expected);
    CHECK_STRING(list.rows[1].names[TLW_LIST_DEPFILE], "b.d");
    tlw_list_free(&list);
    CHECK_EQ(read_text("{\"characters\": []}", &list), TLW_EXIT_OK);
    CHECK_EQ(list.row_count, 0);
    tlw_list_free(&list);
}

TLW_TEST(list_names_every_mistake_with_row_and_key) {
    static const char* const several[] = {
        ("list.json: characters[0].recpie: unknown key; did you mean \"recipe\"? allowed: input, "
         "recipe, output, report, picture, depfile"), // clang asks for the brackets
        "list.json: characters[0].output: missing; the name of a file is expected",
        "list.json: characters[1]: an object is expected, not 7",
        "list.json: characters[2].input: the name of a file is expected, not \"\"",
        "list.json: characters[2].report: the name of a file is expected, not false"};
    check_mistakes("{\"characters\": [{\"input\": \"a.glb\", \"recpie\": \"a.json\"}, 7,"
                   "{\"input\": \"\", \"output\": \"c.tlw\", \"report\": false}]}",
                   several, TLW_COUNT_OF(several));
    check_mistake("", "list.json:1:");
    check_mistake("{\"characters\":\n [{]}", "list.json:2:");
    check_mistake("[]", "list.json: an object with the array 'characters' is expected, not an "
                        "array");
    check_mistake("{}", "list.json: characters: missing; an array of rows is expected");
    check_mistake("{\"characters\": {}}",
                  "characters: an array of rows is expected, not an object");
    check_mistake("{\"characters\": [], \"rows\": []}", "rows: unknown key; allowed: characters");
    check_mistake("{\"characters\": [{\"input\": \"a\", \"input\": \"b\"}]}",
                  "duplicate object key");
    check_mistake("[[[[[[[[[]]]]]]]]]", "nested deeper than 8");
}

TLW_TEST(list_says_how_many_mistakes_it_does_not_show) {
    char text[4096] = "{\"characters\": [0";
    tlw_list list;
    for (int i = 1; i < 23; ++i) {
        snprintf(text + strlen(text), sizeof text - strlen(text), ", %d", i);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text), "]}");
    CHECK_EQ(read_text(text, &list), TLW_EXIT_USAGE);
    CHECK_CONTAINS(heard, "characters[19]: an object is expected, not 19\n");
    CHECK_CONTAINS(heard, "list.json: and 3 mistakes more\n");
    CHECK(strstr(heard, "characters[20]") == NULL);
    tlw_list_free(&list);
}

TLW_TEST(list_refuses_paths_that_are_too_long) {
    char text[TLW_PATH_MAX + 256];
    const int used = snprintf(text, sizeof text,
                              "{\"characters\": [{\"input\": \"a.glb\", "
                              "\"output\": \"/");
    memset(text + used, 'o', TLW_PATH_MAX);
    snprintf(text + used + TLW_PATH_MAX, sizeof text - (size_t)used - TLW_PATH_MAX, "\"}]}");
    check_mistake(text, "characters[0].output: a path of 4097 bytes; 4088 is the limit");
}

TLW_TEST(list_that_cannot_be_read_is_named) {
    tlw_list list;
    heard[0] = 0;
    CHECK_EQ(tlw_list_read(&command, path_of("nowhere.json"), NULL, &list), TLW_EXIT_CANNOT_READ);
    CHECK_CONTAINS(heard, "nowhere.json");
    tlw_list_free(&list);
}

#define ROW_A "{\"input\": \"a.glb\", \"output\": \"a.tlw\"}"

TLW_TEST(list_refuses_files_that_would_be_written_twice_or_over_what_is_read) {
    check_mistake("{\"characters\": [" ROW_A ", {\"input\": \"b.glb\", \"output\": "
                  "\"no/where/../../a.tlw\"}]}",
                  "/no/where/../../a.tlw' is the same file as characters[0].output, and both "
                  "would be written");
    check_mistake("{\"characters\": [" ROW_A ", {\"input\": \"b.glb\", \"output\": \"b.tlw\", "
                  "\"report\": \"a.tlw.record\"}]}",
                  "/a.tlw.record' is the same file as characters[0].output.record, and both would "
                  "be written");
    check_mistake("{\"characters\": [{\"input\": \"a.glb\", \"recipe\": \"a.json\", \"output\": "
                  "\"a.json\"}]}",
                  "characters[0].output: '");
    CHECK_CONTAINS(heard, "is the same file as characters[0].recipe, and it would be written over");
    check_mistake("{\"characters\": [" ROW_A ", {\"input\": \"a.tlw\", \"output\": \"b.tlw\"}]}",
                  "characters[1].input: '");
    CHECK_CONTAINS(heard, "is the same file as characters[0].output, and it would be written over");
    check_mistake("{\"characters\": [{\"input\": \"a.glb\", \"output\": \"list.json\"}]}",
                  "is the same file as the list, and it would be written over");
    check_mistake("{\"characters\": [{\"input\": \"a.glb\", \"output\": \"summary.json\"}]}",
                  "is the same file as --summary, and both would be written");
    tlw_list list; // what is only read may be read often
    CHECK_EQ(read_text("{\"characters\": [" ROW_A
                       ", {\"input\": \"a.glb\", \"recipe\": \"a.json\", "
                       "\"output\": \"b.tlw\"}, {\"input\": \"a.glb\", \"recipe\": \"a.json\", "
                       "\"output\": \"c.tlw\"}]}",
                       &list),
             TLW_EXIT_OK);
    tlw_list_free(&list);
}

#if !TLW_OS_WINDOWS
int symlink(const char* target, const char* link); // of POSIX, which -std=c11 hides
int link(const char* old, const char* name);
int mkdir(const char* path, unsigned mode);

TLW_TEST(list_finds_the_same_file_through_links) {
    CHECK_EQ(symlink(".", path_of("here")), 0);
    check_mistake("{\"characters\": [" ROW_A ", {\"input\": \"b.glb\", \"output\": "
                  "\"here/a.tlw\"}]}",
                  "/here/a.tlw' is the same file as characters[0].output, and both would be "
                  "written");
    CHECK_EQ(symlink("a.tlw", path_of("later.tlw")), 0);
    check_mistake("{\"characters\": [{\"input\": \"b.glb\", \"output\": \"later.tlw\"}, " ROW_A
                  "]}",
                  "/a.tlw' is the same file as characters[0].output, and both would be written");
}

TLW_TEST(list_tells_names_in_another_case_apart_where_the_file_system_does) {
    static const char text[] = "{\"characters\": [{\"input\": \"a.glb\", \"output\": "
                               "\"cased/a.tlw\"}, {\"input\": \"b.glb\", \"output\": "
                               "\"cased/A.tlw\"}]}";
    tlw_list list;
    CHECK_EQ(mkdir(path_of("cased"), 0700), 0);
    CHECK_EQ(tlw_file_replace(path_of("cased/there"), "", 0, NULL), TLW_OK);
    CHECK_EQ(read_text(text, &list), TLW_EXIT_OK);
    tlw_list_free(&list);
    // Every name in two spellings, as a file system that ignores case has them.
    CHECK_EQ(link(path_of("cased/there"), path_of("cased/THERE")), 0);
    check_mistake(text, "cased/A.tlw' is the same file as characters[0].output, and both would be "
                        "written");
}
#endif

TLW_TEST(shard_takes_two_numbers_and_nothing_else) {
    static const char* const bad[] = {
        "",     "1",    "/",    "1/",  "/1",    "0/1",   "2/1",     "1/0",
        "-1/2", "1/ 2", "1/2 ", "a/2", "1/2/3", "1.0/2", "1/65537", "00000000000000001/1"};
    tlw_shard shard = {0};
    CHECK(tlw_shard_parse("2/5", &shard));
    CHECK_EQ(shard.number, 2);
    CHECK_EQ(shard.count, 5);
    CHECK(tlw_shard_parse("65536/65536", &shard));
    for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
        if (tlw_shard_parse(bad[i], &shard)) {
            tlw_test_fail(__FILE__, __LINE__, "'%s' is taken", bad[i]);
        }
    }
}

// The share does not depend on other rows because it is given nothing but the name.
TLW_TEST(shards_have_every_output_once_and_about_as_many_each) {
    for (uint32_t count = 1; count <= 64; count += 9) {
        uint32_t sizes[64] = {0};
        for (uint32_t i = 0; i < 6400; ++i) {
            char name[64];
            uint32_t owners = 0;
            snprintf(name, sizeof name, "out/character_%u.tlw", i);
            for (uint32_t number = 1; number <= count; ++number) {
                const tlw_shard shard = {number, count};
                if (tlw_shard_has(&shard, name)) {
                    owners += 1;
                    sizes[number - 1] += 1;
                }
            }
            CHECK_EQ(owners, 1);
        }
        for (uint32_t i = 0; i < count; ++i) { // a fair throw is within five deviations of even
            const double even = 6400.0 / count;
            CHECK_LE((sizes[i] - even) * (sizes[i] - even), 25.0 * even);
        }
    }
}

TLW_TEST(shard_of_a_name_is_its_xxh64_modulo_the_shards_on_every_machine) {
    // xxhsum -H64 of "hero.tlw" without a line's end
    const uint64_t hash = 0xD55208A74497E7ACu;
    for (uint32_t count = 1; count < 9; ++count) {
        const tlw_shard shard = {(uint32_t)(hash % count) + 1, count};
        CHECK(tlw_shard_has(&shard, "hero.tlw"));
    }
}
