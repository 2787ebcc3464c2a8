/* SPDX-License-Identifier: MIT */
#include "path.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "hd_extension.h"
#include "hd_message.h"
#include "rows.h"

enum { PARTITIONS_MAX = 64, BANKS_MAX = 64 };
#define NO_ROW UINT64_MAX
#define SCOREBOARD_SIMPLE 1 /* index of the choice: nothing issues before the result is there */

struct bank {
    uint64_t row;
    uint64_t activate_ready;
    uint64_t precharge_ready;
};

struct path {
    const hd_machine *machine;
    hd_clock core, request_network, l2, dram, reply_network;
    struct bank banks[PARTITIONS_MAX][BANKS_MAX];
};

path *path_new(const hd_machine *machine)
{
    path *p = calloc(1, sizeof *p);
    cr_assert_not_null(p);
    p->machine = machine;
    p->core = micro_clock(machine, "core");
    p->request_network = micro_clock(machine, "request_network");
    p->reply_network = micro_clock(machine, "reply_network");
    p->l2 = micro_clock(machine, "l2");
    p->dram = micro_clock(machine, "dram");
    for (uint32_t i = 0; i < PARTITIONS_MAX; i++)
        for (uint32_t bank = 0; bank < BANKS_MAX; bank++)
            p->banks[i][bank].row = NO_ROW;
    return p;
}

