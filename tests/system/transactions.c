/* SPDX-License-Identifier: MIT */
/* Transactional apps on transactional machines, held against a serial order; and that this is not for nothing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "test_inputs.h"

#define GETM HEDDLE_MACHINES "/../variants/gtx480_getm.yaml"
#define GETM_56 HEDDLE_MACHINES "/../variants/gtx480_56_core_getm.yaml"
#define IDEAL HEDDLE_MACHINES "/../variants/gtx480_ideal_tm.yaml"
#define KILO HEDDLE_MACHINES "/../variants/gtx480_kilo_tm.yaml"
#define WARPTM HEDDLE_MACHINES "/../variants/gtx480_warptm.yaml"
#define WARPTM_TCD HEDDLE_MACHINES "/../variants/gtx480_warptm_tcd.yaml"
#define EAPG HEDDLE_MACHINES "/../variants/gtx480_eapg.yaml"
#define EAPG_RENLIS HEDDLE_MACHINES "/../variants/gtx480_eapg_renlis.yaml"
#define WARPTM_EL HEDDLE_MACHINES "/../variants/gtx480_warptm_el.yaml"
#define LOCAL_TM HEDDLE_MACHINES "/../variants/southern_islands_cu_local_tm.yaml"
#define IDEAL_FX5800 HEDDLE_MACHINES "/../variants/quadro_fx5800_ideal_tm.yaml"
#define KILO_FX5800 HEDDLE_MACHINES "/../variants/quadro_fx5800_kilo_tm.yaml"
#define NONE HEDDLE_MACHINES "/gtx480.yaml"

typedef struct asked {
    const char *netlist;
    const char *sets[RUN_CHANGES]; /* of the machine */
    uint64_t disturbance;
    uint32_t check;
} asked;

static machine_run run_input(const asked *asked, const test_input *input)
{
    const char *sets[RUN_CHANGES + 1] = {0};
    size_t count = 0;
    for (size_t i = 0; asked->sets[i]; i++)
        sets[count++] = asked->sets[i];
    for (size_t i = 0; i < input->option_count; i++)
        sets[count++] = input->options[i];
    char *app = path_in(HEDDLE_APPS, input->app);
    const machine_run run = run_machine(&(run_request){.netlist = asked->netlist,
                                                       .app = app,
                                                       .sets = sets,
                                                       .check_transactions = asked->check,
                                                       .disturbance = asked->disturbance});
    free(app);
    return run;
}

static uint64_t checked(const machine_run *run, const char *count)
{
    return (uint64_t)json_integer_value(json_object_get(json_object_get(run->results, "transaction_check"), count));
}

/* Also the last, after which the program may end at once. */
static void expect_kernels_have_ended(const machine_run *run, const char *app)
{
    size_t i;
    const json_t *kernel;
    json_array_foreach(json_object_get(run->results, "kernels"), i, kernel)
        cr_expect(json_is_true(json_object_get(kernel, "complete")), "%s: launch %zu", app, i);
}

/* Of these inputs, which it frees: of one in so many, beginning with the first that is not skipped. */
static void expect_serialisable_of(const asked *asked, test_input *inputs, size_t count, size_t skipped, size_t one_in)
{
    cr_assert_gt(count, skipped);
    for (size_t i = skipped; i < count; i += one_in) {
        machine_run run = run_input(asked, &inputs[i]);
        cr_expect(run.outcome == HD_OUTCOME_PASS && !run.was_refused, "%s %s on %s %s: %s", inputs[i].app,
                  inputs[i].options[0], asked->netlist, asked->sets[0] ? asked->sets[0] : "", run.message);
        if (run.outcome == HD_OUTCOME_PASS) {
            cr_expect_gt(checked(&run, "transactions"), 0);
            cr_expect_eq(checked(&run, "replayed") + checked(&run, "placed"), checked(&run, "transactions"), "%s",
                         inputs[i].app);
            cr_expect_eq(checked(&run, "mixed"), 0);
            expect_kernels_have_ended(&run, inputs[i].app);
        }
        run_free(&run);
    }
    free(inputs);
}

