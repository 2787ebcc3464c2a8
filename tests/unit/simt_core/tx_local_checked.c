/* SPDX-License-Identifier: MIT */
/* A checker finds out what becomes of data in the scratchpad behind the back of the protocol, whose own records are all right. */
#include "core.h"
#include "core_pair.h"
#include "tx_local_rig.h"

#include "transaction_checker.h"
#include "tx/tx_units.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- A protocol with a fault ----------------------------------------------------------------------------------------------- */

enum fault {
    NO_FAULT,
    LOAD_IS_WRONG,     /* what comes from the banks */
    VALUE_IS_WRONG,    /* on its way from there to the register */
    REGISTER_IS_WRONG, /* what that has become */
    STORE_IS_WRONG,    /* what goes there */
    STORE_IS_LOST,     /* and nothing goes there */
    COMMIT_DAMAGES,    /* the word that is committed */
    COMMIT_LOSES_BYTE, /* the same: one of its other bytes */
    COMMIT_STRAYS,     /* a word of nobody */
    ABORT_DAMAGES      /* a word that was restored */
};
#define STRAY 60u /* a word that no program here accesses */

static struct {
    enum fault fault;
    uint32_t times; /* that it is yet to happen */
    transactions *t;
    const tx_unit *real;
    void (*real_moved)(void *context, const memory_access *access, uint64_t lanes, const uint32_t *place);
    uint8_t *damaged; /* a byte to be put right before the next access; NULL: none */
} faulty;

static void repair(void)
{
    if (faulty.damaged)
        *faulty.damaged ^= 0x40;
    faulty.damaged = NULL;
}

static void damage(uint32_t place)
{
    memory_scratchpad(faulty.t->core.memory)[place] ^= 0x40;
    faulty.times--;
}

static uint32_t happens(enum fault fault)
{
    return faulty.fault == fault && faulty.times;
}

/* Of the load that has just been made, in its lowest lane; all lanes are in one row. */
static void damage_register(void *context, lane_homes homes, uint64_t registers, uint64_t lanes)
{
    simt_core *core = context;
    const isa_lanes *row = registers_gather(&core->registers, homes, registers, lanes);
    row->registers[(uint32_t)__builtin_ctzll(registers) * row->lanes + (uint32_t)__builtin_ctzll(lanes)] ^= 0x40;
    core->registers.listener = (register_listener){.context = NULL};
    faulty.times--;
}

/* Behind what is told of the access. */
static void faulty_moved(void *context, const memory_access *access, uint64_t lanes, const uint32_t *place)
{
    faulty.real_moved(context, access, lanes, place);
    if (access->instruction->instruction_class != ISA_CLASS_LOAD)
        return;
    if (happens(REGISTER_IS_WRONG)) {
        simt_core *core = faulty.t->core.context;
        core->registers.listener = (register_listener){.context = core, .written = damage_register};
    }
    if (happens(VALUE_IS_WRONG)) {
        ((memory_access *)(uintptr_t)access)->data[__builtin_ctzll(lanes)] ^= 0x40;
        faulty.times--;
    }
}

static uint64_t faulty_banks(tx *unit, const memory_access *access, uint64_t lanes, const uint32_t *place,
                             uint32_t *cycles)
{
    repair();
    if (faulty.t->hooks.moved != faulty_moved) {
        faulty.real_moved = faulty.t->hooks.moved;
        faulty.t->hooks.moved = faulty_moved;
    }
    const uint32_t is_store = access->instruction->instruction_class == ISA_CLASS_STORE;
    const uint64_t moved = faulty.real->at_banks(unit, access, lanes, place, cycles);
    if (!moved)
        return 0;
    const uint32_t lane = (uint32_t)__builtin_ctzll(moved);
    if (!is_store && happens(LOAD_IS_WRONG)) {
        damage(place[lane]);
        faulty.damaged = memory_scratchpad(faulty.t->core.memory) + place[lane];
    }
    if (is_store && happens(STORE_IS_WRONG)) {
        ((memory_access *)(uintptr_t)access)->data[lane] ^= 0x40;
        faulty.times--;
    }
    if (is_store && happens(STORE_IS_LOST)) {
        faulty.times--;
        return moved & (moved - 1);
    }
    return moved;
}

