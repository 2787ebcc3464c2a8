/* SPDX-License-Identifier: MIT */
#include "core_random_program.h"

#include "core_rig.h"

/* Beyond those that the rig names: loop counters of each level and depth, and a return address. */
#define COUNTER(level, depth) (18u + (level)*3u + (depth))
#define SAVED_RA 27u
#define SHARED_GLOBAL A5
#define SHARED_SCRATCHPAD A6
#define OWN_GLOBAL A3
#define OWN_SCRATCHPAD A4
#define THREAD A7

static const uint32_t values[] = {T0, T1, T2, A0, A1, A2};

typedef struct generator {
    uint32_t *words;
    uint32_t count;
    uint64_t state;
    uint32_t functions[3]; /* where the functions of levels 1 and 2 begin */
} generator;

static uint32_t pick(generator *g, uint32_t count)
{
    return (uint32_t)(kit_random(&g->state) % count);
}

static uint32_t value(generator *g)
{
    return values[pick(g, sizeof values / sizeof *values)];
}

static uint32_t emit(generator *g, uint32_t word)
{
    g->words[g->count] = word;
    return g->count++;
}

static int32_t distance(uint32_t from, uint32_t to)
{
    return ((int32_t)to - (int32_t)from) * 4;
}

static void arithmetic(generator *g)
{
    uint32_t rd = value(g), a = value(g), b = value(g);
    switch (pick(g, 9)) {
    case 0: emit(g, add(rd, a, b)); break;
    case 1: emit(g, sub(rd, a, b)); break;
    case 2: emit(g, mul(rd, a, b)); break;
    case 3: emit(g, divu(rd, a, b)); break;
    case 4: emit(g, slli(rd, a, pick(g, 32))); break;
    case 5: emit(g, andi(rd, a, (int32_t)pick(g, 2048))); break;
    case 6: emit(g, r_type(0x33, 4, 0, rd, a, b) /* xor */); break;
    case 7: emit(g, r_type(0x33, 7, 1, rd, a, b) /* remu */); break;
    default: emit(g, addi(rd, a, (int32_t)pick(g, 4096) - 2048)); break;
    }
}

static void floats(generator *g)
{
    emit(g, r_type(0x53, 0, 0x68, 1, value(g), 0) /* fcvt.s.w ft1 */);
    emit(g, r_type(0x53, 0, 0x68, 2, value(g), 0) /* fcvt.s.w ft2 */);
    emit(g, r_type(0x53, 0, pick(g, 2) ? 0x0C : 0x00, 3, 1, 2) /* fdiv.s or fadd.s ft3 */);
    emit(g, r_type(0x2B, 7, pick(g, 7), 3, 3, 0) /* sf.rcp to sf.log2 ft3 */);
    emit(g, r_type(0x53, 0, 0x70, value(g), 3, 0) /* fmv.x.w */);
}

static void private_memory(generator *g)
{
    int32_t offset = -4 * (int32_t)(1 + pick(g, 6));
    if (pick(g, 2))
        emit(g, sw(value(g), offset, SP));
    else
        emit(g, pick(g, 3) ? lw(value(g), offset, SP) : lbu(value(g), offset + (int32_t)pick(g, 4), SP));
}

static void own_memory(generator *g)
{
    uint32_t base = pick(g, 2) ? OWN_GLOBAL : OWN_SCRATCHPAD;
    int32_t offset = base == OWN_GLOBAL ? 4 * (int32_t)pick(g, 4) : 0;
    switch (pick(g, 4)) {
    case 0: emit(g, sw(value(g), offset, base)); break;
    case 1: emit(g, lw(value(g), offset, base)); break;
    case 2: emit(g, i_type(0x2B, 2, value(g), base, offset) /* lw.cg */); break;
    default: {
        uint32_t rd = value(g);
        if (pick(g, 2)) { /* half of these find what they expect */
            emit(g, pick(g, 2) ? lw(rd, 0, base) : addi(rd, rd, 1));
            emit(g, amocas(rd, value(g), base));
        } else {
            emit(g, amoadd(rd, value(g), base));
        }
        break;
    }
    }
}

static void shared_memory(generator *g)
{
    uint32_t base = pick(g, 2) ? SHARED_GLOBAL : SHARED_SCRATCHPAD;
    emit(g, addi(28, base, 4 * (int32_t)pick(g, 8)));
    emit(g, amoadd(ZERO, value(g), 28) | pick(g, 4) << 25 /* any of aq, rl */);
}

static uint32_t random_branch(generator *g)
{
    return pick(g, 2) ? blt(value(g), value(g), 4) : r_type(0x63, pick(g, 2) ? 6 : 1, 0, 4, value(g), value(g));
}

/* Branches are written with offset 4; their real one goes in when the target is known. */
static void land(generator *g, uint32_t at)
{
    uint32_t word = g->words[at];
    uint32_t offset = beq(0, 0, distance(at, g->count));
    g->words[at] = (word & ~(0xFE000F80u)) | (offset & 0xFE000F80u);
}

static void body(generator *g, uint32_t level, uint32_t depth);

static void choice(generator *g, uint32_t level, uint32_t depth)
{
    uint32_t branch = emit(g, random_branch(g));
    body(g, level, depth + 1);
    if (pick(g, 2)) {
        uint32_t jump = emit(g, jal(ZERO, 4));
        land(g, branch);
        body(g, level, depth + 1);
        g->words[jump] = jal(ZERO, distance(jump, g->count));
    } else {
        land(g, branch);
    }
}

