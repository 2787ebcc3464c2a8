/* SPDX-License-Identifier: MIT */
/*
 * Programs of studies of divergence and of thread blocks whose results are wrong by a bit: each word that one of their checkers compares, the first, one in the middle and the last of
 * each array, is changed on its way to the host, and each run has to fail. plants of CMakeLists.txt builds their host programs with
 * plant_copy_from_device in the place of hd_copy_from_device.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "heddle_rt.h"
#include "machine_run.h"
#include "test_inputs.h"

enum place { FIRST, MIDDLE, LAST, PLACES };

/* Copies of a run, and the one that is changed. */
static uint32_t copies, planted;
static enum place place;
#define NONE UINT32_MAX

__attribute__((visibility("default"))) void plant_copy_from_device(void *destination, hd_device_ptr source,
                                                                   size_t bytes);
void plant_copy_from_device(void *destination, hd_device_ptr source, size_t bytes)
{
    hd_copy_from_device(destination, source, bytes);
    const size_t words = bytes / 4;
    const size_t word = place == FIRST ? 0 : place == MIDDLE ? words / 2 : words - 1;
    if (copies++ == planted)
        ((uint32_t *)destination)[word] ^= 1;
}

static uint32_t passes(const test_input *input, uint32_t copy, enum place at)
{
    const char *sets[INPUT_OPTIONS_MAX + 1] = {0};
    for (size_t i = 0; i < input->option_count; i++)
        sets[i] = input->options[i];
    char *app = path_in(SYSTEM_APPS, "planted"), *folder = path_in(app, input->app);
    copies = 0;
    planted = copy;
    place = at;
    machine_run run =
        run_machine(&(run_request){.netlist = SYSTEM_MACHINES "/functional.yaml", .app = folder, .sets = sets});
    cr_expect_not(run.was_refused, "%s: %s", input->app, run.message);
    const uint32_t passed = run.outcome == HD_OUTCOME_PASS;
    run_free(&run);
    free(app);
    free(folder);
    return passed;
}

/* Numbers that come to some on their way only say how they go on: what comes last is their result. */
static uint32_t results_of(const char *program, uint32_t all)
{
    static const struct {
        const char *program;
        uint32_t arrays;
    } looking[] = {{"bfs", 1}, {"dmr_lite", 3}, {"mst_boruvka", 1}, {"pta_lite", 1}};
    for (size_t i = 0; i < sizeof looking / sizeof *looking; i++)
        if (strcmp(looking[i].program, program) == 0)
            return looking[i].arrays;
    return all;
}

/* The last of the inputs of each program, which is not the smallest. */
Test(plants, are_found_in_every_array_of_results)
{
    static const char *const programs[] = {PLANTED};
    size_t count;
    test_input *inputs = test_inputs_read(&count);
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        const test_input *input = NULL;
        for (size_t i = 0; i < count; i++)
            input = strcmp(inputs[i].app, programs[p]) == 0 ? &inputs[i] : input;
        cr_assert_not_null(input, "%s has no input", programs[p]);
        cr_expect(passes(input, NONE, FIRST), "%s", programs[p]);
        const uint32_t all = copies;
        cr_expect_gt(all, 0, "%s: nothing comes to its host", programs[p]);
        for (uint32_t copy = all - results_of(programs[p], all); copy < all; copy++)
            for (uint32_t at = FIRST; at < PLACES; at++)
                cr_expect_not(passes(input, copy, (enum place)at), "%s: nobody sees that array %u is wrong at place %u",
                              programs[p], copy, at);
    }
    free(inputs);
}
