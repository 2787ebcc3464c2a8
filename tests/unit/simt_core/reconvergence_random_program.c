/* SPDX-License-Identifier: MIT */
#include "reconvergence_random_program.h"

#include <string.h>

#include "instruction.h"

#define FREE_STEPS 80u /* blocks a lane runs before it takes the shortest way to its end */
#define NO_WAY 1000000u

uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t dice(uint64_t *state, uint32_t sides)
{
    return (uint32_t)(random_next(state) % sides);
}

uint32_t program_pc(const program *p, uint32_t b)
{
    return BASE_PC + 4 * p->blocks[b].first;
}

static block *append(program *p, uint32_t function, uint32_t kind)
{
    block *b = &p->blocks[p->count++];
    *b = (block){.kind = kind, .function = function};
    return b;
}

/* ---- Any graph ---- */

static void make_unstructured(program *p, uint32_t f, uint64_t *dices)
{
    static const uint32_t weights[KIND_COUNT] = {14, 4, 8, 36, 8, 12, 5, 4, 8, 2};
    const uint32_t first = p->count;
    const uint32_t blocks = 2 + dice(dices, 10);
    for (uint32_t i = 0; i + 1 < blocks; i++) {
        uint32_t kind = 0;
        for (uint32_t at = dice(dices, 101); kind + 1 < KIND_COUNT && at >= weights[kind]; kind++) {
            at -= weights[kind];
        }
        block *b = append(p, f, kind);
        b->target_count = kind == INDIRECT || kind == INDIRECT_CALL ? 2 + dice(dices, 3) : 1 + (kind == BRANCH);
        for (uint32_t t = 0; t < b->target_count; t++) {
            b->targets[t] = first + dice(dices, blocks);
        }
        if (kind == BRANCH) {
            b->targets[1] = first + i + 1;
        }
    }
    append(p, f, dice(dices, 10) ? RETURN : EXIT);
}

/* ---- if, if-else, do-while with break, call; nested ---- */

static void make_statements(program *p, uint32_t f, uint32_t nesting, uint64_t *dices);

static void make_if(program *p, uint32_t f, uint32_t nesting, uint64_t *dices)
{
    block *condition = append(p, f, BRANCH);
    condition->target_count = 2;
    condition->targets[1] = p->count;
    make_statements(p, f, nesting - 1, dices);
    if (dice(dices, 2)) {
        block *over = append(p, f, JUMP);
        over->target_count = 1;
        condition->targets[0] = p->count;
        make_statements(p, f, nesting - 1, dices);
        over->targets[0] = p->count;
    } else {
        condition->targets[0] = p->count;
    }
    append(p, f, FALL);
}

static void make_loop(program *p, uint32_t f, uint32_t nesting, uint64_t *dices)
{
    const uint32_t head = p->count;
    make_statements(p, f, nesting - 1, dices);
    block *leave = NULL;
    if (dice(dices, 2)) {
        leave = append(p, f, BRANCH);
        leave->target_count = 2;
        leave->targets[1] = p->count;
        make_statements(p, f, nesting - 1, dices);
    }
    block *latch = append(p, f, BRANCH);
    latch->target_count = 2;
    latch->targets[0] = head;
    latch->targets[1] = p->count;
    if (leave) {
        leave->targets[0] = p->count;
    }
    append(p, f, FALL);
}

static void make_statements(program *p, uint32_t f, uint32_t nesting, uint64_t *dices)
{
    const uint32_t count = 1 + dice(dices, 2);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t choice = nesting > 0 ? dice(dices, 6) : 5;
        if (choice < 2) {
            make_if(p, f, nesting, dices);
        } else if (choice < 4) {
            make_loop(p, f, nesting, dices);
        } else {
            append(p, f, choice == 4 ? CALL : FALL)->target_count = choice == 4;
        }
    }
}

/* ---- Both ---- */

