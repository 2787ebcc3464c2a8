/* SPDX-License-Identifier: MIT */
/* The memory of a native program on the host bus. */
#include "shared_memory.h"

#include <criterion/criterion.h>

#include "hd_host.h"

Test(shared_memory, pieces_have_addresses_of_their_own_until_they_are_removed)
{
    shared_memory shared = {0};
    uint8_t one[100], two[300];
    uint32_t no_memory;
    const uint64_t a = shared_memory_add(&shared, one, sizeof one, &no_memory);
    const uint64_t b = shared_memory_add(&shared, two, sizeof two, &no_memory);
    cr_expect_eq(a, HD_HOST_RAM_BASE);
    cr_expect_eq(b, HD_HOST_RAM_BASE + 256, "whatever address the memory has in this process");
    cr_expect_eq(shared_memory_find(&shared, a, 100), one);
    cr_expect_eq(shared_memory_find(&shared, b + 299, 1), two + 299);
    cr_expect_null(shared_memory_find(&shared, a, 101));
    cr_expect_null(shared_memory_find(&shared, a + 100, 1));
    cr_expect_null(shared_memory_find(&shared, b + 299, 2));
    cr_expect_null(shared_memory_find(&shared, b, UINT64_MAX));
    cr_expect_null(shared_memory_find(&shared, a - 1, 1));
    shared_memory_remove(&shared, a);
    cr_expect_null(shared_memory_find(&shared, a, 1));
    cr_expect_eq(shared_memory_find(&shared, b, 300), two);
    shared_memory_remove(&shared, b);
    cr_expect_eq(shared_memory_add(&shared, two, 1, &no_memory), HD_HOST_RAM_BASE, "it begins anew when it is empty");
    shared_memory_release(&shared);
}

Test(shared_memory, a_full_window_takes_no_more)
{
    shared_memory shared = {0};
    uint8_t memory[1];
    uint32_t no_memory;
    cr_expect_neq(shared_memory_add(&shared, memory, HD_HOST_RAM_MAX - 100, &no_memory), 0);
    cr_expect_eq(shared_memory_add(&shared, memory, 1, &no_memory), 0);
    cr_expect_eq(no_memory, 0);
    shared_memory_remove(&shared, HD_HOST_RAM_BASE);
    cr_expect_eq(shared_memory_add(&shared, memory, HD_HOST_RAM_MAX, &no_memory), HD_HOST_RAM_BASE);
    shared_memory_remove(&shared, HD_HOST_RAM_BASE);
    cr_expect_eq(shared_memory_add(&shared, memory, HD_HOST_RAM_MAX + 1, &no_memory), 0);
    for (uint32_t i = 0; i < 100; i++) /* more pieces than there is room for at first */
        cr_expect_eq(shared_memory_add(&shared, memory, 1, &no_memory), HD_HOST_RAM_BASE + (uint64_t)i * 256);
    shared_memory_release(&shared);
}
