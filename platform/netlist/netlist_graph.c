/* SPDX-License-Identifier: MIT */
#include "netlist.h"

#include <stdbool.h>
#include <string.h>

#include "show.h"
#include "text_value.h"

#define PARAMETERS_SHOWN 16u

static const char *const colours[] = {"#eef3fb", "#f3f8ee", "#fbf4ea", "#f7eef8", "#eaf7f7", "#f6f0ea"};
#define COLOURS (sizeof colours / sizeof *colours)

static void write_escaped(const char *text, FILE *out)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default:
            if ((unsigned char)*text >= 0x20)
                fputc(*text, out);
        }
    }
}

static uint32_t is_from_file(const netlist_block *block, uint32_t parameter)
{
    return block->parameters_from && strcmp(block->origins[parameter].file, block->parameters_from) == 0;
}

/* What the netlist itself says about the block; defaults, and what a file of parameters has, would hide it. */
static void write_parameters(const netlist_block *block, FILE *out)
{
    uint32_t shown = 0;
    if (block->parameters_from) {
        const char *slash = strrchr(block->parameters_from, '/');
        write_escaped(slash ? slash + 1 : block->parameters_from, out);
        fputs("<br align=\"left\"/>", out);
    }
    for (uint32_t i = 0; i < block->block_class->parameter_count; i++) {
        const hd_parameter *declared = &block->block_class->parameters[i];
        if (!block->origins[i].line || is_from_file(block, i))
            continue;
        if (shown++ == PARAMETERS_SHOWN) {
            fputs("&#8230;<br align=\"left\"/>", out);
            return;
        }
        char text[NETLIST_SHOWN_BYTES];
        netlist_print_value(declared, &block->values[i], 0, text, sizeof text);
        write_escaped(declared->name, out);
        fputs(": ", out);
        write_escaped(text, out);
        fputs("<br align=\"left\"/>", out);
    }
}

/* What the machine makes of the block. */
static void write_role(const netlist *machine, const netlist_block *block, FILE *out)
{
    char interleave[48];
    if (machine->address_map.block == NETLIST_NONE || block != &machine->blocks[machine->address_map.block])
        return;
    unsigned_to_short_text(machine->address_map.interleave_bytes, HD_UNIT_BYTES, interleave, sizeof interleave);
    const char *hash = machine->address_map.hash == HD_HASH_NONE ? "" : ", hashed";
    fprintf(out, "memory partitions, %s in turn%s<br align=\"left\"/>", interleave, hash);
}

static void write_block(const netlist *machine, const netlist_block *block, FILE *out)
{
    fprintf(out, "    \"%s\" [%slabel=<<b>%s</b>", block->name, block->is_array ? "peripheries=2, " : "", block->name);
    if (block->is_array)
        fprintf(out, " &#215;%u", block->count);
    fputs("<br/><font point-size=\"10\">", out);
    write_escaped(block->block_class->kind, out);
    fputc('/', out);
    write_escaped(block->block_class->type, out);
    fputs("</font><br/><font point-size=\"9\" color=\"#555555\">", out);
    write_role(machine, block, out);
    write_parameters(block, out);
    fputs(" </font>>];\n", out);
}

static void write_clock(const netlist *machine, uint32_t clock, FILE *out)
{
    uint32_t members = 0;
    for (uint32_t i = 0; i < machine->block_count; i++)
        members += machine->blocks[i].clock == clock;
    if (!members)
        return;
    char frequency[48];
    unsigned_to_short_text(machine->clocks[clock].hz, HD_UNIT_HERTZ, frequency, sizeof frequency);
    fprintf(out, "  subgraph \"cluster_%s\" {\n", machine->clocks[clock].name);
    fprintf(out,
            "    label=\"clock %s: %s\"; labeljust=l; style=\"rounded,filled\"; color=\"#b0b0b0\"; fillcolor=\"%s\";\n",
            machine->clocks[clock].name, frequency, colours[clock % COLOURS]);
    for (uint32_t i = 0; i < machine->block_count; i++) {
        if (machine->blocks[i].clock == clock)
            write_block(machine, &machine->blocks[i], out);
    }
    fputs("  }\n", out);
}

static void write_channel(const char *name, const netlist_channel *channel, hd_clock clock, FILE *out)
{
    char latency[48];
    netlist_print_latency(channel->latency, clock, latency, sizeof latency);
    fprintf(out, "<br align=\"left\"/> %s%s, %u credit%s", name, latency, channel->credits,
            channel->credits == 1 ? "" : "s");
}

