/* SPDX-License-Identifier: MIT */
#include "statistics_internal.h"

#include <string.h>

#include "memories.h"

enum { LINK_READ, LINK_WRITTEN, LINK_VALUES }; /* values of a block whose links count, behind its statistics */

static uint32_t counts_itself(const hd_block_class *type)
{
    return class_statistic(type, "bytes_read") != UINT32_MAX && class_statistic(type, "bytes_written") != UINT32_MAX;
}

static uint32_t values_of(const hd_statistics *s, uint32_t block)
{
    return s->machine->blocks[block].block_class->statistic_count + (s->by_links[block] ? LINK_VALUES : 0);
}

static hd_link *request_link(const hd_statistics *s, const netlist_link *link)
{
    const netlist_block *blocks = s->machine->blocks;
    const uint32_t from = s->endpoints[blocks[link->from.block].first_endpoint + link->from.instance];
    const uint32_t to = s->endpoints[blocks[link->to.block].first_endpoint + link->to.instance];
    if (from != HD_FOREIGN)
        return hd_engine_link_out(s->engine, from, link->from.port, link->from.element);
    return to == HD_FOREIGN ? NULL : hd_engine_link_in(s->engine, to, link->to.port, link->to.element);
}

static void count_links(hd_statistics *s)
{
    s->links = zeroed(s->machine->link_count, sizeof *s->links);
    for (uint32_t i = 0; i < s->machine->link_count; i++) {
        const netlist_link *link = &s->machine->links[i];
        hd_link *counted = link->is_memory && s->by_links[link->to.block] ? request_link(s, link) : NULL;
        if (!counted)
            continue;
        const netlist_block *block = &s->machine->blocks[link->to.block];
        hd_link_count_bytes(counted);
        s->links[s->link_count++] = (counted_link){.link = counted,
                                                   .value = s->value_offset[block->first_endpoint + link->to.instance] +
                                                            block->block_class->statistic_count};
    }
}

hd_statistics *hd_statistics_create(const netlist *machine, hd_engine *engine, const uint32_t *endpoints)
{
    hd_statistics *s = zeroed(1, sizeof *s);
    s->machine = machine;
    s->engine = engine;
    s->endpoints = endpoints;
    s->value_offset = zeroed(machine->endpoint_count, sizeof *s->value_offset);
    s->block_offset = zeroed(machine->block_count, sizeof *s->block_offset);
    s->by_links = zeroed(machine->block_count, sizeof *s->by_links);
    for (uint32_t b = 0; b < machine->block_count; b++) {
        const netlist_block *block = &machine->blocks[b];
        s->by_links[b] = memories_include(machine, b) && !counts_itself(block->block_class);
        s->block_offset[b] = s->block_values;
        s->block_values += values_of(s, b);
        for (uint32_t i = 0; i < block->count; i++) {
            s->value_offset[block->first_endpoint + i] = s->value_count;
            s->value_count += values_of(s, b);
        }
    }
    count_links(s);
    s->now = zeroed(s->value_count, sizeof *s->now);
    s->maxima = zeroed(s->value_count, sizeof *s->maxima);
    s->busy_now = zeroed(s->value_count, sizeof *s->busy_now);
    s->busy.values = zeroed(s->block_values, sizeof *s->busy.values);
    s->run.values = zeroed(s->block_values, sizeof *s->run.values);
    return s;
}

void hd_statistics_destroy(hd_statistics *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->open_count; i++)
        free(s->open[i].at_begin);
    for (uint32_t i = 0; i < s->kernel_count; i++)
        free((void *)s->kernels[i].values);
    free((void *)s->busy.values);
    free((void *)s->busy.stretches);
    free((void *)s->run.values);
    free(s->open);
    free(s->kernels);
    free(s->value_offset);
    free(s->block_offset);
    free(s->by_links);
    free(s->links);
    free(s->now);
    free(s->maxima);
    free(s->busy_now);
    free(s);
}

/* A value of an instance, and the one of its block in the netlist to which it is added. */
typedef struct instance_value {
    uint32_t index, of_block;
    uint32_t kind; /* HD_STATISTIC_* */
} instance_value;

