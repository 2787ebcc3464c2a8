/* SPDX-License-Identifier: MIT */
/* Untimed access to data where they are: from a block downwards, through every block that holds none of them. */
#include <stdio.h>
#include <string.h>

#include "engine_internal.h"
#include "hd_debug.h"

#define DEPTH_MAX 16u /* blocks one below the other; more is a circle */
#define NO_PORT UINT32_MAX

/* Who was asked last of all, at the end of the way, and had nothing: a block, or the far end of a link. */
typedef struct debug_walk {
    const hd_engine *engine;
    uint32_t is_write;
    uint32_t is_newest;     /* writes under way count, but */
    uint32_t has_registers; /* for these bytes, which are what they are */
    uint32_t port;          /* at which it begins */
    uint32_t depth;
    const node *requester; /* of what goes by the address map */
    uint32_t fronts;       /* blocks up to this one have been asked as fronts */
    const node *refused;
    const hd_link *refused_outside;
} debug_walk;

static uint32_t access_at(debug_walk *walk, const node *at, uint32_t port, uint64_t address, void *data,
                          uint32_t bytes);

static uint32_t refuse(debug_walk *walk, const node *at)
{
    if (!walk->refused && !walk->refused_outside)
        walk->refused = at;
    return 0;
}

static uint32_t clip(uint32_t bytes, uint64_t left)
{
    return bytes < left ? bytes : (uint32_t)left;
}

/* ---- Windows ------------------------------------------------------------------------------------------------------ */

static uint64_t value_of(const node *at, const char *parameter, uint64_t without)
{
    for (uint32_t i = 0; parameter && i < at->block_class->parameter_count; i++)
        if (strcmp(at->block_class->parameters[i].name, parameter) == 0)
            return at->values[i].u;
    return without;
}

/* How many of the bytes lie in the same window that is seen at the port; all of them if none is declared. A window that is not
 * shared is the block's own: its data, if it has any, or registers. */
static uint32_t within_windows(const node *at, uint32_t port, uint64_t address, uint32_t bytes, uint32_t *is_own)
{
    uint32_t has_windows = 0;
    *is_own = 0;
    for (uint32_t w = 0; port != NO_PORT && w < at->block_class->window_count; w++) {
        const hd_window *window = &at->block_class->windows[w];
        const uint64_t base = window->base + value_of(at, window->base_parameter, 0);
        const hd_u128 end = base + (hd_u128)window->bytes * value_of(at, window->parameter, 1);
        if (end == base || (window->port && strcmp(window->port, at->block_class->ports[port].name) != 0))
            continue;
        has_windows = 1;
        *is_own = !(window->flags & HD_WINDOW_SHARED);
        if (address >= base && address < end)
            return end - address < bytes ? (uint32_t)(end - address) : bytes;
    }
    return has_windows ? 0 : bytes;
}

/* The element of the port to which a block that decodes takes the address; 0: to none. */
static uint32_t decode(const node *at, uint32_t port, uint64_t address, uint32_t *element, uint32_t *bytes)
{
    hd_bus_window windows[256];
    const uint32_t capacity = sizeof windows / sizeof *windows;
    const hd_bus_map *map = at->services.extension(at->services.context, HD_EXTENSION_BUS_MAP);
    uint32_t count = map ? map->windows(map->context, at->index, port, windows, capacity) : 0;
    for (uint32_t i = 0; i < count && i < capacity; i++) {
        if (address < windows[i].first || address > windows[i].last)
            continue;
        *element = windows[i].element;
        *bytes = windows[i].last - address < *bytes ? (uint32_t)(windows[i].last - address + 1) : *bytes;
        return 1;
    }
    return 0;
}

static uint32_t with_under_way(const debug_walk *walk, const node *at, const hd_link *outside, uint64_t address,
                               void *data, uint32_t bytes)
{
    if (walk->is_newest && !walk->has_registers && bytes)
        under_way_lay(walk->engine, at, outside, address, data, bytes, walk->is_write);
    return bytes;
}

/* Of a block's own window. */
static uint32_t access_registers(debug_walk *walk, const node *at, uint64_t address, void *data, uint32_t bytes)
{
    const hd_block_class *class = at->block_class;
    const hd_debug_registers *registers =
        class->extension ? class->extension(at->block, HD_EXTENSION_DEBUG_REGISTERS) : NULL;
    if (!registers)
        return 0;
    walk->has_registers = 1;
    return clip(registers->access(at->block, walk->engine->now, address, data, bytes, walk->is_write), bytes);
}

/* ---- The way down ------------------------------------------------------------------------------------------------- */

