// SPDX-License-Identifier: MIT
// Buffers in other files and in data URIs: which files are read, and that no URI reaches a file
// outside the asset's folder.
#define _POSIX_C_SOURCE 200809L
#include "platform/file.h"
#include "runtime/blob.h"
#include "tests/asset/rod.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char* folder, const char* name, const void* bytes, size_t size) {
    char path[1024];
    tlw_file_error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (tlw_file_replace(path, bytes, size, &error) != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
}

// Makes a folder "inside" with rod.gltf, which names its buffer by `uri`, and with good.bin and
// sub/good.bin; secret.bin is next to "inside".
static tlw_asset_code load_with_uri(const char* uri, tlw_asset** asset, tlw_asset_error* error) {
    char folder[512], sub[600], path[600], text[2048];
    tlw_rod rod = tlw_rod_make();
    snprintf(folder, sizeof folder, "%s/inside", tlw_test_folder());
    snprintf(sub, sizeof sub, "%s/sub", folder);
    snprintf(path, sizeof path, "%s/rod.gltf", folder);
    (void)mkdir(folder, 0777);
    (void)mkdir(sub, 0777);
    write_file(folder, "good.bin", rod.bin, sizeof rod.bin);
    write_file(folder, "a b.bin", rod.bin, sizeof rod.bin);
    write_file(folder, "short.bin", rod.bin, 359);
    write_file(sub, "good.bin", rod.bin, sizeof rod.bin);
    write_file(tlw_test_folder(), "secret.bin", rod.bin, sizeof rod.bin);
    snprintf(text, sizeof text, "{'byteLength':360,'uri':'%s'}", uri);
    tlw_rod_edit(&rod, "{'byteLength':360}", text);
    write_file(folder, "rod.gltf", rod.json, strlen(rod.json));
    tlw_rod_free(&rod);
    return tlw_asset_load(path, NULL, asset, error);
}

static void uri_refused(int line, const char* uri, tlw_asset_code expected, const char* part) {
    tlw_asset* asset;
    tlw_asset_error error;
    tlw_asset_code code = load_with_uri(uri, &asset, &error);
    tlw_check_string(__FILE__, line, uri, tlw_asset_code_name(code), tlw_asset_code_name(expected));
    tlw_check_contains(__FILE__, line, error.message, part);
    tlw_check_contains(__FILE__, line, error.message, "buffers[0].uri: ");
}

#define CHECK_URI_BAD(uri, part)         uri_refused(__LINE__, uri, TLW_ASSET_BAD, part)
#define CHECK_URI_CANNOT_READ(uri, part) uri_refused(__LINE__, uri, TLW_ASSET_CANNOT_READ, part)

TLW_TEST(buffers_at_and_below_the_folder_are_read_and_listed) {
    static const char* const uris[] = {"good.bin",  "sub/good.bin", "./good.bin",
                                       "a%20b.bin", "a b.bin",      "%67ood.bin"};
    for (size_t i = 0; i < TLW_COUNT_OF(uris); ++i) {
        tlw_asset* asset;
        tlw_asset_error error;
        if (load_with_uri(uris[i], &asset, &error) != TLW_ASSET_OK) {
            tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
        }
        CHECK_EQ(asset->meshes[0].primitives[0].positions[7], 3.0f);
        CHECK_EQ(asset->file_count, 2u);
        CHECK_CONTAINS(asset->files[0], "inside/rod.gltf");
        CHECK_CONTAINS(asset->files[1], ".bin");
        for (uint32_t k = 0; k < asset->file_count; ++k) {
            size_t size;
            char* text = tlw_test_read_text(asset->files[k], &size);
            CHECK_EQ(asset->file_hashes[k], tlw_xxh64(text, size, 0));
            free(text);
        }
        tlw_asset_free(asset);
    }
}

TLW_TEST(paths_that_go_up_are_refused) {
    CHECK_URI_BAD("../secret.bin", "'../secret.bin' goes up with '..': only files below");
    CHECK_URI_BAD("sub/../../secret.bin", "goes up with '..'");
    CHECK_URI_BAD("sub/../good.bin", "goes up with '..'");
    CHECK_URI_BAD("sub/..", "goes up with '..'");
}