static uint32_t calls(uint32_t kind)
{
    return kind == CALL || kind == INDIRECT_CALL || kind == TAIL_CALL;
}

static uint32_t goes_on(uint32_t kind)
{
    return kind == FALL || kind == EXIT_SOME || kind == CALL || kind == INDIRECT_CALL;
}

/* Blocks of the same function after b, as bits relative to its entry; 0: b ends the function. */
static uint64_t successors(const program *p, uint32_t b)
{
    const block *at = &p->blocks[b];
    const uint32_t entry = p->entries[at->function];
    uint64_t set = 0;
    if (goes_on(at->kind)) {
        return UINT64_C(1) << (b + 1 - entry);
    }
    for (uint32_t t = 0; !calls(at->kind) && t < at->target_count; t++) {
        set |= UINT64_C(1) << (at->targets[t] - entry);
    }
    return set;
}

/* Is the end of the function reached from b without block `without`? */
static uint32_t can_end(const program *p, uint32_t b, uint32_t without)
{
    const uint32_t entry = p->entries[p->blocks[b].function];
    uint64_t seen = UINT64_C(1) << (b - entry);
    uint64_t open = seen;
    while (open) {
        const uint32_t at = (uint32_t)__builtin_ctzll(open);
        const uint64_t next = successors(p, entry + at);
        open &= open - 1;
        if (entry + at == without) {
            continue;
        }
        if (next == 0) {
            return 1;
        }
        open |= next & ~seen;
        seen |= next;
    }
    return 0;
}

/* The post-dominator that no other one lies in front of. */
static uint32_t reconvergence_of(const program *p, uint32_t b)
{
    const uint32_t f = p->blocks[b].function;
    for (uint32_t c = p->entries[f]; c < p->entries[f + 1]; c++) {
        if (c == b || can_end(p, b, c)) {
            continue;
        }
        uint32_t nearest = 1;
        for (uint32_t d = p->entries[f]; nearest && d < p->entries[f + 1]; d++) {
            nearest = d == b || d == c || can_end(p, b, d) || !can_end(p, c, d);
        }
        if (nearest) {
            return program_pc(p, c);
        }
    }
    return ISA_RECONVERGE_AT_RETURN;
}

static uint32_t cost_of(const program *p, uint32_t b)
{
    const block *at = &p->blocks[b];
    uint32_t callee = calls(at->kind) ? NO_WAY : 0;
    for (uint32_t t = 0; calls(at->kind) && t < at->target_count; t++) {
        const uint32_t cost = p->blocks[at->targets[t]].cost;
        callee = cost < callee ? cost : callee;
    }
    uint32_t next = successors(p, b) ? NO_WAY : 0;
    for (uint64_t set = successors(p, b); set; set &= set - 1) {
        const uint32_t cost = p->blocks[p->entries[at->function] + (uint32_t)__builtin_ctzll(set)].cost;
        next = cost < next ? cost : next;
    }
    return callee + next + 1 < NO_WAY ? callee + next + 1 : NO_WAY;
}

static uint32_t find_costs(program *p)
{
    for (uint32_t b = 0; b < p->count; b++) {
        p->blocks[b].cost = NO_WAY;
    }
    for (uint32_t again = 1; again;) {
        again = 0;
        for (uint32_t b = 0; b < p->count; b++) {
            const uint32_t cost = cost_of(p, b);
            again |= cost != p->blocks[b].cost;
            p->blocks[b].cost = cost;
        }
    }
    for (uint32_t b = 0; b < p->count; b++) {
        if (p->blocks[b].cost == NO_WAY) {
            return 0;
        }
    }
    return 1;
}

