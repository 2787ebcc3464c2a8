/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>

#include "rig.h"
#include "vec_window.h"

static vec_window w;

static void open_window(uint32_t width, uint32_t depth, uint32_t size)
{
    w = (vec_window){.width = width, .depth = depth, .size = size, .ports = 1};
    vec_window_reset(&w, 0);
}

static uint64_t add(uint64_t reads, uint64_t writes, uint32_t latency, uint32_t lines)
{
    return vec_window_add(&w, &(vec_dependencies){.reads = reads, .writes = writes},
                          &(vec_cost){.latency = latency, .lines = lines});
}

Test(vec_core, so_many_instructions_enter_in_a_cycle)
{
    for (uint32_t width = 1; width <= 8; width++) {
        open_window(width, 6, 128);
        for (uint32_t i = 0; i < 1000 * width; i++)
            add(0, 0, 1, 0);
        cr_expect_eq(vec_window_entry(&w), 1000, "width %u", width);
        cr_expect_eq(w.retirement, 999 + 6 + 1);
    }
}

Test(vec_core, an_instruction_waits_for_its_operands)
{
    open_window(4, 6, 128);
    cr_expect_eq(add(0, 1u << 5, 10, 0), 16);
    cr_expect_eq(add(1u << 5, 1u << 6, 1, 0), 17);
    cr_expect_eq(add(0, 1u << 7, 1, 0), 7, "another one does not");
    cr_expect_eq(w.retirement, 17, "but leaves behind it");
}

Test(vec_core, a_full_window_takes_no_more)
{
    open_window(4, 6, 8);
    add(0, 0, 100, 0);
    for (uint32_t i = 0; i < 7; i++)
        add(0, 0, 1, 0);
    cr_expect_eq(vec_window_entry(&w), 106, "the first one leaves then");
    open_window(4, 6, 9);
    add(0, 0, 100, 0);
    for (uint32_t i = 0; i < 7; i++)
        add(0, 0, 1, 0);
    cr_expect_eq(vec_window_entry(&w), 2);
}

Test(vec_core, one_line_passes_the_port_in_a_cycle)
{
    open_window(4, 6, 128);
    cr_expect_eq(add(0, 0, 4, 1), 10);
    cr_expect_eq(add(0, 0, 4, 3), 13);
    cr_expect_eq(add(0, 0, 4, 1), 14);
    cr_expect_eq(add(0, 0, 1, 0), 7, "arithmetic does not need it");
    open_window(4, 6, 128);
    add(0, 1u << 5, 10, 0);
    cr_expect_eq(add(1u << 5, 0, 4, 1), 20);
    cr_expect_eq(add(0, 0, 4, 1), 10, "a younger one that is ready goes first");
}

/* Bases at multiples of 16 bytes and lines of 64: 1, 1.25, 1.75 and 2.75 lines in a full load, so that a stream of loads is at best
 * 1, 1.6, 2.29 and 2.91 times as fast as with 128 bits (context-management, first-order target of 5-1 and 5-2). */
Test(vec_core, loads_that_are_not_aligned_touch_more_lines)
{
    static const double lines[] = {1, 1.25, 1.75, 2.75}, faster[] = {1, 1.6, 2.29, 2.91};
    for (uint32_t i = 0; i < 4; i++) {
        static rig r;
        const uint32_t bits = 128u << i;
        uint32_t loads = 0;
        rig_open(&r, bits, 65536);
        rig_step(&r, 0x0C0072D7); /* vsetvli t0, zero, e8, m1, ta, ma */
        for (uint32_t base = 0; base < 64 * 64; base += 16, loads++) {
            r.hart.thread.x[10] = RIG_BASE + base;
            cr_assert_eq(rig_step(&r, 0x02050087), VEC_NO_CAUSE); /* vle8.v v1, (a0) */
        }
        const double mean = (double)r.accesses / loads;
        cr_expect_eq(mean, lines[i], "%u bits: %g lines", bits, mean);
        cr_expect_lt(fabs((bits / 128.0) / mean - faster[i]), 0.006);
        rig_close(&r);
    }
}

/* As the port sees it: a stream of such loads in the window. */
Test(vec_core, a_stream_of_loads_is_as_fast_as_its_lines_allow)
{
    static const double faster[] = {1, 1.6, 2.29, 2.91};
    double first = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t bytes = 16u << i, count = 64 * 1024 / bytes;
        double cycles = 0;
        for (uint32_t base = 0; base < 64; base += 16) {
            open_window(4, 6, 128);
            for (uint32_t k = 0; k < count; k++) {
                const uint32_t from = base + k * bytes, lines = (from + bytes - 1) / 64 - from / 64 + 1;
                add(0, 0, 4, lines);
            }
            cycles += (double)w.retirement;
        }
        first = i ? first : cycles;
        cr_expect_lt(fabs(first / cycles - faster[i]), 0.02, "%u bits: %g times as fast", bytes * 8, first / cycles);
    }
}

Test(vec_core, so_many_lines_pass_in_a_cycle_as_there_are_ports)
{
    for (uint32_t ports = 1; ports <= 4; ports++) {
        open_window(8, 6, 128);
        w.ports = ports;
        cr_expect_eq(add(0, 0, 4, 4), 6 + (4 + ports - 1) / ports - 1 + 4, "%u ports", ports);
        cr_expect_eq(add(0, 0, 4, 1), 6 + 4 / ports + 4, "%u ports", ports);
    }
}
