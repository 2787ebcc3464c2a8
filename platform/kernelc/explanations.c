/* SPDX-License-Identifier: MIT */
#include "explanations.h"

#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "front_ends.h"
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

/* ---- What is nowhere --------------------------------------------------------------------------------------------------- */

/* Where a name first stands in an instruction, up to the end of its line; text NULL: in none. */
static ir_piece find_use(const prepared *in, const char *name, ir_piece *line)
{
    for (ir_piece rest = in->text; ir_next_line(&rest, line);) {
        const char *at = ir_starts_with(*line, "  ") ? ir_find(*line, name) : NULL;
        const ir_piece behind = at ? ir_from(*line, at + strlen(name)) : (ir_piece){0};
        if (behind.bytes && !ir_is_of_name(*behind.text))
            return behind;
    }
    return (ir_piece){0};
}

static void tell_undefined(compilation *c, const prepared *in, const char *symbol, const char *name)
{
    ir_piece line;
    const ir_piece behind = find_use(in, arena_format(c->memory, "@%s", symbol), &line);
    const char *place = behind.text ? place_of(c->memory, &in->metadata, line, source_of(c)) : source_of(c);
    const int is_variable = behind.text && *behind.text != '(';
    hd_text_add(&c->log, "%s: error: %s '%s' is %s and not defined\n", place, is_variable ? "variable" : "function",
                name, is_variable ? "used" : "called");
}

/* The next name in what the linker has said; NULL: there is none. */
static const char *next_undefined(arena *memory, const char **said)
{
    static const char words[] = "undefined reference to `";
    const char *at = strstr(*said, words);
    if (!at)
        return NULL;
    at += strlen(words);
    *said = at;
    return arena_copy(memory, at, strcspn(at, "'\n"));
}

/* "undefined reference to `f'", as often as it is called. */
int explain_undefined(compilation *c, const char *said, const char *of_symbols)
{
    const prepared in = read_prepared(c);
    const char *told = "", *name, *symbol;
    while ((name = next_undefined(c->memory, &said)) && (symbol = next_undefined(c->memory, &of_symbols))) {
        const char *marked = arena_format(c->memory, "'%s'", symbol);
        if (strstr(told, marked))
            continue;
        told = arena_format(c->memory, "%s%s", told, marked);
        tell_undefined(c, &in, symbol, name);
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

/* ---- Variables --------------------------------------------------------------------------------------------------------- */

/* name: "start" of the variable's node */
static const char *source_name_of(arena *memory, ir_piece variable, ir_piece fallback)
{
    static const char word[] = "(name: \"";
    const char *at = ir_find(variable, word);
    const ir_piece rest = at ? ir_from(variable, at + strlen(word)) : fallback;
    return arena_copy(memory, rest.text, at ? strcspn(rest.text, "\"\n") : rest.bytes);
}

/* The text that the other steps are given has lines of functions only. */
void explain_variable(compilation *c, ir_piece name)
{
    const ir_piece text = front_end_describe(c);
    const ir_metadata metadata = ir_metadata_of(c->memory, text);
    const char *defined = arena_format(c->memory, "@%.*s = ", (int)name.bytes, name.text);
    ir_piece line, variable = {0};
    for (ir_piece rest = text; ir_next_line(&rest, &line);)
        if (ir_starts_with(line, defined))
            variable = ir_node_after(&metadata, ir_node_after(&metadata, line, "!dbg "), "var: ");
    hd_text_add(&c->log, "%s: error: variable '%s': a struct that begins with an address in it is not supported\n",
                place_of_node(c->memory, &metadata, variable, source_of(c)), source_name_of(c->memory, variable, name));
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
