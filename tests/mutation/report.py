# SPDX-License-Identifier: MIT
"""The report of a mutation run, in Markdown."""
import subprocess
from collections import Counter

from points import OPERATORS

GOAL = 0.9


def shown(text):
    text = text if len(text) <= 90 else text[:87] + "..."
    return "`" + text.replace("|", "\\|").replace("`", "'") + "`" if text else "(left out)"


def table(heading, alignment, rows):
    return "\n".join([f"| {' | '.join(heading)} |", alignment, *(f"| {' | '.join(map(str, row))} |" for row in rows)]) + "\n"


def counted(mutants, group):
    """Rows of a group's killed, survivors, equivalents and score."""
    rows = []
    for name in sorted({group(p) for p, _, _ in mutants}):
        own = [(verdict, judged) for p, verdict, judged in mutants if group(p) == name]
        killed = sum(v == "killed" for v, _ in own)
        equivalent = sum(j == "equivalent" for _, j in own)
        score = f"{100 * killed / (len(own) - equivalent):.0f} %" if len(own) > equivalent else ""
        rows.append((name, len(own), killed, equivalent, len(own) - killed - equivalent, score))
    return rows


def written(run, judgements):
    """The text, and whether the score reaches the goal."""
    mutants, survivors, missing = [], [], 0
    by = Counter()
    for number, point in run.numbered.items():
        fact = run.store.get(point.identity(), point.function_digest)
        if not fact:
            missing += 1
            continue
        verdict = fact["verdict"]
        judged, why = judgements.get(point.identity(), ("", "")) if verdict != "killed" else ("", "")
        mutants.append((point, verdict, judged))
        by[fact["by"]] += verdict == "killed"
        if verdict != "killed":
            survivors.append((point, verdict, judged, why, fact["left"]))
    killed = sum(v == "killed" for _, v, _ in mutants)
    equivalent = sum(j == "equivalent" for _, _, j in mutants)
    score = killed / max(1, len(mutants) - equivalent)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    invalid = sum(k.startswith("invalid ") for k in run.store.facts)
    heading = ["", "Mutants", "Killed", "Equivalent", "Survived", "Score"]
    lines = "|---|---:|---:|---:|---:|---:|"
    parts = [f"""# Mutation

Written by `tests/mutation/run.py`. A mutant is the program with one small mistake; it is killed if a test fails. {len(run.all_points)}
mutants can be made of `models/` and `platform/`; a random sample is tried: {run.chosen.sample}, seed {run.chosen.seed}, commit {commit}.
Expressions inside macros and constant expressions are not mutated. Mutants that do not compile ({invalid}) are drawn again.

**{killed} of {len(mutants)} are killed; {equivalent} of the others change nothing that can be seen: {100 * score:.1f} %.**
"""]
    if missing:
        parts.append(f"{missing} of the sample were not tried: the time was used up.\n")
    parts.append("## By operator\n\n" + table(["Operator", *heading[1:]], lines, counted(mutants, lambda p: p.operator)))
    parts.append(table(["Operator", "What is changed"], "|---|---|", OPERATORS.items()))
    parts.append("## By folder\n\n" + table(["Folder", *heading[1:]], lines, counted(mutants, lambda p: "/".join(p.file.split("/")[:2]))))
    for title, wanted in (("Survivors", lambda j: j != "equivalent"), ("Equivalent", lambda j: j == "equivalent")):
        rows = [(f"`{p.file}:{p.line}`", p.operator, shown(p.original), shown(p.mutated),
                 why or ("no test reaches it" if verdict == "unreached" else "its time was used up" if left else ""))
                for p, verdict, judged, why, left in survivors if wanted(judged)]
        if rows:
            parts.append(f"## {title}\n\n" + table(["Where", "Operator", "Text", "Mutant", "Judgement"], "|---|---|---|---|---|", sorted(rows)))
    times = [(n, f"{f['seconds']:.1f}", len(f["reached"]), by[n]) for n, f in sorted(run.facts.items()) if f["passed"]]
    parts.append("## Tests\n\n" + table(["Test", "Seconds", "Mutants reached", "Killed first"], "|---|---:|---:|---:|", times))
    unused = [n for n, f in sorted(run.facts.items()) if not f["passed"]]
    if unused:
        parts.append(f"Not used, since they do not pass, or are skipped, without a mutant: {', '.join(unused)}.\n")
    return "\n".join(parts), score >= GOAL and not missing