static void expect_serialisable(const asked *asked)
{
    size_t count;
    test_input *inputs = test_inputs_read_transactional(&count);
    expect_serialisable_of(asked, inputs, count, 0, 1);
}

/* Each of these with every other input, the next with those between: with all if HEDDLE_EVERY_PAIR is set. */
static void expect_serialisable_in_turn(const asked *settings, size_t setting_count)
{
    const size_t one_in = getenv("HEDDLE_EVERY_PAIR") ? 1 : 2;
    for (size_t i = 0; i < setting_count; i++) {
        size_t count;
        test_input *inputs = test_inputs_read_transactional(&count);
        asked asked = settings[i];
        asked.check = 1;
        expect_serialisable_of(&asked, inputs, count, i % one_in, one_in);
    }
}

Test(transactions, commit_in_a_serial_order_on_the_scratchpad)
{
    static const char *const tables[] = {"core.tx.local.detection=dcd", "core.tx.local.detection=smdcd"};
    for (size_t i = 0; i < 2; i++) {
        size_t count;
        test_input *inputs = test_inputs_read_on_scratchpads(&count);
        expect_serialisable_of(&(asked){.netlist = LOCAL_TM, .sets = {tables[i]}, .check = 1}, inputs, count, 0, 1);
    }
}

Test(transactions, commit_in_a_serial_order)
{
    expect_serialisable(&(asked){.netlist = GETM, .check = 1});
    expect_serialisable(&(asked){.netlist = GETM_56, .check = 1});
    expect_serialisable(&(asked){.netlist = IDEAL, .check = 1});
    expect_serialisable(&(asked){.netlist = IDEAL_FX5800, .check = 1});
    expect_serialisable(&(asked){.netlist = KILO, .check = 1});
    expect_serialisable(&(asked){.netlist = WARPTM, .check = 1});
    expect_serialisable(&(asked){.netlist = WARPTM_TCD, .check = 1});
    expect_serialisable(&(asked){.netlist = WARPTM_EL, .check = 1});
    expect_serialisable(&(asked){.netlist = EAPG, .check = 1});
    expect_serialisable(&(asked){.netlist = EAPG_RENLIS, .check = 1});
    expect_serialisable(&(asked){.netlist = KILO_FX5800, .check = 1});
}

Test(transactions, do_so_whatever_is_scarce)
{
    static const asked scarce[] = {
        {GETM, .sets = {"core.tx.concurrency=1"}},
        {GETM, .sets = {"core.tx.concurrency=0"}},
        {GETM, .sets = {"core.tx.intra_warp=scr"}},
        {GETM,
         .sets = {"validation_unit.precise.entries=6", "validation_unit.precise.ways=1", "validation_unit.stash=1"}},
        {GETM, .sets = {"validation_unit.stall.lines=1", "validation_unit.stall.entries=1"}},
        {GETM, .sets = {"core.tx.getm.granule=128 B", "validation_unit.granule=128 B"}},
        {GETM, .sets = {"core.tx.getm.granule=16 B", "validation_unit.granule=16 B"}},
        {GETM, .sets = {"core.tx.getm.granule=8 B", "validation_unit.granule=8 B"}},
        {GETM, .sets = {"core.tx.getm.granule=4 B", "validation_unit.granule=4 B"}},
        {GETM, .sets = {"core.tx.store_blocking=false"}},
        {GETM,
         .sets = {"validation_unit.clock_bits=6", "validation_unit.rollover_margin=60"}}, /* rollovers under load */
        {GETM, .sets = {"validation_unit.approximate=maximum_register", "validation_unit.precise.entries=24"}},
    };
    expect_serialisable_in_turn(scarce, sizeof scarce / sizeof *scarce);
}