static void faulty_report(tx *unit, uint32_t warp, uint32_t lane, hd_transaction *told)
{
    repair();
    faulty.real->report(unit, warp, lane, told);
    if (!told->write_count)
        return;
    const uint32_t place = hd_scratchpad_offset(told->writes[0].address);
    if (happens(COMMIT_DAMAGES))
        damage(place);
    if (happens(COMMIT_LOSES_BYTE))
        damage(place + 3);
    if (happens(COMMIT_STRAYS))
        damage(4 * STRAY);
}

static void faulty_aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    faulty.real->aborted(unit, warp, lanes, reason);
    if (happens(ABORT_DAMAGES))
        damage(1);
}

static tx *faulty_create(transactions *t, const hd_unit_share *share)
{
    faulty.t = t;
    return faulty.real->create(t, share);
}

static void fit(enum fault fault)
{
    static tx_unit functions;
    static hd_unit unit;
    unit = hd_tx_local;
    functions = *(const tx_unit *)hd_tx_local.functions;
    faulty.real = hd_tx_local.functions;
    faulty.fault = fault;
    faulty.times = 1;
    faulty.damaged = NULL;
    functions.create = faulty_create;
    functions.at_banks = faulty_banks;
    functions.report = faulty_report;
    functions.aborted = faulty_aborted;
    unit.name = "faulty";
    unit.functions = &functions;
    kit_fit_unit(&unit);
}

/* ---- What the checker says ---------------------------------------------------------------------------------------------------- */

static char report[4096];

static void line(void *context, const char *format, ...)
{
    const size_t length = strlen(report);
    va_list arguments;
    (void)context;
    va_start(arguments, format);
    vsnprintf(report + length, sizeof report - length, format, arguments);
    va_end(arguments);
}

static void place_of(void *context, uint32_t module, uint32_t pc, char *text, size_t bytes)
{
    (void)context;
    snprintf(text, bytes, "%u:%x", module, pc);
}

static uint64_t violations_of(enum fault fault, const uint32_t *words)
{
    const hd_transaction_places places = {.place = place_of};
    hd_transaction_checker *checker = hd_transaction_checker_create(0, 64, &places);
    report[0] = '\0';
    fit(fault);
    rig_has_unit(NULL, NULL, hd_transaction_checker_extension(checker));
    hd_transaction_checker_begin(checker);
    core_rig *rig = tx_local_create((const char *[]){"tx=faulty", "tx.scratchpad=none", NULL}, words);
    tx_local_launch(rig, 40, 4 * (STRAY + 1));
    rig_finish(rig);
    const uint64_t violations = hd_transaction_checker_end(checker, &(hd_text_sink){.line = line});
    const hd_transaction_checks counts = hd_transaction_checker_counts(checker);
    cr_expect_eq(counts.transactions, 40);
    cr_expect_eq(counts.replayed, 40);
    cr_expect_eq(faulty.times, fault == NO_FAULT, "it has happened");
    rig_destroy(rig);
    hd_transaction_checker_destroy(checker);
    return violations;
}

static void expect(enum fault fault, const uint32_t *words, const char *what)
{
    const uint64_t violations = violations_of(fault, words);
    cr_expect(violations && strstr(report, what), "fault %u: %lu: %s", fault, violations, report);
}

/* Each thread stores to its own word plainly, adds to it in a transaction, whose first attempt gives up, and nobody reads it. */
#define OWN_WORD csrr(A2, THREAD), slli(A2, A2, 2), add(A3, A1, A2), sb(T0, 0, A3)
#define ADD begin_tx(2), csrr(T1, ATTEMPT), lw(T2, 0, A3), addi(T2, T2, 5), sb(T2, 0, A3), bne(T1, T0, 8), abort_tx(1)
#define ADDS ((const uint32_t[]){PROLOGUE, OWN_WORD, ADD, commit_tx(), ret(), 0})
/* The same, and what was there is replaced in the end. */
#define REPLACES ((const uint32_t[]){PROLOGUE, OWN_WORD, ADD, commit_tx(), sw(ZERO, 0, A3), ret(), 0})