typedef void (*visitor)(void *context, const instance_value *value);
static void for_each(const hd_statistics *s, visitor visit, void *context)
{
    for (uint32_t b = 0; b < s->machine->block_count; b++) {
        const netlist_block *block = &s->machine->blocks[b];
        const hd_block_class *type = block->block_class;
        for (uint32_t i = 0; i < block->count; i++)
            for (uint32_t n = 0; n < values_of(s, b); n++)
                visit(context, &(instance_value){.index = s->value_offset[block->first_endpoint + i] + n,
                                                 .of_block = s->block_offset[b] + n,
                                                 .kind = n < type->statistic_count ? type->statistics[n].kind
                                                                                   : HD_STATISTIC_COUNT});
    }
}

static void read_now(hd_statistics *s)
{
    for (uint32_t b = 0; b < s->machine->block_count; b++) {
        const netlist_block *block = &s->machine->blocks[b];
        for (uint32_t i = 0; i < block->count; i++) {
            uint32_t endpoint = block->first_endpoint + i;
            if (s->endpoints[endpoint] == HD_FOREIGN || !block->block_class->statistic_count)
                continue;
            memcpy(s->now + s->value_offset[endpoint], hd_engine_counters(s->engine, s->endpoints[endpoint]),
                   block->block_class->statistic_count * sizeof *s->now);
        }
    }
    for (uint32_t i = 0; i < s->link_count; i++)
        s->now[s->links[i].value + LINK_READ] = s->now[s->links[i].value + LINK_WRITTEN] = 0;
    for (uint32_t i = 0; i < s->link_count; i++) {
        const hd_link_bytes bytes = hd_link_bytes_of(s->links[i].link);
        s->now[s->links[i].value + LINK_READ] += bytes.read;
        s->now[s->links[i].value + LINK_WRITTEN] += bytes.written;
    }
}

typedef struct fold {
    const uint64_t *now;
    uint64_t *since;  /* values at the begin of an interval; maxima so far */
    uint64_t *totals; /* of the interval, by netlist block; NULL = only the maxima are brought up to date */
} fold;

static void keep_maximum(void *context, const instance_value *value)
{
    const fold *f = context;
    if (value->kind == HD_STATISTIC_MAXIMUM && f->now[value->index] > f->since[value->index])
        f->since[value->index] = f->now[value->index];
}

static void begin_value(void *context, const instance_value *value)
{
    const fold *f = context;
    f->since[value->index] = value->kind == HD_STATISTIC_MAXIMUM ? 0 : f->now[value->index];
}

static void add_value(void *context, const instance_value *value)
{
    const fold *f = context;
    if (value->kind == HD_STATISTIC_COUNT) {
        f->totals[value->of_block] += f->now[value->index] - f->since[value->index];
        return;
    }
    uint64_t maximum = f->now[value->index] > f->since[value->index] ? f->now[value->index] : f->since[value->index];
    if (maximum > f->totals[value->of_block])
        f->totals[value->of_block] = maximum;
}

/* High-water marks begin anew, for everybody; what they were is kept for all intervals that are open. */
static void mark(hd_statistics *s)
{
    for_each(s, keep_maximum, &(fold){.now = s->now, .since = s->maxima});
    if (s->open_count)
        for_each(s, keep_maximum, &(fold){.now = s->now, .since = s->busy_now});
    for (uint32_t i = 0; i < s->open_count; i++)
        for_each(s, keep_maximum, &(fold){.now = s->now, .since = s->open[i].at_begin});
    hd_engine_mark(s->engine);
}

void hd_statistics_kernel_begin(hd_statistics *s, uint32_t launch, hd_time t)
{
    read_now(s);
    mark(s);
    if (!s->open_count) {
        s->busy_begin = t;
        for_each(s, begin_value, &(fold){.now = s->now, .since = s->busy_now});
    }
    s->open = enlarged(s->open, s->open_count + 1, sizeof *s->open);
    open_kernel *opened = &s->open[s->open_count++];
    *opened = (open_kernel){.launch = launch, .begin = t, .at_begin = zeroed(s->value_count, sizeof(uint64_t))};
    for_each(s, begin_value, &(fold){.now = s->now, .since = opened->at_begin});
}

static void add_stretch(hd_interval *interval, hd_time begin, hd_time end)
{
    hd_stretch *stretches =
        enlarged((hd_stretch *)interval->stretches, interval->stretch_count + 1, sizeof *interval->stretches);
    stretches[interval->stretch_count++] = (hd_stretch){.begin = begin, .end = end};
    interval->stretches = stretches;
    interval->end += end - begin;
}