static void loop(generator *g, uint32_t level, uint32_t depth)
{
    uint32_t counter = COUNTER(level, depth), leave = 0;
    emit(g, andi(counter, value(g), 1 + (int32_t)pick(g, 2)));
    emit(g, addi(counter, counter, 1));
    uint32_t top = g->count;
    body(g, level, depth + 1);
    if (pick(g, 2)) {
        leave = emit(g, random_branch(g));
        arithmetic(g);
    }
    emit(g, addi(counter, counter, -1));
    uint32_t back = emit(g, 0);
    g->words[back] = bne(counter, ZERO, distance(back, top));
    if (leave)
        land(g, leave);
}

static void leave_function(generator *g, uint32_t level)
{
    if (level == 1)
        emit(g, add(RA, SAVED_RA, ZERO));
    emit(g, ret());
}

static void call(generator *g, uint32_t level)
{
    uint32_t callee = level == 0 ? 1 + pick(g, 2) : 2;
    emit(g, jal(RA, distance(g->count, g->functions[callee])));
}

static void statement(generator *g, uint32_t level, uint32_t depth)
{
    uint32_t loops = level == 0 ? 2 : 1;
    switch (pick(g, 14)) {
    case 0: floats(g); break;
    case 1: private_memory(g); break;
    case 2:
    case 3: own_memory(g); break;
    case 4: shared_memory(g); break;
    case 5: emit(g, pick(g, 2) ? fence() : 0x0330000F /* fence rw, rw */); break;
    case 6:
    case 7: depth < 3 ? choice(g, level, depth) : arithmetic(g); break;
    case 8: depth < loops ? loop(g, level, depth) : arithmetic(g); break;
    case 9: level < 2 && depth < 2 ? call(g, level) : arithmetic(g); break;
    case 10: level &&depth ? leave_function(g, level) : arithmetic(g); break;
    default: arithmetic(g); break;
    }
}

static void body(generator *g, uint32_t level, uint32_t depth)
{
    for (uint32_t left = 1 + pick(g, 4); left; left--)
        statement(g, level, depth);
}

static void function(generator *g, uint32_t level)
{
    g->functions[level] = g->count;
    if (level == 1)
        emit(g, add(SAVED_RA, RA, ZERO));
    body(g, level, 0);
    leave_function(g, level);
}

static void prologue(generator *g)
{
    emit(g, add(S0, RA, ZERO));
    emit(g, csrr(THREAD, 0xCC0));
    emit(g, csrr(T0, 0xCC3));
    emit(g, csrr(T1, 0xCC6));
    emit(g, mul(T0, T0, T1));
    emit(g, add(T0, T0, THREAD));
    emit(g, slli(T1, T0, 6));
    emit(g, lui(OWN_GLOBAL, DATA));
    emit(g, add(OWN_GLOBAL, OWN_GLOBAL, T1));
    emit(g, lui(SHARED_GLOBAL, DATA + RANDOM_SHARED_OFFSET));
    emit(g, lui(SHARED_SCRATCHPAD, HD_SCRATCHPAD_BASE));
    emit(g, slli(T1, THREAD, 2));
    emit(g, add(OWN_SCRATCHPAD, SHARED_SCRATCHPAD, T1));
    emit(g, addi(OWN_SCRATCHPAD, OWN_SCRATCHPAD, 32));
    emit(g, addi(A0, T0, 77));
    emit(g, andi(A1, T0, 5));
    emit(g, mul(A2, A0, A0));
}

/* Every thread hands its neighbour a word, between two barriers. */
static void exchange(generator *g)
{
    uint32_t number = pick(g, 16), result = value(g);
    emit(g, sw(value(g), 0, OWN_SCRATCHPAD));
    emit(g, bar_sync(number));
    emit(g, csrr(28, 0xCC6));
    emit(g, addi(29, THREAD, 1));
    emit(g, r_type(0x33, 7, 1, 29, 29, 28) /* remu */);
    emit(g, slli(29, 29, 2));
    emit(g, add(29, 29, SHARED_SCRATCHPAD));
    emit(g, lw(result, 32, 29));
    emit(g, bar_sync(number ^ pick(g, 2)));
}

static void leave_early(generator *g)
{
    uint32_t stay = emit(g, random_branch(g));
    emit(g, add(RA, S0, ZERO));
    emit(g, ret());
    land(g, stay);
}

static void epilogue(generator *g)
{
    for (uint32_t i = 0; i < sizeof values / sizeof *values; i++)
        emit(g, sw(values[i], 16 + 4 * (int32_t)i, OWN_GLOBAL));
    emit(g, csrr(T0, 0xC02));
    emit(g, sw(T0, 40, OWN_GLOBAL));
    emit(g, csrr(T0, 0x001));
    emit(g, sw(T0, 44, OWN_GLOBAL));
    emit(g, lw(T0, -4, SP));
    emit(g, sw(T0, 48, OWN_GLOBAL));
    emit(g, add(RA, S0, ZERO));
    emit(g, ret());
    emit(g, 0);
}

void random_program(uint64_t seed, uint32_t words[RANDOM_WORDS])
{
    generator g = {.words = words, .state = seed};
    emit(&g, 0);
    function(&g, 2);
    function(&g, 1);
    words[0] = jal(ZERO, distance(0, g.count));
    prologue(&g);
    for (uint32_t left = 1 + pick(&g, 4); left; left--) {
        body(&g, 0, 0);
        if (pick(&g, 2))
            exchange(&g);
        else if (pick(&g, 2))
            emit(&g, warp_sync());
    }
    if (pick(&g, 2))
        leave_early(&g); /* a stack lets nobody wait for lanes that have yet to leave: no barrier after this */
    body(&g, 0, 0);
    epilogue(&g);
}
