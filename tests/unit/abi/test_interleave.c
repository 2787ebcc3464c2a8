/* SPDX-License-Identifier: MIT */
/* Where addresses lie, by multiplication and by division. */
#include <criterion/criterion.h>

#include "hd_interleave.h"
#include "kit.h"

enum { MAPS = 2000, ADDRESSES = 200 };

static void expect_as_divided(const hd_address_map *map, uint64_t *random)
{
    hd_interleave interleave;
    hd_interleave_init(&interleave, map);
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        const uint64_t address = kit_random(random) >> kit_random(random) % 64;
        uint32_t partition = UINT32_MAX;
        const uint64_t offset = hd_interleave_offset(&interleave, address, &partition);
        cr_assert_eq(offset, hd_partition_offset(map, address), "%#llx of %u", (unsigned long long)address,
                     map->partitions);
        cr_assert_eq(partition, hd_partition_of(map, address), "%#llx of %u", (unsigned long long)address,
                     map->partitions);
    }
}

Test(interleave, is_what_division_says)
{
    uint64_t random = 23;
    for (uint32_t i = 0; i < MAPS; i++) {
        const uint32_t groups = 1 + (uint32_t)kit_random(&random) % (i % 2 ? 64 : 65535);
        const uint32_t subs = i % 4 == 3 ? 2 : 1;
        const hd_address_map map = {.partitions = groups * subs,
                                    .interleave_bytes = 128u << kit_random(&random) % 10,
                                    .sub_partitions = subs,
                                    .sub_interleave_bytes = 128};
        expect_as_divided(&map, &random);
    }
}

Test(interleave, knows_hashed_maps)
{
    uint64_t random = 24;
    hd_index_hash hash;
    hd_index_hash_init(&hash, HD_HASH_IPOLY, 32);
    const hd_address_map map = {.partitions = 32, .interleave_bytes = 256, .hash = &hash};
    expect_as_divided(&map, &random);
}

Test(interleave, without_a_map_is_one_partition)
{
    hd_interleave interleave;
    uint32_t partition = UINT32_MAX;
    hd_interleave_init(&interleave, NULL);
    cr_expect_eq(hd_interleave_offset(&interleave, 12345, &partition), 12345);
    cr_expect_eq(partition, 0);
}
