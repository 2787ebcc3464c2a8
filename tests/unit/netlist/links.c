/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define SMALL "heddle: 1\nextends: " NETLIST_ERRORS "/base/small.yaml\n"

/* Any number of blocks that send (probe) and crossbars; "slow" is half of "core". */
#define NETS                                                                                                           \
    BENCH_HEAD "blocks:\n"                                                                                             \
               "  one: {kind: crossbar, type: round_robin, clock: core}\n"                                             \
               "  four: {kind: crossbar, type: round_robin, clock: core, count: 4}\n"                                  \
               "  two: {kind: crossbar, type: round_robin, clock: slow, count: 2}\n"                                   \
               "links:\n"

/* Makes everything bound that must be. */
#define RING                                                                                                           \
    "  - {from: one.output, to: one.input}\n  - {from: four.output, to: four.input}\n  - {from: two.output, to: "      \
    "two.input}\n"

static void expect_links(const netlist *machine, uint32_t first, const char *const *expected, uint32_t count)
{
    cr_assert_eq(machine->link_count, first + count, "%u links", machine->link_count);
    for (uint32_t i = 0; i < count; i++)
        cr_expect_str_eq(bench_link(machine, first + i), expected[i]);
}
#define EXPECT_LINKS(machine, first, ...)                                                                              \
    do {                                                                                                               \
        const char *const expected[] = {__VA_ARGS__};                                                                  \
        expect_links(machine, first, expected, sizeof expected / sizeof *expected);                                    \
    } while (0)

TestSuite(netlist_links, .init = bench_enter, .fini = bench_leave);

Test(netlist_links, arrays_of_blocks_are_joined_one_to_one)
{
    netlist *machine = bench_load(NETS RING, NULL);
    EXPECT_LINKS(machine, 0, "one.output[0] -> one.input[0]", "four[0].output[0] -> four[0].input[0]",
                 "four[1].output[0] -> four[1].input[0]", "four[2].output[0] -> four[2].input[0]",
                 "four[3].output[0] -> four[3].input[0]", "two[0].output[0] -> two[0].input[0]",
                 "two[1].output[0] -> two[1].input[0]");
    netlist_free(machine);
}

Test(netlist_links, a_port_without_index_takes_as_many_elements_as_the_other_side_has)
{
    netlist *machine = bench_load(NETS RING "  - {from: four.output, to: one.input}\n", NULL);
    EXPECT_LINKS(machine, 7, "four[0].output[1] -> one.input[1]", "four[1].output[1] -> one.input[2]",
                 "four[2].output[1] -> one.input[3]", "four[3].output[1] -> one.input[4]");
    netlist_free(machine);
}

Test(netlist_links, instances_share_the_elements_of_the_other_side_evenly)
{
    netlist *machine = bench_load(NETS RING "  - {from: two.output, to: four.input}\n", NULL);
    EXPECT_LINKS(machine, 7, "two[0].output[1] -> four[0].input[1]", "two[0].output[2] -> four[1].input[1]",
                 "two[1].output[1] -> four[2].input[1]", "two[1].output[2] -> four[3].input[1]");
    netlist_free(machine);
}

Test(netlist_links, an_index_picks_one_instance_and_a_range_several)
{
    netlist *machine = bench_load(NETS RING "  - {from: 'four[3].output', to: one.input}\n"
                                            "  - {from: 'four[1..2].output', to: one.input}\n",
                                  NULL);
    EXPECT_LINKS(machine, 7, "four[3].output[1] -> one.input[1]", "four[1].output[1] -> one.input[2]",
                 "four[2].output[1] -> one.input[3]");
    netlist_free(machine);
}

Test(netlist_links, elements_named_by_index_are_left_out_by_ports_without_index)
{
    netlist *machine = bench_load(NETS RING "  - {from: 'four[0].output', to: 'one.input[1]'}\n"
                                            "  - {from: 'two.output', to: 'one.input[3..4]'}\n"
                                            "  - {from: 'four[1].output', to: one.input}\n",
                                  NULL);
    EXPECT_LINKS(machine, 7, "four[0].output[1] -> one.input[1]", "two[0].output[1] -> one.input[3]",
                 "two[1].output[1] -> one.input[4]", "four[1].output[1] -> one.input[2]");
    netlist_free(machine);
}