Test(transactions, commit_in_a_serial_order_where_it_is_ideal)
{
    static const asked others[] = {
        {IDEAL, .sets = {"core.tx.concurrency=1"}},
        {IDEAL, .sets = {"core.tx.log_traffic=l1", "core.tx.back_off.base=64 cycles", "core.tx.concurrency=4"}},
        {IDEAL, .sets = {"core.lanes=64", "core.warps=24"}},
        {IDEAL, .sets = {"core.memory.accesses=4", "core.memory.queue=2"}},
        {IDEAL, .sets = {"l2.type=write_through"}},
    };
    expect_serialisable_in_turn(others, sizeof others / sizeof *others);
}

Test(transactions, commit_in_a_serial_order_where_they_are_validated)
{
    static const asked others[] = {
        {KILO, .sets = {"core.tx.concurrency=0"}},
        {KILO, .sets = {"core.tx.concurrency=0", "commit_unit.history=lwh", "commit_unit.history.entries=1",
                        "commit_unit.history.ways=1", "commit_unit.history.filter=1"}},
        {KILO, .sets = {"core.tx.intra_warp=2pcr", "commit_unit.coalesce=128 B", "commit_unit.dual_issue=true"}},
        {KILO, .sets = {"commit_unit.buffer.words=1", "commit_unit.history=bfarray"}},
        {WARPTM, .sets = {"core.tx.concurrency=0", "commit_unit.history=lwh", "commit_unit.history.entries=1",
                          "commit_unit.history.ways=1", "commit_unit.history.filter=1"}},
        {WARPTM, .sets = {"core.tx.intra_warp=scr", "commit_unit.hazard.rate=2", "commit_id_vendor.latency=50 cycles"}},
        {WARPTM, .sets = {"core.tx.intra_warp=eager", "commit_unit.coalesce=0 B", "commit_unit.buffer.words=1"}},
        {WARPTM, .sets = {"commit_unit.entries=64", "commit_unit.buffer.words=2", "core.memory.accesses=4"}},
        {WARPTM_TCD, .sets = {"core.tx.concurrency=8", "commit_unit.tcd.entries=16", "l2.type=write_through"}},
        {EAPG, .sets = {"core.tx.concurrency=0", "core.tx.eapg.store_hits=read", "commit_unit.broadcast.interval=3",
                        "core.tx.eapg.table.entries=8"}},
        {EAPG, .sets = {"core.tx.intra_warp=eager", "commit_unit.buffer.words=1", "commit_unit.broadcast.size=exact",
                        "commit_unit.broadcast.release=retirement"}},
        {EAPG_RENLIS,
         .sets = {"core.tx.concurrency=0", "core.tx.token_hold=false", "core.reconvergence.stack.likely_points=loops"}},
        {EAPG, .sets = {"core.tx.eapg.pause=wait", "core.tx.eapg.table=signatures", "commit_unit.broadcast=signatures",
                        "commit_unit.broadcast.cost=1 cycle", "core.tx.eapg.table.cost=blocks"}},
        {WARPTM_EL, .sets = {"core.tx.concurrency=0", "core.tx.intra_warp=eager", "core.tx.back_off.base=0 cycles"}},
        {WARPTM_EL,
         .sets = {"core.tx.warptm_el.compare=end", "commit_unit.coalesce=0 B", "commit_unit.dual_issue=true"}},
        {WARPTM_EL, .sets = {"commit_unit.aggregate=false", "core.memory.accesses=4", "core.tx.own_reads=validate"}},
    };
    expect_serialisable_in_turn(others, sizeof others / sizeof *others);
}

/* Calls of blocks in another order, windows cut elsewhere. */
Test(transactions, do_not_depend_on_the_order_of_calls)
{
    expect_serialisable(&(asked){.netlist = GETM, .check = 1, .disturbance = 4711});
    expect_serialisable(&(asked){.netlist = IDEAL, .check = 1, .disturbance = 4711});
    expect_serialisable(&(asked){.netlist = WARPTM_TCD, .check = 1, .disturbance = 4711});
    expect_serialisable(&(asked){.netlist = WARPTM_EL, .check = 1, .disturbance = 4711});
    expect_serialisable(&(asked){.netlist = EAPG, .check = 1, .disturbance = 4711});
}

