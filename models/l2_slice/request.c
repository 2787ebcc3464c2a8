/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "state.h"

static uint32_t atomic_is_well_formed(const hd_packet *request)
{
    const hd_atomic_operation *operations = hd_body_const(request);
    if (request->address % HD_LINE_BYTES || request->argument == 0 ||
        request->body_bytes / sizeof *operations < request->argument)
        return 0;
    for (uint32_t i = 0; i < request->argument; i++) {
        if (operations[i].operation > HD_ATOMIC_STORE_CONDITIONAL || operations[i].word >= HD_LINE_BYTES / 4)
            return 0;
    }
    return 1;
}

/* What is wrong with a request, or NULL. */
static const char *mistake(const struct slice *slice, const hd_packet *request)
{
    if (slice->map && slice->map->endpoints[hd_partition_of(slice->map, request->address)] != slice->services->endpoint)
        return "address of another partition";
    if (request->message == slice->message.atomic)
        return atomic_is_well_formed(request) ? NULL : "ill-formed atomic";
    if (request->message != slice->message.load && request->message != slice->message.store)
        return "unknown message";
    if (request->argument == 0 || request->argument > HD_LINE_BYTES - request->address % HD_LINE_BYTES)
        return "access not inside one line";
    if (request->message == slice->message.store && request->body_bytes < sizeof(hd_store) + request->argument)
        return "store without its data";
    return NULL;
}

static uint32_t cycles_for(uint32_t amount, uint32_t per_cycle)
{
    return (amount + per_cycle - 1) / per_cycle;
}

uint32_t slice_port_cycles(const struct slice *slice, const hd_packet *request)
{
    if (request->message == slice->message.atomic)
        return cycles_for(request->argument, slice->atomic_words);
    return cycles_for(request->argument, slice->port_bytes);
}

static uint32_t stores_whole_line(const struct slice *slice, const hd_packet *request)
{
    if (request->message != slice->message.store || request->argument != HD_LINE_BYTES)
        return 0;
    const hd_store *store = hd_body_const(request);
    return (store->byte_mask[0] & store->byte_mask[1] & store->byte_mask[2] & store->byte_mask[3]) == UINT32_MAX;
}

/* Why the request cannot be accepted now. */
static uint32_t stall_of(const struct slice *slice, const hd_packet *request, const struct line *line,
                         const struct mshr *mshr)
{
    if (slice->reply_count >= slice->reply_limit)
        return STATISTIC_STALL_REPLY;
    if (line || slice->direct)
        return NO_STALL;
    if (mshr)
        return mshr->target_count < slice->target_count ? NO_STALL : STATISTIC_STALL_TARGETS;
    if (slice->mshrs_used == slice->mshr_count && !stores_whole_line(slice, request))
        return STATISTIC_STALL_MSHRS;
    return slice_has_write_back_room(slice) ? NO_STALL : STATISTIC_STALL_MEMORY;
}

static void count_request(struct slice *slice, const hd_packet *request, uint32_t outcome)
{
    uint64_t *statistics = slice->statistics;
    const uint32_t class = request->traffic_class < HD_CLASS_COUNT ? request->traffic_class : HD_CLASS_COUNT;
    statistics[outcome]++;
    statistics[STATISTIC_BYTES_IN + class] += request->wire_bytes;
    if (request->message == slice->message.load) {
        statistics[STATISTIC_LOADS]++;
    } else if (request->message == slice->message.store) {
        statistics[STATISTIC_STORES]++;
    } else {
        statistics[STATISTIC_ATOMICS]++;
        statistics[STATISTIC_ATOMIC_WORDS] += request->argument;
    }
}

void slice_carry_out(struct slice *slice, struct line *line, hd_packet *request, uint64_t n, hd_time t)
{
    const uint32_t cycles = slice_port_cycles(slice, request);
    slice_put_reply(slice, slice_execute(slice, line, request, t), cycles, n, t);
}

static void process(struct slice *slice, hd_packet *request, struct line *line, struct mshr *mshr, uint64_t n,
                    hd_time t)
{
    if (slice->direct) {
        count_request(slice, request, STATISTIC_DIRECT);
        slice_carry_out_directly(slice, request, n, t);
        return;
    }
    if (line) {
        count_request(slice, request, STATISTIC_HITS);
        slice_touch(slice, line);
        slice_carry_out(slice, line, request, n, t);
        return;
    }
    if (mshr) {
        count_request(slice, request, STATISTIC_MSHR_MERGES);
        mshr->targets[mshr->target_count++] = request;
        return;
    }
    count_request(slice, request, STATISTIC_MISSES);
    if (stores_whole_line(slice, request)) {
        slice_carry_out(slice, slice_install(slice, line_address(request->address)), request, n, t);
        return;
    }
    mshr = slice_take_mshr(slice, line_address(request->address));
    mshr->targets[mshr->target_count++] = request;
    slice_fetch(slice, mshr);
}

/* Accepts the head of a port. Returns NO_STALL if the port's turn is over, else why the head has to wait. */
static uint32_t accept_from(struct slice *slice, hd_link *link, const hd_packet *head, uint64_t n, hd_time t)
{
    const hd_services *services = slice->services;
    const char *wrong = mistake(slice, head);
    if (wrong) {
        services->fault(services->context, t,
                        "%s: %s: message %" PRIu32 " from endpoint %" PRIu16 ", address %#" PRIx64
                        ", argument %" PRIu32,
                        services->name, wrong, head->message, head->source, head->address, head->argument);
        services->free(services->context, services->pop(services->context, link, t));
        slice->port_free = n + 1;
        return NO_STALL;
    }
    struct line *line = slice->direct ? NULL : slice_find_line(slice, line_address(head->address));
    struct mshr *mshr = line ? NULL : slice_find_mshr(slice, line_address(head->address));
    const uint32_t stall = stall_of(slice, head, line, mshr);
    if (stall == NO_STALL) {
        process(slice, services->pop(services->context, link, t), line, mshr, n, t);
        /* What only enters an MSHR still takes its turn at the tags. */
        if (slice->port_free < n + 1)
            slice->port_free = n + 1;
    }
    return stall;
}

static void note_stall(struct slice *slice, uint32_t stall, uint64_t n)
{
    if (stall == slice->stall)
        return;
    if (slice->stall != NO_STALL)
        slice->statistics[slice->stall] += n - slice->stalled_since;
    slice->stall = stall;
    slice->stalled_since = n;
}

void slice_accept(struct slice *slice, uint64_t n, hd_time t)
{
    const hd_services *services = slice->services;
    slice->look_again = slice->port_free > n;
    if (slice->look_again)
        return;
    slice->looked_until = t;
    uint32_t first_stall = NO_STALL;
    for (uint32_t i = 0; i < slice->request_ports; i++) {
        const uint32_t port = (slice->next_request + i) % slice->request_ports;
        if (slice->request_arrivals[port] > t)
            continue;
        hd_link *link = slice->requests[port];
        const uint32_t stall = accept_from(slice, link, services->peek(services->context, link, t), n, t);
        if (stall == NO_STALL) {
            slice->request_arrivals[port] = slice_arrival(slice, link);
            slice->next_request = (port + 1) % slice->request_ports;
            first_stall = NO_STALL;
            break;
        }
        if (first_stall == NO_STALL)
            first_stall = stall;
    }
    note_stall(slice, first_stall, n);
}
