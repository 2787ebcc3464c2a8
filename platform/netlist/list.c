/* SPDX-License-Identifier: MIT */
#include "list.h"

#include <fnmatch.h>
#include <string.h>

#include "diagnostics.h"

int list_matches(const char *name, const char *pattern)
{
    return !pattern || fnmatch(pattern, name, 0) == 0;
}

int list_class_matches(const hd_block_class *block_class, const char *pattern)
{
    char name[256];
    if (!pattern || !strchr(pattern, '/'))
        return list_matches(block_class->kind, pattern);
    snprintf(name, sizeof name, "%s/%s", block_class->kind, block_class->type);
    return list_matches(name, pattern);
}

static size_t finish(table *rows, enum text_format format, FILE *out)
{
    table_write(rows, NULL, "", format, out);
    arena_free(rows->memory);
    return rows->rows;
}

static const char *name_of(arena *memory, const hd_block_class *block_class)
{
    return arena_format(memory, "%s/%s", block_class->kind, block_class->type);
}

static const char *port_of(arena *memory, const hd_block_class *block_class, const char *port)
{
    return arena_format(memory, "%s/%s.%s", block_class->kind, block_class->type, port);
}

size_t netlist_list_classes(netlist_registry registry, const char *pattern, enum text_format format, FILE *out)
{
    static const char *const titles[] = {"Block", "What it is"};
    arena memory = {0};
    table rows = {.memory = &memory, .titles = titles, .columns = 2};
    for (size_t i = 0; i < registry.count; i++) {
        if (list_class_matches(registry.classes[i], pattern))
            TABLE_ROW(&rows, name_of(&memory, registry.classes[i]), registry.classes[i]->doc);
    }
    return finish(&rows, format, out);
}

/* ---- Messages and protocols --------------------------------------------------------------------------------------- */

static const char *users(arena *memory, netlist_registry registry, const char *message, uint32_t direction)
{
    const char *text = "";
    for (size_t i = 0; i < registry.count; i++) {
        const hd_block_class *block_class = registry.classes[i];
        for (uint32_t m = 0; m < block_class->message_count; m++) {
            const hd_message_use *use = &block_class->messages[m];
            if (use->direction == direction && strcmp(use->name, message) == 0)
                text = arena_format(memory, "%s%s%s", text, *text ? ", " : "", port_of(memory, block_class, use->port));
        }
    }
    return *text ? text : "nobody";
}

static int is_listed(const table *rows, const char *name)
{
    for (uint32_t r = 0; r < rows->rows; r++) {
        if (strcmp(rows->cells[r][0], name) == 0)
            return 1;
    }
    return 0;
}

size_t netlist_list_messages(netlist_registry registry, const char *pattern, enum text_format format, FILE *out)
{
    static const char *const titles[] = {"Message", "Sent by", "Accepted by"};
    arena memory = {0};
    table rows = {.memory = &memory, .titles = titles, .columns = 3};
    for (size_t i = 0; i < registry.count; i++) {
        for (uint32_t m = 0; m < registry.classes[i]->message_count; m++) {
            const char *name = registry.classes[i]->messages[m].name;
            if (!list_matches(name, pattern) || is_listed(&rows, name))
                continue;
            const char *sent = users(&memory, registry, name, HD_MESSAGE_SENT);
            const char *accepted = users(&memory, registry, name, HD_MESSAGE_RECEIVED);
            if (format == TEXT_PLAIN)
                TABLE_ROW(&rows, name, arena_format(&memory, "%s -> %s", sent, accepted), "");
            else
                TABLE_ROW(&rows, name, sent, accepted);
        }
    }
    return finish(&rows, format, out);
}

static const struct {
    const char *name;
    const char *doc;
    uint32_t out, in; /* directions of its ports */
} protocols[] = {
    {"message", "packets one way, posted; a credit for each", HD_PORT_SEND, HD_PORT_RECEIVE},
    {"memory", "reads and writes, and their responses; the base protocol of TLM-2.0", HD_PORT_INITIATOR,
     HD_PORT_TARGET},
    {"tap", "is told at once what an ordering point accepts; no packets, no latency", HD_PORT_TAPPED, HD_PORT_TAP},
};

static void add_ports(table *rows, netlist_registry registry, size_t protocol)
{
    for (size_t i = 0; i < registry.count; i++) {
        const hd_block_class *block_class = registry.classes[i];
        for (uint32_t p = 0; p < block_class->port_count; p++) {
            const hd_port *port = &block_class->ports[p];
            if (port->direction == protocols[protocol].out || port->direction == protocols[protocol].in)
                TABLE_ROW(rows, port_of(rows->memory, block_class, port->name),
                          port->direction == protocols[protocol].out ? "from" : "to", port->doc);
        }
    }
}

size_t netlist_list_protocols(netlist_registry registry, const char *pattern, enum text_format format, FILE *out)
{
    static const char *const titles[] = {"Port", "Side of a link", "What goes through"};
    size_t count = 0;
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
        if (!list_matches(protocols[i].name, pattern))
            continue;
        arena memory = {0};
        table rows = {.memory = &memory, .titles = titles, .columns = 3};
        add_ports(&rows, registry, i);
        if (format == TEXT_MARKDOWN)
            table_write_heading(protocols[i].name, protocols[i].doc, out);
        else
            fprintf(out, "%s: %s\n", protocols[i].name, protocols[i].doc);
        table_write(&rows, NULL, "  ", format, out);
        arena_free(&memory);
        count++;
    }
    return count;
}

/* ---- Errors ------------------------------------------------------------------------------------------------------- */

size_t netlist_list_errors(const char *pattern, enum text_format format, FILE *out)
{
    static const char *const titles[] = {"Error", "Meaning"};
    arena memory = {0};
    table rows = {.memory = &memory, .titles = titles, .columns = 2};
    const char *meaning;
    for (uint32_t number = 1; (meaning = netlist_error_meaning(number)); number++) {
        const char *name = arena_format(&memory, "N%02u", number);
        if (list_matches(name, pattern))
            TABLE_ROW(&rows, name, meaning);
    }
    return finish(&rows, format, out);
}
