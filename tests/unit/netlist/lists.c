/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

typedef size_t lister(netlist_registry registry, const char *pattern, enum text_format format, FILE *out);

static char *listed(lister *list, const char *pattern, enum text_format format, size_t *count)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    *count = list(fake_registry(), pattern, format, out);
    fclose(out);
    return text;
}

static void expect_listed(lister *list, const char *pattern, enum text_format format, size_t count,
                          const char *expected)
{
    size_t found;
    char *text = listed(list, pattern, format, &found);
    cr_expect_eq(found, count, "%zu match", found);
    cr_expect_str_eq(text, expected);
    free(text);
}

/* Every part occurs, in this order. */
static void expect_parts(lister *list, const char *pattern, enum text_format format, const char *const *parts)
{
    size_t found;
    char *text = listed(list, pattern, format, &found);
    const char *at = text;
    for (; *parts; parts++) {
        const char *next = strstr(at, *parts);
        cr_assert_not_null(next, "'%s' is not in:\n%s", *parts, at);
        at = next + strlen(*parts);
    }
    free(text);
}
#define EXPECT_PARTS(list, pattern, format, ...)                                                                       \
    expect_parts(list, pattern, format, (const char *const[]){__VA_ARGS__, NULL})

Test(netlist_lists, the_details_of_one_kind)
{
    expect_listed(netlist_list_details, "crossbar", TEXT_PLAIN, 1,
                  "crossbar/round_robin: a crossbar\n"
                  "  parameters\n"
                  "    flit_bytes  bytes   32 B      1 B .. 1 KiB            bytes per cycle and port\n"
                  "    latency     cycles  5 cycles  1 cycle .. 1000 cycles  from input to output\n"
                  "  ports\n"
                  "    input   receives  1 .. 64  credits 8  packets in\n"
                  "    output  sends     1 .. 64  latency 2  packets out\n");
}

Test(netlist_lists, the_details_as_markdown)
{
    expect_listed(netlist_list_details, "dram/fr_fcfs", TEXT_MARKDOWN, 1,
                  "## dram/fr_fcfs\n\n"
                  "A DRAM channel.\n\n"
                  "**Parameters**\n\n"
                  "| Parameter | Type | Default | Range | Meaning |\n|---|---|---|---|---|\n"
                  "| `row_policy` | choice | open | open\\|closed\\|adaptive | when a row is closed |\n"
                  "| `refresh` | time | 3.9 us | at least 1 ns | time between refreshes |\n"
                  "| `bus` | frequency | 1848 MHz | at least 1 Hz | data rate |\n\n"
                  "**Ports**\n\n"
                  "| Port | Direction | Elements | Defaults of its links | Meaning |\n|---|---|---|---|---|\n"
                  "| `access` | target | 1 | latency 3, credits 32 | reads and writes |\n\n");
}

Test(netlist_lists, every_class_with_all_that_it_declares)
{
    size_t count;
    char *text = listed(netlist_list_details, NULL, TEXT_PLAIN, &count);
    cr_expect_eq(count, fake_registry().count);
    free(text);
    EXPECT_PARTS(netlist_list_details, NULL, TEXT_PLAIN, "  source: Fung 2015, chapter 2\n",
                 "    load/1        sent      request\n",
                 "    resident_warps  warps         maximum  most warps at once\n",
                 "    quantum  whole number  required  at least 1  instructions per turn\n");
}

Test(netlist_lists, choices_that_a_class_refuses_together)
{
    EXPECT_PARTS(netlist_list_details, "simt_core/timed", TEXT_PLAIN,
                 "  does not go together\n"
                 "    scheduler: gto       reconvergence: mimd  no source says what gto is over the paths of mimd\n"
                 "    scheduler: gto       tx: central          tx 'central' needs a scheduler that is fair\n"
                 "    reconvergence: mimd  tx: getm             tx 'getm' needs a stack\n"
                 "    reconvergence: mimd  tx: central          tx 'central' needs a stack\n  ports\n");
}

Test(netlist_lists, address_windows)
{
    EXPECT_PARTS(netlist_list_details, "store", TEXT_PLAIN,
                 "  address windows\n"
                 "    pages           0x10000  pages * 4 KiB   physical  its own\n"
                 "    commons         0x80000  shared * 4 KiB  physical  everybody's\n"
                 "    registers       0x40000  4 KiB           at in     registers\n");
}

