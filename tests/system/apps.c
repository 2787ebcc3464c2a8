/* SPDX-License-Identifier: MIT */
/* Every app on every machine, with the inputs of its app.yaml: over rings, and over transport calls that are checked. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

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

static json_int_t private_accesses(const json_t *results)
{
    static const char *const names[] = {"l1_private_hits", "l1_private_misses", "packets_sent_private"};
    const json_t *core;
    json_int_t sum = 0;
    size_t i;
    json_array_foreach(stats_at(results, "blocks/core/instances"), i, core)
    {
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            const json_t *value = json_object_get(core, names[n]);
            cr_assert(json_is_integer(value), "no %s", names[n]);
            sum += json_integer_value(value);
        }
    }
    return sum;
}

/* A renderer walks down its tree with a stack of its own, a mesh is refined by cavities, and products of sparse matrices have more
 * pointers than registers. */
static uint32_t may_use_its_stack(const char *app)
{
    static const char *const apps[] = {"dmr_lite", "mesh_renderer", "spgemm_outer", "spgemm_row"};
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++)
        if (!strcmp(app, apps[i]))
            return 1;
    return 0;
}

/* Flags of lock loops (simt_opaque) and all other variables stay in registers. */
Test(apps, keep_nothing_on_the_stack)
{
    size_t count;
    test_input *inputs = test_inputs_read(&count);
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].needs_independent_lanes)
            continue;
        machine_run run = run_input(HEDDLE_MACHINES "/gtx480.yaml", &inputs[i], 0);
        const json_int_t found = private_accesses(run.results);
        cr_expect(!found || may_use_its_stack(inputs[i].app), "%s: %lld accesses to private memory", inputs[i].app,
                     (long long)found);
        run_free(&run);
    }
    free(inputs);
}
