/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

static rig r;

/* Two allocations of 100 bytes, 256 apart; the first is written as a whole. */
static void open_rig(void)
{
    rig_open(&r);
    rig_begin(&r);
    rig_allocate(&r, 1, GLOBAL + 0x100, 100, HD_ALLOCATION_PROGRAM);
    rig_allocate(&r, 2, GLOBAL + 0x200, 100, HD_ALLOCATION_PROGRAM);
    rig_written(&r, GLOBAL + 0x100, 100);
}

#define EXPECT_ERROR(...)                                                                                              \
    do {                                                                                                               \
        rig_finish(&r);                                                                                                \
        cr_expect_eq(r.found, 1, "%s", r.text);                                                                        \
        rig_expect_texts(&r, (const char *const[]){__VA_ARGS__, NULL});                                                \
    } while (0)

Test(memory_checker, what_the_host_has_written_may_be_read)
{
    open_rig();
    rig_load(&r, T(0), GLOBAL + 0x100);
    rig_load(&r, T(0), GLOBAL + 0x160);
    rig_atomic(&r, T(0), 0, GLOBAL + 0x104);
    rig_load(&r, T(0), SCRATCHPAD);
    rig_load(&r, T(0), 0x04000000);
    rig_expect_clean(&r);
}

Test(memory_checker, what_a_kernel_has_written_may_be_read_by_all)
{
    open_rig();
    rig_store(&r, T(0), GLOBAL + 0x200, 1);
    rig_load(&r, T(0), GLOBAL + 0x200);
    rig_access(&r, T(0), HD_ACCESS_LOAD, 0, GLOBAL + 0x203, 1, 0, 1);
    rig_expect_clean(&r);
}

Test(memory_checker, one_byte_short)
{
    open_rig();
    rig_access(&r, T(0), HD_ACCESS_STORE, 0, GLOBAL + 0x200, 2, 1, 1);
    rig_access(&r, T(0), HD_ACCESS_STORE, 0, GLOBAL + 0x203, 1, 1, 1);
    rig_load(&r, T(13), GLOBAL + 0x200);
    rig_finish(&r);
    cr_expect_not_null(strstr(r.text, "4-byte load of 0x10000200: has not been written since it was allocated\n"
                                      "  pc module 0 line 100, core[1], block (1,0,0), warp 1, lane 1, thread (5,0,0)\n"
                                      "  allocation 2: 100 bytes at 0x10000200, allocated at host.c:2\n"),
                       "%s", r.text);
    free(r.text);
}

Test(memory_checker, part_of_a_line_that_the_host_writes)
{
    open_rig();
    rig_written(&r, GLOBAL + 0x202, 3);
    rig_access(&r, T(0), HD_ACCESS_LOAD, 0, GLOBAL + 0x202, 2, 0, 1);
    rig_access(&r, T(0), HD_ACCESS_LOAD, 0, GLOBAL + 0x204, 1, 0, 2);
    rig_access(&r, T(0), HD_ACCESS_LOAD, 0, GLOBAL + 0x205, 1, 0, 3);
    EXPECT_ERROR("1-byte load of 0x10000205: has not been written");
}

Test(memory_checker, in_no_allocation)
{
    open_rig();
    rig_load(&r, T(0), GLOBAL + 0x164);
    EXPECT_ERROR("4-byte load of 0x10000164: in no allocation; 0 bytes behind the end of allocation 1\n");
    open_rig();
    rig_store(&r, T(0), GLOBAL + 0xF8, 1);
    EXPECT_ERROR("4-byte store to 0x100000f8: in no allocation; 8 bytes before allocation 1\n",
                 "  allocation 1: 100 bytes at 0x10000100, allocated at host.c:1\n");
    open_rig();
    rig_access(&r, T(0), HD_ACCESS_LOAD, 0, UINT32_MAX - 3, 4, 0, 1);
    EXPECT_ERROR("4-byte load of 0xfffffffc: in no allocation; 4026531224 bytes behind the end of allocation 2\n");
}

Test(memory_checker, across_the_end)
{
    rig_open(&r);
    rig_begin(&r);
    rig_allocate(&r, 1, GLOBAL, 10, HD_ALLOCATION_PROGRAM);
    rig_store(&r, T(0), GLOBAL + 4, 1);
    rig_store(&r, T(0), GLOBAL + 8, 1);
    EXPECT_ERROR("4-byte store to 0x10000008: reaches beyond the end of its allocation\n");
}

Test(memory_checker, freed)
{
    open_rig();
    rig_free(&r, 1);
    rig_load(&r, T(0), GLOBAL + 0x110);
    rig_load(&r, T(1), GLOBAL + 0x114);
    EXPECT_ERROR("4-byte load of 0x10000110: its allocation has been freed\n",
                 "  allocation 1: 100 bytes at 0x10000100, allocated at host.c:1, freed at host.c:101\n",
                 "  and 1 times more there\n");
}

Test(memory_checker, what_is_given_again_is_not_written)
{
    open_rig();
    rig_free(&r, 1);
    rig_free(&r, 2);
    rig_allocate(&r, 3, GLOBAL + 0x100, 50, HD_ALLOCATION_PROGRAM);
    rig_load(&r, T(0), GLOBAL + 0x100);
    EXPECT_ERROR("4-byte load of 0x10000100: has not been written since it was allocated\n", "allocation 3: 50 bytes");
}

