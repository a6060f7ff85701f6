#!/bin/sh
# SPDX-License-Identifier: MIT
# validate.sh PROGRAM FOLDER: the Khronos glTF validator (npm's gltf-validator, installed into FOLDER) must
# find no errors and no warnings in the files that tallow-sample writes, and must find them in damaged
# copies. Exit code 77 (skipped) without node or npm, or if the package cannot be downloaded.
set -u
program=$1
npm_folder=$2
version=2.0.0-dev.3.10

command -v node >/dev/null && command -v npm >/dev/null || {
    echo "skipped: no node or npm"
    exit 77
}
if [ ! -d "$npm_folder/node_modules/gltf-validator" ]; then
    mkdir -p "$npm_folder" || exit 1
    timeout 120 npm install --prefix "$npm_folder" --no-audit --no-fund --no-save \
        "gltf-validator@$version" >"$npm_folder/npm.log" 2>&1 || {
        echo "skipped: npm cannot install gltf-validator"
        exit 77
    }
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_validate_XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
"$program" --all "$folder" || exit 1
cat >"$folder/check.js" <<'EOF'
const fs = require('fs');
const path = require('path');
const validator = require(path.resolve(process.argv[2], 'node_modules/gltf-validator'));
const folder = process.argv[3];
let failed = false;

function fail(text) {
    console.log('FAILED: ' + text);
    failed = true;
}

// JSON text replaced by text of the same length, so that the container stays whole.
function damaged(bytes, from, to) {
    const copy = Buffer.from(bytes);
    const at = copy.indexOf(from);
    if (at < 0 || from.length !== to.length) {
        fail(`nothing to damage: ${from}`);
    }
    copy.write(to, at);
    return copy;
}

async function issues(bytes) {
    return (await validator.validateBytes(new Uint8Array(bytes), {maxIssues: 20})).issues;
}

async function main() {
    for (const name of ['bunny', 'stout', 'thin']) {
        const bytes = fs.readFileSync(path.join(folder, name + '.glb'));
        const found = await issues(bytes);
        console.log(`${name}: ${found.numErrors} errors, ${found.numWarnings} warnings, ` +
                    `${found.numInfos} infos`);
        if (found.numErrors + found.numWarnings > 0) {
            fail(JSON.stringify(found.messages, null, 1));
        }
        const controls = [
            ['"skeleton":0', '"skeleton":9'], ['"POSITION":0', '"POSITION":1'],
            ['"JOINTS_0":4', '"JOINTS_0":3'], ['"componentType":5123', '"componentType":5122'],
        ];
        for (const [from, to] of controls) {
            const seen = await issues(damaged(bytes, from, to));
            if (seen.numErrors + seen.numWarnings === 0) {
                fail(`${name}: ${to} goes unnoticed`);
            }
        }
    }
    process.exit(failed ? 1 : 0);
}

main();
EOF
node "$folder/check.js" "$npm_folder" "$folder"
