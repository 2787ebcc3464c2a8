/* SPDX-License-Identifier: MIT */
/* Models from elsewhere with clocks of their own, files to close, and bugs: a run with them ends, and says why. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define WITH(...)                                                                                                      \
    heddle("run", SMALL, "vecadd", "--plugin", AWKWARD_MODELS, "--set", "dram.type=awkward_memory", "--set",           \
           "app.n=2000", __VA_ARGS__)

/* Of the app `faults`: two warps, each at a barrier to which the other never comes. */
#define CROSSED "app.kernel=crossed_barriers", "--set", "app.block=64", "--set", "app.first=32", "--set", "app.last=63"

/* Every command here ends by itself; a test that waits for ever fails by its time limit. */

/* ---- Hangs -------------------------------------------------------------------------------------------------------- */

static int64_t simulated(const char *set)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = WITH("--set", set, "--stats", path);
    expect_code(&run, 0);
    json_t *stats = stats_read(path);
    const int64_t time = json_integer_value(stats_at(stats, "simulated_ps"));
    json_decref(stats);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return time;
}

Test(awkward_models, with_a_clock_of_its_own_changes_nothing)
{
    cr_expect_eq(simulated("dram.tick=7 ns"), simulated("dram.tick=0 ns"));
}

Test(awkward_models, a_clock_of_its_own_does_not_hide_a_lost_answer)
{
    EXPECT_ERRORS(WITH("--set", "dram.answers=3"), "deadlock: nothing moves any more",
                  "\n  dram[0].access[0], a model from elsewhere: a read of 128 bytes at 0x",
                  ", begun by l2[0].memory at ", " ns, is not accepted (no END_REQ); ", "lines awaited from memory");
    EXPECT_ERRORS(WITH("--set", "dram.answers=3", "--set", "dram.tick=1 us", "--set", "watchdog=50 us"),
                  "livelock: no progress since", "nothing moves any more but models from elsewhere",
                  "dram[0].access[0], a model from elsewhere: a read of 128 bytes at 0x", "lines awaited from memory");
}

/* It is the same line wherever a run is cut off. */
Test(awkward_models, who_waits_is_told_at_the_limit_too)
{
    EXPECT_ERRORS(WITH("--set", "limit=8 us"), "the limit of simulated time, 8000 ns, is reached",
                  "dram[0].access[0], a model from elsewhere: a read of 128 bytes at 0x", "the host program waits for");
}

Test(awkward_models, the_clock_of_a_memory_that_is_asked_for_nothing_hides_no_deadlock)
{
    finished run = heddle("run", SMALL, SYSTEM_APPS "/faults", "--plugin", AWKWARD_MODELS, "--set",
                          "dram.type=awkward_memory", "--set", "dram.tick=1 us", "--set", CROSSED);
    EXPECT_ERRORS(run, "deadlock: nothing moves any more");
}

Test(awkward_models, the_clock_of_a_memory_does_not_keep_up_a_run_without_an_app)
{
    finished run = heddle("run", SMALL, "--plugin", AWKWARD_MODELS, "--set", "dram.type=awkward_memory", "--set",
                          "dram.tick=1 us", "--set", "core.type=traffic", "--set", "core.requests=100");
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
}

Test(awkward_models, an_initiator_that_polls_does_not_hide_a_kernel_that_waits_for_ever)
{
    finished run = heddle("run", SYSTEM_MACHINES "/mailbox.yaml", SYSTEM_APPS "/faults", "--plugin", FOREIGN_MODELS,
                          "--set", "watchdog=50 us", "--set", "agent.period=2 us", "--set", CROSSED);
    EXPECT_ERRORS(run, "livelock: no progress since");
}

