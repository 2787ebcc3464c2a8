#!/bin/sh
# SPDX-License-Identifier: MIT
# bootstrap.sh SOURCE_FOLDER: without the registry of npm everything but reports is built, run and tested, and one line says so.
# Stand-ins for the tools write down what they are asked; npm alone is told to fail, or not to.
set -eu
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    cat "$scratch/output" >&2
    echo "bootstrap: $*" >&2
    exit 1
}

# tool NAME: its text is that of a shell script, from standard input.
tool() {
    { echo '#!/bin/sh' && cat; } >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}

mkdir -p "$scratch/bin" "$scratch/copy/share/report" "$scratch/copy/share/demo" "$scratch/copy/tests/long"
cp "$source/bootstrap.sh" "$scratch/copy"
cp "$source/share/demo/demo.sh" "$scratch/copy/share/demo"
touch "$scratch/copy/share/report/package-lock.json"
echo 'echo install ok installed' | tool dpkg-query
for name in cmake ctest; do
    echo "echo $name \"\$@\" >>$scratch/asked" | tool $name
done
tool npm <<END
echo npm "\$@" >>$scratch/asked
if [ -e $scratch/reachable ]; then
    mkdir -p share/report/node_modules && touch share/report/node_modules/.package-lock.json
else
    rm -rf share/report/node_modules
    echo 'npm ERR! code ECONNREFUSED' && exit 1
fi
END
# The command that the demo finds built: it has nothing to draw reports with.
mkdir -p "$scratch/copy/build/release"
tool ../copy/build/release/heddle <<'END'
[ "$1" != report ] || { echo 'error[R11]: node_modules/d3.js: No such file' >&2 && exit 2; }
END
PATH=$scratch/bin:$PATH

# bootstrap WORD: it ends well; what it says is in `output`, what it asks of tools in `asked`.
bootstrap() {
    : >"$scratch/asked"
    sh "$scratch/copy/bootstrap.sh" "$1" >"$scratch/output" 2>&1 || fail "$1 failed"
}

asked() {
    grep -q -- "$1" "$scratch/asked" || fail "not asked: $1"
}

for word in install build demo test; do
    bootstrap "$word"
    [ "$(grep -c "^==> left out: 'heddle report' and its tests" "$scratch/output")" -eq 1 ] || fail "$word: what is left out"
    grep -q ECONNREFUSED "$scratch/copy/build/npm.log" || fail "no npm.log"
    [ "$word" = install ] || asked 'cmake --build --preset release --target all'
done
asked 'ctest --preset release'
bootstrap demo
grep -q '^==> no plots: ' "$scratch/output" || fail "demo: no plots"
touch "$scratch/reachable"
bootstrap build
! grep -q 'left out' "$scratch/output" || fail "something is left out"
bootstrap build
! grep -q npm "$scratch/asked" || fail "fetched twice"
echo "bootstrap: with and without the registry"
