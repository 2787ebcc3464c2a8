/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <string.h>

#include "utf8.h"

typedef struct cursor {
    const node *reference;
    const char *at;
} cursor;

static uint32_t offset_of(const cursor *reader, const char *at)
{
    return utf8_columns(reader->reference->text, (size_t)(at - reader->reference->text));
}

static int malformed(loader *state, const cursor *reader, const char *what)
{
    report_error(&state->log, ERROR_BAD_REFERENCE,
                 netlist_span_within(reader->reference, offset_of(reader, reader->at), 1), "%s in '%s'", what,
                 reader->reference->text);
    report_note(&state->log, "a port reference is block.port, block[3].port, block[0..4].port or block.port[2]");
    return 0;
}

static size_t read_name(cursor *reader)
{
    size_t bytes = strspn(reader->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    reader->at += bytes;
    return bytes;
}

/* Saturates: an index that large is beyond every array. */
static int read_index(cursor *reader, uint32_t *index)
{
    uint64_t value = 0;
    const char *start = reader->at;
    for (; *reader->at >= '0' && *reader->at <= '9'; reader->at++)
        value = value < NETLIST_NONE ? value * 10 + (uint64_t)(*reader->at - '0') : value;
    *index = value < NETLIST_NONE ? (uint32_t)value : NETLIST_NONE - 1;
    return reader->at > start;
}

/* [i] or [i..j], if there is one; otherwise count stays 0. */
static int read_indices(loader *state, cursor *reader, uint32_t *first, uint32_t *count, span *at)
{
    const char *start = reader->at;
    if (*reader->at != '[')
        return 1;
    reader->at++;
    uint32_t last;
    if (!read_index(reader, first))
        return malformed(state, reader, "an index must be a number");
    last = *first;
    if (strncmp(reader->at, "..", 2) == 0) {
        reader->at += 2;
        if (!read_index(reader, &last))
            return malformed(state, reader, "an index must be a number");
    }
    if (*reader->at != ']')
        return malformed(state, reader, "']' is missing");
    reader->at++;
    *at = netlist_span_within(reader->reference, offset_of(reader, start), (uint32_t)(reader->at - start));
    if (last < *first) {
        reader->at = start;
        return malformed(state, reader, "the indices run backwards");
    }
    *count = last - *first + 1;
    return 1;
}

static uint32_t find_port(const hd_block_class *block_class, const char *name, size_t bytes)
{
    for (uint32_t i = 0; i < block_class->port_count; i++) {
        const char *declared = block_class->ports[i].name;
        if (strlen(declared) == bytes && memcmp(declared, name, bytes) == 0)
            return i;
    }
    return NETLIST_NONE;
}

static void unknown_port(loader *state, const netlist_block *block, span at, const char *name)
{
    candidates known = {0};
    for (uint32_t i = 0; i < block->block_class->port_count; i++)
        candidates_add(state->memory, &known, block->block_class->ports[i].name);
    report_error(&state->log, ERROR_UNKNOWN_PORT, at, "unknown port '%s' of block '%s' (%s/%s)", name, block->name,
                 block->block_class->kind, block->block_class->type);
    candidates_suggest(&state->log, name, &known);
}

static int resolve_names(loader *state, const draft *work, link_side *side, const char *block, size_t block_bytes,
                         const char *port, size_t port_bytes)
{
    const char *text = side->reference->text;
    side->block = netlist_block_index(work, block, block_bytes);
    if (side->block == NETLIST_NONE) {
        netlist_unknown_block(state, work, netlist_span_within(side->reference, 0, (uint32_t)block_bytes),
                              arena_copy(state->memory, block, block_bytes));
        return 0;
    }
    const netlist_block *found = &work->blocks[side->block];
    if (!found->block_class)
        return 0;
    side->port = find_port(found->block_class, port, port_bytes);
    if (side->port != NETLIST_NONE)
        return 1;
    unknown_port(state, found, netlist_span_within(side->reference, (uint32_t)(port - text), (uint32_t)port_bytes),
                 arena_copy(state->memory, port, port_bytes));
    return 0;
}

int netlist_read_reference(loader *state, const draft *work, const node *reference, link_side *side)
{
    cursor reader = {reference, reference->text};
    *side = (link_side){.reference = reference};
    const char *block = reader.at;
    size_t block_bytes = read_name(&reader);
    if (!block_bytes)
        return malformed(state, &reader, "a block name is missing");
    if (!read_indices(state, &reader, &side->first_instance, &side->instances, &side->instance_at))
        return 0;
    if (*reader.at != '.')
        return malformed(state, &reader, "'.' and a port name are missing");
    const char *port = ++reader.at;
    size_t port_bytes = read_name(&reader);
    if (!port_bytes)
        return malformed(state, &reader, "a port name is missing");
    if (!read_indices(state, &reader, &side->first_element, &side->elements, &side->element_at))
        return 0;
    if (*reader.at)
        return malformed(state, &reader, "nothing may follow the port");
    return resolve_names(state, work, side, block, block_bytes, port, port_bytes);
}
