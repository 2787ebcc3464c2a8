/* SPDX-License-Identifier: MIT */
#include "netlist.h"

#include <inttypes.h>

#include "energy.h"
#include "show.h"
#include "text_value.h"
#include "yaml_text.h"

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
            yaml_write_text(block->values[i].text, out);
        } else {
            char text[NETLIST_SHOWN_BYTES];
            netlist_print_value(declared, &block->values[i], 1, text, sizeof text);
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
        yaml_write_text(gone->text, out);
        fprintf(out, ", for %s/%s", gone->block_class->kind, gone->block_class->type);
        print_origin(gone->place, out);
    }
}

static void print_text(const char *key, const char *text, netlist_place place, FILE *out)
{
    fprintf(out, "%s: ", key);
    yaml_write_text(text, out);
    print_origin(place, out);
}

static void print_block(const netlist *machine, uint32_t index, FILE *out)
{
    const netlist_block *block = &machine->blocks[index];
    fprintf(out, "  %s:", block->name);
    print_origin(block->place, out);
    print_text("    kind", block->block_class->kind, netlist_block_written_at(machine, index, "kind"), out);
    print_text("    type", block->block_class->type, netlist_block_written_at(machine, index, "type"), out);
    print_text("    clock", machine->clocks[block->clock].name, netlist_block_written_at(machine, index, "clock"), out);
    if (block->is_array) {
        fprintf(out, "    count: %u", block->count);
        print_origin(netlist_block_written_at(machine, index, "count"), out);
    }
    print_parameters(block, out);
    print_dropped(block, out);
}

/* Where the link is written, and which of its values are not. */
static void print_link_origin(const netlist *machine, uint32_t index, FILE *out)
{
    static const char *const keys[] = {"latency",          "credit_latency",          "credits",
                                       "response_latency", "response_credit_latency", "response_credits"};
    const netlist_link *link = &machine->links[index];
    const char *lead = "; default: ";
    fprintf(out, "  # %s:%u:%u", link->place.file, link->place.line, link->place.column);
    for (size_t k = 0; k < (link->is_tap ? 0 : link->is_memory ? 6 : 3); k++) {
        if (netlist_link_written_at(machine, index, keys[k]).line)
            continue;
        fprintf(out, "%s%s", lead, keys[k]);
        lead = ", ";
    }
    fputc('\n', out);
}

static void print_link(const netlist *machine, uint32_t index, FILE *out)
{
    const netlist_link *link = &machine->links[index];
    char from[NETLIST_SHOWN_BYTES], to[NETLIST_SHOWN_BYTES];
    netlist_print_end(machine, link->from, from, sizeof from);
    netlist_print_end(machine, link->to, to, sizeof to);
    fprintf(out, "  - {from: \"%s\", to: \"%s\"", from, to);
    if (!link->is_tap)
        fprintf(out, ", latency: %" PRIu64 " ps, credit_latency: %" PRIu64 " ps, credits: %u", link->forward.latency,
                link->forward.credit_latency, link->forward.credits);
    if (link->is_memory)
        fprintf(out,
                ", response_latency: %" PRIu64 " ps, response_credit_latency: %" PRIu64 " ps, response_credits: %u",
                link->response.latency, link->response.credit_latency, link->response.credits);
    for (uint32_t option = 0; option < NETLIST_OPTIONS; option++) {
        const char *value, *key = netlist_option_text(option, &value);
        if (link->options & 1u << option)
            fprintf(out, ", %s: %s", key, value);
    }
    for (uint32_t i = 0; i < NETLIST_WITHINS; i++)
        if (link->within[i])
            fprintf(out, ", %s: %" PRIu64 " ps", netlist_within_keys[i], link->within[i]);
    fputc('}', out);
    print_link_origin(machine, index, out);
}

static void print_perturb(const netlist *machine, FILE *out)
{
    fputs("perturb:\n", out);
    fprintf(out, "  seed: %" PRIu64, machine->perturb.seed);
    print_origin(netlist_perturb_written_at(machine, "seed"), out);
    fprintf(out, "  delay: %" PRIu64 " ps", machine->perturb.delay);
    print_origin(netlist_perturb_written_at(machine, "delay"), out);
}

static void print_head(const netlist *machine, FILE *out)
{
    fputs("heddle: 1\n", out);
    print_text("name", machine->name, netlist_written_at(machine, "name"), out);
    if (*machine->description)
        print_text("description", machine->description, netlist_written_at(machine, "description"), out);
    fprintf(out, "watchdog: %" PRIu64 " ps", machine->watchdog);
    print_origin(netlist_written_at(machine, "watchdog"), out);
    fprintf(out, "launch_align: %s", machine->launch_align ? "true" : "false");
    print_origin(netlist_written_at(machine, "launch_align"), out);
    fprintf(out, "limit: %" PRIu64 " ps", machine->limit);
    print_origin(netlist_written_at(machine, "limit"), out);
    print_perturb(machine, out);
    if (machine->energy)
        print_text("energy", machine->energy->path, machine->energy->place, out);
}

static void print_address_map(const netlist *machine, FILE *out)
{
    if (machine->address_map.block == NETLIST_NONE)
        return;
    fputs("\naddress_map:\n", out);
    print_text("  partitions", machine->blocks[machine->address_map.block].name,
               netlist_map_written_at(machine, "partitions"), out);
    fprintf(out, "  interleave: %u B", machine->address_map.interleave_bytes);
    print_origin(netlist_map_written_at(machine, "interleave"), out);
    fprintf(out, "  hash: %s", netlist_hash_names[machine->address_map.hash]);
    print_origin(netlist_map_written_at(machine, "hash"), out);
    fprintf(out, "  sub_partitions: %u", machine->address_map.sub_partitions);
    print_origin(netlist_map_written_at(machine, "sub_partitions"), out);
    fprintf(out, "  sub_interleave: %u B", machine->address_map.sub_interleave_bytes);
    print_origin(netlist_map_written_at(machine, "sub_interleave"), out);
}

static void print_plugins(const netlist *machine, FILE *out)
{
    if (machine->plugin_count)
        fputs("plugins:\n", out);
    for (uint32_t i = 0; i < machine->plugin_count; i++) {
        fputs("  - ", out);
        yaml_write_text(machine->plugins[i].path, out);
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
    print_address_map(machine, out);
    fputs("\nblocks:\n", out);
    for (uint32_t i = 0; i < machine->block_count; i++)
        print_block(machine, i, out);
    if (machine->link_count)
        fputs("\nlinks:\n", out);
    for (uint32_t i = 0; i < machine->link_count; i++)
        print_link(machine, i, out);
}
