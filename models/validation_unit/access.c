/* SPDX-License-Identifier: MIT */
/* The pipeline: tables, verdict, and on to the slice or back to the core. */
#include <inttypes.h>

#include "hd_link.h"
#include "state.h"

static void note_wait(validation *self, uint32_t wait, uint64_t n)
{
    if (wait == self->wait)
        return;
    if (self->wait == WAIT_REPLY)
        self->counters.busy_reply += n - self->wait_since;
    if (self->wait == WAIT_SLICE)
        self->counters.busy_slice += n - self->wait_since;
    self->wait = wait;
    self->wait_since = n;
}

verdict_request validation_request_of(const hd_packet *request, uint32_t is_store)
{
    const hd_getm_access *access = hd_body_const(request);
    return (verdict_request){.timestamp = access->timestamp,
                             .warp = access->warp,
                             .epoch = request->epoch,
                             .is_store = is_store,
                             .count = access->count,
                             .pc = access->pc};
}

static verdict_request request_of(const validation *self, const hd_packet *request)
{
    return validation_request_of(request, request->message == self->message.store);
}

void validation_touched(validation *self, metadata_entry *entry)
{
    if (self->wakes == WAKE_ALL)
        stall_mark(&self->stall, entry->granule);
    metadata_settle(&self->metadata, entry);
}

void validation_approve(validation *self, metadata_entry *entry, const verdict_request *request, const verdict *verdict,
                        hd_time t)
{
    const metadata_entry before = *entry;
    verdict_apply(&self->rules, entry, request);
    INVARIANT(self, t, entry->written >= before.written && entry->read >= before.read,
              "%s: I3: a time of granule %#" PRIx64 " goes back", self->services->name, entry->granule);
    INVARIANT(self, t,
              !entry->reserved || (entry->owner_warp == request->warp && entry->owner_epoch == request->epoch &&
                                   request->epoch && entry->written == request->timestamp + 1),
              "%s: I2: granule %#" PRIx64 " is reserved by another, or at another time than its owner's",
              self->services->name, entry->granule);
    if (entry->reserved && !before.reserved) {
        self->reserved_granules++;
        validation_trace_reserved(self, request, entry->granule, t);
    }
    hd_raise_maximum(&self->latest, entry->written);
    hd_raise_maximum(&self->latest, entry->read);
    self->counters.owner_hits += verdict->is_owner;
    if (request->is_store)
        self->counters.stores_approved++;
    else
        self->counters.loads_approved++;
}

static void refuse(validation *self, hd_packet *request, const verdict *verdict, hd_time t)
{
    uint64_t *const counters[HD_GETM_REASON_COUNT] = {
        [HD_GETM_LOAD_WRITTEN] = &self->counters.load_written,
        [HD_GETM_STORE_WRITTEN] = &self->counters.store_written,
        [HD_GETM_STORE_READ] = &self->counters.store_read,
        [HD_GETM_STALL_FULL] = &self->counters.stall_full,
    };
    ++*counters[verdict->reason];
    validation_trace_refused(self, request, verdict, t);
    validation_refuse(self, request, verdict, validation_edge(self, t));
}

static uint64_t cause_of(const validation *self, const verdict *verdict)
{
    return self->cause == CAUSE_PARTITION ? self->latest : verdict->cause;
}

void validation_resolve(validation *self, metadata_entry *entry, hd_packet *request, const verdict *verdict, hd_time t)
{
    const uint64_t n = validation_edge(self, t);
    if (verdict->what == VERDICT_APPROVED) {
        validation_answer(self, request, self->message.store_ok, n);
    } else if (verdict->what == VERDICT_REFUSED) {
        struct verdict refused = *verdict;
        refused.cause = cause_of(self, verdict);
        refuse(self, request, &refused, t);
    } else if (stall_push(&self->stall, entry->granule, request, n)) {
        entry->pins++;
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_WAITING, t, self->stall.requests);
    } else {
        struct verdict full = *verdict;
        full.reason = HD_GETM_STALL_FULL;
        full.cause = HD_GETM_NO_CAUSE;
        refuse(self, request, &full, t);
    }
}