static void lay_out(program *p, uint64_t *dices)
{
    uint32_t instruction = 0;
    for (uint32_t b = 0; b < p->count; b++) {
        block *at = &p->blocks[b];
        at->first = instruction;
        at->length = 1 + dice(dices, 3);
        at->uniform = dice(dices, 4) == 0;
        at->computed_return = dice(dices, 6) == 0;
        for (uint32_t i = 0; i < at->length; i++) {
            p->block_of[instruction++] = b;
        }
        for (uint32_t t = 0; calls(at->kind) && t < at->target_count; t++) {
            at->targets[t] = p->entries[dice(dices, p->functions)];
        }
    }
}

uint32_t program_make(program *p, uint64_t seed)
{
    uint64_t dices = seed;
    memset(p, 0, sizeof *p);
    p->seed = seed;
    p->functions = 1 + dice(&dices, 4);
    for (uint32_t f = 0; f < p->functions; f++) {
        p->entries[f] = p->count;
        if (dice(&dices, 2)) {
            make_unstructured(p, f, &dices);
        } else {
            make_statements(p, f, 2, &dices);
            append(p, f, RETURN);
        }
        if (p->count - p->entries[f] > 60 || p->count > 64) {
            return 0;
        }
    }
    p->entries[p->functions] = p->count;
    lay_out(p, &dices);
    if (!find_costs(p)) {
        return 0;
    }
    for (uint32_t b = 0; b < p->count; b++) {
        const uint32_t kind = p->blocks[b].kind;
        p->blocks[b].reconvergence_pc =
            kind == TAIL_CALL || kind == RETURN ? ISA_RECONVERGE_AT_RETURN : reconvergence_of(p, b);
    }
    return 1;
}

/* ---- A lane ---- */

static uint32_t choose(const program *p, const lane_state *lane, const block *at, uint64_t decision)
{
    uint32_t chosen = at->targets[decision % at->target_count];
    for (uint32_t t = 0; lane->steps > FREE_STEPS && t < at->target_count; t++) {
        if (p->blocks[at->targets[t]].cost < p->blocks[chosen].cost) {
            chosen = at->targets[t];
        }
    }
    return chosen;
}

static uint32_t return_to(const program *p, const lane_state *lane, const block *at, uint64_t decision)
{
    const uint32_t written = lane->returns[lane->calls];
    const uint32_t caller = p->blocks[written].function;
    if (!at->computed_return || decision % 3 || lane->steps > FREE_STEPS) {
        return written;
    }
    return p->entries[caller] + (uint32_t)(decision >> 8) % (p->entries[caller + 1] - p->entries[caller]);
}

outcome lane_step(const program *p, lane_state *lane, uint32_t b)
{
    const block *at = &p->blocks[b];
    uint64_t state = p->seed ^ (uint64_t)b << 32 ^ (uint64_t)lane->steps << 40 ^ (at->uniform ? 0 : lane->number + 1);
    const uint64_t decision = random_next(&state);
    uint32_t next = b + 1;
    lane->steps++;
    switch (at->kind) {
    case FALL: break;
    case EXIT_SOME:
        if (decision % 16 == 0) {
            return (outcome){.exits = 1};
        }
        break;
    case CALL:
    case INDIRECT_CALL:
        lane->returns[lane->calls++] = b + 1;
        next = choose(p, lane, at, decision);
        break;
    case EXIT: return (outcome){.exits = 1};
    case RETURN:
        if (lane->calls == 0) {
            return (outcome){.exits = 1};
        }
        lane->calls--;
        next = return_to(p, lane, at, decision);
        break;
    default: next = choose(p, lane, at, decision);
    }
    return (outcome){.pc = program_pc(p, next), .depth = lane->calls};
}

uint32_t program_likely_pc(const program *program, const block *block)
{
    uint64_t random = program->seed * 64 + (uint64_t)(block - program->blocks) + 1;
    const uint64_t drawn = random_next(&random);
    if (block->kind != BRANCH || drawn % 4 == 0)
        return 0;
    const uint32_t *entries = &program->entries[block->function];
    return program_pc(program, entries[0] + (uint32_t)(drawn / 4 % (entries[1] - entries[0])));
}
