/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "queues.h"

void rings_reset(queues *self)
{
    memset(self->rings, 0, self->ring_count * sizeof *self->rings);
    for (uint32_t i = 0; i < self->ring_count; i++)
        self->rings[i].shown = EVENT_COUNT;
    self->next_line_ring = 0;
    self->next_launch_ring = 0;
    self->running = 0;
    self->error = HD_QUEUE_ERROR_NONE;
    self->error_queue = 0;
    self->error_index = 0;
    self->error_status = 0;
    self->error_address = 0;
    self->copying = 0;
    self->next_copy_ring = 0;
}

void rings_start_fetches(queues *self)
{
    for (uint32_t i = 0; i < self->ring_count; i++) {
        ring *ring = &self->rings[i];
        if (ring->state == RING_IDLE && ring->doorbell != ring->completed)
            ring->state = RING_FETCH_DUE;
    }
}

uint32_t ring_has_work(const ring *ring)
{
    return ring->state != RING_STOPPED && (ring->state != RING_IDLE || ring->doorbell != ring->completed);
}

uint32_t rings_have_work(const queues *self)
{
    for (uint32_t i = 0; i < self->ring_count; i++) {
        if (ring_has_work(&self->rings[i]))
            return 1;
    }
    return 0;
}

static uint32_t needs_line(const ring *ring)
{
    return ring->state == RING_FETCH_DUE || ring->state == RING_COMPLETION_DUE;
}

uint32_t rings_need_line(const queues *self)
{
    for (uint32_t i = 0; i < self->ring_count; i++) {
        if (needs_line(&self->rings[i]))
            return 1;
    }
    return 0;
}

static uint32_t entry_of(const ring *ring)
{
    return ring->completed & (ring->entries - 1);
}

static hd_packet *fetch(queues *self, uint32_t index)
{
    ring *ring = &self->rings[index];
    ring->state = RING_FETCHING;
    return lines_load(self, ring->base + entry_of(ring) * HD_DESCRIPTOR_BYTES, HD_DESCRIPTOR_BYTES, TAG_RING | index,
                      HD_CLASS_CONTROL);
}

static hd_packet *write_completion(queues *self, uint32_t index)
{
    ring *ring = &self->rings[index];
    hd_queue_completion record = {
        .launch = ring->number,
        .status = HD_COMPLETION_DONE,
        .queue = index,
        .index = ring->completed,
        .start_cycle = ring->start_cycle,
        .end_cycle = ring->end_cycle,
    };
    ring->state = RING_COMPLETING;
    return lines_store(self, ring->completion + entry_of(ring) * HD_COMPLETION_BYTES, (const uint8_t *)&record, NULL,
                       sizeof record, TAG_RING | index, HD_CLASS_CONTROL);
}

hd_packet *rings_next_line(queues *self)
{
    for (uint32_t i = 0; i < self->ring_count; i++) {
        uint32_t index = (self->next_line_ring + i) % self->ring_count;
        if (!needs_line(&self->rings[index]))
            continue;
        self->next_line_ring = (index + 1) % self->ring_count;
        return self->rings[index].state == RING_FETCH_DUE ? fetch(self, index) : write_completion(self, index);
    }
    return NULL;
}

static uint32_t is_in_flight(const queues *self, uint32_t launch)
{
    for (uint32_t i = 0; i < self->ring_count; i++) {
        const ring *ring = &self->rings[i];
        if (ring->state >= RING_READY && ring->state <= RING_RUNNING && ring->grid.launch == launch)
            return 1;
    }
    return 0;
}

static uint32_t check_grid(const queues *self, const hd_grid *grid)
{
    for (uint32_t i = 0; i < 3; i++) {
        if (grid->grid_size[i] == 0 || grid->block_size[i] == 0)
            return HD_QUEUE_ERROR_GRID;
    }
    if (grid->private_bytes % HD_LINE_BYTES != 0)
        return HD_QUEUE_ERROR_PRIVATE;
    return is_in_flight(self, grid->launch) ? HD_QUEUE_ERROR_LAUNCH : HD_QUEUE_ERROR_NONE;
}

uint32_t rings_stop(queues *self, uint32_t index, uint32_t error)
{
    self->counters[STATISTIC_BAD_DESCRIPTORS]++;
    self->rings[index].state = RING_ERROR_WANTED;
    if (self->error != HD_QUEUE_ERROR_NONE)
        return 0;
    self->error = error;
    self->error_queue = index;
    self->error_index = self->rings[index].completed;
    return 1;
}

/* Returns HD_QUEUE_ERROR_*, and takes it if that is HD_QUEUE_ERROR_NONE. */
static uint32_t take_grid(const queues *self, ring *ring, const hd_grid *grid)
{
    const uint32_t error = check_grid(self, grid);
    ring->grid = *grid;
    ring->grid.stream = (uint32_t)(ring - self->rings);
    ring->grid.reserved = 0;
    ring->is_copy = 0;
    ring->number = grid->launch;
    ring->state = RING_READY;
    return error;
}

