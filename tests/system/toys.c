/* SPDX-License-Identifier: MIT */
/* A unit of each kind from outside (tests/plugin/toy_*): it is chosen, works, counts, is tuned by a parameter, and refuses machines. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "measures.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define GETM "gtx480_getm"
#define WORDS_MAX 40u

/* The words, and where results go; fails unless the run passes and prints the text. */
static json_t *run_for(const char *const *words, const char *text)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    const char *all[WORDS_MAX];
    size_t count = 0;
    for (; words[count]; count++)
        all[count] = words[count];
    cr_assert_lt(count + 2, WORDS_MAX);
    all[count++] = "--stats";
    all[count++] = path;
    all[count] = NULL;
    finished run = heddle_run(all);
    expect_code(&run, 0);
    expect_output(&run, text);
    finished_free(&run);
    json_t *stats = stats_read(path), *measures = measures_of_results(stats);
    json_decref(stats);
    free(path);
    folder_remove(folder);
    return measures;
}
#define measures_for(text, ...) run_for((const char *const[]){"run", __VA_ARGS__, NULL}, text)

static uint64_t sum_of(const json_t *measures, const char *kind, const char *name)
{
    uint64_t sum = 0;
    cr_expect(measures_sum(measures, kind, name, &sum), "%s", name);
    return sum;
}

static void expect_refused(const char *const *words, const char *sentence)
{
    finished run = heddle_run(words);
    expect_code(&run, 2);
    expect_error(&run, sentence);
    finished_free(&run);
}
#define refused(sentence, ...) expect_refused((const char *const[]){"run", __VA_ARGS__, NULL}, sentence)

/* ---- The scheduler that declines ------------------------------------------------------------------------------------------ */

#define PACED(interval)                                                                                                \
    SMALL, "hashtable", "--set", "app.grid=4", "--set", "app.inserts=2", "--plugin", TOY_SCHEDULER, "--set",           \
        "core.scheduler=paced", "--set", "core.scheduler.paced.interval=" interval

Test(toys, a_scheduler_declines_for_its_interval)
{
    json_t *fast = measures_for("PASS", PACED("2 cycles")), *slow = measures_for("PASS", PACED("40 cycles"));
    const uint64_t issued = sum_of(slow, "simt_core", "warp_instructions");
    cr_expect_gt(sum_of(slow, "simt_core", "paced_on_time"), 0);
    cr_expect_lt(sum_of(slow, "simt_core", "paced_on_time"), issued);
    cr_expect_gt(sum_of(slow, "simt_core", "slots_backed_off"), sum_of(fast, "simt_core", "slots_backed_off"));
    cr_expect_gt(sum_of(slow, "simt_core", "cycles"), sum_of(fast, "simt_core", "cycles"));
    /* Two ports of a core, one instruction in 40 cycles of each. */
    cr_expect_geq(sum_of(slow, "simt_core", "cycles") * 2, issued * 40 - 2 * 2 * 40);
    json_decref(fast);
    json_decref(slow);
    refused("scheduler 'paced' has one instruction at a time", PACED("2 cycles"), "--set", "core.issue.per_warp=2");
}

/* ---- The detector that counts, and the back-off without delays --------------------------------------------------------------- */

#define SPINNING(repeats)                                                                                              \
    SMALL, "hashtable", "--set", "app.grid=8", "--set", "app.buckets=8", "--plugin", TOY_SPINNING, "--set",            \
        "core.spin=repeats", "--set", "core.spin.repeats.repeats=" repeats

Test(toys, a_detector_finds_loops_and_a_back_off_puts_their_warps_last)
{
    json_t *soon = measures_for("PASS", SPINNING("3")), *late = measures_for("PASS", SPINNING("30"));
    json_t *never = measures_for("PASS", SPINNING("1000000"));
    json_t *behind = measures_for("PASS", SPINNING("3"), "--set", "core.back_off=behind");
    cr_expect_gt(sum_of(late, "simt_core", "repeats_loops"), 0);
    cr_expect_gt(sum_of(soon, "simt_core", "spin_branches"), sum_of(late, "simt_core", "spin_branches"));
    cr_expect_eq(sum_of(never, "simt_core", "spin_branches"), 0);
    cr_expect_eq(sum_of(soon, "simt_core", "cycles"), sum_of(never, "simt_core", "cycles"), "to know changes nothing");
    cr_expect_eq(sum_of(behind, "simt_core", "behind_paths"), sum_of(behind, "simt_core", "spin_branches"));
    cr_expect_neq(sum_of(behind, "simt_core", "cycles"), sum_of(soon, "simt_core", "cycles"));
    json_decref(soon);
    json_decref(late);
    json_decref(never);
    json_decref(behind);
    refused("back_off 'behind' is told of spinning by a detector", SPINNING("3"), "--set", "core.spin=none", "--set",
            "core.back_off=behind");
}

