/* SPDX-License-Identifier: MIT */
/* Two protocols in a core, each for a domain of its own. */
#include "tx_port_memory.h"
#include "tx_port_rig.h"

#include "lanes.h"

#include <criterion/criterion.h>
#include <string.h>

/* A protocol that notes its calls, a letter each: it is one of two. */
typedef struct noted {
    uint64_t aborts; /* its own first statistic, for which it is taken */
    transactions *t;
    char calls[64];
    uint32_t forgives_not, lets_nobody_begin;
} noted;
static noted both[2];

static void call(tx *unit, char what)
{
    noted *n = (noted *)unit;
    const size_t length = strlen(n->calls);
    cr_assert_lt(length + 1, sizeof n->calls);
    n->calls[length] = what;
}

static tx *create_noted(transactions *t, const hd_unit_share *share)
{
    noted *n = &both[share->counters == &both[1].aborts];
    n->t = t;
    return (tx *)n;
}

static uint64_t may_begin_noted(const tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)warp;
    call((tx *)(uintptr_t)unit, 'm');
    return ((const noted *)unit)->lets_nobody_begin ? 0 : lanes;
}

static void begin_noted(tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)warp, (void)lanes;
    call(unit, 'b');
}

static uint32_t holds_noted(const tx *unit, uint32_t path, const isa_instruction *instruction)
{
    (void)path, (void)instruction;
    call((tx *)(uintptr_t)unit, 'h');
    return 0;
}

static void before_issue_noted(tx *unit, uint32_t path, const isa_instruction *instruction)
{
    (void)path, (void)instruction;
    call(unit, 'i');
}

static void drained_noted(tx *unit, uint32_t warp)
{
    (void)warp;
    call(unit, 'd');
}

static uint64_t doomed_noted(tx *unit, uint32_t warp, uint64_t lanes, const tx_mishap *mishap, uint32_t *reason)
{
    (void)warp, (void)mishap;
    call(unit, 'x');
    *reason = TX_PROGRAM;
    return ((const noted *)unit)->forgives_not ? 0 : lanes;
}

static void aborted_noted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    (void)warp, (void)lanes, (void)reason;
    call(unit, 'a');
}

static uint64_t at_commit_noted(tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)warp, (void)lanes;
    call(unit, 's');
    return 0;
}

static void resolved_noted(tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)warp, (void)lanes;
    call(unit, 'r');
}

static void commit_noted(tx *unit, uint32_t warp, uint64_t lanes)
{
    call(unit, 'c');
    tx_decide(((noted *)unit)->t, warp, lanes, 0, TX_NO_REASON);
}

static uint32_t in_flight_noted(const tx *unit, uint32_t warp)
{
    const noted *n = (const noted *)unit;
    return n == &both[0] && warp == 1;
}

static uint32_t timestamp_noted(const tx *unit, uint32_t warp)
{
    (void)warp;
    return (const noted *)unit == &both[1] ? 22 : 11;
}

static uint32_t backs_off_noted(const tx *unit)
{
    call((tx *)(uintptr_t)unit, 'o');
    return 0;
}

static void of_unit(tx *unit)
{
    (void)unit;
}

static void whole_noted(tx *unit)
{
    call(unit, 'u');
}

static void new_warp_noted(tx *unit, uint32_t warp)
{
    (void)warp;
    call(unit, 'n');
}

static uint32_t copies_noted(const tx *unit)
{
    return (const noted *)unit == &both[1] ? 3 : 2;
}

#define NOTED(domain, passes)                                                                                          \
    {                                                                                                                  \
        .domains = (domain), .lets_pass = (passes), .create = create_noted, .destroy = of_unit, .reset = whole_noted,  \
        .align = whole_noted, .may_begin = may_begin_noted, .begin = begin_noted, .holds = holds_noted,                \
        .before_issue = before_issue_noted, .drained = drained_noted, .doomed = doomed_noted,                          \
        .aborted = aborted_noted, .at_commit = at_commit_noted, .resolved = resolved_noted, .commit = commit_noted,    \
        .in_flight = in_flight_noted, .work = of_unit, .timestamp = timestamp_noted, .new_warp = new_warp_noted,       \
        .backs_off = backs_off_noted, .register_copies = copies_noted                                                  \
    }
static const tx_unit on_memory = NOTED(TX_GLOBAL, 0), on_scratchpad = NOTED(TX_SCRATCHPAD, 1);

static transactions *start_both(void)
{
    memset(both, 0, sizeof both);
    transactions *t = tx_port_start_with((const tx_chosen[]){{&on_memory, {.counters = &both[0].aborts}},
                                                             {&on_scratchpad, {.counters = &both[1].aborts}}},
                                         2, 0);
    memset(both[0].calls, 0, sizeof both[0].calls);
    memset(both[1].calls, 0, sizeof both[1].calls);
    return t;
}

