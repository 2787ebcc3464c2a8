/* SPDX-License-Identifier: MIT */
/* Kernels with transactions on global memory and on the scratchpad, on machines that have a protocol for each. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "test_inputs.h"

#define VARIANT(name) HEDDLE_MACHINES "/../variants/" name ".yaml"
#define BOTH VARIANT("gtx480_getm_local_tm")
#define SETS_MAX 3u

static machine_run run_input(const char *netlist, const char *const *sets, const test_input *input)
{
    const char *all[INPUT_OPTIONS_MAX + SETS_MAX + 1] = {0};
    size_t count = 0;
    for (; sets[count]; count++)
        all[count] = sets[count];
    for (size_t i = 0; i < input->option_count; i++)
        all[count++] = input->options[i];
    char *app = path_in(HEDDLE_APPS, input->app);
    const machine_run run =
        run_machine(&(run_request){.netlist = netlist, .app = app, .sets = all, .check_transactions = 1});
    free(app);
    return run;
}

static uint64_t checked(const machine_run *run, const char *count)
{
    return (uint64_t)json_integer_value(json_object_get(json_object_get(run->results, "transaction_check"), count));
}

static uint64_t statistic(const machine_run *run, const char *name)
{
    const json_t *core = json_object_get(json_object_get(run->results, "blocks"), "core");
    return (uint64_t)json_integer_value(json_object_get(json_object_get(core, "total"), name));
}

/* In all runs together. */
typedef struct happened {
    uint64_t rollovers, gave_way;
} happened;

static happened expect_serialisable(const char *netlist, const char *const *sets)
{
    size_t count;
    happened seen = {0};
    test_input *inputs = test_inputs_read_on_both(&count);
    cr_assert_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        machine_run run = run_input(netlist, sets, &inputs[i]);
        cr_expect(run.outcome == HD_OUTCOME_PASS && !run.was_refused, "%s on %s: %s", inputs[i].app, netlist,
                  run.message);
        const uint64_t all = checked(&run, "transactions"), on_scratchpad = checked(&run, "on_scratchpad");
        cr_expect(0 < on_scratchpad && on_scratchpad < all, "%s: %lu of %lu", netlist, on_scratchpad, all);
        cr_expect_eq(checked(&run, "replayed") + checked(&run, "placed"), all);
        cr_expect_eq(checked(&run, "mixed"), 0);
        cr_expect_eq(checked(&run, "reads"), (2 + 1) * on_scratchpad, "of a payment: two balances, and a till");
        cr_expect_eq(checked(&run, "writes"), (3 + 1) * on_scratchpad, "and a receipt");
        cr_expect_eq(statistic(&run, "tx_commits"), all);
        cr_expect_eq(statistic(&run, "tx_scratchpad_commits"), on_scratchpad);
        cr_expect_eq(statistic(&run, "tx_attempts"), all + statistic(&run, "tx_aborts"));
        cr_expect_eq(statistic(&run, "tx_scratchpad_attempts"),
                     on_scratchpad + statistic(&run, "tx_scratchpad_aborts"));
        cr_expect_gt(statistic(&run, "tx_scratchpad_aborts"), 0);
        cr_expect_lt(statistic(&run, "tx_scratchpad_aborts"), statistic(&run, "tx_aborts"));
        seen.rollovers += statistic(&run, "tx_rollovers");
        seen.gave_way += statistic(&run, "tx_aborts_gave_way");
        run_free(&run);
    }
    free(inputs);
    return seen;
}

Test(both_domains, are_serialisable_beside_getm)
{
    expect_serialisable(BOTH, (const char *[]){NULL});
    expect_serialisable(BOTH, (const char *[]){"core.tx.concurrency=2", "core.tx.token_hold=false", NULL});
    expect_serialisable(BOTH, (const char *[]){"core.tx.local.detection=dcd", "core.tx.concurrency=1", NULL});
}

