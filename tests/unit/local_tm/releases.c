/* SPDX-License-Identifier: MIT */
/* When shared words are let go. Warps of 4 threads. */
#include "area.h"

#include <criterion/criterion.h>

static area *shared_by(uint32_t release, uint32_t first, uint32_t second)
{
    area *a = area_create(OWNERSHIP_SMDCD, release, 4, 4, 2);
    ownership_enter(&a->ownership, first / 4);
    ownership_enter(&a->ownership, second / 4);
    area_load(a, first, 0, CONFLICT_NONE, 2);
    area_load(a, second, 0, CONFLICT_NONE, release == OWNERSHIP_WARP_MAP ? 3 : 2);
    return a;
}

static void commit(area *a, uint32_t thread)
{
    ownership_commit(&a->ownership, thread);
    ownership_end_attempt(&a->ownership, thread / 4);
    ownership_leave(&a->ownership, thread / 4);
}

/* Three warps share a word, two end: a store still loses, and succeeds when the last has ended. */
Test(local_releases, a_map_has_the_warps_that_read)
{
    area *a = shared_by(OWNERSHIP_WARP_MAP, 0, 5);
    area_load(a, 9, 0, CONFLICT_NONE, 3);
    cr_expect_eq(area_owner(a, 0), 0x7);
    commit(a, 0);
    cr_expect_eq(area_owner(a, 0), 0x6);
    commit(a, 9);
    area_store(a, 13, 0, 1, CONFLICT_WRITE_AFTER_READ, 0);
    commit(a, 5);
    cr_expect_eq(area_state(a, 0), WORD_UNSET);
    cr_expect_eq(a->ownership.set_count, 0);
    area_store(a, 13, 0, 1, CONFLICT_NONE, 4);
    area_destroy(a);
}

Test(local_releases, a_thread_that_aborts_leaves_the_bit_of_its_warp)
{
    area *a = shared_by(OWNERSHIP_WARP_MAP, 0, 5);
    cr_expect_eq(area_abort(a, 5), 0);
    cr_expect_eq(area_owner(a, 0), 0x3);
    area_store(a, 0, 0, 1, CONFLICT_WRITE_AFTER_READ, 0);
    area_destroy(a);
}

Test(local_releases, the_eighth_warp_has_a_bit)
{
    area *a = shared_by(OWNERSHIP_WARP_MAP, 31, 0);
    cr_expect_eq(area_owner(a, 0), 0x81);
    area_destroy(a);
}

/* Lanes 1, 2 and 3 have read a word; who may write it depends on who is left. Warps of 4, the readers' backup is a map of lanes. */
Test(local_releases, the_last_lane_of_a_map_may_write)
{
    area *a = area_create(OWNERSHIP_SMDCD, OWNERSHIP_LANE_MAP, 4, 4, 2);
    area_load(a, 1, 0, CONFLICT_NONE, 2);
    area_load(a, 2, 0, CONFLICT_NONE, 4);
    area_load(a, 3, 0, CONFLICT_NONE, 4);
    area_load(a, 3, 0, CONFLICT_NONE, 3);
    cr_expect_eq(area_backup(a, 0), 0xE);
    area_store(a, 1, 0, 7, CONFLICT_WRITE_AFTER_READ, 2);
    a->running = 0xD;
    area_store(a, 0, 0, 7, CONFLICT_WRITE_AFTER_READ, 2);
    area_store(a, 3, 0, 7, CONFLICT_WRITE_AFTER_READ, 2);
    a->running = 0x9;
    area_store(a, 3, 0, 7, CONFLICT_NONE, 6);
    cr_expect_eq(area_state(a, 0), WORD_MODIFIED);
    cr_expect_eq(area_owner(a, 0), 3);
    cr_expect_eq(area_backup(a, 0), 100, "what the word was, and the map no more");
    cr_expect_eq(area_abort(a, 3), 1);
    cr_expect_eq(a->memory[0], 100);
    cr_expect_eq(a->ownership.set_count + a->ownership.shared_count, 0);
    area_destroy(a);
}

Test(local_releases, a_map_of_lanes_is_that_of_one_warp)
{
    area *a = area_create(OWNERSHIP_SMDCD, OWNERSHIP_LANE_MAP, 4, 4, 2);
    area_load(a, 1, 0, CONFLICT_NONE, 2);
    area_load(a, 6, 0, CONFLICT_NONE, 4);
    cr_expect_eq(area_owner(a, 0), 0x3);
    a->running = 0x2;
    area_store(a, 1, 0, 7, CONFLICT_WRITE_AFTER_READ, 1);
    ownership_end_attempt(&a->ownership, 1);
    cr_expect_eq(area_owner(a, 0), 0x1);
    area_store(a, 1, 0, 7, CONFLICT_NONE, 6);
    ownership_commit(&a->ownership, 1);
    cr_expect_eq(a->ownership.set_count, 0);
    area_destroy(a);
}