Test(netlist_links, indices_of_instances_and_elements_combine_by_instance_first)
{
    netlist *machine = bench_load(NETS RING "  - {from: 'two.output[1..2]', to: 'one.input[1..4]'}\n", NULL);
    EXPECT_LINKS(machine, 7, "two[0].output[1] -> one.input[1]", "two[0].output[2] -> one.input[2]",
                 "two[1].output[1] -> one.input[3]", "two[1].output[2] -> one.input[4]");
    netlist_free(machine);
}

Test(netlist_links, bound_elements_are_counted_per_instance_and_port)
{
    netlist *machine = bench_load(NETS RING "  - {from: 'four[2].output', to: one.input}\n", NULL);
    const netlist_block *four = &machine->blocks[bench_block(machine, "four")];
    const netlist_block *one = &machine->blocks[bench_block(machine, "one")];
    uint32_t ports = four->block_class->port_count;
    cr_expect_eq(one->port_elements[0], 2);
    cr_expect_eq(one->port_elements[1], 1);
    cr_expect_eq(four->port_elements[1 * ports + 1], 1);
    cr_expect_eq(four->port_elements[2 * ports + 1], 2);
    netlist_free(machine);
}

Test(netlist_links, defaults_are_the_senders_latency_and_the_receivers_credits)
{
    netlist *machine = bench_load(NETS RING, NULL);
    const netlist_link *fast = &machine->links[0], *slow = &machine->links[6];
    hd_clock core = {machine->clocks[0].hz}, half = {machine->clocks[1].hz};
    cr_expect_eq(fast->forward.latency, hd_clock_cycles(core, 2));
    cr_expect_eq(fast->forward.credit_latency, fast->forward.latency);
    cr_expect_eq(fast->forward.credits, 8);
    cr_expect_eq(slow->forward.latency, hd_clock_cycles(half, 2));
    cr_expect_eq(fast->is_memory, 0);
    cr_expect_eq(fast->response.latency, 0);
    netlist_free(machine);
}

Test(netlist_links, latencies_are_cycles_of_the_sender_or_a_time)
{
    netlist *machine = bench_load(NETS RING "  - {from: two.output, to: four.input, latency: 5 cycles}\n"
                                            "  - {from: one.output, to: two.input, latency: 3.5 ns, "
                                            "credit_latency: 7 cycles, credits: 12}\n",
                                  NULL);
    hd_clock core = {machine->clocks[0].hz}, half = {machine->clocks[1].hz};
    cr_expect_eq(machine->links[7].forward.latency, hd_clock_cycles(half, 5));
    cr_expect_eq(machine->links[7].forward.credit_latency, hd_clock_cycles(half, 5));
    cr_expect_eq(machine->links[11].forward.latency, 3500);
    cr_expect_eq(machine->links[11].forward.credit_latency, hd_clock_cycles(core, 7));
    cr_expect_eq(machine->links[11].forward.credits, 12);
    netlist_free(machine);
}

static const netlist_link *memory_link(const netlist *machine)
{
    for (uint32_t i = 0; i < machine->link_count; i++) {
        if (machine->links[i].from.block == bench_block(machine, "l2") && machine->links[i].is_memory)
            return &machine->links[i];
    }
    return NULL;
}

Test(netlist_links, a_memory_link_has_a_response_of_its_own)
{
    netlist *machine = bench_load(SMALL, NULL);
    const netlist_link *link = memory_link(machine);
    hd_clock core = {machine->clocks[0].hz}, memory = {machine->clocks[1].hz};
    cr_expect_eq(link->forward.latency, hd_clock_cycles(core, 1), "the slice's port");
    cr_expect_eq(link->forward.credits, 32, "the channel's port");
    cr_expect_eq(link->response.latency, hd_clock_cycles(memory, 3), "the channel's port");
    cr_expect_eq(link->response.credit_latency, link->response.latency);
    cr_expect_eq(link->response.credits, 16, "the slice's port");
    netlist_free(machine);
}

