/* SPDX-License-Identifier: MIT */
/* Traffic by class: what every network counts when a packet leaves. */
#ifndef CROSSBAR_TRAFFIC_H
#define CROSSBAR_TRAFFIC_H

#include "hd_message.h"
#include "hd_packet.h"

/* packets: the counters that NETWORK_TRAFFIC declares, packets by class and others, then bytes likewise. */
static inline void network_count_class(uint64_t *packets, const hd_packet *packet)
{
    const uint32_t class = packet->traffic_class < HD_CLASS_COUNT ? packet->traffic_class : HD_CLASS_COUNT;
    packets[class]++;
    packets[HD_CLASS_COUNT + 1 + class] += packet->wire_bytes;
}

#endif