static uint32_t access_through(debug_walk *walk, const node *at, uint32_t port, uint32_t element, uint64_t address,
                               void *data, uint32_t bytes)
{
    const hd_link *link = at->ports[port].out[element];
    const hd_outside *outside = &walk->engine->outside;
    if (link->receiver)
        return access_at(walk, link->receiver, link->to.port, address, data, bytes);
    const uint32_t taken =
        outside->debug_access ? outside->debug_access(outside->context, link, address, data, bytes, walk->is_write) : 0;
    if (!taken)
        walk->refused_outside = link;
    return with_under_way(walk, NULL, link, address, data, clip(taken, bytes));
}

static uint32_t access_through_port(debug_walk *walk, const node *at, uint32_t port, uint64_t address, void *data,
                                    uint32_t bytes)
{
    uint32_t element, taken = 0;
    if (at->block_class->flags & HD_BLOCK_DECODES)
        return decode(at, port, address, &element, &bytes)
                   ? access_through(walk, at, port, element, address, data, bytes)
                   : 0;
    for (uint32_t e = 0; e < at->ports[port].count && !taken; e++)
        taken = access_through(walk, at, port, e, address, data, bytes);
    return taken;
}

/* ---- By the address map ------------------------------------------------------------------------------------------- */

/* The next block that stands in front of the partitions, whichever it is: what it holds is newer. */
static const node *next_front(debug_walk *walk)
{
    while (walk->is_newest && walk->fronts < walk->engine->node_count) {
        const node *at = walk->engine->nodes[walk->fronts++];
        if (at->block_class->flags & HD_BLOCK_ADDRESS_MAP && at->block_class->debug_access)
            return at;
    }
    return NULL;
}

static const hd_link *link_between(const node *from, const node *to)
{
    for (uint32_t i = 0; from && i < to->packet_input_count; i++)
        if (to->input_links[i]->sender == from)
            return to->input_links[i];
    return NULL;
}

/* 1: at this address the block has bytes of the requester's own, so many (*taken). Of others' writes those that have arrived. */
static uint32_t access_own(debug_walk *walk, const node *at, uint64_t address, void *data, uint32_t bytes,
                           uint32_t *taken)
{
    const hd_debug_ports *ports =
        at->block_class->extension ? at->block_class->extension(at->block, HD_EXTENSION_DEBUG_PORTS) : NULL;
    const hd_link *link = ports ? link_between(walk->requester, at) : NULL;
    hd_debug_place place;
    if (!ports ||
        !ports->place(at->block, link ? link->to.port : NO_PORT, link ? link->to.element : 0, address, &place))
        return 0;
    *taken = clip(bytes, place.count);
    memcpy(walk->is_write ? place.bytes : data, walk->is_write ? data : place.bytes, *taken);
    if (link && *taken)
        under_way_lay(walk->engine, NULL, link, address, data, *taken, walk->is_write);
    return 1;
}

static uint32_t access_front(debug_walk *walk, const node *at, uint64_t address, void *data, uint32_t bytes)
{
    uint32_t taken;
    if (access_own(walk, at, address, data, bytes, &taken))
        return taken ? taken : refuse(walk, at);
    return access_at(walk, at, NO_PORT, address, data, bytes);
}

static uint32_t access_partition(debug_walk *walk, const node *at, uint64_t address, void *data, uint32_t bytes)
{
    const hd_address_map *map = at->services.extension(at->services.context, HD_EXTENSION_ADDRESS_MAP);
    const uint32_t endpoint = map ? map->endpoints[hd_partition_of(map, address)] : UINT32_MAX;
    if (endpoint >= walk->engine->node_count || walk->engine->nodes[endpoint] == at)
        return 0;
    return access_at(walk, walk->engine->nodes[endpoint], NO_PORT, address, data,
                     clip(bytes, hd_partition_run(map) - address % hd_partition_run(map)));
}

/* A block that sends messages by address, or accesses memory directly, and has no memory port below it: what it is asked for is at
 * the partition, or on the way there. */
static uint32_t access_by_map(debug_walk *walk, const node *at, uint64_t address, void *data, uint32_t bytes)
{
    const debug_walk before = *walk;
    const node *front;
    uint32_t taken;
    if (!(at->block_class->flags & (HD_BLOCK_ADDRESS_MAP | HD_BLOCK_DIRECT)))
        return 0;
    walk->requester = before.requester ? before.requester : at;
    front = next_front(walk);
    taken = (front ? access_front : access_partition)(walk, front ? front : at, address, data, bytes);
    walk->requester = before.requester;
    walk->fronts = before.fronts;
    return taken;
}

static uint32_t access_below(debug_walk *walk, const node *at, uint64_t address, void *data, uint32_t bytes)
{
    uint32_t taken = 0, ports = 0;
    if (walk->depth == DEPTH_MAX)
        return 0;
    walk->depth++;
    for (uint32_t p = 0; p < at->block_class->port_count && !taken; p++) {
        if (at->block_class->ports[p].direction != HD_PORT_INITIATOR || !at->ports[p].count)
            continue;
        ports++;
        taken = access_through_port(walk, at, p, address, data, bytes);
    }
    if (!ports)
        taken = access_by_map(walk, at, address, data, bytes);
    walk->depth--;
    return taken ? taken : refuse(walk, at);
}

