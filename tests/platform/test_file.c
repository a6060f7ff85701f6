// SPDX-License-Identifier: MIT
// Reading and replacing files: every size, every refusal by name, and a replaced file that is
// complete or unchanged whatever happens.
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "platform/file.h"
#include "platform/thread.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if !TLW_OS_WINDOWS
#    include <dirent.h>
#    include <errno.h>
#    include <fcntl.h>
#    include <signal.h>
#    include <sys/file.h>
#    include <sys/resource.h>
#    include <sys/stat.h>
#    include <sys/time.h>
#    include <unistd.h>
#endif

// Memory for reads: counts calls, and refuses from a given call on.
typedef struct counted_memory {
    int calls, refuse_from; // refuse_from 0: never
    size_t held_bytes;
} counted_memory;

static void* counted_grow(void* old, size_t old_bytes, size_t new_bytes, void* user) {
    counted_memory* memory = user;
    if (new_bytes == 0) {
        memory->held_bytes -= old_bytes;
        free(old);
        return NULL;
    }
    memory->calls += 1;
    if (memory->refuse_from && memory->calls >= memory->refuse_from) {
        return NULL;
    }
    memory->held_bytes += new_bytes - old_bytes;
    return realloc(old, new_bytes);
}

static const char* path_of(const char* name) {
    static char paths[4][TLW_PATH_MAX];
    static int next;
    char* path = paths[next++ % 4];
    snprintf(path, TLW_PATH_MAX, "%s/%s", tlw_test_folder(), name);
    return path;
}

static tlw_file_read_def read_def(const char* path, counted_memory* memory) {
    tlw_file_read_def def = tlw_default_file_read_def();
    *memory = (counted_memory){0};
    def.path = path;
    def.grow = counted_grow;
    def.user = memory;
    return def;
}

static void check_content(const char* path, const void* bytes, size_t size) {
    counted_memory memory;
    tlw_file_read_def def = read_def(path, &memory);
    uint8_t* found;
    size_t found_size;
    tlw_file_error error;
    CHECK_OK(tlw_file_read(&def, &found, &found_size, &error));
    CHECK_EQ(found_size, size);
    CHECK_BYTES(found, bytes, size);
    free(found);
}

static void write_plainly(const char* path, const void* bytes, size_t size) {
    FILE* file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

TLW_TEST(read_gives_all_bytes_of_files_of_every_awkward_size) {
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 65535, 65536, 65537, 300001};
    for (size_t i = 0; i < TLW_COUNT_OF(sizes); ++i) {
        uint8_t* bytes = malloc(sizes[i] + 1);
        uint64_t seed = i;
        for (size_t k = 0; k < sizes[i]; ++k) {
            bytes[k] = (uint8_t)tlw_test_random(&seed);
        }
        const char* path = path_of("sized.bin");
        write_plainly(path, bytes, sizes[i]);
        check_content(path, bytes, sizes[i]);
        free(bytes);
    }
}

TLW_TEST(read_of_an_empty_file_still_gives_memory) {
    const char* path = path_of("empty.bin");
    write_plainly(path, "", 0);
    counted_memory memory;
    tlw_file_read_def def = read_def(path, &memory);
    uint8_t* bytes = NULL;
    size_t size = 1;
    CHECK_OK(tlw_file_read(&def, &bytes, &size, NULL));
    CHECK(bytes != NULL);
    CHECK_EQ(size, 0);
    free(bytes);
}

TLW_TEST(read_names_a_missing_file_and_the_reason) {
    counted_memory memory;
    tlw_file_read_def def = read_def(path_of("no such file"), &memory);
    uint8_t* bytes;
    size_t size;
    tlw_file_error error;
    CHECK_RESULT(tlw_file_read(&def, &bytes, &size, &error), TLW_ERROR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "no such file'");
    CHECK_CONTAINS(error.message, "cannot read");
    CHECK(error.system_code != 0);
    CHECK_EQ(memory.held_bytes, 0);
}

