#!/bin/sh
# SPDX-License-Identifier: MIT
# check_across_files.sh SOURCE_FOLDER LIBHEDDLE IS_ACROSS_FILES: the library has been optimised across files if it was to be, and else
# not; and a wish that cannot be fulfilled is refused.
set -eu
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAIL: $*" >&2
    [ ! -s "$scratch/log" ] || tail -n 30 "$scratch/log" >&2
    exit 1
}

# What is local to a file gets such a name when parts of several files are put together.
is_across_files=OFF
if nm "$2" | grep -Eq '\.(lto_priv|llvm)\.[0-9]+$'; then
    is_across_files=ON
fi
[ "$is_across_files" = "$3" ] || fail "$2 has been optimised across files: $is_across_files; it was to be: $3"

# expect CODE TEXT WISH COMPILER [BUILD_TYPE]
expect() {
    rm -rf "$scratch/build"
    code=0
    cmake -G Ninja -S "$source/tests/embedding/across_files" -B "$scratch/build" -D RULES="$source/cmake/heddle_across_files.cmake" \
        -D HEDDLE_LTO="$3" -D CMAKE_C_COMPILER="$4" -D CMAKE_BUILD_TYPE="${5:-Release}" >"$scratch/log" 2>&1 || code=$?
    [ "$code" = "$1" ] || fail "exit code $code, expected $1: HEDDLE_LTO=$3 with $4"
    tr -s ' \n' ' ' <"$scratch/log" | grep -qF -- "$2" || fail "does not say '$2'"
}

# A compiler without it.
cat >"$scratch/plain" <<EOF
#!/bin/sh
case " \$* " in *' -flto'*)
    echo 'no optimisation across files' >&2
    exit 1
    ;;
esac
exec ${CC:-cc} "\$@"
EOF
chmod +x "$scratch/plain"
expect 1 "HEDDLE_LTO=ON, but $scratch/plain cannot optimise across files" ON "$scratch/plain"
expect 0 'left out: optimisation across files' AUTO "$scratch/plain"
expect 0 'across files: OFF' OFF "$scratch/plain"
expect 0 'across files: OFF' AUTO "${CC:-cc}" Debug
expect 1 'HEDDLE_LTO must be AUTO, ON or OFF, and is maybe' maybe "${CC:-cc}"
