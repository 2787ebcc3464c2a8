/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static void intern_messages(struct slice *slice)
{
    const hd_services *services = slice->services;
    slice->message.load = services->message(services->context, HD_GLOBAL_LOAD);
    slice->message.load_reply = services->message(services->context, HD_GLOBAL_LOAD_REPLY);
    slice->message.store = services->message(services->context, HD_GLOBAL_STORE);
    slice->message.store_ack = services->message(services->context, HD_GLOBAL_STORE_ACK);
    slice->message.atomic = services->message(services->context, HD_GLOBAL_ATOMIC);
    slice->message.atomic_reply = services->message(services->context, HD_GLOBAL_ATOMIC_REPLY);
    slice->message.uncached_load = services->message(services->context, HD_UNCACHED_LOAD);
    slice->message.uncached_store = services->message(services->context, HD_UNCACHED_STORE);
    slice->message.buffer_load = services->message(services->context, HD_BUFFER_LOAD);
    slice->message.buffer_store = services->message(services->context, HD_BUFFER_STORE);
    slice->message.read = services->message(services->context, HD_MEMORY_READ);
    slice->message.write = services->message(services->context, HD_MEMORY_WRITE);
    slice->message.response = services->message(services->context, HD_MEMORY_RESPONSE);
}

static void take_values(struct slice *slice, const hd_value *values)
{
    slice->sector_shift = (uint32_t)__builtin_ctzll(values[PARAMETER_SECTOR].u);
    slice->all_sectors = (uint8_t)((1u << (HD_LINE_BYTES >> slice->sector_shift)) - 1);
    slice->atomic_latency = (uint32_t)values[PARAMETER_ATOMIC_LATENCY].u;
    slice->fill_port = (uint32_t)values[PARAMETER_FILL_PORT].u;
    slice->masks_writes = values[PARAMETER_PARTIAL_WRITES].u == PARTIAL_WRITES_MASK;
    slice->fill = (uint32_t)values[PARAMETER_FILL].u;
    slice->buffers.port_bytes = (uint32_t)values[PARAMETER_CONTEXT_PORT_BYTES].u;
    slice->latency = (uint32_t)values[PARAMETER_LATENCY].u;
    slice->port_bytes = (uint32_t)values[PARAMETER_PORT_BYTES].u;
    slice->atomic_words = (uint32_t)values[PARAMETER_ATOMIC_WORDS].u;
    slice->atomic_unit = (struct atomic_unit){
        .sector_words = (uint32_t)values[PARAMETER_ATOMIC_SECTOR_WORDS].u,
        .same_word = (uint32_t)values[PARAMETER_ATOMIC_SAME_WORD].u,
        .line_lock = (uint32_t)values[PARAMETER_ATOMIC_LINE_LOCK].u,
        .lock_words = (uint32_t)values[PARAMETER_ATOMIC_LOCK_BYTES].u / 4,
        .capacity = 64,
    };
    slice->atomic_unit.is_on =
        (slice->atomic_unit.sector_words | slice->atomic_unit.same_word | slice->atomic_unit.line_lock) != 0;
    const uint32_t mshrs = (uint32_t)values[PARAMETER_MSHRS].u;
    slice->write_back_count = mshrs + (uint32_t)values[PARAMETER_WRITE_BACKS].u;
    slice->version_count = (uint32_t)values[PARAMETER_VERSIONS].u;
    slice->reply_limit = slice->latency + slice->atomic_latency + (uint32_t)values[PARAMETER_REPLY_QUEUE].u;
    /* A fill is never refused: its targets' replies find room beyond the limit, as does that of a load of a context to the store that
     * it has waited for. */
    slice->reply_most =
        slice->reply_limit + 2 + mshrs * (uint32_t)values[PARAMETER_MSHR_TARGETS].u + mshrs /* uncached */;
    /* Of each line: every second sector, one request each, or all as neighbours that came one after another. */
    slice->memory_ring.capacity = L2_SECTORS_MAX * mshrs + L2_SECTORS_MAX / 2 * slice->write_back_count + mshrs;
}

