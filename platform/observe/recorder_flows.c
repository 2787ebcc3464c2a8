/* SPDX-License-Identifier: MIT */
/* Arrows under way, by name and number. Events of several types share a name: it is compared as text, once per declaration. */
#include <stdlib.h>
#include <string.h>

#include "recorder_internal.h"

#define uthash_fatal(message) abort()
#include <uthash.h>

typedef struct flow_key {
    uint64_t number;
    uint64_t name; /* index in names */
} flow_key;

typedef struct flow {
    flow_key key;
    uint64_t id;
    UT_hash_handle hh;
} flow;

struct trace_flows {
    flow *under_way;
    const char **names;
    size_t name_count;
    uint64_t last_id;
};

trace_flows *trace_flows_create(void)
{
    trace_flows *flows = calloc(1, sizeof *flows);
    if (!flows)
        abort();
    return flows;
}

static void end(trace_flows *flows, flow *ended)
{
    HASH_DEL(flows->under_way, ended);
    free(ended);
}

void trace_flows_destroy(trace_flows *flows)
{
    flow *each, *next;
    HASH_ITER(hh, flows->under_way, each, next)
    end(flows, each);
    free(flows->names);
    free(flows);
}

static uint64_t index_of(trace_flows *flows, const char *name)
{
    for (size_t i = 0; i < flows->name_count; i++)
        if (!strcmp(flows->names[i], name))
            return i;
    flows->names = realloc(flows->names, (flows->name_count + 1) * sizeof *flows->names);
    if (!flows->names)
        abort();
    flows->names[flows->name_count] = name;
    return flows->name_count++;
}

static flow *begin(trace_flows *flows, flow_key key)
{
    flow *begun = calloc(1, sizeof *begun);
    if (!begun)
        abort();
    begun->key = key;
    HASH_ADD(hh, flows->under_way, key, sizeof begun->key, begun);
    return begun;
}

uint64_t trace_flows_use(trace_flows *flows, const char *name, uint64_t number, uint32_t direction)
{
    const flow_key key = {.number = number, .name = index_of(flows, name)};
    flow *found;
    HASH_FIND(hh, flows->under_way, &key, sizeof key, found);
    if (direction == HD_TRACE_FROM) {
        found = found ? found : begin(flows, key);
        found->id = ++flows->last_id;
    }
    const uint64_t id = found ? found->id : 0;
    if (found && direction == HD_TRACE_TO)
        end(flows, found);
    return id;
}
