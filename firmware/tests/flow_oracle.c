/* SPDX-License-Identifier: MIT */
/*
 * flow_oracle KERNEL.elf...: the reconvergence points of programs, found anew from the definition: by trying, for the
 * instructions on one path to the return, which of them every other path crosses too. Successors are found here from
 * decoded instructions alone. Prints how much was compared; exits 1 at the first difference.
 *
 * Symbols NAME_parts with NAME_meets or NAME_meets_at_return state where lanes must meet (control_flow.S).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"

#define NONE UINT32_MAX
#define MARK_PARTS "_parts"

typedef struct oracle {
    const isa_program *program;
    const uint32_t *meetings; /* its table "reconvergence" */
    uint32_t count;           /* words; node `count` is the return */
    uint8_t *returns;         /* [count]: a call of the code there comes back */
    uint8_t *endless; /* [count]: in a cycle that leads neither to the return nor to another cycle: given a way out */
    uint8_t *seen;    /* [count + 1] */
    uint32_t *stack;  /* [count + 1] */
    uint32_t *parent; /* [count + 1] */
} oracle;

static const isa_instruction *at(const oracle *o, uint32_t node)
{
    return &o->program->instructions[node];
}

static uint32_t pc_of(const oracle *o, uint32_t node)
{
    return o->program->text_address + 4 * node;
}

static uint32_t node_of(const oracle *o, uint32_t pc)
{
    return isa_program_at(o->program, pc) ? (pc - o->program->text_address) / 4 : NONE;
}

static int is_jumped_to(const oracle *o, uint32_t node)
{
    for (uint32_t i = 0; i < o->count; i++)
        if ((at(o, i)->instruction_class == ISA_CLASS_BRANCH || at(o, i)->operation == ISA_OP_JAL) &&
            pc_of(o, i) + (uint32_t)at(o, i)->immediate == pc_of(o, node))
            return 1;
    return 0;
}

/* Of a jump or call: its target, or NONE. */
static uint32_t target_of(const oracle *o, uint32_t node)
{
    const isa_instruction *jump = at(o, node), *before = node ? at(o, node - 1) : NULL;
    if (jump->operation == ISA_OP_JAL)
        return node_of(o, pc_of(o, node) + (uint32_t)jump->immediate);
    if (before && before->operation == ISA_OP_AUIPC && before->rd == jump->rs1 && before->rd && !is_jumped_to(o, node))
        return node_of(o, (pc_of(o, node - 1) + (uint32_t)before->immediate + (uint32_t)jump->immediate) & ~1u);
    return NONE;
}

static int is_link(uint32_t number)
{
    return number == 1 || number == 5;
}

static uint32_t jump_successors(const oracle *o, uint32_t node, uint32_t successor[2])
{
    uint32_t target = target_of(o, node);
    if (!is_link(at(o, node)->rd)) {
        successor[0] = target == NONE ? o->count : target;
        return 1;
    }
    successor[0] = node_of(o, pc_of(o, node) + 4);
    return target == NONE || o->returns[target];
}

static uint32_t code_successors(const oracle *o, uint32_t node, uint32_t successor[2])
{
    const isa_instruction *instruction = at(o, node);
    uint32_t count = 0;
    if (instruction->operation == ISA_OP_JAL || instruction->operation == ISA_OP_JALR)
        return jump_successors(o, node, successor);
    if (instruction->instruction_class == ISA_CLASS_ILLEGAL || instruction->operation == ISA_OP_EBREAK ||
        instruction->operation == ISA_OP_ASSERT_FAIL)
        return 0;
    if (node_of(o, pc_of(o, node) + 4) != NONE)
        successor[count++] = node + 1;
    uint32_t taken = node_of(o, pc_of(o, node) + (uint32_t)instruction->immediate);
    if (instruction->instruction_class == ISA_CLASS_BRANCH && taken != NONE)
        successor[count++] = taken;
    return count;
}

static uint32_t successors(const oracle *o, uint32_t node, uint32_t successor[3])
{
    uint32_t count = code_successors(o, node, successor);
    if (o->endless[node])
        successor[count++] = o->count;
    return count;
}

