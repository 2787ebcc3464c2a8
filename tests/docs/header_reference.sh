#!/bin/sh
# SPDX-License-Identifier: MIT
# header_reference.sh HEADER: the header as a page. Its paragraphs are a comment and what it is about: declarations of functions,
# a struct, constants. A function that does not say "Threads: any." is used by one call at a time for each machine.
set -eu
awk '
function text_of(line) {
    sub(/^\/\* ?/, "", line)
    sub(/^ \*\/?/, "", line)
    sub(/ *\*\/$/, "", line)
    sub(/^ /, "", line)
    return line
}
function begin_code() { if (!code) print "\n```c"; code = 1 }
function end_code() { if (code) print "```\n"; code = 0 }

# The page begins with what the file says of itself; what is indented there is code.
function introduce(lines, count,    i, line) {
    for (i = 2; i <= count && lines[i] !~ /^#/; i++) {
        line = text_of(lines[i])
        if (line ~ /^    / || (code && line == "" && lines[i + 1] ~ /^ \*     /)) {
            begin_code()
            sub(/^    /, "", line)
        } else {
            end_code()
        }
        # Errors. Threads. Handles.
        if (line ~ /^[A-Z][a-z]+\. /)
            sub(/^[A-Z][a-z]+\./, "**&**", line)
        print line
    }
}

function constants(lines, first, count,    i, name, number, meaning) {
    print "| Name | Number | Meaning |\n|---|---|---|"
    for (i = first; i <= count; i++) {
        split(lines[i], words, / +/)
        name = words[2]
        number = words[3]
        sub(/u$/, "", number)
        meaning = lines[i]
        if (!sub(/.*\/\* /, "", meaning))
            meaning = "all is well"
        sub(/ *\*\/$/, "", meaning)
        print "| `" name "` | " number " | " meaning " |"
    }
    print ""
}

BEGIN { RS = ""; FS = "\n" }
{
    count = split($0, lines, "\n")
    if (NR == 1) {
        introduce(lines, count)
        next
    }
    if (lines[1] ~ /^\/\* ---- /) {
        title = lines[1]
        gsub(/^\/\* -* | -*-? ?\*\/$/, "", title)
        print "\n## " title "\n"
        next
    }
    if ($0 ~ /__cplusplus|__GNUC__|#include|^#endif/)
        next
    about = names = ""
    first = 1
    if (lines[1] ~ /^\/\*/) {
        for (; first <= count; first++) {
            about = about (about == "" ? "" : "\n") text_of(lines[first])
            if (lines[first] ~ /\*\/$/)
                break
        }
        first++
    }
    if (lines[first] ~ /^#define HEDDLE_OK/) {
        constants(lines, first, count)
        next
    }
    functions = 0
    for (i = first; i <= count; i++)
        if (match(lines[i], /heddle_[a-z_]+\(/) && lines[i] ~ /^HEDDLE_API/) {
            names = names (functions++ ? ", " : "") "`" substr(lines[i], RSTART, RLENGTH - 1) "`"
        } else if (lines[i] ~ /^typedef struct heddle_[a-z_]+ \{/) {
            split(lines[i], words, " ")
            names = "`" words[3] "`"
        }
    if (names != "")
        print "### " names "\n"
    any = gsub(/ *Threads: any\./, "", about)
    sub(/^\n/, "", about)
    if (about != "")
        print about
    begin_code()
    for (i = first; i <= count; i++) {
        sub(/^HEDDLE_API /, "", lines[i])
        print lines[i]
    }
    end_code()
    if (functions)
        print (any ? "Threads: any.\n" : "Threads: one call at a time for each machine.\n")
}' "$1"
