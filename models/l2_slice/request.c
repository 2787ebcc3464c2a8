/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "hd_link.h"
#include "parts.h"

/* Why a request cannot be accepted now. */
static uint32_t stall_of(const struct slice *slice, const struct access *access, const struct line *line,
                         const struct miss *miss)
{
    if (slice->reply_count >= slice->reply_limit)
        return STATISTIC_STALL_REPLY;
    if (slice->direct)
        return NO_STALL;
    if (miss)
        return cache_mshrs_can_wait(&slice->mshrs, slice_mshr_of(slice, miss)) ? NO_STALL : STATISTIC_STALL_TARGETS;
    const uint32_t misses = line ? access->needs & (uint8_t)~line->valid : access->needs;
    if (line && !misses && !(slice->writes_through && access->request->message != slice->message.load))
        return NO_STALL;
    if (misses && cache_mshrs_is_full(&slice->mshrs))
        return STATISTIC_STALL_MSHRS;
    return slice_has_write_back_room(slice) ? NO_STALL : STATISTIC_STALL_MEMORY;
}

static void count_bytes(struct slice *slice, uint32_t traffic_class, uint32_t bytes)
{
    const uint32_t class = traffic_class < HD_CLASS_COUNT ? traffic_class : HD_CLASS_COUNT;
    slice->statistics[STATISTIC_BYTES_IN + class] += bytes;
}

static void count_transaction_load(uint64_t *statistics, uint32_t outcome)
{
    static const uint32_t statistic_of[] = {
        [STATISTIC_HITS] = STATISTIC_TRANSACTION_LOAD_HITS,
        [STATISTIC_MISSES] = STATISTIC_TRANSACTION_LOAD_MISSES,
        [STATISTIC_MSHR_MERGES] = STATISTIC_TRANSACTION_LOAD_MERGES,
    };
    if (outcome != STATISTIC_DIRECT)
        statistics[statistic_of[outcome]]++;
}

#define COUNTED_BYTES 32u /* of a sector that energy is counted by, whatever the slice's are */

static uint32_t counted_sectors(const struct slice *slice, const hd_packet *request)
{
    const uint32_t offset = (uint32_t)(request->address % HD_LINE_BYTES);
    if (request->message != slice->message.atomic)
        return (offset + request->argument - 1) / COUNTED_BYTES - offset / COUNTED_BYTES + 1;
    static const uint8_t ones[1u << (HD_LINE_BYTES / COUNTED_BYTES)] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const hd_atomic_operation *operations = hd_body_const(request);
    uint32_t touched = 0;
    for (uint32_t i = 0; i < request->argument; i++)
        touched |= 1u << (operations[i].word * 4u / COUNTED_BYTES);
    return ones[touched];
}

/* Reads are loads and atomics; what is on its way counts as here. */
static void count_access(struct slice *slice, const hd_packet *request, uint32_t is_miss)
{
    const uint32_t kind = 2 * (request->message == slice->message.store) + is_miss;
    slice->statistics[STATISTIC_READ_HITS + kind]++;
    slice->statistics[STATISTIC_READ_HIT_SECTORS + kind] += counted_sectors(slice, request);
}

static void count_request(struct slice *slice, const hd_packet *request, uint32_t outcome)
{
    uint64_t *statistics = slice->statistics;
    statistics[outcome]++;
    if (outcome != STATISTIC_DIRECT)
        count_access(slice, request, outcome == STATISTIC_MISSES);
    count_bytes(slice, request->traffic_class, request->wire_bytes);
    if (request->message == slice->message.load) {
        statistics[STATISTIC_LOADS]++;
        if (request->traffic_class == HD_CLASS_TRANSACTION)
            count_transaction_load(statistics, outcome);
    } else if (request->message == slice->message.store) {
        statistics[STATISTIC_STORES]++;
    } else {
        statistics[STATISTIC_ATOMICS]++;
        statistics[STATISTIC_ATOMIC_WORDS] += request->argument;
    }
}

uint32_t slice_cycles_for_bytes(const struct slice *slice, uint32_t bytes)
{
    return (bytes + slice->port_bytes - 1) / slice->port_bytes;
}

static uint32_t cycles_of_atomic(struct slice *slice, const hd_packet *request, uint64_t n)
{
    const uint32_t cycles = slice->atomic_unit.is_on
                                ? slice_atomic_cycles(slice, request, n)
                                : (request->argument + slice->atomic_words - 1) / slice->atomic_words;
    slice->statistics[STATISTIC_ATOMIC_CYCLES] += cycles;
    return cycles;
}