static void expect_calls(uint32_t unit, const char *calls)
{
    cr_expect_str_eq(both[unit].calls, calls, "unit %u: %s instead of %s", unit, both[unit].calls, calls);
    cr_expect_str_empty(both[!unit].calls, "unit %u: %s", !unit, both[!unit].calls);
    memset(both[0].calls, 0, sizeof both[0].calls);
    memset(both[1].calls, 0, sizeof both[1].calls);
}

/* From tx.begin to tx.commit, with an attempt that is given up: all of it is told to the one protocol that has the domain. */
static void expect_told(uint32_t unit, uint32_t begin_word)
{
    const isa_instruction load = isa_decode(0x00002003);
    transactions *t = start_both();
    tx_port_execute(t, 0, begin_word);
    expect_calls(unit, "mb");
    cr_expect_eq(tx_domain(t, 0), unit ? TX_SCRATCHPAD : TX_GLOBAL);
    cr_expect_eq(tx_chosen_of(t, 0), unit);
    cr_expect_eq(tx_csr(t, 0, 0, ISA_CSR_TX_TIMESTAMP), unit ? 22 : 11);
    tx_holds(t, 0, &(isa_instruction){.instruction_class = ISA_CLASS_INT});
    expect_calls(unit, "h");
    tx_before_issue(t, 0, &load);
    expect_calls(0, unit ? "" : "i");
    tx_access_done(t, &(ticket_state){.instruction = &t->walk, .path = 0, .warp = 0}, 0, NULL, 1);
    expect_calls(unit, "d");
    cr_expect(tx_forgives(t, 0, 1, BEGIN + 4, "a mistake"));
    expect_calls(unit, "xa");
    for (fake.now.n = 101; fake.now.n < 110; fake.now.n++)
        tx_work(t);
    expect_calls(unit, "commb");
    tx_port_reach_commit(0);
    tx_port_execute(t, 0, TX_COMMIT_WORD);
    expect_calls(unit, "hsrc");
    cr_expect_eq(fake.counters.tx_scratchpad_begins, unit);
    cr_expect_eq(fake.counters.tx_scratchpad_attempts, unit * 2 * LANES);
    cr_expect_eq(fake.counters.tx_scratchpad_aborts, unit * LANES);
    cr_expect_eq(fake.counters.tx_scratchpad_commits, unit * LANES);
    cr_expect_eq(fake.counters.tx_commits, LANES);
    tx_port_stop(t);
}

Test(tx_port_both, a_protocol_is_told_of_its_own_domain_alone)
{
    expect_told(0, TX_BEGIN_1);
    expect_told(1, TX_BEGIN_2);
}

/* The second protocol's own reasons are counted with it. */
Test(tx_port_both, aborts_are_counted_by_the_protocol_that_has_them)
{
    for (uint32_t unit = 0; unit < 2; unit++) {
        transactions *t = start_both();
        tx_port_execute(t, 0, unit ? TX_BEGIN_2 : TX_BEGIN_1);
        tx_abort(t, 0, ALL, TX_OWN_REASONS);
        cr_expect_eq(both[unit].aborts, LANES);
        cr_expect_eq(both[!unit].aborts, 0);
        tx_port_stop(t);
    }
}

Test(tx_port_both, what_is_asked_of_all_is_asked_of_each)
{
    transactions *t = start_both();
    tx_reset(t);
    tx_align(t);
    tx_new_warp(t, 0);
    for (uint32_t unit = 0; unit < 2; unit++)
        cr_expect_str_eq(both[unit].calls, "uun", "unit %u: %s", unit, both[unit].calls);
    cr_expect_eq(tx_register_copies(t), 3, "the most");
    cr_expect_not(tx_is_busy(t, 0));
    cr_expect(tx_is_busy(t, 1), "a commit of one of them is on its way");
    cr_expect(tx_wants_issues(t));
    tx_port_stop(t);
}

Test(tx_port_both, one_inside_the_other_is_refused)
{
    for (uint32_t unit = 0; unit < 2; unit++) {
        transactions *t = start_both();
        tx_port_execute(t, 0, unit ? TX_BEGIN_2 : TX_BEGIN_1);
        memset(fake.fault, 0, sizeof fake.fault);
        const isa_instruction inner = isa_decode(unit ? TX_BEGIN_1 : TX_BEGIN_2);
        both[unit].forgives_not = 1;
        tx_execute(t, 0, &inner);
        cr_expect_str_eq(fake.fault, "tx.begin of another domain than that of the transaction it is in");
        tx_port_stop(t);
    }
}

