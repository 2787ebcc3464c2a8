/* SPDX-License-Identifier: MIT */
/* Thread block compaction: the published examples, state by state and cycle by cycle. */
#include <criterion/criterion.h>

#include "block_stack_rig.h"
#include "likely.h"

#define STANDARD BLOCK_STACK_PARAMETERS, 0

/* ---- Fung 2015, Fig. 2.3: one warp. A: 1,2,3 to B and 4 to F; B: 1 to C and 2,3 to D; C and D to E; E and F to G -------------- */

enum { A = 0x1000, B = 0x1004, C = 0x1100, D = 0x1008, E = 0x1200, F = 0x2000, G = 0x3000 };

Test(reconvergence_block_stack, a_block_of_one_warp_has_the_stack_of_that_warp)
{
    const uint64_t all = T(1) | T(2) | T(3) | T(4), b = T(1) | T(2) | T(3);
    rig r;
    block_start(&r, BLOCK_STACK_FIRST, FIRST_NOT_TAKEN); /* the side that falls through is on top */
    block_launch(&r, 0, 4, A);
    EXPECT_LEVELS(&r, 0, {A, NO_STOP, all});
    block_branch(&r, 0, T(4), F, G, 0);
    EXPECT_LEVELS(&r, 0, {G, NO_STOP, all}, {F, G, T(4)}, {B, G, b});
    block_compact(&r, 0);
    cr_expect_eq(block_threads_of(&r, 0), b);
    block_branch(&r, 0, T(1), C, E, 2);
    EXPECT_LEVELS(&r, 0, {G, NO_STOP, all}, {F, G, T(4)}, {E, G, b}, {C, E, T(1)}, {D, E, T(2) | T(3)});
    block_compact(&r, 2);
    block_walk(&r, 0, 4);
    EXPECT_LEVELS(&r, 0, {G, NO_STOP, all}, {F, G, T(4)}, {E, G, b}, {C, E, T(1)});
    block_compact(&r, 4);
    block_walk(&r, 0, 6);
    EXPECT_LEVELS(&r, 0, {G, NO_STOP, all}, {F, G, T(4)}, {E, G, b});
    block_compact(&r, 6);
    block_jump(&r, 0, G, 8);
    EXPECT_LEVELS(&r, 0, {G, NO_STOP, all}, {F, G, T(4)});
    block_compact(&r, 8);
    block_walk(&r, 0, 10);
    EXPECT_LEVELS(&r, 0, {G, NO_STOP, all});
    block_compact(&r, 10);
    cr_expect_eq(block_threads_of(&r, 0), all);
    cr_expect_eq(r.unit->maximum_depth(r.state), 5);
    block_leave(&r, 0, all, 12);
    cr_expect_eq(block_at(&r, 0)->stack.count, 0);
    cr_expect_eq(r.added, r.removed);
    rig_stop(&r);
}

/* ---- Fig. 3.5: eight threads; 1, 6 and 7 to C, which is taken, the others to B; all to D --------------------------------------- */

enum { C8 = 0x1100, B8 = 0x1004, D8 = 0x1200 };

