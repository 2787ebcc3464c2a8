/* SPDX-License-Identifier: MIT */
/* Loads, stores and atomics at all alignments of lanes and ranges. */
#include <criterion/criterion.h>
#include <string.h>

#include "core_rig.h"
#include "functional_core.h"
#include "state.h"

static const char *const wide[] = {"lanes=64", NULL};
static const char *const usual[] = {NULL};
static const char *const narrow[] = {"lanes=7", NULL};
static const char *const *const machines[] = {wide, usual, narrow};
#define MACHINES (sizeof machines / sizeof *machines)

#define THREADS 64u
#define PAGE 4096u /* of the memory behind the rig */

static core_rig *run(const char *const *parameters, const uint32_t *words, void (*prepare)(core_rig *))
{
    core_rig *rig = rig_create_of(&hd_simt_core_functional, parameters, words);
    if (prepare)
        prepare(rig);
    rig_launch(rig, THREADS, 0);
    rig_finish(rig);
    return rig;
}

static void number_words(core_rig *rig)
{
    for (uint32_t i = 0; i < 2 * THREADS; i++)
        rig_set_word(rig, DATA + PAGE - 4 * THREADS / 2 + 4 * i, 1000 + i);
}

/* load reserved at once, store conditional after 4,000 instructions, in which 2^32 writes may have been. */
static uint32_t conditional_fails(uint32_t address, uint64_t writes)
{
    const uint32_t words[] = {lui(A1, address),
                              lui(A2, DATA + 0x1000),
                              r_type(0x2F, 2, 0x08, T1, A1, ZERO) /* lr.w */,
                              addi(A3, ZERO, 2000),
                              addi(A3, A3, -1),
                              bne(A3, ZERO, -4),
                              r_type(0x2F, 2, 0x0C, T2, A1, A3) /* sc.w */,
                              sw(T2, 0, A2),
                              ret(),
                              0};
    core_rig *rig = rig_create_of(&hd_simt_core_functional, (const char *const[]){"run_ahead=16 cycles", NULL}, words);
    const hd_grid grid = {.grid_size = {1, 1, 1},
                          .block_size = {1, 1, 1},
                          .scratchpad_bytes = 64,
                          .private_bytes = 1024,
                          .argument_address = DATA,
                          .argument_bytes = 64};
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 500));
    const functional_core *core = (const functional_core *)kit_instance(rig_kit(rig));
    core->scratchpad_versions[0] += writes;
    *hd_direct_version(core->direct, address) += writes;
    rig_finish(rig);
    const uint32_t fails = rig_word(rig, DATA + 0x1000);
    rig_destroy(rig);
    return fails;
}

Test(functional_core, reservations_end_however_often_the_word_is_written)
{
    static const uint32_t addresses[] = {DATA, HD_SCRATCHPAD_BASE};
    for (uint32_t i = 0; i < 2; i++) {
        cr_expect_eq(conditional_fails(addresses[i], 0), 0);
        cr_expect_eq(conditional_fails(addresses[i], 1), 1);
        cr_expect_eq(conditional_fails(addresses[i], UINT64_C(1) << 32), 1);
    }
}

/* Calls that save nothing and never return. */
Test(functional_core, calls_nest_no_deeper_than_can_be_counted)
{
    const uint32_t words[] = {jal(RA, 0), ret(), 0};
    core_rig *rig = rig_create_of(&hd_simt_core_functional, (const char *const[]){"run_ahead=16 cycles", NULL}, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, 1, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 500));
    ((const functional_core *)kit_instance(rig_kit(rig)))->paths[0].depth = CALLS_MAX - 3;
    rig_finish(rig);
    const char *text = kit_fault_text(rig_kit(rig));
    cr_expect(text && strstr(text, "calls nest deeper than 1048576\n  kernel kernel, pc 0x10000000"), "%s", text);
    rig_destroy(rig);
}

/* A row of lanes lies on both sides of the end of a page. */
Test(functional_core, a_row_of_words_may_cross_ranges)
{
    const uint32_t words[] = {
        csrr(T0, 0xCC0), slli(T1, T0, 2), lui(A1, DATA + PAGE), add(A1, A1, T1), addi(A1, A1, -2 * (int32_t)THREADS),
        lw(T2, 0, A1),   addi(T2, T2, 1), sw(T2, 0, A1),        ret(),           0};
    for (size_t m = 0; m < MACHINES; m++) {
        core_rig *rig = run(machines[m], words, number_words);
        for (uint32_t i = 0; i < THREADS; i++)
            cr_expect_eq(rig_word(rig, DATA + PAGE - 2 * THREADS + 4 * i), 1001 + i, "lane %u", i);
        cr_expect_eq(rig_word(rig, DATA + PAGE + 2 * THREADS), 1000 + THREADS);
        rig_destroy(rig);
    }
}

static void two_bytes(core_rig *rig)
{
    rig_set_word(rig, DATA, 0x8081FF7F);
}

