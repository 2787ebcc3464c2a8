/* SPDX-License-Identifier: MIT */
/* Each line of the summary, computed by hand. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "hd_block.h"
#include "page.h"

static void expect_page(const page_block *blocks, const char *app, const char *expected)
{
    char *text = page_of(blocks, app);
    cr_expect_str_eq(text, expected, "\n%s", text);
    free(text);
}

Test(summary, says_of_an_app_what_happened_while_its_kernels_ran)
{
    static const page_block blocks[] = {{.kind = "simt_core",
                                         .type = "timed",
                                         .name = "core",
                                         .count = 2,
                                         .lanes = 32,
                                         .statistics = {{.name = "warp_instructions", .value = 25},
                                                        {.name = "thread_instructions", .value = 600},
                                                        {.name = "slots_issued", .value = 25},
                                                        {.name = "slots_memory_data", .value = 10},
                                                        {.name = "slots_barrier", .value = 5},
                                                        {.name = "slots_a", .value = 4},
                                                        {"slots_b", 3, HD_STATISTIC_WHEN(1, 0)},
                                                        {"slots_with_a_bus", 0, HD_STATISTIC_WHEN(1, 1)},
                                                        {"slots_seldom", 0, HD_STATISTIC_SELDOM},
                                                        {"slots_backed_off", 2, HD_STATISTIC_SELDOM},
                                                        {"slots_with_lanes", 0, HD_STATISTIC_WHEN(0, 0)},
                                                        {.name = "slots_c_d", .value = 1},
                                                        {.name = "fetch_hits", .value = 90},
                                                        {.name = "fetch_misses", .value = 30},
                                                        {.name = "constant_hits", .value = 3},
                                                        {.name = "constant_misses", .value = 5},
                                                        {.name = "texture_hits", .value = 30},
                                                        {.name = "texture_misses", .value = 10},
                                                        {.name = "l1_hits", .value = 3000},
                                                        {.name = "l1_misses", .value = 1000}}},
                                        {.kind = "l2_slice",
                                         .type = "write_back",
                                         .name = "l2",
                                         .count = 2,
                                         .statistics = {{.name = "hits", .value = 30},
                                                        {.name = "misses", .value = 7},
                                                        {.name = "mshr_merges", .value = 3}}},
                                        {.kind = "crossbar",
                                         .type = "ideal",
                                         .name = "to_l2",
                                         .count = 1,
                                         .statistics = {{.name = "packets", .value = 7},
                                                        {.name = "bytes.load", .value = 1200},
                                                        {.name = "bytes.store", .value = 34}}},
                                        {.kind = "dram",
                                         .type = "fixed",
                                         .name = "dram",
                                         .count = 2,
                                         .clock = 1,
                                         .bus_bytes = 16,
                                         .statistics = {{.name = "row_hits", .value = 12},
                                                        {.name = "row_misses", .value = 3},
                                                        {.name = "row_conflicts", .value = 5},
                                                        {.name = "bytes_read", .value = 96},
                                                        {.name = "bytes_written", .value = 64},
                                                        {.name = "activates", .value = 10}}},
                                        {.kind = "crossbar",
                                         .type = "ideal",
                                         .name = "to_core",
                                         .count = 1,
                                         .statistics = {{.name = "bytes.reply", .value = 500}}},
                                        {.kind = NULL}};
    expect_page(
        blocks, "app",
        "machine     page: of the test\n"
        "app         app\n"
        "simulated   40.0 ns, of which kernels 10.0 ns\n"
        "\n"
        "kernel               launches    blocks     threads        cycles     warp instr.     IPC   SIMD\n"
        "k                           1         1          64            10              25   2.500  75.0%\n"
        "\n"
        "issue slots issued 50.0%  memory data 20.0%  barrier 10.0%  a 8.0%  b 6.0%\n"
        "            backed off 4.0%  with lanes 0.0%  c d 2.0%\n"
        "code        75.0% of 120 accesses hit\n"
        "constants   37.5% of 8 accesses hit\n"
        "textures    75.0% of 40 accesses hit\n"
        "L1          75.0% of 4,000 accesses hit\n"
        "L2          75.0% of 40 accesses hit\n"
        "DRAM        16.0 GB/s of 64.0 GB/s used (25.0%); 96 B read, 64 B written; 60.0% row hits, 16 B an activate\n"
        "network     to_l2 1.23 kB, to_core 500 B\n"
        "host        0.50 s, 4.05 k warp instructions/s\n");
}

/* Then everything counts, from the first moment to the last: 2000 more of each. */
Test(summary, says_of_a_run_without_an_app_what_happened_in_all_of_it)
{
    static const page_block blocks[] = {
        {.kind = "crossbar",
         .type = "ideal",
         .name = "net",
         .count = 1,
         .statistics = {{.name = "bytes.a", .value = 500}, {.name = "others", .value = 9}}},
        {.kind = "dram",
         .type = "fixed",
         .name = "dram",
         .count = 1,
         .bus_bytes = 500,
         .statistics = {{.name = "bytes_read", .value = 2000}, {.name = "bytes_written", .value = 6000}}},
        {.kind = "dram",
         .type = "fixed",
         .name = "beside",
         .count = 1,
         .bus_bytes = 100,
         .statistics = {{.name = "bytes_read", .value = 3000}, {.name = "bytes_written", .value = 0}}},
        {.kind = NULL}};
    expect_page(blocks, NULL,
                "machine     page: of the test\n"
                "simulated   40.0 ns\n"
                "DRAM        475 GB/s of 600 GB/s used (79.2%); 9.00 kB read, 10.0 kB written\n"
                "network     net 2.50 kB\n"
                "host        0.50 s\n");
}