/* Logical clocks of few bits begin anew again and again, which gives up what is on global memory, and nothing on scratchpads: there
 * nobody gives way for others. */
Test(both_domains, are_serialisable_while_clocks_roll_over)
{
    static const char *const sets[] = {"validation_unit.clock_bits=6", "validation_unit.rollover_margin=60",
                                       "core.tx.local.in_block=false", NULL};
    const happened seen = expect_serialisable(BOTH, sets);
    cr_expect_gt(seen.rollovers, 0);
    cr_expect_eq(seen.gave_way, 0);
}

Test(both_domains, are_serialisable_beside_the_other_protocols)
{
    static const char *const machines[] = {VARIANT("gtx480_kilo_tm"),    VARIANT("gtx480_warptm"),
                                           VARIANT("gtx480_warptm_tcd"), VARIANT("gtx480_warptm_el"),
                                           VARIANT("gtx480_eapg"),       VARIANT("gtx480_eapg_renlis"),
                                           VARIANT("gtx480_ideal_tm")};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        expect_serialisable(machines[i], (const char *[]){"core.tx.scratchpad=local", NULL});
}

/* A protocol for scratchpads beside nothing: that the other blocks have nobody to talk to follows from it, and is not said. */
Test(both_domains, one_mistake_is_one_error)
{
    static const char *const sets[] = {"core.tx=local", "core.tx=none"};
    size_t count;
    test_input *inputs = test_inputs_read_on_both(&count);
    for (size_t i = 0; i < 2; i++) {
        machine_run run = run_input(BOTH, (const char *[]){sets[i], NULL}, &inputs[0]);
        const char *first = strstr(run.message, "error[");
        cr_expect(run.was_refused && first && !strstr(first + 1, "error["), "%s", run.message);
        cr_expect(strstr(run.message, "tx.scratchpad 'local' goes beside a protocol for global memory"), "%s",
                  run.message);
        run_free(&run);
    }
    free(inputs);
}

/* One clear error where a domain is missing. */
Test(both_domains, need_a_protocol_each)
{
    static const char *const machines[] = {VARIANT("gtx480_getm"), VARIANT("southern_islands_cu_local_tm")};
    static const char *const texts[] = {
        "tx.begin of the scratchpad, but this machine has transactions on global memory only",
        "tx.begin of global memory, but this machine has transactions on the scratchpad only"};
    size_t count;
    test_input *inputs = test_inputs_read_on_both(&count);
    for (size_t i = 0; i < 2; i++) {
        machine_run run = run_input(machines[i], (const char *[]){NULL}, &inputs[0]);
        cr_expect(run.outcome != HD_OUTCOME_PASS && strstr(run.message, texts[i]), "%s: %s", machines[i], run.message);
        run_free(&run);
    }
    free(inputs);
}

static void expect_refusal(const char *netlist, const char *set, const char *text)
{
    size_t count;
    test_input *inputs = test_inputs_read_on_both(&count);
    machine_run run = run_input(netlist, (const char *[]){set, NULL}, &inputs[0]);
    cr_expect(run.was_refused && strstr(run.message, text), "%s: %s", set, run.message);
    run_free(&run);
    free(inputs);
}

Test(both_domains, machines_that_make_no_sense_are_refused)
{
    expect_refusal(VARIANT("gtx480_getm"), "core.tx.scratchpad=getm",
                   "'tx.scratchpad' of block 'core' cannot be 'getm'");
    expect_refusal(HEDDLE_MACHINES "/gtx480.yaml", "core.tx.scratchpad=local",
                   "goes beside a protocol for global memory");
    expect_refusal(VARIANT("southern_islands_cu_local_tm"), "core.tx.scratchpad=local",
                   "goes beside a protocol for global memory");
    expect_refusal(
        VARIANT("gtx480_kilo_tm"), "core.tx=local",
        "is local, and block 'commit_unit' takes 'kilo.read_set/1'"); /* its banks do find conflicts in a warp */
}