TLW_TEST(percent_encoded_paths_are_judged_decoded) {
    CHECK_URI_BAD("%2e%2e/secret.bin", "'%2e%2e/secret.bin' goes up with '..'");
    CHECK_URI_BAD("..%2Fsecret.bin", "goes up with '..'");
    CHECK_URI_BAD("%2Fetc/hostname", "is an absolute path");
    CHECK_URI_BAD("..%5Csecret.bin", "has a backslash");
    CHECK_URI_BAD("good.bin%00.png", "has a NUL in it");
    CHECK_URI_BAD("good%2", "percent sign without two hex digits");
    CHECK_URI_BAD("good%zz.bin", "percent sign without two hex digits");
    // Decoded only once: this is a file called "%2e%2e", which does not exist.
    CHECK_URI_CANNOT_READ("%252e%252e/secret.bin", "cannot read");
}

TLW_TEST(absolute_paths_drives_and_schemes_are_refused) {
    CHECK_URI_BAD("/etc/hostname", "'/etc/hostname' is an absolute path");
    CHECK_URI_BAD("C:/good.bin", "has a scheme or drive letter");
    CHECK_URI_BAD("file:///etc/hostname", "has a scheme or drive letter");
    CHECK_URI_BAD("http://example.com/a.bin", "has a scheme or drive letter");
    CHECK_URI_BAD("sub\\\\good.bin", "has a backslash");
    CHECK_URI_BAD("", "is empty");
}

TLW_TEST(links_out_of_the_folder_are_refused_and_links_inside_it_followed) {
    char inside[512], link_path[600];
    tlw_asset* asset;
    tlw_asset_error error;
    CHECK_EQ(load_with_uri("good.bin", &asset, &error), TLW_ASSET_OK); // makes the folder
    tlw_asset_free(asset);
    snprintf(inside, sizeof inside, "%s/inside", tlw_test_folder());
    static const struct {
        const char* name;
        const char* target;
    } links[] = {{"out.bin", "../secret.bin"}, {"up", ".."}, {"in.bin", "sub/good.bin"}};
    for (size_t i = 0; i < TLW_COUNT_OF(links); ++i) {
        snprintf(link_path, sizeof link_path, "%s/%s", inside, links[i].name);
        (void)unlink(link_path);
        if (symlink(links[i].target, link_path) != 0) {
            tlw_test_skip(__FILE__, __LINE__, "no symbolic links here");
        }
    }
    CHECK_URI_BAD("out.bin", "'out.bin' is a link that leads out of the asset's folder");
    CHECK_URI_BAD("up/secret.bin", "is a link that leads out of the asset's folder");
    CHECK_EQ(load_with_uri("in.bin", &asset, &error), TLW_ASSET_OK);
    tlw_asset_free(asset);
    for (size_t i = 0; i < TLW_COUNT_OF(links); ++i) {
        snprintf(link_path, sizeof link_path, "%s/%s", inside, links[i].name);
        CHECK_EQ(unlink(link_path), 0);
    }
}

TLW_TEST(a_folder_whose_name_starts_the_same_is_outside) {
    char sibling[512], link_path[600];
    tlw_asset* asset;
    tlw_asset_error error;
    CHECK_EQ(load_with_uri("good.bin", &asset, &error), TLW_ASSET_OK);
    tlw_asset_free(asset);
    snprintf(sibling, sizeof sibling, "%s/inside_not", tlw_test_folder());
    (void)mkdir(sibling, 0777);
    tlw_rod rod = tlw_rod_make();
    write_file(sibling, "good.bin", rod.bin, sizeof rod.bin);
    tlw_rod_free(&rod);
    snprintf(link_path, sizeof link_path, "%s/inside/alike", tlw_test_folder());
    (void)unlink(link_path);
    if (symlink("../inside_not", link_path) != 0) {
        tlw_test_skip(__FILE__, __LINE__, "no symbolic links here");
    }
    CHECK_URI_BAD("alike/good.bin", "leads out of the asset's folder");
    CHECK_EQ(unlink(link_path), 0);
}