Test(netlist_links, the_response_of_a_memory_link_can_be_written)
{
    netlist *machine = bench_load(SMALL "links:\n  - {from: l2.memory, to: dram.access, latency: 9 cycles, "
                                        "response_latency: 6 cycles, response_credit_latency: 8 ns, "
                                        "response_credits: 5, credits: 2}\n",
                                  NULL);
    const netlist_link *link = memory_link(machine);
    hd_clock memory = {machine->clocks[1].hz};
    cr_expect_eq(link->forward.latency, 9000);
    cr_expect_eq(link->forward.credits, 2);
    cr_expect_eq(link->response.latency, hd_clock_cycles(memory, 6));
    cr_expect_eq(link->response.credit_latency, 8000);
    cr_expect_eq(link->response.credits, 5);
    netlist_free(machine);
}

Test(netlist_links, every_flattened_link_knows_where_it_was_written)
{
    netlist *machine = bench_load(NETS RING, NULL);
    cr_expect_eq(machine->links[1].place.line, machine->links[4].place.line);
    cr_expect_eq(machine->links[5].place.line, machine->links[4].place.line + 1);
    cr_expect_eq(machine->links[0].place.column, 5);
    netlist_free(machine);
}

Test(netlist_links, a_port_that_may_stay_unbound_does)
{
    netlist *machine = bench_load(SMALL "remove: [{from: processor.interrupt, to: host.interrupt}]\n"
                                        "blocks: {tap: {kind: crossbar, type: round_robin, clock: core}}\n"
                                        "links:\n  - {from: processor.interrupt, to: tap.input}\n"
                                        "  - {from: tap.output, to: host.interrupt}\n",
                                  NULL);
    cr_expect_eq(machine->blocks[0].port_elements[1], 1);
    netlist_free(machine);
    machine = bench_load(BENCH_HEAD "blocks:\n  probe: {kind: probe, type: plain, clock: core}\n", NULL);
    cr_expect_eq(machine->blocks[0].port_elements[0], 0);
    netlist_free(machine);
}

Test(netlist_links, messages_are_followed_through_several_forwarding_blocks)
{
    static const char rest[] = "remove: [{from: processor.interrupt, to: host.interrupt}]\n"
                               "blocks:\n  first: {kind: crossbar, type: round_robin, clock: core}\n"
                               "  second: {kind: crossbar, type: round_robin, clock: core}\n"
                               "links:\n  - {from: second.output, to: %s}\n  - {from: first.output, to: second.input}\n"
                               "  - {from: processor.interrupt, to: first.input}\n";
    char text[1024];
    snprintf(text, sizeof text, SMALL "%s", rest);
    char *machine_text = malloc(2048);
    snprintf(machine_text, 2048, text, "host.interrupt");
    netlist_free(bench_load(machine_text, NULL));

    snprintf(machine_text, 2048, text, "'l2[0].request'");
    char *errors = bench_errors(machine_text, NULL);
    cr_expect(strstr(errors, "error[N37]: 'request' of 'l2' accepts nothing of what 'second' forwards"), "%s", errors);
    cr_expect(strstr(errors, "error[N37]: 'processor' sends 'interrupt/1', which nothing behind 'first' accepts"), "%s",
              errors);
    free(errors);
    free(machine_text);
}

Test(netlist_links, networks_of_one_array_are_kept_apart)
{
    static const char text[] = SMALL
        "remove: [requests, replies]\n"
        "blocks:\n  net: {kind: crossbar, type: round_robin, clock: core, count: 2}\n"
        "links:\n  - {from: core.request, to: 'net[0].input'}\n  - {from: processor.request, to: 'net[0].input'}\n"
        "  - {from: 'net[0].output', to: l2.request}\n  - {from: l2.reply, to: 'net[1].input'}\n"
        "  - {from: 'net[1].output', to: core.reply}\n  - {from: 'net[1].output', to: processor.reply}\n";
    netlist_free(bench_load(text, NULL));
}
