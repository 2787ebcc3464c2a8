/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "access_stream.h"

typedef struct seen {
    uint32_t count;
    uint32_t pc[16];
    uint32_t kinds[16];
    uint32_t address[16]; /* the last of each */
    uint32_t value[16];
} seen;

static void take(void *context, const hd_access_record *record)
{
    seen *all = context;
    const uint32_t lanes = hd_access_lanes(record);
    all->pc[all->count] = record->pc;
    all->kinds[all->count] = record->kind;
    if (lanes)
        all->address[all->count] = hd_access_addresses(record)[lanes - 1];
    if (record->kind == HD_ACCESS_STORE)
        all->value[all->count] = hd_access_values(record)[lanes - 1];
    all->count++;
}

static void tell(hd_access_stream *stream, uint32_t endpoint, uint32_t kind, hd_time t, uint32_t pc, uint64_t lanes)
{
    static const hd_block_launch block = {.grid = {.grid_size = {1, 1, 1}}};
    uint32_t address[64], value[64];
    for (uint32_t i = 0; i < 64; i++) {
        address[i] = 100 + i;
        value[i] = 200 + i;
    }
    const hd_accesses *to = hd_access_stream_extension(stream);
    to->told(to->context, endpoint, &block,
             &(hd_access){.t = t,
                          .kind = kind,
                          .lanes = lanes,
                          .pc = pc,
                          .address = address,
                          .value = kind == HD_ACCESS_STORE ? value : NULL});
}

Test(access_stream, reports_come_by_time_then_endpoint_then_order)
{
    hd_access_stream *stream = hd_access_stream_create(3, 0);
    seen all = {0};
    tell(stream, 2, HD_ACCESS_LOAD, 10, 5, 1);
    tell(stream, 0, HD_ACCESS_LOAD, 20, 7, 1);
    tell(stream, 1, HD_ACCESS_LOAD, 10, 3, 1);
    tell(stream, 1, HD_ACCESS_LOAD, 10, 4, 1);
    tell(stream, 1, HD_ACCESS_LOAD, 5, 4, 1); /* no earlier than what it has reported before */
    tell(stream, 0, HD_ACCESS_LOAD, 5, 1, 1);
    hd_access_stream_drain(stream, &all, take);
    cr_assert_eq(all.count, 6);
    const uint32_t expected[] = {3, 4, 4, 5, 7, 1};
    cr_expect_arr_eq(all.pc, expected, sizeof expected);
    hd_access_stream_drain(stream, &all, take);
    cr_expect_eq(all.count, 6, "they are handed out once");
    hd_access_stream_destroy(stream);
}

Test(access_stream, lanes_that_take_part_are_kept)
{
    hd_access_stream *stream = hd_access_stream_create(1, 0);
    seen all = {0};
    tell(stream, 0, HD_ACCESS_STORE, 1, 1, UINT64_C(1) << 63 | 6);
    tell(stream, 0, HD_ACCESS_LOAD, 2, 2, 8);
    hd_access_stream_drain(stream, &all, take);
    cr_assert_eq(all.count, 2);
    cr_expect_eq(all.address[0], 163);
    cr_expect_eq(all.value[0], 263);
    cr_expect_eq(all.address[1], 103);
    hd_access_stream_destroy(stream);
}
