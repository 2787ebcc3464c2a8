/* SPDX-License-Identifier: MIT */
#include "hart_triggers.h"

#include <string.h>

enum { SELECT = 0x7A0, DATA_1 = 0x7A1, DATA_2 = 0x7A2, DATA_3 = 0x7A3, INFORMATION = 0x7A4 };

#define TYPE_SHIFT 60u
#define ADDRESS_MATCH UINT64_C(2) /* type: mcontrol */
#define IN_USER_MODE 0x08u
#define IN_MACHINE_MODE 0x40u
#define MATCH_SHIFT 7u
#define MATCH_MASK 15u
enum { EQUAL = 0, FROM = 2, BELOW = 3 };
#define ENABLES (HART_TRIGGER_LOAD | HART_TRIGGER_STORE | HART_TRIGGER_EXECUTE | IN_USER_MODE | IN_MACHINE_MODE)

void hart_triggers_reset(hart_triggers *triggers)
{
    memset(triggers->triggers, 0, sizeof triggers->triggers);
    for (uint32_t i = 0; i < triggers->count; i++)
        triggers->triggers[i].control = ADDRESS_MATCH << TYPE_SHIFT;
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
    return control >> MATCH_SHIFT & MATCH_MASK;
}

/* Of another type: it matches nothing. A match that there is not is that of equal addresses. */
static uint64_t legal(uint64_t control)
{
    const uint32_t match = match_of(control);
    const uint64_t kept = match == FROM || match == BELOW ? (uint64_t)match << MATCH_SHIFT : 0;
    return ADDRESS_MATCH << TYPE_SHIFT | (control >> TYPE_SHIFT == ADDRESS_MATCH ? (control & ENABLES) | kept : 0);
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
    case DATA_1: selected->control = legal(value); break;
    case DATA_2: selected->address = value; break;
    default: break;
    }
    arm(triggers);
    return 1;
}

static uint32_t is_there(const hart_trigger *trigger, uint64_t address, uint32_t bytes)
{
    switch (match_of(trigger->control)) {
    case FROM: return address + bytes - 1 >= trigger->address;
    case BELOW: return address < trigger->address;
    default: return trigger->address - address < bytes;
    }
}

uint32_t hart_triggers_match(const hart_triggers *triggers, uint32_t is_machine_mode, uint64_t address, uint32_t bytes,
                             uint32_t what)
{
    const uint64_t wanted = what | (is_machine_mode ? IN_MACHINE_MODE : IN_USER_MODE);
    for (uint32_t i = 0; i < triggers->count; i++) {
        const hart_trigger *trigger = &triggers->triggers[i];
        if ((trigger->control & what) && (trigger->control & wanted & ~(uint64_t)what) &&
            is_there(trigger, address, bytes))
            return 1;
    }
    return 0;
}