Test(awkward_models, a_loop_in_no_time_is_found)
{
    SKIP_IF_EXCEPTIONS_CONFUSE();
    EXPECT_ERRORS(WITH("--set", "dram.does=loop", "--set", "dram.at=5000001 ps"),
                  "SystemC: time stands still: 1000000 delta cycles, in which a model notifies itself or waits for no "
                  "time; models from elsewhere are dram[0], dram[1]");
}

/* More than a million events of its own, each at a time of its own. */
Test(awkward_models, a_fast_clock_is_no_loop_in_no_time)
{
    finished run = WITH("--set", "dram.tick=4 ps");
    expect_code(&run, 0);
    finished_free(&run);
}

/* ---- The end of simulation ---------------------------------------------------------------------------------------- */

static uint32_t count_in(const char *text, const char *part)
{
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

/* Each model was told once that simulation has ended, and then destroyed. */
static void check_database(const char *path)
{
    char *text = file_read(path, NULL);
    cr_assert_not_null(text, "no model was told that simulation ends");
    for (const char **name = (const char *[]){"machine.dram[0] ", "machine.dram[1] ", NULL}; *name; name++) {
        const char *first = strstr(text, *name);
        cr_assert_not_null(first, "%s", text);
        cr_expect_eq(count_in(text, *name), 2, "%s", text);
        cr_expect_neq(strncmp(first + strlen(*name), "is ", 3), 0, "it is destroyed before simulation ends:\n%s", text);
    }
    cr_expect_eq(count_in(text, " is destroyed\n"), 2, "%s", text);
    free(text);
}

static void expect_databases(const char *app, const char *set, int code)
{
    char *folder = folder_new(), *path = path_in(folder, "database"), *database = text_of("dram.database=%s", path);
    finished run = heddle("run", SMALL, app, "--plugin", AWKWARD_MODELS, "--set", "dram.type=awkward_memory", "--set",
                          database, "--set", set);
    expect_code(&run, code);
    check_database(path);
    finished_free(&run);
    free(database);
    free(path);
    folder_remove(folder);
}

Test(awkward_models, are_told_when_simulation_ends)
{
    expect_databases("vecadd", "app.n=2000", 0);
}

Test(awkward_models, are_told_when_a_run_has_failed)
{
    expect_databases(SYSTEM_APPS "/faults", "app.kernel=illegal", 1);
}

Test(awkward_models, that_cannot_write_what_they_have_found_end_a_run_that_was_good)
{
    SKIP_IF_EXCEPTIONS_CONFUSE();
    EXPECT_ERRORS(WITH("--set", "dram.complains=true"), "awkward_memory: the database is full");
    finished run = WITH("--set", "dram.complains=true", "--set", "dram.answers=3");
    expect_output(&run, "warning: SystemC at");
    expect_output(&run, "awkward_memory: the database is full");
    cr_expect_null(strstr(run.out, "sc_stop"), "simulation ends once:\n%s", run.out);
    EXPECT_ERRORS(run, "deadlock: nothing moves any more");
}

/* Whatever ends a run, the models are told so and then destroyed. */
Test(awkward_models, are_told_however_a_run_ends)
{
    SKIP_IF_EXCEPTIONS_CONFUSE();
    expect_databases("vecadd", "dram.answers=3", 1);
    expect_databases("vecadd", "limit=8 us", 1);
    expect_databases("vecadd", "dram.does=stop", 1);
    expect_databases("vecadd", "dram.does=error", 1);
    expect_databases("vecadd", "dram.does=told", 1);
    expect_databases("vecadd", "dram.does=loop", 1);
}

Test(awkward_models, are_told_when_the_user_interrupts)
{
    char *folder = folder_new(), *path = path_in(folder, "database"), *database = text_of("dram.database=%s", path);
    const char *const words[] = {"run",
                                 SMALL,
                                 "vecadd",
                                 "--plugin",
                                 AWKWARD_MODELS,
                                 "--set",
                                 "dram.type=awkward_memory",
                                 "--set",
                                 database,
                                 "--set",
                                 "dram.answers=3",
                                 "--set",
                                 "dram.tick=1 us",
                                 "--set",
                                 "watchdog=100000 s",
                                 "--set",
                                 "limit=200000 s",
                                 NULL};
    const pid_t child = heddle_start(folder, words);
    sleep(2);
    kill(child, SIGINT);
    finished run = heddle_wait(folder, child);
    expect_code(&run, 130);
    expect_error(&run, "interrupted at ");
    expect_error(&run, "dram[0].access[0], a model from elsewhere: a ");
    check_database(path);
    finished_free(&run);
    free(database);
    free(path);
    folder_remove(folder);
}

Test(awkward_models, may_end_the_simulation_themselves)
{
    EXPECT_ERRORS(WITH("--set", "dram.does=stop"),
                  "a model from elsewhere has called sc_stop at 5000 ns, before the host program was over",
                  "the host program waits for");
    finished run = heddle("run", SMALL, "--plugin", AWKWARD_MODELS, "--set", "dram.type=awkward_memory", "--set",
                          "core.type=traffic", "--set", "core.requests=1000", "--set", "dram.does=stop");
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
}

/* ---- Reports ------------------------------------------------------------------------------------------------------ */

Test(awkward_models, report_into_the_lines_of_the_run_and_its_exit_code)
{
    SKIP_IF_EXCEPTIONS_CONFUSE();
    finished run = WITH("--set", "dram.does=info");
    expect_code(&run, 0);
    expect_output(&run, "info: SystemC at 5000000 ps: awkward_memory: page 7 is open");
    finished_free(&run);
    run = WITH("--set", "dram.does=warning");
    expect_code(&run, 0);
    expect_output(&run, "warning: SystemC at 5000000 ps: awkward_memory: page 7 is slow");
    finished_free(&run);
    EXPECT_ERRORS(WITH("--set", "dram.does=error"), "awkward_memory: page 7 is lost");
    EXPECT_ERRORS(WITH("--set", "dram.does=told"), "SystemC: awkward_memory: page 7 is lost", "5000.000 ns");
    run = WITH("--set", "dram.does=told", "--set", "dram.at=0 ns");
    expect_code(&run, 2);
    expect_error(&run, "the machine cannot be built\nawkward_memory: page 7 is lost");
    finished_free(&run);
}

/* ---- Data without time -------------------------------------------------------------------------------------------- */

Test(awkward_models, a_memory_without_debug_transport_is_told_what_it_lacks)
{
    EXPECT_ERRORS(WITH("--set", "dram.debug=none"), "l2[0] writes back ", " before a kernel starts, but dram[0].access",
                  "a SystemC model, takes none of them by transport_dbg: it has to implement that, or its link says "
                  "debug: absent, and they are written as requests. A machine with launch_align: false writes nothing "
                  "back in this way");
    finished run = WITH("--set", "dram.debug=none", "--set", "launch_align=false");
    expect_code(&run, 0);
    finished_free(&run);
}

Test(awkward_models, a_memory_without_debug_transport_may_show_its_bytes)
{
    cr_expect_eq(simulated("dram.debug=pointer"), simulated("dram.debug=right"));
}

Test(awkward_models, a_model_between_cache_and_memory_works_at_default_settings)
{
    for (const char **how = (const char *[]){"--tlm=auto", "--tlm=checked", NULL}; *how; how++) {
        finished run = heddle("run", SYSTEM_MACHINES "/staged.yaml", "vecadd", "--plugin", AWKWARD_MODELS, "--set",
                              "app.n=5000", *how);
        expect_code(&run, 0);
        expect_output(&run, "PASS");
        finished_free(&run);
    }
}

/* ---- Sockets ------------------------------------------------------------------------------------------------------ */

static void expect_refusal(const char *set, const char *found)
{
    finished run = WITH("--set", set);
    expect_code(&run, 2);
    expect_error(&run, "dram[0]: port access needs a target socket of the base protocol; the plug-in gives ");
    expect_error(&run, found);
    finished_free(&run);
}

Test(awkward_models, a_socket_of_another_kind_is_named_with_what_was_expected)
{
    expect_refusal("dram.socket=none", "gives nothing\n");
    expect_refusal("dram.socket=initiator",
                   "gives an initiator socket of 32 bits, the tlm_initiator_socket 'machine.reversed'\n");
    expect_refusal("dram.socket=signal", "gives an object, the sc_in 'machine.line'\n");
}

/* The width is no matter of time, and how often a socket may be bound none of whoever binds it once. */
Test(awkward_models, sockets_of_any_width_and_for_several_bindings_fit)
{
    const int64_t expected = simulated("dram.socket=right");
    cr_expect_eq(simulated("dram.socket=wide"), expected);
    const int64_t at_once = simulated("dram.socket=multi");
    cr_expect_eq(simulated("dram.socket=wide_multi"), at_once);
}

Test(awkward_models, an_initiator_of_64_bits_reads_and_writes)
{
    for (const char **untimed = (const char *[]){"agent.untimed=false", "agent.untimed=true", NULL}; *untimed;
         untimed++) {
        finished run = heddle("run", SYSTEM_MACHINES "/mailbox.yaml", SYSTEM_APPS "/mailbox", "--plugin",
                              FOREIGN_MODELS, "--plugin", AWKWARD_MODELS, "--set", "agent.type=wide_server", "--set",
                              "app.count=1000", "--set", *untimed);
        expect_code(&run, 0);
        expect_output(&run, "PASS");
        finished_free(&run);
    }
}

/* ---- Traffic ------------------------------------------------------------------------------------------------------ */

/* The line of the summary, behind its label; to be freed. */
static char *memory_line(finished run, const char *label)
{
    expect_code(&run, 0);
    char *line = strstr(run.out, label);
    cr_assert(line && (line == run.out || line[-1] == '\n'), "no line %s:\n%s", label, run.out);
    line = text_of("%.*s", (int)strcspn(line, "\n"), line);
    finished_free(&run);
    return line;
}

static void expect_alike(char *expected, char *line)
{
    cr_expect_str_eq(strstr(line, "; ") ? strstr(line, "; ") : line, strstr(expected, "; "));
    cr_expect_not_null(strstr(line, "B/s over its links; "), "%s", line);
    free(line);
}

/* What a memory of ours counts itself; nothing is left of what nobody knows. */
Test(awkward_models, what_a_memory_moves_is_read_off_its_links)
{
    static const char *const words[] = {
        "run", SMALL, "vecadd", "--set", "app.n=2000", "--set", "dram.type=fixed_latency", NULL};
    char *counted = memory_line(heddle_run(words), "DRAM  ");
    cr_expect_not_null(strstr(counted, " of 59.1 GB/s used ("), "%s", counted);
    cr_expect_null(strstr(counted, "row hits"), "%s", counted);
    cr_expect_not_null(strstr(counted, "kB read, "), "%s", counted);
    expect_alike(counted, memory_line(WITH("--tlm=auto"), "DRAM  "));
    expect_alike(counted, memory_line(WITH("--tlm=checked"), "DRAM  "));
    expect_alike(counted, memory_line(WITH("--threads=2"), "DRAM  "));

    char *folder = folder_new(), *path = path_in(folder, "machine.yaml");
    static const char machine[] = "heddle: 1\nname: stacked\nextends: " SMALL "\nplugins: [" AWKWARD_MODELS "]\n"
                                  "blocks: {dram: !replace {kind: memory_stack, type: awkward_memory, clock: memory,\n"
                                  "         count: 2}}\n";
    file_write(path, machine, strlen(machine));
    expect_alike(counted, memory_line(heddle("run", path, "vecadd", "--set", "app.n=2000"), "memory  "));
    free(path);
    folder_remove(folder);
    free(counted);
}
