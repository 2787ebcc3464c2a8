/* SPDX-License-Identifier: MIT */
#include "common/transactional.h"
#include "hashtable/host_table.h"
#include "waits.h"

enum { LANES, DELAYED, THROTTLED, TOGETHER };

static const char *const kernels[] = {[LANES] = "hashtable_lanes",
                                      [DELAYED] = "hashtable_delayed",
                                      [THROTTLED] = "hashtable_throttled",
                                      [TOGETHER] = "hashtable_together"};

int hd_app_main(void)
{
    static const char *const names[] = {
        [LANES] = "lanes", [DELAYED] = "delayed", [THROTTLED] = "throttled", [TOGETHER] = "together"};
    const uint32_t form = HOST_CHOICE("sync", hd_option_text("sync", "lanes"), names);
    const uint32_t buckets = host_option("buckets", 8000, 1, 1u << 26);
    const uint32_t block = host_option("block", 192, 1, 1024);
    const uint32_t grid = host_option("grid", 120, 1, 1u << 20);
    const uint32_t inserts = host_option("inserts", 1, 1, 1024);
    hashtable_waits_args args = {.delay = host_option("delay", 50, 0, 1u << 20)};
    table t =
        make_table(&args.table, entries_of(block, grid, inserts), buckets, HASHTABLE_PACKED, hd_option("seed", 1));
    host_launch(kernels[form], hd_1d(grid), hd_1d(block), form >= THROTTLED ? sizeof(uint32_t) : 0, &args, sizeof args);
    fetch_and_check_table(&t, &args.table);
    return HD_PASS;
}