/* Is `to` reached from `from`, without going through `avoided`? Leaves the way in parent. */
static int reaches(oracle *o, uint32_t from, uint32_t to, uint32_t avoided)
{
    uint32_t depth = 0;
    memset(o->seen, 0, o->count + 1);
    if (from == avoided)
        return 0;
    o->stack[depth++] = from;
    o->seen[from] = 1;
    o->parent[from] = NONE;
    while (depth) {
        uint32_t node = o->stack[--depth], successor[3];
        if (node == to)
            return 1;
        for (uint32_t i = node == o->count ? 0 : successors(o, node, successor); i > 0; i--) {
            uint32_t next = successor[i - 1];
            if (next == avoided || o->seen[next])
                continue;
            o->seen[next] = 1;
            o->parent[next] = node;
            o->stack[depth++] = next;
        }
    }
    return 0;
}

/* Calls come back if a path leads to the return, over calls of which that is known already. */
static void find_returning(oracle *o)
{
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint32_t node = 0; node < o->count; node++) {
            uint32_t target = at(o, node)->operation == ISA_OP_JAL || at(o, node)->operation == ISA_OP_JALR
                                  ? target_of(o, node)
                                  : NONE;
            if (target == NONE || !is_link(at(o, node)->rd) || o->returns[target] ||
                !reaches(o, target, o->count, NONE))
                continue;
            o->returns[target] = 1;
            changed = 1;
        }
    }
}

/* Does some way from the node come back to it? */
static int is_in_cycle(oracle *o, uint32_t node)
{
    uint32_t successor[2];
    for (uint32_t i = code_successors(o, node, successor); i > 0; i--)
        if (successor[i - 1] != o->count && reaches(o, successor[i - 1], node, NONE))
            return 1;
    return 0;
}

/* Of a node in a cycle: do all cycles that it leads to lead back? */
static int is_last_cycle(oracle *o, uint32_t node)
{
    for (uint32_t other = 0; other < o->count; other++)
        if (reaches(o, node, other, NONE) && is_in_cycle(o, other) && !reaches(o, other, node, NONE))
            return 0;
    return 1;
}

static void find_endless(oracle *o)
{
    uint8_t *endless = calloc(o->count, 1);
    for (uint32_t node = 0; node < o->count; node++)
        endless[node] = o->program->reachable[node] && !reaches(o, node, o->count, NONE) && is_in_cycle(o, node) &&
                        is_last_cycle(o, node);
    memcpy(o->endless, endless, o->count);
    free(endless);
}

/* The nearest node that all paths from `node` to the return cross; the return, if none leads there. */
static uint32_t meeting_point(oracle *o, uint32_t node)
{
    uint32_t length = 0;
    if (!reaches(o, node, o->count, NONE))
        return o->count;
    uint32_t *path = malloc((o->count + 1) * sizeof *path);
    for (uint32_t on = o->count; on != node; on = o->parent[on])
        path[length++] = on;
    while (length > 1 && reaches(o, node, o->count, path[length - 1]))
        length--;
    uint32_t found = path[length - 1];
    free(path);
    return found;
}

static int parts_lanes(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_BRANCH ||
           (instruction->operation == ISA_OP_JALR && !is_link(instruction->rd));
}

static void say(const oracle *o, uint32_t node, uint32_t pc, const char *expected)
{
    char here[128], found[128] = "the return";
    isa_program_place(o->program, pc_of(o, node), here, sizeof here);
    if (pc != ISA_RECONVERGE_AT_RETURN)
        isa_program_place(o->program, pc, found, sizeof found);
    fprintf(stderr, "lanes that part at %s meet at %s, not at %s\n", here, found, expected);
}

static int is_right(oracle *o, uint32_t node, uint32_t expected)
{
    char text[128] = "the return";
    uint32_t pc = o->meetings[node];
    uint32_t wanted = expected == o->count ? ISA_RECONVERGE_AT_RETURN : pc_of(o, expected);
    if (pc == wanted)
        return 1;
    if (expected != o->count)
        isa_program_place(o->program, wanted, text, sizeof text);
    say(o, node, pc, text);
    return 0;
}