static uint64_t cycles_of(const asked *asked, const test_input *input)
{
    machine_run run = run_input(asked, input);
    cr_expect_eq(run.outcome, HD_OUTCOME_PASS, "%s: %s", asked->netlist, run.message);
    const json_t *kernel;
    size_t i;
    uint64_t cycles = 0;
    json_array_foreach(json_object_get(run.results, "kernels"), i, kernel)
    {
        cycles += (uint64_t)json_integer_value(json_object_get(kernel, "cycles"));
    }
    run_free(&run);
    return cycles;
}

static uint64_t kernel_cycles(const char *netlist, const test_input *input)
{
    return cycles_of(&(asked){.netlist = netlist}, input);
}

/* EI-7: what EAPG is beside it takes no time if it is off, and some if it is on. */
Test(transactions, are_those_of_warptm_without_early_aborts_and_pauses)
{
    static const asked off = {
        EAPG, .sets = {"core.tx.eapg.early_abort=false", "core.tx.eapg.pause=off", "commit_unit.broadcast=nothing"}};
    size_t count;
    test_input *inputs = test_inputs_read_transactional(&count);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(cycles_of(&off, &inputs[i]), kernel_cycles(WARPTM_TCD, &inputs[i]), "%s", inputs[i].app);
    cr_expect_neq(kernel_cycles(EAPG, &inputs[count - 1]), kernel_cycles(WARPTM_TCD, &inputs[count - 1]));
    free(inputs);
}

Test(transactions, need_a_way_from_every_core_where_one_block_decides)
{
    machine_run run = run_machine(&(run_request){
        .netlist = SYSTEM_MACHINES "/half_linked_tm.yaml", .app = SYSTEM_APPS "/skew", .sets = (const char *[]){NULL}});
    cr_expect(run.was_refused);
    cr_expect_not_null(strstr(run.message,
                              "tx 'ideal' needs a link from port transaction_request of every core to that "
                              "block; 14 of 15 have one"),
                       "%s", run.message);
    run_free(&run);
}

static void expect_refusal(const char *netlist, const char *set, const char *error)
{
    machine_run run = run_machine(
        &(run_request){.netlist = netlist, .app = SYSTEM_APPS "/skew", .sets = (const char *[]){set, NULL}});
    cr_expect(run.was_refused);
    const char *first = strstr(run.message, "error");
    cr_expect(first && strstr(first, error) && !strstr(first + 1, "error"), "not '%s' alone: %s", error, run.message);
    run_free(&run);
}

Test(transactions, that_are_validated_need_units_that_go_with_their_core)
{
    expect_refusal(SYSTEM_MACHINES "/kilo_without_vendor.yaml", NULL, "needs one block that gives out commit IDs");
    expect_refusal(SYSTEM_MACHINES "/kilo_of_five_units.yaml", NULL, "it wants 6 of commit_unit/kilo, and there are 5");
    expect_refusal(SYSTEM_MACHINES "/tcd_of_two_clocks.yaml", NULL,
                   "'fast_unit' has clock l2, 'slow_unit' has clock slow");
    expect_refusal(SYSTEM_MACHINES "/kilo_without_taps.yaml", NULL, "port 'tap' of 'commit_unit' is linked at 0 of 6");
    expect_refusal(WARPTM, "commit_unit.aggregate=false", "needs commit units that tell verdicts as the core tells");
    expect_refusal(WARPTM_TCD, "commit_unit.tcd=false", "needs commit units that know when words were written");
    expect_refusal(KILO, "commit_unit.coalesce=32 B", "coalesce is 32, but must be 0");
    expect_refusal(KILO, "commit_unit.aggregate=true", "needs commit units that tell verdicts as the core tells");
    expect_refusal(WARPTM, "core.tx.intra_warp=protocol", "aggregate is true, but must be false");
    expect_refusal(GETM, "core.tx.intra_warp=protocol", "does not find conflicts within a warp by itself");
    expect_refusal(KILO, "core.lanes=64", "is defined for warps of at most 32 lanes");
    expect_refusal(WARPTM, "commit_unit.validate=nothing",
                   "validate is nothing, but must be read_sets: tx 'kilo' needs");
    expect_refusal(WARPTM, "core.tx=ideal", "needs one block that decides for all cores");
}