TLW_TEST(read_refuses_more_than_its_limit_and_a_folder) {
    const char* path = path_of("ten.bin");
    write_plainly(path, "0123456789", 10);
    counted_memory memory;
    tlw_file_read_def def = read_def(path, &memory);
    uint8_t* bytes;
    size_t size;
    tlw_file_error error;
    def.limit_bytes = 9;
    CHECK_RESULT(tlw_file_read(&def, &bytes, &size, &error), TLW_ERROR_TOO_LARGE);
    CHECK_CONTAINS(error.message, "9 bytes");
    CHECK_EQ(memory.calls, 0); // a file that is known to be too long asks for no memory
    def.limit_bytes = 10;
    CHECK_OK(tlw_file_read(&def, &bytes, &size, &error));
    free(bytes);
    def.path = tlw_test_folder();
    CHECK_RESULT(tlw_file_read(&def, &bytes, &size, &error), TLW_ERROR_CANNOT_READ);
}

TLW_TEST(read_gives_everything_back_when_memory_is_refused) {
    const char* path = path_of("hundred.bin");
    char bytes[100] = {0};
    write_plainly(path, bytes, sizeof bytes);
    counted_memory memory;
    tlw_file_read_def def = read_def(path, &memory);
    memory.refuse_from = 1;
    uint8_t* found;
    size_t size;
    tlw_file_error error;
    CHECK_RESULT(tlw_file_read(&def, &found, &size, &error), TLW_ERROR_OUT_OF_MEMORY);
    CHECK(found == NULL);
    CHECK_EQ(memory.held_bytes, 0);
    def.cookie = 0;
    CHECK_RESULT(tlw_file_read(&def, &found, &size, &error), TLW_ERROR_BAD_DEF);
}

TLW_TEST(replace_makes_a_new_file_and_overwrites_an_old_one) {
    const char* path = path_of("replaced.bin");
    tlw_file_error error;
    CHECK_OK(tlw_file_replace(path, "first", 5, &error));
    check_content(path, "first", 5);
    CHECK_OK(tlw_file_replace(path, "second one", 10, &error));
    check_content(path, "second one", 10);
    CHECK_OK(tlw_file_replace(path, "", 0, NULL));
    check_content(path, "", 0);
}

TLW_TEST(writer_writes_pieces_in_order_and_an_abandoned_one_changes_nothing) {
    const char* path = path_of("pieces.bin");
    tlw_file_writer writer;
    CHECK_OK(tlw_file_writer_begin(&writer, path));
    CHECK_OK(tlw_file_writer_write(&writer, "one ", 4));
    CHECK_OK(tlw_file_writer_write(&writer, "", 0));
    CHECK_OK(tlw_file_writer_write(&writer, "two", 3));
    CHECK_OK(tlw_file_writer_commit(&writer));
    check_content(path, "one two", 7);
    CHECK_OK(tlw_file_writer_begin(&writer, path));
    CHECK_OK(tlw_file_writer_write(&writer, "three", 5));
    tlw_file_writer_abandon(&writer);
    tlw_file_writer_abandon(&writer); // nothing left to do
    check_content(path, "one two", 7);
}

TLW_TEST(stamp_changes_with_the_file_and_only_then) {
    const char* path = path_of("stamped");
    CHECK_EQ(tlw_file_stamp(path), 0);
    CHECK_EQ(tlw_file_replace(path, "abc", 3, NULL), TLW_OK);
    const uint64_t first = tlw_file_stamp(path);
    CHECK(first != 0);
    CHECK_EQ(tlw_file_stamp(path), first);
    CHECK_EQ(tlw_file_replace(path, "abd", 3, NULL), TLW_OK); // the same size, at once
    const uint64_t second = tlw_file_stamp(path);
    CHECK(second != first);
    FILE* file = fopen(path, "ab"); // the same file, longer
    CHECK(file != NULL && fputc('e', file) == 'e' && fclose(file) == 0);
    CHECK(tlw_file_stamp(path) != second);
    CHECK(tlw_file_stamp(tlw_test_folder()) != 0);
}

static bool are_same(const char* a, const char* b) {
    const tlw_file_identity one = tlw_file_identify(a), other = tlw_file_identify(b);
    return tlw_file_is_same(&one, &other);
}