/* Whoever may not begin yet is passed by others if his own protocol says so. */
Test(tx_port_both, warps_that_wait_are_passed_as_their_protocol_says)
{
    for (uint32_t unit = 0; unit < 2; unit++) {
        transactions *t = start_both();
        both[unit].lets_nobody_begin = 1;
        tx_port_execute(t, 0, unit ? TX_BEGIN_2 : TX_BEGIN_1);
        cr_expect_not(tx_is_inside(t, 0));
        const isa_instruction begin = isa_decode(unit ? TX_BEGIN_1 : TX_BEGIN_2);
        tx_execute(t, 1, &begin);
        cr_expect_eq(tx_is_inside(t, 1), unit, "only those on the scratchpad let pass");
        tx_port_stop(t);
    }
}

/* A transaction on the scratchpad loads plainly from global memory: what its warp has committed there must have arrived. */
Test(tx_port_both, plain_loads_wait_for_earlier_commits)
{
    const isa_instruction load = isa_decode(0x00002003);
    for (uint32_t warp = 0; warp < 2; warp++) { /* commits of warp 1 are on their way */
        transactions *t = start_both();
        tx_port_execute(t, warp, TX_BEGIN_2);
        fake.address = HD_GLOBAL_BASE;
        cr_expect_eq(tx_holds(t, warp, &load), warp);
        fake.address = HD_SCRATCHPAD_BASE;
        cr_expect_not(tx_holds(t, warp, &load));
        tx_port_stop(t);
        t = start_both();
        tx_port_execute(t, warp, TX_BEGIN_1);
        fake.address = HD_GLOBAL_BASE;
        cr_expect_not(tx_holds(t, warp, &load), "in one on global memory the protocol knows");
        tx_port_stop(t);
    }
}

/* ---- What checkers are told of the scratchpad -------------------------------------------------------------------------------- */

static struct {
    hd_transaction_access accesses[8];
    uint32_t count;
    hd_transaction_word held;
} told;

static void note_commit(void *context, uint32_t endpoint, const hd_transaction *transaction)
{
    (void)context, (void)endpoint;
    cr_assert_leq(transaction->access_count, 8);
    if (transaction->lane != 1)
        return;
    told.count = transaction->access_count;
    memcpy(told.accesses, transaction->accesses, told.count * sizeof *told.accesses);
}

static void note_held(void *context, uint32_t endpoint, const hd_transaction_word *word, uint64_t order)
{
    (void)context, (void)endpoint, (void)order;
    told.held = *word;
}

/* Lane 1 at byte 6 of the scratchpad: loads are what its register is given, not what the pipe has had; stores what is there. */
Test(tx_port_both, loads_are_told_as_registers_are_given_them)
{
    static const hd_transactions listener = {.committed = note_commit, .holds = note_held};
    const isa_instruction load = isa_decode(0x00001083), store = isa_decode(0x00001023); /* lh ra, sh */
    const uint32_t place[LANES] = {0, 6, 0, 0}, given[LANES] = {1, 2, 3, 4};
    fake.told = &listener;
    transactions *t = start_both();
    fake.told = NULL;
    tx_port_execute(t, 0, TX_BEGIN_2);
    memory_access access = {.instruction = &load, .address = {0, HD_SCRATCHPAD_BASE + 6}, .data = {0, 9}};
    t->hooks.moved(t->hooks.context, &access, 1u << 1, place);
    tx_record_loaded(t, &(ticket_state){.instruction = &load}, ALL, given);
    tx_record_loaded(t, &(ticket_state){.instruction = &load}, ALL, (const uint32_t[LANES]){8, 8, 8, 8});
    tx_port_scratchpad[6] = 5;
    access.instruction = &store;
    t->hooks.moved(t->hooks.context, &access, 1u << 1, place);
    tx_port_reach_commit(0);
    tx_report_commits(t, 0, ALL, 0);
    tx_port_scratchpad[6] = 7;
    tx_port_execute(t, 0, TX_COMMIT_WORD);
    cr_assert_eq(told.count, 2);
    cr_expect_eq(told.accesses[0].value, 2u << 16, "0x%x", told.accesses[0].value);
    cr_expect_eq(told.accesses[0].byte_mask, 0xC);
    cr_expect_eq(told.accesses[1].value, 5u << 16, "0x%x", told.accesses[1].value);
    cr_expect(told.accesses[1].is_store && !told.accesses[0].is_store);
    cr_expect_eq(told.held.value, 7u << 16, "0x%x", told.held.value);
    cr_expect_eq(hd_scratchpad_offset(told.held.address), 4);
    tx_port_stop(t);
}
