/* SPDX-License-Identifier: MIT */
/* Physical memory protection against an oracle that marks every byte of a small memory, and what its registers keep. */
#include <criterion/criterion.h>
#include <string.h>

#include "hart_protection.h"
#include "kit.h"

enum {
    ENTRIES = 16,
    MEMORY = 1024,
    SEEDS = 400,
    ACCESSES = 200,
    CONFIGURATION = 0x3A0,
    ADDRESS = 0x3B0,
    LOCKED = 0x80
};
enum { OFF = 0, TOP_OF_RANGE = 1, FOUR_BYTES = 2, POWER_OF_TWO = 3, NOBODY = 255 };

typedef struct oracle {
    uint8_t owner[MEMORY]; /* first entry that has the byte */
    uint8_t configuration[ENTRIES];
} oracle;

static void own(oracle *o, uint8_t entry, uint64_t first, uint64_t behind)
{
    for (uint64_t byte = first; byte < behind && byte < MEMORY; byte++)
        if (o->owner[byte] == NOBODY)
            o->owner[byte] = entry;
}

/* A region as software means it: from `begin` on, or of a range up to there, and where the range of the next entry would begin. */
static uint64_t set(hart_protection *p, oracle *o, uint8_t entry, uint32_t mode, uint64_t begin, uint64_t bytes,
                    uint64_t bottom)
{
    const uint64_t address = mode == POWER_OF_TWO ? (begin >> 2) | (bytes / 8 - 1) : begin >> 2;
    cr_expect(hart_protection_write(p, ADDRESS + entry, address));
    if (mode == POWER_OF_TWO || mode == FOUR_BYTES)
        own(o, entry, begin, begin + bytes);
    if (mode == TOP_OF_RANGE)
        own(o, entry, bottom, begin);
    return address >> p->granule << p->granule << 2;
}

static void fill(hart_protection *p, oracle *o, uint64_t *random)
{
    uint64_t bottom = 0, configuration[2] = {0};
    const uint64_t granule = UINT64_C(4) << p->granule;
    memset(o->owner, NOBODY, sizeof o->owner);
    for (uint8_t entry = 0; entry < ENTRIES; entry++) {
        uint32_t mode = (uint32_t)(kit_random(random) % 4);
        if (mode == FOUR_BYTES && p->granule)
            mode = OFF;
        const uint64_t size = mode == FOUR_BYTES ? 4 : (granule < 8 ? 8 : granule) << kit_random(random) % 4;
        const uint64_t unit = mode == TOP_OF_RANGE || mode == OFF ? granule : size;
        const uint64_t begin = kit_random(random) % (MEMORY / unit) * unit;
        const uint8_t rights = "\0\1\3\4\5\7"[kit_random(random) % 6];
        o->configuration[entry] = (uint8_t)(rights | mode << 3 | (kit_random(random) % 2 ? LOCKED : 0));
        configuration[entry / 8] |= (uint64_t)o->configuration[entry] << entry % 8 * 8;
        bottom = set(p, o, entry, mode, begin, size, bottom);
    }
    cr_expect(hart_protection_write(p, CONFIGURATION, configuration[0]));
    cr_expect(hart_protection_write(p, CONFIGURATION + 2, configuration[1]));
}

static uint32_t expected(const oracle *o, uint32_t is_machine, uint64_t address, uint32_t bytes, uint32_t needs)
{
    uint8_t first = NOBODY;
    for (uint32_t i = 0; i < bytes; i++)
        first = o->owner[address + i] < first ? o->owner[address + i] : first;
    if (first == NOBODY)
        return is_machine;
    for (uint32_t i = 0; i < bytes; i++)
        if (o->owner[address + i] != first)
            return 0;
    return (is_machine && !(o->configuration[first] & LOCKED)) || (o->configuration[first] & needs) == needs;
}

