/* SPDX-License-Identifier: MIT */
#include "listing_steps.h"

#include <stdint.h>
#include <string.h>

#define NOTE_COLUMN 34 /* from the start of the instruction's text */
#define CONVERGENT ".heddle.convergent"

typedef struct step_listing {
    const isa_program *program;
    enum isa_step step;
    const char *function; /* NULL: all */
    FILE *out;
    const char *last_function, *last_file;
    uint32_t last_line;
    int found;
} step_listing;

static void print_segments(const step_listing *l)
{
    for (uint32_t i = 0; i < l->program->segment_count; i++) {
        const isa_segment *s = &l->program->segments[i];
        fprintf(l->out, "segment  0x%08x  %c%c%c  %u bytes, %u of them in the file\n", s->address,
                s->flags & ISA_SEGMENT_READ ? 'r' : '-', s->flags & ISA_SEGMENT_WRITE ? 'w' : '-',
                s->flags & ISA_SEGMENT_EXECUTE ? 'x' : '-', s->memory_bytes, s->file_bytes);
    }
}

static void print_sections(const step_listing *l)
{
    for (uint32_t i = 0; i < l->program->section_count; i++) {
        const isa_section *s = &l->program->sections[i];
        fprintf(l->out, "section  0x%08x  %s, %u bytes\n", s->address, s->name, s->size);
    }
}

static void print_symbols(const step_listing *l)
{
    for (uint32_t i = 0; i < l->program->symbol_count; i++) {
        const isa_symbol *s = &l->program->symbols[i];
        fprintf(l->out, "symbol   0x%08x  %s %s\n", s->address, s->is_function ? "function" : "object", s->name);
    }
}

/* "kernel.c:12" where the line is another one than that of the instruction before. */
static void print_line(step_listing *l, uint32_t pc)
{
    uint32_t line = 0;
    char text[64] = "";
    const char *file = isa_program_line(l->program, pc, &line);
    if (file && (file != l->last_file || line != l->last_line))
        isa_program_source(l->program, pc, text, sizeof text);
    l->last_file = file;
    l->last_line = line;
    fprintf(l->out, "  %-16s", text);
}

static int is_convergent(const isa_program *program, uint32_t pc)
{
    const isa_section *section = isa_program_section(program, CONVERGENT);
    for (uint32_t at = 0; section && at + sizeof(uint32_t[2]) <= section->size; at += sizeof(uint32_t[2]))
        if (!memcmp(section->bytes + at, &pc, sizeof pc))
            return 1;
    return 0;
}

static void print_note(const step_listing *l, int *column, const char *format, uint32_t pc)
{
    fprintf(l->out, "%*s; ", *column < NOTE_COLUMN ? NOTE_COLUMN - *column : 1, "");
    fprintf(l->out, format, pc);
    *column = NOTE_COLUMN;
}

static void print_notes(const step_listing *l, uint32_t pc, const isa_instruction *instruction, int column)
{
    const uint32_t origin = isa_program_origin(l->program, pc);
    if (l->step >= ISA_STEP_ANNOTATE && instruction->flags & ISA_FLAG_LOAD_RELAXED)
        print_note(l, &column, "relaxed", 0);
    if (l->step >= ISA_STEP_ANNOTATE && is_convergent(l->program, pc))
        print_note(l, &column, "convergent", 0);
    if (origin != pc)
        print_note(l, &column, "put in at 0x%08x", origin);
}

static void print_instruction(step_listing *l, uint32_t pc)
{
    char text[96];
    const isa_instruction *instruction = isa_program_at(l->program, pc);
    int length = isa_disassemble(instruction, pc, text, sizeof text);
    print_line(l, pc);
    fprintf(l->out, "  0x%08x  %08x  %s", pc, instruction->word, text);
    print_notes(l, pc, instruction, length);
    fputc('\n', l->out);
}

/* The word at pc, and instructions at the odd addresses in it. */
static void print_word(step_listing *l, uint32_t pc)
{
    uint32_t offset;
    const char *function = isa_program_symbol_at(l->program, pc, &offset);
    if (l->function && (!function || strcmp(function, l->function) != 0))
        return;
    if (!l->found || function != l->last_function)
        fprintf(l->out, "%s%s:\n", l->found || !l->function ? "\n" : "", function ? function : "(no function)");
    l->found = 1;
    l->last_function = function;
    for (uint32_t odd = 0; odd < 4; odd++)
        if (isa_program_at(l->program, pc + odd))
            print_instruction(l, pc + odd);
}

int listing_print_step(const isa_program *program, enum isa_step step, const char *function, FILE *out)
{
    step_listing l = {.program = program, .step = step, .function = function, .out = out};
    if (!function) {
        print_segments(&l);
        print_sections(&l);
        print_symbols(&l);
    }
    for (uint32_t offset = 0; offset < program->text_bytes; offset += 4)
        if (isa_program_at(program, program->text_address + offset))
            print_word(&l, program->text_address + offset);
    return l.found;
}
