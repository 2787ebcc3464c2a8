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

# expect CODE TEXT COMPILER SETTING...
expect() {
    code=$1
    text=$2
    compiler=$3
    shift 3
    rm -rf "$scratch/build"
    status=0
    cmake -G Ninja -S "$source/tests/embedding/across_files" -B "$scratch/build" -D RULES="$source/cmake" \
        -D CMAKE_C_COMPILER="$compiler" -D CMAKE_BUILD_TYPE=Release "$@" >"$scratch/log" 2>&1 || status=$?
    [ "$status" = "$code" ] || fail "exit code $status, expected $code: $compiler $*"
    tr -s ' \n' ' ' <"$scratch/log" | grep -qF -- "$text" || fail "does not say '$text': $compiler $*"
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
can=${CC:-cc}
expect 1 "HEDDLE_LTO=ON, but $scratch/plain cannot optimise across files" "$scratch/plain" -D HEDDLE_LTO=ON
expect 0 'left out: optimisation across files' "$scratch/plain"
expect 0 'across files: OFF' "$scratch/plain" -D HEDDLE_LTO=OFF
expect 0 'across files: OFF' "$can" -D CMAKE_BUILD_TYPE=Debug
expect 1 'HEDDLE_LTO must be AUTO, ON or OFF, and is maybe' "$can" -D HEDDLE_LTO=maybe

if "$can" --version | grep -q 'Free Software Foundation'; then
    expect 1 'HEDDLE_PROFILE_GUIDED needs optimisation across files' "$can" -D HEDDLE_PROFILE_GUIDED=ON -D HEDDLE_LTO=OFF
    expect 1 'HEDDLE_PROFILE_GUIDED needs programs to run' "$can" -D HEDDLE_PROFILE_GUIDED=ON -D HEDDLE_APPS=OFF
else
    expect 1 'HEDDLE_PROFILE_GUIDED needs gcc' "$can" -D HEDDLE_PROFILE_GUIDED=ON
    expect 1 'only gcc is known to keep functions' "$can" -D HEDDLE_LTO=ON
fi
