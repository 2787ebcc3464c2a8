/* SPDX-License-Identifier: MIT */
/* Files that are written: none takes the place of one that is read or of another one, and each is there whole or not at all. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "sweeps.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define TINY SYSTEM_SWEEPS "/tiny.yaml"
#define VECADD "vecadd", "--set", "app.n=1", "--quiet"

/* What one test works in, and is in: m.yaml is a machine. */
static char *folder;
static const char machine[] = "heddle: 1\nname: mine\nextends: " SMALL "\n";

static void enter(void)
{
    folder = folder_new();
    cr_assert_eq(chdir(folder), 0);
    file_write("m.yaml", machine, strlen(machine));
}

static void leave(void)
{
    cr_assert_eq(chdir("/"), 0);
    folder_remove(folder);
}

TestSuite(outputs, .init = enter, .fini = leave);

static void expect_kept(const char *path, const char *before, size_t bytes)
{
    size_t now = 0;
    char *data = file_read(path, &now);
    cr_expect(data && now == bytes && !memcmp(data, before, bytes), "%s is not what it was", path);
    free(data);
}

/* Refused with the reason, nothing printed, the file as it was, nothing else in the folder. */
static void expect_refusal_of(finished run, const char *reason, const char *kept, const char *before, size_t bytes)
{
    expect_code(&run, 2);
    expect_error(&run, reason);
    cr_expect_str_empty(run.out, "something was done first");
    expect_kept(kept, before, bytes);
    finished_free(&run);
}

#define READ "it is one of the files that are read"
#define expect_no_output(kept, ...)                                                                                    \
    do {                                                                                                               \
        size_t bytes;                                                                                                  \
        char *before = file_read(kept, &bytes), *listed = folder_list(".");                                            \
        expect_refusal_of(heddle(__VA_ARGS__), READ, kept, before, bytes);                                             \
        char *left = folder_list(".");                                                                                 \
        cr_expect_str_eq(left, listed);                                                                                \
        free(left);                                                                                                    \
        free(listed);                                                                                                  \
        free(before);                                                                                                  \
    } while (0)

Test(outputs, results_and_traces_take_the_place_of_no_machine)
{
    expect_no_output("m.yaml", "run", "m.yaml", VECADD, "--stats", "m.yaml");
    expect_no_output("m.yaml", "run", "m.yaml", VECADD, "--stats", "r.json", "--trace", "m.yaml");
    expect_no_output("m.yaml", "run", "m.yaml", VECADD, "--stats", "r.json", "--vcd", "m.yaml");
    cr_assert_eq(rename("m.yaml", "r.series.csv"), 0);
    expect_no_output("r.series.csv", "run", "r.series.csv", VECADD, "--stats", "r.json", "--series", "1 us");
    cr_assert(!rename("r.series.csv", "stats.json"));
    expect_no_output("stats.json", "run", "stats.json", VECADD, "--out", ".");
}

Test(outputs, it_is_the_file_that_counts_and_not_its_name)
{
    cr_assert(!link("m.yaml", "hard") && !symlink("m.yaml", "soft") && !mkdir("sub", 0777));
    expect_no_output("m.yaml", "run", "m.yaml", VECADD, "--stats", "hard");
    expect_no_output("m.yaml", "run", "m.yaml", VECADD, "--stats", "soft");
    expect_no_output("m.yaml", "run", "m.yaml", VECADD, "--stats", "sub/../m.yaml");
    expect_no_output("m.yaml", "run", "soft", VECADD, "--stats", "hard");
}

Test(outputs, nothing_else_that_a_run_reads_is_replaced)
{
    const char top[] = "heddle: 1\nname: top\nextends: m.yaml\n",
               traffic[] = "heddle: 1\nname: traffic\nextends: " SMALL "\n";
    file_write("top.yaml", top, strlen(top));
    expect_no_output("m.yaml", "run", "top.yaml", VECADD, "--stats", "m.yaml");
    cr_assert_eq(mkdir("app", 0777), 0);
    static const char *const files[] = {"kernel.elf", "host.so", "app.yaml"};
    for (size_t i = 0; i < 3; i++) {
        char *from = path_in(HEDDLE_APPS "/vecadd", files[i]), *to = path_in("app", files[i]);
        file_copy(from, to);
        free(from);
        free(to);
    }
    for (size_t i = 0; i < 3; i++) {
        char *path = path_in("app", files[i]);
        expect_no_output(path, "run", "m.yaml", "./app", "--quiet", "--stats", path);
        free(path);
    }
    file_write("t.yaml", traffic, strlen(traffic));
    file_write("accesses", "* 0 load 0x10000040 64\n", 23);
    expect_no_output("accesses", "run", "t.yaml", "--set", "core.type=traffic", "--set", "core.pattern=trace", "--set",
                     "core.trace=accesses", "--stats", "accesses");
}

