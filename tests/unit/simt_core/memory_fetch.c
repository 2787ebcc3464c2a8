/* SPDX-License-Identifier: MIT */
/* The instruction cache beside the memory pipe: look-ups, misses, and their packets. */
#include "memory_rig.h"

#include <criterion/criterion.h>

#define CODE UINT64_C(0x10000400)
#define LINE 64u

static rig *with_cache(uint32_t bytes, uint32_t ways)
{
    memory_parameters p = rig_parameters();
    p.code = (cache_parameters){.bytes = bytes,
                                .ways = ways,
                                .line_bytes = LINE,
                                .mshrs = 2,
                                .merges = 3,
                                .tags_only = 1,
                                .replacement = &replacement_lru};
    rig *r = rig_create(&p);
    rig_cycles(r, 1);
    return r;
}

Test(instruction_cache, fetches_a_line_as_traffic_of_its_own)
{
    rig *r = with_cache(512, 2);
    cr_expect_eq(memory_fetch(r->m, CODE + LINE + 8, 5, 77), MEMORY_FETCH_MISS);
    const uint64_t edge = r->edge;
    cr_expect_not(memory_is_idle(r->m));
    rig_idle(r);
    cr_expect_eq(r->sent_count, 1);
    cr_expect_eq(r->sent[0].packet.traffic_class, HD_CLASS_CODE);
    cr_expect_eq(r->sent[0].packet.message, RIG_LOAD);
    cr_expect_eq(r->sent[0].packet.address, CODE + LINE);
    cr_expect_eq(r->sent[0].packet.argument, LINE);
    cr_expect_eq(r->sent[0].packet.wire_bytes, HD_HEADER_WIRE_BYTES);
    cr_expect_eq(r->sent[0].t, rig_time(r, edge), "at the edge after the look-up");
    cr_expect_eq(r->counters.code_bytes, LINE);
    cr_expect_eq(r->fetched_count, 1);
    cr_expect_eq(r->fetched[0].path, 5);
    cr_expect_eq(r->fetched[0].sequence, 77);
    cr_expect_eq(r->fetched[0].edge, edge + r->accept_delay + r->reply_delay);
    cr_expect_eq(memory_fetch(r->m, CODE + LINE, 0, 0), MEMORY_FETCH_HIT);
    cr_expect_eq(memory_fetch(r->m, CODE + 2 * LINE - 4, 0, 0), MEMORY_FETCH_HIT);
    cr_expect_eq(memory_fetch(r->m, CODE, 0, 0), MEMORY_FETCH_MISS);
    rig_idle(r);
    rig_destroy(r);
}

Test(instruction_cache, refuses_what_has_no_room_and_answers_the_others_in_order)
{
    rig *r = with_cache(512, 2);
    for (uint32_t i = 0; i < 5; ++i)
        cr_expect_eq(memory_fetch(r->m, CODE, i, 10 + i), i < 3 ? MEMORY_FETCH_MISS : MEMORY_FETCH_REFUSED);
    cr_expect_eq(memory_fetch(r->m, CODE + LINE, 6, 0), MEMORY_FETCH_MISS);
    cr_expect_eq(memory_fetch(r->m, CODE + 2 * LINE, 7, 0), MEMORY_FETCH_REFUSED, "both MSHRs are taken");
    rig_idle(r);
    cr_expect_eq(r->fetched_count, 4);
    for (uint32_t i = 0; i < 3; ++i)
        cr_expect_eq(r->fetched[i].sequence, 10 + i);
    cr_expect_eq(r->counters.fetch_refusals, 3);
    cr_expect_eq(r->counters.fetch_misses, 4);
    cr_expect_eq(r->counters.fetch_mshr_merges, 2);
    cr_expect_eq(r->counters.packets_sent, 2);
    rig_destroy(r);
}

Test(instruction_cache, refuses_a_line_whose_set_waits_for_others)
{
    rig *r = with_cache(LINE, 1);
    cr_expect_eq(memory_fetch(r->m, CODE, 0, 0), MEMORY_FETCH_MISS);
    cr_expect_eq(memory_fetch(r->m, CODE + LINE, 1, 0), MEMORY_FETCH_REFUSED);
    rig_idle(r);
    cr_expect_eq(memory_fetch(r->m, CODE + LINE, 1, 0), MEMORY_FETCH_MISS);
    rig_idle(r);
    cr_expect_eq(r->counters.fetch_evictions, 1);
    rig_destroy(r);
}

Test(instruction_cache, replaces_the_line_that_was_not_fetched_for_longest)
{
    rig *r = with_cache(2 * LINE, 2);
    const struct {
        uint32_t line;
        uint32_t misses;
    } steps[] = {{0, 1}, {1, 2}, {0, 2}, {0, 2}, {2, 3}, {0, 3}, {1, 4}, {0, 4}, {2, 5}, {2, 5}, {0, 5}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        memory_fetch(r->m, CODE + steps[i].line * LINE, 0, 0);
        rig_idle(r);
        cr_expect_eq(r->counters.fetch_misses, steps[i].misses, "step %zu", i);
    }
    cr_expect_eq(r->counters.fetch_evictions, 3);
    rig_destroy(r);
}

Test(instruction_cache, is_empty_when_a_grid_begins_even_if_a_line_is_on_its_way)
{
    rig *r = with_cache(512, 2);
    memory_fetch(r->m, CODE, 0, 0);
    rig_idle(r);
    cr_expect_eq(memory_fetch(r->m, CODE, 0, 0), MEMORY_FETCH_HIT);
    memory_begin_grid(r->m);
    cr_expect_eq(memory_fetch(r->m, CODE, 0, 1), MEMORY_FETCH_MISS);
    rig_cycles(r, 2);
    memory_begin_grid(r->m);
    rig_idle(r);
    cr_expect_eq(r->fetched_count, 2, "who waited for it has it all the same");
    cr_expect_eq(memory_fetch(r->m, CODE, 0, 2), MEMORY_FETCH_MISS);
    rig_idle(r);
    memory_align(r->m, &(hd_write_back_sink){.context = NULL});
    cr_expect_eq(memory_fetch(r->m, CODE, 0, 3), MEMORY_FETCH_MISS);
    rig_idle(r);
    rig_destroy(r);
}

Test(instruction_cache, goes_first_where_data_waits_for_the_same_credit)
{
    rig *r = with_cache(512, 2);
    r->credits = 0;
    const uint32_t load = rig_one(r, ISA_OP_LW, 0, 0, 0x30000000, 0);
    rig_cycles(r, 3);
    memory_fetch(r->m, CODE, 0, 0);
    rig_cycles(r, 3);
    r->credits = 1;
    rig_finish(r, load);
    rig_idle(r);
    cr_assert_eq(r->sent_count, 2);
    cr_expect_eq(r->sent[0].packet.traffic_class, HD_CLASS_CODE);
    cr_expect_eq(r->sent[1].packet.traffic_class, HD_CLASS_GLOBAL);
    cr_expect_eq(r->sent[1].t, r->sent[0].t + RIG_CYCLE, "one packet a cycle");
    rig_destroy(r);
}