/* ---- The scoreboard with few entries --------------------------------------------------------------------------------------- */

#define ENTRIES(per_warp)                                                                                              \
    SMALL, "hashtable", "--set", "app.grid=4", "--set", "app.inserts=2", "--plugin", TOY_SCOREBOARD, "--set",          \
        "core.scoreboard=entries", "--set", "core.scoreboard.entries.per_warp=" per_warp

Test(toys, a_scoreboard_has_so_many_entries)
{
    json_t *one = measures_for("PASS", ENTRIES("1")), *many = measures_for("PASS", ENTRIES("64"));
    json_t *own = measures_for("PASS", SMALL, "hashtable", "--set", "app.grid=4", "--set", "app.inserts=2");
    cr_expect_gt(sum_of(one, "simt_core", "cycles"), sum_of(many, "simt_core", "cycles"));
    cr_expect_eq(sum_of(many, "simt_core", "cycles"), sum_of(own, "simt_core", "cycles"), "none waits for an entry");
    cr_expect_leq(sum_of(one, "simt_core", "most_entries"), 2, "of two cores one each");
    cr_expect_gt(sum_of(many, "simt_core", "most_entries"), 2);
    json_decref(one);
    json_decref(many);
    json_decref(own);
    refused("scoreboard 'entries' has a mask of 32 bits", ENTRIES("8"), "--set", "core.lanes=64");
}

/* Paths of a warp share its entries: the last may go to one of two that are ready. */
Test(toys, paths_of_a_warp_share_entries)
{
    json_t *measures = measures_for("PASS", ENTRIES("2"), "--plugin", TOY_RECONVERGENCE, "--set",
                                    "core.reconvergence=lowest_pc", "--set", "core.schedulers=1");
    json_t *mimd = measures_for("PASS", ENTRIES("3"), "--set", "core.reconvergence=mimd");
    cr_expect_eq(sum_of(measures, "simt_core", "most_entries"), 4, "two in each of two cores");
    cr_expect_eq(sum_of(mimd, "simt_core", "most_entries"), 6);
    json_decref(measures);
    json_decref(mimd);
}

/* ---- The reconvergence unit with two paths --------------------------------------------------------------------------------- */

#define LOWEST_PC "--plugin", TOY_RECONVERGENCE, "--set", "core.reconvergence=lowest_pc"
#define TRANSACTIONS                                                                                                   \
    GETM, "hashtable", "--set", "app.sync=tm", "--set", "app.grid=4", "--set", "app.buckets=64", "--check-tx"

Test(toys, a_reconvergence_unit_has_two_paths_and_transactions, .timeout = 300)
{
    json_t *halves = measures_for("are serialisable", TRANSACTIONS, LOWEST_PC);
    json_t *uneven =
        measures_for("are serialisable", TRANSACTIONS, LOWEST_PC, "--set", "core.reconvergence.lowest_pc.lower=3");
    json_t *stack = measures_for("are serialisable", TRANSACTIONS);
    cr_expect_gt(sum_of(halves, "simt_core", "tx_begins"), sum_of(stack, "simt_core", "tx_begins"),
                 "paths begin transactions of their own");
    cr_expect_eq(sum_of(halves, "simt_core", "tx_commits"), sum_of(stack, "simt_core", "tx_commits"));
    cr_expect_neq(sum_of(halves, "simt_core", "cycles"), sum_of(uneven, "simt_core", "cycles"));
    cr_expect_gt(sum_of(halves, "simt_core", "tx_aborts"), 0);
    json_decref(halves);
    json_decref(uneven);
    json_decref(stack);
    refused("reconvergence 'lowest_pc' needs two lanes at least", SMALL, "vecadd", LOWEST_PC, "--set", "core.lanes=1");
}

/* Where lanes part and meet: the app verifies what they have done. On a core of either type, and blocks move. */
Test(toys, lanes_of_a_path_part_and_meet, .timeout = 300)
{
    static const char *const types[] = {"core.type=timed", "core.type=functional"};
    for (size_t i = 0; i < 2; i++) {
        json_t *measures = measures_for("PASS", i ? SYSTEM_MACHINES "/functional.yaml" : SMALL, "bfs", "--set",
                                        "app.scale=7", LOWEST_PC, "--set", types[i]);
        cr_expect_gt(sum_of(measures, "simt_core", "lowest_pc_meetings"), 0, "%s", types[i]);
        json_decref(measures);
    }
}

/* ---- The protocol of transactions, with its block ---------------------------------------------------------------------------- */

#define TICKET TICKET_MACHINE, "--plugin", TOY_TRANSACTIONS, "--check-tx"