/* The map of warps, and the owner in its place; the others are to data and to the backup, with the map of lanes. */
Test(local_releases, owners_are_accessed_twice_by_the_last_reader_who_writes)
{
    area *a = area_create(OWNERSHIP_SMDCD, OWNERSHIP_LANE_MAP, 4, 4, 2);
    area_load(a, 1, 0, CONFLICT_NONE, 2);
    area_load(a, 2, 0, CONFLICT_NONE, 4);
    const ownership_verdict verdict = ownership_access(&a->ownership, 2, 0, 1, UINT64_C(1) << 2);
    cr_expect_eq(verdict.accesses, 6);
    cr_expect_eq(verdict.to_owner, 2);
    area_destroy(a);
}

/* Of 64 lanes two have one bit: each may be the reader. */
Test(local_releases, a_bit_is_that_of_two_lanes)
{
    area *a = area_create(OWNERSHIP_SMDCD, OWNERSHIP_LANE_MAP, 64, 4, 2);
    area_load(a, 5, 0, CONFLICT_NONE, 2);
    area_load(a, 40, 0, CONFLICT_NONE, 4);
    cr_expect_eq(area_backup(a, 0), 1u << 5 | 1u << 8);
    a->running = UINT64_C(1) << 5 | UINT64_C(1) << 8;
    area_store(a, 5, 0, 7, CONFLICT_WRITE_AFTER_READ, 2);
    a->running = UINT64_C(1) << 5 | UINT64_C(1) << 40;
    area_store(a, 5, 0, 7, CONFLICT_WRITE_AFTER_READ, 2);
    a->running = UINT64_C(1) << 5 | UINT64_C(1) << 41;
    area_store(a, 5, 0, 7, CONFLICT_NONE, 6);
    area_destroy(a);
}

Test(local_releases, sticky_words_stay_until_nobody_is_inside)
{
    area *a = shared_by(OWNERSHIP_STICKY, 0, 5);
    commit(a, 0);
    area_store(a, 13, 0, 1, CONFLICT_WRITE_AFTER_READ, 0);
    area_abort(a, 5);
    ownership_end_attempt(&a->ownership, 1);
    area_store(a, 5, 0, 1, CONFLICT_WRITE_AFTER_READ, 0);
    ownership_leave(&a->ownership, 1);
    area_store(a, 13, 0, 1, CONFLICT_NONE, 4);
    area_destroy(a);
}

Test(local_releases, or_one_is_alone)
{
    area *a = shared_by(OWNERSHIP_STICKY, 0, 5);
    area_abort(a, 0);
    area_abort(a, 5);
    ownership_clear_shared(&a->ownership);
    cr_expect_eq(a->ownership.set_count, 0);
    area_store(a, 5, 0, 1, CONFLICT_NONE, 4);
    area_destroy(a);
}

Test(local_releases, the_only_reader_that_is_known_may_write)
{
    area *a = shared_by(OWNERSHIP_PRECISE, 0, 5);
    area_store(a, 5, 0, 1, CONFLICT_WRITE_AFTER_READ, 0);
    area_abort(a, 0);
    area_load(a, 5, 0, CONFLICT_NONE, 1);
    area_store(a, 9, 0, 1, CONFLICT_WRITE_AFTER_READ, 0);
    area_store(a, 5, 0, 1, CONFLICT_NONE, 4);
    cr_expect_eq(area_state(a, 0), WORD_MODIFIED);
    cr_expect_eq(area_abort(a, 5), 1);
    cr_expect_eq(a->memory[0], 100);
    cr_expect_eq(a->ownership.set_count, 0);
    area_destroy(a);
}

Test(local_releases, readers_are_known_up_to_the_last_thread)
{
    area *a = area_create(OWNERSHIP_SMDCD, OWNERSHIP_PRECISE, 32, 4, 2);
    area_load(a, 255, 0, CONFLICT_NONE, 2);
    area_load(a, 64, 0, CONFLICT_NONE, 2);
    ownership_commit(&a->ownership, 64);
    area_store(a, 254, 0, 1, CONFLICT_WRITE_AFTER_READ, 0);
    area_store(a, 255, 0, 1, CONFLICT_NONE, 4);
    ownership_commit(&a->ownership, 255);
    cr_expect_eq(a->ownership.set_count, 0);
    area_destroy(a);
}

/* By the paper the word goes with the thread that read it first, and what the other one has read is written. */
Test(local_releases, by_the_paper_a_reader_is_forgotten)
{
    area *a = shared_by(OWNERSHIP_PAPER, 0, 5);
    area_abort(a, 5);
    cr_expect_eq(area_state(a, 0), WORD_SHARED);
    area_destroy(a);
    a = shared_by(OWNERSHIP_PAPER, 0, 5);
    commit(a, 0);
    area_store(a, 13, 0, 1, CONFLICT_NONE, 4);
    area_destroy(a);
}
