/* SPDX-License-Identifier: MIT */
/* The trigger module: what its registers keep, and what matches. */
#include <criterion/criterion.h>

#include "hart_triggers.h"

enum { SELECT = 0x7A0, DATA_1, DATA_2, DATA_3, INFORMATION };
enum {
    LOAD = 1,
    STORE = 2,
    EXECUTE = 4,
    USER = 8,
    MACHINE = 0x40,
    RANGE = 1 << 7,
    FROM = 2 << 7,
    BELOW = 3 << 7,
    CHAIN = 1 << 11
};
#define ADDRESS_MATCH (UINT64_C(2) << 60 | UINT64_C(63) << 53) /* of ranges up to 2^63 bytes */

static uint64_t get(const hart_triggers *t, uint32_t number)
{
    uint64_t value = 0;
    cr_expect(hart_triggers_read(t, number, &value));
    return value;
}

/* Of an instruction far away. */
static uint32_t matches(const hart_triggers *t, uint32_t is_machine_mode, uint64_t address, uint32_t bytes,
                        uint32_t what)
{
    const hart_seen seen = {.pc = what == EXECUTE ? address : 0x80000000,
                            .pc_bytes = what == EXECUTE ? bytes : 4,
                            .address = address,
                            .bytes = bytes,
                            .what = what,
                            .is_machine_mode = is_machine_mode};
    return hart_triggers_match(t, &seen);
}

static hart_triggers with(uint64_t control, uint64_t address)
{
    hart_triggers t = {.count = 2};
    hart_triggers_reset(&t);
    hart_triggers_write(&t, SELECT, 1);
    hart_triggers_write(&t, DATA_2, address);
    hart_triggers_write(&t, DATA_1, ADDRESS_MATCH | control);
    return t;
}

Test(triggers, match_any_byte_of_an_access)
{
    const hart_triggers t = with(MACHINE | LOAD, 0x1004);
    cr_expect(t.is_armed);
    for (uint64_t address = 0xFF8; address < 0x1010; address++)
        cr_expect_eq(matches(&t, 1, address, 8, LOAD), address <= 0x1004 && address + 8 > 0x1004);
    cr_expect_not(matches(&t, 1, 0x1004, 4, STORE));
    cr_expect_not(matches(&t, 0, 0x1004, 4, LOAD), "it is of machine mode");
    cr_expect(matches(&t, 1, 0x1004, 4, LOAD | STORE), "an amo loads");
}

Test(triggers, match_ranges)
{
    const hart_triggers from = with(USER | STORE | FROM, 0x1000), below = with(MACHINE | EXECUTE | BELOW, 0x1000);
    cr_expect(matches(&from, 0, 0x1000, 1, STORE));
    cr_expect(matches(&from, 0, 0xFFC, 8, STORE));
    cr_expect_not(matches(&from, 0, 0xFFC, 4, STORE));
    cr_expect(matches(&below, 1, 0xFFE, 2, EXECUTE));
    cr_expect_not(matches(&below, 1, 0x1000, 2, EXECUTE));
}

Test(triggers, keep_what_is_legal)
{
    hart_triggers t = with(MACHINE | LOAD | CHAIN | UINT64_C(4) << 7 | UINT64_C(1) << 12 | UINT64_C(1) << 59, 8);
    uint64_t value;
    cr_expect_eq(get(&t, DATA_1), ADDRESS_MATCH | MACHINE | LOAD,
                 "no such match, no such action, not the debugger's, and behind it is none");
    hart_triggers_write(&t, SELECT, 2);
    cr_expect_eq(get(&t, SELECT), 1, "there are two");
    hart_triggers_write(&t, DATA_1, 0);
    cr_expect_eq(get(&t, DATA_1), ADDRESS_MATCH, "of this type, and off");
    cr_expect_not(t.is_armed);
    hart_triggers_write(&t, DATA_1, UINT64_C(6) << 60 | MACHINE | LOAD);
    cr_expect_eq(get(&t, DATA_1), ADDRESS_MATCH, "another type");
    hart_triggers_write(&t, DATA_3, 7);
    cr_expect_eq(get(&t, DATA_3), 0);
    cr_expect_eq(get(&t, INFORMATION), 4, "type 2");
    cr_expect_eq(get(&t, DATA_2), 8);
    cr_expect_not(hart_triggers_read(&(hart_triggers){0}, SELECT, &value), "there are none");
}

