/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define SMALL "heddle: 1\nextends: " NETLIST_ERRORS "/base/small.yaml\n"

TestSuite(netlist_output, .init = bench_enter, .fini = bench_leave);

static int has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

Test(netlist_output, the_printed_netlist_loads_to_the_same_machine)
{
    netlist *machine = bench_load(
        SMALL
        "limit: 3 s\ndescription: \"a \\\"quoted\\\" text: \\\\ \\x07 # \\xFC\\N\\L\\P\\e\\uFEFF\\xA0\\U0001F4A1 \"\n"
        "blocks: {core: {parameters: {label: \"true: [x]\", bias: 0.1}}}\n",
        NULL);
    char *first = bench_written(machine, netlist_print);
    json_t *first_json = netlist_json(machine);
    netlist_free(machine);

    machine = bench_load(first, NULL);
    json_t *second_json = netlist_json(machine);
    cr_expect(json_equal(first_json, second_json));
    netlist_free(machine);
    json_decref(first_json);
    json_decref(second_json);
    free(first);
}

Test(netlist_output, every_printed_value_says_where_it_comes_from)
{
    netlist *machine = bench_load(SMALL "blocks: {core: {parameters: {warps: 8}}}\n", NULL);
    char *text = bench_written(machine, netlist_print);
    cr_expect(has(text, "      warps: 8  # machine.yaml:3:37\n"), "%s", text);
    cr_expect(has(text, "      lanes: 32  # default\n"), "%s", text);
    cr_expect(has(text, "      row_policy: open  # " NETLIST_ERRORS "/base/small.yaml:21:30\n"), "%s", text);
    cr_expect(has(text, "  memory: 750000000 Hz  # " NETLIST_ERRORS "/base/small.yaml:6:11\n"), "%s", text);
    cr_expect(has(text, "  - {from: \"core[3].request\", to: \"requests.input[3]\", latency: 1000 ps, credit_latency: "
                        "1000 ps, credits: 8}  # " NETLIST_ERRORS
                        "/base/small.yaml:23:5; default: latency, credit_latency, credits\n"),
              "%s", text);
    free(text);
    netlist_free(machine);
}

static void expect_map(const char *text, const char *const *overrides, const char *expected)
{
    netlist *machine = bench_load(text, overrides);
    char *map = bench_written(machine, netlist_map);
    char *end = strstr(map, "  how soon "), *thread = strstr(map, "  addresses of a thread\n");
    end = end ? end : thread;
    cr_assert(end && thread);
    cr_expect_not_null(strstr(thread, "\n    0x00000000 .. 0x0000ffff  nothing     a null dereference\n"));
    *end = 0;
    cr_expect_str_eq(map, expected);
    free(map);
    netlist_free(machine);
}

Test(netlist_output, the_map_shows_partitions_endpoints_and_windows_by_address)
{
    expect_map(SMALL "blocks:\n"
                     "  upper: {kind: store, type: paged, clock: core, parameters: {pages: 0, shared: 16}}\n"
                     "  lower: {kind: store, type: paged, clock: core, count: 1, parameters: {pages: 3}}\n"
                     "address_map: {interleave: 1 KiB}\n",
               (const char *const[]){"core.count=1", NULL},
               "small\n"
               "  physical addresses, and those that only a port shows\n"
               "    0x00000010000 .. 0x00000012fff  12 KiB  lower       pages           its own\n"
               "    0x00000040000 .. 0x00000040fff  4 KiB   upper.in    registers       registers\n"
               "    0x00000040000 .. 0x00000040fff  4 KiB   lower.in    registers       registers\n"
               "    0x00000040800 .. 0x000000417ff  4 KiB   upper.side  more registers  registers at another port\n"
               "    0x00000040800 .. 0x000000417ff  4 KiB   lower.side  more registers  registers at another port\n"
               "    0x00000080000 .. 0x0000008ffff  64 KiB  upper       commons         everybody's\n"
               "  memory partitions: 1 KiB of each in turn, again every 2 KiB\n"
               "    0  0x0000 .. 0x03ff  l2[0]  endpoint 6  -> dram[0].access\n"
               "    1  0x0400 .. 0x07ff  l2[1]  endpoint 7  -> dram[1].access\n"
               "  endpoints: source and destination of packets\n"
               "    0       host                host_cpu/native\n"
               "    1       processor           command_processor/queues\n"
               "    2       scheduler           tb_scheduler/round_robin\n"
               "    3       core[0]             simt_core/timed\n"
               "    4       requests            crossbar/round_robin\n"
               "    5       replies             crossbar/round_robin\n"
               "    6 .. 7  l2[0] .. l2[1]      l2_slice/write_back\n"
               "    8 .. 9  dram[0] .. dram[1]  dram/fr_fcfs\n"
               "    10      upper               store/paged\n"
               "    11      lower[0]            store/paged\n");
}

