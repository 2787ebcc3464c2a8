/* SPDX-License-Identifier: MIT */
/* Which element of the port `output` leads where, by endpoint and unit: the platform's answers, remembered. */
#ifndef CROSSBAR_ROUTES_H
#define CROSSBAR_ROUTES_H

#include "hd_extension.h"
#include "sets.h"

#define ROUTES_KEPT 1024u /* a power of two */
#define ROUTE_NONE UINT32_MAX

typedef struct routes {
    const hd_services *services;
    const hd_units *units; /* NULL: a unit has no endpoint of its own */
    struct route {
        uint16_t known; /* 1: this one is */
        uint16_t endpoint;
        uint16_t unit;
        uint16_t element;
    } kept[ROUTES_KEPT];
} routes;

void routes_create(routes *routes, const hd_services *services);
void routes_reset(routes *routes);
/* Asks the platform, and remembers. */
uint32_t routes_learn(routes *routes, uint32_t endpoint, uint32_t unit, struct route *kept);
/* Element that leads to the unit of the endpoint, or ROUTE_NONE. */
static inline uint32_t routes_find(routes *routes, uint32_t endpoint, uint32_t unit)
{
    struct route *kept = &routes->kept[(endpoint + unit * (ROUTES_KEPT / 4)) % ROUTES_KEPT];
    return kept->known && kept->endpoint == endpoint && kept->unit == unit ? kept->element
                                                                           : routes_learn(routes, endpoint, unit, kept);
}
/* Adds the elements that lead to the packet's endpoints. Returns how many, ROUTE_NONE if one of the endpoints cannot be
 * reached. */
uint32_t routes_find_set(routes *routes, const hd_packet *packet, set *elements);
/* What of the packet goes through an element: bits as in destination_set. */
uint64_t routes_share(routes *routes, const hd_packet *packet, uint32_t element);
/* A copy of the packet with that share, in the pool of this block. An ordinary packet if it is for one endpoint. */
hd_packet *routes_copy(routes *routes, const hd_packet *packet, uint64_t share);
/* Makes the packet itself that. */
void routes_narrow(hd_packet *packet, uint64_t share);
/* The run ends: nothing leads where the packet goes. */
void routes_refuse(routes *routes, const hd_packet *packet, hd_time t);

#endif