/* In one page of what is kept of the memory: the neighbour is given again, this one stays as it is. */
Test(memory_checker, what_is_given_again_leaves_its_neighbours_written)
{
    open_rig();
    rig_load(&r, T(0), GLOBAL + 0x100);
    rig_free(&r, 2);
    rig_allocate(&r, 3, GLOBAL + 0x200, 50, HD_ALLOCATION_PROGRAM);
    rig_load(&r, T(0), GLOBAL + 0x100);
    rig_expect_clean(&r);
}

/* What an atomic writes may be read, though it has itself read what nobody wrote; one that only reads writes nothing. */
Test(memory_checker, atomics_on_what_nobody_has_written)
{
    for (uint32_t reads = 0; reads < 2; reads++) {
        open_rig();
        rig_access(&r, T(0), HD_ACCESS_ATOMIC, reads ? HD_ACCESS_READS : 0, GLOBAL + 0x200, 4, 0, 1);
        rig_access(&r, T(0), HD_ACCESS_LOAD, 0, GLOBAL + 0x200, 4, 0, 2);
        rig_finish(&r);
        cr_expect_eq(r.found, 1 + reads, "%s", r.text);
        cr_expect_not_null(strstr(r.text, "4-byte atomic on 0x10000200: has not been written"), "%s", r.text);
        free(r.text);
    }
}

Test(memory_checker, memory_that_is_not_the_programs)
{
    rig_open(&r);
    rig_begin(&r);
    rig_allocate(&r, 1, GLOBAL, 256, HD_ALLOCATION_READ_ONLY);
    rig_allocate(&r, 2, GLOBAL + 0x100, 256, HD_ALLOCATION_KERNELS);
    rig_allocate(&r, 3, GLOBAL + 0x200, 256, HD_ALLOCATION_RUNTIME);
    rig_load(&r, T(0), GLOBAL);
    rig_load(&r, T(0), GLOBAL + 0x100);
    rig_store(&r, T(0), GLOBAL + 0x100, 1);
    rig_access(&r, T(0), HD_ACCESS_STORE, 0, GLOBAL, 4, 0, 1);
    rig_access(&r, T(0), HD_ACCESS_LOAD, 0, GLOBAL + 0x200, 4, 0, 2);
    rig_finish(&r);
    cr_expect_eq(r.found, 2);
    cr_expect_not_null(
        strstr(r.text, "4-byte store to 0x10000000: belongs to the kernel program, and is not to be written\n"), "%s",
        r.text);
    cr_expect_not_null(strstr(r.text, "  kernel segment 1: 256 bytes at 0x10000000"), "%s", r.text);
    cr_expect_not_null(strstr(r.text, "4-byte load of 0x10000200: belongs to the host runtime\n"), "%s", r.text);
    free(r.text);
}

Test(memory_checker, attempts_that_abort_have_read_and_written_nothing)
{
    open_rig();
    rig_access(&r, T(0), HD_ACCESS_LOAD, HD_ACCESS_TRANSACTIONAL, GLOBAL, 4, 0, 1);
    rig_access(&r, T(0), HD_ACCESS_STORE, HD_ACCESS_TRANSACTIONAL, GLOBAL + 0x200, 4, 0, 1);
    rig_lane(&r, T(0), HD_ACCESS_ABORT);
    rig_access(&r, T(0), HD_ACCESS_STORE, HD_ACCESS_TRANSACTIONAL, GLOBAL + 0x204, 4, 0, 1);
    rig_lane(&r, T(0), HD_ACCESS_COMMIT);
    rig_load(&r, T(0), GLOBAL + 0x204);
    rig_load(&r, T(0), GLOBAL + 0x200);
    EXPECT_ERROR("0x10000200: has not been written");
}

/* Each place is told once, the first few in words; the same place with another mistake is another. */
Test(memory_checker, many_places)
{
    open_rig();
    for (uint32_t pc = 0; pc < 30; pc++)
        rig_access(&r, T(0), HD_ACCESS_LOAD, 0, GLOBAL + 0x200, 4, 0, pc);
    rig_access(&r, T(0), HD_ACCESS_LOAD, 0, GLOBAL, 4, 0, 0);
    rig_drain(&r);
    cr_expect_eq(hd_memory_checker_counts(r.memory).errors, 31);
    cr_expect_eq(hd_memory_checker_counts(r.memory).accesses, 31);
    rig_finish(&r);
    cr_expect_eq(r.found, 31);
    cr_expect_not_null(strstr(r.text, "line 9,"));
    cr_expect_null(strstr(r.text, "line 10,"));
    cr_expect_not_null(strstr(r.text, "and 21 more places\n"), "%s", r.text);
    free(r.text);
}

Test(memory_checker, words_that_a_block_answers_itself_are_in_no_allocation)
{
    rig_open(&r);
    rig_begin(&r);
    rig_allocate(&r, 1, GLOBAL, 64, HD_ALLOCATION_PROGRAM);
    rig_load_cg(&r, T(0), MEET);
    rig_store(&r, T(0), OTHER, 1);
    rig_expect_clean(&r);
}
