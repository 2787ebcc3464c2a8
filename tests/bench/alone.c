/* SPDX-License-Identifier: MIT */
#include "alone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_link.h"
#include "hd_message.h"

enum { PORTS_MAX = 64, MESSAGES_MAX = 8, CREDITS = 1 << 20 };

/* Either direction of a port. */
struct hd_link {
    hd_link_head head; /* the request that stands at the port */
    alone *owner;
    uint32_t element;
    _Alignas(HD_LINK_HAND_OFFSET) hd_link_hand hand;
};
_Static_assert(offsetof(struct hd_link, hand) == HD_LINK_HAND_OFFSET, "as hd_link.h says");

struct alone {
    const hd_block_class *block_class;
    hd_block *block;
    hd_services services;
    alone_source *source;
    void *source_context;
    struct hd_link requests[PORTS_MAX], responses[PORTS_MAX];
    uint32_t port_count;
    const char *messages[MESSAGES_MAX];
    uint32_t message_count;
    hd_packet **pool; /* free packets, each with room for a whole body */
    uint32_t pool_count, pool_size;
    uint64_t sent;
    uint64_t calls;
    uint32_t is_dry;
    hd_time now;
};

static uint32_t message(void *context, const char *name)
{
    alone *self = context;
    for (uint32_t i = 0; i < self->message_count; i++) {
        if (!strcmp(self->messages[i], name))
            return i + 1;
    }
    self->messages[self->message_count++] = name;
    return self->message_count;
}

static hd_packet *alloc(void *context, uint32_t body_bytes)
{
    alone *self = context;
    hd_packet *packet = self->pool_count ? self->pool[--self->pool_count] : malloc(sizeof *packet + HD_PACKET_BODY_MAX);
    memset(packet, 0, sizeof *packet);
    packet->body_bytes = body_bytes;
    packet->body_capacity = HD_PACKET_BODY_MAX;
    return packet;
}

static void give_back(void *context, hd_packet *packet)
{
    alone *self = context;
    if (self->pool_count == self->pool_size) {
        self->pool_size = self->pool_size ? 2 * self->pool_size : 256;
        self->pool = realloc(self->pool, self->pool_size * sizeof(hd_packet *));
    }
    self->pool[self->pool_count++] = packet;
}

static uint32_t credits(void *context, hd_link *link, hd_time t)
{
    (void)context, (void)link, (void)t;
    return CREDITS;
}

static void send(void *context, hd_link *link, hd_packet *packet, hd_time t)
{
    (void)link, (void)t;
    ((alone *)context)->sent++;
    give_back(context, packet);
}

static void stand(hd_link *link, hd_packet *packet)
{
    link->head = packet ? (hd_link_head){.arrival = 0, .packet = packet} : (hd_link_head){.arrival = HD_NEVER};
}

static hd_packet *pop(void *context, hd_link *link, hd_time t)
{
    alone *self = context;
    hd_packet *packet = link->head.packet;
    (void)t;
    if (packet)
        stand(link, self->is_dry ? NULL : self->source(self, self->source_context, link->element));
    return packet;
}

static const hd_packet *peek(void *context, hd_link *link, hd_time t)
{
    (void)context;
    return hd_link_peek(link, t);
}

static hd_time arrival(void *context, hd_link *link)
{
    (void)context;
    return hd_link_arrival(link);
}

static hd_time credit_arrival(void *context, hd_link *link)
{
    (void)context, (void)link;
    return HD_NEVER;
}

static const void *extension(void *context, const char *id)
{
    (void)context, (void)id;
    return NULL;
}

alone *alone_create(const hd_block_class *block_class, const hd_value *values, hd_clock clock, uint32_t ports,
                    alone_source *source, void *context)
{
    char error[256];
    alone *self = aligned_alloc(HD_LINK_HAND_OFFSET, sizeof *self);
    memset(self, 0, sizeof *self);
    self->block_class = block_class;
    self->source = source;
    self->source_context = context;
    self->port_count = ports;
    self->services = (hd_services){.abi_version = HD_ABI_VERSION,
                                   .struct_bytes = sizeof(hd_services),
                                   .context = self,
                                   .name = block_class->kind,
                                   .count = 1,
                                   .clock = clock,
                                   .message = message,
                                   .alloc = alloc,
                                   .free = give_back,
                                   .credits = credits,
                                   .send = send,
                                   .peek = peek,
                                   .pop = pop,
                                   .arrival = arrival,
                                   .extension = extension,
                                   .credit_arrival = credit_arrival};
    self->block = block_class->create(&self->services, values, error, sizeof error);
    if (!self->block) {
        fprintf(stderr, "%s/%s: %s\n", block_class->kind, block_class->type, error);
        exit(1);
    }
    for (uint32_t i = 0; i < ports; i++) {
        self->requests[i] = (hd_link){.head.arrival = HD_NEVER, .owner = self, .element = i};
        self->responses[i] = (hd_link){.head.arrival = HD_NEVER, .owner = self, .element = i, .hand.credits = CREDITS};
        block_class->connect(self->block, 0, i, &self->responses[i], &self->requests[i]);
    }
    block_class->reset(self->block);
    for (uint32_t i = 0; i < ports; i++)
        stand(&self->requests[i], source(self, context, i));
    return self;
}

void alone_destroy(alone *self)
{
    self->block_class->destroy(self->block);
    for (uint32_t i = 0; i < self->port_count; i++)
        free(self->requests[i].head.packet);
    while (self->pool_count)
        free(self->pool[--self->pool_count]);
    free(self->pool);
    free(self);
}

hd_packet *alone_packet(alone *self, const char *name, uint32_t body_bytes)
{
    hd_packet *packet = alloc(self, body_bytes);
    packet->message = message(self, name);
    return packet;
}

void alone_run(alone *self, uint64_t responses, uint32_t cycles)
{
    const hd_time span = hd_clock_cycles(self->services.clock, cycles);
    while (self->sent < responses) {
        self->block_class->advance(self->block, self->now, self->now + span);
        self->calls++;
        self->now += span;
    }
}

uint64_t alone_idle(alone *self, hd_time end)
{
    const uint64_t before = self->calls;
    self->is_dry = 1;
    for (hd_time next = self->now; next < end; self->calls++) {
        self->now = next;
        next = self->block_class->advance(self->block, self->now, end);
    }
    self->now = end;
    return self->calls - before;
}

uint64_t alone_responses(const alone *self)
{
    return self->sent;
}

hd_time alone_now(const alone *self)
{
    return self->now;
}

uint64_t alone_statistic(const alone *self, const char *name)
{
    for (uint32_t i = 0; i < self->block_class->statistic_count; i++) {
        if (!strcmp(self->block_class->statistics[i].name, name))
            return self->block_class->counters(self->block)[i];
    }
    fprintf(stderr, "no statistic '%s'\n", name);
    exit(1);
}