Test(triggers, match_ranges_that_are_powers_of_two)
{
    const hart_triggers t = with(MACHINE | LOAD | RANGE, 0x1007); /* 16 bytes */
    cr_expect_eq(get(&t, DATA_1), ADDRESS_MATCH | MACHINE | LOAD | RANGE);
    for (uint64_t address = 0xFE0; address < 0x1020; address++)
        cr_expect_eq(matches(&t, 1, address, 4, LOAD), address + 4 > 0x1000 && address < 0x1010);
    const hart_triggers two = with(MACHINE | EXECUTE | RANGE, 0x2000); /* 2 bytes */
    cr_expect(matches(&two, 1, 0x2000, 2, EXECUTE));
    cr_expect_not(matches(&two, 1, 0x2002, 2, EXECUTE));
    const hart_triggers all = with(MACHINE | STORE | RANGE, UINT64_MAX);
    cr_expect(matches(&all, 1, 0, 1, STORE) && matches(&all, 1, UINT64_MAX - 7, 8, STORE));
    const hart_triggers top = with(MACHINE | STORE | RANGE, UINT64_MAX - 8); /* the last 16 bytes */
    cr_expect(matches(&top, 1, UINT64_MAX - 7, 8, STORE));
    cr_expect_not(matches(&top, 1, UINT64_MAX - 23, 8, STORE));
}

static void set(hart_triggers *t, uint32_t number, uint64_t control, uint64_t address)
{
    hart_triggers_write(t, SELECT, number);
    hart_triggers_write(t, DATA_2, address);
    hart_triggers_write(t, DATA_1, ADDRESS_MATCH | control);
    cr_expect_eq(get(t, DATA_1), ADDRESS_MATCH | control);
}

Test(triggers, of_a_chain_match_together)
{
    hart_triggers t = {.count = 4};
    hart_triggers_reset(&t);
    set(&t, 0, MACHINE | LOAD | STORE | FROM | CHAIN, 0x1000);
    set(&t, 1, MACHINE | STORE | BELOW, 0x1100);
    set(&t, 2, MACHINE | LOAD, 0x3000);
    cr_expect(matches(&t, 1, 0x1000, 4, STORE) && matches(&t, 1, 0x10FF, 1, STORE));
    cr_expect_not(matches(&t, 1, 0x1100, 4, STORE), "the second one does not match");
    cr_expect_not(matches(&t, 1, 0xFF8, 8, STORE), "nor does the first");
    cr_expect_not(matches(&t, 1, 0x1000, 4, LOAD), "only one of them looks at loads");
    cr_expect(matches(&t, 1, 0x3000, 4, LOAD), "it is in no chain");
    cr_expect_not(matches(&t, 0, 0x1000, 4, STORE), "both are of machine mode");
}

/* Stores of one instruction, whichever trigger is the first. */
Test(triggers, of_a_chain_look_at_an_instruction_and_its_access)
{
    for (uint32_t first = 0; first < 2; first++) {
        hart_triggers t = {.count = 2};
        const hart_seen by_it = {
            .pc = 0x8000, .pc_bytes = 4, .address = 0x1000, .bytes = 8, .what = STORE, .is_machine_mode = 1};
        hart_seen by_another = by_it, elsewhere = by_it, fetched = by_it;
        by_another.pc = 0x8004;
        elsewhere.address = 0x2000;
        fetched.address = fetched.pc;
        fetched.what = EXECUTE;
        hart_triggers_reset(&t);
        set(&t, first, MACHINE | EXECUTE | (first ? 0 : CHAIN), 0x8000);
        set(&t, !first, MACHINE | STORE | (first ? CHAIN : 0), 0x1000);
        cr_expect(hart_triggers_match(&t, &by_it));
        cr_expect_not(hart_triggers_match(&t, &by_another));
        cr_expect_not(hart_triggers_match(&t, &elsewhere));
        cr_expect_not(hart_triggers_match(&t, &fetched), "it has not made its access");
    }
}
