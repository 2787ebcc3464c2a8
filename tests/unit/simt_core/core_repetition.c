/* SPDX-License-Identifier: MIT */
/* Warps that are seen to do the same again and again, once somebody has asked, and those of which it cannot be said. */
#include "core_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define REPEATS "its state repeats\n"
#define CACHED "l1.global=cache"
#define BYPASSED "l1.global=bypass"

/* What is said of threads that are at this program after some time; they are watched from the beginning. */
static const char *said_of(const uint32_t *words, const char *const *parameters, uint32_t threads, core_rig **rig)
{
    *rig = rig_create(parameters, words);
    hd_block *block = kit_instance(rig_kit(*rig));
    const hd_computes *computes = hd_simt_core_timed.extension(block, HD_EXTENSION_COMPUTES);
    const hd_grid grid = {
        .grid_size = {1, 1, 1}, .block_size = {threads, 1, 1}, .private_bytes = 128, .scratchpad_bytes = 128};
    rig_launch_grid(*rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    kit_run_until(rig_kit(*rig), kit_edge(rig_kit(*rig), 500));
    computes->since(block, kit_edge(rig_kit(*rig), 500), 1);
    kit_run_until(rig_kit(*rig), kit_edge(rig_kit(*rig), 5000));
    return kit_described(rig_kit(*rig));
}

static void expect(const uint32_t *words, const char *parameter, uint32_t threads, uint32_t repeats, const char *others)
{
    core_rig *rig;
    const char *text = said_of(words, (const char *[]){parameter, NULL}, threads, &rig);
    cr_expect_eq(strstr(text, REPEATS) != NULL, repeats, "%s: %s", parameter, text);
    cr_expect_eq(strstr(text, HD_PENDING_GOES_ON) != NULL, others != NULL, "%s", text);
    cr_expect(!others || strstr(text, others), "%s", text);
    rig_destroy(rig);
}

/* Lane 0 leaves; the others read a word, by this, until it is not 0. */
#define WAITS(address, read)                                                                                           \
    {                                                                                                                  \
        lui(A3, address), csrr(T1, 0xCCC), beq(T1, ZERO, 12), read, beq(T0, ZERO, -4), sw(T1, 4, A3), ret(), 0         \
    }

Test(simt_core, a_warp_that_reads_what_nobody_writes_repeats)
{
    const uint32_t loads[] = WAITS(DATA, lw(T0, 0, A3));
    expect(loads, BYPASSED, 32, 1, NULL);
}

/* A line of the L1 is not what memory holds: it may go, and the loop end. */
Test(simt_core, what_the_l1_keeps_says_nothing)
{
    const uint32_t loads[] = WAITS(DATA, lw(T0, 0, A3));
    const uint32_t past_it[] = WAITS(DATA, i_type(0x2B, 2, T0, A3, 0));
    const uint32_t scratchpad[] = WAITS(HD_SCRATCHPAD_BASE, lw(T0, 0, A3));
    const uint32_t atomics[] = WAITS(DATA, amoadd(T0, ZERO, A3));
    expect(loads, CACHED, 32, 0, HD_PENDING_GOES_ON "1 warp");
    expect(past_it, CACHED, 32, 1, NULL);
    expect(atomics, CACHED, 32, 1, NULL);
    expect(scratchpad, CACHED, 32, 1, NULL);
}

Test(simt_core, a_warp_that_counts_goes_on)
{
    const uint32_t counts[] = WAITS(DATA, addi(T2, T2, 1));
    expect(counts, BYPASSED, 32, 0, HD_PENDING_GOES_ON "1 warp");
    expect(counts, BYPASSED, 96, 0, HD_PENDING_GOES_ON "3 warps");
}

/* The second warp waits at a barrier; or one lane does, and the others of its warp for that one: nobody goes on, and nobody repeats. */
Test(simt_core, who_waits_for_others_does_not_go_on)
{
    const uint32_t barrier[] = {csrr(T1, 0xCCD), beq(T1, ZERO, 12), bar_sync(0), ret(), lui(A3, DATA),
                                lw(T0, 0, A3),   beq(T0, ZERO, -4), ret(),       0};
    expect(barrier, BYPASSED, 64, 1, NULL);
    const uint32_t counts[] = {csrr(T1, 0xCCD), beq(T1, ZERO, 12), bar_sync(0), ret(), lui(A3, DATA),
                               addi(T2, T2, 1), beq(T0, ZERO, -4), ret(),       0};
    expect(counts, BYPASSED, 64, 0, HD_PENDING_GOES_ON "1 warp");
    const uint32_t apart[] = {csrr(T1, 0xCCC), beq(T1, ZERO, 12), warp_sync(), ret(), bar_sync(0), ret(), 0};
    expect(apart, "reconvergence=mimd", 32, 0, NULL);
    const uint32_t ended[] = {csrr(T1, 0xCCC),
                              addi(T2, T1, -1),
                              beq(T2, ZERO, 20),
                              beq(T1, ZERO, 12),
                              warp_sync(),
                              ret(),
                              bar_sync(0),
                              ret(),
                              0};
    expect(ended, "reconvergence=mimd", 32, 0, NULL);
}
