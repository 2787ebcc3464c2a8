/* SPDX-License-Identifier: MIT */
#include "listing.h"

#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "control_flow.h"

#define NO_BLOCK UINT32_MAX
#define NOTE_COLUMN 34 /* from the start of the instruction's text */

typedef struct listing {
    const isa_program *program;
    FILE *out;
    const uint32_t *meetings, *commits; /* tables */
    uint32_t count;                     /* words of text */
    uint32_t *block; /* [count]: of a word that begins a basic block, its number in its function; else NO_BLOCK */
} listing;

static uint32_t pc_of(const listing *l, uint32_t word)
{
    return l->program->text_address + 4 * word;
}

static uint32_t word_of(const listing *l, uint32_t pc)
{
    return (pc - l->program->text_address) / 4;
}

static const char *function_of(const listing *l, uint32_t word)
{
    uint32_t offset;
    const char *name = isa_program_symbol_at(l->program, pc_of(l, word), &offset);
    return name ? name : "(no function)";
}

/* Conditional branches and jumps through registers: where lanes of a warp may part. */
static int parts_lanes(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_BRANCH ||
           (instruction->instruction_class == ISA_CLASS_JUMP_REGISTER &&
            !(instruction->flags & (ISA_FLAG_CALL | ISA_FLAG_RETURN | ISA_FLAG_RECOVERED)));
}

static int ends_run(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_ILLEGAL ||
           (instruction->instruction_class == ISA_CLASS_SYSTEM && instruction->operation != ISA_OP_ECALL);
}

static int ends_block(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_BRANCH: return 1;
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER: return !(instruction->flags & ISA_FLAG_CALL);
    default: return ends_run(instruction);
    }
}

static void begin_block(listing *l, uint32_t pc)
{
    if (isa_program_at(l->program, pc))
        l->block[word_of(l, pc)] = 0;
}

static void find_blocks(listing *l)
{
    for (uint32_t word = 0; word < l->count; word++)
        l->block[word] = word && function_of(l, word) == function_of(l, word - 1) ? NO_BLOCK : 0;
    for (uint32_t word = 0; word < l->count; word++) {
        const isa_instruction *instruction = &l->program->instructions[word];
        uint32_t successor[2], target;
        if (word && isa_is_reachable(l->program, pc_of(l, word)) != isa_is_reachable(l->program, pc_of(l, word - 1)))
            begin_block(l, pc_of(l, word));
        if (isa_jump_target(l->program, pc_of(l, word), &target))
            begin_block(l, target);
        if (!ends_block(instruction))
            continue;
        begin_block(l, pc_of(l, word + 1));
        for (uint32_t i = isa_successors(l->program, pc_of(l, word), successor); i > 0; i--)
            begin_block(l, successor[i - 1]);
        begin_block(l, l->meetings[word]);
    }
    uint32_t number = 0;
    for (uint32_t word = 0; word < l->count; word++) {
        if (word && function_of(l, word) != function_of(l, word - 1))
            number = 0;
        if (l->block[word] != NO_BLOCK)
            l->block[word] = number++;
    }
}

/* "B3", or "name" or "name+0x10" of another function, or "the return". */
static void print_point(const listing *l, uint32_t from, uint32_t pc)
{
    uint32_t offset = 0;
    if (pc == ISA_RECONVERGE_AT_RETURN) {
        fputs("the return", l->out);
        return;
    }
    if (function_of(l, word_of(l, pc)) == function_of(l, from)) {
        fprintf(l->out, "B%u", l->block[word_of(l, pc)]);
        return;
    }
    const char *name = isa_program_symbol_at(l->program, pc, &offset);
    fprintf(l->out, offset ? "%s+0x%x" : "%s", name ? name : "?", offset);
}

/* Notes stand behind the instruction, in a column of their own. */
static void begin_note(const listing *l, int text_length)
{
    fprintf(l->out, "%*s; ", text_length < NOTE_COLUMN ? NOTE_COLUMN - text_length : 1, "");
}

static void print_targets(const listing *l, uint32_t word)
{
    uint32_t successor[2];
    uint32_t count = isa_successors(l->program, pc_of(l, word), successor);
    fputs("to ", l->out);
    for (uint32_t i = count; i > 0; i--) { /* the target, then the next instruction */
        print_point(l, word, successor[i - 1]);
        fputs(i > 1 ? " or " : "", l->out);
    }
    if (!count)
        fputs("nowhere", l->out);
    fputs("; lanes meet at ", l->out);
    print_point(l, word, l->meetings[word]);
}

static void print_call(const listing *l, uint32_t word)
{
    uint32_t target, successor[2];
    int is_known = isa_jump_target(l->program, pc_of(l, word), &target);
    fputs("calls ", l->out);
    if (is_known)
        print_point(l, word, target);
    else
        fputs("through a register", l->out);
    if (!isa_successors(l->program, pc_of(l, word), successor))
        fputs(", which does not return", l->out);
}

static void print_jump(const listing *l, uint32_t word)
{
    const isa_instruction *jump = &l->program->instructions[word];
    uint32_t target;
    if (jump->flags & ISA_FLAG_CALL) {
        print_call(l, word);
    } else if (jump->flags & ISA_FLAG_RETURN) {
        fputs("returns", l->out);
    } else if (isa_jump_target(l->program, pc_of(l, word), &target)) {
        fputs(function_of(l, word_of(l, target)) == function_of(l, word) ? "to " : "goes on in ", l->out);
        print_point(l, word, target);
    } else {
        fputs("to what the register says; lanes meet at ", l->out);
        print_point(l, word, l->meetings[word]);
    }
}

