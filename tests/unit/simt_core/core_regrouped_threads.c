/* SPDX-License-Identifier: MIT */
/* What belongs to a thread goes with it from path to path, and is never taken for that of the lane of another warp. */
#include "core_pair.h"
#include "functional_core.h"
#include "hd_extension.h"
#include "regrouper.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define DELAY_OF_MEMORY 300u
#define THREADS 64u /* two warps, whose odd lanes are exchanged */

static const char *const two_warps[] = {"warps=2", NULL};
static const char *const eight_threads[] = {"warps=2", "lanes=4", NULL};

/* t0 = cycle, t1 = thread, a4 = a word of the thread's own in global memory, a5 = one in the scratchpad */
#define PROLOGUE                                                                                                       \
    csrr(T1, 0xCC0), slli(T2, T1, 3), lui(A4, DATA), add(A4, A4, T2), lui(A5, HD_SCRATCHPAD_BASE), slli(T2, T1, 2),    \
        add(A5, A5, T2), csrr(T0, 0xC00)
/* Threads with bit 1 set go on in another path than they came in. */
#define PART andi(T2, T1, 2), beq(T2, ZERO, 8), addi(ZERO, ZERO, 0)
/* a0 to the thread's word. */
#define EPILOGUE sw(A0, 0, A4), ret(), 0

static core_rig *run_on(const char *const *parameters, const uint32_t *words)
{
    core_rig *rig = rig_create(parameters, words);
    const hd_grid grid = {
        .grid_size = {1, 1, 1}, .block_size = {THREADS, 1, 1}, .scratchpad_bytes = 4 * THREADS, .private_bytes = 256};
    const uint64_t mixed = regrouper_mixed;
    rig_memory_delay(rig, DELAY_OF_MEMORY);
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    cr_assert_gt(regrouper_mixed, mixed);
    return rig;
}

static core_rig *run(const uint32_t *words)
{
    return run_on(two_warps, words);
}

static uint32_t word_of(core_rig *rig, uint32_t thread)
{
    return rig_word(rig, DATA + 8 * thread);
}

static void expect_at_least(const uint32_t *words, uint32_t cycles)
{
    core_rig *rig = run(words);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        cr_expect_geq(word_of(rig, thread), cycles, "thread %u: %u cycles", thread, word_of(rig, thread));
    rig_destroy(rig);
}

Test(simt_core_regrouped, a_fence_waits_for_stores_of_its_threads_from_other_paths)
{
    const uint32_t words[] = {PROLOGUE, sw(T1, 4, A4), PART, fence(), csrr(A0, 0xC00), sub(A0, A0, T0), EPILOGUE};
    expect_at_least(words, DELAY_OF_MEMORY);
}

Test(simt_core_regrouped, a_fence_waits_for_loads_of_its_threads_from_other_paths)
{
    const uint32_t words[] = {PROLOGUE, lw(ZERO, 4, A4), PART, fence(), csrr(A0, 0xC00), sub(A0, A0, T0), EPILOGUE};
    expect_at_least(words, DELAY_OF_MEMORY);
}

Test(simt_core_regrouped, an_access_waits_for_acquires_of_its_threads_in_other_paths)
{
    const uint32_t words[] = {PROLOGUE,
                              amoswap_acquire(ZERO, T1, A4),
                              PART,
                              lw(T2, 4, A4),
                              add(T2, T2, ZERO),
                              csrr(A0, 0xC00),
                              sub(A0, A0, T0),
                              EPILOGUE};
    expect_at_least(words, 2 * DELAY_OF_MEMORY);
}

/* ---- Address units ----------------------------------------------------------------------------------------------------------- */

#define ADDRESS_INTERVAL 50u
static const char *const address_units[] = {"warps=2", "schedulers=2", "memory.queue=8",
                                            "memory.address.interval=50 cycles", NULL};

/* Threads that run in the second slot have this access behind LOADS_BEFORE loads in its unit. Those with bit 1 clear go on in the first slot,
 * whose unit is free, with so many instructions; the others stay, and go on behind these. */
#define LOADS_BEFORE 4u
#define ACCESS_AND_PART(access, count)                                                                                 \
    srli(T2, T1, 5), r_type(0x33, 4, 0, T2, T2, T1), andi(A3, T2, 1), beq(A3, ZERO, 4 * (1 + LOADS_BEFORE)),           \
        lw(ZERO, 4, A4), lw(ZERO, 4, A4), lw(ZERO, 4, A4), lw(ZERO, 4, A4), access, andi(T2, T1, 2),                   \
        bne(T2, ZERO, 4 * (1 + (count)))