TLW_TEST(identity_is_that_of_the_file_however_its_path_is_spelled) {
    char one[TLW_PATH_MAX], other[TLW_PATH_MAX];
    snprintf(one, sizeof one, "%s/identified", tlw_test_folder());
    snprintf(other, sizeof other, "%s/./identified", tlw_test_folder());
    CHECK(are_same(one, other)); // both would make the same file
    CHECK(!are_same(one, path_of("identified_too")));
    CHECK_OK(tlw_file_replace(one, "abc", 3, NULL));
    CHECK(are_same(one, other));
    CHECK(!are_same(one, path_of("identified_too")));
    CHECK_OK(tlw_file_replace(path_of("identified_too"), "abc", 3, NULL));
    CHECK(!are_same(one, path_of("identified_too")));
    CHECK(!are_same(tlw_test_folder(), tlw_test_folder())); // no file
    CHECK(!are_same(path_of("no/where"), path_of("no/where")));
#if !TLW_OS_WINDOWS
    CHECK_EQ(symlink("identified", path_of("identified_link")), 0);
    CHECK(are_same(one, path_of("identified_link")));
    snprintf(other, sizeof other, "%s/identified_hard", tlw_test_folder());
    CHECK_EQ(link(one, other), 0);
    CHECK(are_same(one, other));
    CHECK_EQ(symlink("identified_later", path_of("identified_dangling")), 0);
    CHECK(are_same(path_of("identified_later"), path_of("identified_dangling")));
    CHECK(!are_same("", "") && !are_same(path_of("a/"), path_of("a/")));
    CHECK_EQ(symlink(".", path_of("identified_folder")), 0);
    CHECK(are_same(path_of("identified_new"), path_of("identified_folder/identified_new")));
    CHECK(!are_same("/dev/null", "/dev/null")); // nothing is lost there
    // As a folder looks that ignores case: each name in it leads to the same file in both.
    snprintf(other, sizeof other, "%s/cased", tlw_test_folder());
    CHECK_EQ(mkdir(other, 0700), 0);
    CHECK(!are_same(path_of("cased/hero.tlw"), path_of("cased/Hero.tlw")));
    CHECK_EQ(link(one, path_of("cased/there")), 0);
    CHECK(!are_same(path_of("cased/hero.tlw"), path_of("cased/Hero.tlw")));
    CHECK_EQ(link(one, path_of("cased/THERE")), 0);
    CHECK(are_same(path_of("cased/hero.tlw"), path_of("cased/Hero.tlw")));
    CHECK(!are_same(path_of("cased/hero.tlw"), path_of("cased/Hera.tlw")));
#endif
}

TLW_TEST(remove_leaves_nothing_there_and_says_so) {
    const char* path = path_of("removed");
    CHECK(tlw_file_remove(path)); // it was not there
    CHECK_OK(tlw_file_replace(path, "abc", 3, NULL));
    CHECK(tlw_file_remove(path));
    CHECK_EQ(tlw_file_stamp(path), 0);
    CHECK(tlw_file_remove(path_of("no/where"))); // nor is its folder
    CHECK(!tlw_file_remove(tlw_test_folder()));
}

static void check_resolves_alike(const char* a, const char* b) {
    char x[TLW_PATH_MAX], y[TLW_PATH_MAX];
    CHECK(tlw_file_resolve(a, x) && tlw_file_resolve(b, y));
    CHECK_STRING(x, y);
}

