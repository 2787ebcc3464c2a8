# SPDX-License-Identifier: MIT
"""Mutation points: where in the sources one operator can be changed, found in clang's syntax trees."""
import hashlib
import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import clang.cindex as clang
from clang.cindex import CursorKind as Kind, TypeKind

RELATIONAL = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
ARITHMETIC = {"+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"],
              "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"]}
LOGICAL = {"&&": ["||"], "||": ["&&"]}
BINARY = {**{o: ("relational", m) for o, m in RELATIONAL.items()},
          **{o: ("arithmetic", m) for o, m in ARITHMETIC.items()},
          **{o: ("logical", m) for o, m in LOGICAL.items()}}
# operator: what it does to a point, as the report explains it
OPERATORS = {
    "relational": "`<` to `<=` and `>=`, `==` to `!=`, ...",
    "arithmetic": "`+` to `-`, `*` to `+`, `/` to `*`, `%` to `/`, `&` to `|`, `^` to `|`, `<<` to `>>`, ..., with `=` or without",
    "logical": "`&&` to `||` and back",
    "negation": "a condition negated, or a `!`, `-` or `~` left out",
    "constant": "an integer one more, or one less",
    "deletion": "a call, an assignment, an increment left out",
    "return": "another value returned: 0, no pointer, one more, the opposite",
    "increment": "`++` to `--` and back",
}
UNKNOWN_EVALUATION = {Kind.CXX_UNARY_EXPR, Kind.STATIC_ASSERT, Kind.TYPE_REF}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.FUNCTION_TEMPLATE,
             Kind.CONVERSION_FUNCTION}
SCOPES = {Kind.NAMESPACE, Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL,
          Kind.CLASS_TEMPLATE, Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
INTEGERS = {TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG,
            TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG}


@dataclass
class Point:
    """The text [start, end) of a file and what may stand in its place. Templates are of texts and of (start, end) of the file."""
    file: str
    function: str
    function_digest: str
    line: int
    end_line: int
    start: int
    end: int
    operator: str
    original: str
    mutated: str
    template: list
    kept: list = field(default_factory=list)
    ordinal: int = 0

    def identity(self):
        return f"{self.file} {self.function} {self.operator} {self.original} -> {self.mutated} #{self.ordinal}"


def one_line(text):
    """Without comments and line ends, so that the lines after it keep their numbers."""
    text = re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda m: m.group(1) or " ", text, flags=re.S)
    return re.sub(r"\s+", " ", text)


def unwrapped(cursor):
    """Without the nodes that only convert."""
    while cursor.kind == Kind.UNEXPOSED_EXPR:
        children = list(cursor.get_children())
        if len(children) != 1 or children[0].extent != cursor.extent:
            break
        cursor = children[0]
    return cursor


class Source:
    """One file of the tree with the macros that are expanded in it."""

    def __init__(self, path, name):
        self.name = name
        self.bytes = path.read_bytes()
        self.macros = set()

    def text(self, start, end):
        return self.bytes[start:end].decode()

    def outside_macros(self, start, end):
        """Macros may only stand wholly within."""
        return not any(left < end and start < right and ((left, right) == (start, end) or left < start or end < right)
                       for left, right in self.macros)

    def is_named_constant(self, start, end):
        return (start, end) in self.macros and re.fullmatch(r"[A-Za-z_]\w*", self.text(start, end)) is not None