static uint32_t is_power_of_two(uint64_t value)
{
    return (value & (value - 1)) == 0;
}

static uint32_t refuse(hd_conflict *conflict, uint32_t parameter, uint32_t other, const char *why)
{
    *conflict = (hd_conflict){.parameter = parameter, .other = other};
    snprintf(conflict->text, sizeof conflict->text, "%s", why);
    return 0;
}

uint32_t slice_check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    const uint64_t bytes = values[PARAMETER_BYTES].u, ways = values[PARAMETER_WAYS].u;
    const uint64_t versions = values[PARAMETER_VERSIONS].u;
    const uint64_t sector = values[PARAMETER_SECTOR].u;
    const uint64_t lock = values[PARAMETER_ATOMIC_LOCK_BYTES].u;
    const char *set_refusal =
        cache_sets_refuse((uint32_t)values[PARAMETER_SET_HASH].u, bytes / HD_LINE_BYTES / ways, HD_LINE_BYTES);
    (void)clock;
    if (values[PARAMETER_CONTEXT_WAYS].u >= ways)
        return refuse(conflict, PARAMETER_CONTEXT_WAYS, PARAMETER_WAYS,
                      "context_ways leaves no way for lines: it must be less than ways");
    if (bytes % (HD_LINE_BYTES * ways))
        return refuse(conflict, PARAMETER_BYTES, PARAMETER_WAYS, "bytes must be a multiple of ways * 128 B");
    if (!is_power_of_two(versions))
        return refuse(conflict, PARAMETER_VERSIONS, PARAMETER_VERSIONS, "versions must be a power of two");
    if (!is_power_of_two(sector))
        return refuse(conflict, PARAMETER_SECTOR, PARAMETER_SECTOR, "sector must be a power of two");
    if (!is_power_of_two(lock))
        return refuse(conflict, PARAMETER_ATOMIC_LOCK_BYTES, PARAMETER_ATOMIC_LOCK_BYTES,
                      "atomic.lock_bytes must be a power of two");
    if (set_refusal)
        return refuse(conflict, PARAMETER_SET_HASH, PARAMETER_BYTES, set_refusal);
    return 1;
}

/* Of the policy, which has been asked about all ways: does it have those that contexts leave? Else error says why not. */
static uint32_t has_policy_for(const struct slice *slice, const hd_value *values, char *error, size_t error_bytes)
{
    const hd_unit *unit = hd_unit_chosen(slice->block_class, SLICE_REPLACEMENT, values)->unit;
    const uint64_t ways = values[PARAMETER_WAYS].u - values[PARAMETER_CONTEXT_WAYS].u;
    for (uint32_t i = 0; i < unit->requirement_count; i++)
        if (unit->requirements[i].what == HD_REQUIRES_POWER_OF_TWO && !is_power_of_two(ways)) {
            snprintf(error, error_bytes, "replacement '%s' %s: of ways, context_ways leaves %u", unit->name,
                     unit->requirements[i].sentence, (uint32_t)ways);
            return 0;
        }
    return 1;
}

static int create_cache(struct slice *slice, const hd_value *values)
{
    const hd_unit_place *policy = hd_unit_chosen(slice->block_class, SLICE_REPLACEMENT, values);
    const replacement_parameters shape = {
        .sets = (uint32_t)(values[PARAMETER_BYTES].u / HD_LINE_BYTES / values[PARAMETER_WAYS].u),
        .ways = (uint32_t)(values[PARAMETER_WAYS].u - values[PARAMETER_CONTEXT_WAYS].u),
        .share = hd_unit_share_of(slice->block_class, policy, slice->services, values, slice->unit_counters)};
    const uint32_t mshrs = (uint32_t)values[PARAMETER_MSHRS].u, targets = (uint32_t)values[PARAMETER_MSHR_TARGETS].u;
    slice->misses = calloc(mshrs, sizeof *slice->misses);
    slice->targets = calloc((size_t)mshrs * targets, sizeof *slice->targets);
    return cache_tags_create(&slice->tags, (uint32_t)values[PARAMETER_SET_HASH].u, policy->unit->functions, &shape) |
           cache_mshrs_create(&slice->mshrs, mshrs, targets);
}