Test(summary, leaves_out_what_the_machine_has_not_or_did_not_do)
{
    static const page_block blocks[] = {{.kind = "simt_core",
                                         .type = "functional",
                                         .name = "core",
                                         .count = 1,
                                         .statistics = {{.name = "warp_instructions", .value = 5}}},
                                        {.kind = NULL}};
    char *text = page_of(blocks, "app");
    static const char *const absent[] = {"issue slots", "code",   "constants", "L1",      "L2",
                                         "DRAM",        "memory", "network",   "traffic", "commits"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        cr_expect_null(strstr(text, absent[i]), "%s in\n%s", absent[i], text);
    free(text);
}

/* Percentiles round up: of 5099 requests the 2550th and the 5049th. */
Test(summary, says_of_a_generator_what_it_offered_and_how_long_it_took)
{
    static const page_block blocks[] = {{.kind = "simt_core",
                                         .type = "traffic",
                                         .name = "generator",
                                         .count = 2,
                                         .clock = 1,
                                         .statistics = {{.name = "cycles", .value = 8198},
                                                        {.name = "offered", .value = 3099},
                                                        {.name = "accepted", .value = 2079},
                                                        {.name = "answered", .value = 1059},
                                                        {.name = "latency_cycles", .value = 48990},
                                                        {.name = "latency_maximum", .value = 50},
                                                        {.name = "bytes_read", .value = 23495},
                                                        {.name = "bytes_written", .value = 3099},
                                                        {.name = "bytes_compared", .value = 3000},
                                                        {.name = "latency.to_16", .value = 550},
                                                        {.name = "latency.to_32", .value = 498},
                                                        {.name = "latency.to_64", .value = 0}}},
                                        {.kind = NULL}};
    expect_page(blocks, NULL,
                "machine     page: of the test\n"
                "simulated   40.0 ns\n"
                "traffic     generator: 0.500 requests offered, 0.400 sent, 0.300 answered in a cycle of each of 2\n"
                "            10.0 GB/s read, 2.00 GB/s written; 5.00 kB compared\n"
                "latency     10.0 cycles on average, 50% within 16, 99% within 64, longest 2050\n"
                "host        0.50 s\n");
}

Test(summary, names_the_reasons_for_most_aborts)
{
    static const page_block blocks[] = {{.kind = "simt_core",
                                         .type = "timed",
                                         .name = "core",
                                         .count = 1,
                                         .statistics = {{.name = "tx_attempts", .value = 1},
                                                        {.name = "tx_commits", .value = 2000},
                                                        {.name = "tx_aborts", .value = 8000},
                                                        {.name = "tx_aborts_load_conflict", .value = 1000},
                                                        {.name = "tx_aborts_b", .value = 500},
                                                        {.name = "tx_aborts_c", .value = 1000},
                                                        {.name = "tx_aborts_d", .value = 3000},
                                                        {.name = "tx_read_words", .value = 8000},
                                                        {.name = "tx_write_words", .value = 4000},
                                                        {.name = "tx_execute_cycles", .value = 98000},
                                                        {.name = "tx_wait_cycles", .value = 1000}}},
                                        {.kind = NULL}};
    expect_page(
        blocks, NULL,
        "machine     page: of the test\n"
        "simulated   40.0 ns\n"
        "commits     4,000 transactions, 2500 aborts per 1000 (d 50%, load conflict 30%, c 30%)\n"
        "            2.5 words read and 1.5 written by each; warps ran 100,000 cycles in them, and waited 3,000\n"
        "host        0.50 s\n");
}