Test(protection, is_that_of_an_oracle_of_bytes)
{
    uint32_t allowed = 0, refused = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t random = seed;
        static oracle o;
        hart_protection p = {.entries = ENTRIES, .granule = (uint32_t)(seed % 4)};
        hart_protection_reset(&p);
        fill(&p, &o, &random);
        for (uint32_t i = 0; i < ACCESSES; i++) {
            const uint32_t bytes = 1u << kit_random(&random) % 4, needs = 1u << kit_random(&random) % 3;
            const uint32_t is_machine = kit_random(&random) % 2;
            const uint64_t address = kit_random(&random) % (MEMORY - 8);
            const uint32_t is_allowed = hart_protection_allows(&p, is_machine, address, bytes, needs);
            cr_assert_eq(is_allowed, expected(&o, is_machine, address, bytes, needs),
                         "seed %llu: %u bytes at 0x%llx, needs %u, machine %u: %u", (unsigned long long)seed, bytes,
                         (unsigned long long)address, needs, is_machine, is_allowed);
            allowed += is_allowed;
            refused += !is_allowed;
        }
    }
    cr_log_info("seeds 1 to %d: %u allowed, %u refused", SEEDS, allowed, refused);
    cr_expect(allowed > SEEDS * ACCESSES / 10 && refused > SEEDS * ACCESSES / 10);
}

static uint64_t get(const hart_protection *p, uint32_t number)
{
    uint64_t value = 0;
    cr_expect(hart_protection_read(p, number, &value));
    return value;
}

Test(protection, of_a_locked_entry_nothing_changes_until_reset)
{
    hart_protection p = {.entries = ENTRIES};
    hart_protection_write(&p, ADDRESS + 2, 0x100);
    hart_protection_write(&p, ADDRESS + 3, 0x200);
    hart_protection_write(&p, CONFIGURATION, UINT64_C(0x89) << 24); /* entry 3: a range that may be read, locked */
    cr_expect(p.is_locked);
    hart_protection_write(&p, ADDRESS + 3, 0x300);
    hart_protection_write(&p, ADDRESS + 2, 0x180);
    hart_protection_write(&p, CONFIGURATION, UINT64_C(0x1F) << 24 | 0x0F);
    cr_expect_eq(get(&p, ADDRESS + 3), 0x200);
    cr_expect_eq(get(&p, ADDRESS + 2), 0x100, "it is where the range begins");
    cr_expect_eq(get(&p, CONFIGURATION), UINT64_C(0x89) << 24 | 0x0F);
    cr_expect(hart_protection_allows(&p, 1, 0x400, 8, HART_PMP_READ));
    cr_expect_not(hart_protection_allows(&p, 1, 0x400, 8, HART_PMP_WRITE), "machine mode, too");
    cr_expect_not(hart_protection_allows(&p, 1, 0x7FC, 8, HART_PMP_READ), "half of it is behind the range");
    hart_protection_reset(&p);
    cr_expect_eq(get(&p, CONFIGURATION), 0);
    cr_expect_not(p.is_locked);
}

Test(protection, keeps_what_is_legal)
{
    hart_protection p = {.entries = ENTRIES};
    uint64_t value;
    hart_protection_write(&p, CONFIGURATION, 0x62); /* reserved bits, and writing without reading */
    cr_expect_eq(get(&p, CONFIGURATION), 0);
    hart_protection_write(&p, ADDRESS, UINT64_MAX);
    cr_expect_eq(get(&p, ADDRESS), (UINT64_C(1) << 54) - 1);
    cr_expect_not(hart_protection_read(&p, CONFIGURATION + 1, &value), "pmpcfg1 is of RV32");
    cr_expect_not(hart_protection_read(&p, ADDRESS + 16, &value));
    cr_expect_not(hart_protection_write(&(hart_protection){0}, ADDRESS, 0), "there is no protection");
    p.entries = 64;
    cr_expect(hart_protection_write(&p, ADDRESS + 63, 5));
    cr_expect_eq(get(&p, ADDRESS + 63), 5);
}

/* Bits below the granule read as the mode has them, and are still there. */
Test(protection, a_coarser_granule_shows_in_what_is_read)
{
    hart_protection p = {.entries = ENTRIES, .granule = 3};
    hart_protection_write(&p, ADDRESS, 0x105);
    cr_expect_eq(get(&p, ADDRESS), 0x100, "off");
    hart_protection_write(&p, CONFIGURATION, POWER_OF_TWO << 3);
    cr_expect_eq(get(&p, ADDRESS), 0x107);
    hart_protection_write(&p, CONFIGURATION, FOUR_BYTES << 3);
    cr_expect_eq(get(&p, CONFIGURATION), POWER_OF_TWO << 3, "four bytes are less than a granule");
    hart_protection_write(&p, CONFIGURATION, TOP_OF_RANGE << 3);
    cr_expect_eq(get(&p, ADDRESS), 0x100);
}