static uint32_t port_cycles(struct slice *slice, const hd_packet *request, uint64_t n)
{
    if (request->message == slice->message.atomic)
        return cycles_of_atomic(slice, request, n);
    return slice_cycles_for_bytes(slice, request->argument);
}

void slice_carry_out(struct slice *slice, struct line *line, const struct access *access,
                     const struct tapped_access *tapped, uint64_t n, hd_time t)
{
    const uint32_t cycles = port_cycles(slice, access->request, n);
    uint32_t written = 0;
    if (access->touches & (uint8_t)~line->valid) /* what is written over is not known, and counts as changed */
        slice_report_progress(slice, line, t);
    if (access->partly)
        slice_mark_store(slice, line, access);
    hd_packet *reply = slice_execute(slice, line, access->request, &written, t);
    line->valid |= access->touches & (uint8_t)~access->partly;
    line->partial &= (uint8_t)~line->valid;
    if (tapped)
        slice_notify_release(slice, line, reply, tapped, written, t);
    slice_put_reply(slice, reply, cycles, n, t);
}

/* What is here is carried out at once. */
static void carry_out_here(struct slice *slice, struct line *line, const struct access *access,
                           const struct tapped_access *tapped, uint64_t n, hd_time t)
{
    slice_carry_out(slice, line, access, tapped, n, t);
    if (slice->writes_through && line->dirty)
        slice_write_back(slice, line);
}

/* A line that is wholly or partly missing is put together in an MSHR. */
static void begin_miss(struct slice *slice, const struct access *access, const struct tapped_access *tapped,
                       const struct place *place, struct line *line)
{
    struct miss *miss = slice_take_mshr(slice, place->address);
    miss->line.first_version = (uint32_t)(place->offset / 4) & (slice->version_count - 1);
    if (line) {
        slice->statistics[STATISTIC_SECTOR_MISSES]++;
        slice_move_out(slice, line, &miss->line);
    }
    slice_fetch(slice, miss, access->needs & (uint8_t)~miss->line.valid, access->request->traffic_class);
    slice_add_target(slice, miss, access, tapped);
}

/* Behind those that wait for the line already, even if what it needs is here: accesses to a line stay in order. */
static void join(struct slice *slice, const struct access *access, const struct tapped_access *tapped,
                 struct miss *miss)
{
    const uint8_t coming = miss->line.valid | miss->pending | miss->promised;
    slice_fetch(slice, miss, access->needs & (uint8_t)~coming, access->request->traffic_class);
    slice_add_target(slice, miss, access, tapped);
}

static void process(struct slice *slice, const struct access *access, const struct tapped_access *tapped,
                    const struct place *place, struct line *line, struct miss *miss, uint64_t n, hd_time t)
{
    if (slice->direct) {
        count_request(slice, access->request, STATISTIC_DIRECT);
        slice_carry_out_directly(slice, access, tapped, n, t);
    } else if (miss) {
        count_request(slice, access->request, STATISTIC_MSHR_MERGES);
        join(slice, access, tapped, miss);
    } else if (line && !(access->needs & (uint8_t)~line->valid)) {
        count_request(slice, access->request, STATISTIC_HITS);
        slice_touch(slice, line);
        carry_out_here(slice, line, access, tapped, n, t);
    } else {
        count_request(slice, access->request, STATISTIC_MISSES);
        if (access->needs)
            begin_miss(slice, access, tapped, place, line);
        else
            carry_out_here(slice, slice_install(slice, place), access, tapped, n, t);
    }
}

/* The head of the port, which nothing stands in the way of. */
static void take(struct slice *slice, uint32_t port, const struct access *access, const struct place *place,
                 struct line *line, struct miss *miss, uint64_t n, hd_time t)
{
    struct tapped_access tapped;
    const uint32_t traffic_class = access->request->traffic_class, bytes = access->request->wire_bytes;
    slice->services->pop(slice->services->context, slice->requests[port], t);
    if (!slice->listener_count) {
        process(slice, access, NULL, place, line, miss, n, t);
    } else if (slice_ask_taps(slice, access->request, port, &tapped, t)) {
        process(slice, access, &tapped, place, line, miss, n, t);
    } else {
        slice->statistics[STATISTIC_TAKEN]++;
        count_bytes(slice, traffic_class, bytes);
    }
    /* What moves no data still takes its turn at the tags. */
    if (slice->port_free < n + 1)
        slice->port_free = n + 1;
}

