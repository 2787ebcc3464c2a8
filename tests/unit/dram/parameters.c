/* SPDX-License-Identifier: MIT */
/* Every parameter changes when a fixed load is answered. */
#include "bench.h"

/* Streams, conflicts, writes behind reads and reads behind writes, over two refreshes. */
static uint64_t fingerprint(const char *parameter)
{
    kit_block *kit = make_with((const char *[]){parameter, NULL}, 64);
    uint64_t seed = 7;
    for (uint32_t i = 0; i < 600; i++) {
        const uint64_t row = kit_random(&seed) % 3 * ROW_STRIDE;
        const uint64_t address = i % 3 ? (uint64_t)i * LINE : row + kit_random(&seed) % 16 * LINE;
        const hd_time t = (hd_time)(i / 100) * 1500 * CYCLE;
        if (kit_random(&seed) % 3)
            read_at(kit, address, LINE, i, t);
        else
            write_at(kit, address, LINE, (uint8_t)i, i, t);
    }
    kit_run_until(kit, 100000 * CYCLE);
    cr_assert_eq(kit_waiting(kit, ACCESS, 0), 600, "%s", parameter ? parameter : "standard");
    const uint64_t result = kit_fingerprint(kit);
    kit_destroy(kit);
    return result;
}

Test(dram, every_parameter_matters)
{
    static const char *const changes[] = {
        "banks=8",           "bank_groups=2",       "row_bytes=1 KiB", "bank_interleave=512 B",
        "bus_bytes=16 B",    "burst=1 cycle",       "queue=8",         "responses=2",
        "latency=11 cycles", "tcl=13 cycles",       "twl=6 cycles",    "trcd=13 cycles",
        "trp=13 cycles",     "tras=40 cycles",      "trc=60 cycles",   "trrd=12 cycles",
        "tccd=4 cycles",     "tccdl=5 cycles",      "twr=30 cycles",   "tcdlr=9 cycles",
        "trtp=40 cycles",    "turnaround=6 cycles", "trefi=2 us",      "trfc=100 ns",
    };
    cr_assert_eq(sizeof changes / sizeof *changes, hd_dram_fr_fcfs.parameter_count);
    const uint64_t standard = fingerprint(NULL);
    for (uint32_t i = 0; i < hd_dram_fr_fcfs.parameter_count; i++) {
        const char *name = hd_dram_fr_fcfs.parameters[i].name;
        cr_assert_eq(strncmp(changes[i], name, strlen(name)), 0, "%s", name);
        cr_expect_neq(fingerprint(changes[i]), standard, "%s changes nothing", changes[i]);
    }
}
