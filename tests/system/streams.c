/* SPDX-License-Identifier: MIT */
/* What the command prints arrives, or its exit code says that it did not; and on a terminal it is nothing but text. */
#include <criterion/criterion.h>
#include <errno.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define TINY SYSTEM_SWEEPS "/tiny.yaml"

static char *folder, *output;

static void enter(void)
{
    folder = folder_new();
    output = folder_new();
    cr_assert_eq(chdir(folder), 0);
    setenv("HEDDLE", HEDDLE_COMMAND, 1);
}

static void leave(void)
{
    cr_assert_eq(chdir("/"), 0);
    folder_remove(output);
    folder_remove(folder);
}

TestSuite(streams, .init = enter, .fini = leave);

static finished shell(const char *script)
{
    return heddle_wait(output, program_start(output, (const char *const[]){"/bin/sh", "-c", script, NULL}));
}

/* ---- Somewhere that takes nothing ------------------------------------------------------------------------------------- */

#define RUN "run " SMALL " vecadd --set app.n=1"

/* One that shows something for each command. */
static const char *const shown[] = {"check " SMALL,
                                    "check " SMALL " --resolved",
                                    "check " SMALL " --print-map",
                                    "graph " SMALL,
                                    "list",
                                    "list blocks",
                                    "list errors",
                                    "list apps --markdown",
                                    "disasm vecadd",
                                    "lint vecadd",
                                    RUN,
                                    "sweep " TINY " --list",
                                    "sweep " TINY " --store t.db",
                                    "results s.db",
                                    "results s.db --failed",
                                    "report s.db",
                                    "compare r.json r.json",
                                    "compare r.json r.json --csv",
                                    "compare r.json r.json --json",
                                    "profile r.json",
                                    "profile r.json --csv",
                                    "new app mine",
                                    "help",
                                    "help run",
                                    "help --markdown",
                                    "version"};

/* Results with a profile, and a store in which a run has failed. */
static void prepare(void)
{
    finished run = shell("\"$HEDDLE\" " RUN " --quiet --profile --stats r.json && "
                         "\"$HEDDLE\" sweep " SYSTEM_SWEEPS "/fails.yaml --store s.db --quiet; true");
    expect_code(&run, 0);
    finished_free(&run);
}

/* The system tells the reason with each write, and the last one may have been of nothing. */
static void expect_lost(const char *to, const char *reason)
{
    size_t told = 0;
    prepare();
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char *script = text_of("\"$HEDDLE\" %s %s", shown[i], to);
        finished run = shell(script);
        cr_expect(run.code == 2, "%s: exit code %d", script, run.code);
        expect_error(&run, "error: standard output: ");
        const int is_told = strstr(run.err, reason) != NULL;
        cr_expect(is_told || strstr(run.err, "something that was printed has been lost"), "%s: %s", script, run.err);
        told += (size_t)is_told;
        cr_expect(strlen(run.err) < 200, "%s: %s", script, run.err);
        finished_free(&run);
        free(script);
    }
    cr_expect_geq(told, sizeof shown / sizeof *shown - 3);
}

Test(streams, a_full_device_takes_nothing, .timeout = 120)
{
    expect_lost(">/dev/full", "No space left on device");
}

Test(streams, a_stream_that_is_closed_takes_nothing, .timeout = 120)
{
    expect_lost(">&-", "it is closed");
}

Test(streams, a_pipe_that_nobody_reads_takes_nothing)
{
    /* The reader ends before the writer begins. */
    finished run = shell("mkfifo p; exec 3<>p; exec 4>p; exec 3<&-; trap '' PIPE; \"$HEDDLE\" list blocks >&4");
    expect_code(&run, 2);
    expect_error(&run, "error: standard output: Broken pipe\n");
    finished_free(&run);
    run = shell("mkfifo q; exec 3<>q; exec 4>q; exec 3<&-; \"$HEDDLE\" list blocks >&4");
    expect_code(&run, 128 + SIGPIPE);
    cr_expect_str_empty(run.err);
    finished_free(&run);
}

Test(streams, results_are_written_although_nobody_reads_what_is_said)
{
    finished run = shell("mkfifo p; exec 3<>p; exec 4>p; exec 3<&-; \"$HEDDLE\" " RUN " --stats r.json --trace t >&4");
    expect_code(&run, 128 + SIGPIPE);
    finished_free(&run);
    char *left = folder_list(folder), *stats = file_read("r.json", NULL);
    cr_expect_str_eq(left, "p r.json t ");
    cr_expect(stats && strstr(stats, "\"status\": \"pass\""));
    free(stats);
    free(left);
}

Test(streams, what_fails_keeps_its_exit_code)
{
    finished run = shell("\"$HEDDLE\" run " SMALL " " SYSTEM_APPS "/faults >/dev/full");
    expect_code(&run, 1);
    expect_error(&run, "error: standard output: No space left on device");
    finished_free(&run);
}

