/* SPDX-License-Identifier: MIT */
/* The bytes of a memory by themselves: pages that lie where the host reads them well, and stay there. */
#include <criterion/criterion.h>

#include "store.h"

#define PAGE 4096u
#define PAGES 1000u    /* several slabs */
#define STRIDE 0x7003u /* pages between two of them, so that their places in the table are spread */

static uint64_t address_of(uint32_t page)
{
    return (uint64_t)page * STRIDE * PAGE;
}

Test(dram_store, pages_are_aligned_distinct_and_stay_where_they_are)
{
    struct dram_store store = {0};
    uint8_t *pages[PAGES];
    uint64_t base;
    uint32_t length;
    for (uint32_t i = 0; i < PAGES; i++) {
        pages[i] = dram_store_range(&store, address_of(i) + 77, &base, &length);
        cr_assert_eq(base, address_of(i));
        cr_assert_eq(length, PAGE);
        cr_assert_eq((uintptr_t)pages[i] % PAGE, 0);
        for (uint32_t byte = 0; byte < PAGE; byte++)
            cr_assert_eq(pages[i][byte], 0);
        memset(pages[i], (int)(i % 251 + 1), PAGE);
    }
    cr_expect_eq(store.page_count, PAGES);
    for (uint32_t i = 0; i < PAGES; i++) {
        uint8_t data[2] = {0};
        cr_assert_eq(dram_store_range(&store, address_of(i), &base, &length), pages[i]);
        dram_store_read(&store, address_of(i) + PAGE - 1, data, 2); /* and the first of a page that is not there */
        cr_assert_eq(data[0], i % 251 + 1);
        cr_assert_eq(data[1], 0);
    }
    dram_store_clear(&store);
}

Test(dram_store, asking_makes_no_page_and_nothing_is_left_when_it_is_cleared)
{
    struct dram_store store = {0};
    const uint8_t written[] = {1, 2, 3};
    uint8_t read[3] = {9, 9, 9};
    dram_store_prefetch(&store, 0x1000, 128); /* of an empty store */
    dram_store_read(&store, 0x1000, read, 3);
    cr_expect_eq(read[0] | read[1] | read[2], 0);
    cr_expect_eq(store.page_count, 0);
    dram_store_write(&store, 0x1FFE, written, NULL, 3); /* in two pages */
    cr_expect_eq(store.page_count, 2);
    dram_store_prefetch(&store, 0x1FFE, 3);
    dram_store_prefetch(&store, 0x5000, 3);
    cr_expect_eq(store.page_count, 2);
    dram_store_read(&store, 0x1FFE, read, 3);
    cr_expect_arr_eq(read, written, 3);
    dram_store_clear(&store);
    cr_expect_eq(store.page_count, 0);
    dram_store_read(&store, 0x1FFE, read, 3);
    cr_expect_eq(read[0] | read[1] | read[2], 0);
    dram_store_write(&store, 0x1FFE, written, NULL, 1); /* it can be used again */
    dram_store_read(&store, 0x1FFE, read, 3);
    cr_expect(read[0] == 1 && read[1] == 0 && read[2] == 0);
    dram_store_clear(&store);
}
