/* SPDX-License-Identifier: MIT */
/* WarpTM and EAPG with the sizes of Ren & Lis 2018: Fung 2015 publishes their structures in 40 nm, Table V those of all in 32 nm. */
#include <criterion/criterion.h>
#include <string.h>

#include "commit_unit.h"
#include "core_class.h"
#include "estimate.h"
#include "text_value.h"

#define UNIT_VALUES_MAX 64u

typedef struct lazy_machine {
    hd_value core[CORE_VALUES_MAX];
    hd_value unit[UNIT_VALUES_MAX];
    netlist_block blocks[2];
    netlist_clock clocks[2];
    netlist machine;
} lazy_machine;

static const hd_parameter *unit_parameter(const char *name)
{
    for (uint32_t i = 0; i < hd_commit_unit_kilo.parameter_count; i++)
        if (!strcmp(hd_commit_unit_kilo.parameters[i].name, name))
            return &hd_commit_unit_kilo.parameters[i];
    cr_assert_fail("no %s", name);
    return NULL;
}

static void set_unit(lazy_machine *made, const char *name, uint64_t u)
{
    made->unit[unit_parameter(name) - hd_commit_unit_kilo.parameters].u = u;
}

static void choose_unit(lazy_machine *made, const char *name, const char *choice)
{
    set_unit(made, name, choice_index(unit_parameter(name)->choices, choice));
}

/* 15 cores of 48 warps with such a unit for transactions, 6 commit units, with TCD; last writes of all units have 16 KB. */
static const netlist *make(lazy_machine *made, const char *tx, const char *tcd)
{
    *made = (lazy_machine){.clocks = {{.hz = 1400000000}, {.hz = 700000000}}};
    made->core[core_parameter_index("tx")].u = core_choice("tx", tx);
    made->core[core_parameter_index("warps")].u = 48;
    made->core[core_parameter_index(tcd)].u = 1;
    choose_unit(made, "history", "lwh5k");
    set_unit(made, "coalesce", 32);
    set_unit(made, "tcd", 1);
    set_unit(made, "tcd.entries", 2048 / 6);
    made->blocks[0] = (netlist_block){.block_class = core_class, .count = 15, .values = made->core};
    made->blocks[1] =
        (netlist_block){.block_class = &hd_commit_unit_kilo, .count = 6, .values = made->unit, .clock = 1};
    made->machine = (netlist){.blocks = made->blocks, .block_count = 2, .clocks = made->clocks};
    return &made->machine;
}

static const netlist *make_warptm(lazy_machine *made)
{
    return make(made, "kilo", "tx.kilo.tcd");
}

static const netlist *make_eapg(lazy_machine *made)
{
    const netlist *machine = make(made, "eapg", "tx.eapg.tcd");
    made->core[core_parameter_index("tx.eapg.table.entries")].u = 3072;
    choose_unit(made, "broadcast", "words");
    set_unit(made, "broadcast.entries", 3072);
    return machine;
}

static void expect(const hd_estimate *estimate, const char *source, const char *process, double square_millimetres,
                   double milliwatts)
{
    cr_assert_str_eq(estimate->source, source);
    cr_expect_str_eq(estimate->process, process);
    cr_expect_float_eq(estimate->square_millimetres, square_millimetres, 0.001, "%f", estimate->square_millimetres);
    cr_expect_float_eq(estimate->milliwatts, milliwatts, 0.1, "%f", estimate->milliwatts);
}

Test(estimate, lazy_machines_have_the_published_totals_in_32_nm, .init = core_class_compose, .fini = core_class_release)
{
    lazy_machine made;
    hd_estimate estimate = hd_estimate_in(make_warptm(&made), "32 nm");
    expect(&estimate, "Ren & Lis 2018, Table V", "32 nm", 2.68, 390.05);
    estimate = hd_estimate_in(make_eapg(&made), "32 nm");
    expect(&estimate, "Ren & Lis 2018, Table V", "32 nm", 3.574, 618.95);
}

Test(estimate, a_machine_is_first_what_its_own_study_says, .init = core_class_compose, .fini = core_class_release)
{
    lazy_machine made;
    const hd_estimate estimate = hd_estimate_of(make_warptm(&made));
    expect(&estimate, "Fung 2015, Table 6.3", "40 nm", 6 * (0.010 + 0.010 + 0.094 + 0.731) + 15 * 0.034 + 0.078,
           6 * (6.3 + 6.6 + 57.5 + 260) + 15 * 25.5 + 52.3);
}

Test(estimate, of_several_processes_says_so, .init = core_class_compose, .fini = core_class_release)
{
    lazy_machine made;
    const hd_estimate estimate = hd_estimate_of(make_eapg(&made));
    cr_expect_str_eq(estimate.process, HD_ESTIMATE_SEVERAL);
    cr_expect_str_eq(estimate.source, "Fung 2015, Table 6.3");
}

Test(estimate, other_processes_are_those_in_which_all_is_published, .init = core_class_compose,
     .fini = core_class_release)
{
    lazy_machine made;
    const char *processes[HD_ESTIMATE_PROCESSES];
    const netlist *machine = make_warptm(&made);
    cr_assert_eq(hd_estimate_other_processes(machine, processes), 1);
    cr_expect_str_eq(processes[0], "32 nm");
    set_unit(&made, "coalesce", 0); /* buffers with a narrow port: only in 40 nm */
    cr_expect_eq(hd_estimate_other_processes(machine, processes), 0);
    cr_expect_null(hd_estimate_in(machine, "32 nm").source);

    machine = make_eapg(&made);
    cr_assert_eq(hd_estimate_other_processes(machine, processes), 1);
    cr_expect_str_eq(processes[0], "32 nm");
    cr_expect_null(hd_estimate_in(machine, "40 nm").source, "its tables of conflicts are not published in 40 nm");
    cr_expect_null(hd_estimate_in(machine, "22 nm").source);
}
