/* SPDX-License-Identifier: MIT */
/* Arrows under way: an open hash table, of which entries that have ended stay until it is made anew. */
#include <stdlib.h>
#include <string.h>

#include "hd_fnv.h"
#include "recorder_internal.h"

typedef struct flow {
    const char *name; /* NULL: free */
    uint64_t number;
    uint64_t id; /* 0: has ended */
} flow;

struct trace_flows {
    flow *table;
    uint32_t capacity; /* a power of two */
    uint32_t used;     /* entries that are not free */
    uint32_t under_way;
    uint64_t last_id;
};

trace_flows *trace_flows_create(void)
{
    trace_flows *flows = calloc(1, sizeof *flows);
    if (!flows)
        abort();
    return flows;
}

void trace_flows_destroy(trace_flows *flows)
{
    free(flows->table);
    free(flows);
}

/* The entry of this arrow, or where it would be. */
static flow *find(const trace_flows *flows, const char *name, uint64_t number)
{
    const uint64_t hash = hd_fnv_add(number * UINT64_C(0x9E3779B97F4A7C15), name, strlen(name));
    uint32_t i = (uint32_t)(hash >> 32) & (flows->capacity - 1);
    while (flows->table[i].name && (flows->table[i].number != number || strcmp(flows->table[i].name, name) != 0))
        i = (i + 1) & (flows->capacity - 1);
    return &flows->table[i];
}

static void make_anew(trace_flows *flows)
{
    trace_flows old = *flows;
    flows->capacity = 64;
    while (flows->capacity < 4 * old.under_way)
        flows->capacity *= 2;
    flows->table = calloc(flows->capacity, sizeof *flows->table);
    if (!flows->table)
        abort();
    flows->used = old.under_way;
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.table[i].name && old.table[i].id)
            *find(flows, old.table[i].name, old.table[i].number) = old.table[i];
    free(old.table);
}

static uint64_t begin(trace_flows *flows, const char *name, uint64_t number)
{
    if (2 * (flows->used + 1) > flows->capacity)
        make_anew(flows);
    flow *entry = find(flows, name, number);
    flows->used += !entry->name;
    flows->under_way += !entry->id;
    *entry = (flow){.name = name, .number = number, .id = ++flows->last_id};
    return entry->id;
}

uint64_t trace_flows_use(trace_flows *flows, const char *name, uint64_t number, uint32_t direction)
{
    if (direction == HD_TRACE_FROM)
        return begin(flows, name, number);
    if (!flows->capacity)
        return 0;
    flow *entry = find(flows, name, number);
    const uint64_t id = entry->id;
    if (id && direction == HD_TRACE_TO) {
        entry->id = 0;
        flows->under_way--;
    }
    return id;
}
