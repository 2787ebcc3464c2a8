/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "state.h"

void core_forget_lines(vec_core *self)
{
    vec_caches_reset(&self->caches);
    self->code_line = NO_LINE;
    for (uint32_t i = 0; i < DECODED; i++)
        self->decoded[i].pc = NO_LINE;
}

/* ---- Fetching --------------------------------------------------------------------------------------------------------- */

static uint32_t can_fetch(const vec_core *self, hd_time t)
{
    const hd_services *s = self->services;
    return self->fetching < value_of(self, PARAMETER_MISSES) && hd_link_has_credit(s, self->memory_out, t);
}

static void send_read(vec_core *self, uint32_t line, uint32_t traffic_class, hd_time t)
{
    const hd_services *s = self->services;
    uint32_t slot = 0;
    while (self->fetched[slot] != NO_LINE)
        slot++;
    hd_packet *packet = s->alloc(s->context, 0);
    packet->message = self->messages[MESSAGE_READ];
    packet->source = (uint16_t)s->endpoint;
    packet->traffic_class = traffic_class;
    packet->address = self->hart.thread.physical + line;
    packet->argument = VEC_LINE_BYTES;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    packet->tag = slot;
    s->send(s->context, self->memory_out, packet, t);
    self->fetched[slot] = line;
    self->fetching++;
}

/* Lines behind a load, as far as there is room to fetch them. */
static void prefetch(vec_core *self, uint32_t line, hd_time t)
{
    for (uint32_t i = 1; i <= value_of(self, PARAMETER_PREFETCH); i++) {
        const uint32_t wanted = line + i * VEC_LINE_BYTES;
        uint32_t place;
        if (wanted < self->hart.thread.memory_base || wanted >= self->hart.thread.memory_end)
            return;
        if (vec_caches_has(&self->caches, wanted))
            continue;
        if (!can_fetch(self, t) || vec_caches_look(&self->caches, &self->caches.data, wanted, &place) != VEC_MISSED ||
            place == CACHE_NO_PLACE)
            return;
        send_read(self, wanted, HD_CLASS_GLOBAL, t);
        self->counters.prefetches++;
    }
}

uint32_t core_look_up(vec_core *self, uint32_t line, uint8_t *bytes, enum vec_found *found, hd_time t)
{
    uint32_t place;
    if (!vec_caches_has(&self->caches, line) && !can_fetch(self, t))
        return 0;
    *found = vec_caches_look(&self->caches, &self->caches.data, line, &place);
    if (*found == VEC_MISSED && place == CACHE_NO_PLACE)
        return 0;
    self->counters.l1d_hits += *found == VEC_FOUND_FIRST;
    self->counters.l1d_misses += *found != VEC_FOUND_FIRST;
    self->counters.l2_misses += *found == VEC_MISSED || *found == VEC_COMING;
    if (*found == VEC_MISSED)
        send_read(self, line, HD_CLASS_GLOBAL, t);
    else if (*found != VEC_COMING && bytes)
        memcpy(bytes, self->caches.bytes[place], VEC_LINE_BYTES);
    if (*found != VEC_FOUND_FIRST)
        prefetch(self, line, t);
    return 1;
}

/* One line of the plan. 0: it cannot even be fetched now. */
static uint32_t look_up(vec_core *self, uint32_t i, hd_time t)
{
    enum vec_found found;
    if (!core_look_up(self, self->plan.lines[i], self->plan.bytes[i], &found, t))
        return 0;
    self->is_missing[i] = found == VEC_MISSED || found == VEC_COMING;
    self->missing += self->is_missing[i];
    self->from_second |= found != VEC_FOUND_FIRST;
    return 1;
}

uint32_t core_load(vec_core *self, hd_time t)
{
    while (self->next < self->plan.count && look_up(self, self->next, t))
        self->next++;
    self->waits = self->next < self->plan.count || self->missing;
    return !self->waits;
}

const uint8_t *core_fetch(vec_core *self, hd_time t)
{
    const uint32_t line = self->hart.thread.pc & ~(VEC_LINE_BYTES - 1);
    uint32_t place;
    self->waits = 1;
    if (!vec_caches_has(&self->caches, line) && !can_fetch(self, t))
        return NULL;
    const enum vec_found found = vec_caches_look(&self->caches, &self->caches.code, line, &place);
    if (found == VEC_MISSED && place != CACHE_NO_PLACE)
        send_read(self, line, HD_CLASS_CODE, t);
    if (found == VEC_MISSED || found == VEC_COMING)
        return NULL;
    self->waits = 0;
    if (found == VEC_FOUND_SECOND) {
        self->counters.l1i_misses++;
        vec_window_hold(&self->window, vec_window_entry(&self->window) + value_of(self, PARAMETER_SECOND_LATENCY));
    }
    self->code_line = line;
    return self->caches.bytes[place];
}

