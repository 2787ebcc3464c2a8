/* SPDX-License-Identifier: MIT */
/* The compactor: random threads become the fewest warps, each in its lane, none twice. */
#include <criterion/criterion.h>
#include <string.h>

#include "block_stack/block_stack.h"
#include "kit_random.h"

static uint32_t most_of_a_lane(const uint64_t *masks, uint32_t warps)
{
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < MAX_LANES; lane++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < warps; i++)
            count += masks[i] >> lane & 1;
        most = count > most ? count : most;
    }
    return most;
}

Test(compactor, every_thread_is_once_in_the_fewest_warps)
{
    uint64_t random = 7;
    for (uint32_t turn = 0; turn < 3000; turn++) {
        uint64_t masks[MAX_WARPS] = {0}, latch[MAX_WARPS], seen[MAX_WARPS] = {0};
        uint32_t rows[MAX_LANES], made = 0;
        const uint32_t warps = turn ? 1 + (uint32_t)(kit_random(&random) % (turn % 7 ? 16 : MAX_WARPS)) : MAX_WARPS;
        for (uint32_t i = 0; i < warps; i++)
            masks[i] = turn ? kit_random(&random) & (turn % 3 ? kit_random(&random) : UINT64_MAX) : UINT64_MAX;
        memcpy(latch, masks, sizeof latch);
        while (masks_any(latch, warps)) {
            const uint64_t lanes = compactor_take(latch, warps, 0, rows);
            for (uint64_t left = lanes; left; left &= left - 1) {
                const uint32_t lane = (uint32_t)__builtin_ctzll(left);
                cr_assert_lt(rows[lane], warps);
                cr_assert_eq(seen[rows[lane]] >> lane & 1, 0, "turn %u", turn);
                seen[rows[lane]] |= left & -left;
            }
            made++;
        }
        cr_assert_arr_eq(seen, masks, sizeof seen, "turn %u", turn);
        cr_assert_eq(made, compacted_warps(masks, warps), "turn %u", turn);
        cr_assert_eq(made, most_of_a_lane(masks, warps), "turn %u", turn);
        cr_assert_leq(made, static_warps(masks, warps));
    }
}

Test(compactor, full_warps_come_out_as_they_were)
{
    uint64_t latch[] = {0xF, 0xF, 0xF};
    uint32_t rows[MAX_LANES];
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(compactor_take(latch, 3, 0, rows), 0xF);
        for (uint32_t lane = 0; lane < 4; lane++)
            cr_expect_eq(rows[lane], i);
    }
}

Test(compactor, rows_come_out_one_by_one)
{
    uint64_t latch[] = {0, 0x5, 0, 0xA};
    uint32_t rows[MAX_LANES];
    cr_expect_eq(static_warps(latch, 4), 2);
    cr_expect_eq(compactor_take(latch, 4, 1, rows), 0x5);
    cr_expect_eq(rows[2], 1);
    cr_expect_eq(compactor_take(latch, 4, 1, rows), 0xA);
    cr_expect_eq(rows[3], 3);
    cr_expect_not(masks_any(latch, 4));
}