Test(reconvergence_block_stack, threads_of_two_warps_run_as_one)
{
    const uint64_t all = 0x1FE, c = T(1) | T(6) | T(7);
    rig r;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 8, A);
    block_branch(&r, 0, c, C8, D8, 0);
    EXPECT_LEVELS(&r, 0, {A, NO_STOP, all});
    cr_expect_eq(block_at(&r, 0)->awaited, 1);
    block_branch(&r, 1, c, C8, D8, 1);
    EXPECT_LEVELS(&r, 0, {D8, NO_STOP, all}, {B8, D8, all & ~c}, {C8, D8, c});
    block_compact(&r, 1);
    cr_expect(block_threads_of(&r, 0) == c && !block_threads_of(&r, 1));
    cr_expect_eq(block_path(&r, 0)->home, HOMES_DIFFER);
    block_walk(&r, 0, 3);
    EXPECT_LEVELS(&r, 0, {D8, NO_STOP, all}, {B8, D8, all & ~c});
    block_compact(&r, 3);
    cr_expect_eq(block_threads_of(&r, 0), T(5) | T(2) | T(3) | T(4));
    cr_expect_eq(block_threads_of(&r, 1), T(8));
    block_walk(&r, 1, 6);
    block_jump(&r, 0, D8, 7);
    EXPECT_LEVELS(&r, 0, {D8, NO_STOP, all});
    block_compact(&r, 7);
    cr_expect_eq(block_threads_of(&r, 0), 0x1E);
    cr_expect_eq(block_threads_of(&r, 1), 0x1E0);
    cr_expect_eq(block_path(&r, 1)->home, 1, "as it was launched");
    cr_expect_eq(r.counters[BLOCK_STACK_WARPS_MADE], 5);
    cr_expect_eq(r.counters[BLOCK_STACK_WARPS_SAVED], 1, "C");
    cr_expect_eq(r.counters[BLOCK_STACK_SYNCHRONISATIONS], 3);
    cr_expect_eq(r.counters[BLOCK_STACK_WAIT_CYCLES], 1 + 1);
    cr_expect_eq(r.counters[BLOCK_STACK_COMPACTOR_CYCLES], 5);
    rig_stop(&r);
}

/* ---- Fig. 3.8, with a second warp: 1 and 6 to B, the others to C; of these 3, 4 and 8 to D, which leads to F, the others to E --------- */

Test(reconvergence_block_stack, threads_of_two_warps_meet_at_a_likely_point)
{
    enum { C3 = 0x1100, D3 = 0x1300, E3 = C3 + 4, F3 = 0x1400 };
    const uint64_t all = 0x1FE, c = all & ~(T(1) | T(6)), d = T(3) | T(4) | T(8);
    rig r;
    block_start(&r, BLOCK_STACK_LIKELY_POINTS, LIKELY_BY_LOOPS);
    block_launch(&r, 0, 8, A);
    block_branch_likely(&r, 0, c, C3, F3, E3, 0);
    block_branch_likely(&r, 1, c, C3, F3, E3, 1);
    EXPECT_LEVELS(&r, 0, {F3, NO_STOP, all}, {E3, F3, 0}, {B, F3, all & ~c}, {C3, F3, c});
    block_compact(&r, 1);
    block_branch(&r, 0, d, D3, F3, 4);
    block_branch(&r, 1, d, D3, F3, 5);
    EXPECT_LEVELS(&r, 0, {F3, NO_STOP, all}, {E3, F3, c & ~d}, {B, F3, all & ~c}, {D3, F3, d});
    block_compact(&r, 5);
    block_jump(&r, 1, F3, 8); /* 8; 3 and 4 are in the other warp */
    block_jump(&r, 0, F3, 9);
    EXPECT_LEVELS(&r, 0, {F3, NO_STOP, all}, {E3, F3, c & ~d}, {B, F3, all & ~c});
    block_compact(&r, 9);
    cr_expect_eq(block_threads_of(&r, 0), T(1) | T(6));
    cr_expect_eq(block_path(&r, 0)->stop_pc, E3, "the nearer one");
    block_walk(&r, 0, 12);
    EXPECT_LEVELS(&r, 0, {F3, NO_STOP, all}, {E3, F3, all & ~d});
    block_compact(&r, 12);
    cr_expect_eq(block_threads_of(&r, 0), T(1) | T(2) | T(7));
    cr_expect_eq(block_threads_of(&r, 1), T(5) | T(6));
    rig_stop(&r);
}

/* ---- Fig. 3.7, by cycles: one instruction issues in each, and does at once what it does ------------------------------------------ */

/* Blocks of twelve threads that part and meet; each piece of code has `length` instructions. */
typedef struct machine {
    rig r;
    uint32_t length;
    uint64_t to_c, cycle;
    uint64_t ready_at[WARPS]; /* from which cycle on the path may issue */
    uint32_t last;            /* path that issued last, or -1 */
    uint64_t slots;
} machine;

#define PIECE(n) (0x1000u + 0x400u * (n))
enum { PIECE_A, PIECE_B, PIECE_C, PIECE_D };