void hd_statistics_kernel_end(hd_statistics *s, uint32_t launch, hd_time t)
{
    uint32_t index = 0;
    while (index < s->open_count && s->open[index].launch != launch)
        index++;
    if (index == s->open_count)
        return;
    read_now(s);
    open_kernel ended = s->open[index];
    uint64_t *values = zeroed(s->block_values, sizeof *values);
    for_each(s, add_value, &(fold){.now = s->now, .since = ended.at_begin, .totals = values});
    free(ended.at_begin);
    memmove(&s->open[index], &s->open[index + 1], (s->open_count - index - 1) * sizeof *s->open);
    s->kernels = enlarged(s->kernels, s->kernel_count + 1, sizeof *s->kernels);
    s->kernels[s->kernel_count++] = (hd_interval){.values = values, .begin = ended.begin, .end = t, .launch = launch};
    if (--s->open_count)
        return;
    add_stretch(&s->busy, s->busy_begin, t);
    for_each(s, add_value, &(fold){.now = s->now, .since = s->busy_now, .totals = (uint64_t *)s->busy.values});
}

typedef struct widest {
    uint64_t *now;
    const uint64_t *maxima;
} widest;

static void restore_maximum(void *context, const instance_value *value)
{
    const widest *w = context;
    if (value->kind == HD_STATISTIC_MAXIMUM && w->maxima[value->index] > w->now[value->index])
        w->now[value->index] = w->maxima[value->index];
}

void hd_statistics_update(hd_statistics *s, hd_time t)
{
    uint64_t *nothing = zeroed(s->value_count, sizeof *nothing);
    memset((uint64_t *)s->run.values, 0, s->block_values * sizeof *s->run.values);
    read_now(s);
    for_each(s, restore_maximum, &(widest){.now = s->now, .maxima = s->maxima});
    for_each(s, add_value, &(fold){.now = s->now, .since = nothing, .totals = (uint64_t *)s->run.values});
    s->run.end = t;
    free(nothing);
}

void hd_statistics_finish(hd_statistics *s, hd_time t)
{
    while (s->open_count) {
        hd_statistics_kernel_end(s, s->open[0].launch, t > s->open[0].begin ? t : s->open[0].begin);
        s->kernels[s->kernel_count - 1].is_cut = 1;
    }
    hd_statistics_update(s, t);
}

void hd_statistics_stand_at(hd_statistics *s, hd_time t)
{
    s->run.beyond = t > s->run.end ? t - s->run.end : 0;
}

uint32_t hd_statistics_kernel_count(const hd_statistics *s)
{
    return s->kernel_count;
}

const hd_interval *hd_statistics_kernel(const hd_statistics *s, uint32_t index)
{
    return &s->kernels[index];
}

const hd_interval *hd_statistics_busy(const hd_statistics *s)
{
    return &s->busy;
}

const hd_interval *hd_statistics_run(const hd_statistics *s)
{
    return &s->run;
}

const uint64_t *hd_statistics_block(const hd_statistics *s, const hd_interval *interval, uint32_t block)
{
    return interval->values + s->block_offset[block];
}

const uint64_t *hd_statistics_instance(const hd_statistics *s, uint32_t block, uint32_t instance)
{
    uint32_t endpoint = s->machine->blocks[block].first_endpoint + instance;
    return s->endpoints[endpoint] == HD_FOREIGN ? NULL : s->now + s->value_offset[endpoint];
}

hd_memory_bytes hd_statistics_memory(const hd_statistics *s, const hd_interval *interval, uint32_t block)
{
    const hd_block_class *type = s->machine->blocks[block].block_class;
    const uint64_t *values = hd_statistics_block(s, interval, block);
    if (s->by_links[block])
        return (hd_memory_bytes){.read = values[type->statistic_count + LINK_READ],
                                 .written = values[type->statistic_count + LINK_WRITTEN],
                                 .is_memory = 1,
                                 .by_links = 1};
    if (!memories_include(s->machine, block))
        return (hd_memory_bytes){0};
    return (hd_memory_bytes){.read = values[class_statistic(type, "bytes_read")],
                             .written = values[class_statistic(type, "bytes_written")],
                             .is_memory = 1};
}

uint64_t hd_statistics_sum(const hd_statistics *s, const hd_interval *interval, const char *kind, const char *name)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < s->machine->block_count; b++) {
        const hd_block_class *type = s->machine->blocks[b].block_class;
        for (uint32_t n = 0; n < type->statistic_count && !strcmp(type->kind, kind); n++)
            if (!strcmp(type->statistics[n].name, name))
                sum += interval->values[s->block_offset[b] + n];
    }
    return sum;
}

const netlist *hd_statistics_netlist(const hd_statistics *s)
{
    return s->machine;
}