class Finder:
    """Goes through the functions of one translation unit that lie in the tree and have not been seen."""

    def __init__(self, root, seen):
        self.root = root
        self.seen = seen
        self.sources = {}
        self.points = []

    def source(self, cursor):
        file = cursor.extent.start.file
        if file is None:
            return None
        name = str(file.name)
        if name not in self.sources:
            path = Path(name)
            inside = path.is_relative_to(self.root / "models") or path.is_relative_to(self.root / "platform")
            usable = inside and path.suffix in (".c", ".cpp", ".h")
            self.sources[name] = Source(path, str(path.relative_to(self.root))) if usable else None
        return self.sources[name]

    def unit(self, unit):
        functions = []

        def descend(scope):
            for cursor in scope.get_children():
                if cursor.kind == Kind.MACRO_INSTANTIATION:
                    source = self.source(cursor)
                    if source:
                        source.macros.add((cursor.extent.start.offset, cursor.extent.end.offset))
                elif cursor.kind in FUNCTIONS or cursor.kind in SCOPES:
                    source = self.source(cursor)
                    if source and cursor.kind in SCOPES:
                        descend(cursor)
                    elif source and cursor.is_definition():
                        functions.append((source, cursor))

        descend(unit.cursor)
        for source, cursor in functions:
            place = (source.name, cursor.extent.start.offset)
            if place not in self.seen and source.outside_macros(cursor.extent.start.offset, cursor.extent.end.offset):
                self.seen.add(place)
                self.function(source, cursor)

    def function(self, source, cursor):
        body = [c for c in cursor.get_children() if c.kind == Kind.COMPOUND_STMT]
        if not body:
            return
        self.now = source
        self.name = cursor.spelling
        if cursor.semantic_parent and cursor.semantic_parent.kind in (Kind.CLASS_DECL, Kind.STRUCT_DECL):
            self.name = f"{cursor.semantic_parent.spelling}::{self.name}"
        text = source.bytes[cursor.extent.start.offset:cursor.extent.end.offset]
        self.digest = hashlib.sha256(text).hexdigest()[:16]
        self.result = cursor.result_type.get_canonical().kind
        self.is_cpp = source.name.endswith(".cpp") or "/tlm/" in source.name
        self.statement(body[-1])

    # ---- what can be changed

    def add(self, cursor, operator, mutated, template, kept=None):
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        self.points.append(Point(
            self.now.name, self.name, self.digest, cursor.extent.start.line, cursor.extent.end.line, start, end, operator,
            one_line(self.now.text(start, end)).strip(), mutated, template, kept or [(start, end)]))

    def usable(self, cursor):
        start, end = cursor.extent.start, cursor.extent.end
        return (start.file is not None and end.file is not None and start.file.name == end.file.name
                and self.source(cursor) is self.now and start.offset < end.offset
                and self.now.outside_macros(start.offset, end.offset))

    def shown(self, template):
        return one_line("".join(t if isinstance(t, str) else self.now.text(*t) for t in template)).strip()

    def replace(self, cursor, operator, template, kept=None):
        self.add(cursor, operator, self.shown(template), template, kept)

    @staticmethod
    def span(cursor):
        return (cursor.extent.start.offset, cursor.extent.end.offset)

    def binary(self, cursor, children):
        left, right = (self.span(c) for c in children)
        if not (left[1] <= right[0]) or not self.usable(cursor):
            return
        written = one_line(self.now.text(left[1], right[0])).strip()
        assigns = cursor.kind == Kind.COMPOUND_ASSIGNMENT_OPERATOR
        operator, choices = BINARY.get(written[:-1] if assigns else written, (None, []))
        pointers = [c.type.get_canonical().kind in (TypeKind.POINTER, TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)
                    for c in children]
        if operator == "arithmetic" and (pointers[1] or (written in ("*", "/") and any(pointers))):
            return
        for choice in choices:
            self.replace(cursor, operator, [left, f" {choice}{'=' if assigns else ''} ", right])

    def unary(self, cursor, operand):
        whole, inner = self.span(cursor), self.span(operand)
        if not self.usable(cursor):
            return
        before, after = self.now.text(whole[0], inner[0]).strip(), self.now.text(inner[1], whole[1]).strip()
        for written, mutated in (("++", "--"), ("--", "++")):
            if before == written:
                self.replace(cursor, "increment", [mutated, inner])
            elif after == written:
                self.replace(cursor, "increment", [inner, mutated])
        if before == "!":
            self.replace(cursor, "negation", ["!!(", inner, ")"])
        elif before in ("-", "~") and unwrapped(operand).kind != Kind.INTEGER_LITERAL:
            self.replace(cursor, "negation", [inner])

    def literal(self, cursor):
        if not self.usable(cursor):
            return
        match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)", self.now.text(*self.span(cursor)))
        if not match:
            return
        digits, suffix = match.groups()
        is_hex = digits[:2] in ("0x", "0X")
        value = int(digits, 16 if is_hex else 8 if len(digits) > 1 and digits[0] == "0" else 10)
        for changed in (value + 1, value - 1):
            if changed >= 0:
                self.replace(cursor, "constant", [(hex(changed) if is_hex else str(changed)) + suffix])

    def condition(self, cursor):
        """Comparisons and `!` have the same change of their own."""
        inner = unwrapped(cursor)
        while inner.kind == Kind.PAREN_EXPR:
            inner = unwrapped(next(inner.get_children()))
        if self.is_comparison(inner) or not self.usable(cursor) or self.now.text(*self.span(cursor)).isdigit():
            return
        self.replace(cursor, "negation", ["!(", self.span(cursor), ")"], ["!!(", self.span(cursor), ")"])

    def is_comparison(self, cursor):
        if cursor.kind == Kind.UNARY_OPERATOR:
            return self.now.text(*self.span(cursor)).startswith("!")
        if cursor.kind != Kind.BINARY_OPERATOR:
            return False
        left, right = cursor.get_children()
        return one_line(self.now.text(left.extent.end.offset, right.extent.start.offset)).strip() in RELATIONAL

    def returned(self, cursor):
        span = self.span(cursor)
        if not self.usable(cursor) and not self.now.is_named_constant(*span):
            return
        inner = unwrapped(cursor)
        while inner.kind == Kind.PAREN_EXPR:
            inner = unwrapped(next(inner.get_children()))
        text = self.now.text(*span)
        if self.result == TypeKind.BOOL:
            if not self.is_comparison(inner):
                self.replace(cursor, "return", ["!(", span, ")"])
        elif inner.kind in (Kind.INTEGER_LITERAL, Kind.INIT_LIST_EXPR):
            pass
        elif self.result == TypeKind.POINTER:
            if text not in ("NULL", "nullptr"):
                self.replace(cursor, "return", ["0"])
        elif self.result in INTEGERS:
            if not self.is_first_constant(inner):
                self.replace(cursor, "return", ["0"])
            if not self.is_comparison(inner):
                self.replace(cursor, "return", ["(", span, ") + 1"])
        elif self.result in (TypeKind.FLOAT, TypeKind.DOUBLE):
            self.replace(cursor, "return", ["(", span, ") + 1"])
        elif self.result == TypeKind.ENUM and not self.is_cpp:
            self.replace(cursor, "return", ["(", span, ") + 1"] if self.is_first_constant(inner) else ["0"])

    @staticmethod
    def is_first_constant(cursor):
        named = cursor.referenced if cursor.kind == Kind.DECL_REF_EXPR else None
        return named is not None and named.kind == Kind.ENUM_CONSTANT_DECL and named.enum_value == 0

    def deletable(self, cursor):
        inner = unwrapped(cursor)
        if inner.kind == Kind.CSTYLE_CAST_EXPR:  # (void)call()
            inner = unwrapped(list(inner.get_children())[-1])
        if inner.kind == Kind.UNARY_OPERATOR:
            text = self.now.text(*self.span(inner))
            return text[:2] in ("++", "--") or text[-2:] in ("++", "--")
        if inner.kind == Kind.BINARY_OPERATOR:
            left, right = inner.get_children()
            return one_line(self.now.text(left.extent.end.offset, right.extent.start.offset)).strip() == "="
        return inner.kind in (Kind.CALL_EXPR, Kind.COMPOUND_ASSIGNMENT_OPERATOR)

    # ---- the way through a function

    def statement(self, cursor):
        kind = cursor.kind
        children = list(cursor.get_children())
        if kind == Kind.COMPOUND_STMT:
            for child in children:
                self.statement(child)
        elif kind in (Kind.IF_STMT, Kind.WHILE_STMT, Kind.SWITCH_STMT):
            conditions = [c for c in children if c.kind.is_expression()]
            declared = [c for c in children if c.kind in (Kind.VAR_DECL, Kind.DECL_STMT)]
            if kind != Kind.SWITCH_STMT and not declared:
                self.condition(children[0])
            if children and not declared:
                self.expression(children[0])
                children = children[1:]
            else:
                for child in declared:
                    self.statement(child)
                children = [c for c in children if c not in declared and c is not (conditions[0] if conditions else None)]
            for child in children:
                self.statement(child)
        elif kind == Kind.DO_STMT:
            self.statement(children[0])
            self.condition(children[1])
            self.expression(children[1])
        elif kind == Kind.FOR_STMT:
            self.loop(cursor, children)
        elif kind == Kind.CXX_FOR_RANGE_STMT:
            self.statement(children[-1])
        elif kind in (Kind.CASE_STMT, Kind.DEFAULT_STMT, Kind.LABEL_STMT):
            self.statement(children[-1])
        elif kind == Kind.RETURN_STMT:
            if children:
                self.returned(children[0])
                self.expression(children[0])
        elif kind == Kind.DECL_STMT:
            for child in children:
                self.statement(child)
        elif kind == Kind.VAR_DECL:
            self.variable(cursor, children)
        elif kind.is_expression():
            if self.deletable(cursor) and self.usable(cursor):
                self.add(cursor, "deletion", "", ["(void)0"], ["(void)(", self.span(cursor), ")"])
            self.expression(cursor)
        else:
            for child in children:
                if child.kind.is_expression():
                    self.expression(child)
                elif child.kind.is_statement():
                    self.statement(child)

    def loop(self, cursor, children):
        """A part of a for that is left out is not among the children."""
        depth, ends, at = 0, [], cursor.extent.start.offset
        stop = children[-1].extent.start.offset
        while at < stop and len(ends) < 2:
            character = self.now.bytes[at:at + 1]
            depth += (character in b"([{") - (character in b")]}")
            if character == b";" and depth == 1:
                ends.append(at)
            at += 1
        for child in children[:-1]:
            offset = child.extent.start.offset
            if len(ends) == 2 and ends[0] < offset < ends[1]:
                self.condition(child)
            if child.kind == Kind.DECL_STMT:
                self.statement(child)
            else:
                self.expression(child)
        self.statement(children[-1])

    def variable(self, cursor, children):
        if cursor.storage_class == clang.StorageClass.STATIC or "constexpr" in self.now.text(*self.span(cursor)).split():
            return
        expressions = [c for c in children if c.kind.is_expression()]
        if cursor.type.get_canonical().kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.VARIABLEARRAY):
            expressions = [c for c in expressions if c.kind == Kind.INIT_LIST_EXPR]
        for child in expressions:
            self.expression(child)

    def expression(self, cursor):
        kind = cursor.kind
        if kind in UNKNOWN_EVALUATION:
            return
        children = list(cursor.get_children())
        if kind == Kind.LAMBDA_EXPR:
            for child in children:
                if child.kind == Kind.COMPOUND_STMT:
                    outer, self.result = self.result, TypeKind.INVALID
                    self.statement(child)
                    self.result = outer
            return
        if kind == Kind.INIT_LIST_EXPR and re.fullmatch(r"\{\s*0?\s*\}", self.now.text(*self.span(cursor))):
            return
        if kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self.binary(cursor, children)
        elif kind == Kind.UNARY_OPERATOR and len(children) == 1:
            self.unary(cursor, children[0])
        elif kind == Kind.INTEGER_LITERAL:
            self.literal(cursor)
        elif kind == Kind.CONDITIONAL_OPERATOR and len(children) == 3:
            self.condition(children[0])
        for child in children:
            if child.kind.is_expression():
                self.expression(child)
            elif child.kind == Kind.COMPOUND_STMT:
                self.statement(child)