Test(outputs, heddle_itself_is_kept)
{
    size_t bytes;
    char *before = file_read(HEDDLE_COMMAND, &bytes), *output = folder_new();
    file_copy(HEDDLE_COMMAND, "heddle");
    cr_assert_eq(chmod("heddle", 0755), 0);
    finished run = heddle_wait(
        output, program_start(output, (const char *const[]){"./heddle", "graph", "m.yaml", "--svg", "heddle", NULL}));
    expect_refusal_of(run, READ, "heddle", before, bytes);
    folder_remove(output);
    free(before);
}

Test(outputs, sources_of_an_app_are_kept)
{
    static const char *const files[] = {"kernel.c", "host.c", "args.h", "app.yaml"};
    setenv("XDG_CACHE_HOME", folder, 1);
    cr_assert_eq(mkdir("app", 0777), 0);
    for (size_t i = 0; i < 4; i++) {
        char *from = path_in(HEDDLE_APP_SOURCES "/vecadd", files[i]), *to = path_in("app", files[i]);
        file_copy(from, to);
        free(from);
        free(to);
    }
    finished run = heddle("run", "m.yaml", "./app", "--set", "app.n=1", "--quiet");
    expect_code(&run, 0);
    finished_free(&run);
    for (size_t i = 0; i < 3; i++) {
        char *path = path_in("app", files[i]);
        expect_no_output(path, "run", "m.yaml", "./app", "--quiet", "--stats", path);
        free(path);
    }
}

Test(outputs, a_picture_takes_the_place_of_no_machine)
{
    expect_no_output("m.yaml", "graph", "m.yaml", "--svg", "m.yaml");
}

Test(outputs, results_that_a_comparison_keeps_take_the_place_of_no_machine)
{
    cr_assert_eq(rename("m.yaml", "a.json"), 0);
    expect_no_output("a.json", "compare", "a.json", SMALL, "vecadd", "--set", "app.n=1", "--out", ".");
    cr_assert_eq(rename("a.json", "b.json"), 0);
    expect_no_output("b.json", "compare", "b.json", SMALL, "vecadd", "--set", "app.n=1", "--out", ".");
}

static void make_store(const char *path)
{
    finished run = heddle("sweep", TINY, "--store", path, "--quiet");
    expect_code(&run, 0);
    finished_free(&run);
}

Test(outputs, a_report_takes_the_place_of_no_store)
{
    make_store("x.html");
    expect_no_output("x.html", "report", "x.html");
    cr_assert(!link("x.html", "y"));
    expect_no_output("x.html", "report", "x.html", "-o", "y");
    expect_no_output("x.html", "report", "x.html", "-o", "./x.html");
}

Test(outputs, plots_take_the_place_of_neither_store_nor_page)
{
    make_store("tiny-cycles.svg");
    size_t bytes;
    char *before = file_read("tiny-cycles.svg", &bytes);
    finished run = heddle("report", "tiny-cycles.svg", "-o", "page.html", "--svg", ".");
    expect_code(&run, 2);
    expect_error(&run, "tiny-cycles.svg: it is the store or the page");
    finished_free(&run);
    expect_kept("tiny-cycles.svg", before, bytes);
    cr_assert_eq(rename("tiny-cycles.svg", "s.db"), 0);
    run = heddle("report", "s.db", "-o", "tiny-cycles.svg", "--svg", ".");
    expect_code(&run, 2);
    expect_error(&run, "tiny-cycles.svg: it is the store or the page");
    finished_free(&run);
    char *left = folder_list(".");
    cr_expect_str_eq(left, "m.yaml s.db ");
    free(left);
    free(before);
}

/* ---- Two outputs ------------------------------------------------------------------------------------------------------ */

static void expect_clash(const char *first, const char *a, const char *second, const char *b)
{
    char *said = text_of("error: %s and %s both write to %s\n", first, second, b);
    finished run = heddle("run", "m.yaml", VECADD, first, a, second, b);
    expect_code(&run, 2);
    expect_error(&run, said);
    finished_free(&run);
    free(said);
}

Test(outputs, two_outputs_are_two_files)
{
    expect_clash("--stats", "one", "--trace", "one");
    expect_clash("--stats", "one", "--vcd", "./one");
    expect_clash("--trace", "one", "--vcd", "one");
    char *left = folder_list("."), *whole = path_in(folder, "one");
    cr_expect_str_eq(left, "m.yaml ");
    expect_clash("--stats", "one", "--trace", whole);
    file_write("old", "old", 3);
    cr_assert(!link("old", "other") && !symlink("old", "link"));
    expect_clash("--stats", "old", "--trace", "other");
    expect_clash("--stats", "old", "--trace", "link");
    expect_kept("old", "old", 3);
    finished run = heddle("run", "m.yaml", VECADD, "--stats", "r.json", "--series", "1 us", "--trace", "r.series.csv");
    expect_code(&run, 2);
    expect_error(&run, "--series and --trace both write to r.series.csv");
    finished_free(&run);
    run = heddle("run", "m.yaml", VECADD, "--stats", "/dev/null", "--trace", "/dev/null", "--vcd", "/dev/null");
    expect_code(&run, 0);
    finished_free(&run);
    free(whole);
    free(left);
}

