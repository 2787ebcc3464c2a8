/* SPDX-License-Identifier: MIT */
/* Hosts from elsewhere whose program is a thread or a process at a socket: they begin accesses in real time, and a run in which nothing else
 * is left to do waits for them, for so long and no longer. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define WITH_HOST "blocks: {cpu: {type: threaded_host}}\n"
#define SILENT(within)                                                                                                 \
    "cpu.bus, a model from elsewhere: is waited for while nothing else moves, and has begun nothing "                  \
    "(begins_within: " within ")"

/* The machine with a host CPU, whose bus is at a link with these keys. To be freed. */
static char *write_machine(const char *folder, const char *blocks, const char *keys)
{
    char *path = path_in(folder, "machine.yaml");
    char *text =
        text_of("heddle: 1\nname: asynchronous\nextends: " SYSTEM_MACHINES
                "/firmware.yaml\nplugins: [" ASYNCHRONOUS_MODELS "]\n%sremove: [{from: cpu.bus, to: bus.initiator}]\n"
                "links: [{from: cpu.bus, to: bus.initiator%s}]\n",
                blocks, keys);
    file_write(path, text, strlen(text));
    free(text);
    return path;
}

#define WORDS_MAX 32
static finished run_with(const char *keys, const char *const *more)
{
    char *folder = folder_new(), *machine = write_machine(folder, WITH_HOST, keys);
    const char *words[WORDS_MAX] = {"run", machine};
    for (size_t i = 2; *more && i < WORDS_MAX - 1; i++)
        words[i] = *more++;
    finished run = heddle_run(words);
    free(machine);
    folder_remove(folder);
    return run;
}
#define RUN_WITH(keys, ...) run_with(keys, (const char *const[]){__VA_ARGS__, NULL})
#define AT_A_SOCKET(...)                                                                                               \
    RUN_WITH(", begins_within: 100 s", "vecadd", "--set", "cpu.type=socket_host", "--set", "cpu.peer=" HOST_PEER,      \
             __VA_ARGS__)

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void expect_pass(finished run)
{
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
}

/* ---- They are waited for ------------------------------------------------------------------------------------------ */

Test(asynchronous_hosts, whose_program_is_a_thread_drive_a_machine)
{
    for (const char **takes = (const char *[]){"cpu.takes=0 ms", "cpu.takes=20 ms", NULL}; *takes; takes++)
        for (const char **how = (const char *[]){"--tlm=auto", "--tlm=checked", "--threads=2", NULL}; *how; how++)
            expect_pass(RUN_WITH(", begins_within: 100 s", "vecadd", "--set", *takes, *how));
}

Test(asynchronous_hosts, whose_program_is_a_process_drive_a_machine)
{
    expect_pass(AT_A_SOCKET("--tlm=auto"));
    expect_pass(AT_A_SOCKET("--tlm=checked"));
}

/* Nor when a model says itself that all is done. */
Test(asynchronous_hosts, are_not_waited_for_when_their_program_is_over)
{
    const double began = clock_now();
    expect_pass(RUN_WITH(", begins_within: 1000 s", "vecadd"));
    expect_pass(RUN_WITH(", begins_within: 1000 s", "vecadd", "--set", "cpu.stops=true"));
    cr_expect_lt(clock_now() - began, 500);
}

/* There is no program that would say when it is over. */
Test(asynchronous_hosts, without_an_app_are_waited_for_once)
{
    const double began = clock_now();
    expect_pass(RUN_WITH(", begins_within: 700 ms", "--set", "cpu.accesses=3", "--set", "core.type=traffic", "--set",
                         "core.requests=10"));
    cr_expect_geq(clock_now() - began, 0.7);
}

/* ---- What goes wrong ---------------------------------------------------------------------------------------------- */

Test(asynchronous_hosts, that_nobody_is_to_wait_for_are_a_deadlock)
{
    finished run = RUN_WITH("", "vecadd", "--set", "cpu.takes=1 s");
    cr_expect_null(strstr(run.err, "is waited for"), "%s", run.err);
    EXPECT_ERRORS(run, "deadlock: nothing moves any more");
}

/* Once, however often the run is looked at. */
Test(asynchronous_hosts, that_are_silent_are_named)
{
    char *folder = folder_new(), *stats = path_in(folder, "stats.json");
    EXPECT_ERRORS(RUN_WITH(", begins_within: 300 ms", "vecadd", "--set", "cpu.accesses=5"),
                  "deadlock: nothing moves any more", "\n  " SILENT("300 ms"));
    EXPECT_ERRORS(RUN_WITH(", begins_within: 300 ms", "vecadd", "--set", "cpu.takes=1 s"), SILENT("300 ms"));
    const double began = clock_now();
    EXPECT_ERRORS(
        RUN_WITH(", begins_within: 2 s", "vecadd", "--set", "cpu.accesses=5", "--series", "10 ns", "--stats", stats),
        SILENT("2 s"));
    cr_expect_lt(clock_now() - began, 60, "it is waited for at each sample");
    free(stats);
    folder_remove(folder);
}