Test(toys, a_protocol_comes_with_its_block, .timeout = 300)
{
    json_t *kept = measures_for("are serialisable", TICKET, "hashtable", "--set", "app.sync=tm", "--set", "app.grid=4",
                                "--set", "app.buckets=16");
    json_t *given_back = measures_for("are serialisable", TICKET, "hashtable", "--set", "app.sync=tm", "--set",
                                      "app.grid=4", "--set", "app.buckets=16", "--set", "core.tx.ticket.keep=false");
    cr_expect_gt(sum_of(kept, "simt_core", "tx_aborts"), 0, "lanes of a warp conflict");
    cr_expect_eq(sum_of(kept, "simt_core", "tx_tickets"), sum_of(kept, "simt_core", "tx_begins"));
    cr_expect_eq(sum_of(given_back, "simt_core", "tx_tickets"),
                 sum_of(given_back, "simt_core", "tx_begins") + sum_of(given_back, "simt_core", "tx_retries"));
    cr_expect_eq(sum_of(kept, "ticket_office", "granted"), sum_of(kept, "simt_core", "tx_tickets"));
    cr_expect_eq(sum_of(kept, "simt_core", "tx_ticket_words"), sum_of(kept, "simt_core", "tx_write_words"));
    cr_expect_gt(sum_of(kept, "ticket_office", "most_waiting"), 1);
    json_decref(kept);
    json_decref(given_back);
}

Test(toys, a_protocol_from_outside_has_every_law_of_the_shared_part, .timeout = 300)
{
    static const char *const settings[] = {"core.tx.watchdog=3000 cycles", "core.tx.intra_warp=eager",
                                           "core.tx.concurrency=1", "core.tx.log_traffic=none", "perturb=3"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        json_t *measures = measures_for("are serialisable", TICKET, "atm", "--set", "app.sync=tm", "--set",
                                        "app.grid=4", "--set", "app.transfers=768", "--set", settings[i]);
        cr_expect_eq(sum_of(measures, "simt_core", "tx_commits"), 768, "%s", settings[i]);
        cr_expect_eq(sum_of(measures, "simt_core", "tx_aborts_watchdog") != 0, i == 0, "some wait for too long");
        json_decref(measures);
    }
}

/* The next warp gets the ticket when all is in memory, however long that takes. */
Test(toys, a_ticket_goes_on_when_words_are_in_memory, .timeout = 300)
{
    json_t *measures =
        measures_for("are serialisable", FAR_OFFICE, "--plugin", TOY_TRANSACTIONS, "--check-tx", "hashtable", "--set",
                     "app.sync=tm", "--set", "app.grid=4", "--set", "app.buckets=16");
    cr_expect_gt(sum_of(measures, "simt_core", "tx_commits"), 0);
    json_decref(measures);
}

/* Two units from outside that know nothing of each other. */
Test(toys, a_protocol_and_a_reconvergence_unit_work_together, .timeout = 300)
{
    json_t *measures = measures_for("are serialisable", TICKET, LOWEST_PC, "hashtable", "--set", "app.sync=tm", "--set",
                                    "app.grid=4", "--set", "app.buckets=64");
    cr_expect_gt(sum_of(measures, "simt_core", "tx_commits"), 0);
    json_decref(measures);
}

Test(toys, a_protocol_requires_its_block_and_links)
{
    refused("tx 'ticket' needs one ticket office", SMALL, "hashtable", "--set", "app.sync=tm", "--plugin",
            TOY_TRANSACTIONS, "--set", "core.tx=ticket", "--set", "core.l1.global=bypass");
    refused("tx 'ticket' needs tx.token_hold", TICKET, "hashtable", "--set", "app.sync=tm", "--set",
            "core.tx.token_hold=false");
}

/* ---- All ------------------------------------------------------------------------------------------------------------------- */

Test(toys, are_explained)
{
    static const struct {
        const char *unit, *plugin, *text, *chosen;
    } units[] = {
        {"scheduler/paced", TOY_SCHEDULER, "scheduler.paced.interval", "Chosen by scheduler of simt_core/timed"},
        {"scoreboard/entries", TOY_SCOREBOARD, "most_entries", "Chosen by scoreboard of simt_core/timed"},
        {"reconvergence/lowest_pc", TOY_RECONVERGENCE, "needs two lanes at least", "of simt_core/functional"},
        {"tx/ticket", TOY_TRANSACTIONS, "toy.ticket_ask/1", "Chosen by tx of simt_core/timed"},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        finished run = heddle("list", "units", units[i].unit, "--plugin", units[i].plugin);
        expect_code(&run, 0);
        expect_output(&run, units[i].text);
        expect_output(&run, units[i].chosen);
        finished_free(&run);
    }
}