/* ---- Names ------------------------------------------------------------------------------------------------------------ */

/* Started by a shell that is replaced, so that what begins with its process number can be laid out before. */
static finished shell(const char *script)
{
    setenv("HEDDLE", HEDDLE_COMMAND, 1);
    char *output = folder_new();
    finished run = heddle_wait(output, program_start(output, (const char *const[]){"/bin/sh", "-c", script, NULL}));
    folder_remove(output);
    return run;
}

Test(outputs, links_at_names_that_can_be_guessed_are_not_followed)
{
    static const char *const names[] = {".r.json.$$", ".t.$$", ".v.$$", ".v.changes.$$", "g.svg.$$.tmp", ".r.html.$$"};
    char links[512] = "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        strcat(links, "ln -s victim ");
        strcat(links, names[i]);
        strcat(links, "; ");
    }
    make_store("r.db");
    static const char *const commands[] = {"run m.yaml vecadd --set app.n=1 --quiet --stats r.json --trace t --vcd v",
                                           "graph m.yaml --svg g.svg", "report r.db"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        file_write("victim", "kept", 4);
        char *script = text_of("%s exec \"$HEDDLE\" %s", links, commands[i]);
        finished run = shell(script);
        expect_code(&run, 0);
        finished_free(&run);
        expect_kept("victim", "kept", 4);
        free(script);
    }
    struct stat about;
    cr_expect(!lstat("r.json", &about) && S_ISREG(about.st_mode));
    cr_expect(!lstat("g.svg", &about) && S_ISREG(about.st_mode));
}

Test(outputs, may_have_the_longest_names_that_there_are)
{
    char name[256];
    static const char *const options[] = {"--stats", "--trace", "--vcd", "--svg", "-o"};
    memset(name, 'a', 255);
    name[255] = '\0';
    make_store("r.db");
    for (size_t i = 0; i < 5; i++) {
        finished run = i < 3    ? heddle("run", "m.yaml", VECADD, options[i], name)
                       : i == 3 ? heddle("graph", "m.yaml", options[i], name)
                                : heddle("report", "r.db", options[i], name);
        expect_code(&run, 0);
        finished_free(&run);
        cr_expect_eq(unlink(name), 0, "%s writes nothing", options[i]);
    }
    char longer[257];
    memset(longer, 'a', 256);
    longer[256] = '\0';
    finished run = heddle("run", "m.yaml", VECADD, "--stats", longer);
    expect_code(&run, 2);
    expect_error(&run, "File name too long");
    finished_free(&run);
    run = heddle("graph", "m.yaml", "--svg", longer);
    expect_code(&run, 2);
    expect_error(&run, "File name too long");
    finished_free(&run);
}

/* ---- Whole or not at all ---------------------------------------------------------------------------------------------- */

Test(outputs, that_find_no_room_leave_what_was_there)
{
    file_write("r.json", "old", 3);
    file_write("g.svg", "old", 3);
    limit_files(2000);
    finished run = heddle("run", "m.yaml", VECADD, "--stats", "r.json");
    expect_code(&run, 2);
    expect_error(&run, "results cannot be written to r.json: File too large");
    finished_free(&run);
    run = heddle("run", "m.yaml", VECADD, "--trace", "t", "--trace-event", "*");
    expect_code(&run, 2);
    expect_error(&run, "the trace cannot be written to t: File too large");
    finished_free(&run);
    run = heddle("run", "m.yaml", VECADD, "--vcd", "v", "--trace-event", "*");
    expect_code(&run, 2);
    expect_error(&run, "the trace cannot be written to v: File too large");
    finished_free(&run);
    run = heddle("graph", "m.yaml", "--svg", "g.svg");
    expect_code(&run, 2);
    finished_free(&run);
    limit_files(LIMIT_NONE);
    expect_kept("r.json", "old", 3);
    expect_kept("g.svg", "old", 3);
    char *left = folder_list(".");
    cr_expect_str_eq(left, "g.svg m.yaml r.json ");
    free(left);
    static const char *const options[] = {"--stats", "--trace", "--vcd"};
    for (size_t i = 0; i < 3; i++) {
        run = heddle("run", "m.yaml", VECADD, options[i], "/dev/full");
        expect_code(&run, 2);
        expect_error(&run, "/dev/full: No space left on device");
        finished_free(&run);
    }
}
