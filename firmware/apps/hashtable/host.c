/* SPDX-License-Identifier: MIT */
#include "common/transactional.h"
#include "host_table.h"

static const char *const kernels[][2] = {[HOST_TM] = {"hashtable_tm", "hashtable_tm_padded"},
                                         [HOST_LOCKS] = {"hashtable_locks", "hashtable_locks_padded"},
                                         [HOST_COARSE] = {"hashtable_coarse", "hashtable_coarse_padded"},
                                         [HOST_SERIAL] = {"hashtable_serial", "hashtable_serial_padded"}};

int hd_app_main(void)
{
    const uint32_t form = host_form(hd_option_text("sync", "locks"));
    const uint32_t is_padded = host_is_padded(hd_option_text("layout", "packed"));
    const uint32_t buckets = host_option("buckets", 8000, 1, 1u << 26);
    const uint32_t block = host_option("block", 192, 1, 1024);
    const uint32_t grid = host_option("grid", 120, 1, 1u << 20);
    const uint32_t inserts = host_option("inserts", 1, 1, 1024);
    hashtable_args args;
    table t = make_table(&args, entries_of(block, grid, inserts), buckets,
                         is_padded ? HASHTABLE_PADDED : HASHTABLE_PACKED, hd_option("seed", 1));
    t.is_serial = form == HOST_SERIAL;
    host_launch(kernels[form][is_padded], hd_1d(t.is_serial ? 1 : grid), hd_1d(t.is_serial ? 1 : block), 0, &args,
                sizeof args);
    fetch_and_check_table(&t, &args);
    return HD_PASS;
}
