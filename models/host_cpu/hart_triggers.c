/* SPDX-License-Identifier: MIT */
#include "hart_triggers.h"

#include <string.h>

enum { SELECT = 0x7A0, DATA_1 = 0x7A1, DATA_2 = 0x7A2, DATA_3 = 0x7A3, INFORMATION = 0x7A4 };

#define TYPE_SHIFT 60u
#define ADDRESS_MATCH UINT64_C(2) /* type: mcontrol */
#define IN_USER_MODE 0x08u
#define IN_MACHINE_MODE 0x40u
#define MATCH_SHIFT 7u
#define MATCH_MASK UINT64_C(15)
enum { EQUAL, RANGE, FROM, BELOW };
#define CHAIN (UINT64_C(1) << 11)
#define LARGEST_RANGE (UINT64_C(63) << 53) /* maskmax: of 2^63 bytes */
#define OF_THIS_TYPE (ADDRESS_MATCH << TYPE_SHIFT | LARGEST_RANGE)
#define ENABLES (HART_TRIGGER_LOAD | HART_TRIGGER_STORE | HART_TRIGGER_EXECUTE | IN_USER_MODE | IN_MACHINE_MODE)

void hart_triggers_reset(hart_triggers *triggers)
{
    memset(triggers->triggers, 0, sizeof triggers->triggers);
    for (uint32_t i = 0; i < triggers->count; i++)
        triggers->triggers[i].control = OF_THIS_TYPE;
    triggers->selected = triggers->is_armed = 0;
}

uint32_t hart_triggers_has(const hart_triggers *triggers, uint32_t number)
{
    return triggers->count && number >= SELECT && number <= INFORMATION;
}

uint32_t hart_triggers_read(const hart_triggers *triggers, uint32_t number, uint64_t *value)
{
    const hart_trigger *selected = &triggers->triggers[triggers->selected];
    if (!hart_triggers_has(triggers, number))
        return 0;
    switch (number) {
    case SELECT: *value = triggers->selected; break;
    case DATA_1: *value = selected->control; break;
    case DATA_2: *value = selected->address; break;
    case DATA_3: *value = 0; break;
    default: *value = UINT64_C(1) << ADDRESS_MATCH; break;
    }
    return 1;
}

static uint32_t match_of(uint64_t control)
{
    return (uint32_t)(control >> MATCH_SHIFT & MATCH_MASK);
}

/* Of another type: it matches nothing. A match that there is not is that of equal addresses. Behind the last one there is nothing to
 * chain. */
static uint64_t legal(uint64_t control, uint32_t is_last)
{
    const uint64_t match = match_of(control) <= BELOW ? control & MATCH_MASK << MATCH_SHIFT : 0;
    const uint64_t chain = is_last ? 0 : control & CHAIN;
    return OF_THIS_TYPE | (control >> TYPE_SHIFT == ADDRESS_MATCH ? (control & ENABLES) | match | chain : 0);
}

static void arm(hart_triggers *triggers)
{
    triggers->is_armed = 0;
    for (uint32_t i = 0; i < triggers->count; i++)
        triggers->is_armed |= (triggers->triggers[i].control & ENABLES) != 0;
}

uint32_t hart_triggers_write(hart_triggers *triggers, uint32_t number, uint64_t value)
{
    hart_trigger *selected = &triggers->triggers[triggers->selected];
    if (!hart_triggers_has(triggers, number))
        return 0;
    switch (number) {
    case SELECT: triggers->selected = value < triggers->count ? (uint32_t)value : triggers->selected; break;
    case DATA_1: selected->control = legal(value, triggers->selected + 1 == triggers->count); break;
    case DATA_2: selected->address = value; break;
    default: break;
    }
    arm(triggers);
    return 1;
}

/* As many ones as the address ends in say how large the range is, which begins below them and the zero before them. */
static uint32_t is_in_range(uint64_t encoded, uint64_t address, uint32_t bytes)
{
    const uint64_t mask = encoded ^ (encoded + 1), first = encoded & ~mask;
    return address + (bytes - 1) >= first && address <= first + mask;
}

static uint32_t is_there(const hart_trigger *trigger, uint64_t address, uint32_t bytes)
{
    switch (match_of(trigger->control)) {
    case RANGE: return is_in_range(trigger->address, address, bytes);
    case FROM: return address + bytes - 1 >= trigger->address;
    case BELOW: return address < trigger->address;
    default: return trigger->address - address < bytes;
    }
}

/* In a chain one trigger may look at the instruction that makes an access, and another one at the access. */
uint32_t hart_triggers_match(const hart_triggers *triggers, const hart_seen *seen)
{
    const uint64_t mode = seen->is_machine_mode ? IN_MACHINE_MODE : IN_USER_MODE;
    uint32_t all = 1, now = 0;
    for (uint32_t i = 0; i < triggers->count; i++) {
        const hart_trigger *trigger = &triggers->triggers[i];
        const uint32_t is_on = (trigger->control & mode) != 0;
        const uint32_t sees = is_on && trigger->control & seen->what && is_there(trigger, seen->address, seen->bytes);
        all &=
            sees || (is_on && trigger->control & HART_TRIGGER_EXECUTE && is_there(trigger, seen->pc, seen->pc_bytes));
        now |= sees;
        if (trigger->control & CHAIN)
            continue;
        if (all && now)
            return 1;
        all = 1;
        now = 0;
    }
    return 0;
}