TLW_TEST(resolve_gives_every_path_of_a_file_the_same_text_whether_it_exists_or_not) {
    char folder[TLW_PATH_MAX], path[TLW_PATH_MAX + 64], other[TLW_PATH_MAX + 64];
    char x[TLW_PATH_MAX], y[TLW_PATH_MAX];
    CHECK(tlw_file_resolve(tlw_test_folder(), folder));
    for (int exists = 0; exists < 2; ++exists) {
        snprintf(path, sizeof path, "%s/resolved", folder);
        if (exists) {
            CHECK_EQ(tlw_file_replace(path, "abc", 3, NULL), TLW_OK);
        }
        snprintf(other, sizeof other, "%s/./resolved", tlw_test_folder());
        check_resolves_alike(path, other);
        snprintf(other, sizeof other, "%s/../%s/resolved", folder, strrchr(folder, '/') + 1);
        check_resolves_alike(path, other);
    }
    snprintf(path, sizeof path, "%s/not/yet.tlw", folder);
    snprintf(other, sizeof other, "%s/not/../not/./yet.tlw", folder);
    check_resolves_alike(path, other);
    snprintf(other, sizeof other, "%s/not/yes.tlw", folder);
    CHECK(tlw_file_resolve(path, x) && tlw_file_resolve(other, y));
    CHECK(strcmp(x, y) != 0);
    check_resolves_alike("nowhere", "./nowhere");
    CHECK(!tlw_file_resolve("", x));
    memset(other, 'n', sizeof other - 1);
    other[sizeof other - 1] = 0;
    CHECK(!tlw_file_resolve(other, x));
}

TLW_TEST(replace_names_path_and_reason_when_the_folder_does_not_exist) {
    tlw_file_error error;
    CHECK_RESULT(tlw_file_replace(path_of("nowhere/out.bin"), "x", 1, &error),
                 TLW_ERROR_CANNOT_WRITE);
    CHECK_CONTAINS(error.message, "nowhere/out.bin'");
    CHECK_CONTAINS(error.message, "cannot write");
    CHECK_RESULT(tlw_file_replace("", "x", 1, &error), TLW_ERROR_CANNOT_WRITE);
    CHECK_RESULT(tlw_file_replace(tlw_test_folder(), "x", 1, &error), TLW_ERROR_CANNOT_WRITE);
}

#define CONTENDERS   4
#define REPLACEMENTS 40
#define CONTENT      ((size_t)20000)

typedef struct contender {
    const char* path;
    char letter;
    int failures;
} contender;

static void contend(void* user) {
    contender* c = user;
    char* bytes = malloc(CONTENT);
    memset(bytes, c->letter, CONTENT);
    for (int i = 0; i < REPLACEMENTS; ++i) {
        c->failures += tlw_file_replace(c->path, bytes, CONTENT, NULL) != TLW_OK;
    }
    free(bytes);
}

TLW_TEST(readers_see_only_complete_files_while_threads_replace_one) {
    const char* path = path_of("contended.bin");
    CHECK_OK(tlw_file_replace(path, "", 0, NULL));
    contender contenders[CONTENDERS];
    tlw_thread threads[CONTENDERS];
    for (int i = 0; i < CONTENDERS; ++i) {
        contenders[i] = (contender){path, (char)('a' + i), 0};
        tlw_thread_def def = tlw_default_thread_def();
        def.main = contend;
        def.user = &contenders[i];
        CHECK_OK(tlw_thread_start(&threads[i], &def));
    }
    int torn = 0;
    for (int i = 0; i < 200; ++i) {
        counted_memory memory;
        tlw_file_read_def def = read_def(path, &memory);
        uint8_t* bytes;
        size_t size;
        if (tlw_file_read(&def, &bytes, &size, NULL) == TLW_OK) {
            bool whole = size == 0 || size == CONTENT;
            for (size_t k = 1; k < size; ++k) {
                whole = whole && bytes[k] == bytes[0];
            }
            torn += !whole;
            free(bytes);
        }
    }
    int failures = 0;
    for (int i = 0; i < CONTENDERS; ++i) {
        tlw_thread_join(&threads[i]);
        failures += contenders[i].failures;
    }
    CHECK_EQ(torn, 0);
#if !TLW_OS_WINDOWS // there, a reader that has the file open can refuse a replacement
    CHECK_EQ(failures, 0);
#endif
}

#if !TLW_OS_WINDOWS
static int count_temporaries(void) {
    DIR* listing = opendir(tlw_test_folder());
    CHECK(listing != NULL);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(listing)) != NULL;) {
        count += strncmp(entry->d_name, ".tlw-", 5) == 0;
    }
    closedir(listing);
    return count;
}