static void refuse(struct slice *slice, uint32_t port, const hd_packet *head, const char *why, uint64_t n, hd_time t)
{
    const hd_services *services = slice->services;
    services->fault(services->context, t,
                    "%s: %s: message %" PRIu32 " from endpoint %" PRIu16 ", address %#" PRIx64 ", argument %" PRIu32,
                    services->name, why, head->message, head->source, head->address, head->argument);
    services->free(services->context, services->pop(services->context, slice->requests[port], t));
    slice->port_free = n + 1;
}

/* Why an atomic, which nothing else stands in the way of, cannot begin now. One that misses waits when its line is here. */
static uint32_t lock_of(struct slice *slice, const struct access *access, const struct line *line,
                        const struct miss *miss, uint64_t n)
{
    if (access->request->message != slice->message.atomic)
        return NO_STALL;
    if (!slice->direct && (miss || !line || access->needs & (uint8_t)~line->valid))
        return NO_STALL;
    uint32_t stall;
    const uint64_t begin = slice_atomic_begin(slice, access->request, n, &stall);
    if (stall != NO_STALL && begin < slice->unlocked)
        slice->unlocked = begin;
    return stall;
}

static uint32_t accept_uncached(struct slice *slice, uint32_t port, uint64_t n, hd_time t)
{
    const uint32_t stall = slice_uncached_stall(slice);
    if (stall != NO_STALL)
        return stall;
    hd_packet *request = slice->services->pop(slice->services->context, slice->requests[port], t);
    slice->statistics[request->message == slice->message.uncached_load ? STATISTIC_UNCACHED_LOADS
                                                                       : STATISTIC_UNCACHED_STORES]++;
    count_bytes(slice, request->traffic_class, request->wire_bytes);
    slice_begin_uncached(slice, request, n, t);
    if (slice->port_free < n + 1)
        slice->port_free = n + 1;
    return NO_STALL;
}

static uint32_t accept_buffered(struct slice *slice, uint32_t port, uint64_t n, hd_time t)
{
    if (slice->reply_count >= slice->reply_limit)
        return STATISTIC_STALL_REPLY;
    hd_packet *request = slice->services->pop(slice->services->context, slice->requests[port], t);
    count_bytes(slice, request->traffic_class, request->wire_bytes);
    slice_begin_buffered(slice, request, n, t);
    if (slice->port_free < n + 1)
        slice->port_free = n + 1;
    return NO_STALL;
}

/* Accepts the head of a port. Returns NO_STALL if the port's turn is over, else why the head has to wait. */
static uint32_t accept_from(struct slice *slice, uint32_t port, uint64_t n, hd_time t)
{
    const hd_packet *head = hd_link_peek(slice->requests[port], t);
    const struct place place = slice_place(slice, head->address);
    const char *wrong = slice_mistake(slice, head, &place);
    if (wrong) {
        refuse(slice, port, head, wrong, n, t);
        return NO_STALL;
    }
    if (slice_is_uncached(slice, head))
        return accept_uncached(slice, port, n, t);
    if (slice_is_buffered(slice, head))
        return accept_buffered(slice, port, n, t);
    struct line *line = slice->direct ? NULL : slice_find_line(slice, &place);
    struct miss *miss = line || !slice->mshrs.in_use ? NULL : slice_find_miss(slice, place.address);
    const struct access access = slice_access(slice, (hd_packet *)(uintptr_t)head);
    uint32_t stall = stall_of(slice, &access, line, miss);
    if (stall == NO_STALL && slice->atomic_unit.is_on)
        stall = lock_of(slice, &access, line, miss, n);
    if (stall == NO_STALL)
        take(slice, port, &access, &place, line, miss, n, t);
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
    slice->look_again = slice->port_free > n;
    if (slice->look_again)
        return;
    slice->looked_until = t;
    slice->unlocked = UINT64_MAX;
    uint32_t first_stall = NO_STALL;
    for (uint32_t i = 0, port = slice->next_request; i < slice->request_ports; i++, port++) {
        port = port == slice->request_ports ? 0 : port;
        if (slice->request_arrivals[port] > t)
            continue;
        const uint32_t stall = accept_from(slice, port, n, t);
        if (stall == NO_STALL) {
            slice->request_arrivals[port] = hd_link_arrival(slice->requests[port]);
            slice->next_request = port + 1 == slice->request_ports ? 0 : port + 1;
            first_stall = NO_STALL;
            break;
        }
        if (first_stall == NO_STALL)
            first_stall = stall;
    }
    note_stall(slice, first_stall, n);
}
