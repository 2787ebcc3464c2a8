# SPDX-License-Identifier: MIT
"""A copy of the tree in which all mutants of a sample lie side by side: `(mutant(17) ? (changed) : (as it was))`."""
import os
import subprocess
from pathlib import Path

from points import one_line

# Mutants do what compilers warn of, and the tree is compiled with -Werror.
IGNORED = """pragmas parentheses bool-operation bool-compare int-in-bool-context logical-not-parentheses sign-compare type-limits
unused-value unused-variable unused-but-set-variable unused-function unused-parameter unused-result uninitialized
maybe-uninitialized array-bounds stringop-overflow stringop-overread stringop-truncation format-overflow format-truncation
div-by-zero shift-count-negative shift-count-overflow shift-negative-value overflow tautological-compare nonnull
aggressive-loop-optimizations restrict free-nonheap-object dangling-pointer use-after-free implicit-fallthrough enum-compare
int-conversion return-local-addr empty-body address null-dereference misleading-indentation infinite-recursion
pointer-compare alloc-size-larger-than duplicated-branches extra enum-conversion strict-aliasing nonnull-compare""".split()


def header(template, folder, count):
    ignored = "\n".join(f'#pragma GCC diagnostic ignored "-W{name}"' for name in IGNORED)
    values = {"FOLDER": folder, "COUNT": count, "IGNORED": ignored,
              **{name: getattr(os, name) for name in ("O_RDONLY", "O_CLOEXEC")}}
    for name, value in values.items():
        template = template.replace(f"@{name}@", str(value))
    return template


def rewritten(source, points, include):
    """points: (number, Point) of this file."""
    ordered = sorted(points, key=lambda p: (p[1].start, -p[1].end, p[0]))
    raw = source.encode()

    def text(start, end):
        return raw[start:end].decode()

    def span(start, end, within):
        out, at = [], start
        while within:
            number, head = within[0]
            inner = [p for p in within[1:] if p[1].start < head.end]
            within = [p for p in within[1:] if p[1].start >= head.end]
            out += [text(at, head.start), choice(number, head, inner)]
            at = head.end
        return "".join(out) + text(at, end)

    def choice(number, point, inner):
        if any(p.end > point.end for _, p in inner):
            raise ValueError(f"points overlap in {point.file}:{point.line}")
        changed = "".join(t if isinstance(t, str) else text(*t) for t in point.template)
        kept = "".join(t if isinstance(t, str) else span(*t, inner) for t in point.kept)
        return f"(mutant({number}) ? ({one_line(changed)}) : ({kept}))"

    return included(include).decode() + span(0, len(raw), ordered)


def included(include):
    return f'#include "{include}"\n#line 1\n'.encode()


def write_if_changed(path, content):
    if path.exists() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return True


def copy_tree(root, tree, points, include, keep_mutated=False):
    """The files that git knows or would know, and what npm fetched. points: {number: Point}
    keep_mutated: files that have mutants already stay as they are, so that those are not compiled twice."""
    by_file = {}
    for number, point in points.items():
        by_file.setdefault(point.file, []).append((number, point))
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            check=True, capture_output=True).stdout.decode().split("\0")
    names = [n for n in listed if n and (root / n).exists()]
    for name in names:
        source = root / name
        if source.is_symlink():
            target = tree / name
            if not target.is_symlink():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(source.readlink())
            continue
        if keep_mutated and (tree / name).exists() and (tree / name).read_bytes().startswith(included(include)):
            continue
        content = source.read_bytes()
        if name in by_file:
            content = rewritten(content.decode(), by_file[name], include).encode()
        write_if_changed(tree / name, content)
        (tree / name).chmod(source.stat().st_mode)
    kept = set(names)
    for path in tree.rglob("*"):
        relative = path.relative_to(tree)
        if relative.parts[0] != "build" and "node_modules" not in relative.parts and path.is_file() \
                and str(relative) not in kept:
            path.unlink()
    modules = Path("share/report/node_modules")
    if (root / modules).exists() and not (tree / modules).exists():
        (tree / modules).symlink_to(root / modules)