/* ---- Into the tables ----------------------------------------------------------------------------------------------- */

/* The waiter of the line that is to be tried again, or NULL. Of what is reserved, one that waits in vain, or whose own attempt
 * has got it meanwhile. */
static stall_waiter *find_woken(const validation *self, const stall_line *line, const metadata_entry *entry)
{
    if (!entry->reserved) {
        stall_waiter *oldest = stall_oldest(line);
        /* A store must not overtake loads that were woken before it. */
        return oldest->request->message == self->message.store && line->returned ? NULL : oldest;
    }
    for (uint32_t i = 0; i < line->count; i++) {
        const verdict_request request = request_of(self, line->waiters[i].request);
        if (verdict_of(&self->rules, entry, &request).what != VERDICT_WAIT)
            return &line->waiters[i];
    }
    return NULL;
}

static hd_packet *take_woken(validation *self, uint64_t n, hd_time t)
{
    stall_buffer *stall = &self->stall;
    while (stall->marked) {
        const uint32_t index = (uint32_t)__builtin_ctzll(stall->marked);
        stall_line *line = &stall->lines[index];
        metadata_entry *entry = metadata_find(&self->metadata, line->granule);
        stall_waiter *waiter = find_woken(self, line, entry);
        if (!waiter || self->wakes == WAKE_OLDEST)
            stall->marked &= ~(UINT64_C(1) << index);
        if (!waiter)
            continue;
        entry->pins--;
        hd_packet *request = stall_take(stall, line, waiter, n);
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_WAITING, t, stall->requests);
        return request;
    }
    return NULL;
}

static const char *mistake_of(const validation *self, const hd_packet *request)
{
    const hd_getm_access *access = hd_body_const(request);
    const uint32_t is_store = request->message == self->message.store;
    const uint64_t granule = UINT64_C(1) << self->granule_shift;
    if (!is_store && request->message != self->message.load)
        return "unknown message";
    if (request->body_bytes < sizeof *access || !request->epoch)
        return "request of no transaction";
    if (is_store)
        return access->count ? NULL : "store for no lane";
    if (!request->argument || request->address % granule + request->argument > granule)
        return "load of more than a granule";
    return NULL;
}

static void begin(validation *self, hd_packet *request, uint64_t n, hd_time t)
{
    const hd_getm_access *access = hd_body_const(request);
    const uint64_t granule = granule_of(self, request->address);
    uint32_t cycles;
    rollover_see_clock(self, access->timestamp, t);
    metadata_entry *entry = metadata_look_up(&self->metadata, granule, &cycles);
    self->counters.look_ups++;
    self->counters.table_cycles += cycles;
    self->current = request;
    self->done = n + cycles - 1;
    if (entry)
        entry->pins++;
    INVARIANT(self, t, metadata_places(&self->metadata, granule) == 1, "%s: I6: granule %#" PRIx64 " is in %u places",
              self->services->name, granule, metadata_places(&self->metadata, granule));
}

static void discard(validation *self, hd_packet *request)
{
    self->counters.discarded++;
    self->services->free(self->services->context, request);
}

static void begin_new(validation *self, hd_packet *request, uint64_t n, hd_time t)
{
    const hd_services *services = self->services;
    const hd_getm_access *access = hd_body_const(request);
    const char *mistake = mistake_of(self, request);
    if (mistake) {
        services->fault(services->context, t,
                        "%s: %s: message %" PRIu32 " from endpoint %" PRIu16 ", address %#" PRIx64, services->name,
                        mistake, request->message, request->source, request->address);
        services->free(services->context, request);
        return;
    }
    if (access->era != self->era) {
        discard(self, request);
        return;
    }
    if (request->message == self->message.store) {
        self->counters.stores++;
        self->counters.lane_stores += access->count;
    } else {
        self->counters.loads++;
    }
    begin(self, request, n, t);
}

