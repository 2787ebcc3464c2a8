/* SPDX-License-Identifier: MIT */
/* The texture cache: a line a cycle for all lanes that ask for a word of it. */
#include "memory_rig.h"

#include <criterion/criterion.h>

#define TABLE 0x30000000u
#define LINE 64u

static memory_parameters with_cache(uint32_t bytes, uint32_t ways)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    p.texture = (cache_parameters){
        .bytes = bytes, .ways = ways, .line_bytes = LINE, .mshrs = 4, .merges = 8, .replacement = &replacement_lru};
    p.texture_latency = 13;
    return p;
}

/* Lane l loads the word at offset + l * stride; runs until it has. */
static uint32_t load(rig *r, uint32_t op, uint32_t warp, uint32_t offset, uint32_t stride)
{
    uint32_t address[64];
    rig_addresses(address, TABLE + offset, stride);
    const uint32_t ticket = rig_submit(r, op, 0, warp, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, TABLE + offset + lane * stride));
    return ticket;
}

Test(texture_cache, gives_the_words_of_a_line_after_its_latency_and_takes_a_cycle_for_each_line)
{
    const memory_parameters p = with_cache(4096, 4);
    rig *r = rig_create(&p);
    cr_expect_eq(rig_latency(r, load(r, ISA_OP_LW_NC, 0, 0, 4)), 1 + 1 + r->accept_delay + r->reply_delay);
    cr_expect_eq(r->counters.texture_misses, 2, "128 B are two lines");
    cr_expect_eq(rig_latency(r, load(r, ISA_OP_LW_NC, 1, 0, 4)), 1 + 1 + p.texture_latency);
    cr_expect_eq(rig_latency(r, load(r, ISA_OP_LW_NC, 2, 4, 0)), 1 + p.texture_latency);
    cr_expect_eq(r->counters.texture_hits, 3);
    cr_expect_eq(r->counters.texture_misses, 2);
    cr_expect_eq(r->counters.wide_accesses, 5);
    cr_expect_eq(r->counters.texture_bytes, 2 * LINE);
    cr_expect_eq(r->counters.packets_sent_by[TRAFFIC_TEXTURE], 2);
    cr_expect_eq(r->counters.packets_received_by[TRAFFIC_TEXTURE], 2);
    cr_expect_eq(r->counters.l1_hits + r->counters.l1_misses, 0, "the L1 has nothing to do with it");
    cr_expect_eq(r->counters.global_bytes + r->counters.load_replies, 0, "it is no global load");
    cr_expect_eq(r->sent_count, 2);
    for (uint32_t i = 0; i < 2; ++i) {
        cr_expect_eq(r->sent[i].packet.traffic_class, HD_CLASS_TEXTURE);
        cr_expect_eq(r->sent[i].packet.message, RIG_LOAD);
        cr_expect_eq(r->sent[i].packet.address, TABLE + i * LINE);
        cr_expect_eq(r->sent[i].packet.argument, LINE);
    }
    rig_destroy(r);
}

Test(texture_cache, is_for_read_only_loads_of_global_memory_alone)
{
    const memory_parameters p = with_cache(4096, 4);
    rig *r = rig_create(&p);
    load(r, ISA_OP_LW, 0, 0, 4);
    rig_one(r, ISA_OP_LW_NC, 0, 0, HD_CONSTANT_BASE, 0);
    rig_one(r, ISA_OP_LW_NC, 0, 0, HD_PRIVATE_BASE, 0);
    rig_one(r, ISA_OP_LW_NC, 0, 0, HD_SCRATCHPAD_BASE, 0);
    rig_idle(r);
    cr_expect_eq(r->counters.texture_hits + r->counters.texture_misses, 0);
    cr_expect_eq(r->counters.l1_global_misses, 1);
    cr_expect_eq(r->counters.l1_constant_misses, 1);
    cr_expect_eq(r->counters.l1_private_misses, 1);
    cr_expect_eq(r->counters.scratchpad_passes, 1);
    rig_destroy(r);
}

Test(texture_cache, loads_are_plain_ones_where_there_is_none)
{
    memory_parameters p = with_cache(0, 4);
    for (uint32_t run = 0; run < 2; ++run) {
        p.l1_global = run == 0 ? L1_GLOBAL_CACHE : L1_GLOBAL_BYPASS;
        rig *plain = rig_create(&p), *r = rig_create(&p);
        for (uint32_t i = 0; i < 3; ++i)
            cr_expect_eq(rig_latency(r, load(r, ISA_OP_LW_NC, i, 0, 4)),
                         rig_latency(plain, load(plain, ISA_OP_LW, i, 0, 4)));
        cr_expect_arr_eq(&r->counters, &plain->counters, sizeof r->counters);
        rig_destroy(r);
        rig_destroy(plain);
    }
}

