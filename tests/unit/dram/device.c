/* SPDX-License-Identifier: MIT */
/* Each timing constraint alone: not legal one cycle early, legal on the cycle. */
#include "device.h"

#include "bench.h"

static struct dram_device make_device(void)
{
    struct dram_device device = {
        .timing = {.burst = BURST,
                   .cas = TCL,
                   .write = TWL,
                   .activate = TRCD,
                   .precharge = TRP,
                   .row_active = TRAS,
                   .row_cycle = TRC,
                   .row_to_row = TRRD,
                   .column = TCCD,
                   .column_long = TCCDL,
                   .recovery = TWR,
                   .write_read = TCDLR,
                   .read_pre = TRTP,
                   .turnaround = TURNAROUND,
                   .refresh_interval = 1000,
                   .refresh_time = 60},
        .bank_count = BANKS,
        .group_count = 4,
    };
    dram_device_reset(&device, 0);
    return device;
}

Test(dram_device, column_waits_trcd_after_activate)
{
    struct dram_device device = make_device();
    dram_issue_activate(&device, 0, 5, 100);
    cr_expect_eq(dram_column_ready(&device, 0, 0), 100 + TRCD);
    cr_expect_eq(dram_column_ready(&device, 0, 1), 100 + TRCD);
    cr_expect_eq(device.banks[0].row, 5);
}

Test(dram_device, precharge_waits_tras_after_activate)
{
    struct dram_device device = make_device();
    dram_issue_activate(&device, 0, 5, 100);
    cr_expect_eq(dram_precharge_ready(&device, 0), 100 + TRAS);
}

Test(dram_device, activate_waits_trrd_after_activate_of_another_bank)
{
    struct dram_device device = make_device();
    dram_issue_activate(&device, 0, 5, 100);
    cr_expect_eq(dram_activate_ready(&device, 7), 100 + TRRD);
}

Test(dram_device, activate_waits_trc_after_activate_of_its_bank)
{
    struct dram_device device = make_device();
    device.timing.precharge = 1;
    dram_issue_activate(&device, 0, 5, 100);
    dram_issue_precharge(&device, 0, 100 + TRAS);
    cr_expect_eq(dram_activate_ready(&device, 0), 100 + TRC);
}

Test(dram_device, activate_waits_trp_after_precharge)
{
    struct dram_device device = make_device();
    dram_issue_activate(&device, 0, 5, 100);
    dram_issue_precharge(&device, 0, 200);
    cr_expect_eq(dram_activate_ready(&device, 0), 200 + TRP);
    cr_expect_eq(device.banks[0].row, DRAM_NO_ROW);
}

Test(dram_device, reads_are_tccd_apart_and_tccdl_inside_a_bank_group)
{
    struct dram_device device = make_device();
    cr_expect_eq(dram_issue_column(&device, 0, 0, 100), 100 + TCL + BURST);
    cr_expect_eq(dram_column_ready(&device, 1, 0), 100 + TCCD);
    cr_expect_eq(dram_column_ready(&device, 4, 0), 100 + TCCDL);
}

Test(dram_device, a_long_burst_keeps_the_bus_beyond_tccd)
{
    struct dram_device device = make_device();
    device.timing.burst = 8;
    dram_issue_column(&device, 0, 0, 100);
    cr_expect_eq(dram_column_ready(&device, 1, 0), 100 + 8);
}

Test(dram_device, a_read_waits_tcdlr_after_written_data)
{
    struct dram_device device = make_device();
    cr_expect_eq(dram_issue_column(&device, 0, 1, 100), 100 + TWL + BURST);
    cr_expect_eq(dram_column_ready(&device, 1, 0), 100 + TWL + BURST + TCDLR);
    cr_expect_eq(dram_column_ready(&device, 1, 1), 100 + TCCD);
}

Test(dram_device, written_data_wait_until_the_bus_has_turned_after_a_read)
{
    struct dram_device device = make_device();
    const uint64_t end = dram_issue_column(&device, 0, 0, 100);
    cr_expect_eq(dram_column_ready(&device, 1, 1) + TWL, end + TURNAROUND);
}

Test(dram_device, read_data_wait_until_the_bus_has_turned_after_a_write)
{
    struct dram_device device = make_device();
    device.timing.write = 40;
    device.timing.write_read = 0;
    device.timing.turnaround = 30;
    const uint64_t end = dram_issue_column(&device, 0, 1, 100);
    cr_expect_eq(dram_column_ready(&device, 1, 0) + TCL, end + 30);
}

Test(dram_device, precharge_waits_trtp_after_read_and_twr_after_written_data)
{
    struct dram_device device = make_device();
    dram_issue_column(&device, 0, 0, 100);
    cr_expect_eq(dram_precharge_ready(&device, 0), 100 + TRTP);
    dram_issue_column(&device, 1, 1, 100);
    cr_expect_eq(dram_precharge_ready(&device, 1), 100 + TWL + BURST + TWR);
}

Test(dram_device, refresh_closes_rows_and_keeps_the_banks_for_trfc)
{
    struct dram_device device = make_device();
    dram_issue_activate(&device, 3, 5, 100);
    cr_expect_eq(dram_refresh(&device, 999), 0);
    cr_expect_eq(device.banks[3].row, 5);
    cr_expect_eq(dram_refresh(&device, 1000), 1);
    cr_expect_eq(device.banks[3].row, DRAM_NO_ROW);
    cr_expect_eq(dram_activate_ready(&device, 9), 1000 + TRP + 60);
    cr_expect_eq(device.refreshes, 1);
}

Test(dram_device, refresh_waits_until_a_busy_row_may_close)
{
    struct dram_device device = make_device();
    dram_issue_activate(&device, 3, 5, 990);
    dram_refresh(&device, 1000);
    cr_expect_eq(dram_activate_ready(&device, 9), 990 + TRAS + TRP + 60);
}

Test(dram_device, missed_refreshes_are_caught_up_as_if_each_had_been_asked_for)
{
    struct dram_device lazy = make_device();
    struct dram_device eager = make_device();
    dram_issue_activate(&lazy, 3, 5, 100);
    dram_issue_activate(&eager, 3, 5, 100);
    const uint64_t end = UINT64_C(987654321);
    dram_refresh(&lazy, end);
    for (uint64_t n = 0; n < 100000; n += 250)
        dram_refresh(&eager, n);
    dram_refresh(&eager, end);
    cr_expect_eq(lazy.refreshes, end / 1000);
    cr_expect_eq(eager.refreshes, lazy.refreshes);
    cr_expect_eq(eager.refresh_due, lazy.refresh_due);
    cr_expect_eq(dram_activate_ready(&lazy, 0), end / 1000 * 1000 + 60);
    cr_expect_eq(dram_activate_ready(&eager, 0), dram_activate_ready(&lazy, 0));
}
