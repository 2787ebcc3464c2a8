#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PYTHON WHEEL_FOLDER TESTS ARGUMENTS...: the wheel is installed in an environment of its own, from no network, and used.
set -eu
python=$1 wheels=$2 tests=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" -m venv --system-site-packages "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --no-index --no-deps --disable-pip-version-check "$wheels"/heddle-*-py3-none-*.whl
cd "$scratch"
unset HEDDLE_LIBRARY LD_LIBRARY_PATH PYTHONPATH
test -f "$scratch"/venv/lib/python3*/site-packages/heddle/py.typed
"$scratch/venv/bin/python" "$tests/use.py" "$@" "$scratch"
if "$scratch/venv/bin/python" -c 'import mypy' 2>/dev/null; then
    "$scratch/venv/bin/python" -m mypy --strict -p heddle
    "$scratch/venv/bin/python" -m mypy --strict "$tests/typed.py"
fi