/* All lanes read one byte; odd lanes write halves in descending order of address. */
Test(functional_core, parts_of_words_are_extended_and_merged)
{
    const uint32_t words[] = {csrr(T0, 0xCC0),
                              lui(A1, DATA),
                              lbu(T1, 1, A1),
                              i_type(0x03, 0, T2, A1, 3) /* lb */,
                              add(T1, T1, T2),
                              slli(A2, T0, 1),
                              sub(A2, ZERO, A2),
                              add(A2, A2, A1),
                              addi(A2, A2, 1024),
                              andi(T2, T0, 1),
                              beq(T2, ZERO, 8),
                              r_type(0x23, 1, 0, 0, A2, T1) /* sh */,
                              ret(),
                              0};
    for (size_t m = 0; m < MACHINES; m++) {
        core_rig *rig = run(machines[m], words, two_bytes);
        const uint32_t sum = (0xFF + 0xFFFFFF80u) & 0xFFFF;
        for (uint32_t i = 2; i < THREADS; i += 2)
            cr_expect_eq(rig_word(rig, DATA + 1024 - 2 * i), sum << 16, "lanes %u and %u", i - 1, i);
        rig_destroy(rig);
    }
}

/* Every lane of every warp adds 1 by LR and SC to one word, and loops until it has. */
Test(functional_core, reservations_do_not_survive_anybodys_store)
{
    const uint32_t lr = r_type(0x2F, 2, 0x08, T0, A1, 0), sc = r_type(0x2F, 2, 0x0C, T1, A1, T0);
    const uint32_t base[] = {DATA, HD_SCRATCHPAD_BASE};
    for (size_t m = 0; m < MACHINES; m++) {
        for (uint32_t where = 0; where < 2; where++) {
            const uint32_t words[] = {lui(A1, base[where]),
                                      lui(A2, DATA),
                                      lr,
                                      addi(T0, T0, 1),
                                      sc,
                                      bne(T1, ZERO, -12),
                                      bar_sync(0),
                                      lw(T2, 0, A1),
                                      sw(T2, 64, A2),
                                      ret(),
                                      0};
            core_rig *rig = rig_create_of(&hd_simt_core_functional, machines[m], words);
            const hd_grid grid = {.grid_size = {1, 1, 1}, .block_size = {THREADS, 1, 1}, .scratchpad_bytes = 64};
            rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
            rig_finish(rig);
            cr_expect_eq(rig_word(rig, DATA + 64), THREADS);
            rig_destroy(rig);
        }
    }
}

/* A -> B -> A between LR and SC: the value is the old one, the word has been written. By one lane, and by a row of them. */
Test(functional_core, a_word_written_back_is_a_word_written)
{
    const uint32_t lr = r_type(0x2F, 2, 0x08, T0, A1, 0), sc = r_type(0x2F, 2, 0x0C, T1, A1, T0);
    const uint32_t base[] = {DATA, HD_SCRATCHPAD_BASE}, threads[] = {1, 32};
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t words[] = {csrr(T2, 0xCC0),
                                  slli(T2, T2, 2),
                                  lui(A1, base[i % 2]),
                                  add(A1, A1, T2),
                                  lui(A2, DATA),
                                  add(A2, A2, T2),
                                  lr,
                                  addi(T2, T0, 1),
                                  sw(T2, 0, A1),
                                  sw(T0, 0, A1),
                                  sc,
                                  sw(T1, 256, A2),
                                  ret(),
                                  0};
        core_rig *rig = rig_create_of(&hd_simt_core_functional, usual, words);
        const hd_grid grid = {.grid_size = {1, 1, 1}, .block_size = {threads[i / 2], 1, 1}, .scratchpad_bytes = 128};
        rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
        rig_finish(rig);
        for (uint32_t thread = 0; thread < threads[i / 2]; thread++)
            cr_expect_eq(rig_word(rig, DATA + 256 + 4 * thread), 1, "base 0x%x, thread %u", base[i % 2], thread);
        rig_destroy(rig);
    }
}

static uint32_t known_ranges(core_rig *rig)
{
    const functional_core *core = (const functional_core *)kit_instance(rig_kit(rig));
    uint32_t known = 0;
    for (uint32_t i = 0; i < RANGES; i++)
        known += core->ranges[i].number != UINT64_MAX;
    return known;
}

/* Memory may lie elsewhere then. The first place of the table is that of each 16 MiB's first page. */
Test(functional_core, a_reset_forgets_where_memory_is)
{
    const uint32_t words[] = {
        lui(A1, DATA & ~(RANGES * PAGE - 1)), lui(A2, DATA + PAGE), sw(A1, 0, A1), sw(A1, 0, A2), ret(), 0};
    core_rig *rig = rig_create_of(&hd_simt_core_functional, usual, words);
    cr_expect_eq(known_ranges(rig), 0);
    rig_launch(rig, 1, 0);
    rig_finish(rig);
    cr_expect_geq(known_ranges(rig), 2);
    rig_reset(rig);
    cr_expect_eq(known_ranges(rig), 0);
    rig_destroy(rig);
}