Test(netlist_lists, patterns_pick_kinds_and_types)
{
    expect_listed(netlist_list_classes, "simt_core", TEXT_PLAIN, 2,
                  "simt_core/timed       a SIMT core\nsimt_core/functional  a loosely timed core\n");
    expect_listed(netlist_list_classes, "simt*/f*", TEXT_PLAIN, 1, "simt_core/functional  a loosely timed core\n");
    expect_listed(netlist_list_classes, "[pc]*r", TEXT_MARKDOWN, 3,
                  "| Block | What it is |\n|---|---|\n| `crossbar/round_robin` | a crossbar |\n"
                  "| `command_processor/queues` | takes commands from the host |\n"
                  "| `pair/plain` | wants two |\n\n");
    expect_listed(netlist_list_classes, "timed", TEXT_PLAIN, 0, "");
    expect_listed(netlist_list_details, "simt_core/none", TEXT_PLAIN, 0, "");
}

Test(netlist_lists, units_with_all_that_they_declare)
{
    expect_listed(netlist_list_units, "tx/central", TEXT_PLAIN, 1,
                  "tx/central: asks one block\n"
                  "  Chosen by tx of simt_core/timed.\n"
                  "    requirement    needs a stack\n"
                  "    requirement    needs 4 registers\n"
                  "    requirement    needs banks in powers of two\n"
                  "    requirement    needs as many words in each bank\n"
                  "    requirement    with global lines in the L1 needs 8 ways of it\n"
                  "    requirement    needs all cores with transactions to be one array\n"
                  "    requirement    needs a probe\n"
                  "    requirement    needs a link to the probe\n"
                  "    requirement    needs a scheduler that is fair\n");
    EXPECT_PARTS(netlist_list_units, "tx", TEXT_PLAIN, "tx/getm: validates accesses\n",
                 "parameter    tx.getm.granule    what is validated as one (32 B)\n",
                 "\n\ntx/central: asks one block\n");
    EXPECT_PARTS(netlist_list_units, "tx", TEXT_MARKDOWN, "tx/getm", "| `parameter` | tx.getm.granule |",
                 "| `requirement` |");
}

Test(netlist_lists, choices_that_are_no_units)
{
    expect_listed(netlist_list_units, "sched*", TEXT_PLAIN, 1,
                  "scheduler  lrr|gto  lrr  simt_core/timed  scheduler.age_rotation  which ready warp issues\n");
    EXPECT_PARTS(netlist_list_units, NULL, TEXT_MARKDOWN, "| `scheduler` | lrr\\|gto |",
                 "| `reconvergence` | stack\\|mimd | stack | simt\\_core/timed |  | how lanes meet again |",
                 "| `row_policy` |");
}

Test(netlist_lists, messages_with_both_ends)
{
    expect_listed(netlist_list_messages, "load*", TEXT_PLAIN, 2,
                  "load/1        simt_core/timed.request, simt_core/functional.request -> l2_slice/write_back.request\n"
                  "load_reply/1  l2_slice/write_back.reply -> simt_core/timed.reply, simt_core/functional.reply, "
                  "traffic_generator/plain.reply\n");
    expect_listed(netlist_list_messages, "grid/1", TEXT_MARKDOWN, 1,
                  "| Message | Sent by | Accepted by |\n|---|---|---|\n"
                  "| `grid/1` | command\\_processor/queues.launch | tb\\_scheduler/round\\_robin.launch |\n\n");
}

Test(netlist_lists, protocols_with_their_ports)
{
    size_t count;
    char *text = listed(netlist_list_protocols, "mem*", TEXT_PLAIN, &count);
    cr_expect_eq(count, 1);
    cr_expect_not_null(strstr(text, "\n  host_cpu/native.bus            from  accesses\n"), "%s", text);
    cr_expect_null(strstr(text, "simt_core"), "%s", text);
    free(text);
    EXPECT_PARTS(netlist_list_protocols, NULL, TEXT_MARKDOWN, "## message\n\n", "`simt_core/timed.request` | from |",
                 "## memory\n\n", "`dram/fr_fcfs.access` | to |");
}

static size_t list_errors(netlist_registry registry, const char *pattern, enum text_format format, FILE *out)
{
    (void)registry;
    return netlist_list_errors(pattern, format, out);
}

Test(netlist_lists, every_error)
{
    size_t count;
    char *text = listed(list_errors, NULL, TEXT_MARKDOWN, &count);
    cr_expect_null(netlist_error_meaning((uint32_t)count + 1));
    cr_expect_not_null(netlist_error_meaning((uint32_t)count));
    free(text);
    expect_listed(list_errors, "N06", TEXT_PLAIN, 1, "N06  a key is written twice in one mapping\n");
}
