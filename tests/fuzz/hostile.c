// SPDX-License-Identifier: MIT
// Writes changed copies of the files of a folder, the same ones in every run, for the test that
// gives them to tallow-cook. Two of three keep the form of their format.
//
//     hostile SEEDS FIRST COUNT PREFIX ENDING   PREFIX<number>ENDING, from number FIRST on
#include "platform/file.h"
#include "tests/fuzz/change.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argument_count, char** arguments) {
    if (argument_count != 6) {
        fprintf(stderr, "usage: hostile SEEDS FIRST COUNT PREFIX ENDING\n");
        return 2;
    }
    const unsigned long long first = strtoull(arguments[2], NULL, 10);
    const unsigned long long count = strtoull(arguments[3], NULL, 10);
    if (!tlw_fuzz_read_seeds(arguments[1])) {
        return 1;
    }
    for (unsigned long long n = first; n < first + count; ++n) {
        const tlw_fuzz_input in = n % 3 == 0 ? tlw_fuzz_change(n) : tlw_fuzz_change_gently(n);
        char path[TLW_PATH_MAX];
        tlw_file_error error;
        snprintf(path, sizeof path, "%s%llu%s", arguments[4], n, arguments[5]);
        if (tlw_file_replace(path, in.bytes, in.size, &error) != TLW_OK) {
            fprintf(stderr, "hostile: %s\n", error.message);
            return 1;
        }
    }
    tlw_fuzz_free_seeds();
    return 0;
}