Test(transactions, need_tables_of_some_size)
{
    static const char *const tables[] = {
        "commit_unit.history.entries=0",   "commit_unit.history.ways=0",      "commit_unit.history.filter=0",
        "commit_unit.tcd.entries=0",       "commit_unit.tcd.subarrays=0",     "commit_unit.hazard.rate=0",
        "commit_unit.history.subarrays=0", "commit_unit.broadcast.entries=0", "core.tx.eapg.table.entries=0"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        expect_refusal(EAPG, tables[i], "is '0'; it must be between 1 and");
}

Test(transactions, need_histories_that_come_out_even)
{
    expect_refusal(SYSTEM_MACHINES "/kilo_of_six_entries.yaml", NULL,
                   "history.entries must be a multiple of history.ways");
    expect_refusal(SYSTEM_MACHINES "/kilo_of_six_bits.yaml", NULL, "history.signature must be a multiple of 4");
}

/* However much follows from it. */
Test(transactions, are_refused_once_where_their_protocol_is_not_that_of_the_machine)
{
    expect_refusal(KILO, "core.tx=none", "'tx' of block 'core' is none, and block 'commit_unit' takes");
    expect_refusal(GETM, "core.tx=none", "'tx' of block 'core' is none, and block 'validation_unit' takes");
    expect_refusal(IDEAL, "core.tx=none",
                   "'transaction_memory' sends 'ideal.words/1', which 'core' takes only with ideal");
    expect_refusal(EAPG, "core.tx=kilo", "which 'core' takes only with eapg");
    expect_refusal(WARPTM_TCD, "commit_unit.broadcast=words", "note: 'broadcast' of block 'commit_unit' is words here");
    expect_refusal(NONE, "core.tx=kilo", "note: tx 'kilo' needs one block that gives out commit IDs");
    expect_refusal(WARPTM, "core.tx=eapg", "note: broadcast is nothing, but must be words");
    expect_refusal(EAPG, "core.tx=warptm_el", "needs one block that knows what all cores have read");
    expect_refusal(EAPG, "core.tx.eapg.table=signatures", "note: 'tx.eapg.table' of block 'core' is signatures here");
    expect_refusal(WARPTM, "commit_unit.count=3", "note: 'commit_unit' has 3 instances here");
    expect_refusal(GETM, "validation_unit.count=3", "note: 'validation_unit' has 3 instances here");
}

Test(transactions, that_pause_need_units_that_tell_them_when)
{
    expect_refusal(EAPG, "commit_unit.broadcast=nothing",
                   "needs commit units that tell which words are being committed");
    expect_refusal(EAPG, "commit_unit.broadcast=signatures",
                   "needs commit units that tell which words are being committed");
    expect_refusal(EAPG, "core.tx.eapg.table=signatures", "broadcast is words, but must be signatures");
    expect_refusal(EAPG, "core.reconvergence=mimd", "needs lanes that run together");
    expect_refusal(EAPG, "commit_unit.aggregate=false", "needs commit units that tell verdicts as the core tells");
    expect_refusal(EAPG, "core.tx.intra_warp=protocol", "aggregate is true, but must be false");
}

Test(transactions, that_are_compared_at_no_cost_need_blocks_that_do_the_rest)
{
    expect_refusal(SYSTEM_MACHINES "/warptm_el_half_linked.yaml", NULL, "every core to that block; 14 of 15 have one");
    expect_refusal(SYSTEM_MACHINES "/warptm_el_without_block.yaml", NULL,
                   "needs one block that knows what all cores have");
    expect_refusal(SYSTEM_MACHINES "/ideal_without_stores.yaml", NULL, "tx 'ideal' needs a block that writes");
    expect_refusal(WARPTM_EL, "commit_unit.validate=read_sets", "validate is read_sets, but must be nothing");
    expect_refusal(WARPTM_EL, "commit_unit.entries=64", "needs commit units with room for every commit ID");
    expect_refusal(WARPTM_EL, "commit_unit.buffer.words=1", "buffer.words must be 0 (unlimited) where nothing is");
    expect_refusal(WARPTM_EL, "commit_unit.tcd=true", "has no use for commit units that know when words were written");
    expect_refusal(WARPTM_EL, "transaction_memory.conflicts=words", "conflicts is words, but must be values");
    expect_refusal(WARPTM_EL, "core.tx.intra_warp=protocol", "does not find conflicts within a warp by itself");
    expect_refusal(WARPTM_EL, "core.lanes=64", "is defined for warps of at most 32 lanes");
    expect_refusal(IDEAL, "transaction_memory.conflicts=values", "conflicts is values, but must be words");
}

static uint32_t asks_for(const test_input *input, const char *option)
{
    for (size_t i = 0; i < input->option_count; i++)
        if (strcmp(input->options[i], option) == 0)
            return 1;
    return 0;
}

/* From above: no protocol is faster, unless nothing conflicts (then within a twentieth). From below: without transactions there is no result, and one reason why. */
Test(transactions, lie_between_their_bounds)
{
    size_t count;
    test_input *inputs = test_inputs_read_transactional(&count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t ideal = kernel_cycles(IDEAL, &inputs[i]), getm = kernel_cycles(GETM, &inputs[i]);
        cr_expect_gt(ideal, 0);
        const uint64_t margin = asks_for(&inputs[i], "app.pairs=1") ? getm / 20 : 0;
        cr_expect_lt(ideal, getm + margin, "%s", inputs[i].app);
        machine_run none = run_input(&(asked){.netlist = NONE}, &inputs[i]);
        cr_expect_eq(none.outcome, HD_OUTCOME_FAULT);
        cr_expect_not_null(strstr(none.message, "'tx.begin 1', but this machine has no transactional memory"), "%s",
                           none.message);
        run_free(&none);
    }
    free(inputs);
}

/* Fig. 4 of GETM's paper: no attempt is lost by the time that validation takes. */
Test(transactions, are_faster_where_they_are_compared_at_no_cost)
{
    static const test_input inputs[] = {
        {.app = "hashtable", .options = {"app.sync=tm", "app.grid=12"}, .option_count = 2},
        {.app = "atm", .options = {"app.sync=tm", "app.transfers=2000"}, .option_count = 2}};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const uint64_t ideal = kernel_cycles(IDEAL, &inputs[i]), lazy = kernel_cycles(WARPTM, &inputs[i]);
        const uint64_t eager = kernel_cycles(WARPTM_EL, &inputs[i]);
        cr_expect(ideal < eager && eager < lazy, "%s: %lu, %lu, %lu", inputs[i].app, ideal, eager, lazy);
    }
}

