#!/bin/sh
# SPDX-License-Identifier: MIT
# shaders.sh ROOT GLSLANG: every GLSL snippet of every page is a whole vertex shader that compiles, for
# Vulkan as it stands and for OpenGL with #version 430 in its first line. A snippet is a block that opens
# with ```glsl. Exit code 77: there is no glslangValidator here (Debian: glslang-tools).
# shaders.sh --self-test ROOT GLSLANG: plants a shader that does not compile, and one that compiles for
# Vulkan only, and sees each of them named.
set -u

check() { # ROOT GLSLANG
    root=$1
    glslang=$2
    folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_shaders_XXXXXX") || exit 1
    (cd "$root" && find . -name '*.md' -not -path './build*' -not -path './.git/*' | sort) >"$folder/pages"
    failed=0
    count=0
    while read -r page; do
        awk -v folder="$folder" '
            /^```glsl$/ { out = folder "/" (++count) ".vert"; print out, NR; next }
            /^```/ { if (out != "") close(out); out = ""; next }
            out != "" { print >out }' "$root/$page" >"$folder/blocks"
        while read -r file line; do
            count=$((count + 1))
            "$glslang" -V -o "$folder/spirv" "$file" >"$folder/said" 2>&1 || {
                cat "$folder/said"
                echo "FAILED: $page:$line: the shader does not compile for Vulkan"
                failed=1
            }
            sed '1s/^#version .*/#version 430/' "$file" >"$folder/opengl.vert"
            "$glslang" "$folder/opengl.vert" >"$folder/said" 2>&1 || {
                cat "$folder/said"
                echo "FAILED: $page:$line: the shader does not compile for OpenGL 4.3"
                failed=1
            }
        done <"$folder/blocks"
        rm -f "$folder"/*.vert
    done <"$folder/pages"
    rm -rf "$folder"
    [ $count -ge 3 ] || { echo "FAILED: only $count shaders found"; failed=1; }
    [ $failed -eq 0 ] && echo "$count shaders compile"
    return $failed
}

# Whether the check names a planted shader. The others are those of the guide, which compile.
names() { # WHAT-IT-SAYS SHADER
    cp "$root/runtime/INTEGRATING.md" "$copy/INTEGRATING.md"
    printf '```glsl\n%s\n```\n' "$2" >"$copy/planted.md"
    found=$(check "$copy" "$glslang" 2>&1) && { echo "FAILED: not seen: $2"; exit 1; }
    case $found in
    *"planted.md:1: the shader $1"*) echo "named: $1" ;;
    *) echo "FAILED: it was reported as: $found"; exit 1 ;;
    esac
}

if [ "$1" = --self-test ]; then
    root=$2
    glslang=$3
    [ -n "$glslang" ] || exit 77
    copy=$(mktemp -d "${TMPDIR:-/tmp}/tallow_shaders_XXXXXX") || exit 1
    trap 'rm -rf "$copy"' EXIT
    names "does not compile for Vulkan" '#version 450
void main() { gl_Position = missing; }'
    names "does not compile for OpenGL 4.3" '#version 450
void main() { gl_Position = vec4(gl_VertexIndex); }'
else
    [ -n "$2" ] || exit 77
    check "$1" "$2"
fi
