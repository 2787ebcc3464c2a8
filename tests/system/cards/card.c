/* SPDX-License-Identifier: MIT */
#include "card.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

void card_open(card *of, const char *folder, const char *name)
{
    of->name = name;
    snprintf(of->path, sizeof of->path, "%s/%s.yaml", folder, name);
    const hd_machine_setup setup = {.netlist = of->path, .driven = 1, .seed = 1};
    char *error;
    of->machine = hd_machine_open(&setup, &error);
    cr_assert_not_null(of->machine, "%s", error);
}

void card_close(card *of)
{
    hd_machine_close(of->machine);
}

hd_machine *card_run(const card *of, const char *app, const char *const *changes, const hd_host_option *options)
{
    micro_setup setup = {.netlist = of->path, .app = app};
    for (uint32_t i = 0; changes && changes[i]; i++)
        setup.changes[i] = changes[i];
    for (uint32_t i = 0; options[i].name; i++)
        setup.options[i] = options[i];
    return micro_run(&setup);
}

double card_launch_cycles(const hd_machine *machine)
{
    uint32_t count;
    const hd_host_launch *launches = hd_machine_launches(machine, &count);
    double cycles = 0;
    for (uint32_t i = 0; i < count; i++)
        cycles += (double)(launches[i].end_cycle - launches[i].start_cycle);
    return cycles;
}

double card_value(const card *of, const char *block, const char *parameter)
{
    return (double)micro_parameter(of->machine, block, parameter);
}

double card_count(const card *of, const char *block)
{
    return (double)micro_block(of->machine, block)->count;
}

double card_hertz(const card *of, const char *block)
{
    return (double)micro_clock(of->machine, block).hz;
}

double card_threads(const card *of)
{
    const double registers = card_value(of, "core", "registers") / card_value(of, "core", "registers_per_thread");
    const double lanes = card_value(of, "core", "warps") * card_value(of, "core", "lanes");
    const double threads = fmin(registers, lanes), blocks = floor(threads / 256);
    return 256 * fmin(blocks, card_value(of, "core", "blocks"));
}

static double cycles_with(const card *of, const char *app, const char *const *changes, const hd_host_option *options,
                          hd_host_option more)
{
    hd_host_option all[MICRO_CHANGES] = {more};
    for (uint32_t i = 0; options[i].name; i++)
        all[1 + i] = options[i];
    hd_machine *machine = card_run(of, app, changes, all);
    const double cycles = (double)micro_report(machine, "cycles");
    hd_machine_close(machine);
    return cycles;
}

double card_more_cycles(const card *of, const char *app, const char *const *changes, const hd_host_option *options,
                        const char *option, const char *short_value, const char *long_value)
{
    return cycles_with(of, app, changes, options, (hd_host_option){option, long_value}) -
           cycles_with(of, app, changes, options, (hd_host_option){option, short_value});
}
