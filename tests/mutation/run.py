#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""run.py FOLDER [--report FILE] [option...]: a mutation run over models/ and platform/.

Takes a random sample of all mutants, builds them side by side in one copy of the tree, sees which tests reach which of them,
and runs for each the tests that reach it until one fails. FOLDER keeps the copy, its build and what is known: a run that is
stopped, or repeated after tests were added, does only what is new.
"""
import argparse
import hashlib
import os
import pickle
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # into the tree

import points
import report
import schemata
import suite
from store import Store, judgements

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent


def say(text):
    print(time.strftime("%H:%M:%S ") + text, file=sys.stderr, flush=True)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=300, help="mutants (300)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--budget", type=float, default=4 * 3600, help="seconds for all mutants (4 h)")
    parser.add_argument("--each", type=float, default=900, help="seconds for the tests of one mutant (900)")
    parser.add_argument("--without", default="", help="tests, comma-separated, that are left out")
    parser.add_argument("--report", type=Path, help="where to write the report, in Markdown")
    parser.add_argument("--only", default="", help="mutants whose identity begins so; nothing is reported")
    parser.add_argument("--fresh", action="store_true", help="forget what is known of mutants and tests")
    parser.add_argument("--list", action="store_true", help="print the sample and end")
    return parser.parse_args()


class Run:
    def __init__(self, chosen):
        self.chosen = chosen
        self.folder = chosen.folder.resolve()
        self.tree = self.folder / "tree"
        self.build = self.tree / "build" / "release"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store = Store(self.folder / "known.jsonl")
        if chosen.fresh:
            self.store.facts.clear()
        self.active = self.folder / "active"
        self.reached = self.folder / "reached"
        self.numbered = {}
        self.all_points = []

    # ---- the sample and its build

    def configure(self):
        self.active.write_text("")
        schemata.copy_tree(ROOT, self.tree, {}, self.folder / "mutant.h", keep_mutated=True)
        environment = dict(os.environ)
        if shutil.which("ccache"):
            environment.update(CMAKE_C_COMPILER_LAUNCHER="ccache", CMAKE_CXX_COMPILER_LAUNCHER="ccache")
        # Without optimisation across files: it takes as long as hundreds of mutants, and changes no result.
        words = ["cmake", "--preset", "release", "-D", "HEDDLE_TESTS=ON", "-D", "HEDDLE_LTO=OFF"]
        self.command("configure", words, cwd=self.tree, env=environment)

    def command(self, name, words, **rest):
        """Output goes to a file; False if it fails."""
        log = self.folder / f"{name}.log"
        with log.open("wb") as output:
            return subprocess.run(words, stdout=output, stderr=subprocess.STDOUT, **rest).returncode == 0

    def find_points(self):
        """Those of the last run, if the sources are the same."""
        digest = hashlib.sha256(Path(points.__file__).read_bytes())
        for folder in ("models", "platform"):
            for path in sorted((ROOT / folder).rglob("*")):
                digest.update(path.read_bytes() if path.is_file() else b"")
        kept = self.folder / f"points-{digest.hexdigest()[:16]}"
        if kept.exists():
            self.all_points = pickle.loads(kept.read_bytes())
            return
        self.all_points = points.scan(ROOT, self.tree, self.build / "compile_commands.json", say)
        for old in self.folder.glob("points-*"):
            old.unlink()
        kept.write_bytes(pickle.dumps(self.all_points))

    def draw(self):
        """Points in an order that the seed alone decides: a point that is new or gone moves no other out of the sample."""
        def rank(point):
            return hashlib.sha256(f"{self.chosen.seed} {point.identity()}".encode()).digest()
        drawn = sorted(self.all_points, key=rank)
        valid = [p for p in drawn if not self.store.get("invalid " + p.identity(), p.function_digest)]
        self.numbered = {drawn.index(p) + 1: p for p in valid[:self.chosen.sample]}

    def build_mutants(self):
        """Mutants that do not compile are left out, and the next of the sample's order take their places."""
        template = (HERE / "mutant.h").read_text()
        for _ in range(20):
            self.draw()
            include = self.folder / "mutant.h"
            schemata.write_if_changed(include, schemata.header(template, self.folder, max(self.numbered) // 1000 * 1000 + 1000).encode())
            schemata.copy_tree(ROOT, self.tree, self.numbered, include)
            if self.command("build", ["ninja", "-C", str(self.build), "-k", "0"]):
                return
            if not self.leave_out_invalid():
                raise SystemExit(f"the mutants cannot be built: {self.folder}/build.log")
        raise SystemExit("too many mutants cannot be built")

    def leave_out_invalid(self):
        places = set()
        for line in (self.folder / "build.log").read_text(errors="replace").splitlines():
            words = line.split(":")
            if len(words) > 3 and "error" in words[3] and words[1].isdigit():
                path = Path(os.path.normpath(self.build / words[0]))
                if path.is_relative_to(self.tree):
                    places.add((str(path.relative_to(self.tree)), int(words[1])))
        found = [p for p in self.numbered.values() for file, line in places if p.file == file and p.line <= line <= p.end_line]
        for point in found:
            say(f"not valid: {point.file}:{point.line}: {point.original} -> {point.mutated}")
            self.store.put("invalid " + point.identity(), point.function_digest)
        return len(found) > 0

    # ---- what reaches them

    def digest(self, test):
        """Of the program or script that a test is."""
        digest = hashlib.sha256(" ".join(test.command).encode())
        for word in test.command[:2]:
            if Path(word).is_file():
                digest.update(Path(word).read_bytes())
        return digest.hexdigest()[:16]

    def cover(self):
        left_out = set(filter(None, self.chosen.without.split(",")))
        tests = [t for t in suite.tests_of(self.build) if t.name not in left_out]
        sample = hashlib.sha256("\n".join(str(n) + p.identity() for n, p in sorted(self.numbered.items())).encode()).hexdigest()
        self.tests, self.facts = {}, {}
        for test in tests:
            digest = self.digest(test)
            fact = self.store.get("test " + test.name, digest + sample[:16])
            if not fact or not (fact["passed"] or fact["skipped"]):
                shutil.rmtree(self.reached, ignore_errors=True)
                self.reached.mkdir()
                self.reached.chmod(0o777)  # tests that give up their rights reach mutants too
                self.active.write_text("cover")
                outcome = suite.run(test, None, test.timeout, self.folder / "test.log")
                self.active.write_text("")
                numbers = sorted(int(p.name) for p in self.reached.iterdir())
                fact = self.store.put("test " + test.name, digest + sample[:16], passed=outcome.passed, skipped=outcome.skipped,
                                      seconds=outcome.seconds, cpu=outcome.cpu, reached=numbers)
                verdict = "skipped" if outcome.skipped else "passes" if outcome.passed else "FAILS without a mutant: not used"
                say(f"{test.name}: {outcome.seconds:.1f} s, {len(numbers)} mutants reached, {verdict}")
                if not outcome.passed:
                    shutil.copy(self.folder / "test.log", self.folder / f"failed-{test.name}.log")
            self.facts[test.name] = fact
            if fact["passed"]:
                self.tests[test.name] = (test, digest)

    # ---- what is found

    def order(self, number, point):
        folder = point.file.split("/")[1]

        def nearness(name):
            parts = Path(self.tests[name][0].command[-1]).parts
            own = folder in parts or folder in name
            return (not own, self.facts[name]["seconds"])
        return sorted((n for n in self.tests if number in self.facts[n]["reached"]), key=nearness)

    def fails(self, name):
        test, fact = self.tests[name][0], self.facts[name]
        return suite.run(test, 2 * fact["cpu"] + 2, 5 * fact["seconds"] + 30, self.folder / "test.log")

    def judge(self, number, point):
        known = self.store.get(point.identity(), point.function_digest)
        if known and known["verdict"] == "killed":
            return
        tried = known["tried"] if known else {}
        names = self.order(number, point)
        began = time.monotonic()
        verdict, by, left = ("survived" if names else "unreached"), None, 0
        self.active.write_text(str(number))
        for name in names:
            digest = self.tests[name][1]
            if tried.get(name) == digest:
                continue
            if time.monotonic() - began > self.chosen.each:
                left += 1
                continue
            outcome = self.fails(name)
            if not outcome.passed and (outcome.timed_out or not self.fails(name).passed):
                verdict, by = "killed", name
                break
            tried[name] = digest
        self.active.write_text("")
        seconds = time.monotonic() - began
        self.store.put(point.identity(), point.function_digest, verdict=verdict, by=by, tried=tried, left=left,
                       seconds=round(seconds, 1), number=number)
        say(f"{number} {verdict}{' by ' + by if by else ''} in {seconds:.0f} s: {point.file}:{point.line}: "
            f"{point.operator}: {point.original[:60]} -> {point.mutated[:60]}")

    def judge_all(self):
        began = time.monotonic()
        for number, point in self.numbered.items():
            if not point.identity().startswith(self.chosen.only):
                continue
            if time.monotonic() - began > self.chosen.budget:
                say("the time is used up")
                break
            self.judge(number, point)


def main():
    chosen = options()
    run = Run(chosen)
    suite.adopt_orphans()
    run.configure()
    run.find_points()
    say(f"{len(run.all_points)} points; seed {chosen.seed}")
    if chosen.list:
        run.draw()
        for number, point in run.numbered.items():
            print(f"{number}\t{point.line}\t{point.identity()}")
        return 0
    run.build_mutants()
    say(f"{len(run.numbered)} mutants built")
    run.cover()
    run.judge_all()
    if not chosen.only:
        text, enough = report.written(run, judgements(HERE / "judged.toml"))
        (chosen.report.write_text if chosen.report else print)(text)
        return 0 if enough else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