Test(transactions, run_as_they_would_unchecked)
{
    size_t count;
    test_input *inputs = test_inputs_read_transactional(&count);
    for (size_t i = 0; i < 2 * count; i++) {
        const char *netlist = i < count ? GETM : WARPTM_TCD;
        const test_input *input = &inputs[i % count];
        machine_run with = run_input(&(asked){.netlist = netlist, .check = 1}, input);
        machine_run without = run_input(&(asked){.netlist = netlist}, input);
        json_object_del(with.results, "transaction_check");
        cr_expect(json_equal(with.results, without.results), "%s %s", input->app, input->options[0]);
        run_free(&with);
        run_free(&without);
    }
    free(inputs);
}

static machine_run run_skew(const char *tie_break, const char *warp_bits, uint32_t seed)
{
    char seeded[32];
    snprintf(seeded, sizeof seeded, "app.seed=%u", seed);
    const char *sets[] = {tie_break, warp_bits, seeded, NULL};
    return run_machine(
        &(run_request){.netlist = GETM, .app = SYSTEM_APPS "/skew", .sets = sets, .check_transactions = 1});
}

/* Each reads what the other writes: one of them has to see it. */
static void expect_no_skew(const char *netlist)
{
    for (uint32_t seed = 1; seed <= 5; seed++) {
        char seeded[32];
        snprintf(seeded, sizeof seeded, "app.seed=%u", seed);
        const char *sets[] = {seeded, NULL};
        machine_run run = run_machine(&(run_request){.netlist = netlist,
                                                     .app = SYSTEM_APPS "/skew",
                                                     .sets = sets,
                                                     .disturbance = seed,
                                                     .check_transactions = 1});
        cr_expect_eq(run.outcome, HD_OUTCOME_PASS, "%s, seed %u: %s", netlist, seed, run.message);
        cr_expect_eq(checked(&run, "edges") > 0, !strcmp(netlist, IDEAL), "by value, no graph is made");
        cr_expect_eq(checked(&run, "replayed") + checked(&run, "placed"), checked(&run, "transactions"));
        run_free(&run);
    }
}

