/* SPDX-License-Identifier: MIT */
/* Models from elsewhere that have threads of their own, and one whose memory is a process at a socket: simulated time stands still for them,
 * and a run with them ends, and says why. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"

/* The small machine with such a memory, at links with these keys. To be freed. */
static char *write_machine(const char *folder, const char *base, const char *type, const char *keys)
{
    char *path = path_in(folder, "machine.yaml");
    char *text = text_of("heddle: 1\nname: asynchronous\nextends: %s\nplugins: [" ASYNCHRONOUS_MODELS "]\n"
                         "blocks: {dram: {type: %s}}\nremove: [{from: l2.memory, to: dram.access}]\n"
                         "links: [{from: l2.memory, to: dram.access%s}]\n",
                         base, type, keys);
    file_write(path, text, strlen(text));
    free(text);
    return path;
}

#define WORDS_MAX 32
static finished run_with(const char *type, const char *keys, const char *const *more)
{
    char *folder = folder_new(), *machine = write_machine(folder, SMALL, type, keys);
    const char *words[WORDS_MAX] = {"run", machine};
    for (size_t i = 2; *more && i < WORDS_MAX - 1; i++)
        words[i] = *more++;
    finished run = heddle_run(words);
    free(machine);
    folder_remove(folder);
    return run;
}
#define RUN_WITH(type, keys, ...) run_with(type, keys, (const char *const[]){__VA_ARGS__, NULL})
#define THREADED(keys, ...) RUN_WITH("threaded_memory", keys, "vecadd", "--set", "app.n=2000", __VA_ARGS__)
#define AT_A_SOCKET(...)                                                                                               \
    RUN_WITH("socket_memory", ", debug: absent, answers_within: 100 s", "--set", "dram.peer=" MEMORY_PEER, __VA_ARGS__)

/* ---- Results ------------------------------------------------------------------------------------------------------ */

static int64_t simulated(const char *style, const char *const *more)
{
    char *folder = folder_new(), *stats_path = path_in(folder, "stats.json"), *how = text_of("dram.style=%s", style);
    const char *words[WORDS_MAX] = {"vecadd", "--set", "app.n=2000", "--set", how, "--stats", stats_path};
    for (size_t i = 7; *more && i < WORDS_MAX - 1; i++)
        words[i] = *more++;
    finished run = run_with("threaded_memory", ", answers_within: 100 s", words);
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    json_t *stats = stats_read(stats_path);
    const int64_t time = json_integer_value(stats_at(stats, "simulated_ps"));
    json_decref(stats);
    finished_free(&run);
    free(how);
    free(stats_path);
    folder_remove(folder);
    return time;
}
#define SIMULATED(style, ...) simulated(style, (const char *const[]){__VA_ARGS__, NULL})

/* Nor on what else the model does, or on whether it asks SystemC to wait for it without bound. */
Test(asynchronous_models, results_do_not_depend_on_how_long_threads_take)
{
    const int64_t expected = SIMULATED("waits", "--set", "dram.takes=0 ps");
    for (const char **style = (const char *[]){"waits", "calls", "holds", NULL}; *style; style++) {
        cr_expect_eq(SIMULATED(*style, "--tlm=auto"), expected, "%s", *style);
        cr_expect_eq(SIMULATED(*style, "--set", "dram.takes=3 ms"), expected, "%s", *style);
        cr_expect_eq(SIMULATED(*style, "--set", "dram.tick=3 ns"), expected, "%s", *style);
        cr_expect_eq(SIMULATED(*style, "--set", "dram.suspends=true"), expected, "%s", *style);
        cr_expect_eq(SIMULATED(*style, "--threads=2"), expected, "%s", *style);
    }
    cr_expect_gt(SIMULATED("waits", "--set", "dram.latency=500 ns"), expected);
}

Test(asynchronous_models, a_memory_in_another_process_serves)
{
    for (const char **how = (const char *[]){"--tlm=auto", "--tlm=checked", NULL}; *how; how++) {
        finished run = AT_A_SOCKET("vecadd", "--set", "app.n=3000", *how);
        expect_code(&run, 0);
        expect_output(&run, "PASS");
        finished_free(&run);
    }
}