Test(simt_core_regrouped, an_access_does_not_overtake_those_of_its_threads_in_another_address_unit)
{
    const uint32_t words[] = {PROLOGUE, ACCESS_AND_PART(sw(T1, 4, A4), 1), addi(ZERO, ZERO, 0), lw(A0, 4, A4),
                              EPILOGUE};
    core_rig *rig = run_on(address_units, words);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        cr_expect_eq(word_of(rig, thread), thread, "thread %u", thread);
    rig_destroy(rig);
}

/* The others of the path use its unit all the time. */
Test(simt_core_regrouped, an_access_waits_for_nobody_else_in_another_address_unit)
{
    enum { MORE = 24, SLACK = 70 };
    const uint32_t words[] = {PROLOGUE,
                              ACCESS_AND_PART(lw(S0, 4, A4), 6),
                              lw(A0, 4, A4),
                              add(ZERO, A0, ZERO),
                              csrr(A0, 0xC00),
                              sub(A0, A0, T0),
                              sw(A0, 0, A4),
                              ret(),
                              beq(A3, ZERO, 20),
                              addi(A2, ZERO, MORE),
                              lw(ZERO, 4, A4),
                              addi(A2, A2, -1),
                              bne(A2, ZERO, -8),
                              ret(),
                              0};
    core_rig *rig = run_on(address_units, words);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        if (!(thread & 2))
            cr_expect_lt(word_of(rig, thread), LOADS_BEFORE * ADDRESS_INTERVAL + DELAY_OF_MEMORY + SLACK,
                         "thread %u: %u cycles", thread, word_of(rig, thread));
    rig_destroy(rig);
}

/* ---- Registers and warps ------------------------------------------------------------------------------------------------------ */

/* Of all threads the registers are of their own warp, and a result that is on its way is waited for in another path. */
Test(simt_core_regrouped, a_loaded_value_is_waited_for_in_another_path)
{
    const uint32_t words[] = {PROLOGUE,         sw(T1, 4, A4),       fence(),         lw(T2, 4, A4), andi(A1, T1, 2),
                              beq(A1, ZERO, 8), addi(ZERO, ZERO, 0), add(A0, T2, T2), EPILOGUE};
    core_rig *rig = run(words);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        cr_expect_eq(word_of(rig, thread), 2 * thread, "thread %u", thread);
    rig_destroy(rig);
}

Test(simt_core_regrouped, a_reservation_is_the_threads)
{
    const uint32_t load_reserved = r_type(0x2F, 2, 0x08, T0, A5, ZERO);
    const uint32_t store_conditional = r_type(0x2F, 2, 0x0C, A0, A5, T1);
    const uint32_t words[] = {PROLOGUE,         load_reserved,   PART,    store_conditional, lw(T2, 0, A5),
                              slli(A0, A0, 16), add(A0, A0, T2), EPILOGUE};
    core_rig *rig = run(words);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        cr_expect_eq(word_of(rig, thread), thread, "thread %u", thread); /* it has succeeded, with 0 */
    rig_destroy(rig);
}

/* Threads of the first warp vote 1, those of the second 0: in one path. */
Test(simt_core_regrouped, lanes_vote_among_their_own_warp)
{
    const uint32_t sltiu = i_type(0x13, 3, A1, T1, 32);
    const uint32_t words[] = {PROLOGUE, sltiu, vote_any(A0, A1), EPILOGUE};
    core_rig *rig = run(words);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        cr_expect_eq(word_of(rig, thread), thread < 32, "thread %u", thread);
    rig_destroy(rig);
}

/* Thread 1 is late: all of warp 0 wait for it, in whichever path they are. */
Test(simt_core_regrouped, warp_sync_waits_for_the_whole_warp)
{
    const uint32_t words[] = {PROLOGUE,         addi(T2, T1, -1),  bne(T2, ZERO, 16), addi(T2, ZERO, 500),
                              addi(T2, T2, -1), bne(T2, ZERO, -4), warp_sync(),       csrr(A0, 0xC00),
                              sub(A0, A0, T0),  EPILOGUE};
    core_rig *rig = run(words);
    for (uint32_t thread = 0; thread < 32; thread++)
        cr_expect_geq(word_of(rig, thread), 1000, "thread %u: %u cycles", thread, word_of(rig, thread));
    rig_destroy(rig);
}

/* Thread 33 is late, and ends: it runs beside lanes of warp 0, but the others of warp 1 wait for it. */
Test(simt_core_regrouped, warp_sync_waits_no_longer_for_threads_that_end)
{
    const uint32_t words[] = {PROLOGUE,
                              addi(T2, T1, -33),
                              bne(T2, ZERO, 20),
                              addi(T2, ZERO, 500),
                              addi(T2, T2, -1),
                              bne(T2, ZERO, -4),
                              ret(),
                              warp_sync(),
                              addi(A0, ZERO, 1),
                              EPILOGUE};
    core_rig *rig = run(words);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        cr_expect_eq(word_of(rig, thread), thread != 33, "thread %u", thread);
    rig_destroy(rig);
}

