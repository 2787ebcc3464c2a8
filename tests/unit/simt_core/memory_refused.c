/* SPDX-License-Identifier: MIT */
/* Accesses that are answered by a mistake: whose it is, after the access has left the pipe too. */
#include "memory_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define WRONG UINT32_C(0x20000080)

static rig *open(void)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    r->wrong_line = WRONG;
    return r;
}

static void expect_fault(rig *r, uint32_t warp, uint32_t lane, const char *text)
{
    rig_idle(r);
    cr_expect_eq(r->faults, 1);
    cr_expect_str_eq(r->fault, text);
    cr_expect_eq(r->fault_lane, lane);
    cr_expect_eq(r->fault_access.pc, 0x10000100);
    cr_expect_eq(r->fault_access.homes, warp);
    cr_expect_eq(memory_stores_outstanding(r->m, warp), 0);
    rig_destroy(r);
}

/* The first word is right. */
Test(memory_refused, a_load_is_that_of_the_lane_that_asked_for_wrong_bytes)
{
    rig *r = open();
    uint32_t address[64];
    rig_addresses(address, WRONG, 4);
    rig_submit(r, ISA_OP_LW, 0, 3, RIG_ALL, address, NULL, NULL);
    expect_fault(r, 3, 1, "load of 0x20000084: nobody may do that");
}

Test(memory_refused, a_load_of_none_of_them_is_a_load)
{
    rig *r = open();
    rig_finish(r, rig_one(r, ISA_OP_LW, 0, 5, WRONG, 0));
    cr_expect_eq(r->faults, 0);
    rig_destroy(r);
}

Test(memory_refused, an_atomic_is_that_of_its_lane)
{
    rig *r = open();
    const uint32_t ticket = rig_one(r, ISA_OP_AMOADD_W, 2, 9, WRONG + 20, 1);
    rig_finish(r, ticket);
    cr_expect_eq(r->result[ticket].value[9], 0, "what the answer has of it");
    expect_fault(r, 2, 9, "atomic on 0x20000094: nobody may do that");
}

Test(memory_refused, a_store_is_that_of_who_has_sent_it_long_ago)
{
    rig *r = open();
    r->hold = 1;
    rig_one(r, ISA_OP_SW, 4, 7, WRONG + 8, 1);
    for (uint32_t i = 0; i < 500; i++)
        rig_one(r, ISA_OP_SW, i % 8, i % 32, 0x20001000 + 128 * i, i);
    r->hold = 0;
    expect_fault(r, 4, 7, "store to 0x20000088: nobody may do that");
}