/* From the marker straight on to the first instruction that parts lanes. */
static uint32_t first_parting(const oracle *o, uint32_t node)
{
    while (node < o->count && !parts_lanes(at(o, node)))
        node++;
    return node;
}

/* Does straight code lead from `from` to `to`? The compiler may put something in front of the marker. */
static int leads_straight(const oracle *o, uint32_t from, uint32_t to)
{
    uint32_t successor[3], steps = 0;
    while (from != to && from < o->count && steps++ < 64)
        if (successors(o, from, successor) != 1)
            return 0;
        else
            from = successor[0];
    return from == to;
}

static int check_marker(oracle *o, const isa_symbol *symbol)
{
    char name[128];
    uint32_t meeting, length = (uint32_t)(strlen(symbol->name) - strlen(MARK_PARTS));
    uint32_t node = first_parting(o, node_of(o, symbol->address));
    uint32_t found = o->meetings[node];
    snprintf(name, sizeof name, "%.*s_meets", (int)length, symbol->name);
    if (isa_program_symbol(o->program, name, &meeting)) {
        if (found != ISA_RECONVERGE_AT_RETURN && leads_straight(o, node_of(o, found), node_of(o, meeting)))
            return 1;
        say(o, node, found, name);
        return 0;
    }
    snprintf(name, sizeof name, "%.*s_meets_at_return", (int)length, symbol->name);
    if (isa_program_symbol(o->program, name, &meeting) && found == ISA_RECONVERGE_AT_RETURN)
        return 1;
    say(o, node, found, name);
    return 0;
}

static int ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), more = strlen(end);
    return length > more && !strcmp(text + length - more, end);
}

typedef struct tally {
    uint32_t branches;
    uint32_t endless; /* of them, those in cycles that nothing leaves: only what is stated is compared */
    uint32_t markers;
} tally;

static int check_program(oracle *o, tally *sum)
{
    int good = 1;
    find_returning(o);
    find_endless(o);
    for (uint32_t node = 0; node < o->count; node++) {
        if (!o->program->reachable[node] || !parts_lanes(at(o, node)))
            continue;
        uint32_t expected = meeting_point(o, node);
        sum->branches++;
        sum->endless += o->endless[node];
        if (!o->endless[node])
            good &= is_right(o, node, expected);
    }
    for (uint32_t i = 0; i < o->program->symbol_count; i++) {
        if (!ends_with(o->program->symbols[i].name, MARK_PARTS))
            continue;
        sum->markers++;
        good &= check_marker(o, &o->program->symbols[i]);
    }
    return good;
}

static isa_program *load(const char *path)
{
    char error[512];
    static uint8_t bytes[1 << 22];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    isa_program *program = isa_program_load(bytes, size, error, sizeof error);
    if (!program)
        fprintf(stderr, "%s: %s\n", path, error);
    return program;
}

int main(int count, char **words)
{
    int good = 1;
    tally sum = {0};
    for (int i = 1; i < count && good; i++) {
        isa_program *program = load(words[i]);
        if (!program)
            return 1;
        size_t nodes = program->text_bytes / 4;
        oracle o = {.program = program,
                    .meetings = isa_program_table(program, "reconvergence"),
                    .count = (uint32_t)nodes,
                    .returns = calloc(nodes, 1),
                    .endless = calloc(nodes, 1),
                    .seen = calloc(nodes + 1, 1),
                    .stack = calloc(nodes + 1, sizeof *o.stack),
                    .parent = calloc(nodes + 1, sizeof *o.parent)};
        good = check_program(&o, &sum);
        free(o.returns);
        free(o.endless);
        free(o.seen);
        free(o.stack);
        free(o.parent);
        isa_program_free(program);
    }
    printf("%d programs: %u branches, %u of them in endless loops, %u stated meeting points\n", count - 1, sum.branches,
           sum.endless, sum.markers);
    return !good;
}
