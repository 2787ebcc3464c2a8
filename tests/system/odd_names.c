/* SPDX-License-Identifier: MIT */
/* Folders and files may be named as one likes: no shell, no assembler and no spreadsheet takes a name for more than that. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"

static char *folder;

static void enter(void)
{
    folder = folder_new();
    cr_assert_eq(chdir(folder), 0);
    setenv("XDG_CACHE_HOME", folder, 1);
}

static void leave(void)
{
    cr_assert_eq(chdir("/"), 0);
    folder_remove(folder);
}

TestSuite(odd_names, .init = enter, .fini = leave);

static void make_app(const char *app)
{
    static const char *const files[] = {"kernel.c", "host.c", "args.h", "app.yaml"};
    cr_assert_eq(mkdir(app, 0777), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *from = path_in(HEDDLE_APP_SOURCES "/vecadd", files[i]), *to = path_in(app, files[i]);
        file_copy(from, to);
        free(from);
        free(to);
    }
}

/* Its firmware is built too, and runs. */
static void expect_built(const char *name)
{
    char *app = text_of("./%s", name);
    make_app(app);
    finished run = heddle("run", SMALL, app, "--set", "app.n=33", "--quiet");
    expect_code(&run, 0);
    cr_expect_str_empty(run.err);
    finished_free(&run);
    run = heddle("run", SYSTEM_MACHINES "/firmware.yaml", app, "--set", "app.n=33", "--quiet");
    expect_code(&run, 0);
    finished_free(&run);
    run = heddle("disasm", app);
    expect_code(&run, 0);
    finished_free(&run);
    free(app);
}

Test(odd_names, apps_in_folders_with_quotes_and_newlines)
{
    static const char *const names[] = {
        "it's", "a \"quoted\" one", "two\nlines", "$(touch HACK) `touch HACK`", "-o", "a\\n", "%s,=*?"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_built(names[i]);
    cr_expect_neq(access("HACK", F_OK), 0);
}

Test(odd_names, an_app_in_a_folder_with_the_longest_name)
{
    char name[256];
    memset(name, 'a', 255);
    name[255] = '\0';
    expect_built(name);
}

/* Heddle itself may lie anywhere: what builds apps is found beside it. */
Test(odd_names, heddle_in_a_folder_that_a_shell_would_run)
{
    static const char place[] = "it's; touch HACK; '";
    cr_assert_eq(mkdir(place, 0777), 0);
    make_app("app");
    char *command = path_in(place, "heddle"), *script = path_in(place, "build_app.sh"), *output = folder_new();
    char *built = text_of("%s", HEDDLE_COMMAND), *beside;
    *strrchr(built, '/') = '\0';
    beside = path_in(built, "build_app.sh");
    file_copy(HEDDLE_COMMAND, command);
    file_copy(beside, script);
    cr_assert(!chmod(command, 0755) && !chmod(script, 0755));
    finished run = heddle_wait(
        output, program_start(output, (const char *const[]){command, "run", SMALL, "./app", "--set", "app.n=1", NULL}));
    expect_code(&run, 0);
    expect_output(&run, "PASS  vecadd on small");
    finished_free(&run);
    cr_expect_neq(access("HACK", F_OK), 0, "a shell has run the name of a folder");
    folder_remove(output);
    free(beside);
    free(built);
    free(script);
    free(command);
}

/* ---- Reports of apps -------------------------------------------------------------------------------------------------- */

static void make_reporter(const char *calls)
{
    char *text = text_of("#include <heddle_rt.h>\n#include <string.h>\n"
                         "static char name[2001];\n"
                         "static void tell(unsigned long length, char last, uint64_t value)\n"
                         "{\n    memset(name, 'x', length);\n    name[length - 1] = last;\n    name[length] = 0;\n"
                         "    hd_report(name, value);\n}\n"
                         "int hd_app_main(void)\n{\n%s    return HD_PASS;\n}\n",
                         calls);
    file_write("reporter/host.c", text, strlen(text));
    free(text);
}

static json_t *expect_reports(const char *machine)
{
    finished run = heddle("run", machine, "./reporter", "--quiet", "--stats", "r.json");
    expect_code(&run, 0);
    finished_free(&run);
    return stats_read("r.json");
}

Test(odd_names, reports_of_any_name_and_size_arrive)
{
    static const char *const machines[] = {SMALL, SYSTEM_MACHINES "/firmware.yaml"};
    finished run = heddle("new", "app", "reporter");
    expect_code(&run, 0);
    finished_free(&run);
    make_reporter("    tell(600, 'a', 1);\n    tell(600, 'b', 2);\n    hd_report(\"caf\\xe9\", 3);\n"
                  "    hd_report(\"caf\\xe8\", 4);\n    hd_report(\"most\", UINT64_MAX);\n");
    for (size_t i = 0; i < 2; i++) {
        json_t *stats = expect_reports(machines[i]);
        const json_t *reports = stats_at(stats, "app/reports");
        cr_expect_eq(json_object_size(reports), 5, "%s: reports are lost", machines[i]);
        cr_expect_eq(json_integer_value(json_object_get(reports, "caf\\xE9")), 3);
        cr_expect_eq(json_integer_value(json_object_get(reports, "caf\\xE8")), 4);
        cr_expect_str_eq(json_string_value(json_object_get(reports, "most")), "18446744073709551615");
        json_decref(stats);
    }
    const char sweep[] = "sweep: 1\nname: reports\nset: {machine: " SMALL ", app: ./reporter}\n"
                         "axes: {label: {\"=1+1\": {}}}\nstatistics: [\"app.*\"]\n";
    file_write("sweep.yaml", sweep, sizeof sweep - 1);
    run = heddle("sweep", "sweep.yaml", "--store", "s.db");
    expect_code(&run, 0);
    finished_free(&run);
    run = heddle("results", "s.db");
    expect_code(&run, 0);
    expect_output(&run, "1,'=1+1,small,reporter,1,1,pass,4,3,18446744073709551615,1,2\n"); /* no formula */
    finished_free(&run);
}

/* The mailbox of firmware has its limits. */
Test(odd_names, reports_for_which_firmware_has_no_room_are_an_error)
{
    static const char *const calls[] = {"    tell(1500, 'a', 1);\n",
                                        "    for (unsigned long i = 1; i <= 257; i++)\n        tell(i, 'a', i);\n"};
    finished run = heddle("new", "app", "reporter");
    expect_code(&run, 0);
    finished_free(&run);
    for (size_t i = 0; i < 2; i++) {
        make_reporter(calls[i]);
        json_decref(expect_reports(SMALL));
        run = heddle("run", SYSTEM_MACHINES "/firmware.yaml", "./reporter");
        expect_code(&run, 1);
        expect_error(&run, "firmware reports at most 256 results, with names of at most 1023 bytes");
        finished_free(&run);
    }
}
