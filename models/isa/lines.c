/* SPDX-License-Identifier: MIT */
/* From the line programs of .debug_line to one table by address. */
#include "line_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* DWARF 5, 6.2.5. Opcodes that change nothing that is kept are passed over by their operand counts. */
enum { EXTENDED, COPY, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC };
enum { END_SEQUENCE = 1, SET_ADDRESS };

typedef struct row {
    isa_line line;
    uint32_t
        order; /* of rows with one address the last holds, and the end of one piece of code before the start of another */
} row;

typedef struct row_list {
    row *rows;
    uint32_t count;
    uint32_t capacity;
} row_list;

typedef struct line_state {
    uint64_t address;
    uint64_t file;
    uint32_t line;
} line_state;

static const line_state start = {.file = 1, .line = 1};

static int add_row(row_list *list, const line_unit *unit, const line_state *state, int is_end)
{
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity ? 2 * list->capacity : 256;
        row *rows = realloc(list->rows, capacity * sizeof *rows);
        if (!rows)
            return -1;
        list->rows = rows;
        list->capacity = capacity;
    }
    uint64_t file = state->file - unit->first_file;
    int is_known = !is_end && file < unit->file_count;
    list->rows[list->count] = (row){
        .line = {.address = (uint32_t)state->address,
                 .file = is_known ? unit->files[file] : 0,
                 .line = is_known ? state->line : 0},
        .order = is_end ? 0 : list->count + 1,
    };
    list->count++;
    return 0;
}

static void advance(line_state *state, const line_unit *unit, uint64_t steps)
{
    state->address = (uint32_t)(state->address + steps * unit->instruction_bytes);
}

static int run_extended(line_unit *unit, line_state *state, row_list *rows)
{
    line_reader operation = read_part(&unit->program, read_unsigned(&unit->program));
    switch (read_number(&operation, 1)) {
    case END_SEQUENCE: {
        int failed = add_row(rows, unit, state, 1);
        *state = start;
        return failed;
    }
    case SET_ADDRESS: {
        uint64_t bytes = (uint64_t)(operation.end - operation.at);
        if (bytes > 8)
            return -1;
        state->address = read_number(&operation, (uint32_t)bytes);
        return 0;
    }
    default: return 0;
    }
}

static int run_special(const line_unit *unit, line_state *state, row_list *rows, uint32_t opcode)
{
    uint32_t adjusted = opcode - unit->opcode_base;
    advance(state, unit, adjusted / unit->line_range);
    state->line += (uint32_t)unit->line_base + adjusted % unit->line_range;
    return add_row(rows, unit, state, 0);
}

static int run_opcode(line_unit *unit, line_state *state, row_list *rows)
{
    uint32_t opcode = (uint32_t)read_number(&unit->program, 1);
    if (opcode >= unit->opcode_base)
        return run_special(unit, state, rows, opcode);
    switch (opcode) {
    case EXTENDED: return run_extended(unit, state, rows);
    case COPY: return add_row(rows, unit, state, 0);
    case ADVANCE_PC: advance(state, unit, read_unsigned(&unit->program)); return 0;
    case ADVANCE_LINE: state->line += (uint32_t)read_signed(&unit->program); return 0;
    case SET_FILE: state->file = read_unsigned(&unit->program); return 0;
    case CONST_ADD_PC: advance(state, unit, (255 - unit->opcode_base) / unit->line_range); return 0;
    case FIXED_ADVANCE_PC: state->address += read_number(&unit->program, 2); return 0;
    default:
        for (uint32_t i = unit->operand_counts[opcode - 1]; i > 0; i--)
            read_unsigned(&unit->program);
        return 0;
    }
}

static int run_program(line_unit *unit, row_list *rows)
{
    line_state state = start;
    while (unit->program.at < unit->program.end)
        if (run_opcode(unit, &state, rows) || unit->program.failed)
            return -1;
    return 0;
}

/* A unit that is damaged, or of a version that is not known, gives nothing. */
static void read_unit(line_reader reader, const line_sections *sections, isa_program *program, row_list *rows)
{
    line_unit unit;
    uint32_t before = rows->count;
    if (read_line_header(&unit, reader, sections, program) || run_program(&unit, rows))
        rows->count = before;
    free(unit.files);
}

static int by_address(const void *a, const void *b)
{
    const row *x = a, *y = b;
    if (x->line.address != y->line.address)
        return x->line.address > y->line.address ? 1 : -1;
    return x->order > y->order ? 1 : x->order < y->order ? -1 : 0;
}

/* Keeps what is about the code (what the linker drops stays in the section, at address 0), and one row an address. */
static int keep_rows(isa_program *program, row_list *list)
{
    if (!list->count)
        return 0;
    qsort(list->rows, list->count, sizeof *list->rows, by_address);
    program->lines = malloc(list->count * sizeof *program->lines);
    if (!program->lines)
        return -1;
    for (uint32_t i = 0; i < list->count; i++) {
        const isa_line *line = &list->rows[i].line;
        int is_shadowed = i + 1 < list->count && list->rows[i + 1].line.address == line->address;
        if (line->address - program->text_address < program->text_bytes && !is_shadowed)
            program->lines[program->line_count++] = *line;
    }
    return 0;
}

/* Empty if there is none. */
static line_reader section(const elf_file *file, const char *name)
{
    size_t bytes = 0;
    const uint8_t *at = elf_section(file, name, &bytes);
    at = at ? at : file->bytes;
    return (line_reader){.at = at, .end = at + bytes};
}

int isa_load_lines(isa_program *program, const elf_file *file)
{
    row_list rows = {0};
    line_sections sections = {.lines = section(file, ".debug_line"),
                              .strings = section(file, ".debug_str"),
                              .line_strings = section(file, ".debug_line_str")};
    while (sections.lines.at < sections.lines.end && !sections.lines.failed) {
        line_reader unit = read_part(&sections.lines, read_number(&sections.lines, 4));
        if (!sections.lines.failed)
            read_unit(unit, &sections, program, &rows);
    }
    int failed = keep_rows(program, &rows);
    free(rows.rows);
    return failed ? elf_fail(file, "out of memory") : 0;
}

const char *isa_program_line(const isa_program *program, uint32_t at, uint32_t *line)
{
    const uint32_t pc = isa_program_origin(program, at);
    uint32_t low = 0, high = program->line_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (program->lines[middle].address <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || !program->lines[low - 1].line || at - program->text_address >= program->text_bytes)
        return NULL;
    *line = program->lines[low - 1].line;
    return program->source_files[program->lines[low - 1].file];
}

int isa_program_source(const isa_program *program, uint32_t pc, char *text, size_t bytes)
{
    uint32_t line;
    const char *file = isa_program_line(program, pc, &line);
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (file)
        snprintf(text, bytes, "%.40s:%u", slash ? slash + 1 : file, line);
    else
        *text = 0;
    return file != NULL;
}

void isa_program_place(const isa_program *program, uint32_t pc, char *text, size_t bytes)
{
    uint32_t offset;
    char source[64];
    const char *symbol = isa_program_symbol_at(program, pc, &offset);
    int known = isa_program_source(program, pc, source, sizeof source);
    if (symbol)
        snprintf(text, bytes, "0x%08x (%s+0x%x%s%s)", pc, symbol, offset, known ? ", " : "", source);
    else
        snprintf(text, bytes, "0x%08x%s%s%s", pc, known ? " (" : "", source, known ? ")" : "");
}