Test(asynchronous_hosts, whose_peer_is_killed_say_so)
{
    SKIP_IF_EXCEPTIONS_CONFUSE();
    EXPECT_ERRORS(AT_A_SOCKET("--set", "cpu.accesses=5"), "asynchronous_host: the peer has closed the connection",
                  "reported by the platform at ");
}

Test(asynchronous_hosts, that_are_waited_for_can_be_interrupted)
{
    char *folder = folder_new(), *machine = write_machine(folder, WITH_HOST, ", begins_within: 1000 s");
    const char *const words[] = {"run", machine, "vecadd", "--set", "cpu.accesses=5", NULL};
    const pid_t child = heddle_start(folder, words);
    sleep(2);
    kill(child, SIGINT);
    finished run = heddle_wait(folder, child);
    expect_code(&run, 130);
    expect_error(&run, "interrupted at ");
    expect_error(&run, SILENT("1000 s"));
    finished_free(&run);
    free(machine);
    folder_remove(folder);
}

/* ---- In somebody else's design ------------------------------------------------------------------------------------ */

/* Whose CPU thinks in a thread for so many milliseconds, once. */
static finished run_design(const char *keys, const char *thinks)
{
    char *folder = folder_new(), *machine = write_machine(folder, "", keys);
    const char *const words[] = {OUTER_PLATFORM, machine, HEDDLE_APPS "/vecadd/kernel.elf", "quiet", thinks, NULL};
    finished run = heddle_wait(folder, program_start(folder, words));
    free(machine);
    folder_remove(folder);
    return run;
}

Test(asynchronous_hosts, are_waited_for_where_the_machine_is_a_module)
{
    finished run = run_design(", begins_within: 100 s", "thinks=300");
    expect_code(&run, 0);
    expect_output(&run, "cpu_0 is done at ");
    finished_free(&run);
    for (const char **keys = (const char *[]){"", ", begins_within: 300 ms", NULL}; *keys; keys++) {
        run = run_design(*keys, "thinks=5000");
        expect_code(&run, 1);
        expect_error(&run, "nothing moves any more, and 1 CPUs are not done");
        cr_expect_eq(strstr(run.out, "Warning: heddle: " SILENT("300 ms")) != NULL, **keys != 0, "%s", run.out);
        finished_free(&run);
    }
}

/* ---- The key ------------------------------------------------------------------------------------------------------ */

static void expect_refusal(const char *blocks, const char *keys, const char *error)
{
    char *folder = folder_new(), *machine = write_machine(folder, blocks, keys);
    finished run = heddle("check", machine);
    expect_code(&run, 2);
    expect_error(&run, error);
    finished_free(&run);
    free(machine);
    folder_remove(folder);
}

Test(asynchronous_hosts, real_time_that_makes_no_sense_is_refused)
{
    expect_refusal("", ", begins_within: 10 s",
                   ":6:44: error[N32]: begins_within on a link whose source is no SystemC model");
    expect_refusal(WITH_HOST, ", begins_within: 0 s", ":7:59: error[N24]: begins_within is '0 s'");
    expect_refusal(WITH_HOST, ", begins_within: 2 d", ":7:59: error[N23]: begins_within has an unknown unit");
    expect_refusal(WITH_HOST, ", begins_within: 86401 s", ":7:59: error[N24]: begins_within is '86401 s'");
    expect_refusal(WITH_HOST, ", answers_within: 1 s",
                   ":7:44: error[N32]: answers_within on a link whose target is no SystemC model");
}

Test(asynchronous_hosts, real_time_is_in_results_and_in_pictures)
{
    char *folder = folder_new(), *stats_path = path_in(folder, "stats.json");
    char *machine = write_machine(folder, WITH_HOST, ", begins_within: 20 s");
    finished run = heddle("graph", machine);
    expect_output(&run, "<br align=\"left\"/>begins_within: 20 s");
    finished_free(&run);
    run = heddle("check", machine, "--resolved");
    expect_output(&run, ", begins_within: 20000000000000 ps");
    finished_free(&run);
    run = heddle("run", machine, "vecadd", "--stats", stats_path);
    expect_code(&run, 0);
    json_t *stats = stats_read(stats_path), *link;
    size_t i, found = 0;
    json_array_foreach(stats_at(stats, "machine/links"), i, link) found +=
        json_integer_value(json_object_get(link, "begins_within_ps")) == 20000000000000;
    cr_expect_eq(found, 1);
    json_decref(stats);
    finished_free(&run);
    free(machine);
    free(stats_path);
    folder_remove(folder);
}
