/* SPDX-License-Identifier: MIT */
/* Banks of the register file: what an instruction pays for operands in one bank, in both models, and where the slots go. */
#include "core_cost.h"
#include "core_profiled.h"
#include "core_rig.h"
#include "parameters.h"

#include <criterion/criterion.h>
#include <string.h>

#define FIRST 17u        /* destination; sources are below */
#define DESTINATIONS 15u /* so that none is written again before it has been */
#define REPETITIONS 6u
#define LENGTH (DESTINATIONS * REPETITIONS)

/* Float instructions that write f17, f18, ... in turn. */
static uint64_t float_cost(const char *const *parameters, uint32_t word, uint32_t threads)
{
    uint32_t words[DESTINATIONS];
    for (uint32_t i = 0; i < DESTINATIONS; i++)
        words[i] = word | (FIRST + i) << 7;
    return core_cost_of(parameters, words, DESTINATIONS, REPETITIONS, threads);
}

static uint32_t fmadd(uint32_t a, uint32_t b, uint32_t c)
{
    return c << 27 | b << 20 | a << 15 | 0x43;
}

static uint32_t fmul(uint32_t a, uint32_t b)
{
    return r_type(0x53, 0, 0x08, 0, a, b);
}

/* Operands in one bank, in two, in three where there are as many, and twice the same register. */
static void expect_extra(const char *const *parameters, uint32_t banks, uint64_t fused, uint64_t product)
{
    const uint64_t base = LENGTH;
    cr_expect_eq(float_cost(parameters, fmadd(0, banks, 2 * banks), 32), base + LENGTH * fused,
                 "three in one bank: %lu", (unsigned long)float_cost(parameters, fmadd(0, banks, 2 * banks), 32));
    cr_expect_eq(float_cost(parameters, fmul(0, banks), 32), base + LENGTH * product, "two in one bank");
    cr_expect_eq(float_cost(parameters, fmul(0, 1), 32), base, "two in two banks");
    cr_expect_eq(float_cost(parameters, fmul(3, 3), 32), base, "one register twice is read once");
}

/* K30, K31 */
Test(simt_core_operands, a_read_window_makes_the_port_wait)
{
    const char *const ampere[] = {"simd_width=32", "registers.banks=2", "registers.read_window=3 cycles", NULL};
    const char *const volta[] = {"simd_width=32", "registers.banks=2", "registers.bank_width=2",
                                 "registers.read_window=3 cycles", NULL};
    const char *const pascal[] = {"simd_width=32", "registers.banks=4", "registers.read_window=3 cycles", NULL};
    expect_extra(ampere, 2, 2, 1);
    expect_extra(volta, 2, 1, 0);
    expect_extra(pascal, 4, 2, 1);
}

/* K30, K31 in cycles of a clock at which a bank is read each cycle, and at twice that clock. */
Test(simt_core_operands, collectors_wait_for_their_banks)
{
    const char *const fermi[] = {"simd_width=32", "registers.banks=8", "registers.collectors=14", NULL};
    const char *const hot[] = {"simd_width=32", "registers.banks=8", "registers.collectors=14",
                               "registers.bank_interval=2 cycles", NULL};
    expect_extra(fermi, 8, 2, 1);
    cr_expect_eq(float_cost(hot, fmadd(0, 8, 16), 32), LENGTH * 3 * 2, "%lu",
                 (unsigned long)float_cost(hot, fmadd(0, 8, 16), 32));
    cr_expect_eq(float_cost(hot, fmul(0, 8), 32), LENGTH * 2 * 2);
}

Test(simt_core_operands, results_of_conflicts_come_later)
{
    const char *const collectors[] = {"registers.banks=4", "registers.collectors=2", NULL};
    const char *const window[] = {"registers.banks=4", "registers.read_window=3 cycles", NULL};
    const uint32_t conflict = add(T0, T0, S1); /* x5, x9 */
    cr_expect_eq(core_cost(collectors, add(T0, T0, S0), 20, 32), 20 * (2 + 4 + 1));
    cr_expect_eq(core_cost(collectors, conflict, 20, 32), 20 * (2 + 4 + 1 + 1));
    cr_expect_eq(core_cost(window, conflict, 20, 32), 20 * (2 + 4 + 1), "they are read within the window");
}