Test(transactions, do_not_skew_where_it_is_ideal_or_they_are_validated)
{
    expect_no_skew(IDEAL);
    expect_no_skew(KILO);
    expect_no_skew(WARPTM_TCD);
    expect_no_skew(WARPTM_EL);
    expect_no_skew(EAPG);
}

/* Plain readings of "each access is validated at no cost": nothing is compared behind the last one, or what counts is memory. */
Test(transactions, are_found_out_when_the_last_comparison_is_too_early_or_with_memory)
{
    static const char *const readings[] = {"core.tx.warptm_el.test.last=access",
                                           "transaction_memory.test.forwarding=no"};
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        const asked asked = {.netlist = WARPTM_EL, .sets = {readings[i]}, .check = 1};
        const test_input input = {
            .app = "hashtable", .options = {"app.sync=tm", "app.buckets=500", "app.grid=12"}, .option_count = 3};
        machine_run run = run_input(&asked, &input);
        cr_expect_eq(run.outcome, HD_OUTCOME_FAULT, "%s", readings[i]);
        cr_expect_not_null(strstr(run.message, "not serialisable"), "%s", run.message);
        run_free(&run);
    }
}

/* With equal clocks, as the paper has them, two transactions may each read what the other writes. */
Test(transactions, are_found_out_when_clocks_are_equal)
{
    uint32_t found = 0;
    for (uint32_t seed = 1; seed <= 5 || (seed <= 40 && !found); seed++) {
        machine_run unique = run_skew("core.tx.getm.tie_break=gwid", "validation_unit.warp_bits=10", seed);
        machine_run equal = run_skew("core.tx.getm.tie_break=paper", "validation_unit.warp_bits=0", seed);
        cr_expect_eq(unique.outcome, HD_OUTCOME_PASS, "seed %u: %s", seed, unique.message);
        cr_expect_gt(checked(&unique, "edges"), 0);
        found += equal.outcome == HD_OUTCOME_FAULT && strstr(equal.message, "not serialisable") &&
                 strstr(equal.message, "cycle: ");
        run_free(&unique);
        run_free(&equal);
    }
    cr_expect_gt(found, 0, "a cycle in one of forty runs at least");
}

/* ---- Progress ---------------------------------------------------------------------------------------------------------- */