TLW_TEST(replace_sweeps_the_stray_of_a_dead_run_but_not_a_living_writers_file) {
    const char* path = path_of("swept.bin");
    tlw_file_writer living;
    CHECK_OK(tlw_file_writer_begin(&living, path));
    CHECK_OK(tlw_file_writer_write(&living, "alive", 5));
    // A stray is a temporary file without its lock: make one by copying the name with another
    // number.
    char stray[TLW_PATH_MAX + 8];
    snprintf(stray, sizeof stray, "%.*s9.tmp", (int)strlen(living.temporary) - 4, living.temporary);
    write_plainly(stray, "dead", 4);
    CHECK_EQ(count_temporaries(), 2);
    CHECK_OK(tlw_file_replace(path, "new", 3, NULL));
    CHECK(access(stray, F_OK) != 0);
    CHECK_EQ(count_temporaries(), 1);
    CHECK_OK(tlw_file_writer_commit(&living));
    check_content(path, "alive", 5);
    CHECK_EQ(count_temporaries(), 0);
}

// A temporary file whose name is the first that this process would take, locked by another owner as
// if it had been reused: the writer takes the next name and leaves that file alone.
TLW_TEST(replace_takes_another_name_where_its_temporary_name_is_taken) {
    const char* path = path_of("taken.bin");
    tlw_file_writer writer;
    CHECK_OK(tlw_file_writer_begin(&writer, path));
    char first[TLW_PATH_MAX];
    strcpy(first, writer.temporary);
    tlw_file_writer_abandon(&writer);
    write_plainly(first, "theirs", 6);
    const int owner = open(first, O_RDONLY);
    CHECK(owner >= 0);
    CHECK_EQ(flock(owner, LOCK_EX), 0);
    CHECK_OK(tlw_file_writer_begin(&writer, path));
    CHECK(strcmp(writer.temporary, first) != 0);
    CHECK_OK(tlw_file_writer_write(&writer, "ours", 4));
    CHECK_OK(tlw_file_writer_commit(&writer));
    check_content(path, "ours", 4);
    check_content(first, "theirs", 6);
    CHECK_EQ(close(owner), 0);
    CHECK_EQ(unlink(first), 0);
}

// A writer is not cleared before it is used again: one that has no temporary file names none.
TLW_TEST(writer_that_has_no_temporary_file_names_none) {
    tlw_file_writer writer;
    CHECK_OK(tlw_file_writer_begin(&writer, path_of("before.bin")));
    CHECK(writer.temporary[0] != 0);
    tlw_file_writer_abandon(&writer);
    CHECK_RESULT(tlw_file_writer_begin(&writer, tlw_test_folder()), TLW_ERROR_CANNOT_WRITE);
    CHECK_STRING(writer.temporary, "");
    CHECK_OK(tlw_file_writer_begin(&writer, path_of("before.bin")));
    tlw_file_writer_abandon(&writer);
    CHECK_OK(tlw_file_writer_begin(&writer, "/dev/null"));
    CHECK_STRING(writer.temporary, "");
    CHECK_OK(tlw_file_writer_commit(&writer));
}

TLW_TEST(replace_leaves_strays_of_other_targets_alone) {
    tlw_file_writer writer;
    CHECK_OK(tlw_file_writer_begin(&writer, path_of("other.bin")));
    char stray[TLW_PATH_MAX];
    strcpy(stray, writer.temporary);
    tlw_file_writer_abandon(&writer);
    write_plainly(stray, "dead", 4);
    CHECK_OK(tlw_file_replace(path_of("another.bin"), "x", 1, NULL));
    CHECK_EQ(access(stray, F_OK), 0);
    CHECK_OK(tlw_file_replace(path_of("other.bin"), "x", 1, NULL));
    CHECK(access(stray, F_OK) != 0);
}

TLW_TEST(replace_keeps_permission_bits_and_follows_a_link_to_its_target) {
    const char* path = path_of("moded.bin");
    const char* link = path_of("link.bin");
    write_plainly(path, "old", 3);
    CHECK_EQ(chmod(path, 0640), 0);
    CHECK_EQ(symlink("moded.bin", link), 0);
    CHECK_OK(tlw_file_replace(link, "new", 3, NULL));
    struct stat status;
    CHECK_EQ(lstat(link, &status), 0);
    CHECK(S_ISLNK(status.st_mode));
    CHECK_EQ(stat(path, &status), 0);
    CHECK_EQ(status.st_mode & 07777, 0640);
    check_content(path, "new", 3);
}