static uint32_t take_copy(const queues *self, ring *ring, const hd_copy *copy)
{
    ring->copy = *copy;
    ring->is_copy = 1;
    ring->number = copy->number;
    ring->state = RING_COPY_DUE;
    return copies_check(self, copy);
}

/* line: a descriptor, of whatever kind it says it is. */
static uint32_t take_descriptor(const queues *self, ring *ring, const void *line)
{
    hd_queue_descriptor launch;
    hd_queue_copy copy;
    memcpy(&launch, line, sizeof launch);
    memcpy(&copy, line, sizeof copy);
    if (launch.mark == HD_DESCRIPTOR_LAUNCH)
        return take_grid(self, ring, &launch.grid);
    if (copy.mark == HD_DESCRIPTOR_COPY && copies_possible(self))
        return take_copy(self, ring, &copy.copy);
    return HD_QUEUE_ERROR_DESCRIPTOR;
}

void rings_line_done(queues *self, uint32_t index, const hd_packet *reply, hd_time t)
{
    const hd_services *s = self->services;
    ring *ring = index < self->ring_count ? &self->rings[index] : NULL;
    if (ring != NULL && ring->state == RING_COMPLETING && reply->message == self->messages[MESSAGE_STORE_ACK]) {
        ring->state = RING_INTERRUPT_WANTED;
        return;
    }
    if (ring == NULL || ring->state != RING_FETCHING || reply->message != self->messages[MESSAGE_LOAD_REPLY]) {
        s->fault(s->context, t, "reply: an answer that queue %u did not ask for", index);
        self->stopped = 1;
        return;
    }
    uint32_t error = take_descriptor(self, ring, hd_body_const(reply));
    if (error != HD_QUEUE_ERROR_NONE)
        rings_stop(self, index, error);
}

static ring *find_running(queues *self, uint64_t launch)
{
    for (uint32_t i = 0; i < self->ring_count; i++) {
        if (self->rings[i].state == RING_RUNNING && self->rings[i].grid.launch == launch)
            return &self->rings[i];
    }
    return NULL;
}

void rings_take_done(queues *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    while (!self->stopped && (packet = hd_link_pop(s, self->done_in, t)) != NULL) {
        ring *ring = find_running(self, packet->tag);
        if (ring == NULL) {
            s->fault(s->context, t, "done: launch %llu is not running", (unsigned long long)packet->tag);
            self->stopped = 1;
        } else {
            ring->end_cycle = self->cursor.n;
            ring->state = RING_COMPLETION_DUE;
            self->running--;
            s->progress(s->context, t);
            if (self->rendezvous != NULL)
                self->rendezvous->request(self->rendezvous->context, t, HD_RENDEZVOUS_KERNEL_END, packet->tag);
        }
        s->free(s->context, packet);
    }
}

static uint32_t asks_for_interrupt(const ring *ring)
{
    return ring->state == RING_INTERRUPT_WANTED || ring->state == RING_ERROR_WANTED;
}

static ring *next_interrupt(queues *self)
{
    for (uint32_t i = 0; i < self->ring_count; i++) {
        if (asks_for_interrupt(&self->rings[i]))
            return &self->rings[i];
    }
    return NULL;
}

static void send_interrupt(queues *self, const ring *ring, hd_time t)
{
    const hd_services *s = self->services;
    uint32_t is_error = ring->state == RING_ERROR_WANTED;
    uint64_t queue = (uint64_t)(ring - self->rings);
    hd_packet *packet = s->alloc(s->context, 0);
    packet->message = self->messages[MESSAGE_INTERRUPT];
    packet->source = (uint16_t)s->endpoint;
    packet->argument = is_error ? HD_INTERRUPT_LINE_ERROR : HD_INTERRUPT_LINE_COMPLETION;
    packet->tag = queue << 32 | (is_error ? ring->completed : ring->number);
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    s->send(s->context, self->interrupt_out, packet, t);
    self->counters[STATISTIC_INTERRUPTS]++;
}

uint32_t rings_interrupt(queues *self, hd_time t)
{
    const hd_services *s = self->services;
    ring *ring = next_interrupt(self);
    if (ring == NULL)
        return 0;
    if (self->interrupt_out != NULL) {
        if (!hd_link_has_credit(s, self->interrupt_out, t))
            return 0;
        send_interrupt(self, ring, t);
    }
    if (ring->state == RING_ERROR_WANTED) {
        ring->state = RING_STOPPED;
    } else {
        ring->completed++;
        ring->state = RING_IDLE;
    }
    return ring->doorbell != ring->completed || next_interrupt(self) != NULL;
}
