#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""claims.py write|check SOURCE_FOLDER: docs/results/claims.csv has every claim of the studies that a page of docs/results judges.

The pages are what people write: each row of a table with a column Claim is a line here. `check` fails if the file is not what the pages
say, if a verdict is missing, or if a claim of CLAIMS is on no page."""
import csv
import io
import pathlib
import re
import sys

# page: study, the experiments of the page, claims by number
STUDIES = {
    "kilo-tm": ("Fung 2015, chapters 4 and 6", "kilo-tm-*"),
    "tm": ("Ren and Lis 2018; Fung 2015, chapters 4 and 6", "tm-programs"),
    "getm": ("Ren and Lis 2018", "getm-*"),
    "divergence": ("Fung 2015, chapter 3", "divergence-*"),
    "local-tm": ("Villegas and others", "local-tm*"),
    "deadlock": ("ElTantawy 2018, chapters 3 to 5 and 7", "deadlock-*"),
    "spin": ("ElTantawy 2018, chapter 6", "spin-*"),
    "energy": ("Fung 2015; Ren and Lis 2018; ElTantawy 2018: energy", "energy-*"),
    "context": ("Beaumont 2019", "context-*"),
    "tiles": ("Beaumont 2019, chapter 4, sections 2 and 3", "tiles-*"),
    "vector-length": ("Beaumont 2019, chapter 5", "vector-*"),
}


def numbered(form, *ranges):
    return [form % n for first, last in ranges for n in range(first, last + 1)]


CLAIMS = {
    "kilo-tm": numbered("R-%02d", (1, 6), (10, 43), (50, 58), (60, 72), (73, 80), (90, 106)),
    "tm": numbered("R-%02d", (1, 6), (10, 43), (50, 58), (60, 72), (73, 80), (90, 106)),
    "divergence": numbered("R%d", (1, 41)),
    "deadlock": numbered("%d", (1, 13), (19, 38)),
    "spin": numbered("R%d", (1, 30)),
    "energy": numbered("P%d", (1, 18)),
    "context": numbered("1-%d", (1, 2)) + numbered("3-%d", (1, 26)) + numbered("4-%d", (12, 22)),
    "tiles": numbered("4-%d", (1, 11)),
    "vector-length": numbered("5-%d", (1, 6)),
}
# Without numbers: as many as there are at least.
ROWS = {"local-tm": 28, "tm": 112}
PUBLISHED = ("Published", "Study", "Paper") # names of that column
COLUMNS = ["study", "page", "number", "claim", "published", "ours", "interval", "ratio", "verdict", "command"]


def tables(text):
    """Header, rows and the lines before each table."""
    before, header, rows = [], None, []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
            if header is None:
                header = cells
            elif not set(line) <= set("|-: "):
                rows.append(cells)
            continue
        if header is not None:
            yield header, rows, before
            before, header, rows = [], None, []
        before.append(line)


def numbers(cell):
    """Those of "R-51, R-52", "R-73 to R-79"."""
    found = []
    for part in cell.split(","):
        ends = [re.fullmatch(r"(.*?)(\d+)", end.strip()) for end in part.split(" to ")]
        if len(ends) == 2 and all(ends):
            width = len(ends[0][2])
            found += [f"{ends[0][1]}{n:0{width}d}" for n in range(int(ends[0][2]), int(ends[1][2]) + 1)]
        elif part.strip():
            found.append(part.strip())
    return found


def command_of(row, paragraph, experiments, usual):
    for text in (" ".join(row), paragraph):
        if run := re.search(r"`(heddle [^`]*)`", text):
            return run[1]
        if named := [name for name in re.findall(r"`([a-z0-9-]+)`", text) if name in experiments]:
            return "; ".join(f"heddle sweep configs/experiments/{name}.yaml" for name in dict.fromkeys(named))
    return f"heddle sweep configs/experiments/{usual}.yaml"


def claims_of(page, text, experiments):
    study, usual = STUDIES[page]
    for header, rows, before in tables(text):
        if "Claim" not in header[:2]:
            continue
        at = header.index("Claim")
        published = at + 1 if header[at + 1].startswith(PUBLISHED) else None
        first = at + 1 if published is None else published + 1
        ratio = header.index("Ratio") if "Ratio" in header else len(header) - 1
        paragraph = " ".join(before[-3:])
        for row in rows:
            if len(row) != len(header):
                sys.exit(f'{page}.md: the row "{" | ".join(row)}" has {len(row)} cells, not {len(header)}')
            ours = row[first:ratio]
            named = zip(header[first:ratio], ours)
            result = ours[0] if len(ours) == 1 else "; ".join(f"{name}: {value}" for name, value in named if value)
            yield {
                "study": study, "page": f"{page}.md", "number": row[0] if at else "", "claim": row[at],
                "published": row[published] if published else "", "ours": result, "interval": " ".join(re.findall(r"± ?[\d.]+", result)),
                "ratio": row[ratio] if "Ratio" in header else "", "verdict": row[-1],
                "command": command_of(row, paragraph, experiments, usual),
            }  # fmt: skip


def file_of(claims):
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(claims)
    return out.getvalue()


def mistakes(claims):
    for claim in claims:
        if not claim["verdict"]:
            yield f'{claim["page"]}: claim {claim["number"]} "{claim["claim"]}" has no verdict'
    for page, least in ROWS.items():
        found = sum(claim["page"] == f"{page}.md" for claim in claims)
        if found < least:
            yield f"{page}.md: {found} claims, which have been {least}"
    for page, wanted in CLAIMS.items():
        there = {number for claim in claims if claim["page"] == f"{page}.md" for number in numbers(claim["number"])}
        for number in wanted:
            if number not in there:
                yield f"{page}.md: claim {number} of {STUDIES[page][0]} is missing"


def main(mode, source):
    root = pathlib.Path(source)
    results, experiments = root / "docs/results", {path.stem for path in (root / "configs/experiments").glob("*.yaml")}
    pages = [page for page in STUDIES if (results / f"{page}.md").exists()]
    claims = [claim for page in pages for claim in claims_of(page, (results / f"{page}.md").read_text(), experiments)]
    wrong = list(mistakes(claims))
    if mode == "write":
        (results / "claims.csv").write_text(file_of(claims))
    elif not (results / "claims.csv").exists() or (results / "claims.csv").read_text() != file_of(claims):
        wrong.append("docs/results/claims.csv is out of date: cmake --build --preset dev --target claims")
    for mistake in wrong:
        print(mistake, file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
