/* SPDX-License-Identifier: MIT */
/* Programs of GPU-LocalTM's paper, each with much and with little contention, in all their forms. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"

#define LOCAL_TM HEDDLE_MACHINES "/../variants/southern_islands_cu_local_tm.yaml"

typedef struct program {
    const char *app;
    const char *contention[2]; /* high, low: as in app.yaml, of smaller size */
    const char *size;
} program;

static const program programs[] = {
    {"block_hashtable", {"app.buckets=16", "app.buckets=1024"}, "app.keys=256"},
    {"block_counters", {"app.counters=32", "app.counters=2048"}, "app.updates=256"},
    {"block_database", {"app.records=32", "app.records=1024"}, "app.operations=256"},
    {"block_queue", {"app.queues=1", "app.queues=8"}, "app.items=256"},
    {"block_genetic", {"app.individuals=32", "app.individuals=512"}, "app.children=256"},
    {"block_kmeans", {"app.clusters=4", "app.clusters=64"}, "app.points=256"},
    {"block_colouring", {"app.degree=12", "app.degree=3"}, "app.rounds=1"},
    {"block_vacation", {"app.rows=8", "app.rows=256"}, "app.clients=256"},
};
#define PROGRAMS (sizeof programs / sizeof *programs)

static machine_run run_program(const program *p, uint32_t contention, const char *form, const char *set, uint32_t check)
{
    const char *sets[] = {p->contention[contention], p->size, form, set, NULL};
    char *app = path_in(HEDDLE_APPS, p->app);
    const machine_run run =
        run_machine(&(run_request){.netlist = LOCAL_TM, .app = app, .sets = sets, .check_transactions = check});
    free(app);
    return run;
}

static double statistic(const machine_run *run, const char *name)
{
    const json_t *core = json_object_get(json_object_get(run->results, "blocks"), "core");
    return json_number_value(json_object_get(json_object_get(core, "total"), name));
}

/* Returns the share of attempts that commit. */
static double expect_serialisable(const program *p, uint32_t contention, const char *set)
{
    machine_run run = run_program(p, contention, "app.sync=tm", set, 1);
    cr_expect_eq(run.outcome, HD_OUTCOME_PASS, "%s %s %s: %s", p->app, p->contention[contention], set, run.message);
    const json_t *check = json_object_get(run.results, "transaction_check");
    const json_int_t transactions = json_integer_value(json_object_get(check, "transactions"));
    cr_expect_gt(transactions, 0);
    cr_expect_eq(json_integer_value(json_object_get(check, "replayed")), transactions, "%s", p->app);
    const double share = statistic(&run, "tx_commits") / statistic(&run, "tx_attempts");
    run_free(&run);
    return share;
}

static void expect_tm(const char *table)
{
    for (size_t i = 0; i < PROGRAMS; i++) {
        const double high = expect_serialisable(&programs[i], 0, table);
        const double low = expect_serialisable(&programs[i], 1, table);
        cr_expect(0 < high && high < low && low < 1, "%s %s: %.3f and %.3f of the attempts commit", programs[i].app,
                  table, high, low);
    }
}

Test(scratchpad_transactions, of_all_programs_are_serialisable_with_one_owner)
{
    expect_tm("core.tx.local.detection=dcd");
}

Test(scratchpad_transactions, of_all_programs_are_serialisable_with_several_readers)
{
    expect_tm("core.tx.local.detection=smdcd");
}

Test(scratchpad_transactions, have_the_results_of_all_other_forms)
{
    static const char *const forms[] = {"app.sync=locks", "app.sync=serial"};
    for (size_t i = 0; i < 4 * PROGRAMS; i++) {
        const program *p = &programs[i / 4];
        machine_run run = run_program(p, i % 2, forms[i / 2 % 2], NULL, 0);
        cr_expect_eq(run.outcome, HD_OUTCOME_PASS, "%s %s %s: %s", p->app, forms[i / 2 % 2], p->contention[i % 2],
                     run.message);
        run_free(&run);
    }
}

/* The release of shared words as published loses updates, and programs see that by themselves. */
Test(scratchpad_transactions, are_found_out_by_the_programs_when_shared_words_go_too_early)
{
    static const char *const found[] = {"block_hashtable", "block_database", "block_genetic", "block_colouring"};
    for (size_t i = 0; i < PROGRAMS; i++)
        for (size_t k = 0; k < sizeof found / sizeof *found; k++)
            if (!strcmp(programs[i].app, found[k])) {
                machine_run run = run_program(&programs[i], 0, "app.sync=tm", "core.tx.local.shared_release=paper", 0);
                cr_expect_eq(run.outcome, HD_OUTCOME_FAIL, "%s: %s", found[k], run.message);
                run_free(&run);
            }
}