TLW_TEST(resolve_follows_links_also_to_what_does_not_exist_yet) {
    char target[1024], link[1024], through[1100], resolved[TLW_PATH_MAX];
    snprintf(target, sizeof target, "%s/later", tlw_test_folder());
    snprintf(link, sizeof link, "%s/to_later", tlw_test_folder());
    CHECK_EQ(symlink("later", link), 0);
    check_resolves_alike(link, target);
    snprintf(link, sizeof link, "%s/to_link", tlw_test_folder());
    CHECK_EQ(symlink("to_later", link), 0);
    check_resolves_alike(link, target);
    CHECK_EQ(tlw_file_replace(target, "abc", 3, NULL), TLW_OK);
    check_resolves_alike(link, target);
    snprintf(link, sizeof link, "%s/to_folder", tlw_test_folder());
    CHECK_EQ(symlink(".", link), 0);
    snprintf(through, sizeof through, "%s/later", link);
    check_resolves_alike(through, target);
    snprintf(through, sizeof through, "%s/to_absent/b.tlw", tlw_test_folder());
    snprintf(link, sizeof link, "%s/to_absent", tlw_test_folder());
    CHECK_EQ(symlink("absent//a/..", link), 0);
    snprintf(target, sizeof target, "%s/absent/b.tlw", tlw_test_folder());
    check_resolves_alike(through, target);
    snprintf(link, sizeof link, "%s/circle", tlw_test_folder());
    CHECK_EQ(symlink("circle", link), 0);
    CHECK(!tlw_file_resolve(link, resolved));
    check_resolves_alike("/nowhere", "/../nowhere");
}

TLW_TEST(replace_refuses_a_link_that_leads_nowhere_and_keeps_no_setuid_bit) {
    const char* link = path_of("dangling.bin");
    CHECK_EQ(symlink("not there", link), 0);
    tlw_file_error error;
    CHECK_RESULT(tlw_file_replace(link, "new", 3, &error), TLW_ERROR_CANNOT_WRITE);
    struct stat status;
    CHECK_EQ(lstat(link, &status), 0);
    CHECK(S_ISLNK(status.st_mode));
    const char* path = path_of("setuid.bin");
    write_plainly(path, "old", 3);
    CHECK_EQ(chmod(path, 04755), 0);
    CHECK_OK(tlw_file_replace(path, "new", 3, NULL));
    CHECK_EQ(stat(path, &status), 0);
    CHECK_EQ(status.st_mode & 07777, 0755);
}

TLW_TEST(replace_takes_the_longest_name_that_the_file_system_takes) {
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    const char* path = path_of(name);
    CHECK_OK(tlw_file_replace(path, "long", 4, NULL));
    check_content(path, "long", 4);
    CHECK_OK(tlw_file_replace(path, "longer", 6, NULL));
    check_content(path, "longer", 6);
}

TLW_TEST(replace_refuses_a_file_marked_read_only) {
    const char* path = path_of("readonly.bin");
    write_plainly(path, "kept", 4);
    CHECK_EQ(chmod(path, 0444), 0);
    CHECK_EQ(chmod(tlw_test_folder(), 0777), 0);
    bool was_root = geteuid() == 0; // root may write every file, so become another user meanwhile
    if (was_root && seteuid(65534) != 0) {
        tlw_test_skip(__FILE__, __LINE__, "root that cannot become another user");
    }
    tlw_file_error error;
    tlw_result result = tlw_file_replace(path, "new", 3, &error);
    CHECK(!was_root || seteuid(0) == 0);
    CHECK_RESULT(result, TLW_ERROR_CANNOT_WRITE);
    CHECK_EQ(error.system_code, EACCES);
    check_content(path, "kept", 4);
}