/* ---- What goes wrong ---------------------------------------------------------------------------------------------- */

Test(asynchronous_models, that_never_answer_are_named)
{
    EXPECT_ERRORS(THREADED(", answers_within: 300 ms", "--set", "dram.answered=3"),
                  "error: dram[0].access: a model from elsewhere has set no response status within 300 ms "
                  "(answers_within), for which simulated time stands still: a read of 128 bytes at 0x",
                  ", begun by l2[0].memory at ", " ns, is not accepted (no END_REQ); ", "reported by the platform at ");
    EXPECT_ERRORS(THREADED(", answers_within: 300 ms", "--set", "dram.answered=3", "--set", "dram.tick=1 ns", "--set",
                           "dram.suspends=true", "--set", "dram.style=calls"),
                  "dram[0].access: a model from elsewhere has set no response status within 300 ms",
                  ", is accepted and not answered (no BEGIN_RESP); ");
}

/* Time stands still until the status is set: a model that sets it later waits for what does not come. */
Test(asynchronous_models, that_want_time_before_they_say_the_status_are_told)
{
    EXPECT_ERRORS(THREADED(", answers_within: 300 ms", "--set", "dram.style=late"),
                  "has set no response status within 300 ms (answers_within), for which simulated time stands still");
}

/* The one that is not answered has others beside it. */
Test(asynchronous_models, have_several_requests_at_a_time)
{
    static const char *const much[] = {"--set", "core.type=traffic", "--set", "core.requests=1000",
                                       "--set", "dram.style=calls",  "--set", "dram.latency=1 us",
                                       "--set", "dram.answered=20",  NULL};
    finished run = run_with("threaded_memory", ", answers_within: 1 s", much);
    cr_expect_null(strstr(run.err, "; 0 more are in the same state"), "%s", run.err);
    EXPECT_ERRORS(run, "has set no response status within 1 s", " more are in the same state");
    run = RUN_WITH("threaded_memory", ", answers_within: 100 s", "--set", "core.type=traffic", "--set",
                   "core.requests=1000", "--set", "dram.style=calls", "--set", "dram.latency=1 us");
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
}

/* Nothing is promised, and nothing is waited for, not even by SystemC. */
Test(asynchronous_models, that_promise_no_answer_are_a_deadlock)
{
    EXPECT_ERRORS(THREADED("", "--set", "dram.takes=1 s", "--set", "dram.suspends=true"),
                  "deadlock: nothing moves any more",
                  "\n  dram[0].access, a model from elsewhere: a read of 128 bytes");
}

Test(asynchronous_models, whose_peer_is_killed_say_so)
{
    SKIP_IF_EXCEPTIONS_CONFUSE();
    EXPECT_ERRORS(AT_A_SOCKET("vecadd", "--set", "app.n=3000", "--set", "dram.serves=5"),
                  "asynchronous_memory: the peer has closed the connection", "reported by the platform at ");
}

Test(asynchronous_models, that_are_waited_for_can_be_interrupted)
{
    char *folder = folder_new();
    char *machine = write_machine(folder, SMALL, "threaded_memory", ", answers_within: 1000 s");
    const char *const words[] = {"run",   machine,           "vecadd", "--set", "dram.answered=3",
                                 "--set", "dram.tick=10 ns", NULL};
    const pid_t child = heddle_start(folder, words);
    sleep(2);
    kill(child, SIGINT);
    finished run = heddle_wait(folder, child);
    expect_code(&run, 130);
    expect_error(&run, "interrupted at ");
    expect_error(&run, "dram[0].access, a model from elsewhere: a ");
    expect_error(&run, "the host program waits for ");
    const char *at = strstr(run.err, "interrupted at ");
    for (const char *begun = run.err; at && (begun = strstr(begun, ".memory at ")); begun++)
        cr_expect_lt(strtod(begun + strlen(".memory at "), NULL), strtod(at + strlen("interrupted at "), NULL) + 1,
                     "time goes on:\n%s", run.err);
    finished_free(&run);
    free(machine);
    folder_remove(folder);
}

