/* SPDX-License-Identifier: MIT */
/* Operands of one bank of the register file: micro_registers. */
#include <math.h>
#include <stdio.h>

#include "known.h"
#include "micro_registers/args.h"

/* Cycles of an operation of one warp with these sources. */
static double cycles_with(const card *of, uint32_t sources)
{
    char text[8];
    snprintf(text, sizeof text, "%u", sources);
    const hd_host_option options[] = {{"sources", text}, {NULL, NULL}};
    hd_machine *machine = card_run(of, "micro_registers", NULL, options);
    const double cycles = (double)(micro_report(machine, "end") - micro_report(machine, "begin"));
    hd_machine_close(machine);
    return cycles / MICRO_REGISTERS_TIMED;
}

static uint32_t has_banks(const card *of, double count)
{
    return card_value(of, "core", "registers.banks") == count;
}

static double fma_measured(const card *of, const char *argument)
{
    (void)argument;
    return cycles_with(of, has_banks(of, 2) ? MICRO_FMA_TWO : MICRO_FMA_FOUR) - cycles_with(of, MICRO_FMA_APART);
}

static double multiply_measured(const card *of, const char *argument)
{
    (void)argument;
    const uint32_t sources = has_banks(of, 2) ? MICRO_MUL_TWO : has_banks(of, 4) ? MICRO_MUL_FOUR : MICRO_MUL_16;
    return cycles_with(of, sources) - cycles_with(of, MICRO_MUL_APART);
}

/* A warp issues as often as its port takes one and the bank gives it its operands. */
static double formula(const card *of, uint32_t operands, uint32_t apart)
{
    const double port = ceil(card_value(of, "core", "lanes") / card_value(of, "core", "simd_width"));
    const double width = card_value(of, "core", "registers.bank_width");
    const double interval = card_value(of, "core", "registers.bank_interval");
    return fmax(port, ceil(operands / width) * interval) - fmax(port, ceil(apart / width) * interval);
}

static double fma_formula(const card *of, const char *argument)
{
    (void)argument;
    return formula(of, 3, has_banks(of, 2) ? 2 : 1);
}

static double multiply_formula(const card *of, const char *argument)
{
    (void)argument;
    return formula(of, 2, 1);
}

/* The first instructions wait in collectors, which is what a tenth leaves room for. */
const known known_registers[] = {
    {"K30", "an fmadd of three operands of one bank, one warp", "core cycles more", fma_measured, fma_formula, 0.1, 0,
     0},
    {"K31", "an fmul of two operands of one bank, one warp", "core cycles more", multiply_measured, multiply_formula,
     0.1, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