Test(texture_cache, waits_for_an_mshr_or_a_place_in_one)
{
    for (uint32_t run = 0; run < 2; ++run) {
        memory_parameters p = with_cache(4096, 4);
        p.texture.mshrs = run == 0 ? 1 : 4;
        p.texture.merges = run == 0 ? 8 : 1;
        rig *r = rig_create(&p);
        for (uint32_t i = 0; i < 3; ++i)
            rig_one(r, ISA_OP_LW_NC, 0, 0, TABLE + (run == 0 ? i * LINE : 0), 0);
        rig_idle(r);
        cr_expect_eq(r->counters.texture_misses, run == 0 ? 3 : 1);
        cr_expect_eq(r->counters.texture_hits, run == 0 ? 0 : 2, "what has waited finds the line");
        cr_expect_eq(r->counters.stall_mshr_full != 0, run == 0);
        cr_expect_eq(r->counters.stall_merge_full != 0, run == 1);
        rig_destroy(r);
    }
}

Test(texture_cache, merges_what_waits_for_a_line)
{
    const memory_parameters p = with_cache(4096, 4);
    rig *r = rig_create(&p);
    for (uint32_t i = 0; i < 3; ++i)
        rig_one(r, ISA_OP_LW_NC, i, 0, TABLE + i * 4, 0);
    rig_idle(r);
    cr_expect_eq(r->counters.texture_misses, 3);
    cr_expect_eq(r->counters.texture_mshr_merges, 2);
    cr_expect_eq(r->counters.packets_sent, 1);
    rig_destroy(r);
}

Test(texture_cache, replaces_the_line_that_was_not_used_for_longest)
{
    const memory_parameters p = with_cache(2 * LINE, 2);
    rig *r = rig_create(&p);
    static const struct {
        uint32_t line, misses;
    } steps[] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {0, 3}, {1, 4}, {2, 5}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        load(r, ISA_OP_LW_NC, 0, steps[i].line * LINE, 0);
        cr_expect_eq(r->counters.texture_misses, steps[i].misses, "step %zu", i);
    }
    cr_expect_eq(r->counters.texture_evictions, 3);
    rig_destroy(r);
}

/* What nobody may write in a grid stays what it was, whoever writes it; and is looked up again in the next one. */
Test(texture_cache, keeps_its_lines_until_a_grid_begins)
{
    const memory_parameters p = with_cache(4096, 4);
    rig *r = rig_create(&p);
    load(r, ISA_OP_LW_NC, 0, 0, 0);
    const uint32_t old = rig_peek(r, TABLE);
    rig_one(r, ISA_OP_SW, 0, 0, TABLE, old + 1);
    rig_idle(r);
    memory_acquire(r->m);
    const uint32_t stale = rig_one(r, ISA_OP_LW_NC, 0, 0, TABLE, 0);
    const uint32_t plain = rig_one(r, ISA_OP_LW, 0, 0, TABLE, 0);
    rig_idle(r);
    cr_expect_eq(r->result[stale].value[0], old);
    cr_expect_eq(r->result[plain].value[0], old + 1);
    memory_begin_grid(r->m);
    const uint32_t after = rig_one(r, ISA_OP_LW_NC, 0, 0, TABLE, 0);
    rig_cycles(r, 2);
    memory_begin_grid(r->m);
    rig_idle(r);
    cr_expect_eq(r->result[after].value[0], old + 1);
    load(r, ISA_OP_LW_NC, 0, 0, 0);
    cr_expect_eq(r->counters.texture_misses, 3, "the line that was on its way has not been installed");
    memory_align(r->m, &(hd_write_back_sink){.context = NULL});
    load(r, ISA_OP_LW_NC, 0, 0, 0);
    cr_expect_eq(r->counters.texture_misses, 4);
    rig_destroy(r);
}

/* So a thread that only reads textures is not taken for one that waits for others. */
Test(texture_cache, gives_words_that_nobody_waits_for)
{
    const memory_parameters p = with_cache(4096, 4);
    rig *r = rig_create(&p);
    rig_cycles(r, 5);
    rig_one(r, ISA_OP_LW_NC, 0, 0, TABLE, 0);
    cr_expect_eq(memory_last_read(r->m, 0), 0);
    rig_one(r, ISA_OP_LW, 0, 0, TABLE, 0);
    cr_expect_neq(memory_last_read(r->m, 0), 0);
    rig_idle(r);
    rig_destroy(r);
}

/* A reset in the middle of everything: nothing comes of what was on its way. */
Test(texture_cache, is_empty_after_a_reset)
{
    const memory_parameters p = with_cache(4096, 4);
    rig *r = rig_create(&p);
    load(r, ISA_OP_LW_NC, 0, 0, 0);
    rig_one(r, ISA_OP_LW_NC, 0, 0, TABLE, 0);
    rig_cycles(r, 3);
    memory_reset(r->m);
    cr_expect_eq(memory_status_of(r->m)->next_edge, MEMORY_NO_EDGE);
    rig_destroy(r);
}