/* The block moves while warp 0 has been released and warp 1 waits for thread 40: lanes of both are in one path. */
Test(simt_core_regrouped, a_path_moves_of_which_one_warp_has_synchronised)
{
    const uint32_t words[] = {PROLOGUE,         addi(T2, T1, -40), bne(T2, ZERO, 16), addi(T2, ZERO, 500),
                              addi(T2, T2, -1), bne(T2, ZERO, -4), warp_sync(),       addi(A0, ZERO, 1),
                              EPILOGUE};
    core_pair *pair = pair_create(two_warps, two_warps, words);
    pair_launch(pair, 0, THREADS, 0);
    pair_run(pair, 600);
    cr_assert(pair_move(pair, 0, 0));
    pair_finish(pair, 1);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        cr_expect_eq(rig_word(pair->rig[0], DATA + 8 * thread), 1, "thread %u", thread);
    pair_destroy(pair);
}

Test(simt_core_regrouped, a_mistake_is_that_of_its_thread)
{
    const uint32_t sltiu = i_type(0x13, 3, T2, T2, 1);
    const uint32_t words[] = {PROLOGUE, addi(T2, T1, -33), sltiu, add(A4, A4, T2), lw(A0, 0, A4), EPILOGUE};
    core_rig *rig = rig_create(two_warps, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, THREADS, 0);
    rig_finish(rig);
    const char *text = kit_fault_text(rig_kit(rig));
    cr_assert_not_null(text);
    cr_expect_not_null(strstr(text, "misaligned"), "%s", text);
    cr_expect_not_null(strstr(text, "warp 1, lane 1, thread (33,0,0)"), "%s", text);
    rig_destroy(rig);
}

Test(simt_core_regrouped, a_warp_is_described_by_its_own_lanes)
{
    const uint32_t words[] = {jal(ZERO, 0), ret(), 0};
    core_rig *rig = rig_create(eight_threads, words);
    rig_launch(rig, 8, 0);
    kit_run_until(rig_kit(rig), 100000);
    const char *text = kit_described(rig_kit(rig));
    for (uint32_t warp = 0; warp < 2; warp++) {
        const char *name = warp ? "warp 1" : "warp 0", *of = strstr(text, name);
        cr_assert_not_null(of, "%s", text);
        cr_expect_not_null(strstr(of, "lanes 0,2"), "%s: %s", name, text);
        cr_expect_not_null(strstr(of, "lanes 1,3"), "%s: %s", name, text);
    }
    rig_destroy(rig);
}

/* Each thread stores to a word of its own: which thread it is said to be must be the one whose address it is. */
static void check_thread(void *context, uint32_t endpoint, const hd_block_launch *block, const hd_access *access)
{
    uint64_t *seen = context;
    (void)endpoint, (void)block;
    if (access->kind != HD_ACCESS_STORE)
        return;
    for (uint64_t left = access->lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left), thread = access->warp * access->warp_lanes + lane;
        cr_expect_eq(access->address[lane], DATA + 8 * thread, "warp %u, lane %u", access->warp, lane);
        cr_expect_not(*seen >> thread & 1, "thread %u twice", thread);
        *seen |= UINT64_C(1) << thread;
    }
}

Test(simt_core_regrouped, accesses_are_told_of_their_threads)
{
    const uint32_t words[] = {PROLOGUE, EPILOGUE};
    uint64_t seen = 0;
    rig_tells(&(hd_accesses){.context = &seen, .told = check_thread});
    rig_destroy(run(words));
    rig_tells(NULL);
    cr_expect_eq(seen, UINT64_MAX);
}

Test(simt_core_regrouped, transactions_are_refused_by_name)
{
    static const char *const parameters[] = {"tx=getm", "reconvergence=regrouper", NULL};
    char error[256] = "";
    cr_expect(kit_refuses(&hd_simt_core_timed, parameters, error, sizeof error));
    cr_expect_not_null(strstr(error, "a reconvergence unit that has transactions"), "%s", error);
}

Test(simt_core_regrouped, the_functional_core_refuses_by_name)
{
    static const char *const parameters[] = {"reconvergence=regrouper", NULL};
    char error[256] = "";
    cr_expect(kit_refuses(&hd_simt_core_functional, parameters, error, sizeof error));
    cr_expect_not_null(strstr(error, "reconvergence 'regrouper' has paths of several warps"), "%s", error);
}
