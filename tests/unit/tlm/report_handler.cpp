// SPDX-License-Identifier: MIT
// A process that has a SystemC simulation of its own: a machine beside it leaves its report handler alone.
#include <criterion/criterion.h>
#include <systemc>

#include "rig.h"

static const char machine[] = "blocks:\n"
                              "  source: {kind: example_source, type: random, clock: clk,\n"
                              "           parameters: {packets: 10, first_destination: 1}}\n"
                              "  sink: {kind: example_sink, type: paced, clock: clk}\n"
                              "links:\n"
                              "  - {from: source.out, to: sink.in}\n";

static unsigned int told;

static void count(const sc_core::sc_report &, const sc_core::sc_actions &)
{
    told++;
}

static void expect_told()
{
    const unsigned int before = told;
    SC_REPORT_WARNING("test", "of the process's own");
    cr_expect_eq(told, before + 1);
    cr_expect(sc_core::sc_report_handler::get_handler() == count);
}

Test(report_handler, of_the_process_is_in_place_whenever_no_machine_runs)
{
    rig first, second;
    sc_core::sc_report_handler::set_handler(count);
    rig_open(&first, machine, nullptr, {});
    expect_told();
    cr_expect_null(rig_run(&first, 1000));
    expect_told();
    rig_open(&second, machine, nullptr, {});
    rig_close(&first);
    expect_told();
    cr_expect_null(rig_run(&second, 1000));
    rig_close(&second);
    expect_told();
    cr_expect_eq(told, 4, "it is told what concerns a machine");
}
