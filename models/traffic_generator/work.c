/* SPDX-License-Identifier: MIT */
/* Order within one edge: replies, then one request leaves. */
#include <string.h>

#include "hd_link.h"
#include "state.h"

static uint32_t has_room(const generator *self)
{
    return self->outstanding < parameter_of(self, PARAMETER_OUTSTANDING);
}

static uint32_t is_measured(const generator *self, uint64_t edge)
{
    return edge >= parameter_of(self, PARAMETER_WARM_UP) && edge < generate_end(self);
}

static void stop(generator *self)
{
    self->stopped = 1;
}

/* ---- Replies ------------------------------------------------------------------------------------------------------ */

static void count_latency(generator *self, const request *of)
{
    static const uint64_t limits[] = {
#define LIMIT(most, more) most,
        TRAFFIC_LATENCIES(LIMIT)
#undef LIMIT
    };
    const uint64_t latency = self->cursor.n - of->generated;
    uint32_t bucket = 0;
    while (bucket < sizeof limits / sizeof *limits && latency > limits[bucket])
        bucket++;
    self->counters[STATISTIC_LATENCY_64 + bucket]++;
    self->counters[STATISTIC_OFFERED]++;
    self->counters[STATISTIC_LATENCY_CYCLES] += latency;
    self->counters[STATISTIC_FLIGHT_CYCLES] += self->cursor.n - of->sent;
    if (latency > self->counters[STATISTIC_LATENCY_MAXIMUM])
        self->counters[STATISTIC_LATENCY_MAXIMUM] = latency;
}

static void count_answer(generator *self, const request *of)
{
    if (is_measured(self, self->cursor.n)) {
        self->counters[STATISTIC_ANSWERED]++;
        self->counters[of->operation == OPERATION_STORE ? STATISTIC_BYTES_WRITTEN : STATISTIC_BYTES_READ] += of->bytes;
    }
    if (is_measured(self, of->generated))
        count_latency(self, of);
}

static void compare(generator *self, const request *of, const hd_packet *reply, hd_time t)
{
    const hd_services *services = self->services;
    uint32_t value;
    uint8_t expected = 0;
    const uint8_t *bytes = hd_body_const(reply);
    if (of->operation == OPERATION_STORE)
        return;
    if (of->operation == OPERATION_ATOMIC) {
        value = ((const hd_atomic_result *)hd_body_const(reply))->value;
        bytes = (const uint8_t *)&value;
    }
    const uint32_t right = data_compare(self, of, bytes, of->bytes, &expected);
    self->counters[STATISTIC_BYTES_COMPARED] += right;
    if (right == of->bytes)
        return;
    services->fault(
        services->context, t,
        "%s read 0x%02x at 0x%llx; it must be 0x%02x: the machine lost or mixed up data, or others write there",
        services->name, bytes[right], (unsigned long long)of->address + right, expected);
    stop(self);
}

static uint32_t is_answer(const request *of, const hd_packet *reply)
{
    const uint32_t body = of->operation == OPERATION_LOAD     ? of->bytes
                          : of->operation == OPERATION_ATOMIC ? (uint32_t)sizeof(hd_atomic_result)
                                                              : 0;
    return of->bytes && reply->body_bytes >= body;
}

static void take_reply(generator *self, const hd_packet *reply, hd_time t)
{
    const hd_services *services = self->services;
    request *of = reply->tag < parameter_of(self, PARAMETER_OUTSTANDING) ? &self->requests[reply->tag] : NULL;
    if (!of || !is_answer(of, reply)) {
        services->fault(services->context, t, "%s: a reply to a request that was not made", services->name);
        stop(self);
        return;
    }
    hd_trace_end(self->events, self->request_tracks + (uint32_t)reply->tag, EVENT_LOAD + of->operation, t);
    compare(self, of, reply, t);
    count_answer(self, of);
    of->bytes = 0;
    self->free_tags[parameter_of(self, PARAMETER_OUTSTANDING) - self->outstanding--] = (uint32_t)reply->tag;
    services->progress(services->context, t);
}

static void take_replies(generator *self, hd_time t)
{
    const hd_services *services = self->services;
    for (hd_packet *reply; (reply = hd_link_pop(services, self->reply_in, t));) {
        if (!self->stopped)
            take_reply(self, reply, t);
        services->free(services->context, reply);
    }
}

/* ---- Requests ----------------------------------------------------------------------------------------------------- */

static void fill_store(const request *from, hd_packet *packet)
{
    hd_store *store = hd_body(packet);
    memset(store, 0, sizeof *store);
    for (uint32_t i = 0; i < from->bytes; i++)
        store->byte_mask[i / 32] |= UINT32_C(1) << i % 32;
    data_write(from, hd_store_data(store));
    packet->argument = from->bytes;
    packet->wire_bytes += from->bytes;
}

/* Adds 0, and so is a load that the slice carries out as an atomic. */
static void fill_atomic(const request *from, hd_packet *packet)
{
    *(hd_atomic_operation *)hd_body(packet) =
        (hd_atomic_operation){.operation = HD_ATOMIC_ADD, .word = (uint8_t)(from->address % HD_LINE_BYTES / 4)};
    packet->address -= packet->address % HD_LINE_BYTES;
    packet->argument = 1;
    packet->traffic_class = HD_CLASS_ATOMIC;
    packet->wire_bytes += 4;
}

