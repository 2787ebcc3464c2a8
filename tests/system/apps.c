/* SPDX-License-Identifier: MIT */
/* Every app on every machine, with the inputs of its app.yaml: over rings, and over transport calls that are checked. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "folder.h"
#include "machine_run.h"
#include "stats.h"
#include "test_inputs.h"

static machine_run run_input(const char *machine, const test_input *input, uint32_t checked)
{
    const char *sets[INPUT_OPTIONS_MAX + 1] = {0};
    for (size_t i = 0; i < input->option_count; i++)
        sets[i] = input->options[i];
    char *app = path_in(HEDDLE_APPS, input->app);
    machine_run run = run_machine(
        &(run_request){.netlist = machine, .app = app, .sets = sets, .tlm = {.always = checked, .checked = checked}});
    cr_expect(run.outcome == HD_OUTCOME_PASS && !run.was_refused, "%s %s on %s: %s", input->app, input->options[0],
              machine, run.message);
    free(app);
    return run;
}

/* With the same results both ways. */
static void expect_all_pass(const char *machine, int lanes_are_independent)
{
    size_t count;
    test_input *inputs = test_inputs_read(&count);
    for (size_t i = 0; i < count; i++) {
        if (!lanes_are_independent && inputs[i].needs_independent_lanes)
            continue;
        machine_run rings = run_input(machine, &inputs[i], 0), calls = run_input(machine, &inputs[i], 1);
        expect_same_stats(rings.results, calls.results);
        run_free(&rings);
        run_free(&calls);
    }
    free(inputs);
}

Test(apps, pass_on_gtx480)
{
    expect_all_pass(HEDDLE_MACHINES "/gtx480.yaml", 0);
}

Test(apps, pass_on_a_small_machine)
{
    expect_all_pass(SYSTEM_MACHINES "/small.yaml", 0);
}

Test(apps, pass_where_every_lane_is_on_its_own)
{
    expect_all_pass(SYSTEM_MACHINES "/mimd.yaml", 1);
}

Test(apps, pass_on_functional_cores)
{
    expect_all_pass(SYSTEM_MACHINES "/functional.yaml", 0);
}
