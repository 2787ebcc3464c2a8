#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""edges_and_labels.py WIDTH HEIGHT FILE.svg...: pictures that Graphviz has drawn are no larger than that, in points, and no
edge of theirs crosses a text."""
import re
import sys
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
STEPS = 50  # of each curve
WIDTH_OF_CHARACTER = 0.5  # of the size of the font: less than most are, so that what touches a text by a hair is no crossing


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def points_on(path):
    """Of a path M x,y C three points each: Bezier curves."""
    ends = list(zip(*[iter(numbers(path))] * 2))
    for first in range(0, len(ends) - 3, 3):
        for step in range(STEPS + 1):
            t = step / STEPS
            weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3]
            yield tuple(sum(w * p[axis] for w, p in zip(weights, ends[first : first + 4])) for axis in (0, 1))


def box_of(text):
    size = float(text.get("font-size"))
    width = len(text.text or "") * size * WIDTH_OF_CHARACTER
    x, y = float(text.get("x")), float(text.get("y"))
    left = x - {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor", "start")]
    return left, y - 0.7 * size, left + width, y


def crossings(root):
    boxes = [(text.text, box_of(text)) for text in root.iter(SVG + "text") if (text.text or "").strip()]
    for group in root.iter(SVG + "g"):
        if group.get("class") != "edge":
            continue
        points = [point for path in group.iter(SVG + "path") for point in points_on(path.get("d"))]
        for words, (left, top, right, bottom) in boxes:
            if any(left < x < right and top < y < bottom for x, y in points):
                yield group.find(SVG + "title").text, words


def check(path, width, height):
    root = xml.parse(path).getroot()
    size = numbers(root.get("width")) + numbers(root.get("height"))
    for edge, words in crossings(root):
        print(f"{path}: the edge {edge} crosses '{words}'")
        yield 1
    if size[0] > width or size[1] > height:
        print(f"{path}: {size[0]} x {size[1]} points, more than {width} x {height}")
        yield 1


width, height, *files = sys.argv[1:]
sys.exit(min(1, sum(sum(check(path, float(width), float(height))) for path in files)))
