/* SPDX-License-Identifier: MIT */
/* The scripted services, and what the pipe tells. */
#include "memory_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const messages[] = {HD_GLOBAL_LOAD,   HD_GLOBAL_LOAD_REPLY,   HD_GLOBAL_STORE,  HD_GLOBAL_STORE_ACK,
                                       HD_GLOBAL_ATOMIC, HD_GLOBAL_ATOMIC_REPLY, HD_UNCACHED_LOAD, HD_UNCACHED_STORE,
                                       HD_BUFFER_LOAD,   HD_BUFFER_STORE,        HD_GLOBAL_MISTAKE};

static hd_packet *make_packet(rig *r, uint32_t body_bytes)
{
    hd_packet *packet = calloc(1, sizeof *packet + HD_PACKET_BODY_MAX);
    packet->body_capacity = HD_PACKET_BODY_MAX;
    packet->body_bytes = body_bytes;
    memset(packet + 1, 0xA5, HD_PACKET_BODY_MAX); /* bodies come as they are */
    r->packets_alive++;
    return packet;
}

static uint32_t service_message(void *context, const char *name)
{
    (void)context;
    for (uint32_t i = 0; i < RIG_MESSAGES; ++i)
        if (strcmp(name, messages[i]) == 0)
            return i;
    cr_assert_fail("unknown message %s", name);
    return 0;
}

static hd_packet *service_alloc(void *context, uint32_t body_bytes)
{
    cr_assert_leq(body_bytes, HD_PACKET_BODY_MAX);
    return make_packet(context, body_bytes);
}

static void service_free(void *context, hd_packet *packet)
{
    ((rig *)context)->packets_alive--;
    free(packet);
}

static uint32_t service_credits(void *context, hd_link *link, hd_time t)
{
    (void)link;
    (void)t;
    return ((rig *)context)->credits;
}

static hd_time random_delay(rig *r)
{
    if (r->random == 0)
        return 0;
    return rig_random(&r->random) % (r->random_delay + 1) * RIG_CYCLE;
}

static void service_send(void *context, hd_link *link, hd_packet *packet, hd_time t)
{
    rig *r = context;
    (void)link;
    cr_assert_gt(r->credits, 0);
    cr_assert_lt(r->in_flight_count, RIG_PACKETS);
    const uint32_t partition = hd_partition_of(&r->map, packet->address);
    cr_assert_eq(packet->destination, r->endpoints[partition]);
    cr_assert_eq(packet->unit, HD_DESTINATION_L2_SLICE);
    if (r->sent_count < RIG_SENT) {
        rig_sent *sent = &r->sent[r->sent_count++];
        sent->packet = *packet;
        sent->t = t;
        memcpy(sent->body, hd_body(packet), packet->body_bytes);
    }
    hd_time accepted = t + (hd_time)r->accept_delay * RIG_CYCLE + random_delay(r);
    accepted = accepted > r->last_accepted[partition] ? accepted : r->last_accepted[partition];
    r->last_accepted[partition] = accepted;
    hd_time arrival = accepted + (hd_time)r->reply_delay * RIG_CYCLE + random_delay(r);
    arrival = arrival > r->last_arrival[partition] ? arrival : r->last_arrival[partition];
    r->last_arrival[partition] = arrival;
    r->in_flight[r->in_flight_count++] = (rig_packet){packet, accepted, arrival, r->sequence++, 0, partition};
}

static rig_packet *first_reply(rig *r, hd_time t)
{
    rig_packet *first = NULL;
    if (r->hold)
        return NULL;
    for (uint32_t i = 0; i < r->in_flight_count; ++i) {
        rig_packet *p = &r->in_flight[i];
        if (p->answered && p->arrival <= t &&
            (first == NULL || p->arrival < first->arrival ||
             (p->arrival == first->arrival && p->sequence < first->sequence)))
            first = p;
    }
    return first;
}

void rig_show_replies(rig *r)
{
    const rig_packet *p = first_reply(r, HD_NEVER);
    r->replies = p ? (hd_link_head){p->arrival, p->packet} : (hd_link_head){.arrival = HD_NEVER};
}

static const hd_packet *service_peek(void *context, hd_link *link, hd_time t)
{
    (void)link;
    rig_packet *p = first_reply(context, t);
    return p == NULL ? NULL : p->packet;
}

static hd_packet *service_pop(void *context, hd_link *link, hd_time t)
{
    rig *r = context;
    (void)link;
    rig_packet *p = first_reply(r, t);
    if (p == NULL)
        return NULL;
    hd_packet *packet = p->packet;
    *p = r->in_flight[--r->in_flight_count];
    rig_show_replies(r);
    return packet;
}

static hd_time service_arrival(void *context, hd_link *link)
{
    (void)link;
    const rig_packet *p = first_reply(context, HD_NEVER);
    return p == NULL ? HD_NEVER : p->arrival;
}

/* Credits come between two edges, unannounced. */
static hd_time service_credit_arrival(void *context, hd_link *link)
{
    const rig *r = context;
    (void)link;
    return r->credits == 0 ? HD_NEVER : rig_time(r, r->edge);
}

static void service_fault(void *context, hd_time t, const char *format, ...)
{
    (void)context;
    (void)t;
    cr_assert_fail("fault: %s", format);
}

/* Restarts with each reset, as an engine's does. */
static uint64_t service_random(void *context)
{
    return ((rig *)context)->seed;
}

static const void *service_extension(void *context, const char *id)
{
    return strcmp(id, HD_EXTENSION_ADDRESS_MAP) == 0 ? &((rig *)context)->map : NULL;
}

/* ---- Events of the pipe ---- */

static void on_done(void *context, uint32_t ticket, uint64_t mask, const uint32_t *value, uint32_t last, hd_time t)
{
    rig_result *result = &((rig *)context)->result[ticket];
    cr_assert_eq(result->lanes & mask, 0, "a lane has its value twice");
    cr_assert_eq(result->last, 0, "done after the last");
    for (uint32_t lane = 0; lane < 64; ++lane)
        if (mask >> lane & 1)
            result->value[lane] = value[lane];
    result->lanes |= mask;
    result->calls++;
    result->last = last;
    result->at = t;
}

static void on_fault(void *context, const memory_access *access, uint32_t lane, hd_time t, const char *what)
{
    rig *r = context;
    (void)t;
    snprintf(r->fault, sizeof r->fault, "%s", what);
    r->fault_lane = lane;
    r->fault_access = *access;
    r->faults++;
}

static void on_drained(void *context, uint32_t warp, hd_time t)
{
    (void)t;
    ((rig *)context)->drained[warp]++;
}

static void on_fetched(void *context, uint32_t path, uint32_t sequence)
{
    rig *r = context;
    cr_assert_lt(r->fetched_count, RIG_FETCHES);
    r->fetched[r->fetched_count++] = (rig_fetched){path, sequence, r->edge};
}

const hd_services rig_services = {.abi_version = HD_ABI_VERSION,
                                  .struct_bytes = sizeof(hd_services),
                                  .name = "core[3]",
                                  .endpoint = 3,
                                  .message = service_message,
                                  .alloc = service_alloc,
                                  .free = service_free,
                                  .credits = service_credits,
                                  .send = service_send,
                                  .peek = service_peek,
                                  .pop = service_pop,
                                  .arrival = service_arrival,
                                  .credit_arrival = service_credit_arrival,
                                  .fault = service_fault,
                                  .random = service_random,
                                  .extension = service_extension};
const memory_events rig_events = {.done = on_done, .fault = on_fault, .drained = on_drained, .fetched = on_fetched};