/* Lines of the ways that contexts have. */
static uint32_t buffer_lines(const hd_value *values)
{
    const uint64_t sets = values[PARAMETER_BYTES].u / HD_LINE_BYTES / values[PARAMETER_WAYS].u;
    return (uint32_t)(sets * values[PARAMETER_CONTEXT_WAYS].u);
}

static uint32_t allocate(struct slice *slice, const hd_value *values)
{
    if (create_cache(slice, values) != 0 || slice_uncached_create(slice, (uint32_t)values[PARAMETER_MSHRS].u) != 0 ||
        slice_buffers_create(slice, buffer_lines(values)) != 0)
        return 0;
    slice->lines = calloc(slice->tags.places, sizeof *slice->lines);
    if (slice->fast.memory)
        slice->fast.lines = calloc(slice->tags.places, sizeof *slice->fast.lines);
    slice->versions = calloc(slice->version_count, sizeof *slice->versions);
    slice->write_backs = calloc(slice->write_back_count, sizeof *slice->write_backs);
    slice->memory_queue = calloc(slice->memory_ring.capacity, sizeof *slice->memory_queue);
    slice->atomic_unit.rounds = calloc(slice->atomic_unit.capacity, sizeof *slice->atomic_unit.rounds);
    return slice->lines && (slice->fast.lines || !slice->fast.memory) && slice->misses && slice->targets &&
           slice->versions && slice->write_backs && slice->memory_queue && slice->atomic_unit.rounds;
}

static void take_map(struct slice *slice, const hd_address_map *map)
{
    hd_interleave_init(&slice->interleave, map);
    for (uint32_t i = 0; map && i < map->partitions; i++)
        if (map->endpoints[i] == slice->services->endpoint)
            slice->partition = i;
}

hd_block *slice_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    const hd_block_class *block_class = hd_class_of(services);
    struct slice *slice = calloc(1, sizeof *slice + hd_unit_counters(block_class) * sizeof *slice->unit_counters);
    if (!slice) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    slice->services = services;
    slice->block_class = block_class;
    slice->direct = services->extension(services->context, HD_EXTENSION_DIRECT);
    slice->fast.memory = services->extension(services->context, HD_EXTENSION_FAST_MEMORY);
    take_map(slice, services->extension(services->context, HD_EXTENSION_ADDRESS_MAP));
    intern_messages(slice);
    take_values(slice, values);
    slice->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    slice->mshr_tracks = hd_trace_tracks(slice->trace, HD_TRACE_BLOCK, "mshr", (uint32_t)values[PARAMETER_MSHRS].u);
    if (!has_policy_for(slice, values, error, error_bytes)) {
        slice_destroy((hd_block *)slice);
        return NULL;
    }
    if (!allocate(slice, values)) {
        slice_destroy((hd_block *)slice);
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    return (hd_block *)slice;
}

hd_block *slice_create_write_through(const hd_services *services, const hd_value *values, char *error,
                                     size_t error_bytes)
{
    struct slice *slice = (struct slice *)slice_create(services, values, error, error_bytes);
    if (slice)
        slice->writes_through = 1;
    return (hd_block *)slice;
}

void slice_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    struct slice *slice = (struct slice *)block;
    if (port == PORT_REQUEST) {
        slice->requests[element] = in;
        slice->request_ports = element + 1 > slice->request_ports ? element + 1 : slice->request_ports;
    } else if (port == PORT_REPLY) {
        slice->replies[element].link = out;
        for (uint32_t i = 0; i < QUEUE_COUNT; i++)
            slice->replies[element].queues[i] = (struct reply_queue){
                .replies = calloc(slice->reply_most, sizeof(struct pending_reply)), .ring.capacity = slice->reply_most};
        slice->reply_ports = element + 1 > slice->reply_ports ? element + 1 : slice->reply_ports;
    } else {
        slice->memory_out = out;
        slice->memory_in = in;
    }
}

