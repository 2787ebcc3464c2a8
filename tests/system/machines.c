/* SPDX-License-Identifier: MIT */
/* Every app on every machine and variant that comes with Heddle, with the first inputs of its app.yaml. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "test_inputs.h"

static int is_machine(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && !strcmp(dot, ".yaml");
}

/* Whether the cores of a machine run lanes on their own. */
static int lanes_are_independent(const char *machine)
{
    return strstr(machine, "mimd") != NULL;
}

static void expect_pass(const char *machine, const test_input *input)
{
    const char *sets[INPUT_OPTIONS_MAX + 1] = {0};
    for (size_t i = 0; i < input->option_count; i++)
        sets[i] = input->options[i];
    char *app = path_in(HEDDLE_APPS, input->app);
    machine_run run = run_machine(&(run_request){.netlist = machine, .app = app, .sets = sets});
    cr_expect(run.outcome == HD_OUTCOME_PASS && !run.was_refused, "%s %s on %s: %s", input->app,
              input->option_count ? input->options[0] : "", machine, run.message);
    run_free(&run);
    free(app);
}

static void expect_all_pass(const char *folder)
{
    struct dirent **entries;
    size_t count;
    test_input *inputs = test_inputs_read(&count);
    const int machines = scandir(folder, &entries, is_machine, alphasort);
    cr_assert(machines > 0, "no machines in %s", folder);
    for (int m = 0; m < machines; m++) {
        char *path = path_in(folder, entries[m]->d_name);
        for (size_t i = 0; i < count; i++)
            if ((!i || strcmp(inputs[i].app, inputs[i - 1].app)) &&
                (lanes_are_independent(path) || !inputs[i].needs_independent_lanes))
                expect_pass(path, &inputs[i]);
        free(path);
        free(entries[m]);
    }
    free(entries);
    free(inputs);
}

Test(machines, run_every_app)
{
    expect_all_pass(HEDDLE_MACHINES);
}

Test(variants, run_every_app)
{
    expect_all_pass(HEDDLE_MACHINES "/../variants");
}