Test(tx_local_checked, finds_nothing_if_nothing_is_wrong)
{
    cr_expect_eq(violations_of(NO_FAULT, ADDS), 0, "%s", report);
    cr_expect_eq(violations_of(NO_FAULT, REPLACES), 0, "%s", report);
}

Test(tx_local_checked, finds_what_loads_and_stores_have_really_moved)
{
    const uint32_t once[] = {PROLOGUE,      OWN_WORD,    begin_tx(2),     lw(T2, 0, A3), addi(T2, T2, 5),
                             sb(T2, 0, A3), commit_tx(), sw(ZERO, 0, A3), ret(),         0};
    expect(LOAD_IS_WRONG, once, "was loaded as 0x00000041, of which the protocol has not read 0x00000001");
    expect(VALUE_IS_WRONG, once, "was loaded as 0x00000041, of which the protocol has not read 0x00000001");
    expect(REGISTER_IS_WRONG, once, "was loaded as 0x00000041, of which the protocol has not read 0x00000001");
    expect(STORE_IS_WRONG, once, "was committed as 0x00000006, and stored as 0x00000046");
    expect(STORE_IS_LOST, once, "was committed as 0x00000006, and stored as 0x00000000");
}

Test(tx_local_checked, finds_what_becomes_of_words_that_are_committed)
{
    expect(COMMIT_DAMAGES, REPLACES, "behind the commit the scratchpad has 0x00000046");
    expect(COMMIT_LOSES_BYTE, REPLACES, "behind the commit the scratchpad has 0x40000006");
    expect(COMMIT_DAMAGES, ADDS, "at its block's end the scratchpad has 0x00000046");
}

Test(tx_local_checked, finds_what_becomes_of_words_of_nobody)
{
    const uint32_t alone[] = {PROLOGUE,
                              OWN_WORD,
                              begin_tx(2),
                              csrr(T1, ATTEMPT),
                              bne(S0, ZERO, 16),
                              sb(T0, 0, A3),
                              bne(T1, T0, 8),
                              abort_tx(1),
                              commit_tx(),
                              ret(),
                              0};
    expect(COMMIT_STRAYS, ADDS, "at its block's end the scratchpad has 0x00000040");
    expect(ABORT_DAMAGES, alone, "at its block's end the scratchpad has 0x00004001");
}

/* What was in its scratchpad nobody has told this core. */
Test(tx_local_checked, knows_nothing_of_what_blocks_bring_from_elsewhere)
{
    const uint32_t words[] = {
        PROLOGUE,    csrr(A2, THREAD), slli(A2, A2, 2), add(A3, A1, A2), addi(T2, ZERO, 7), sw(T2, 0, A3), DELAY(300),
        begin_tx(2), lw(T2, 0, A3),    addi(T2, T2, 1), sw(T2, 0, A3),   commit_tx(),       ret(),         0};
    static const char *const parameters[] = {"tx=local", "warps=8", "lanes=32", NULL};
    const hd_transaction_places places = {.place = place_of};
    hd_transaction_checker *checker = hd_transaction_checker_create(0, 64, &places);
    report[0] = '\0';
    rig_has_unit(NULL, NULL, hd_transaction_checker_extension(checker));
    hd_transaction_checker_begin(checker);
    core_pair *pair = pair_create(parameters, parameters, words);
    pair_launch(pair, 0, 32, 128);
    pair_run(pair, 400);
    cr_assert(pair_move(pair, 0, 0));
    hd_transaction_checker_begin(checker); /* stores of the first core are forgotten */
    pair_finish(pair, 1);
    cr_expect_eq(hd_transaction_checker_end(checker, &(hd_text_sink){.line = line}), 0, "%s", report);
    cr_expect_eq(hd_transaction_checker_counts(checker).replayed, 32);
    pair_destroy(pair);
    hd_transaction_checker_destroy(checker);
}