Test(netlist_output, the_map_of_a_machine_without_memory_has_endpoints_only)
{
    expect_map(BENCH_HEAD "blocks: {one: {kind: probe, type: plain, clock: core, count: 3}}\n", NULL,
               "bench\n  endpoints: source and destination of packets\n    0 .. 2  one[0] .. one[2]  probe/plain\n");
}

/* Of each way that leaves a block, both directions of credits included, the shortest; a block without links has none. */
Test(netlist_output, the_map_shows_how_soon_blocks_reach_each_other_and_by_which_link)
{
    netlist *machine = bench_load(
        SMALL "blocks: {alone: {kind: probe, type: plain, clock: core}}\n"
              "links:\n"
              "  - {from: core.request, to: requests.input, latency: 40 ns, credit_latency: 30 ns}\n"
              "  - {from: processor.request, to: requests.input, latency: 40 ns}\n"
              "  - {from: requests.output, to: l2.request, latency: 35 ns}\n"
              "  - {from: l2.reply, to: replies.input, latency: 25 ns}\n"
              "  - {from: replies.output, to: core.reply, latency: 26 ns, credit_latency: 24 ns}\n"
              "  - {from: replies.output, to: processor.reply, latency: 40 ns}\n"
              "  - {from: l2.memory, to: dram.access, latency: 40 ns, credit_latency: 13 ns, response_latency: 12 ns,\n"
              "     response_credit_latency: 11 ns}\n"
              "  - {from: host.bus, to: processor.host, latency: 15 ns, response_latency: 14 ns}\n"
              "  - {from: processor.interrupt, to: host.interrupt, latency: 50 ns}\n"
              "  - {from: processor.launch, to: scheduler.launch, latency: 50 ns}\n"
              "  - {from: scheduler.done, to: processor.done, latency: 50 ns}\n"
              "  - {from: scheduler.dispatch, to: core.dispatch, latency: 50 ns}\n"
              "  - {from: core.event, to: scheduler.event, latency: 45 ns, credit_latency: 41 ns}\n",
        NULL);
    char *map = bench_written(machine, netlist_map), *from = strstr(map, "  how soon "),
         *end = strstr(map, "  addresses");
    cr_assert(from && end);
    *end = 0;
    cr_expect_str_eq(from,
                     "  how soon the work of a block reaches another; the shortest bound the simulator's windows\n"
                     "    11000 ps  l2         response_credit_latency  l2[0].memory -> dram[0].access\n"
                     "    12000 ps  dram       response_latency         l2[0].memory -> dram[0].access\n"
                     "    14000 ps  host       response_credit_latency  host.bus -> processor.host\n"
                     "    14000 ps  processor  response_latency         host.bus -> processor.host\n"
                     "    24000 ps  core       credit_latency           replies.output[0] -> core[0].reply\n"
                     "    25000 ps  replies    credit_latency           l2[0].reply -> replies.input[0]\n"
                     "    30000 ps  requests   credit_latency           core[0].request -> requests.input[0]\n"
                     "    41000 ps  scheduler  credit_latency           core[0].event -> scheduler.event[0]\n");
    free(map);
    netlist_free(machine);
}

/* Lines with a value and no place, as one text. */
static char *without_origin(char *text)
{
    char *lines = NULL;
    size_t bytes;
    FILE *out = open_memstream(&lines, &bytes);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *colon = strchr(line, ':');
        if (colon && colon[1] && !has(line, "  # "))
            fprintf(out, "%s|", line);
    }
    fclose(out);
    return lines;
}

