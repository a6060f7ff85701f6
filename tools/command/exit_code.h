// SPDX-License-Identifier: MIT
// The exit codes of every command, in one table. A build step may rely on the numbers: they never
// change their meaning.
#ifndef TLW_TOOLS_COMMAND_EXIT_CODE_H
#define TLW_TOOLS_COMMAND_EXIT_CODE_H

// enumerator, number, short name for usage texts, meaning
#define TLW_EXIT_TABLE(X)                                                                         \
    X(TLW_EXIT_OK, 0, "ok", "everything that was asked for was done")                             \
    X(TLW_EXIT_FAILED, 1, "failed",                                                               \
      "the work was not done, or a check did not hold: over budget, worse than before")           \
    X(TLW_EXIT_USAGE, 2, "usage", "a mistake on the command line, or a name that does not exist") \
    X(TLW_EXIT_CANNOT_READ, 3, "cannot read",                                                     \
      "a file cannot be read, or there is no memory for it")                                      \
    X(TLW_EXIT_BAD_ASSET, 4, "bad asset",                                                         \
      "an asset or a blob is not valid, or the two do not belong together")                       \
    X(TLW_EXIT_BAD_RECIPE, 5, "bad recipe", "the recipe is not valid, or does not fit the asset") \
    X(TLW_EXIT_CANNOT_WRITE, 6, "cannot write",                                                   \
      "a file cannot be written; the old file is still there")

typedef enum tlw_exit_code {
#define TLW_EXIT_ENUM(name, number, short_name, meaning) name = number,
    TLW_EXIT_TABLE(TLW_EXIT_ENUM)
#undef TLW_EXIT_ENUM
        TLW_EXIT_NONE_ = -1 // no exit code: makes the type signed, as the int that main returns
} tlw_exit_code;

// For a set of exit codes, as tlw_command.exit_codes holds it.
#define TLW_EXIT_BIT(code) (1u << (code))

#endif