Test(simt_core_operands, a_branch_and_an_access_wait_for_theirs)
{
    const char *const free[] = {NULL};
    const char *const banks[] = {"registers.banks=1", "registers.collectors=2", "registers.bank_interval=2 cycles",
                                 NULL};
    const uint32_t branch = beq(T0, T1, 4), stores[] = {lui(A0, DATA), sw(A1, 0, A0), fence()};
    cr_expect_eq(core_cost(banks, branch, 10, 32), core_cost(free, branch, 10, 32) + 10 * 2);
    cr_expect_eq(core_cost_of(banks, stores, 3, 10, 32), core_cost_of(free, stores, 3, 10, 32) + 10 * 2);
}

Test(simt_core_operands, the_bank_depends_on_the_warp_with_collectors_and_on_the_port_with_a_window)
{
    const char *const one[] = {"simd_width=32", "fetch.width=2", "registers.banks=1", "registers.collectors=8", NULL};
    const char *const two[] = {"simd_width=32", "fetch.width=2", "registers.banks=2", "registers.collectors=8", NULL};
    const char *const four[] = {"simd_width=32",     "fetch.width=2",          "schedulers=1",
                                "registers.banks=4", "registers.collectors=8", NULL};
    const char *const ports[] = {"simd_width=32", "fetch.width=2", "registers.banks=1",
                                 "registers.read_window=3 cycles", NULL};
    cr_expect_eq(core_cost(one, addi(ZERO, T1, 1), 40, 64), 2 * 40, "two warps share a bank");
    cr_expect_eq(core_cost(two, addi(ZERO, T1, 1), 40, 64), 40, "neighbours have banks of their own");
    cr_expect_eq(core_cost(four, addi(ZERO, T1, 1), 40, 64), 2 * 40);
    cr_expect_eq(core_cost(ports, addi(ZERO, T1, 1), 40, 64), 40, "each port has its banks");
}

Test(simt_core_operands, without_a_free_collector_nothing_issues)
{
    const char *const one[] = {"simd_width=32", "registers.banks=8", "registers.collectors=1", NULL};
    const char *const many[] = {"simd_width=32", "registers.banks=8", "registers.collectors=4", NULL};
    uint32_t mixed[9];
    for (uint32_t i = 0; i < 3; i++) {
        mixed[3 * i] = fmul(0, 8) | (FIRST + i) << 7;
        mixed[3 * i + 1] = addi(ZERO, T1, 1);
        mixed[3 * i + 2] = addi(ZERO, T2, 1);
    }
    cr_expect_eq(core_cost_of(one, mixed, 9, 10, 32), 10 * 3 * (2 + 1 + 1));
    cr_expect_eq(core_cost_of(many, mixed, 9, 10, 32), 10 * 3 * (1 + 1 + 1), "others need not wait for the bank");
}

static uint64_t value_of(core_rig *rig, const char *name)
{
    return kit_statistic(rig_kit(rig), name);
}

static void expect_slots(const char *const *parameters, uint64_t conflicts, uint64_t cycles, uint64_t lost)
{
    uint32_t words[22];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 20; i++)
        words[i] = fmul(0, 8) | (10 + i) << 7;
    words[20] = ret();
    words[21] = 0;
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    for (uint32_t i = 0; i < hd_simt_core_timed.statistic_count; i++) {
        const char *name = hd_simt_core_timed.statistics[i].name;
        sum += strncmp(name, "slots_", 6) ? 0 : value_of(rig, name);
    }
    cr_expect_eq(sum, value_of(rig, "cycles") * 2);
    cr_expect_eq(value_of(rig, "operand_conflicts"), conflicts, "%lu", value_of(rig, "operand_conflicts"));
    cr_expect_eq(value_of(rig, "operand_wait_cycles"), cycles, "%lu", value_of(rig, "operand_wait_cycles"));
    cr_expect_eq(value_of(rig, "slots_registers"), lost, "%lu", value_of(rig, "slots_registers"));
    rig_destroy(rig);
}

Test(simt_core_operands, conflicts_and_lost_slots_are_counted)
{
    const char *const collector[] = {"simd_width=32", "registers.banks=8", "registers.collectors=1", NULL};
    const char *const window[] = {"simd_width=32", "registers.banks=8", "registers.read_window=3 cycles", NULL};
    const char *const slow_port[] = {"simd_width=16", "registers.banks=8", "registers.read_window=3 cycles", NULL};
    const char *const off[] = {"simd_width=32", NULL};
    expect_slots(collector, 20, 20, 20);
    expect_slots(window, 18, 18, 18);
    expect_slots(slow_port, 0, 0, 0);
    expect_slots(off, 0, 0, 0);
}