/* The picture runs down in the order of the file: a link to an earlier block is written from its end, with its arrow. */
static void write_ends(const netlist *machine, const netlist_link *link, FILE *out)
{
    bool upwards = link->to.block < link->from.block;
    const char *from = machine->blocks[link->from.block].name;
    const char *to = machine->blocks[link->to.block].name;
    fprintf(out, "  \"%s\" -> \"%s\" [", upwards ? to : from, upwards ? from : to);
    if (link->is_memory)
        fprintf(out, "dir=both, style=bold, %s=open, ", upwards ? "arrowhead" : "arrowtail");
    else if (upwards)
        fputs("dir=back, ", out);
    if (link->is_tap)
        fputs("style=dashed, ", out);
}

static void write_link(const netlist *machine, const netlist_link *link, uint32_t width, FILE *out)
{
    const netlist_block *from = &machine->blocks[link->from.block];
    const netlist_block *to = &machine->blocks[link->to.block];
    write_ends(machine, link, out);
    fputs("label=< ", out);
    write_escaped(from->block_class->ports[link->from.port].name, out);
    fputs(" &#8594; ", out);
    write_escaped(to->block_class->ports[link->to.port].name, out);
    if (width > 1)
        fprintf(out, " &#215;%u", width);
    if (!link->is_tap)
        write_channel("", &link->forward, (hd_clock){machine->clocks[from->clock].hz}, out);
    if (link->is_memory)
        write_channel("back: ", &link->response, (hd_clock){machine->clocks[to->clock].hz}, out);
    for (uint32_t option = 0; option < NETLIST_OPTIONS; option++) {
        const char *value, *key = netlist_option_text(option, &value);
        if (link->options & 1u << option)
            fprintf(out, "<br align=\"left\"/>%s: %s", key, value);
    }
    for (uint32_t i = 0; i < NETLIST_WITHINS; i++) {
        char within[48];
        unsigned_to_short_text(link->within[i], HD_UNIT_SECONDS, within, sizeof within);
        if (link->within[i])
            fprintf(out, "<br align=\"left\"/>%s: %s", netlist_within_keys[i], within);
    }
    fputs("<br align=\"left\"/>>];\n", out);
}

static void write_brief_block(const netlist *machine, const netlist_block *block, FILE *out)
{
    char frequency[48];
    unsigned_to_short_text(machine->clocks[block->clock].hz, HD_UNIT_HERTZ, frequency, sizeof frequency);
    fprintf(out, "  \"%s\" [%sfillcolor=\"%s\", label=<<b>%s</b>", block->name,
            block->is_array ? "peripheries=2, " : "", colours[block->clock % COLOURS], block->name);
    if (block->is_array)
        fprintf(out, " &#215;%u", block->count);
    fprintf(out, "<br/><font point-size=\"9\" color=\"#555555\">%s</font>>];\n", frequency);
}

/* Do links lead from one block to the other? A link of requests leads back as well. */
static bool leads(const netlist *machine, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < machine->link_count; i++) {
        const netlist_link *link = &machine->links[i];
        if ((link->from.block == from && link->to.block == to) ||
            (link->is_memory && link->from.block == to && link->to.block == from))
            return true;
    }
    return false;
}

void netlist_graph_brief(const netlist *machine, FILE *out)
{
    fputs("digraph machine {\n  graph [rankdir=LR, nodesep=0.25, ranksep=0.35];\n"
          "  node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica\", fontsize=12];\n"
          "  edge [color=\"#404040\", arrowsize=0.7];\n",
          out);
    for (uint32_t i = 0; i < machine->block_count; i++)
        write_brief_block(machine, &machine->blocks[i], out);
    for (uint32_t from = 0; from < machine->block_count; from++) {
        for (uint32_t to = from + 1; to < machine->block_count; to++) {
            const bool there = leads(machine, from, to), back = leads(machine, to, from);
            if (there || back)
                fprintf(out, "  \"%s\" -> \"%s\" [dir=%s];\n", machine->blocks[from].name, machine->blocks[to].name,
                        there && back ? "both"
                        : there       ? "forward"
                                      : "back");
        }
    }
    fputs("}\n", out);
}

void netlist_graph(const netlist *machine, FILE *out)
{
    fputs("digraph machine {\n  graph [fontname=\"Helvetica\", nodesep=0.5, ranksep=0.55, label=<<b>", out);
    write_escaped(machine->name, out);
    fputs("</b><br/>", out);
    write_escaped(machine->description, out);
    fprintf(out, "<br/><font point-size=\"10\">%u blocks, %u links</font><br/> >, labelloc=t];\n",
            machine->endpoint_count, machine->link_count);
    fputs("  node [shape=box, style=\"filled,rounded\", fillcolor=white, fontname=\"Helvetica\", fontsize=12];\n", out);
    fputs("  edge [fontname=\"Helvetica\", fontsize=8, color=\"#404040\"];\n", out);
    for (uint32_t i = 0; i < machine->clock_count; i++)
        write_clock(machine, i, out);
    for (uint32_t i = 0; i < machine->link_count;) {
        uint32_t width = netlist_same_link(machine, i);
        write_link(machine, &machine->links[i], width, out);
        i += width;
    }
    fputs("}\n", out);
}
