/* SPDX-License-Identifier: MIT */
/* Words of scratchpads: no slice sees them, and plain stores to them have a place among the commits. */
#include "rig.h"

#include <criterion/criterion.h>

/* 5 is stored plainly, and 7 after the transaction, which reads `value` and writes 9. */
static uint64_t violations_of(uint32_t value, uint32_t interferes, uint64_t *mixed)
{
    rig rig;
    rig_open(&rig);
    rig_begin(&rig);
    const hd_transactions *told = hd_transaction_checker_extension(rig.checker);
    const uint64_t address = hd_scratchpad_word(1, 2, 8);
    const hd_transaction_word before = {.address = address, .value = 5, .byte_mask = 0xF};
    const hd_transaction_word after = {.address = address, .value = 7, .byte_mask = 0xF};
    const hd_transaction_word read = {.address = address, .value = value, .byte_mask = 0xF, .sample = HD_NO_SAMPLE};
    const hd_transaction_word write = {.address = address, .value = 9, .byte_mask = 0xF, .sample = HD_NO_SAMPLE};
    told->stored(told->context, 1, &after, 30, 0);
    told->stored(told->context, 1, &before, 10, interferes);
    told->committed(
        told->context, 1,
        &(hd_transaction){
            .order = 20, .warp = 1, .epoch = 1, .read_count = 1, .write_count = 1, .reads = &read, .writes = &write});
    rig_end(&rig);
    *mixed = hd_transaction_checker_counts(rig.checker).mixed;
    const uint64_t violations = rig.violations;
    rig_close(&rig);
    return violations;
}

Test(scratchpads, plain_stores_are_in_their_order)
{
    uint64_t mixed;
    cr_expect_eq(violations_of(5, 0, &mixed), 0);
    cr_expect_eq(mixed, 0);
    cr_expect_eq(violations_of(7, 0, &mixed), 1);
}

Test(scratchpads, stores_that_interfere_are_not_compared)
{
    uint64_t mixed;
    cr_expect_eq(violations_of(6, 1, &mixed), 0);
    cr_expect_eq(mixed, 1);
}