/* While it is stopped, whatever comes is of the era that ends. */
static void take_while_stopped(validation *self, hd_time t)
{
    hd_packet *packet = hd_link_pop(self->services, self->requests, t);
    if (!packet)
        return;
    if (packet->message != self->message.rolled_over) {
        discard(self, packet);
        return;
    }
    rollover_take_answer(self);
    self->services->free(self->services->context, packet);
}

static uint32_t lacks_room(const validation *self)
{
    if (self->reply_ring.count >= self->reply_limit)
        return WAIT_REPLY;
    return self->loads_under_way >= self->load_limit ? WAIT_SLICE : WAIT_NONE;
}

static void take(validation *self, uint64_t n, hd_time t)
{
    const hd_services *services = self->services;
    if (rollover_is_stopped(self)) {
        note_wait(self, WAIT_NONE, n);
        take_while_stopped(self, t);
        return;
    }
    const uint32_t wait = lacks_room(self);
    if (wait != WAIT_NONE) {
        if (self->stall.marked || hd_link_peek(self->requests, t))
            note_wait(self, wait, n);
        return;
    }
    note_wait(self, WAIT_NONE, n);
    hd_packet *request = take_woken(self, n, t);
    self->is_woken = request != NULL;
    if (request)
        begin(self, request, n, t);
    else if ((request = hd_link_pop(services, self->requests, t)))
        begin_new(self, request, n, t);
}

/* ---- Out of them --------------------------------------------------------------------------------------------------- */

/* Its pin goes with it. 0: there is no credit. */
static uint32_t pass_on(validation *self, metadata_entry *entry, hd_packet *request, hd_time t)
{
    const hd_services *services = self->services;
    self->load_waits = !hd_link_has_credit(services, self->load, t);
    if (self->load_waits)
        return 0;
    stall_line *line = self->is_woken ? stall_find(&self->stall, entry->granule) : NULL;
    if (line)
        line->returned++;
    ((hd_getm_access *)hd_body(request))->woken = self->is_woken;
    request->message = self->message.global_load;
    request->unit = HD_DESTINATION_L2_SLICE;
    self->loads_under_way++;
    services->send(services->context, self->load, request, t);
    return 1;
}

static void finish(validation *self, hd_time t)
{
    hd_packet *request = self->current;
    const verdict_request asked = request_of(self, request);
    metadata_entry *entry = metadata_find(&self->metadata, granule_of(self, request->address));
    if (!entry) { /* only if a test wants it */
        self->services->fault(self->services->context, t, "%s: granule %#" PRIx64 " was pushed out of the tables",
                              self->services->name, granule_of(self, request->address));
        self->services->free(self->services->context, request);
        self->current = NULL;
        return;
    }
    const verdict verdict = verdict_of(&self->rules, entry, &asked);
    const uint32_t is_approved = verdict.what == VERDICT_APPROVED;
    if (is_approved && !asked.is_store) {
        if (!pass_on(self, entry, request, t))
            return;
        if (self->verdict == VERDICT_ARRIVAL)
            validation_approve(self, entry, &asked, &verdict, t);
        self->current = NULL;
        return;
    }
    self->current = NULL;
    if (is_approved)
        validation_approve(self, entry, &asked, &verdict, t);
    validation_resolve(self, entry, request, &verdict, t);
    entry->pins--;
    validation_touched(self, entry);
}

void validation_access(validation *self, uint64_t n, hd_time t)
{
    if (!self->current)
        take(self, n, t);
    if (self->current && n >= self->done)
        finish(self, t);
}

void validation_access_work(const validation *self, hd_work *work)
{
    if (self->current) {
        if (!self->load_waits)
            hd_work_at_edge(work, self->done > self->cursor.n ? self->done : self->cursor.n);
        return;
    }
    if (!rollover_is_stopped(self)) {
        if (lacks_room(self) != WAIT_NONE && self->wait != WAIT_NONE)
            return;
        if (self->stall.marked)
            hd_work_at_edge(work, self->cursor.n);
    }
    hd_work_at_time(work, hd_link_arrival(self->requests));
}
