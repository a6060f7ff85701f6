#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD CMAKE CC CXX: installs BUILD into a folder of its own and builds the consumers against it, with
# find_package and with pkg-config; CXX may be empty.
set -eu
build=$1
cmake=$2
cc=$3
cxx=$4
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_package_XXXXXX")
trap 'rm -rf "$folder"' EXIT

"$cmake" --install "$build" --prefix "$folder/installed" >/dev/null
# Moves the installed package, so that an absolute path inside it would break the build.
mv "$folder/installed" "$folder/moved"
# Editors check recipes with it.
if [ -x "$folder/moved/bin/tallow-cook" ] && [ ! -f "$folder/moved/share/tallow/recipe.schema.json" ]; then
    echo "the schema of recipes is not installed"
    exit 1
fi
set -- "-DCMAKE_C_COMPILER=$cc"
[ -z "$cxx" ] || set -- "$@" -DCONSUMER_CXX=ON "-DCMAKE_CXX_COMPILER=$cxx"
"$cmake" -G Ninja -S "$here" -B "$folder/consumer" -DCMAKE_PREFIX_PATH="$folder/moved" \
    "$@" >/dev/null
"$cmake" --build "$folder/consumer" >/dev/null
"$folder/consumer/consumer"
[ ! -e "$folder/consumer/cook_consumer" ] || "$folder/consumer/cook_consumer"
[ -z "$cxx" ] || "$folder/consumer/consumer_cpp"

if command -v pkg-config >/dev/null && [ -n "$(find "$folder/moved" -name tallow.pc)" ]; then
    PKG_CONFIG_PATH=$(dirname "$(find "$folder/moved" -name tallow.pc)")
    export PKG_CONFIG_PATH
    # pkg-config quotes its output for a shell.
    eval '"$cc" -std=c11 "$here/consumer.c" -o "$folder/by_pkg_config"' \
        "$(pkg-config --cflags --libs tallow)"
    "$folder/by_pkg_config"
fi