/* The lowest numbers are free: the store and the results must not get those of what is printed. */
Test(streams, no_file_gets_the_number_of_a_stream_that_is_closed)
{
    finished run = shell("\"$HEDDLE\" sweep " TINY " --store s.db 0<&- >&- 2>&-; echo $?; \"$HEDDLE\" results s.db");
    expect_output(&run, "2\npoint,");
    expect_output(&run, "pass");
    finished_free(&run);
    run = shell("\"$HEDDLE\" " RUN " --stats r.json 0<&- >&- 2>&-; echo $?; grep -c PASS r.json; \"$HEDDLE\" compare "
                "r.json r.json --top 1");
    expect_output(&run, "2\n0\n");
    expect_output(&run, "vecadd");
    finished_free(&run);
}

/* ---- A terminal ------------------------------------------------------------------------------------------------------- */

/* All that is shown; to be freed. *code: of the exit. */
static char *on_terminal(const char *const *words, int *code)
{
    int terminal, status;
    char *text = calloc(1, 1 << 20);
    size_t used = 0;
    pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    cr_assert(text && child >= 0);
    if (!child) {
        execv(HEDDLE_COMMAND, (char *const *)words);
        _exit(99);
    }
    for (ssize_t bytes; used < (1 << 20) - 1; used += (size_t)bytes) {
        bytes = read(terminal, text + used, (1 << 20) - 1 - used);
        if (bytes <= 0 && errno != EINTR)
            break;
        bytes = bytes < 0 ? 0 : bytes;
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    close(terminal);
    return text;
}
#define terminal(code, ...) on_terminal((const char *const[]){HEDDLE_COMMAND, __VA_ARGS__, NULL}, code)

static void expect_shown(char *text, const char *part)
{
    cr_expect(strstr(text, part), "not shown: %s\n%s", part, text);
    for (const char *at = text; *at; at++)
        cr_expect((unsigned char)*at >= ' ' || strchr("\r\n\t", *at), "a control character is shown: 0x%02x",
                  (unsigned)(unsigned char)*at);
    free(text);
}

Test(streams, a_terminal_is_shown_text_only)
{
    int code;
    expect_shown(terminal(&code, "list", "a\033[31mb\rc\177d"), "'a\\x1b[31mb\\x0dc\\x7fd'");
    cr_expect_eq(code, 2);
    /* U+009B begins a control sequence too; what is no UTF-8 might. Letters stay. */
    expect_shown(terminal(&code, "list", "\302\233m\233\303\244\342\202\254\xF0\x9F\x98\x80\342\202z"),
                 "'\\xc2\\x9bm\\x9b\303\244\342\202\254\xF0\x9F\x98\x80\\xe2\\x82z'");
    const char machine[] = "heddle: 1\nname: mine\nextends: " SMALL "\n";
    file_write("a\033]0;b\a.yaml", machine, strlen(machine));
    expect_shown(terminal(&code, "check", "a\033]0;b\a.yaml"), "a\\x1b]0;b\\x07.yaml: machine mine is in order");
    cr_expect_eq(code, 0);
    /* Longer than any buffer, with characters of three bytes. */
    char *many = calloc(1, 3 * 1024 + 2);
    for (size_t i = 0; i < 1024; i++)
        memcpy(many + 1 + 3 * i, "\342\202\254", 3);
    many[0] = 'x';
    expect_shown(terminal(&code, "list", many), many);
    free(many);
}

Test(streams, what_programs_print_controls_no_terminal)
{
    int code;
    char *app = path_in(folder, "evil"), *host = path_in(app, "host.c");
    static const char program[] = "#include <heddle_rt.h>\nint hd_app_main(void)\n{\n"
                                  "    hd_print(\"one \\033[2J two\");\n    hd_fail(\"three \\033[2J\");\n}\n";
    setenv("XDG_CACHE_HOME", folder, 1);
    finished run = heddle("new", "app", "evil");
    expect_code(&run, 0);
    finished_free(&run);
    file_write(host, program, sizeof program - 1);
    char *text = terminal(&code, "run", SMALL, "./evil");
    cr_expect_eq(code, 1);
    cr_expect(strstr(text, "one \\x1b[2J two"));
    expect_shown(text, "three \\x1b[2J");
    run = heddle("run", SMALL, "./evil");
    expect_output(&run, "one \033[2J two"); /* as it is, where it is not a terminal */
    finished_free(&run);
    free(host);
    free(app);
}

Test(streams, the_line_of_progress_is_still_written_over)
{
    int code;
    char *text = terminal(&code, "sweep", TINY, "--store", "s.db");
    cr_expect_eq(code, 0);
    cr_expect(strstr(text, "\r\033[K0 of 2 runs"), "%s", text);
    cr_expect(strstr(text, "tiny: 2 runs: 0 there before, 2 done now"));
    free(text);
}
