/* SPDX-License-Identifier: MIT */
#include "hart_protection.h"

#include <string.h>

#define CONFIGURATION 0x3A0u /* first CSR; on RV64 those with an even number hold 8 entries each */
#define ADDRESS 0x3B0u
#define FEW_ENTRIES 16u /* so many have a CSR, at least */
#define ADDRESS_BITS ((UINT64_C(1) << 54) - 1)

#define LOCKED 0x80u
#define MATCHING 0x18u /* A */
enum { OFF = 0x00, TOP_OF_RANGE = 0x08, FOUR_BYTES = 0x10, POWER_OF_TWO = 0x18 };

void hart_protection_reset(hart_protection *protection)
{
    memset(protection->configuration, 0, sizeof protection->configuration);
    memset(protection->address, 0, sizeof protection->address);
    protection->is_locked = 0;
}

/* ---- CSRs --------------------------------------------------------------------------------------------------------- */

static uint32_t registers(const hart_protection *protection)
{
    return !protection->entries ? 0 : protection->entries > FEW_ENTRIES ? HART_PMP_ENTRIES_MAX : FEW_ENTRIES;
}

static uint32_t is_configuration(const hart_protection *protection, uint32_t number)
{
    return number >= CONFIGURATION && number < CONFIGURATION + registers(protection) / 4 && number % 2 == 0;
}

static uint32_t is_address(const hart_protection *protection, uint32_t number)
{
    return number >= ADDRESS && number < ADDRESS + registers(protection);
}

uint32_t hart_protection_has(const hart_protection *protection, uint32_t number)
{
    return is_configuration(protection, number) || is_address(protection, number);
}

/* What does not count of an address reads as ones where it says how large a power of two is, else as zeros. */
static uint64_t read_address(const hart_protection *protection, uint32_t entry)
{
    const uint32_t granule = protection->granule;
    const uint64_t address = protection->address[entry];
    if ((protection->configuration[entry] & MATCHING) != POWER_OF_TWO)
        return address & ~((UINT64_C(1) << granule) - 1);
    return granule < 2 ? address : address | ((UINT64_C(1) << (granule - 1)) - 1);
}

uint32_t hart_protection_read(const hart_protection *protection, uint32_t number, uint64_t *value)
{
    if (is_address(protection, number)) {
        *value = number - ADDRESS < protection->entries ? read_address(protection, number - ADDRESS) : 0;
        return 1;
    }
    if (!is_configuration(protection, number))
        return 0;
    memcpy(value, &protection->configuration[4 * (number - CONFIGURATION)], sizeof *value);
    return 1;
}

static uint8_t legal(const hart_protection *protection, uint8_t old, uint8_t written)
{
    uint8_t value = written & (LOCKED | MATCHING | HART_PMP_READ | HART_PMP_WRITE | HART_PMP_EXECUTE);
    if (!(value & HART_PMP_READ))
        value &= (uint8_t)~HART_PMP_WRITE;
    if (protection->granule && (value & MATCHING) == FOUR_BYTES)
        value = (uint8_t)((value & ~MATCHING) | (old & MATCHING));
    return value;
}

static void write_configuration(hart_protection *protection, uint32_t first, uint64_t value)
{
    for (uint32_t entry = first; entry < first + 8 && entry < protection->entries; entry++, value >>= 8) {
        uint8_t *configuration = &protection->configuration[entry];
        if (*configuration & LOCKED)
            continue;
        *configuration = legal(protection, *configuration, (uint8_t)value);
        protection->is_locked |= *configuration & LOCKED && *configuration & MATCHING;
    }
}

/* The address of a locked entry is, and that below a locked range, which is its bottom. */
static uint32_t is_address_locked(const hart_protection *protection, uint32_t entry)
{
    const uint8_t *configuration = protection->configuration;
    if (configuration[entry] & LOCKED)
        return 1;
    return entry + 1 < protection->entries && configuration[entry + 1] & LOCKED &&
           (configuration[entry + 1] & MATCHING) == TOP_OF_RANGE;
}

uint32_t hart_protection_write(hart_protection *protection, uint32_t number, uint64_t value)
{
    const uint32_t entry = number - ADDRESS;
    if (is_configuration(protection, number)) {
        write_configuration(protection, 4 * (number - CONFIGURATION), value);
        return 1;
    }
    if (!is_address(protection, number))
        return 0;
    if (entry < protection->entries && !is_address_locked(protection, entry))
        protection->address[entry] = value & ADDRESS_BITS;
    return 1;
}

/* ---- Accesses ------------------------------------------------------------------------------------------------------- */

typedef struct region {
    uint64_t first, last; /* bytes; first > last: none */
} region;

static region range_up_to(const hart_protection *protection, uint32_t entry)
{
    const uint64_t mask = ~((UINT64_C(1) << protection->granule) - 1);
    const uint64_t bottom = entry ? (protection->address[entry - 1] & mask) << 2 : 0;
    const uint64_t top = (protection->address[entry] & mask) << 2;
    return top > bottom ? (region){bottom, top - 1} : (region){1, 0};
}

static region power_of_two_at(const hart_protection *protection, uint32_t entry)
{
    const uint32_t granule = protection->granule;
    const uint64_t address = protection->address[entry] | (granule ? (UINT64_C(1) << (granule - 1)) - 1 : 0);
    const uint64_t within = address ^ (address + 1); /* ones up to the lowest zero, and there */
    return (region){(address & ~within) << 2, ((address | within) << 2) + 3};
}

static region region_of(const hart_protection *protection, uint32_t entry)
{
    const uint64_t four_bytes = protection->address[entry] << 2;
    switch (protection->configuration[entry] & MATCHING) {
    case TOP_OF_RANGE: return range_up_to(protection, entry);
    case FOUR_BYTES: return (region){four_bytes, four_bytes + 3};
    case POWER_OF_TWO: return power_of_two_at(protection, entry);
    default: return (region){1, 0};
    }
}

/* Its entry is the first that has any of its bytes. */
uint32_t hart_protection_allows(const hart_protection *protection, uint32_t is_machine_mode, uint64_t address,
                                uint32_t bytes, uint32_t needs)
{
    const uint64_t last = address + bytes - 1;
    for (uint32_t entry = 0; entry < protection->entries; entry++) {
        const uint8_t configuration = protection->configuration[entry];
        const region found = region_of(protection, entry);
        if (found.first > found.last || last < found.first || address > found.last)
            continue;
        if (address < found.first || last > found.last)
            return 0;
        return (is_machine_mode && !(configuration & LOCKED)) || (configuration & needs) == needs;
    }
    return is_machine_mode || !protection->entries;
}
