/* SPDX-License-Identifier: MIT */
/* Every app on every combination of what a core can be, with the inputs of its app.yaml. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "test_inputs.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define AXES 4u

/* One setting of each; "" = the core has no such setting. */
static const struct {
    const char *settings[AXES];
} cores[] = {
    {{"core.type=timed", "core.lanes=32", "core.reconvergence=stack", "core.scoreboard=register_dependence"}},
    {{"core.type=timed", "core.lanes=32", "core.reconvergence=stack", "core.scoreboard=simple"}},
    {{"core.type=timed", "core.lanes=32", "core.reconvergence=mimd", "core.scoreboard=register_dependence"}},
    {{"core.type=timed", "core.lanes=32", "core.reconvergence=mimd", "core.scoreboard=simple"}},
    {{"core.type=timed", "core.lanes=64", "core.reconvergence=stack", "core.scoreboard=register_dependence"}},
    {{"core.type=timed", "core.lanes=64", "core.reconvergence=stack", "core.scoreboard=simple"}},
    {{"core.type=timed", "core.lanes=64", "core.reconvergence=mimd", "core.scoreboard=register_dependence"}},
    {{"core.type=timed", "core.lanes=64", "core.reconvergence=mimd", "core.scoreboard=simple"}},
    {{"core.type=functional", "core.lanes=32", "core.reconvergence=stack", ""}},
    {{"core.type=functional", "core.lanes=32", "core.reconvergence=mimd", ""}},
    {{"core.type=functional", "core.lanes=64", "core.reconvergence=stack", ""}},
    {{"core.type=functional", "core.lanes=64", "core.reconvergence=mimd", ""}},
};

static void expect_pass(const char *const *settings, const test_input *input)
{
    const char *sets[INPUT_OPTIONS_MAX + AXES + 1] = {0};
    size_t count = 0;
    for (size_t i = 0; i < AXES && *settings[i]; i++)
        sets[count++] = settings[i];
    for (size_t i = 0; i < input->option_count; i++)
        sets[count++] = input->options[i];
    char *app = path_in(HEDDLE_APPS, input->app);
    machine_run run = run_machine(&(run_request){.netlist = SMALL, .app = app, .sets = sets});
    cr_expect(run.outcome == HD_OUTCOME_PASS && !run.was_refused, "%s %s on %s %s %s %s: %s", input->app,
              input->options[0], settings[0], settings[1], settings[2], settings[3], run.message);
    run_free(&run);
    free(app);
}

Test(matrix, every_app_passes_on_every_core)
{
    size_t count;
    test_input *inputs = test_inputs_read(&count);
    for (size_t c = 0; c < sizeof cores / sizeof *cores; c++) {
        const int independent = !strcmp(cores[c].settings[2], "core.reconvergence=mimd");
        for (size_t i = 0; i < count; i++) {
            if (independent || !inputs[i].needs_independent_lanes)
                expect_pass(cores[c].settings, &inputs[i]);
        }
    }
    free(inputs);
}
