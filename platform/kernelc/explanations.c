/* SPDX-License-Identifier: MIT */
#include "explanations.h"

#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "lint_rules.h"
#include "places.h"
#include "program_text.h"
#include "work_folder.h"

/* What the later steps were given. */
typedef struct prepared {
    ir_piece text;
    ir_metadata metadata;
} prepared;

static prepared read_prepared(compilation *c)
{
    prepared read = {0};
    read.text.text = file_read(c->memory, in_folder(c, FILE_PREPARED), &read.text.bytes);
    if (!read.text.text)
        read.text = (ir_piece){"", 0};
    read.metadata = ir_metadata_of(c->memory, read.text);
    return read;
}

static const char *source_of(const compilation *c)
{
    return c->content.kernels.count ? c->content.kernels.kernels[0].file
           : c->input->name         ? c->input->name
                                    : FILE_SOURCE;
}

/* ---- Functions --------------------------------------------------------------------------------------------------------- */

static const char *place_of_call(compilation *c, const prepared *in, const char *name)
{
    const char *called = arena_format(c->memory, "@%s(", name);
    ir_piece line;
    for (ir_piece rest = in->text; ir_next_line(&rest, &line);)
        if (ir_starts_with(line, "  ") && ir_find(line, "call ") && ir_find(line, called))
            return place_of(c->memory, &in->metadata, line, source_of(c));
    return source_of(c);
}

/* "undefined reference to `f'", as often as it is called. */
int explain_undefined(compilation *c, const char *said)
{
    static const char words[] = "undefined reference to `";
    const prepared in = read_prepared(c);
    const char *told = "";
    for (const char *at = said; (at = strstr(at, words));) {
        at += strlen(words);
        const char *name = arena_copy(c->memory, at, strcspn(at, "'\n"));
        const char *marked = arena_format(c->memory, "'%s'", name);
        if (strstr(told, marked))
            continue;
        told = arena_format(c->memory, "%s%s", told, marked);
        hd_text_add(&c->log, "%s: error: function '%s' is called and not defined\n", place_of_call(c, &in, name), name);
    }
    return *told != '\0';
}

/* ---- Assembly ---------------------------------------------------------------------------------------------------------- */

static const char *place_of_assembly(compilation *c, const prepared *in, unsigned long number)
{
    const char *mark = arena_format(c->memory, "!srcloc !%lu", ASSEMBLY_NODE + number);
    ir_piece line;
    for (ir_piece rest = in->text; ir_next_line(&rest, &line);) {
        const char *at = ir_find(line, mark);
        if (at && !strchr("0123456789", *ir_from(line, at + strlen(mark)).text))
            return place_of(c->memory, &in->metadata, line, source_of(c));
    }
    return source_of(c);
}

/* "<inline asm>:1:2: error: why", the line, a caret, "note: !srcloc = 12"; or "error: why at line 12". The number is that of the assembly
 * among all of the program (program_text.h). */
int explain_assembly(compilation *c, const char *said)
{
    static const char in_line[] = "<inline asm>:", error[] = "error: ", note[] = "!srcloc = ", behind[] = " at line ";
    const prepared in = read_prepared(c);
    ir_piece rest = {said, strlen(said)}, line;
    int is_told = 0;
    while (ir_next_line(&rest, &line)) {
        const char *why = ir_find(line, error);
        if (!why)
            continue;
        why += strlen(error);
        const int is_text = ir_starts_with(line, in_line);
        const char *end = is_text ? line.text + line.bytes : ir_find(line, behind);
        const char *number = is_text ? ir_find(rest, note) : end;
        if (!number)
            continue;
        const char *text = rest.text;
        const int bytes = is_text ? (int)strcspn(text + strspn(text, " \t"), "\n") : 0;
        hd_text_add(&c->log, "%s: error: in inline assembly: %.*s%s%.*s\n",
                    place_of_assembly(c, &in, strtoul(number + strlen(is_text ? note : behind), NULL, 10)),
                    (int)(end - why), why, is_text ? ": " : "", bytes, text + strspn(text, " \t"));
        is_told = 1;
    }
    return is_told;
}

/* ---- Barriers ---------------------------------------------------------------------------------------------------------- */

int explain_barriers(compilation *c, const isa_program *program)
{
    isa_finding *found;
    uint32_t count;
    if (lint_find_barriers(program, &found, &count))
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        char barrier[128], branch[128];
        isa_program_source(program, found[i].access_pc, barrier, sizeof barrier);
        isa_program_source(program, found[i].branch_pc, branch, sizeof branch);
        hd_text_add(&c->log,
                    "%s: warning: only some work-items of a group come to this barrier: their index decides at %s\n",
                    barrier, branch);
    }
    free(found);
    return 0;
}
