/* SPDX-License-Identifier: MIT */
/* Each kind of memory, loaded and stored. */
#include "memory_rig.h"

#include <criterion/criterion.h>

static void fill(uint32_t *address, uint32_t base, uint32_t stride)
{
    for (uint32_t lane = 0; lane < 64; ++lane)
        address[lane] = base + lane * stride;
}

Test(memory, loads_global_words_past_the_l1)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    fill(address, 0x20000000, 4);
    const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 0, UINT32_MAX, address, NULL, NULL);
    rig_finish(r, ticket);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_assert_eq(r->result[ticket].value[lane], rig_peek(r, address[lane]));
    /* In the pipe at the edge after submit, there and back, nothing else. */
    cr_assert_eq(rig_latency(r, ticket), 1 + r->accept_delay + r->reply_delay);
    cr_assert_eq(r->counters.packets_sent, 1);
    cr_assert_eq(r->sent[0].packet.argument, 128);
    rig_idle(r);
    rig_destroy(r);
}

Test(memory, stores_and_loads_bytes_halves_and_words)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    static const uint32_t windows[] = {0x20000000, HD_SCRATCHPAD_BASE, HD_PRIVATE_BASE};
    for (uint32_t w = 0; w < 3; ++w) {
        rig_one(r, ISA_OP_SW, 1, 5, windows[w] + 8, 0x44332211);
        rig_one(r, ISA_OP_SB, 1, 5, windows[w] + 9, 0xFFFFFFAB);
        rig_one(r, ISA_OP_SH, 1, 5, windows[w] + 10, 0xFFFFCDEF);
        const uint32_t word = rig_one(r, ISA_OP_LW, 1, 5, windows[w] + 8, 0);
        const uint32_t byte = rig_one(r, ISA_OP_LB, 1, 5, windows[w] + 9, 0);
        const uint32_t half = rig_one(r, ISA_OP_LHU, 1, 5, windows[w] + 10, 0);
        rig_idle(r);
        cr_expect_eq(r->result[word].value[5], 0xCDEFAB11, "window %u: %08x", w, r->result[word].value[5]);
        cr_expect_eq(r->result[byte].value[5], 0xAB);
        cr_expect_eq(r->result[half].value[5], 0xCDEF);
    }
    rig_destroy(r);
}
