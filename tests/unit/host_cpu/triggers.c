/* SPDX-License-Identifier: MIT */
/* The trigger module: what its registers keep, and what matches. */
#include <criterion/criterion.h>

#include "hart_triggers.h"

enum { SELECT = 0x7A0, DATA_1, DATA_2, DATA_3, INFORMATION };
enum { LOAD = 1, STORE = 2, EXECUTE = 4, USER = 8, MACHINE = 0x40, FROM = 2 << 7, BELOW = 3 << 7 };
#define ADDRESS_MATCH (UINT64_C(2) << 60)

static uint64_t get(const hart_triggers *t, uint32_t number)
{
    uint64_t value = 0;
    cr_expect(hart_triggers_read(t, number, &value));
    return value;
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
        cr_expect_eq(hart_triggers_match(&t, 1, address, 8, LOAD), address <= 0x1004 && address + 8 > 0x1004);
    cr_expect_not(hart_triggers_match(&t, 1, 0x1004, 4, STORE));
    cr_expect_not(hart_triggers_match(&t, 0, 0x1004, 4, LOAD), "it is of machine mode");
    cr_expect(hart_triggers_match(&t, 1, 0x1004, 4, LOAD | STORE), "an amo loads");
}

Test(triggers, match_ranges)
{
    const hart_triggers from = with(USER | STORE | FROM, 0x1000), below = with(MACHINE | EXECUTE | BELOW, 0x1000);
    cr_expect(hart_triggers_match(&from, 0, 0x1000, 1, STORE));
    cr_expect(hart_triggers_match(&from, 0, 0xFFC, 8, STORE));
    cr_expect_not(hart_triggers_match(&from, 0, 0xFFC, 4, STORE));
    cr_expect(hart_triggers_match(&below, 1, 0xFFE, 2, EXECUTE));
    cr_expect_not(hart_triggers_match(&below, 1, 0x1000, 2, EXECUTE));
}

Test(triggers, keep_what_is_legal)
{
    hart_triggers t = with(MACHINE | LOAD | UINT64_C(1) << 7 | UINT64_C(1) << 12 | UINT64_C(1) << 59, 8);
    uint64_t value;
    cr_expect_eq(get(&t, DATA_1), ADDRESS_MATCH | MACHINE | LOAD, "no such match, no such action, not the debugger's");
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
