/* SPDX-License-Identifier: MIT */
/* Every app on every machine, with the inputs of its app.yaml. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "folder.h"
#include "process.h"
#include "stats.h"
#include "test_inputs.h"

/* The words that run an input; `room` of words is enough. */
static size_t words_of(const char **words, const char *machine, const test_input *input)
{
    size_t count = 0;
    words[count++] = "run";
    words[count++] = machine;
    words[count++] = input->app;
    for (size_t i = 0; i < input->option_count; i++) {
        words[count++] = "--set";
        words[count++] = input->options[i];
    }
    return count;
}

static void expect_pass(const char *machine, const test_input *input, const char *more)
{
    const char *words[8 + 2 * INPUT_OPTIONS_MAX] = {0};
    size_t count = words_of(words, machine, input);
    words[count] = more;
    finished run = heddle_run(words);
    cr_expect(run.code == 0, "%s %s on %s: exit code %d\n%s", input->app, input->options[0], machine, run.code,
              run.err);
    expect_output(&run, "PASS");
    cr_expect_str_empty(run.err);
    finished_free(&run);
}

static void expect_all_pass(const char *machine, int lanes_are_independent)
{
    size_t count;
    test_input *inputs = test_inputs_read(&count);
    for (size_t i = 0; i < count; i++)
        if (lanes_are_independent || !inputs[i].needs_independent_lanes)
            expect_pass(machine, &inputs[i], NULL);
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

static json_t *stats_of(const test_input *input, const char *tlm)
{
    const char *words[10 + 2 * INPUT_OPTIONS_MAX] = {0};
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    size_t count = words_of(words, SYSTEM_MACHINES "/small.yaml", input);
    words[count++] = "--quiet";
    words[count++] = tlm;
    words[count++] = "--stats";
    words[count++] = path;
    finished run = heddle_run(words);
    expect_code(&run, 0);
    finished_free(&run);
    json_t *stats = stats_read(path);
    free(path);
    folder_remove(folder);
    return stats;
}

Test(apps, give_the_same_results_over_rings_and_over_transport_calls)
{
    size_t count;
    test_input *inputs = test_inputs_read(&count);
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].needs_independent_lanes)
            continue;
        json_t *rings = stats_of(&inputs[i], "--tlm=auto"), *calls = stats_of(&inputs[i], "--tlm=always");
        expect_same_stats(rings, calls);
        json_decref(rings);
        json_decref(calls);
    }
    free(inputs);
}
