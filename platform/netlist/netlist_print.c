/* SPDX-License-Identifier: MIT */
#include "netlist.h"

#include <inttypes.h>

#include "show.h"
#include "text_value.h"

static void print_origin(netlist_place place, FILE *out)
{
    if (place.line)
        fprintf(out, "  # %s:%u:%u\n", place.file, place.line, place.column);
    else
        fprintf(out, "  # default\n");
}

static void print_parameters(const netlist_block *block, FILE *out)
{
    const hd_block_class *block_class = block->block_class;
    if (block_class->parameter_count)
        fputs("    parameters:\n", out);
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        const hd_parameter *declared = &block_class->parameters[i];
        fprintf(out, "      %s: ", declared->name);
        if (declared->type == HD_TYPE_TEXT || declared->type == HD_TYPE_CHOICE) {
            netlist_write_yaml_text(block->values[i].text, out);
        } else {
            char text[NETLIST_SHOWN_BYTES];
            netlist_show_value(declared, &block->values[i], 1, text, sizeof text);
            fputs(text, out);
        }
        print_origin(block->origins[i], out);
    }
}

static void print_dropped(const netlist_block *block, FILE *out)
{
    for (uint32_t i = 0; i < block->dropped_count; i++) {
        const netlist_dropped *gone = &block->dropped[i];
        fprintf(out, "      # dropped: %s: ", gone->name);
        netlist_write_yaml_text(gone->text, out);
        fprintf(out, ", for %s/%s", gone->block_class->kind, gone->block_class->type);
        print_origin(gone->place, out);
    }
}

static void print_block(const netlist *machine, const netlist_block *block, FILE *out)
{
    fprintf(out, "  %s:", block->name);
    print_origin(block->place, out);
    fputs("    kind: ", out);
    netlist_write_yaml_text(block->block_class->kind, out);
    fputs("\n    type: ", out);
    netlist_write_yaml_text(block->block_class->type, out);
    fprintf(out, "\n    clock: %s\n", machine->clocks[block->clock].name);
    if (block->is_array)
        fprintf(out, "    count: %u\n", block->count);
    print_parameters(block, out);
    print_dropped(block, out);
}

static void print_link(const netlist *machine, const netlist_link *link, FILE *out)
{
    char from[NETLIST_SHOWN_BYTES], to[NETLIST_SHOWN_BYTES];
    netlist_show_end(machine, link->from, from, sizeof from);
    netlist_show_end(machine, link->to, to, sizeof to);
    fprintf(out, "  - {from: \"%s\", to: \"%s\", latency: %" PRIu64 " ps, credit_latency: %" PRIu64 " ps, credits: %u",
            from, to, link->forward.latency, link->forward.credit_latency, link->forward.credits);
    if (link->is_memory)
        fprintf(out,
                ", response_latency: %" PRIu64 " ps, response_credit_latency: %" PRIu64 " ps, response_credits: %u",
                link->response.latency, link->response.credit_latency, link->response.credits);
    fputc('}', out);
    print_origin(link->place, out);
}

static void print_head(const netlist *machine, FILE *out)
{
    fputs("heddle: 1\nname: ", out);
    netlist_write_yaml_text(machine->name, out);
    if (*machine->description) {
        fputs("\ndescription: ", out);
        netlist_write_yaml_text(machine->description, out);
    }
    fprintf(out, "\nwatchdog: %" PRIu64 " ps\nlaunch_align: %s\n", machine->watchdog,
            machine->launch_align ? "true" : "false");
    if (machine->limit != HD_NEVER)
        fprintf(out, "limit: %" PRIu64 " ps\n", machine->limit);
}

static void print_plugins(const netlist *machine, FILE *out)
{
    if (machine->plugin_count)
        fputs("plugins:\n", out);
    for (uint32_t i = 0; i < machine->plugin_count; i++) {
        fputs("  - ", out);
        netlist_write_yaml_text(machine->plugins[i].path, out);
        print_origin(machine->plugins[i].place, out);
    }
}

void netlist_print(const netlist *machine, FILE *out)
{
    print_head(machine, out);
    print_plugins(machine, out);
    fputs("\nclocks:\n", out);
    for (uint32_t i = 0; i < machine->clock_count; i++) {
        fprintf(out, "  %s: %" PRIu64 " Hz", machine->clocks[i].name, machine->clocks[i].hz);
        print_origin(machine->clocks[i].place, out);
    }
    if (machine->address_map.block != NETLIST_NONE)
        fprintf(out, "\naddress_map:\n  partitions: %s\n  interleave: %u B\n",
                machine->blocks[machine->address_map.block].name, machine->address_map.interleave_bytes);
    fputs("\nblocks:\n", out);
    for (uint32_t i = 0; i < machine->block_count; i++)
        print_block(machine, &machine->blocks[i], out);
    if (machine->link_count)
        fputs("\nlinks:\n", out);
    for (uint32_t i = 0; i < machine->link_count; i++)
        print_link(machine, &machine->links[i], out);
}
