/* SPDX-License-Identifier: MIT */
#include "figures.h"

#include <string.h>

#include "hd_message.h"

const char *const figure_names[FIGURE_COUNT] = {
    [FIGURE_IPC] = "peak IPC",
    [FIGURE_THREADS] = "thread instructions",
    [FIGURE_SCRATCHPAD] = "scratchpad",
    [FIGURE_L1] = "L1",
    [FIGURE_NETWORK_OUT] = "network out",
    [FIGURE_NETWORK_IN] = "network in",
    [FIGURE_L2] = "L2 reads",
    [FIGURE_L2_WRITES] = "L2 writes",
    [FIGURE_DRAM] = "DRAM",
    [FIGURE_DRAM_READS] = "DRAM reads",
    [FIGURE_SCRATCHPAD_LOAD] = "scratchpad load",
    [FIGURE_L1_LOAD] = "L1 load",
    [FIGURE_L2_LOAD] = "L2 load",
    [FIGURE_DRAM_LOAD] = "DRAM load",
};

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double divide_up(double a, double b)
{
    const double whole = (double)(uint64_t)(a / b);
    return whole * b < a ? whole + 1 : whole;
}

static double value(const hd_machine *machine, const char *block, const char *parameter)
{
    return (double)micro_parameter(machine, block, parameter);
}

static double count(const hd_machine *machine, const char *block)
{
    return (double)micro_block(machine, block)->count;
}

static double hertz(const hd_machine *machine, const char *block)
{
    return (double)micro_clock(machine, block).hz;
}

/* Of one core: a scheduler's port is taken for lanes / simd_width cycles, and nothing issues that was not fetched. */
static double issue_rate(const hd_machine *machine)
{
    const double cycles = divide_up(value(machine, "core", "lanes"), value(machine, "core", "simd_width"));
    return smaller(value(machine, "core", "schedulers") / cycles, value(machine, "core", "fetch.width"));
}

static void compute_core(const hd_machine *machine, double figures[FIGURE_COUNT])
{
    const double lanes = value(machine, "core", "lanes");
    const double cores = count(machine, "core") * hertz(machine, "core");
    const double passes = divide_up(lanes, value(machine, "core", "scratchpad.banks"));
    const double lines = divide_up(lanes * 4, HD_LINE_BYTES); /* of one load of a word by every lane */
    const double lookups =
        divide_up(HD_LINE_BYTES / value(machine, "core", "l1.line"), value(machine, "core", "l1.lookups"));
    figures[FIGURE_IPC] = count(machine, "core") * issue_rate(machine);
    figures[FIGURE_THREADS] = figures[FIGURE_IPC] * lanes * hertz(machine, "core");
    figures[FIGURE_SCRATCHPAD] = cores * smaller(1 / passes, issue_rate(machine)) * lanes * 4;
    figures[FIGURE_L1] = cores * smaller(1 / (lines * lookups), issue_rate(machine)) * lanes * 4;
}

/* Ports of the narrower side of a network: slices have one each, cores share what the netlist says. */
static double ports_of(const hd_machine *machine, const char *network, const char *shared)
{
    return smaller(divide_up(count(machine, "core"), value(machine, network, shared)), count(machine, "l2"));
}

static double out_ports(const hd_machine *machine)
{
    return ports_of(machine, "request_network", "inputs_per_port");
}

static double in_ports(const hd_machine *machine)
{
    return ports_of(machine, "reply_network", "outputs_per_port");
}

/* Packets in a second that so many ports of a network move. */
static double packets_of(const hd_machine *machine, const char *network, double ports, double bytes)
{
    return ports * hertz(machine, network) / divide_up(bytes, value(machine, network, "flit_bytes"));
}

static void compute_l2(const hd_machine *machine, double figures[FIGURE_COUNT])
{
    const double line = HD_LINE_BYTES, header = HD_HEADER_WIRE_BYTES, with_data = header + line;
    const double out = out_ports(machine), in = in_ports(machine);
    const double port =
        count(machine, "l2") * hertz(machine, "l2") / divide_up(line, value(machine, "l2", "port_bytes"));
    figures[FIGURE_NETWORK_OUT] =
        out * hertz(machine, "request_network") * value(machine, "request_network", "flit_bytes");
    figures[FIGURE_NETWORK_IN] = in * hertz(machine, "reply_network") * value(machine, "reply_network", "flit_bytes");
    figures[FIGURE_L2] = line * smaller(port, smaller(packets_of(machine, "reply_network", in, with_data),
                                                      packets_of(machine, "request_network", out, header)));
    figures[FIGURE_L2_WRITES] = line * smaller(port, smaller(packets_of(machine, "request_network", out, with_data),
                                                             packets_of(machine, "reply_network", in, header)));
}

static void compute_dram(const hd_machine *machine, double figures[FIGURE_COUNT])
{
    const double burst = value(machine, "dram", "burst"), column = value(machine, "dram", "tccd_s");
    const double columns = divide_up(HD_LINE_BYTES, burst * value(machine, "dram", "bus_bytes"));
    const double channels = count(machine, "dram") * hertz(machine, "dram");
    const double refresh = value(machine, "dram", "trfc") / value(machine, "dram", "trefi");
    figures[FIGURE_DRAM] = channels * value(machine, "dram", "bus_bytes");
    figures[FIGURE_DRAM_READS] =
        channels * HD_LINE_BYTES / (columns * (burst > column ? burst : column)) * (1 - refresh);
}

void figures_of(const hd_machine *machine, double figures[FIGURE_COUNT])
{
    memset(figures, 0, FIGURE_COUNT * sizeof *figures);
    compute_core(machine, figures);
    compute_l2(machine, figures);
    compute_dram(machine, figures);
}