TLW_TEST(files_that_are_missing_short_or_no_files_are_named) {
    CHECK_URI_CANNOT_READ("none.bin", "inside/none.bin': No such file or directory");
    CHECK_URI_CANNOT_READ("sub", "it is no regular file");
    CHECK_URI_BAD("short.bin", "it holds 359 bytes, the buffer's byteLength is 360");
    tlw_asset* asset;
    tlw_asset_error error;
    CHECK_EQ(tlw_asset_load("/nowhere/rod.gltf", NULL, &asset, &error), TLW_ASSET_CANNOT_READ);
    CHECK_CONTAINS(error.message, "cannot read '/nowhere/rod.gltf'");
    // The message with Assimp and the one without it.
    CHECK_EQ(tlw_asset_load("/nowhere/rod.fbx", NULL, &asset, &error), TLW_ASSET_CANNOT_READ);
    CHECK_CONTAINS(error.message, "cannot read '/nowhere/rod.fbx': ");
}

TLW_TEST(a_pipe_is_not_waited_for) {
    char path[600];
    tlw_asset* asset;
    tlw_asset_error error;
    CHECK_EQ(load_with_uri("good.bin", &asset, &error), TLW_ASSET_OK);
    tlw_asset_free(asset);
    snprintf(path, sizeof path, "%s/inside/pipe.bin", tlw_test_folder());
    (void)unlink(path);
    if (mkfifo(path, 0600) != 0) {
        tlw_test_skip(__FILE__, __LINE__, "no named pipes here");
    }
    CHECK_URI_CANNOT_READ("pipe.bin", "it is no regular file");
    CHECK_EQ(unlink(path), 0);
}

TLW_TEST(an_asset_in_memory_opens_no_file) {
    tlw_rod rod = tlw_rod_make();
    tlw_asset* asset;
    tlw_asset_error error;
    tlw_rod_edit(&rod, "{'byteLength':360}", "{'byteLength':360,'uri':'good.bin'}");
    CHECK_EQ(tlw_rod_load(&rod, &asset, &error), TLW_ASSET_CANNOT_READ);
    CHECK_CONTAINS(error.message, "buffers[0].uri: 'good.bin': an asset in memory has no folder");
    tlw_rod_free(&rod);
}

TLW_TEST(broken_data_uris_are_named) {
    static const char octets[] = "data:application/octet-stream;base64,";
    static const struct {
        const char* data;
        const char* part;
    } cases[] = {{"AAA", "base64 of 3 characters, no multiple of 4"},
                 {"AA*A", "base64 character 2 is 0x2A"},
                 {"A=AA", "base64 character 1 is 0x3D"},
                 {"AA==AAAA", "base64 character 2 is 0x3D"},
                 {"====", "base64 character 0 is 0x3D"},
                 {"AB==", "base64 has bits behind its last byte"},
                 {"AAB=", "base64 has bits behind its last byte"},
                 {"AAAA", "it holds 3 bytes, the buffer's byteLength is 360"},
                 {"", "it holds 0 bytes"}};
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        char uri[256];
        snprintf(uri, sizeof uri, "%s%s", octets, cases[i].data);
        CHECK_URI_BAD(uri, cases[i].part);
    }
    CHECK_URI_BAD("data:text/plain;base64,AAAA", "is no base64 data of type");
    CHECK_URI_BAD("data:application/octet-stream,AAAA", "is no base64 data of type");
}

TLW_TEST(a_buffer_without_bytes_is_named) {
    tlw_rod rod = tlw_rod_make();
    tlw_asset* asset;
    tlw_asset_error error;
    CHECK_EQ(tlw_asset_load_memory(rod.json, strlen(rod.json), NULL, NULL, &asset, &error),
             TLW_ASSET_BAD);
    CHECK_CONTAINS(error.message, "buffers[0].uri: a string is missing");
    tlw_rod_free(&rod);
}
