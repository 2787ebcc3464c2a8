/* SPDX-License-Identifier: MIT */
/* Results that the register file takes per cycle: who waits, who does not, and for how long. */
#include "core_cost.h"
#include "core_rig.h"

#include <criterion/criterion.h>

static const char *const all[] = {"simd_width=32", "fetch.width=2", NULL};
static const char *const one[] = {"simd_width=32", "fetch.width=2", "write_back.width=1", NULL};
static const char *const two[] = {"simd_width=32", "fetch.width=2", "write_back.width=2", NULL};

/* Independent sums of two warps, each with a port of its own. */
static uint64_t sums(const char *const *parameters, uint32_t first_destination)
{
    uint32_t words[12];
    for (uint32_t i = 0; i < 12; i++)
        words[i] = addi(first_destination ? first_destination + i : ZERO, T1, 1);
    return core_cost_of(parameters, words, 12, 4, 64);
}

Test(simt_core_write_back, results_beyond_the_width_wait)
{
    cr_expect_eq(sums(all, A0), 4 * 12);
    cr_expect_eq(sums(two, A0), 4 * 12);
    cr_expect_eq(sums(one, A0), 4 * 12 * 2);
    cr_expect_eq(sums(one, 0), 4 * 12, "x0 is not written");
}

Test(simt_core_write_back, is_counted)
{
    static const uint32_t words[] = {0x00100293 /* addi t0, zero, 1 */, 0x00008067 /* ret */, 0};
    static const struct {
        const char *const *parameters;
        uint32_t threads, waits, cycles;
    } cases[] = {{one, 32, 0, 0}, {one, 64, 1, 1}, {two, 64, 0, 0}, {all, 64, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        core_rig *rig = rig_create(cases[i].parameters, words);
        rig_launch(rig, cases[i].threads, 0);
        rig_finish(rig);
        cr_expect_eq(kit_statistic(rig_kit(rig), "write_back_waits"), cases[i].waits, "case %zu", i);
        cr_expect_eq(kit_statistic(rig_kit(rig), "write_back_wait_cycles"), cases[i].cycles, "case %zu", i);
        rig_destroy(rig);
    }
}

#define STREAM 160u

/* Warp 0 writes a sum per cycle; the cycle at which warp 1 has used what it has loaded from its argument. */
static uint32_t load_is_used(const char *const *parameters)
{
    uint32_t words[STREAM + 16], count = 0;
    words[count++] = csrr(T0, 0xCCD);
    words[count++] = bne(T0, ZERO, 4 * (STREAM + 2));
    for (uint32_t i = 0; i < STREAM; i++)
        words[count++] = addi(16 + i % 12, T1, 1);
    words[count++] = ret();
    words[count++] = lui(A3, HD_SCRATCHPAD_BASE);
    words[count++] = lui(A4, DATA);
    words[count++] = lw(A5, 0, A3);
    words[count++] = add(A5, A5, A5);
    words[count++] = csrr(T1, 0xC00);
    words[count++] = sw(T1, 0, A4);
    words[count++] = ret();
    words[count] = 0;
    core_rig *rig = rig_create(parameters, words);
    const hd_grid grid = {.grid_size = {1, 1, 1}, .block_size = {64, 1, 1}, .scratchpad_bytes = 64};
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    const uint32_t cycle = rig_word(rig, DATA);
    rig_destroy(rig);
    return cycle;
}

Test(simt_core_write_back, a_load_loses_against_functional_units)
{
    const uint32_t free = load_is_used(all);
    cr_expect_lt(free, 80);
    cr_expect_eq(load_is_used(two), free);
    cr_expect_gt(load_is_used(one), STREAM, "it waits until the sums are over");
}

Test(simt_core_write_back, a_queue_of_results_grows_and_empties)
{
    const char *const many[] = {"schedulers=8", "simd_width=32", "fetch.width=8", "write_back.width=1", NULL};
    uint32_t words[20];
    for (uint32_t i = 0; i < 20; i++)
        words[i] = addi(8 + i, T1, 1);
    cr_expect_eq(core_cost_of(many, words, 20, 4, 1024), 4 * 20 * 32);
}
