/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdlib.h>

Test(l2_slice, waits_when_every_mshr_is_in_use)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"mshrs=2", NULL}, 1);
    for (uint32_t i = 0; i < 4; i++)
        load(kit, 0, i * LINE, 4, i, 0);
    kit_run_until(kit, 500 * CYCLE);
    /* The third miss goes out when a line is here and the replies of both have taken the data port. */
    cr_expect_eq(sent_at(kit, MEMORY, 1), 1);
    cr_expect_eq(sent_at(kit, MEMORY, 2), LINK + MEMORY_DELAY + 2);
    cr_expect_eq(kit_statistic(kit, "stall_cycles.mshrs"), LINK + MEMORY_DELAY);
    cr_expect_eq(kit_statistic(kit, "mshr_maximum"), 2);
    cr_expect_eq(kit_waiting(kit, REPLY, 0), 4);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, waits_when_a_miss_has_no_target_free)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"mshr_targets=2", NULL}, 1);
    for (uint32_t i = 0; i < 3; i++)
        load(kit, 0, 0, 4, i, 0);
    kit_run_until(kit, 500 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "mshr_merges"), 1);
    cr_expect_eq(kit_statistic(kit, "hits"), 1);
    cr_expect_eq(kit_statistic(kit, "stall_cycles.targets"), LINK + MEMORY_DELAY);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, waits_when_too_many_lines_are_on_their_way_to_memory)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"bytes=128 B", "ways=1", "mshrs=1", "write_backs=1", NULL}, 1);
    /* Each store of a whole line evicts the one before it. */
    for (uint32_t i = 0; i < 6; i++)
        store(kit, 0, i * LINE, LINE, UINT32_MAX, (uint8_t)i, i, 0);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(memory->writes, 5);
    cr_expect_gt(kit_statistic(kit, "stall_cycles.memory"), 0);
    cr_expect_eq(kit_statistic(kit, "write_backs"), 5);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, more_write_backs_wait_less)
{
    uint64_t stalls[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct memory *memory = make_memory();
        kit_block *kit =
            make(memory,
                 (const char *[]){"bytes=128 B", "ways=1", "mshrs=1", i ? "write_backs=4" : "write_backs=1", NULL}, 1);
        for (uint32_t k = 0; k < 6; k++)
            store(kit, 0, k * LINE, LINE, UINT32_MAX, 1, k, 0);
        kit_run_until(kit, 1000 * CYCLE);
        stalls[i] = kit_statistic(kit, "stall_cycles.memory");
        kit_destroy(kit);
        free(memory);
    }
    cr_expect_lt(stalls[1], stalls[0]);
}

static uint32_t replies_without_credit(const char *parameter)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){parameter, NULL}, 1);
    load_now(kit, 0);
    kit_hold_credits(kit, REPLY, 0, 1);
    for (uint32_t i = 0; i < 200; i++)
        load(kit, 0, 0, 4, i, 500 * CYCLE);
    kit_run_until(kit, 2000 * CYCLE);
    cr_expect_eq(kit_next(kit), HD_NEVER);
    const uint32_t accepted = (uint32_t)kit_statistic(kit, "loads") - 1;
    const hd_pending *pending = hd_l2_slice_write_back.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    cr_expect(pending->has_work(kit_instance(kit)));

    kit_hold_credits(kit, REPLY, 0, 0);
    kit_release_credits(kit, REPLY, 0, UINT32_MAX, 2000 * CYCLE);
    kit_run_until(kit, 4000 * CYCLE);
    cr_expect_eq(kit_waiting(kit, REPLY, 0), 200);
    cr_expect_gt(kit_statistic(kit, "stall_cycles.reply"), 1000);
    cr_expect_not(pending->has_work(kit_instance(kit)));
    kit_destroy(kit);
    free(memory);
    return accepted;
}

Test(l2_slice, takes_no_request_when_its_replies_find_no_credit)
{
    enum { CREDITS = 64 };
    cr_expect_eq(replies_without_credit("reply_queue=4"), CREDITS + LATENCY + 4);
    cr_expect_eq(replies_without_credit("reply_queue=20"), CREDITS + LATENCY + 20);
}

Test(l2_slice, keeps_its_requests_to_memory_until_there_is_a_credit)
{
    kit_block *kit = kit_create(&hd_l2_slice_write_back, (const char *[]){"latency=10 cycles", NULL});
    static const uint32_t endpoints[] = {0};
    kit_address_map(kit, 1, 256, endpoints);
    kit_connect(kit, REQUEST, 0, LINK, 64);
    kit_connect(kit, REPLY, 0, LINK, 64);
    kit_connect(kit, MEMORY, 0, LINK, 2);
    kit_hold_credits(kit, MEMORY, 0, 1);
    for (uint32_t i = 0; i < 5; i++)
        load(kit, 0, i * LINE, 4, i, 0);
    kit_run_until(kit, 100 * CYCLE);
    cr_expect_eq(kit_waiting(kit, MEMORY, 0), 2);
    cr_expect_eq(kit_statistic(kit, "loads"), 5, "they wait in MSHRs");
    kit_release_credits(kit, MEMORY, 0, 1, 100 * CYCLE);
    kit_run_until(kit, 200 * CYCLE);
    cr_expect_eq(kit_waiting(kit, MEMORY, 0), 3);
    cr_expect_eq(sent_at(kit, MEMORY, 2), 100 + LINK);
    kit_destroy(kit);
}

Test(l2_slice, a_port_whose_head_must_wait_does_not_stop_another)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"mshrs=1", NULL}, 2);
    load_now(kit, 0);
    load(kit, 0, 1024, 4, 1, 500 * CYCLE); /* takes the MSHR */
    load(kit, 0, 2048, 4, 2, 501 * CYCLE); /* must wait */
    load(kit, 1, 0, 4, 3, 502 * CYCLE);    /* hits */
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(reply->tag, 3);
    cr_expect_eq(sent_at(kit, REPLY, 1), 502 + LATENCY);
    kit_free(kit, reply);
    kit_destroy(kit);
    free(memory);
}