static int has_note(const listing *l, uint32_t word)
{
    const isa_instruction *instruction = &l->program->instructions[word];
    switch (instruction->instruction_class) {
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER: return isa_is_reachable(l->program, pc_of(l, word));
    default: return instruction->operation == ISA_OP_TX_BEGIN || ends_run(instruction);
    }
}

static void print_note(const listing *l, uint32_t word)
{
    const isa_instruction *instruction = &l->program->instructions[word];
    if (instruction->instruction_class == ISA_CLASS_BRANCH)
        print_targets(l, word);
    else if (instruction->instruction_class == ISA_CLASS_JUMP ||
             instruction->instruction_class == ISA_CLASS_JUMP_REGISTER)
        print_jump(l, word);
    else if (instruction->operation == ISA_OP_TX_BEGIN)
        fprintf(l->out, "commits at 0x%08x", l->commits[word]);
    else
        fputs("ends the run", l->out);
}

/* The blocks of the function that have `what` with the one that begins at `word`. */
static void print_blocks_with(const listing *l, uint32_t first, uint32_t end, uint32_t word, const char *before,
                              int (*what)(const listing *l, uint32_t word, uint32_t pc))
{
    uint32_t number = 0, printed = NO_BLOCK;
    for (uint32_t other = first; other < end; other++) {
        if (l->block[other] != NO_BLOCK)
            number = l->block[other];
        if (number == printed || !what(l, other, pc_of(l, word)))
            continue;
        fprintf(l->out, "%sB%u", printed == NO_BLOCK ? before : ", ", number);
        printed = number;
    }
}

static int goes_to(const listing *l, uint32_t word, uint32_t pc)
{
    uint32_t successor[2];
    uint32_t count = isa_is_reachable(l->program, pc_of(l, word)) &&
                             (ends_block(&l->program->instructions[word]) || pc_of(l, word) + 4 == pc)
                         ? isa_successors(l->program, pc_of(l, word), successor)
                         : 0;
    return (count > 0 && successor[0] == pc) || (count > 1 && successor[1] == pc);
}

static int meets_at(const listing *l, uint32_t word, uint32_t pc)
{
    const isa_instruction *instruction = &l->program->instructions[word];
    return parts_lanes(instruction) && isa_is_reachable(l->program, pc_of(l, word)) && l->meetings[word] == pc;
}

static void print_block_head(const listing *l, uint32_t first, uint32_t end, uint32_t word)
{
    fprintf(l->out, "B%u:", l->block[word]);
    if (!isa_is_reachable(l->program, pc_of(l, word))) {
        fputs("  never reached\n", l->out);
        return;
    }
    print_blocks_with(l, first, end, word, "  from ", goes_to);
    print_blocks_with(l, first, end, word, "; meeting point of ", meets_at);
    fputc('\n', l->out);
}

/* "kernel.c:12" where the line is another one than that of the instruction before. */
static void print_line(const listing *l, uint32_t word)
{
    uint32_t line = 0, line_before = 0;
    char text[64] = "";
    const char *file = isa_program_line(l->program, pc_of(l, word), &line);
    const char *before =
        l->block[word] == NO_BLOCK ? isa_program_line(l->program, pc_of(l, word) - 4, &line_before) : NULL;
    if (file && (file != before || line != line_before)) {
        const char *slash = strrchr(file, '/');
        snprintf(text, sizeof text, "%s:%u", slash ? slash + 1 : file, line);
    }
    fprintf(l->out, "  %-16s", text);
}

static void print_instruction(const listing *l, uint32_t word)
{
    const isa_instruction *instruction = &l->program->instructions[word];
    char text[96];
    int length = isa_disassemble(instruction, pc_of(l, word), text, sizeof text);
    print_line(l, word);
    fprintf(l->out, "  0x%08x  %08x  %s", pc_of(l, word), instruction->word, text);
    if (has_note(l, word)) {
        begin_note(l, length);
        print_note(l, word);
    }
    fputc('\n', l->out);
}

static void print_function(const listing *l, uint32_t first, uint32_t end)
{
    fprintf(l->out, "%s:\n", function_of(l, first));
    for (uint32_t word = first; word < end; word++) {
        if (l->program->instructions[word].operation == ISA_OP_COUNT)
            continue;
        if (l->block[word] != NO_BLOCK)
            print_block_head(l, first, end, word);
        print_instruction(l, word);
    }
}

static int print_functions(const listing *l, const char *function)
{
    int found = 0;
    for (uint32_t first = 0, end; first < l->count; first = end) {
        for (end = first + 1; end < l->count && function_of(l, end) == function_of(l, first);)
            end++;
        if (function && strcmp(function, function_of(l, first)))
            continue;
        if (found++)
            fputc('\n', l->out);
        print_function(l, first, end);
    }
    return found;
}

int listing_print(const isa_program *program, const char *function, FILE *out)
{
    listing l = {.program = program,
                 .meetings = isa_program_table(program, isa_reconvergence.name),
                 .commits = isa_program_table(program, isa_commits.name),
                 .out = out,
                 .count = program->text_bytes / 4};
    l.block = malloc(l.count * sizeof *l.block);
    if (!l.block)
        return 0;
    find_blocks(&l);
    int found = print_functions(&l, function);
    free(l.block);
    return found;
}