Test(netlist_output, no_printed_value_lacks_its_origin)
{
    netlist *machine =
        bench_load(SMALL "description: small\nlimit: 1 s\nblocks: {dram: {type: plugged}}\nplugins: [fake.so]\n"
                         "links:\n  - {from: l2.memory, to: dram.access, credits: 3, response_latency: 9 ns}\n",
                   (const char *const[]){"core.count=2", "watchdog=1 ms", "address_map.interleave=512 B", NULL});
    char *text = bench_written(machine, netlist_print);
    cr_expect(has(text, "limit: 1000000000000 ps  # machine.yaml:4:8\n"), "%s", text);
    cr_expect(has(text, "    type: plugged  # machine.yaml:5:23\n"), "%s", text);
    cr_expect(has(text, "    count: 2  # <command line>:1:18\n"), "%s", text);
    cr_expect(has(text, "watchdog: 1000000000 ps  # <command line>:1:35\n"), "%s", text);
    cr_expect(has(text, "launch_align: true  # default\n"), "%s", text);
    cr_expect(has(text, "  interleave: 512 B  # <command line>:1:69\n"), "%s", text);
    cr_expect(has(text, "  partitions: l2  # " NETLIST_ERRORS "/base/small.yaml:7:27\n"), "%s", text);
    cr_expect(has(text, "  # machine.yaml:8:5; default: latency, credit_latency, response_credit_latency, "
                        "response_credits\n"),
              "%s", text);
    char *lines = without_origin(text);
    cr_expect_str_eq(lines, "heddle: 1|");
    free(lines);
    free(text);
    netlist_free(machine);
}

Test(netlist_output, json_holds_base_units_and_no_paths)
{
    netlist *machine = bench_load(SMALL "blocks: {core: {parameters: {l1.prefetch: true}}}\n", NULL);
    json_t *json = netlist_json(machine);
    json_t *core = json_array_get(json_object_get(json, "blocks"), bench_block(machine, "core"));
    json_t *parameters = json_object_get(core, "parameters");
    cr_expect_str_eq(json_string_value(json_object_get(core, "kind")), "simt_core");
    cr_expect_eq(json_integer_value(json_object_get(core, "count")), 4);
    cr_expect_eq(json_integer_value(json_object_get(parameters, "l1.bytes")), 48 * 1024);
    cr_expect(json_is_true(json_object_get(parameters, "l1.prefetch")));
    cr_expect_str_eq(json_string_value(json_object_get(parameters, "scheduler")), "lrr");
    cr_expect(json_real_value(json_object_get(parameters, "bias")) == 0.5);
    cr_expect_eq(json_integer_value(json_object_get(json, "watchdog_ps")), 2000000000);
    cr_expect_eq(json_integer_value(json_object_get(json, "limit_ps")), 1000000000000);
    cr_expect_eq(json_array_size(json_object_get(json, "links")), machine->link_count);
    char *text = json_dumps(json, 0);
    cr_expect(!has(text, ".yaml"));
    free(text);
    json_decref(json);
    netlist_free(machine);
}

Test(netlist_output, the_graph_shows_clocks_arrays_parameters_and_links)
{
    netlist *machine =
        bench_load(SMALL "description: a < b & c\nblocks: {core: {parameters: {l1.bytes: 16 KiB}}}\n", NULL);
    char *text = bench_written(machine, netlist_graph);
    cr_expect(has(text, "subgraph \"cluster_memory\""), "%s", text);
    cr_expect(has(text, "label=\"clock memory: 750 MHz\""), "%s", text);
    cr_expect(has(text, "<b>core</b> &#215;4"), "%s", text);
    cr_expect(has(text, "simt_core/timed"), "%s", text);
    cr_expect(has(text, "l1.bytes: 16 KiB"), "%s", text);
    cr_expect(!has(text, "l1.ways"), "defaults are not shown");
    char sizes[80];
    snprintf(sizes, sizeof sizes, "a &lt; b &amp; c<br/><font point-size=\"10\">%u blocks, %u links</font>",
             machine->endpoint_count, machine->link_count);
    cr_expect(has(text, sizes), "%s", text);
    cr_expect(has(text, "memory partitions, 256 B in turn<br align=\"left\"/>"), "%s", text);
    cr_expect(has(text, "\"core\" -> \"requests\" [label=< request &#8594; input &#215;4<br align=\"left\"/> 1 cycle, "
                        "8 credits<br align=\"left\"/>>]"),
              "%s", text);
    cr_expect(has(text, "<br align=\"left\"/> back: 3 cycles, 16 credits"), "%s", text);
    cr_expect(has(text, "\"core\" -> \"replies\" [dir=back, label=< output &#8594; reply &#215;4<br"), "%s", text);
    size_t edges = 0;
    for (const char *at = text; (at = strstr(at, " -> ")); at++)
        edges++;
    cr_expect_eq(edges, 13, "arrays are one edge");
    free(text);
    netlist_free(machine);
}

