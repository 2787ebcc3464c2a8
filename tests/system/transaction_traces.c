/* SPDX-License-Identifier: MIT */
/* Transactions on a time axis, held against the statistics of the run. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "perfetto_reader.h"
#include "process.h"
#include "stats.h"

#define CORE_HZ 1400000000.0
#define FIRST_REFUSAL 4u /* reasons from here on are a partition's, */
#define REFUSALS 4u      /* so many */

static const char *const reasons[] = {"intra_warp",    "program",    "watchdog",   "preempted", "load_written",
                                      "store_written", "store_read", "stall_full", "rollover"};
#define REASONS (sizeof reasons / sizeof *reasons)

/* A machine, and the events with which its blocks tell of conflicts. */
typedef struct traced_machine {
    const char *path;
    const char *conflicts[3];
} traced_machine;
static const traced_machine getm = {HEDDLE_MACHINES "/../variants/gtx480_getm.yaml",
                                    {"refus*", "reserved", "conflict"}};
static const traced_machine kilo = {HEDDLE_MACHINES "/../variants/gtx480_warptm.yaml",
                                    {"failure", "verdict", "kilo.*"}};
static const traced_machine ideal = {HEDDLE_MACHINES "/../variants/gtx480_ideal_tm.yaml",
                                     {"doomed", "committed", "refusal"}};

typedef struct traced {
    perfetto_trace trace;
    json_t *stats;
} traced;

static traced trace_of(const traced_machine *machine, const char *events)
{
    char *folder = folder_new(), *trace = path_in(folder, "t"), *stats = path_in(folder, "s.json");
    finished run = heddle("run", machine->path, "hashtable", "--set", "app.sync=tm", "--set", "app.grid=15", "--set",
                          "core.tx.concurrency=3", "--set", "app.buckets=8000", "--quiet", "--stats", stats, "--trace",
                          trace, "--trace-picoseconds", "--trace-event", events, "--trace-event", machine->conflicts[0],
                          "--trace-event", machine->conflicts[1], "--trace-event", machine->conflicts[2]);
    expect_code(&run, 0);
    traced made = {.trace = perfetto_read(trace), .stats = stats_read(stats)};
    finished_free(&run);
    free(trace);
    free(stats);
    folder_remove(folder);
    return made;
}

static void traced_free(traced *of)
{
    perfetto_free(&of->trace);
    json_decref(of->stats);
}

static uint64_t counted(const traced *of, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(stats_at(of->stats, "blocks/core/total"), name));
}

/* Length of all spans of this name, in cycles of the cores. */
static uint64_t cycles_of(const perfetto_trace *trace, const char *name)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < trace->event_count; i++) {
        const trace_event *begin = &trace->events[i];
        if (begin->type != SLICE_BEGIN || strcmp(begin->name, name) != 0)
            continue;
        for (size_t end = i + 1; end < trace->event_count; end++)
            if (trace->events[end].type == SLICE_END && trace->events[end].track == begin->track &&
                !strcmp(trace->events[end].name, name)) {
                sum += (uint64_t)((double)(trace->events[end].t - begin->t) * CORE_HZ / 1e12 + 0.5);
                break;
            }
    }
    return sum;
}

Test(transaction_traces, spans_are_as_long_as_the_statistics_say)
{
    static const char *const spans[][2] = {{"tx.execute", "tx_execute_cycles"},
                                           {"tx.token", "tx_token_cycles"},
                                           {"tx.resolve", "tx_resolve_cycles"},
                                           {"tx.commit", "tx_commit_cycles"},
                                           {"tx.retry", "tx_retry_cycles"}};
    traced at = trace_of(&getm, "t*");
    cr_expect_eq(perfetto_count(&at.trace, "transaction", "/warp["), counted(&at, "tx_begins"));
    cr_expect_eq(perfetto_count(&at.trace, "tx.execute", "/warp["),
                 counted(&at, "tx_begins") + counted(&at, "tx_retries"));
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        cr_expect_gt(counted(&at, spans[i][1]), 0, "%s", spans[i][1]);
        cr_expect_eq(cycles_of(&at.trace, spans[i][0]), counted(&at, spans[i][1]), "%s: %lu, not %lu", spans[i][0],
                     cycles_of(&at.trace, spans[i][0]), counted(&at, spans[i][1]));
    }
    traced_free(&at);
}

static uint64_t value_of(const trace_event *event, const char *name)
{
    for (uint32_t i = 0; i < event->value_count; i++)
        if (!strcmp(event->value_names[i], name))
            return event->values[i];
    cr_assert_fail("%s has no value '%s'", event->name, name);
    return 0;
}