static void start_machine(machine *m, uint32_t blocks, uint32_t length, uint64_t to_c)
{
    *m = (machine){.length = length, .to_c = to_c, .last = UINT32_MAX};
    block_start(&m->r, STANDARD);
    for (uint32_t block = 0; block < blocks; block++)
        block_launch(&m->r, 3 * block, 12, PIECE(PIECE_A));
}

static void issue(machine *m, uint32_t path)
{
    struct path *p = block_path(&m->r, path);
    const uint32_t at = (p->pc - 0x1000) % 0x400 / 4, piece = (p->pc - 0x1000) / 0x400;
    m->slots++;
    m->last = path;
    m->ready_at[path] = m->cycle + 1;
    if (at + 1 < m->length)
        p->pc += 4;
    else if (piece == PIECE_A) {
        p->pc = PIECE(PIECE_B) - 4; /* the branch is just before B */
        block_branch(&m->r, path, m->to_c, PIECE(PIECE_C), PIECE(PIECE_D), m->cycle);
    } else if (piece == PIECE_D)
        block_leave(&m->r, path, UINT64_MAX, m->cycle);
    else
        block_jump(&m->r, path, PIECE(PIECE_D), m->cycle);
}

/* The compactor at its work: what it makes can issue one cycle later. */
static void compact(machine *m)
{
    uint64_t before[WARPS];
    for (uint32_t path = 0; path < WARPS; path++)
        before[path] = block_path(&m->r, path)->mask;
    if (m->cycle && m->r.unit->next(m->r.state, m->cycle - 1) == m->cycle)
        m->r.unit->due(m->r.state, m->cycle);
    for (uint32_t path = 0; path < WARPS; path++)
        if (!before[path] && block_path(&m->r, path)->mask)
            m->ready_at[path] = m->cycle + 1;
}

/* Round robin. */
static void issue_next(machine *m)
{
    for (uint32_t i = 1; i <= WARPS; i++) {
        const uint32_t path = (m->last + i) % WARPS;
        if (block_path(&m->r, path)->mask && m->ready_at[path] <= m->cycle) {
            issue(m, path);
            return;
        }
    }
}

static uint64_t run(machine *m)
{
    while (m->r.removed != m->r.added || m->r.unit->next(m->r.state, m->cycle) != UINT64_MAX) {
        compact(m);
        issue_next(m);
        m->cycle++;
    }
    return m->cycle;
}

#define TO_C (T(5) | T(8) | T(11) | T(2) | T(3) | T(4))

Test(reconvergence_block_stack, the_published_cycles)
{
    static const struct {
        uint64_t issued, made; /* threads */
        uint32_t awaited;      /* after the cycle */
    } cycles[] = {
        {T(5) | T(6) | T(7) | T(8), 0, 2},
        {T(9) | T(10) | T(11) | T(12), 0, 1},
        {T(1) | T(2) | T(3) | T(4), 0, 2},
        {0, T(5) | T(2) | T(3) | T(4), 2},
        {T(5) | T(2) | T(3) | T(4), T(11) | T(8), 1},
        {T(11) | T(8), 0, 2},
        {0, T(1) | T(6) | T(7) | T(12), 2},
        {T(1) | T(6) | T(7) | T(12), T(9) | T(10), 1},
        {T(9) | T(10), 0, 3},
        {0, T(1) | T(2) | T(3) | T(4), 3},
        {T(1) | T(2) | T(3) | T(4), T(5) | T(6) | T(7) | T(8), 2},
        {T(5) | T(6) | T(7) | T(8), T(9) | T(10) | T(11) | T(12), 1},
        {T(9) | T(10) | T(11) | T(12), 0, 0},
    };
    static const uint64_t all = 0x1FFE;
    machine m;
    start_machine(&m, 1, 1, TO_C);
    m.last = 0; /* W2 comes first */
    for (; m.cycle < sizeof cycles / sizeof *cycles; m.cycle++) {
        uint64_t before[WARPS] = {0}, made = 0, issued = 0;
        for (uint32_t path = 0; path < WARPS; path++)
            before[path] = block_threads_of(&m.r, path);
        compact(&m);
        for (uint32_t path = 0; path < WARPS; path++) {
            made |= before[path] ? 0 : block_threads_of(&m.r, path);
            before[path] = block_threads_of(&m.r, path);
        }
        const uint64_t slots = m.slots;
        issue_next(&m);
        issued = m.slots == slots ? 0 : before[m.last];
        cr_expect_eq(issued, cycles[m.cycle].issued, "cycle %lu: %lx issues", m.cycle, issued);
        cr_expect_eq(made, cycles[m.cycle].made, "cycle %lu: %lx is made", m.cycle, made);
        cr_expect_eq(block_at(&m.r, 0)->awaited, cycles[m.cycle].awaited, "cycle %lu", m.cycle);
        if (m.cycle == 2)
            EXPECT_LEVELS(&m.r, 0, {PIECE(PIECE_D), NO_STOP, all}, {PIECE(PIECE_B), PIECE(PIECE_D), all & ~TO_C},
                          {PIECE(PIECE_C), PIECE(PIECE_D), TO_C});
    }
    cr_expect_eq(m.slots, 10);
    cr_expect_eq(m.r.added, m.r.removed);
    cr_expect_eq(block_at(&m.r, 0)->stack.count, 0);
    rig_stop(&m.r);
}

