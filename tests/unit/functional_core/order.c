/* SPDX-License-Identifier: MIT */
/* Who runs when: spin locks end, others are seen, hangs are explained. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core_rig.h"
#include "functional_core.h"

/* Warp 0 spins on a word that warp 1 writes at the end of a long loop. */
Test(functional_core, a_warp_that_spins_lets_the_others_run)
{
    const uint32_t words[] = {csrr(T0, 0xCCD),
                              lui(A1, DATA),
                              bne(T0, ZERO, 16),
                              lw(T1, 0, A1),
                              beq(T1, ZERO, -4),
                              ret(),
                              addi(T2, ZERO, 500),
                              addi(T2, T2, -1),
                              bne(T2, ZERO, -4),
                              addi(T1, ZERO, 1),
                              sw(T1, 0, A1),
                              ret(),
                              0};
    static const char *const quanta[][2] = {{"quantum=1", NULL}, {"quantum=64", NULL}, {"quantum=1048576", NULL}};
    for (size_t i = 0; i < 2; i++) {
        core_rig *rig = rig_create_of(&hd_simt_core_functional, quanta[i], words);
        rig_launch(rig, 64, 0);
        rig_finish(rig);
        cr_expect_eq(rig_word(rig, DATA), 1);
        rig_destroy(rig);
    }
}

/* The test is the host: it waits for one word and then writes another, while the kernel spins. */
Test(functional_core, the_host_and_a_running_kernel_see_each_other)
{
    const uint32_t words[] = {lui(A1, DATA),     addi(T0, ZERO, 1), sw(T0, 0, A1), lw(T1, 4, A1),
                              beq(T1, ZERO, -4), sw(T1, 8, A1),     ret(),         0};
    core_rig *rig = rig_create_of(&hd_simt_core_functional, (const char *const[]){NULL}, words);
    kit_block *kit = rig_kit(rig);
    rig_launch(rig, 32, 0);
    kit_run_until(kit, kit_edge(kit, 20000));
    cr_assert_eq(rig_word(rig, DATA), 1);
    cr_assert_eq(rig_word(rig, DATA + 8), 0);
    rig_set_word(rig, DATA + 4, 77);
    rig_finish(rig);
    cr_expect_eq(rig_word(rig, DATA + 8), 77);
    rig_destroy(rig);
}

typedef struct lines {
    char text[4096];
    size_t used;
} lines;

static void add_line(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(void *context, const char *format, ...)
{
    lines *to = context;
    va_list arguments;
    va_start(arguments, format);
    to->used += (size_t)vsnprintf(to->text + to->used, sizeof to->text - to->used - 1, format, arguments);
    va_end(arguments);
    to->text[to->used++] = '\n';
}

static void describe(core_rig *rig, lines *to)
{
    const hd_pending *pending = hd_simt_core_functional.extension(kit_instance(rig_kit(rig)), HD_EXTENSION_PENDING);
    const hd_text_sink sink = {.context = to, .line = add_line};
    memset(to, 0, sizeof *to);
    cr_assert(pending->has_work(kit_instance(rig_kit(rig))));
    pending->describe(kit_instance(rig_kit(rig)), &sink);
}

Test(functional_core, explains_who_waits_for_lanes_that_spin)
{
    /* lane 0 leaves the loop and would write what the others wait for, but waits for them at the loop's end */
    const uint32_t words[] = {csrr(T0, 0xCCC), lui(A1, DATA),     beq(T0, ZERO, 12), lw(T1, 0, A1), beq(T1, ZERO, -4),
                              addi(T2, T2, 1), addi(T1, ZERO, 1), sw(T1, 0, A1),     ret(),         0};
    core_rig *rig = rig_create_of(&hd_simt_core_functional,
                                  (const char *const[]){"reconvergence.stack.first=not_taken", NULL}, words);
    static lines said;
    rig_launch(rig, 32, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 10000));
    describe(rig, &said);
    cr_expect(strstr(said.text, "warp 0: its running lanes spin, and others of it wait for them\n"), "%s", said.text);
    cr_expect(strstr(said.text, "lanes 1-31: at pc 0x1000000c (kernel+0xc), runs") ||
                  strstr(said.text, "lanes 1-31: at pc 0x10000010 (kernel+0x10), runs"),
              "%s", said.text);
    rig_destroy(rig);
}

/* Warp 1 never comes to the barrier of warp 0: nothing moves, and the core sleeps. */
Test(functional_core, sleeps_in_a_deadlock_and_explains_it)
{
    const uint32_t words[] = {csrr(T0, 0xCCD), bne(T0, ZERO, 12), bar_sync(1), ret(), bar_sync(2), ret(), 0};
    core_rig *rig = rig_create_of(&hd_simt_core_functional, (const char *const[]){NULL}, words);
    static lines said;
    rig_launch(rig, 64, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 10000));
    cr_expect_eq(kit_next(rig_kit(rig)), HD_NEVER);
    describe(rig, &said);
    cr_expect(strstr(said.text, "lanes 0-31: at pc 0x10000008 (kernel+0x8), waits at a barrier"), "%s", said.text);
    rig_destroy(rig);
}

static uint32_t count_of(const char *text, const char *part)
{
    uint32_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

/* Warps from 1 on spin, so many of them; warp 0 has ended, and other places for warps have none. */
Test(functional_core, describes_four_warps_that_live_and_counts_the_others)
{
    const uint32_t words[] = {csrr(T0, 0xCCD), beq(T0, ZERO, 8), jal(ZERO, 0), ret(), 0};
    static const struct {
        uint32_t warps, described;
        const char *others;
    } rows[] = {{2, 1, NULL}, {5, 4, NULL}, {6, 4, "and 1 more warps"}, {9, 4, "and 4 more warps"}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        core_rig *rig = rig_create_of(&hd_simt_core_functional, (const char *const[]){NULL}, words);
        static lines said;
        rig_launch(rig, 32 * rows[i].warps, 0);
        kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 10000));
        describe(rig, &said);
        cr_expect_eq(count_of(said.text, "block (0,0,0), warp "), rows[i].described, "%s", said.text);
        cr_expect_eq(count_of(said.text, "warp 0"), 0, "%s", said.text);
        cr_expect_eq(strstr(said.text, "more warps") != NULL, rows[i].others != NULL, "%s", said.text);
        if (rows[i].others)
            cr_expect(strstr(said.text, rows[i].others), "%s", said.text);
        rig_destroy(rig);
    }
}