Test(simt_core_operands, parameters_that_make_no_sense_are_refused_by_name)
{
    static const struct {
        const char *const parameters[4];
        const char *text;
    } cases[] = {
        {{"registers.collectors=4"}, "registers.banks is 0"},
        {{"registers.read_window=4 cycles"}, "registers.banks is 0"},
        {{"registers.banks=4"}, "either registers.collectors or registers.read_window"},
        {{"registers.banks=4", "registers.collectors=4", "registers.read_window=4 cycles"},
         "either registers.collectors"},
        {{"registers.banks=4", "registers.read_window=2 cycles"}, "which are 3 cycles"},
        {{"registers.banks=65", "registers.collectors=4"}, "registers.banks"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char error[512];
        cr_expect(kit_refuses(&hd_simt_core_timed, cases[i].parameters, error, sizeof error));
        cr_expect(strstr(error, cases[i].text), "%s", error);
    }
}

static operand_reads reads_with_window(uint64_t banks, uint64_t cycles, uint32_t ports)
{
    static hd_value values[PARAMETER_COUNT];
    operand_reads reads = {0};
    values[PARAMETER_REGISTER_BANKS].u = banks;
    values[PARAMETER_REGISTER_BANK_WIDTH].u = 1;
    values[PARAMETER_REGISTER_BANK_INTERVAL].u = 1;
    values[PARAMETER_REGISTER_WINDOW].u = cycles;
    cr_assert_eq(operands_create(&reads, values, ports), 0);
    return reads;
}

Test(simt_core_operands, banks_may_be_any_number)
{
    operand_reads reads = reads_with_window(3, 3, 1);
    for (uint32_t other = 1; other < 64; other++) {
        operands_reset(&reads);
        for (uint32_t i = 0; i < 3; i++)
            operands_read(&reads, 0, 0, 1, 10); /* x0, until its bank is taken */
        cr_expect_eq(operands_fit(&reads, 0, 0, UINT64_C(1) << other, 10), other % 3 != 0, "register %u", other);
    }
    operands_destroy(&reads);
}

Test(simt_core_operands, a_window_remembers_what_each_port_has_reserved)
{
    const uint64_t three = 0x2A; /* x1, x3, x5 */
    operand_reads reads = reads_with_window(2, 3, 2);
    cr_expect(operands_fit(&reads, 0, 0, three, 10) && operands_fit(&reads, 1, 0, three, 10));
    cr_expect_eq(operands_read(&reads, 0, 0, three, 10), 0);
    cr_expect_eq(operands_read(&reads, 1, 0, three, 10), 0, "the other port's banks are free");
    cr_expect_eq(operands_read(&reads, 0, 0, three << 1, 10), 0, "and the other bank");
    cr_expect_not(operands_fit(&reads, 0, 0, 0x2, 10));
    cr_expect(operands_fit(&reads, 0, 0, 0x2, 11));
    cr_expect_not(operands_fit(&reads, 0, 0, three, 12));
    cr_expect_eq(operands_read(&reads, 0, 0, three, 12), 1);
    cr_expect_eq(operands_read(&reads, 0, 0, three, 112), 0, "long after");
    operands_reset(&reads);
    cr_expect_eq(operands_read(&reads, 1, 0, three, 0), 0);
    operands_destroy(&reads);
}

Test(simt_core_operands, a_slot_lost_to_a_window_is_that_of_the_instruction_that_waits)
{
    const char *const window[] = {"simd_width=32", "registers.banks=8", "registers.read_window=3 cycles", NULL};
    uint32_t words[13];
    for (uint32_t i = 0; i < 11; i++)
        words[i] = fmul(0, 8) | (FIRST + i) << 7;
    words[11] = ret();
    words[12] = 0;
    core_rig *rig = rig_create(window, words);
    core_profiled profiled = profiled_begin(rig, words);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    for (uint32_t word = 0; word < 12; word++)
        cr_expect_eq(profiled_at(&profiled, word, "slots_registers"), word >= 2 && word < 11, "word %u", word);
    rig_destroy(rig);
    profiled_end(&profiled);
}

Test(simt_core_operands, the_longest_delays_hold)
{
    const char *const slow[] = {"integer.latency=512 cycles",
                                "register_read.latency=64 cycles",
                                "write_back.latency=64 cycles",
                                "registers.banks=1",
                                "registers.collectors=64",
                                "registers.bank_interval=2 cycles",
                                "simd_width=32",
                                "fetch.width=2",
                                NULL};
    uint32_t words[16];
    for (uint32_t i = 0; i < 16; i++)
        words[i] = add(16 + i, T0, T1);
    cr_expect_eq(core_cost_of(slow, words, 16, 4, 1024) / (4 * 16 * 32), 4, "two reads of two cycles");
}