static hd_packet *packet_of(const generator *self, const request *from, uint32_t tag)
{
    static const uint32_t messages[] = {MESSAGE_LOAD, MESSAGE_STORE, MESSAGE_ATOMIC};
    const uint32_t bodies[] = {0, (uint32_t)sizeof(hd_store) + from->bytes, (uint32_t)sizeof(hd_atomic_operation)};
    hd_packet *packet = hd_partition_request(self->services, self->map, from->address, bodies[from->operation]);
    packet->message = self->messages[messages[from->operation]];
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->tag = tag;
    packet->argument = from->bytes;
    if (from->operation == OPERATION_STORE)
        fill_store(from, packet);
    else if (from->operation == OPERATION_ATOMIC)
        fill_atomic(from, packet);
    return packet;
}

static void count_request(generator *self, const request *sent)
{
    static const uint32_t statistics[] = {STATISTIC_LOADS, STATISTIC_STORES, STATISTIC_ATOMICS};
    self->counters[statistics[sent->operation]]++;
    self->counters[STATISTIC_ACCEPTED] += is_measured(self, sent->sent);
    if (self->outstanding > self->counters[STATISTIC_OUTSTANDING_MAXIMUM])
        self->counters[STATISTIC_OUTSTANDING_MAXIMUM] = self->outstanding;
}

static void send(generator *self, hd_time t)
{
    const hd_services *services = self->services;
    const uint32_t tag = self->free_tags[parameter_of(self, PARAMETER_OUTSTANDING) - 1 - self->outstanding++];
    request *sent = &self->requests[tag];
    *sent = self->next;
    sent->sent = self->cursor.n;
    self->free_from = self->cursor.n + 1;
    sent->version = data_version(self, sent);
    hd_trace_begin(self->events, self->request_tracks + tag, EVENT_LOAD + sent->operation, t, sent->address,
                   sent->bytes, sent->sent - sent->generated);
    services->send(services->context, self->request_out, packet_of(self, sent, tag), t);
    count_request(self, sent);
    generate_next(self);
}

/* Closed loop: it exists since there is room for it, if that is not too late. */
static void generate_closed(generator *self)
{
    if (!self->has_next || self->next.generated != NOT_YET || !has_room(self))
        return;
    self->next.generated = self->cursor.n;
    self->has_next = self->cursor.n < generate_end(self);
}

static uint32_t can_send(const generator *self)
{
    return self->has_next && self->next.generated <= self->cursor.n && has_room(self);
}

static void issue(generator *self, hd_time t)
{
    self->waits_for_credit = 0;
    generate_closed(self);
    if (!can_send(self))
        return;
    if (hd_link_has_credit(self->services, self->request_out, t))
        send(self, t);
    else
        self->waits_for_credit = 1;
}

/* ---- The ports of a core ------------------------------------------------------------------------------------------ */

/* Room for no block at all. */
static void announce(generator *self, hd_time t)
{
    const hd_core_capacity none = {.lanes = 1, .registers_per_thread = 1};
    if (self->capacity_sent || !hd_link_has_credit(self->services, self->event_out, t))
        return;
    simt_core_send(self->services, self->event_out, self->messages[MESSAGE_CAPACITY], 0, &none, sizeof none, t);
    self->capacity_sent = 1;
}

static void refuse_launch(generator *self, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *launch = hd_link_pop(services, self->dispatch_in, t);
    if (!launch)
        return;
    services->free(services->context, launch);
    services->fault(services->context, t, "%s generates traffic and runs no thread blocks", services->name);
    stop(self);
}

/* ---- Time --------------------------------------------------------------------------------------------------------- */

static uint64_t part_of(uint64_t from, uint64_t to, uint64_t begin, uint64_t end)
{
    from = from < begin ? begin : from;
    to = to > end ? end : to;
    return to > from ? to - from : 0;
}

/* From when on the next request has waited. */
static uint64_t waiting_since(const generator *self, uint64_t from)
{
    const uint64_t first = self->next.generated == NOT_YET ? self->free_from : self->next.generated;
    const uint64_t since = first < self->free_from ? self->free_from : first;
    return since < from ? from : since;
}

static void account_until(void *block, uint64_t edge)
{
    generator *self = block;
    if (edge <= self->accounted || self->stopped)
        return;
    const uint64_t from = self->accounted, end = generate_end(self);
    if (self->has_next || self->outstanding)
        self->counters[STATISTIC_CYCLES] += part_of(from, edge, parameter_of(self, PARAMETER_WARM_UP), end);
    if (self->has_next && !has_room(self))
        self->counters[STATISTIC_LIMIT_STALL_CYCLES] +=
            part_of(from, edge, waiting_since(self, from), self->next.generated == NOT_YET ? end : NOT_YET);
    else if (self->waits_for_credit)
        self->counters[STATISTIC_CREDIT_STALL_CYCLES] += edge - from;
    self->accounted = edge;
}

static void work(void *block, hd_time t)
{
    generator *self = block;
    take_replies(self, t);
    if (!self->stopped)
        announce(self, t);
    if (!self->stopped)
        refuse_launch(self, t);
    if (!self->stopped)
        issue(self, t);
    if (self->shown_outstanding != self->outstanding)
        hd_trace_counter(self->events, HD_TRACE_BLOCK, EVENT_OUTSTANDING, t, self->outstanding);
    self->shown_outstanding = self->outstanding;
}

static hd_time next(const void *block)
{
    const generator *self = block;
    hd_time t = hd_earlier(hd_link_arrival(self->reply_in), hd_link_arrival(self->dispatch_in));
    if (self->stopped)
        return HD_NEVER;
    t = hd_cursor_edge_from(&self->cursor, t);
    if (!self->has_next || !has_room(self) || self->waits_for_credit)
        return t;
    if (self->next.generated == NOT_YET || self->next.generated <= self->cursor.n)
        return self->cursor.t;
    return hd_earlier(t, hd_cursor_time_of(&self->cursor, self->next.generated));
}

hd_time generator_advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    generator *self = (generator *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}