def arguments(entry, tree, root):
    """What decides how a file is read, of the command that compiles its copy; include folders of the copy's sources become the originals'."""
    words = shlex.split(entry["command"])
    kept = []
    take = False
    for word in words[1:]:
        if take or word.startswith(("-I", "-D", "-std=", "-isystem")):
            kept.append(word)
            take = word in ("-I", "-D", "-isystem")
    build = entry["directory"]
    return [w if build in w else w.replace(str(tree), str(root)) for w in kept]


def scan(root, tree, commands, say):
    """All points of models and platform, each once, in the order of the text."""
    index = clang.Index.create()
    seen, points = set(), []
    entries = json.loads(Path(commands).read_text())
    files = {}
    for entry in entries:
        name = str(Path(entry["file"]).relative_to(tree)) if Path(entry["file"]).is_relative_to(tree) else ""
        if name.startswith(("models/", "platform/")):
            files.setdefault(name, entry)
    for number, (name, entry) in enumerate(sorted(files.items())):
        unit = index.parse(str(root / name), args=arguments(entry, tree, root),
                           options=clang.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        errors = [d for d in unit.diagnostics if d.severity >= clang.Diagnostic.Error]
        if errors:
            raise SystemExit(f"{name} cannot be read: {errors[0]}")
        finder = Finder(root, seen)
        finder.unit(unit)
        points += finder.points
        if number % 50 == 49:
            say(f"{number + 1} of {len(files)} sources read, {len(points)} points")
    points.sort(key=lambda p: (p.file, p.start, p.end, p.operator, p.mutated))
    counts = {}
    for point in points:
        key = point.identity()
        counts[key] = counts.get(key, -1) + 1
        point.ordinal = counts[key]
    return points