static void lose_memory(vec_core *self, hd_time t)
{
    self->services->fault(self->services->context, t, "%s: out of memory", self->services->name);
    self->activity = ACTIVITY_FAULTED;
}

/* ---- Storing ---------------------------------------------------------------------------------------------------------- */

static void fill_write(const vec_core *self, uint32_t i, uint32_t first, uint32_t bytes, uint32_t has_gaps,
                       hd_packet *packet)
{
    uint8_t *body = hd_body(packet);
    memcpy(body, self->plan.bytes[i] + first, bytes);
    for (uint32_t b = 0; has_gaps && b < bytes; b++)
        body[bytes + b] = self->plan.enabled[i] >> (first + b) & 1 ? 0xFF : 0;
}

static void send_write(vec_core *self, uint32_t i, hd_time t)
{
    const hd_services *s = self->services;
    const uint64_t enabled = self->plan.enabled[i];
    const uint32_t first = (uint32_t)__builtin_ctzll(enabled), last = 63 - (uint32_t)__builtin_clzll(enabled);
    const uint32_t bytes = last - first + 1, has_gaps = (uint32_t)__builtin_popcountll(enabled) != bytes;
    hd_packet *packet = s->alloc(s->context, has_gaps ? 2 * bytes : bytes);
    fill_write(self, i, first, bytes, has_gaps, packet);
    packet->message = self->messages[MESSAGE_WRITE];
    packet->source = (uint16_t)s->endpoint;
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->address = self->hart.thread.physical + self->plan.lines[i] + first;
    packet->argument = bytes;
    packet->body_bytes = has_gaps ? 2 * bytes : bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    packet->tag = value_of(self, PARAMETER_MISSES);
    s->send(s->context, self->memory_out, packet, t);
    self->storing++;
    self->counters.stores++;
}

uint32_t core_store(vec_core *self, hd_time t)
{
    const hd_services *s = self->services;
    for (self->waits = 0; self->next < self->plan.count; self->next++) {
        const uint32_t i = self->next;
        if (self->storing == value_of(self, PARAMETER_STORES) || !hd_link_has_credit(s, self->memory_out, t) ||
            !vec_caches_store(&self->caches, self->plan.lines[i], self->plan.bytes[i], self->plan.enabled[i])) {
            self->waits = 1;
            return 0;
        }
        if (self->loads.capacity &&
            !vec_image_store(&self->image, self->plan.lines[i], self->plan.bytes[i], self->plan.enabled[i]))
            lose_memory(self, t);
        send_write(self, i, t);
    }
    return 1;
}

/* ---- Answers ---------------------------------------------------------------------------------------------------------- */

/* The lines of the plan that waited for it. */
static void deliver(vec_core *self, uint32_t line, const uint8_t *bytes)
{
    if (self->phase != PHASE_LINES)
        return;
    for (uint32_t i = 0; i < self->next && self->missing; i++)
        if (self->is_missing[i] && self->plan.lines[i] == line) {
            memcpy(self->plan.bytes[i], bytes, VEC_LINE_BYTES);
            self->is_missing[i] = 0;
            self->missing--;
        }
}

static void take(vec_core *self, const hd_packet *response, hd_time t)
{
    const hd_services *s = self->services;
    const uint32_t is_read = response->tag < value_of(self, PARAMETER_MISSES);
    const uint32_t line = is_read ? self->fetched[response->tag] : NO_LINE;
    if (response->argument != HD_STATUS_OK ||
        (is_read && (line == NO_LINE || response->body_bytes != VEC_LINE_BYTES)) || (!is_read && !self->storing)) {
        s->fault(s->context, t, "%s: memory refused an access, or answered one that was not made", s->name);
        self->activity = ACTIVITY_FAULTED;
        return;
    }
    self->waits = 0;
    if (!is_read) {
        self->storing--;
        return;
    }
    self->fetched[response->tag] = NO_LINE;
    self->fetching--;
    if (self->loads.capacity &&
        !vec_image_come(&self->image, line, hd_body_const(response), vec_caches_late(&self->caches, line))) {
        s->fault(s->context, t,
                 "%s: the line at 0x%08x is not what the core has seen there: somebody else has written it, "
                 "or accesses have overtaken each other",
                 s->name, line);
        self->activity = ACTIVITY_FAULTED;
        return;
    }
    const uint32_t place = vec_caches_fill(&self->caches, line, hd_body_const(response));
    deliver(self, line, self->caches.bytes[place]);
    core_line_came(self, line);
}

void core_take_responses(vec_core *self, hd_time t)
{
    const hd_services *s = self->services;
    for (hd_packet *packet; (packet = hd_link_pop(s, self->memory_in, t));) {
        if (self->activity != ACTIVITY_FAULTED)
            take(self, packet, t);
        s->free(s->context, packet);
    }
}
