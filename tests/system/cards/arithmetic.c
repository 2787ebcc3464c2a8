/* SPDX-License-Identifier: MIT */
/* Dependent issue and throughput of operations: micro_arithmetic. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "known.h"
#include "micro_arithmetic/args.h"
#include "path.h"

/* NULL: the unit takes a warp as often as the ports issue one. */
static const struct {
    const char *name, *latency, *interval;
} operations[MICRO_OPERATIONS] = {
    [MICRO_ADD] = {"add", "integer.latency", NULL},
    [MICRO_FMA] = {"fmadd", "float_fma.latency", NULL},
    [MICRO_MULTIPLY] = {"mul", "multiply.latency", "multiply.interval"},
    [MICRO_SHIFT] = {"sll", "shift.latency", "shift.interval"},
    [MICRO_COMPARE] = {"slt", "compare.latency", "compare.interval"},
    [MICRO_DIVIDE] = {"div", "divide.latency", "divide.interval"},
    [MICRO_FLOAT_ADD] = {"fadd", "float.latency", NULL},
    [MICRO_FLOAT_DIVIDE] = {"fdiv", "float_divide.latency", "float_divide.interval"},
    [MICRO_RECIPROCAL_ROOT] = {"rsqrt", "special.latency", "special.interval"},
};

static uint32_t operation_of(const char *name)
{
    for (uint32_t i = 0; i < MICRO_OPERATIONS; i++)
        if (!strcmp(operations[i].name, name))
            return i;
    cr_assert_fail("no operation is called '%s'", name);
    return 0;
}

/* One warp; between the readings two moves issue besides the chain. */
static double chain_measured(const card *of, const char *name)
{
    char operation[8];
    snprintf(operation, sizeof operation, "%u", operation_of(name));
    const hd_host_option options[] = {{"operation", operation}, {NULL, NULL}};
    hd_machine *machine = card_run(of, "micro_arithmetic", NULL, options);
    path *p = path_new(machine);
    const double cycles = (double)(micro_report(machine, "end") - micro_report(machine, "begin"));
    const double moves = 2 * (double)path_next_issue(p);
    path_free(p);
    hd_machine_close(machine);
    return (cycles - moves) / MICRO_ARITHMETIC_CHAIN;
}

static double chain_formula(const card *of, const char *name)
{
    double latency = card_value(of, "core", operations[operation_of(name)].latency);
    if (latency == 0)
        latency = card_value(of, "core", "integer.latency");
    const double port = ceil(card_value(of, "core", "lanes") / card_value(of, "core", "simd_width"));
    return fmax(port, card_value(of, "core", "register_read.latency") + latency +
                          card_value(of, "core", "write_back.latency"));
}

/* Operations a cycle of so many warps, each a chain. */
static double chains_rate(const card *of, uint32_t warps)
{
    char threads[16];
    snprintf(threads, sizeof threads, "%.0f", warps * card_value(of, "core", "lanes"));
    static const char *const changes[] = {"core.count=1", NULL};
    const hd_host_option options[] = {{"operation", "0"}, {"block", threads}, {NULL, NULL}};
    hd_machine *machine = card_run(of, "micro_arithmetic", changes, options);
    const double cycles = (double)(micro_report(machine, "end") - micro_report(machine, "begin"));
    hd_machine_close(machine);
    return warps * MICRO_ARITHMETIC_CHAIN / cycles;
}

static double ports_rate(const card *of)
{
    const double port = ceil(card_value(of, "core", "lanes") / card_value(of, "core", "simd_width"));
    return fmin(card_value(of, "core", "schedulers") / port, card_value(of, "core", "fetch.width"));
}

static double warps_measured(const card *of, const char *argument)
{
    (void)argument;
    const uint32_t each = (uint32_t)card_value(of, "core", "schedulers");
    uint32_t warps = each;
    while (chains_rate(of, warps) < 0.95 * ports_rate(of))
        cr_assert_leq(warps += each, 32, "%s: no number of warps reaches the peak", of->name);
    return warps;
}

/* Lanes a cycle of one core that is full. */
static double rate_measured(const card *of, const char *name)
{
    static const char *const changes[] = {"core.count=1", NULL};
    char operation[8], blocks[16];
    snprintf(operation, sizeof operation, "%u", operation_of(name));
    snprintf(blocks, sizeof blocks, "%.0f", card_threads(of) / 256);
    const hd_host_option options[] = {{"operation", operation}, {"blocks", blocks}, {"block", "256"}, {NULL, NULL}};
    const double cycles = card_more_cycles(of, "micro_arithmetic", changes, options, "rounds", "1", "3");
    return 2.0 * MICRO_ARITHMETIC_INDEPENDENT * card_threads(of) / cycles;
}

static double rate_formula(const card *of, const char *name)
{
    const char *interval = operations[operation_of(name)].interval;
    const double lanes = card_value(of, "core", "lanes");
    const double port = ceil(lanes / card_value(of, "core", "simd_width"));
    const double issued =
        lanes * fmin(card_value(of, "core", "schedulers") / port, card_value(of, "core", "fetch.width"));
    const double cycles = interval ? card_value(of, "core", interval) : 0;
    return cycles > 0 ? fmin(issued, lanes / cycles) : issued;
}

static double warps_formula(const card *of, const char *argument)
{
    (void)argument;
    const double each = card_value(of, "core", "schedulers");
    return each * ceil(0.95 * chain_formula(of, "add") * ports_rate(of) / each);
}

const known known_arithmetic[] = {
    {"K1", "256 dependent integer operations: %s", "core cycles each", chain_measured, chain_formula, 0.005, 0, 0},
    {"K2", "256 dependent float operations: %s", "core cycles each", chain_measured, chain_formula, 0.005, 0, 0},
    {"K3", "256 dependent multiplications: %s", "core cycles each", chain_measured, chain_formula, 0.005, 0, 0},
    {"K4", "warps with a chain of integer operations each", "for 95 % of the peak", warps_measured, warps_formula, 0, 0,
     0},
    {"K5", "independent multiplications: %s", "lanes a core cycle, per SM", rate_measured, rate_formula, 0.03, 0, 0},
    {"K6", "independent shifts and compares: %s", "lanes a core cycle, per SM", rate_measured, rate_formula, 0.05, 0,
     0},
    {"K7", "independent special functions: %s", "lanes a core cycle, per SM", rate_measured, rate_formula, 0.03, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
