/* SPDX-License-Identifier: MIT */
/* Random transactions on the scratchpad in a core: what it reports of them is replayed; and the conformance suite. */
#include "tx_local_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORDS_MAX 128u
#define SCRATCHPAD_WORDS 24u

/* ---- Programs -------------------------------------------------------------------------------------------------------------- */

static uint32_t words[WORDS_MAX];

static uint32_t draw(uint64_t *state, uint32_t below)
{
    return (uint32_t)(kit_random(state) % below);
}

/* a2 = a word of the scratchpad that depends on the thread, and on what has been read if `chases` */
static uint32_t point(uint64_t *state, uint32_t *at)
{
    static const uint32_t sources[] = {S0, T1, A5};
    const uint32_t mask = (1u << (1 + draw(state, 4))) - 1;
    *at++ = andi(A2, sources[draw(state, 3)], (int32_t)mask);
    *at++ = slli(A2, A2, 2);
    *at++ = add(A2, A2, A1);
    return 3;
}

static uint32_t access(uint64_t *state, uint32_t *at)
{
    const int32_t offset = (int32_t)(4 * draw(state, SCRATCHPAD_WORDS - 16));
    uint32_t count = point(state, at);
    switch (draw(state, 6)) {
    case 0:
    case 1: at[count++] = sw(T1, offset, A2); break;
    case 2: at[count++] = sb(T1, offset + (int32_t)draw(state, 4), A2); break;
    case 3: at[count++] = lb(T2, offset + (int32_t)draw(state, 4), A2); break;
    default: at[count++] = lw(T2, offset, A2); break;
    }
    at[count++] = add(T1, T1, T2);
    at[count++] = addi(T1, T1, (int32_t)draw(state, 100));
    return count;
}

/* Two transactions, behind a barrier what has become of the words. */
static void random_program(uint64_t seed)
{
    uint64_t state = seed;
    uint32_t *at = words;
    memset(words, 0, sizeof words);
    *at++ = lui(A0, DATA);
    *at++ = lui(A1, HD_SCRATCHPAD_BASE);
    *at++ = csrr(S0, 0xCCC);
    *at++ = csrr(A5, 0xCC0);
    *at++ = addi(T1, A5, 1);
    *at++ = slli(A3, A5, 2);
    *at++ = andi(A4, A3, 0x3C);
    *at++ = add(A4, A4, A1);
    *at++ = sw(T1, 0, A4);
    *at++ = bar_sync(0);
    for (uint32_t i = 0; i < 2; i++) {
        *at++ = begin_tx(2);
        for (uint32_t k = 1 + draw(&state, 4); k > 0; k--)
            at += access(&state, at);
        if (draw(&state, 4) == 0) {
            at += point(&state, at);
            *at++ = beq(A2, A1, 8);
            *at++ = sw(S0, 0, A2);
        }
        *at++ = commit_tx();
    }
    *at++ = bar_sync(0);
    *at++ = lw(T2, 0, A4);
    *at++ = add(A0, A0, A3);
    *at++ = sw(T2, 0, A0);
    *at++ = ret();
    cr_assert(at < words + WORDS_MAX);
}

/* ---- What is reported -------------------------------------------------------------------------------------------------------- */

typedef struct event {
    uint64_t order;
    uint32_t lane, is_plain;
    uint32_t read_count, write_count;
    hd_transaction_word reads[64], writes[64];
} event;

static struct {
    event *events;
    uint32_t count, capacity;
} told;

static event *add_event(void)
{
    if (told.count == told.capacity) {
        told.capacity = 2 * told.capacity + 64;
        told.events = realloc(told.events, told.capacity * sizeof *told.events);
        cr_assert_not_null(told.events);
    }
    return &told.events[told.count++];
}

static void note_commit(void *context, uint32_t endpoint, const hd_transaction *transaction)
{
    event *e = add_event();
    (void)context, (void)endpoint;
    cr_assert(transaction->read_count <= 64 && transaction->write_count <= 64);
    *e = (event){.order = transaction->order,
                 .lane = transaction->lane,
                 .read_count = transaction->read_count,
                 .write_count = transaction->write_count};
    memcpy(e->reads, transaction->reads, transaction->read_count * sizeof *e->reads);
    memcpy(e->writes, transaction->writes, transaction->write_count * sizeof *e->writes);
}

static void note_store(void *context, uint32_t endpoint, const hd_transaction_word *word, uint64_t order,
                       uint32_t interferes)
{
    event *e = add_event();
    (void)context, (void)endpoint;
    cr_assert(!interferes, "barriers keep them apart");
    *e = (event){.order = order, .is_plain = 1, .write_count = 1, .writes = {*word}};
}

static int in_order(const void *left, const void *right)
{
    const event *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return (int)a->lane - (int)b->lane;
}

static void replay(core_rig *rig, uint32_t threads, uint64_t seed)
{
    uint32_t memory[SCRATCHPAD_WORDS] = {0};
    qsort(told.events, told.count, sizeof *told.events, in_order);
    for (uint32_t i = 0; i < told.count; i++) {
        const event *e = &told.events[i];
        for (uint32_t k = 0; k < e->read_count; k++) {
            const uint32_t bits = hd_bits_of_bytes(e->reads[k].byte_mask);
            cr_assert_eq((memory[e->reads[k].address % 4096 / 4] ^ e->reads[k].value) & bits, 0,
                         "seed %lu: event %u, lane %u", seed, i, e->lane);
        }
        for (uint32_t k = 0; k < e->write_count; k++) {
            const uint32_t bits = hd_bits_of_bytes(e->writes[k].byte_mask);
            uint32_t *word = &memory[e->writes[k].address % 4096 / 4];
            *word = (*word & ~bits) | (e->writes[k].value & bits);
        }
    }
    for (uint32_t thread = 0; thread < threads; thread++)
        cr_assert_eq(rig_word(rig, DATA + 4 * thread), memory[thread & 15], "seed %lu: at the end, thread %u", seed,
                     thread);
}

