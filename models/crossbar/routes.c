/* SPDX-License-Identifier: MIT */
#include "routes.h"

#include <inttypes.h>
#include <string.h>

#include "hd_message.h"

void routes_create(routes *routes, const hd_services *services)
{
    routes->services = services;
    routes->units = services->extension(services->context, HD_EXTENSION_UNITS);
}

void routes_reset(routes *routes)
{
    memset(routes->kept, 0, sizeof routes->kept);
}

static uint32_t ask(const routes *routes, uint32_t endpoint, uint32_t unit)
{
    const hd_services *services = routes->services;
    if (unit != HD_DESTINATION_DEFAULT && routes->units)
        endpoint = routes->units->endpoint(routes->units->context, endpoint, unit);
    const uint32_t element =
        endpoint == UINT32_MAX ? UINT32_MAX : services->route(services->context, 1, endpoint); /* port 1 is `output` */
    return element < SET_MEMBERS ? element : ROUTE_NONE;
}

uint32_t routes_learn(routes *routes, uint32_t endpoint, uint32_t unit, struct route *kept)
{
    const uint32_t element = ask(routes, endpoint, unit);
    if (element != ROUTE_NONE && unit <= UINT16_MAX)
        *kept = (struct route){1, (uint16_t)endpoint, (uint16_t)unit, (uint16_t)element};
    return element;
}

uint32_t routes_find_set(routes *routes, const hd_packet *packet, set *elements)
{
    for (uint64_t bits = packet->destination_set; bits;) {
        const uint32_t element = routes_find(routes, packet->destination + set_take(&bits), packet->unit);
        if (element == ROUTE_NONE)
            return ROUTE_NONE;
        set_add(elements, element);
    }
    return set_count(elements, SET_WORDS);
}

uint64_t routes_share(routes *routes, const hd_packet *packet, uint32_t element)
{
    uint64_t share = 0;
    for (uint64_t bits = packet->destination_set; bits;) {
        const uint32_t bit = set_take(&bits);
        if (routes_find(routes, packet->destination + bit, packet->unit) == element)
            share |= UINT64_C(1) << bit;
    }
    return share;
}

void routes_narrow(hd_packet *packet, uint64_t share)
{
    if (share & (share - 1)) {
        packet->destination_set = share;
        return;
    }
    packet->destination = (uint16_t)(packet->destination + __builtin_ctzll(share));
    packet->destination_set = 0;
}

hd_packet *routes_copy(routes *routes, const hd_packet *packet, uint64_t share)
{
    const hd_services *services = routes->services;
    hd_packet *copy = services->alloc(services->context, packet->body_bytes);
    const uint32_t capacity = copy->body_capacity;
    *copy = *packet;
    copy->body_capacity = capacity;
    memcpy(hd_body(copy), hd_body_const(packet), packet->body_bytes);
    routes_narrow(copy, share);
    return copy;
}

void routes_refuse(routes *routes, const hd_packet *packet, hd_time t)
{
    const hd_services *services = routes->services;
    uint32_t endpoint = packet->destination;
    for (uint64_t bits = packet->destination_set; bits;) {
        endpoint = packet->destination + set_take(&bits);
        if (routes_find(routes, endpoint, packet->unit) == ROUTE_NONE)
            break;
    }
    services->fault(services->context, t,
                    "%s: no way to endpoint %" PRIu32 ", unit %" PRIu32 ", for a packet from endpoint %" PRIu16,
                    services->name, endpoint, packet->unit, packet->source);
}