/* ---- In somebody else's design ------------------------------------------------------------------------------------ */

static finished run_design(const char *keys, const char *set)
{
    char *folder = folder_new();
    char *machine = write_machine(folder, SYSTEM_MACHINES "/firmware.yaml", "threaded_memory", keys);
    const char *const words[] = {OUTER_PLATFORM, machine, HEDDLE_APPS "/vecadd/kernel.elf", set, NULL};
    finished run = heddle_wait(folder, program_start(folder, words));
    free(machine);
    folder_remove(folder);
    return run;
}

static char *end_of_design(const char *set)
{
    finished run = run_design(", answers_within: 100 s", set);
    expect_code(&run, 0);
    const char *found = strstr(run.out, "cpu_0 is done at ");
    cr_assert_not_null(found, "%s\n%s", run.out, run.err);
    char *end = text_of("%.*s", (int)strcspn(found, "\n"), found);
    finished_free(&run);
    return end;
}

Test(asynchronous_models, are_waited_for_where_the_machine_is_a_module)
{
    char *expected = end_of_design("set=dram.takes=0 ps"), *slow = end_of_design("set=dram.takes=2 ms");
    cr_expect_str_eq(slow, expected);
    free(slow);
    free(expected);
    finished run = run_design(", answers_within: 300 ms", "set=dram.answered=3");
    cr_expect_neq(run.code, 0);
    expect_error(&run, "dram[0].access: a model from elsewhere has set no response status within 300 ms");
    finished_free(&run);
}

/* ---- The key ------------------------------------------------------------------------------------------------------ */

static void expect_refusal(const char *text, const char *error)
{
    char *folder = folder_new(), *machine = path_in(folder, "machine.yaml");
    file_write(machine, text, strlen(text));
    finished run = heddle("check", machine, "--plugin", ASYNCHRONOUS_MODELS);
    expect_code(&run, 2);
    expect_error(&run, error);
    finished_free(&run);
    free(machine);
    folder_remove(folder);
}

#define HEAD "heddle: 1\nname: refused\nextends: " SMALL "\nremove: [{from: l2.memory, to: dram.access}]\n"
#define LINK(keys) "links: [{from: l2.memory, to: dram.access, " keys "}]\n"

Test(asynchronous_models, real_time_that_makes_no_sense_is_refused)
{
    expect_refusal(HEAD LINK("answers_within: 10 s"), "5:44: error[N32]: answers_within on a link that is not of the "
                                                      "memory protocol, with a SystemC model at one end");
    expect_refusal(HEAD "blocks: {dram: {type: threaded_memory}}\n" LINK("answers_within: 0 s"),
                   ":6:60: error[N24]: answers_within is '0 s'");
    expect_refusal(HEAD "blocks: {dram: {type: threaded_memory}}\n" LINK("answers_within: soon"),
                   ":6:60: error[N22]: answers_within must be a time");
}

Test(asynchronous_models, real_time_is_in_results_and_in_pictures)
{
    char *folder = folder_new(), *stats_path = path_in(folder, "stats.json");
    char *machine = write_machine(folder, SMALL, "threaded_memory", ", answers_within: 20 s");
    finished run = heddle("graph", machine);
    expect_output(&run, "<br align=\"left\"/>answers_within: 20 s");
    finished_free(&run);
    run = heddle("run", machine, "vecadd", "--set", "app.n=100", "--stats", stats_path);
    expect_code(&run, 0);
    json_t *stats = stats_read(stats_path), *link;
    size_t i, found = 0;
    json_array_foreach(stats_at(stats, "machine/links"), i, link) found +=
        json_integer_value(json_object_get(link, "answers_within_ps")) == 20000000000000;
    cr_expect_eq(found, 2);
    json_decref(stats);
    finished_free(&run);
    free(machine);
    free(stats_path);
    folder_remove(folder);
}