static uint64_t number_of(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : standard;
}

Test(tx_local_random, what_is_reported_is_what_happened, .timeout = 3000)
{
    static const char *const machines[][9] = {
        {"tx=local", "warps=8", "tx.concurrency=0", "tx.back_off.base=0 cycles", NULL},
        {"tx=local", "warps=8", "tx.local.detection=dcd", "tx.concurrency=0", "tx.back_off.base=0 cycles", NULL},
        {"tx=local", "warps=8", "lanes=64", "tx.local.shared_release=sticky", "scratchpad.banks=4",
         "tx.back_off.base=8 cycles", NULL},
        {"tx=local", "warps=8", "tx.local.shared_release=precise", "tx.concurrency=3", "tx.token_hold=false",
         "tx.local.restore=scan", "tx.local.commit_cycles=9 cycles", "tx.back_off.base=1 cycle", NULL},
        {"tx=local", "warps=8", "tx.local.strict_parallel=false", "tx.local.in_warp=false", "scratchpad.banks=8",
         "tx.local.layout=flat", "tx.back_off.base=1 cycle", NULL},
        {"tx=local", "warps=8", "tx.local.shared_release=lane_map", "tx.concurrency=0", "tx.back_off.base=0 cycles",
         NULL}};
    const uint64_t first = number_of("HEDDLE_LOCAL_TM_SEED", (uint64_t)time(NULL) << 20);
    const uint64_t count = number_of("HEDDLE_LOCAL_TM_PROGRAMS", 60);
    uint64_t aborts = 0, alone = 0;
    const hd_transactions listener = {
        .committed = note_commit, .stored = note_store, .holds = tx_local_ignore_word, .ended = tx_local_ignore_end};
    printf("seed %lu\n", first);
    rig_has_unit(NULL, NULL, &listener);
    for (uint64_t seed = first; seed < first + count; seed++) {
        uint64_t state = seed;
        const uint32_t threads = 1 + draw(&state, 256);
        random_program(seed);
        told.count = 0;
        rig_renews(seed % 2 ? seed : 0, 0);
        core_rig *rig = rig_create(machines[seed % 6], words);
        rig_launch_grid(rig,
                        &(hd_grid){.grid_size = {1, 1, 1},
                                   .block_size = {threads, 1, 1},
                                   .scratchpad_bytes = 4 * SCRATCHPAD_WORDS,
                                   .private_bytes = 256},
                        (uint32_t[]){0, 0, 0}, 0);
        rig_finish(rig);
        cr_assert_eq(kit_statistic(rig_kit(rig), "tx_commits"), 2 * threads, "seed %lu", seed);
        aborts += kit_statistic(rig_kit(rig), "tx_aborts");
        alone += kit_statistic(rig_kit(rig), "tx_alone_commits");
        replay(rig, threads, seed);
        rig_destroy(rig);
    }
    printf("local programs: %lu, aborts %lu, alone %lu\n", count, aborts, alone);
    cr_expect(aborts && alone);
}

/* ---- The conformance suite --------------------------------------------------------------------------------------------------- */

void rig_setup(kit_block *kit);

static void random_launches(kit_block *kit, uint64_t seed)
{
    uint64_t state = seed;
    hd_time t = 0;
    for (uint32_t i = 0; i < 3; i++) {
        hd_packet *packet = kit_packet(kit, HD_BLOCK_LAUNCH, sizeof(hd_block_launch));
        hd_block_launch *launch = hd_body(packet);
        launch->grid = (hd_grid){.entry_pc = CODE,
                                 .grid_size = {3, 1, 1},
                                 .block_size = {1 + draw(&state, 90), 1, 1},
                                 .scratchpad_bytes = 4 * SCRATCHPAD_WORDS,
                                 .private_bytes = 256};
        launch->block_index[0] = i;
        launch->context_slot = i;
        launch->context_slots = 1024;
        packet->tag = i;
        t += draw(&state, 900) * 1000;
        kit_send(kit, DISPATCH, 0, packet, t);
    }
}

static void expect_conformance(const char *const *parameters, uint64_t program)
{
    random_program(program);
    core_rig *world = rig_create(NULL, words); /* whose program it is */
    cr_expect_eq(kit_conformance(&hd_simt_core_timed, parameters, rig_setup, random_launches), 0);
    rig_destroy(world);
}

Test(tx_local_random, conforms, .timeout = 3000)
{
    expect_conformance((const char *[]){"tx=local", "tx.back_off.base=0 cycles", NULL}, 5);
    expect_conformance((const char *[]){"tx=local", "tx.local.detection=dcd", "tx.concurrency=1", "tx.token_hold=false",
                                        "tx.checkpoint=7 cycles", "memory.queue=2", "memory.accesses=2",
                                        "tx.local.bank_cycles=3 cycles", NULL},
                       8);
}