Test(netlist_output, the_brief_graph_has_each_block_and_each_pair_once)
{
    netlist *machine = bench_load(SMALL "links:\n  - {from: core.request, to: requests.input, credits: 2}\n", NULL);
    char *text = bench_written(machine, netlist_graph_brief);
    cr_expect(has(text, "<b>core</b> &#215;4<br/><font point-size=\"9\" color=\"#555555\">1 GHz</font>"), "%s", text);
    cr_expect(has(text, "\"core\" -> \"requests\" [dir=forward];"), "%s", text);
    cr_expect(has(text, "\"core\" -> \"replies\" [dir=back];"), "%s", text);
    cr_expect(has(text, "\"l2\" -> \"dram\" [dir=both];"), "%s", text);
    cr_expect(!has(text, "l1.bytes") && !has(text, "credits"), "%s", text);
    free(text);
    netlist_free(machine);
}

Test(netlist_output, the_graph_of_the_printed_netlist_is_as_small)
{
    netlist *machine = bench_load(SMALL, NULL);
    char *printed = bench_written(machine, netlist_print);
    netlist_free(machine);
    machine = bench_load(printed, NULL);
    char *graph = bench_written(machine, netlist_graph);
    cr_expect(has(graph, "input &#215;4"), "%s", graph);
    size_t edges = 0;
    for (const char *at = graph; (at = strstr(at, " -> ")); at++)
        edges++;
    cr_expect_eq(edges, 13);
    free(graph);
    free(printed);
    netlist_free(machine);
}

/* What is printed of a tap loads again; it has neither latency nor credits anywhere. */
Test(netlist_output, taps_are_printed_without_what_they_lack)
{
    netlist *machine = bench_load(SMALL "blocks: {checker: {kind: listener, type: plain, clock: core}}\n"
                                        "links:\n  - {from: l2.tap, to: checker.tap}\n",
                                  NULL);
    const netlist_link *tap = &machine->links[machine->link_count - 1];
    cr_expect_eq(tap->is_tap, 1);
    cr_expect_eq(tap->forward.latency, 0);
    cr_expect_eq(tap->forward.credits, 0);
    cr_expect_str_eq(bench_link(machine, machine->link_count - 1), "l2[1].tap[0] -> checker.tap[1]");
    char *graph = bench_written(machine, netlist_graph);
    cr_expect(has(graph, "\"l2\" -> \"checker\" [style=dashed, label=< tap &#8594; tap &#215;2<br"), "%s", graph);
    json_t *json = netlist_json(machine);
    json_t *link = json_array_get(json_object_get(json, "links"), machine->link_count - 1);
    cr_expect_str_eq(json_string_value(json_object_get(link, "protocol")), "tap");
    cr_expect_eq(json_object_size(link), 3);
    char *printed = bench_written(machine, netlist_print);
    netlist_free(machine);
    cr_expect(has(printed, "  - {from: \"l2[1].tap[0]\", to: \"checker.tap[1]\"}  #"), "%s", printed);
    machine = bench_load(printed, NULL);
    cr_expect_eq(machine->links[machine->link_count - 1].is_tap, 1);
    json_decref(json);
    free(printed);
    free(graph);
    netlist_free(machine);
}
