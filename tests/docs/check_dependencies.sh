#!/bin/sh
# SPDX-License-Identifier: MIT
# check_dependencies.sh ROOT: what bootstrap.sh installs, and the packages of npm, are those that docs/dependencies.md explains, and
# THIRD_PARTY has the libraries of them with the same versions.
set -eu

cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "$*" >&2
    failures=$((failures + 1))
}

web() {
    sed -n '/"dependencies"/,/}/s/^ *"\([^"]*\)": "\([0-9][^"]*\)".*/\1 \2/p' share/report/package.json
}

{
    sed -n 's/^[a-z]*_packages="\(.*\)"$/\1/p' bootstrap.sh | tr ' ' '\n' | grep -v '^\$'
    sed -n 's/.* install_packages \([a-z][a-z ]*\)$/\1/p' bootstrap.sh | tr ' ' '\n'
    web | cut -d ' ' -f 1
} | sort -u >"$scratch/installed"

# A row of a table: "| `package`, `package` | version | ..."
sed -n 's/^| \(`[^|]*\) | \([^|]*\) |.*/\1|\2/p' docs/dependencies.md >"$scratch/rows"
# shellcheck disable=SC2016
cut -d '|' -f 1 "$scratch/rows" | grep -o '`[^`]*`' | tr -d '`' | sort -u >"$scratch/explained"
diff "$scratch/installed" "$scratch/explained" >&2 ||
    fail "what bootstrap.sh installs (<) is not what docs/dependencies.md explains (>)"

while IFS='|' read -r package version; do
    case $package in
    *libclang*) ;;
    '`lib'*-dev'`' | '`uthash'* | '`picolibc'*)
        name=$(echo "$package" | tr -d '`')
        grep -q " $version ($name)" THIRD_PARTY || fail "THIRD_PARTY has no version $version of $name"
        ;;
    esac
done <"$scratch/rows"
web >"$scratch/web"
while read -r name version; do
    grep -qF "\`$name\`|$version" "$scratch/rows" || fail "docs/dependencies.md has no version $version of $name"
    grep -qE "^  [A-Za-z0-9 ]+ $version " THIRD_PARTY || fail "THIRD_PARTY has no version $version of $name"
done <"$scratch/web"
[ "$failures" = 0 ]
