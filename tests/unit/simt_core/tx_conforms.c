/* SPDX-License-Identifier: MIT */
/* The class satisfies the conformance suite with transactions too, before units that each block under test has for itself. */
#include "getm_rig.h"
#include "tx_random_program.h"

#include <criterion/criterion.h>
#include <string.h>

#define WORLDS 8u
#define BLOCKS 3u

/* The suite makes blocks, two at a time at most, and destroys them unasked. */
static struct {
    kit_block *kit;
    getm_rig *g;
    uint32_t made;
} worlds[WORLDS];
static uint32_t worlds_made;

static uint32_t words[TX_RANDOM_WORDS];

static getm_rig *world_of(const kit_block *kit)
{
    for (uint32_t i = 0; i < WORLDS; i++)
        if (worlds[i].kit == kit)
            return worlds[i].g;
    cr_assert_fail("a block without units");
    return NULL;
}

static void take(core_rig *rig, void *context, hd_packet *packet, hd_time t)
{
    (void)context;
    getm_rig_take(rig, world_of(rig_kit(rig)), packet, t);
}

static void drop(uint32_t world)
{
    if (worlds[world].g) {
        worlds[world].g->waiters = 0; /* they have gone with their kit */
        getm_rig_destroy(worlds[world].g);
    }
    worlds[world].g = NULL;
}

void rig_setup(kit_block *kit);
static void setup(kit_block *kit)
{
    uint32_t world = 0; /* that of a block at the same address, which is gone, or the oldest */
    for (uint32_t i = 0; i < WORLDS && worlds[world].kit != kit; i++)
        if (worlds[i].kit == kit || worlds[i].made < worlds[world].made)
            world = i;
    drop(world);
    worlds[world].kit = kit;
    worlds[world].made = ++worlds_made;
    worlds[world].g = getm_rig_create_for(take, words);
    rig_setup(kit);
}

/* Requests wait for room or are refused, and with the third load clocks begin anew. */
static void random_transactional_launches(kit_block *kit, uint64_t seed)
{
    uint64_t state = seed;
    hd_time t = 0;
    getm_rig *g = world_of(kit);
    getm_rig_forget(g, kit);
    g->stall_room = seed % 2 * 8;
    g->rollover_at = seed == 3 ? 20 : 0;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        hd_packet *packet = kit_packet(kit, HD_BLOCK_LAUNCH, sizeof(hd_block_launch));
        hd_block_launch *launch = hd_body(packet);
        launch->grid = (hd_grid){.entry_pc = CODE,
                                 .grid_size = {BLOCKS, 1, 1},
                                 .block_size = {(uint32_t)(1 + kit_random(&state) % 40), 1, 1},
                                 .private_bytes = 256};
        launch->block_index[0] = i;
        launch->context_slot = i;
        launch->context_slots = 1024;
        packet->tag = i;
        t += kit_random(&state) % 900 * 1000;
        kit_send(kit, DISPATCH, 0, packet, t);
    }
}

static void expect_conformance(const char *const *parameters, uint64_t program)
{
    memset(worlds, 0, sizeof worlds);
    random_transactions(program, words);
    cr_expect_eq(kit_conformance(&hd_simt_core_timed, parameters, setup, random_transactional_launches), 0);
    for (uint32_t world = 0; world < WORLDS; world++)
        drop(world);
}

Test(tx_conforms, with_transactions, .timeout = 3000)
{
    expect_conformance((const char *[]){"tx=getm", "tx.back_off.exponent=4", NULL}, 5);
}

/* Lines of logs are evicted all the time, warps wait for tokens, tables and places in the pipe. */
Test(tx_conforms, with_transactions_that_wait_for_everything, .timeout = 3000)
{
    expect_conformance((const char *[]){"tx=getm", "tx.concurrency=1", "tx.token_hold=false", "tx.checkpoint=20 cycles",
                                        "tx.resolutions=1", "tx.watchdog=4000 cycles", "tx.back_off.base=32 cycles",
                                        "tx.back_off.exponent=5", "memory.accesses=2", "memory.queue=2",
                                        "l1.bytes=768 B", "scoreboard=simple", NULL},
                       7);
}

/* Nothing is sent before the time that was promised, unless something came in between. */
Test(tx_conforms, promises_hold_with_transactions)
{
    static const char *const machines[][8] = {
        {"tx.back_off.exponent=4", NULL},
        {"tx.log_traffic=none", "tx.intra_warp=perfect", "register_read.latency=9 cycles", NULL},
        {"tx.concurrency=1", "tx.checkpoint=20 cycles", "tx.watchdog=4000 cycles", NULL}};
    for (uint32_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        random_transactions(8 + i, words);
        getm_rig *g = getm_rig_create(machines[i], words);
        kit_block *kit = rig_kit(g->rig);
        hd_time promised = 0;
        uint32_t known = 0, count;
        g->rollover_at = 30;
        getm_rig_launch(g, 50);
        for (uint32_t cycle = 1; cycle < 12000; cycle++) {
            const hd_time now_promised = hd_simt_core_timed.promise(kit_instance(kit), kit_now(kit));
            promised = now_promised > promised ? now_promised : promised;
            kit_run_until(kit, kit_edge(kit, cycle));
            const kit_event *sent = kit_trace(kit, &count);
            for (; known < count; known++, promised = 0)
                cr_assert_geq(sent[known].t, promised, "machine %u, cycle %u: %lu, not before %lu", i, cycle,
                              sent[known].t, promised);
        }
        cr_expect_gt(known, 60, "%u packets", known);
        getm_rig_finish(g);
        getm_rig_destroy(g);
    }
}
