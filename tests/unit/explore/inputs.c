/* SPDX-License-Identifier: MIT */
/* What makes two runs the same run; and the words that a run is started with. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "world.h"

#define HEAD "sweep: 1\nname: inputs\nset: {machine: " EXPLORE_MACHINES "/small.yaml, app: good}\n"

static sweep read;
static resolution points;

TestSuite(inputs, .init = world_enter, .fini = world_leave);

static void open_sweep(const char *axes)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD "axes:\n  x:\n%s", axes);
    world_write("sweep.yaml", text);
    world_open("sweep.yaml", &read, &points);
}

static int are_same(uint32_t a, uint32_t b)
{
    return !strcmp(points.points[a].key.text, points.points[b].key.text);
}

Test(inputs, written_in_another_way_are_the_same)
{
    open_sweep("    a: {}\n    b: {core.warps: 16}\n    c: {blocks.core.parameters.warps: 16}\n    d: {app.n: 0x40}\n"
               "    e: {app.m: 8192}\n    f: {seed: 0x1}\n    g: {core.l1.bytes: 49152 B}\n    h: {app.text: plain}\n");
    for (uint32_t p = 1; p < read.point_count; p++)
        cr_expect(are_same(0, p), "%s", read.axes[0].choices[p].label);
    world_close(&read, &points);
}

Test(inputs, of_a_variant_are_what_it_sets_unless_they_are_set_themselves)
{
    open_sweep("    a: {app.n: 8}\n    b: {app.variant: small}\n    c: {app.n: 8, app.variant: large, app.m: 8 KiB}\n"
               "    d: {app.variant: large}\n    e: {app.n: 1000, app.m: 1 MiB}\n");
    cr_expect(are_same(0, 1) && are_same(0, 2));
    cr_expect(are_same(3, 4));
    cr_expect_not(are_same(0, 3));
    world_close(&read, &points);
}

Test(inputs, that_decide_about_a_run_all_count)
{
    open_sweep(
        "    a: {}\n    b: {core.warps: 8}\n    c: {seed: 2}\n    d: {app.n: 65}\n    e: {app.text: Plain}\n"
        "    f: {limit: 2 s}\n    g: {core.count: 1}\n    h: {core.scheduler: lrr}\n    i: {clocks.core: 1 GHz}\n");
    for (uint32_t p = 0; p < read.point_count; p++)
        for (uint32_t q = p + 1; q < read.point_count; q++)
            cr_expect_not(are_same(p, q), "%s, %s", read.axes[0].choices[p].label, read.axes[0].choices[q].label);
    world_close(&read, &points);
}

Test(inputs, are_those_of_the_files_of_the_app_and_of_the_program)
{
    open_sweep("    a: {}\n");
    digest first = points.points[0].key;
    cr_expect(program_file_is_same(&points.program));
    points.program.digest = digest_of_text("another build");
    const digest rebuilt = digest_of_inputs(&points, &points.points[0]);
    cr_expect_str_neq(rebuilt.text, first.text);
    world_close(&read, &points);
    world_write("apps/good/kernel.elf", "another kernel");
    world_open("sweep.yaml", &read, &points);
    cr_expect_str_neq(points.points[0].key.text, first.text);
    world_close(&read, &points);
    world_write("apps/good/kernel.elf", "kernel");
    world_open("sweep.yaml", &read, &points);
    cr_expect_str_eq(points.points[0].key.text, first.text);
    world_close(&read, &points);
}

static int has_word(char **words, const char *wanted)
{
    for (; *words; words++)
        if (!strcmp(*words, wanted))
            return 1;
    return 0;
}

/* Files of parameters are named from where the sweep lies. */
Test(inputs, that_are_files_are_found_by_the_run)
{
    cr_assert_eq(system("mkdir sub"), 0);
    world_write("sub/device.yaml", "heddle: 1\nparameters: {banks: 8}\n");
    world_write("sub/sweep.yaml", "sweep: 1\nname: inputs\nset: {machine: " EXPLORE_MACHINES
                                  "/small.yaml, app: good, dram.parameters_from: device.yaml}\n");
    world_open("sub/sweep.yaml", &read, &points);
    const spool files = {.folder = (char *)"/spool"};
    char **words = job_words(&(job){.point = &points.points[0], .name = "run"}, &files);
    cr_expect(has_word(words, "dram.parameters_from=sub/device.yaml"));
    cr_expect(strstr(points.points[0].machine->json, "\"banks\":8"));
    job_free_words(words);
    world_close(&read, &points);
}

Test(inputs, go_through_a_shell_as_they_are)
{
    open_sweep("    a: {core.l1.bytes: 9 KiB, app.text: \"it's: {odd} $HOME\", seed: 7}\n");
    const spool files = {.folder = (char *)"/spool"};
    const job one = {.point = &points.points[0], .name = "run"};
    char **words = job_words(&one, &files), *line = job_shell_line(&one, &files), command[8192];
    cr_expect(has_word(words, "--seed=7") && has_word(words, "--stats=/spool/run.json"));
    cr_expect((has_word(words, "core.l1.bytes=9 KiB") || has_word(words, "core.l1.bytes=\"9 KiB\"")) &&
              has_word(words, "app.text=it's: {odd} $HOME"));
    cr_expect(has_word(words, "./apps/good") || has_word(words, "apps/good"));
    /* The shell hands on what it is given: printf shows it. */
    char *start = strstr(line, words[0]);
    cr_assert(start && strlen(line) < 4096);
    snprintf(command, sizeof command, "printf '%%s\\n' '%s > words.txt", start);
    cr_assert_eq(system(command), 0);
    FILE *file = fopen("words.txt", "r");
    for (char **word = words; *word; word++) {
        char got[4096];
        cr_assert(fgets(got, sizeof got, file));
        got[strcspn(got, "\n")] = '\0';
        cr_expect_str_eq(got, *word);
    }
    fclose(file);
    free(line);
    job_free_words(words);
    world_close(&read, &points);
}

Test(inputs, run_in_an_environment_of_few_variables)
{
    setenv("HEDDLE_APPS", "/apps", 1);
    char path[4096];
    setenv("XDG_CACHE_HOME", "/cache", 1);
    setenv("SURPRISE", "1", 1);
    char **environment = job_environment();
    snprintf(path, sizeof path, "PATH=%s", getenv("PATH"));
    cr_expect(has_word(environment, path), "where programs are found");
    cr_expect(has_word(environment, "XDG_CACHE_HOME=/cache"));
    cr_expect(has_word(environment, "HEDDLE_APPS=/apps") && has_word(environment, "LC_ALL=C"));
    cr_expect_not(has_word(environment, "SURPRISE=1"));
    free(environment);
}
