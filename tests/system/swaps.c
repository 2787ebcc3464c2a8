/* SPDX-License-Identifier: MIT */
/* One line of a netlist puts another part in the place of one of gtx480's. */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define APPS 3

static const char *const inputs[APPS][5] = {
    {"stream", "--set", "app.n=8192"},
    {"bfs", "--set", "app.scale=8"},
    /* Reads all over the memory fill the queues of the DRAM channels: all that gtx480_bows shows. */
    {"hashtable", "--set", "app.grid=8", "--set", "app.buckets=60000"},
};

/* Simulated time of each app, all of which pass. The links are checked. */
static void run_all(const char *machine, int64_t *times)
{
    for (int app = 0; app < APPS; app++) {
        const char *const *input = inputs[app];
        char *folder = folder_new(), *path = path_in(folder, "stats.json");
        finished run = input[3]
                           ? heddle("run", machine, "--stats", path, input[0], input[1], input[2], input[3], input[4])
                           : heddle("run", machine, "--stats", path, input[0], input[1], input[2]);
        expect_code(&run, 0);
        expect_output(&run, "PASS");
        json_t *stats = stats_read(path);
        times[app] = json_integer_value(stats_at(stats, "simulated_ps"));
        json_decref(stats);
        finished_free(&run);
        free(path);
        folder_remove(folder);
    }
}

static void expect_good(const char *machine)
{
    static int64_t before[APPS]; /* on the machine itself, once for each test */
    int64_t after[APPS];
    finished checked = heddle("check", machine);
    expect_code(&checked, 0);
    expect_output(&checked, "is in order");
    finished_free(&checked);
    if (!before[0])
        run_all(GTX480, before);
    run_all(machine, after);
    cr_expect_neq(memcmp(before, after, sizeof before), 0, "%s: nothing has changed", machine);
}

/* line: the whole difference, but for the line that loads the plug-in with it, if it comes from one. */
static void swap(const char *line, const char *plugin)
{
    char *folder = folder_new(), *path = path_in(folder, "swapped.yaml");
    char *load = plugin ? text_of("plugins: [%s]\n", plugin) : strdup("");
    char *text = text_of("heddle: 1\nname: swapped\nextends: " GTX480 "\n%s%s\n", load, line);
    file_write(path, text, strlen(text));
    expect_good(path);
    free(text);
    free(load);
    free(path);
    folder_remove(folder);
}

Test(swaps, dram_for_a_loosely_timed_memory_from_elsewhere)
{
    swap("blocks: {dram: {type: loose_memory}}", FOREIGN_MODELS);
}

Test(swaps, dram_for_an_approximately_timed_memory_from_elsewhere)
{
    swap("blocks: {dram: {type: timed_memory}}", FOREIGN_MODELS);
}

Test(swaps, the_type_of_a_crossbar)
{
    swap("blocks: {request_network: {type: ideal}}", NULL);
}

Test(swaps, the_scheduler_of_the_cores)
{
    swap("blocks: {core: {parameters: {scheduler: lrr}}}", NULL);
}

Test(swaps, the_reconvergence_unit_of_the_cores)
{
    swap("blocks: {core: {parameters: {reconvergence: mimd}}}", NULL);
}

/* A memory on the far side of a socket cannot say where its bytes are. */
Test(swaps, functional_cores_over_a_foreign_memory_are_refused_by_name)
{
    finished run = heddle("run", GTX480, "--plugin", FOREIGN_MODELS, "--set", "dram.type=loose_memory", "--set",
                          "core.type=functional", inputs[0][0], inputs[0][1], inputs[0][2]);
    expect_error(&run, "core[0] touches memory directly, but no block holds address 0x10000000");
    finished_free(&run);
}

Test(swaps, on_the_command_line)
{
    finished run =
        heddle("run", GTX480, "--set", "request_network.type=ideal", inputs[0][0], inputs[0][1], inputs[0][2]);
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
    run = heddle("run", GTX480, "--plugin", FOREIGN_MODELS, "--set", "dram.type=timed_memory", inputs[0][0],
                 inputs[0][1], inputs[0][2]);
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
}

Test(swaps, what_the_foreign_memory_does_not_have_is_shown_as_dropped)
{
    finished run = heddle("check", GTX480, "--resolved", "--plugin", FOREIGN_MODELS, "--set", "dram.type=loose_memory");
    expect_code(&run, 0);
    expect_output(&run, "      # dropped: latency: \"91 cycles\", for dram/banked  # " GTX480);
    finished_free(&run);
}

Test(swaps, every_variant_that_comes_along)
{
    glob_t variants;
    cr_assert_eq(glob(HEDDLE_MACHINES "/../variants/*.yaml", 0, NULL, &variants), 0);
    for (size_t i = 0; i < variants.gl_pathc; i++)
        expect_good(variants.gl_pathv[i]);
    globfree(&variants);
}