static void expect_contention(const char *netlist, const char *const *sets, uint32_t outcome)
{
    machine_run run = run_machine(
        &(run_request){.netlist = netlist, .app = SYSTEM_APPS "/contention", .sets = sets, .check_transactions = 1});
    cr_expect(run.outcome == outcome && !run.was_refused, "%s %s: %s", sets[0], sets[1], run.message);
    run_free(&run);
}

/* Back-off is shorter than an attempt, and each is in the way of all others. */
Test(transactions, that_abort_each_other_for_ever_are_escalated)
{
    static const char *const sets[] = {"app.warps=16",
                                       "app.loads=30",
                                       "app.words=512",
                                       "watchdog=500 us",
                                       "core.tx.getm.escalation=50000 cycles",
                                       NULL};
    static const char *const never[] = {
        "app.warps=16", "app.loads=30", "app.words=512", "watchdog=500 us", "core.tx.getm.escalation=0 cycles", NULL};
    expect_contention(GETM, sets, HD_OUTCOME_PASS);
    expect_contention(GETM_56, sets, HD_OUTCOME_PASS);
    expect_contention(GETM, never, HD_OUTCOME_LIVELOCK);
}

/* Whatever the law; with the linear one, warps that have failed equally often come back together. */
Test(transactions, end_with_each_law_of_back_off)
{
    static const char *const laws[] = {"core.tx.back_off.law=exponential", "core.tx.back_off.law=linear",
                                       "core.tx.back_off.law=published"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        const char *const sets[] = {laws[i],
                                    "core.tx.back_off.base=500 cycles",
                                    "core.tx.back_off.maximum=5000 cycles",
                                    "app.warps=16",
                                    "app.loads=30",
                                    "app.words=512",
                                    "watchdog=500 us",
                                    "core.tx.getm.escalation=50000 cycles",
                                    NULL};
        expect_contention(GETM, sets, HD_OUTCOME_PASS);
        expect_contention(IDEAL, sets, HD_OUTCOME_PASS);
    }
}

/* Somebody always commits: nothing has to be escalated. */
Test(transactions, that_are_validated_do_not_abort_each_other_for_ever)
{
    static const char *const sets[] = {"app.warps=16",     "app.loads=30",          "app.words=512",
                                       "watchdog=2000 us", "core.tx.concurrency=0", NULL};
    expect_contention(KILO, sets, HD_OUTCOME_PASS);
    expect_contention(WARPTM, sets, HD_OUTCOME_PASS);
    expect_contention(WARPTM_EL, sets, HD_OUTCOME_PASS);
}

/* With the law and the waits, the escalation and the watchdog that it has; and with the other laws. */
Test(transactions, end_on_each_machine_as_it_is)
{
    static const char *const machines[] = {GETM,   GETM_56,    IDEAL,     IDEAL_FX5800, KILO,       KILO_FX5800,
                                           WARPTM, WARPTM_TCD, WARPTM_EL, EAPG,         EAPG_RENLIS};
    static const char *const laws[] = {NULL, "core.tx.back_off.law=exponential", "core.tx.back_off.law=linear",
                                       "core.tx.back_off.law=published"};
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
        for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
            const char *const sets[] = {"app.warps=4", "app.loads=30", "app.words=512", laws[l], NULL};
            expect_contention(machines[m], sets, HD_OUTCOME_PASS);
        }
}

Test(transactions, may_store_to_a_word_any_number_of_times)
{
    static const char *const sets[] = {"app.kernel=1", "app.stores=65537", "watchdog=1 s", NULL};
    expect_contention(GETM, sets, HD_OUTCOME_PASS);
    expect_contention(IDEAL, sets, HD_OUTCOME_PASS);
}

Test(transactions, may_try_as_often_as_there_are_epochs)
{
    expect_contention(IDEAL, (const char *[]){"app.kernel=2", "app.attempts=256", NULL}, HD_OUTCOME_PASS);
    expect_contention(WARPTM_EL, (const char *[]){"app.kernel=2", "app.attempts=256", NULL}, HD_OUTCOME_PASS);
}