Test(reconvergence_block_stack, two_blocks_hide_each_others_synchronisation)
{
    machine m;
    start_machine(&m, 2, 1, TO_C);
    cr_expect_eq(run(&m), 20, "%lu cycles", m.cycle);
    cr_expect_eq(m.slots, 20);
    rig_stop(&m.r);
}

Test(reconvergence_block_stack, a_block_alone_pays_three_compactions)
{
    for (uint32_t length = 1; length < 9; length++) {
        machine m;
        start_machine(&m, 1, length, TO_C);
        cr_expect_eq(run(&m), 10 * length + 3, "%u instructions: %lu cycles", length, m.cycle);
        cr_expect_eq(m.slots, 10 * length);
        rig_stop(&m.r);
    }
}

/* ---- Depth of loops -------------------------------------------------------------------------------------------------------- */

#define LOOP 0x1000u
#define BEHIND 0x1004u

Test(reconvergence_block_stack, a_loop_that_all_leave_together_needs_two_entries)
{
    rig r;
    uint64_t cycle = 0;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 16, LOOP);
    for (uint32_t i = 0; i < 100; i++) {
        for (uint32_t path = 0; path < 4; path++) {
            block_path(&r, path)->pc = LOOP;
            block_branch(&r, path, i < 99 ? UINT64_MAX : 0, LOOP, BEHIND, ++cycle);
        }
        cycle = block_compact(&r, cycle);
    }
    cr_expect_eq(r.unit->maximum_depth(r.state), 2);
    cr_expect_eq(r.counters[BLOCK_STACK_UNIFORM], 100);
    EXPECT_LEVELS(&r, 0, {BEHIND, NO_STOP, 0x1FFFE});
    rig_stop(&r);
}

/* Of 32 threads in eight warps, each after one to seventeen rounds. */
Test(reconvergence_block_stack, a_loop_that_threads_leave_one_by_one_needs_two_entries)
{
    rig r;
    uint64_t cycle = 0;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 32, LOOP);
    for (uint32_t round = 1; block_path(&r, 0)->pc == LOOP; round++) {
        uint64_t stay = 0;
        for (uint32_t thread = 1; thread <= 32; thread++)
            stay |= (thread - 1) % 17 + 1 > round ? T(thread) : 0;
        for (uint32_t path = 0; path < WARPS; path++)
            if (block_path(&r, path)->mask)
                block_branch(&r, path, stay, LOOP, BEHIND, ++cycle);
        cycle = block_compact(&r, cycle);
    }
    cr_expect_eq(r.unit->maximum_depth(r.state), 2);
    cr_expect_eq(block_threads_in(&r, 0, 0), 0x1FFFFFFFE);
    rig_stop(&r);
}