static void drop_replies(const struct slice *slice, struct reply_queue *queue)
{
    for (uint32_t i = 0; i < queue->ring.count; i++)
        slice->services->free(slice->services->context, queue->replies[hd_ring_place(&queue->ring, i)].packet);
    hd_ring_clear(&queue->ring);
}

static void drop_packets(struct slice *slice)
{
    const hd_services *services = slice->services;
    for (uint32_t i = 0; i < slice->mshrs.count; i++)
        for (uint32_t k = 0; k < cache_mshrs_waiting(&slice->mshrs, i); k++)
            services->free(services->context, slice->targets[cache_mshrs_target(&slice->mshrs, i, k)].request);
    for (uint32_t i = 0; i < slice->memory_ring.count; i++)
        services->free(services->context, slice->memory_queue[hd_ring_place(&slice->memory_ring, i)]);
    hd_ring_clear(&slice->memory_ring);
    for (uint32_t i = 0; i < slice->reply_ports; i++) {
        for (uint32_t q = 0; q < QUEUE_COUNT; q++)
            drop_replies(slice, &slice->replies[i].queues[q]);
    }
}

void slice_forget_use(struct slice *slice)
{
    memset(slice->versions, 0, slice->version_count * sizeof *slice->versions);
    slice->watched = 0;
    slice->next_request = 0;
    slice->atomic_unit.count = 0;
}

void slice_reset(hd_block *block)
{
    struct slice *slice = (struct slice *)block;
    drop_packets(slice);
    cache_mshrs_reset(&slice->mshrs);
    slice_uncached_reset(slice);
    slice_buffers_reset(slice);
    slice->seed = slice->services->random(slice->services->context);
    slice_invalidate_all(slice);
    slice_forget_use(slice);
    for (uint32_t i = 0; i < slice->write_back_count; i++)
        slice->write_backs[i].number = UINT64_MAX;
    slice->write_backs_used = 0;
    slice->eviction = 0;
    slice->memory_awaits_credit = 0;
    for (uint32_t i = 0; i < slice->reply_ports; i++)
        slice->replies[i].awaits_credit = slice->replies[i].spare = 0;
    slice->reply_count = slice->starved_ports = 0;
    slice->reply_edge = UINT64_MAX;
    slice->range.length = 0;
    slice->accepted = 0;
    slice->port_free = 0;
    slice->stall = NO_STALL;
    slice->stalled_since = 0;
    slice->unlocked = UINT64_MAX;
    slice->looked_until = 0;
    slice->look_again = 0;
    memset(slice->routes, 0xFF, sizeof slice->routes);
    memset(slice->statistics, 0, sizeof slice->statistics);
    memset(slice->unit_counters, 0, hd_unit_counters(slice->block_class) * sizeof *slice->unit_counters);
    hd_cursor_init(&slice->cursor, slice->services->clock);
}

void slice_destroy(hd_block *block)
{
    struct slice *slice = (struct slice *)block;
    if (!slice)
        return;
    drop_packets(slice);
    if (slice->uncached.requests && slice->uncached.free)
        slice_uncached_reset(slice);
    slice_uncached_destroy(slice);
    if (slice->buffers.lines)
        slice_buffers_reset(slice);
    slice_buffers_destroy(slice);
    for (uint32_t i = 0; i < L2_REPLY_PORTS; i++)
        for (uint32_t q = 0; q < QUEUE_COUNT; q++)
            free(slice->replies[i].queues[q].replies);
    free(slice->atomic_unit.rounds);
    free(slice->memory_queue);
    free(slice->write_backs);
    cache_mshrs_destroy(&slice->mshrs);
    free(slice->targets);
    free(slice->misses);
    free(slice->versions);
    free(slice->tapped);
    free(slice->fast.lines);
    cache_tags_destroy(&slice->tags);
    free(slice->lines);
    free(slice);
}