/* A kernel is checked at a rendezvous, which with these clocks is up to a millisecond after its end: the program has failed by then. */
Test(scratchpad_transactions, are_checked_before_a_program_that_has_failed_ends_the_run)
{
    const char *const sets[] = {"app.buckets=16",
                                "app.keys=256",
                                "app.sync=tm",
                                "core.tx.local.shared_release=paper",
                                "clocks.memory=924.001 MHz",
                                NULL};
    char *app = path_in(HEDDLE_APPS, "block_hashtable");
    machine_run run =
        run_machine(&(run_request){.netlist = LOCAL_TM, .app = app, .sets = sets, .check_transactions = 1});
    cr_expect_eq(run.outcome, HD_OUTCOME_FAULT);
    cr_expect(strstr(run.message, "transactions are not serialisable"), "%s", run.message);
    run_free(&run);
    free(app);
}

/* ---- Room ------------------------------------------------------------------------------------------------------------------- */

static machine_run run_counters(const char *netlist, const char *counters, const char *form, const char *bytes)
{
    const char *sets[] = {counters, "app.updates=128", "app.grid=9", form, bytes, NULL};
    char *app = path_in(HEDDLE_APPS, "block_counters");
    const machine_run run = run_machine(&(run_request){.netlist = netlist, .app = app, .sets = sets});
    free(app);
    return run;
}

/* A block with transactions on 64 rows takes 144 of the 512; the scheduler knows, and no launch waits at the core. */
static void expect_resident(const char *netlist, const char *form, uint64_t blocks)
{
    machine_run run = run_counters(netlist, "app.counters=2048", form, NULL);
    cr_expect_eq(run.outcome, HD_OUTCOME_PASS, "%s", run.message);
    const json_t *scheduler = json_object_get(json_object_get(run.results, "blocks"), "tb_scheduler");
    const json_t *most = json_object_get(json_object_get(scheduler, "total"), "max_resident_blocks");
    cr_expect_eq(json_integer_value(most), (json_int_t)blocks, "%s: %lld", form, json_integer_value(most));
    cr_expect_eq(statistic(&run, "launches_held"), 0, "%s", form);
    run_free(&run);
}

Test(scratchpad_transactions, shadow_memory_limits_how_many_blocks_there_are)
{
    expect_resident(LOCAL_TM, "app.sync=tm", 3);
    expect_resident(HEDDLE_MACHINES "/southern_islands_cu.yaml", "app.sync=atomics", 8);
}

Test(scratchpad_transactions, blocks_whose_shadow_memory_does_not_fit_end_the_run)
{
    machine_run run = run_counters(LOCAL_TM, "app.counters=2048", "app.sync=tm", "core.scratchpad.bytes=16 KiB");
    cr_expect(run.outcome != HD_OUTCOME_PASS &&
                  strstr(run.message, "needs 18432 bytes of scratchpad with what its transactions keep of them, a core "
                                      "has 16384"),
              "%s", run.message);
    run_free(&run);
}

Test(scratchpad_transactions, scratchpads_of_less_than_three_rows_are_refused)
{
    static const char *const sizes[] = {"core.scratchpad.bytes=256 B",
                                        "core.scratchpad.bytes=384 B"}; /* a row is 128 B */
    for (uint32_t rows = 2; rows <= 3; rows++) {
        machine_run run = run_counters(LOCAL_TM, "app.counters=32", "app.sync=tm", sizes[rows - 2]);
        cr_expect_eq(run.was_refused, rows == 2);
        cr_expect_eq(strstr(run.message, "needs a scratchpad that holds data and their shadow: 3 rows at least") !=
                         NULL,
                     rows == 2, "%s", run.message);
        run_free(&run);
    }
}

Test(scratchpad_transactions, scratchpads_that_are_not_whole_rows_are_refused)
{
    machine_run run = run_counters(LOCAL_TM, "app.counters=32", "app.sync=tm", "core.scratchpad.bytes=65600 B");
    cr_expect(run.was_refused && strstr(run.message, "needs a scratchpad of whole rows: as many words in each bank"),
              "%s", run.message);
    run_free(&run);
}