void path_free(path *p)
{
    free(p);
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Edge of the receiver's clock at which it sees what was sent at an edge of the sender's. */
static uint64_t arrival(hd_clock from, uint64_t edge, hd_time latency, hd_clock to)
{
    return hd_clock_index_at_or_after(to, hd_clock_edge(from, edge) + latency);
}

static uint64_t request(const path *p, uint64_t issue)
{
    const uint64_t units = micro_parameter(p->machine, "core", "memory.address.interval") > 0
                               ? micro_parameter(p->machine, "core", "memory.address.latency")
                               : 0;
    return issue + micro_parameter(p->machine, "core", "register_read.latency") + units + 1;
}

uint64_t path_scratchpad(const path *p, uint64_t issue, uint32_t passes)
{
    return request(p, issue) + passes - 1 + micro_parameter(p->machine, "core", "scratchpad.latency");
}

uint64_t path_l1_hit(const path *p, uint64_t issue, uint32_t lines)
{
    return request(p, issue) + lines - 1 + micro_parameter(p->machine, "core", "l1.latency");
}

/* Through a crossbar whose output is free: granted on arrival, the last flit leaves latency cycles after its grant. */
static uint64_t cross(const path *p, const char *network, uint64_t arrived, uint32_t bytes)
{
    const uint64_t flits = divide_up(bytes, micro_parameter(p->machine, network, "flit_bytes"));
    return arrived + flits - 1 + micro_parameter(p->machine, network, "latency");
}

static uint64_t at_l2(const path *p, uint64_t issue)
{
    const hd_time to_network = micro_link(p->machine, "core", "request_network")->forward.latency;
    const hd_time to_l2 = micro_link(p->machine, "request_network", "l2")->forward.latency;
    const uint64_t entered = arrival(p->core, request(p, issue), to_network, p->request_network);
    return arrival(p->request_network, cross(p, "request_network", entered, HD_HEADER_WIRE_BYTES), to_l2, p->l2);
}

static uint64_t back_from_l2(const path *p, uint64_t accessed, uint32_t bytes)
{
    const uint64_t port_cycles = divide_up(bytes, micro_parameter(p->machine, "l2", "port_bytes"));
    const uint64_t left = accessed + port_cycles - 1 + micro_parameter(p->machine, "l2", "latency");
    const hd_time to_network = micro_link(p->machine, "l2", "reply_network")->forward.latency;
    const hd_time to_core = micro_link(p->machine, "reply_network", "core")->forward.latency;
    const uint64_t entered = arrival(p->l2, left, to_network, p->reply_network);
    return arrival(p->reply_network, cross(p, "reply_network", entered, HD_HEADER_WIRE_BYTES + bytes), to_core,
                   p->core);
}

uint64_t path_l2_hit(const path *p, uint64_t issue, uint32_t bytes)
{
    return back_from_l2(p, at_l2(p, issue), bytes);
}

static struct bank *bank_of(path *p, uint64_t address, uint64_t *row)
{
    const netlist_address_map *values = &hd_machine_netlist(p->machine)->address_map;
    const hd_address_map map = {.partitions = micro_block(p->machine, "l2")->count,
                                .interleave_bytes = values->interleave_bytes,
                                .sub_partitions = values->sub_partitions,
                                .sub_interleave_bytes = values->sub_interleave_bytes};
    const row_shape shape = {.banks = (uint32_t)micro_parameter(p->machine, "dram", "banks"),
                             .groups = (uint32_t)micro_parameter(p->machine, "dram", "bank_groups"),
                             .row_bytes = (uint32_t)micro_parameter(p->machine, "dram", "row_bytes")};
    cr_assert(values->hash == HD_HASH_NONE, "no machine whose path is computed has a hash");
    /* A channel of several partitions holds their chunks in turn. */
    const uint32_t partition = hd_partition_of(&map, address);
    const uint32_t shared = map.partitions / micro_block(p->machine, "dram")->count;
    const place_in_rows at =
        rows_place(micro_text(p->machine, "dram", "mapping"), &shape, hd_channel_offset(&map, address, shared));
    *row = at.row;
    return &p->banks[partition / shared][at.bank];
}

/* Edge at which the row is open for column commands, of a request that is accepted at `edge`. */
static uint64_t open_row(path *p, struct bank *bank, uint64_t row, uint64_t edge)
{
    if (bank->row == row)
        return edge;
    uint64_t activate = edge;
    if (bank->row != NO_ROW)
        activate = later(edge, bank->precharge_ready) + micro_parameter(p->machine, "dram", "trp");
    activate = later(activate, bank->activate_ready);
    bank->row = row;
    bank->activate_ready = activate + micro_parameter(p->machine, "dram", "trc");
    bank->precharge_ready = activate + micro_parameter(p->machine, "dram", "tras");
    return activate + micro_parameter(p->machine, "dram", "trcd");
}

/* Edge at which the channel answers: what the slice fetches of a line takes several column commands of one bank, and so of one bank group. */
static uint64_t read_line(path *p, uint64_t address, uint64_t accepted)
{
    const uint64_t burst = micro_parameter(p->machine, "dram", "burst");
    const uint64_t columns = divide_up(micro_parameter(p->machine, "l2", "sector"),
                                       burst * micro_parameter(p->machine, "dram", "bus_bytes"));
    const uint64_t gap = later(later(burst, micro_parameter(p->machine, "dram", "tccd_s")),
                               micro_parameter(p->machine, "dram", "tccd_l"));
    uint64_t row;
    struct bank *bank = bank_of(p, address, &row);
    const uint64_t last = open_row(p, bank, row, accepted) + (columns - 1) * gap;
    bank->precharge_ready = later(bank->precharge_ready, last + micro_parameter(p->machine, "dram", "trtp"));
    return last + micro_parameter(p->machine, "dram", "tcl") + burst + micro_parameter(p->machine, "dram", "latency");
}

uint64_t path_l2_miss(path *p, uint64_t issue, uint64_t address, uint32_t bytes)
{
    const netlist_link *link = micro_link(p->machine, "l2", "dram");
    const uint64_t accepted = arrival(p->l2, at_l2(p, issue), link->forward.latency, p->dram);
    const uint64_t answered = read_line(p, address, accepted);
    return back_from_l2(p, arrival(p->dram, answered, link->response.latency, p->l2), bytes);
}

uint64_t path_next_issue(const path *p)
{
    const uint64_t port =
        divide_up(micro_parameter(p->machine, "core", "lanes"), micro_parameter(p->machine, "core", "simd_width"));
    const uint64_t result = micro_parameter(p->machine, "core", "register_read.latency") +
                            micro_parameter(p->machine, "core", "integer.latency") +
                            micro_parameter(p->machine, "core", "write_back.latency");
    const uint64_t next = later(port, micro_parameter(p->machine, "core", "fetch.latency"));
    return micro_parameter(p->machine, "core", "scoreboard") == SCOREBOARD_SIMPLE ? later(next, result) : next;
}
