/* SPDX-License-Identifier: MIT */
/* Refused addresses: the text names bytes, kind and address, and nothing of the access takes place. */
#include "memory_rig.h"

#include <criterion/criterion.h>
#include <string.h>

Test(memory_fault, names_bytes_kind_and_address)
{
    static const struct {
        uint32_t op;
        uint32_t address;
        const char *text;
    } cases[] = {
        {ISA_OP_LW, 0x00000010, "null dereference: 4-byte load of 0x00000010"},
        {ISA_OP_SB, 0x0000FFFF, "null dereference: 1-byte store to 0x0000ffff"},
        {ISA_OP_LW, 0x00010000, "unmapped address: 4-byte load of 0x00010000"},
        {ISA_OP_LB, 0x00FFFFFF, "unmapped address: 1-byte load of 0x00ffffff"},
        {ISA_OP_LW, 0x01000FFC, NULL},
        {ISA_OP_SW, 0x01001000, "scratchpad overrun: 4-byte store to 0x01001000, the block has 4096 bytes"},
        {ISA_OP_AMOADD_W, 0x01FFFFFC, "scratchpad overrun: 4-byte atomic on 0x01fffffc, the block has 4096 bytes"},
        {ISA_OP_SW, 0x03FFFFFC, "stack overflow: 4-byte store to 0x03fffffc"},
        {ISA_OP_SW, 0x03F00000, "stack overflow: 4-byte store to 0x03f00000"},
        {ISA_OP_SW, 0x040003FC, NULL},
        {ISA_OP_LH, 0x04000400, "private memory overrun: 2-byte load of 0x04000400, the thread has 1024 bytes"},
        {ISA_OP_AMOSWAP_W, 0x04000000, "private memory takes no atomics: 4-byte atomic on 0x04000000"},
        {ISA_OP_LR_W, 0x04000000, "private memory takes no atomics: 4-byte atomic on 0x04000000"},
        {ISA_OP_LW, 0x08000000, "unmapped address: 4-byte load of 0x08000000"},
        {ISA_OP_LW, 0x0C0000FC, NULL},
        {ISA_OP_LW, 0x0C000100, "constant memory overrun: 4-byte load of 0x0c000100, the launch has 256 bytes"},
        {ISA_OP_SW, 0x0C000000, "constant memory is read-only: 4-byte store to 0x0c000000"},
        {ISA_OP_AMOOR_W, 0x0C000000, "constant memory is read-only: 4-byte atomic on 0x0c000000"},
        {ISA_OP_LW, 0x0C010000, "unmapped address: 4-byte load of 0x0c010000"},
        {ISA_OP_LW, 0x0FFFFFFC, "unmapped address: 4-byte load of 0x0ffffffc"},
        {ISA_OP_LW, 0x10000000, NULL},
        {ISA_OP_LW, 0xEFFFFFFC, NULL},
        {ISA_OP_LW, 0xF0000000, "beyond the machine's memory: 4-byte load of 0xf0000000, memory ends at 0xf0000000"},
        {ISA_OP_SB, 0xFFFFFFFF, "beyond the machine's memory: 1-byte store to 0xffffffff, memory ends at 0xf0000000"},
        {ISA_OP_LW, 0x10000002, "misaligned 4-byte load of 0x10000002"},
        {ISA_OP_SH, 0x10000001, "misaligned 2-byte store to 0x10000001"},
        {ISA_OP_AMOADD_W, 0x10000001, "misaligned 4-byte atomic on 0x10000001"},
    };
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        r->faults = 0;
        const uint32_t ticket = rig_one(r, cases[i].op, 0, 17, cases[i].address, 0);
        cr_expect_eq(r->faults, cases[i].text != NULL, "case %u", i);
        cr_expect_eq(ticket == MEMORY_NO_TICKET, cases[i].text != NULL, "case %u", i);
        if (cases[i].text != NULL) {
            cr_expect_str_eq(r->fault, cases[i].text);
            cr_expect_eq(r->fault_lane, 17);
        }
    }
    rig_idle(r);
    rig_destroy(r);
}

Test(memory_fault, names_the_lowest_lane_and_does_nothing_for_the_others)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    uint32_t data[64] = {0};
    rig_addresses(address, 0x20000000, 4);
    const uint32_t before = rig_peek(r, 0x20000000);
    address[9] = 4;
    address[6] = 0x20000001;
    cr_expect_eq(rig_submit(r, ISA_OP_SW, 0, 0, RIG_ALL, address, data, NULL), MEMORY_NO_TICKET);
    cr_expect_eq(r->faults, 1);
    cr_expect_eq(r->fault_lane, 6);
    cr_expect(memory_is_idle(r->m));
    cr_expect_eq(memory_status_of(r->m)->next_edge, MEMORY_NO_EDGE);
    cr_expect_eq(r->counters.stores, 0);
    cr_expect_eq(memory_stores_outstanding(r->m, 0), 0);
    cr_expect_eq(rig_peek(r, 0x20000000), before);
    rig_destroy(r);
}

Test(memory_fault, looks_at_active_lanes_only)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64] = {[2] = 0x20000004};
    rig_submit(r, ISA_OP_LW, 0, 0, 4, address, NULL, NULL);
    cr_expect_eq(r->faults, 0);
    rig_idle(r);
    rig_destroy(r);
}
