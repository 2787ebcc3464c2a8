/* SPDX-License-Identifier: MIT */
/* What the timed core reports of its accesses (hd_accesses.h). */
#include "core_told.h"

#include <criterion/criterion.h>

Test(core_accesses, all_that_threads_do_with_memory_is_reported)
{
    told_expect_all(&hd_simt_core_timed);
}

/* The pipe takes addresses in the scratchpad apart; they are reported as the program gave them. */
Test(core_accesses, addresses_are_those_of_the_program)
{
    const uint32_t words[] = {lui(A3, HD_SCRATCHPAD_BASE), sb(A3, 3, A3), amoswap_acquire(T0, ZERO, A3), ret(), 0};
    static const char *const standard[] = {NULL};
    core_told told;
    rig_tells(told_begin(&told));
    core_rig *rig = rig_create(standard, words);
    const hd_grid grid = {.grid_size = {2, 1, 1},
                          .block_size = {2, 1, 1},
                          .scratchpad_bytes = 64,
                          .entry_pc = CODE,
                          .private_bytes = 128};
    rig_launch_grid(rig, &grid, (const uint32_t[]){0, 0, 0}, 0);
    rig_launch_grid(rig, &grid, (const uint32_t[]){1, 0, 0}, 0);
    rig_finish(rig);
    rig_destroy(rig);
    uint32_t stores = 0, atomics = 0, sampled = 0;
    for (uint32_t i = 0; i < told.count; i++) {
        const hd_access *access = &told.access[i];
        stores += access->kind == HD_ACCESS_STORE && told.address[i] == HD_SCRATCHPAD_BASE + 3 && access->bytes == 1;
        atomics += access->kind == HD_ACCESS_ATOMIC && told.address[i] == HD_SCRATCHPAD_BASE &&
                   access->flags == HD_ACCESS_ACQUIRE;
        if (access->kind == HD_ACCESS_SAMPLED)
            sampled += (uint32_t)__builtin_popcountll(access->lanes);
    }
    cr_expect_eq(stores, 2);
    cr_expect_eq(atomics, 2);
    cr_expect_eq(sampled, 4, "each lane of both blocks");
}
