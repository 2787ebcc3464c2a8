#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check.py CC FOLDER: the mutants of sample.c are those of sample.txt, and each does there what that says.

A line of sample.txt: what its mutant prints is as without it ("same"), or not ("other"), or it is not reached ("unreached").
check.py CC FOLDER --write makes it anew. Ends with 77 where clang's Python module is not there.
"""
import json
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
try:
    import points
    import schemata
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

HERE = Path(__file__).resolve().parent
SECONDS = 2  # of a mutant that goes on for ever


def output_of(program):
    try:
        run = subprocess.run([program], capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "for ever"
    return run.returncode, run.stdout


def build(compiler, source, program):
    subprocess.run([compiler, "-std=c17", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)
    return program


def main(compiler, folder, *words):
    folder = Path(folder).resolve()
    root, tree = folder / "root", folder / "tree"
    source = root / "models" / "sample.c"
    schemata.write_if_changed(source, (HERE / "sample.c").read_bytes())
    commands = folder / "compile_commands.json"
    commands.write_text(json.dumps([{"file": str(tree / "models/sample.c"), "directory": str(folder / "build"),
                                     "command": f"{compiler} -std=c17 -c sample.c"}]))
    found = dict(enumerate(points.scan(root, tree, commands, print), 1))
    include = folder / "mutant.h"
    include.write_text(schemata.header((HERE / "mutant.h").read_text(), folder, len(found)))
    copy = tree / "models/sample.c"
    schemata.write_if_changed(copy, schemata.rewritten(source.read_text(), list(found.items()), include).encode())
    active, reached = folder / "active", folder / "reached"
    expected = output_of(build(compiler, source, folder / "original"))
    assert expected != "for ever"
    program = build(compiler, copy, folder / "mutants")

    reached.mkdir(exist_ok=True)
    for old in reached.iterdir():
        old.rmdir()
    active.write_text("cover")
    assert output_of(program) == expected, "what is told of mutants changes the program"
    numbers = {int(path.name) for path in reached.iterdir()}
    lines = []
    for number, point in found.items():
        active.write_text(str(number))
        does = "unreached" if number not in numbers else "same" if output_of(program) == expected else "other"
        lines.append(f"{does:9} {point.line:3} {point.identity()}")
    active.write_text("")
    assert output_of(program) == expected, "mutants change the program although none is active"
    text = "\n".join(lines) + "\n"
    listed = HERE / "sample.txt"
    if "--write" in words:
        listed.write_text(text)
    if listed.read_text() != text:
        (folder / "sample.txt").write_text(text)
        sys.exit(subprocess.run(["diff", listed, folder / "sample.txt"], check=False).returncode)


main(*sys.argv[1:])