TLW_TEST(replace_writes_straight_to_a_device_and_reports_one_that_is_full) {
    tlw_file_error error;
    CHECK_OK(tlw_file_replace("/dev/null", "gone", 4, &error));
    struct stat status;
    CHECK_EQ(stat("/dev/null", &status), 0);
    CHECK(S_ISCHR(status.st_mode));
    if (access("/dev/full", W_OK) == 0) {
        CHECK_RESULT(tlw_file_replace("/dev/full", "x", 1, &error), TLW_ERROR_CANNOT_WRITE);
        CHECK_EQ(error.system_code, ENOSPC);
        CHECK_CONTAINS(error.message, "'/dev/full'");
    }
}

TLW_TEST(replace_keeps_the_old_file_when_the_new_one_does_not_fit) {
    const char* path = path_of("limited.bin");
    CHECK_OK(tlw_file_replace(path, "old", 3, NULL));
    struct rlimit before, small;
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    char bytes[5000] = {0};
    tlw_file_error error;
    tlw_result result = tlw_file_replace(path, bytes, sizeof bytes, &error);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    CHECK_RESULT(result, TLW_ERROR_CANNOT_WRITE);
    CHECK_EQ(error.system_code, EFBIG);
    check_content(path, "old", 3);
    CHECK_EQ(count_temporaries(), 0);
}

// A pipe that delivers one or a few bytes at a time, to a reader that signals interrupt all the
// time.
static void on_alarm(int number) {
    (void)number;
}

static void dribble(void* user) {
    int fd = open(user, O_WRONLY);
    for (int i = 0; i < 400; ++i) {
        char bytes[7] = "abcdefg";
        size_t left = (size_t)(i % 7) + 1;
        while (left > 0) {
            ssize_t count = write(fd, bytes, left);
            if (count > 0) {
                left -= (size_t)count;
            }
        }
        if (i % 20 == 0) {
            tlw_thread_sleep_ns(1000000);
        }
    }
    close(fd);
}

TLW_TEST(read_survives_short_reads_and_interrupted_calls) {
    const char* path = path_of("fifo");
    CHECK_EQ(mkfifo(path, 0600), 0);
    struct sigaction action = {.sa_handler = on_alarm}; // without SA_RESTART: calls end with EINTR
    struct sigaction before;
    sigaction(SIGALRM, &action, &before);
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    tlw_thread thread;
    tlw_thread_def thread_def = tlw_default_thread_def();
    thread_def.main = dribble;
    thread_def.user = (void*)path;
    CHECK_OK(tlw_thread_start(&thread, &thread_def));
    setitimer(ITIMER_REAL, &often, NULL);
    counted_memory memory;
    tlw_file_read_def def = read_def(path, &memory);
    uint8_t* bytes = NULL;
    size_t size = 0;
    tlw_file_error error;
    tlw_result result = tlw_file_read(&def, &bytes, &size, &error);
    setitimer(ITIMER_REAL, &never, NULL);
    tlw_thread_join(&thread);
    sigaction(SIGALRM, &before, NULL);
    CHECK_RESULT(result, TLW_OK);
    size_t at = 0;
    for (int i = 0; i < 400; ++i) {
        for (int k = 0; k < i % 7 + 1; ++k, ++at) {
            CHECK_LT(at, size);
            CHECK_EQ((char)bytes[at], "abcdefg"[k]);
        }
    }
    CHECK_EQ(size, at);
    free(bytes);
}

TLW_TEST(read_of_a_pipe_stops_at_its_limit) {
    const char* path = path_of("fifo2");
    CHECK_EQ(mkfifo(path, 0600), 0);
    signal(SIGPIPE, SIG_IGN);
    int keep = open(path, O_RDWR);
    CHECK_EQ(write(keep, "0123456789", 10), 10);
    counted_memory memory;
    tlw_file_read_def def = read_def(path, &memory);
    def.limit_bytes = 5;
    uint8_t* bytes;
    size_t size;
    CHECK_RESULT(tlw_file_read(&def, &bytes, &size, NULL), TLW_ERROR_TOO_LARGE);
    CHECK_EQ(memory.held_bytes, 0);
    close(keep);
}
#endif