Test(transaction_traces, each_abort_has_its_reason_and_an_arrow_from_what_refused_it)
{
    traced at = trace_of(&getm, "tx.abort");
    uint64_t lanes[REASONS] = {0}, refused = 0;
    for (size_t i = 0; i < at.trace.event_count; i++) {
        const trace_event *event = &at.trace.events[i];
        if (strcmp(event->name, "tx.abort") != 0)
            continue;
        const uint64_t reason = value_of(event, "reason");
        cr_assert_lt(reason, REASONS);
        lanes[reason] += (uint64_t)__builtin_popcountll(value_of(event, "lanes"));
        const uint32_t is_refusal = reason - FIRST_REFUSAL < REFUSALS;
        cr_expect_eq(event->end_count, is_refusal, "an arrow to what was refused");
        refused += is_refusal;
    }
    for (size_t i = 0; i < REASONS; i++) {
        char name[64];
        snprintf(name, sizeof name, "tx_aborts_%s", reasons[i]);
        cr_expect_eq(lanes[i], counted(&at, name), "%s", name);
    }
    cr_expect_gt(refused, 10);
    cr_expect_leq(refused, perfetto_count(&at.trace, "refused", "validation_unit["));
    cr_expect_gt(at.trace.arrow_count, refused, "and arrows from reservations");
    traced_free(&at);
}

/* Each comes from the commit of another transaction, which is named. */
Test(transaction_traces, each_abort_has_an_arrow_from_the_winner_where_it_is_ideal)
{
    traced at = trace_of(&ideal, "tx.abort");
    uint64_t lanes = 0;
    for (size_t i = 0; i < at.trace.event_count; i++) {
        const trace_event *event = &at.trace.events[i];
        if (strcmp(event->name, "tx.abort") != 0)
            continue;
        lanes += (uint64_t)__builtin_popcountll(value_of(event, "lanes"));
        cr_expect_eq(event->end_count, 1, "an arrow from the commit");
        cr_expect_lt(value_of(event, "winner"), 15 * 48);
    }
    cr_expect_gt(lanes, 0);
    cr_expect_eq(lanes, counted(&at, "tx_aborts"));
    cr_expect_eq(lanes, counted(&at, "tx_aborts_read_committed") + counted(&at, "tx_aborts_intra_warp"));
    cr_expect_geq(perfetto_count(&at.trace, "doomed", "transaction_memory"),
                  perfetto_count(&at.trace, "tx.abort", "/warp["));
    traced_free(&at);
}

Test(transaction_traces, commits_of_kilo_tm_are_as_long_as_the_statistics_say)
{
    static const char *const spans[][2] = {{"kilo.ids", "tx_id_cycles"},
                                           {"kilo.send", "tx_send_cycles"},
                                           {"kilo.verdicts", "tx_verdict_cycles"},
                                           {"kilo.write", "tx_write_cycles"},
                                           {"tx.commit", "tx_commit_cycles"}};
    traced at = trace_of(&kilo, "tx.*");
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        cr_expect_gt(counted(&at, spans[i][1]), 0, "%s", spans[i][1]);
        cr_expect_eq(cycles_of(&at.trace, spans[i][0]), counted(&at, spans[i][1]), "%s: %lu, not %lu", spans[i][0],
                     cycles_of(&at.trace, spans[i][0]), counted(&at, spans[i][1]));
    }
    traced_free(&at);
}

/* An arrow from each verdict that a lane fails to the core: to the message that says so of all lanes of its warp. */
Test(transaction_traces, each_failure_has_an_arrow_from_the_unit_that_has_found_it)
{
    traced at = trace_of(&kilo, "tx.abort");
    uint64_t failing = 0, arrived = 0, aborted = 0;
    for (size_t i = 0; i < at.trace.event_count; i++) {
        const trace_event *event = &at.trace.events[i];
        if (!strcmp(event->name, "verdict"))
            failing += !value_of(event, "passes");
        if (!strcmp(event->name, "kilo.verdict"))
            arrived += event->end_count;
        if (!strcmp(event->name, "kilo.outcome"))
            aborted += (uint64_t)__builtin_popcountll(value_of(event, "abort"));
    }
    cr_expect_gt(failing, 10);
    cr_expect_eq(arrived, failing);
    cr_expect_eq(at.trace.arrow_count, failing);
    cr_expect_eq(aborted, counted(&at, "tx_aborts_validation"));
    traced_free(&at);
}