/* What is below a block is older than the bytes that it holds. It was asked for the first. */
static void take_newer(const node *at, uint64_t address, char *data, uint32_t bytes)
{
    for (uint32_t i = 1, taken; i < bytes; i += taken ? clip(taken, bytes - i) : 1)
        taken = at->block_class->debug_access(at->block, address + i, data + i, bytes - i, 0);
}

/* A block that lacks the first of the bytes may hold others further on: what is below it is asked for a grain only. */
static uint32_t access_at(debug_walk *walk, const node *at, uint32_t port, uint64_t address, void *data, uint32_t bytes)
{
    const hd_block_class *class = at->block_class;
    uint32_t is_own;
    bytes = within_windows(at, port, address, bytes, &is_own);
    if (bytes && class->debug_access) {
        const uint32_t taken = class->debug_access(at->block, address, data, bytes, walk->is_write);
        if (taken)
            return with_under_way(walk, at, NULL, address, data, clip(taken, bytes));
        bytes = clip(bytes, HD_DEBUG_GRAIN_BYTES - address % HD_DEBUG_GRAIN_BYTES);
    }
    if (bytes && is_own) {
        const uint32_t taken = access_registers(walk, at, address, data, bytes);
        return taken ? taken : refuse(walk, at);
    }
    if (!bytes)
        return refuse(walk, at);
    bytes = access_below(walk, at, address, data, bytes);
    if (!class->debug_access)
        return bytes;
    if (!walk->is_write)
        take_newer(at, address, data, bytes);
    return with_under_way(walk, at, NULL, address, data, bytes);
}

static uint32_t access_from(debug_walk *walk, const node *at, uint64_t address, void *data, uint32_t bytes)
{
    walk->has_registers = 0;
    return access_at(walk, at, walk->port, address, data, bytes);
}

typedef uint32_t step(debug_walk *walk, const node *at, uint64_t address, void *data, uint32_t bytes);

static uint32_t access_all(step *step, debug_walk *walk, const node *at, uint64_t address, void *data, uint32_t bytes)
{
    uint32_t done = 0, taken = 1;
    while (taken && done < bytes) {
        taken = step(walk, at, address + done, (char *)data + done, bytes - done);
        done += taken;
    }
    return done;
}

/* ---- What is asked for -------------------------------------------------------------------------------------------- */

uint32_t hd_engine_debug_access(const hd_engine *engine, uint32_t block, uint32_t port, uint64_t address, void *data,
                                uint32_t bytes, uint32_t is_write)
{
    debug_walk walk = {.engine = engine, .is_write = is_write, .is_newest = 1, .port = port};
    return access_all(access_from, &walk, engine->nodes[block], address, data, bytes);
}

uint32_t hd_engine_debug_read_arrived(const hd_engine *engine, uint32_t block, uint64_t address, void *data,
                                      uint32_t bytes)
{
    debug_walk walk = {.engine = engine, .port = NO_PORT};
    return access_all(access_from, &walk, engine->nodes[block], address, data, bytes);
}

static void name_refusal(const debug_walk *walk, const node *from, char *text, size_t bytes)
{
    const hd_outside *outside = &walk->engine->outside;
    const node *at = walk->refused;
    if (walk->refused_outside)
        snprintf(text, bytes,
                 "%s, a SystemC model, takes none of them by transport_dbg: it has to implement that, or its "
                 "link says debug: absent, and they are written as requests",
                 outside->name ? outside->name(outside->context, walk->refused_outside) : "the far end of a link");
    else if (at == from)
        snprintf(text, bytes, "no memory is below it");
    else if (at->block_class->debug_access)
        snprintf(text, bytes, "%s (%s/%s) does not hold that address", at->name, at->block_class->kind,
                 at->block_class->type);
    else
        snprintf(text, bytes, "%s (%s/%s) has no debug_access: it has to hold that address, or to lead to who does",
                 at->name, at->block_class->kind, at->block_class->type);
}

void debug_write_below(node *from, uint64_t address, const void *data, uint32_t bytes)
{
    debug_walk walk = {.engine = from->engine, .is_write = 1};
    const uint32_t done = access_all(access_below, &walk, from, address, (void *)(uintptr_t)data, bytes);
    char refusal[HD_FAULT_TEXT_MAX / 2];
    if (done == bytes)
        return;
    name_refusal(&walk, from, refusal, sizeof refusal);
    services_fault(from, from->engine->now,
                   "%s writes back %u bytes at 0x%llx before a kernel starts, but %s. A machine with launch_align: "
                   "false writes nothing back in this way",
                   from->name, bytes - done, (unsigned long long)(address + done), refusal);
}
