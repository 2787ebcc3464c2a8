/* SPDX-License-Identifier: MIT */
/* Folders and files may be named as one likes: no shell, no assembler and no spreadsheet takes a name for more than that. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"

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
    expect_output(&run, "PASS  app on small");
    finished_free(&run);
    cr_expect_neq(access("HACK", F_OK), 0, "a shell has run the name of a folder");
    folder_remove(output);
    free(beside);
    free(built);
    free(script);
    free(command);
}
