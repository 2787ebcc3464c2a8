/* SPDX-License-Identifier: MIT */
/* Packets by what they are for. */
#include "state.h"

/* TRAFFIC_*; a model from elsewhere may answer anything. */
static uint32_t traffic_of(uint32_t traffic_class)
{
    static const uint8_t traffic[HD_CLASS_COUNT] = {
        [HD_CLASS_GLOBAL] = TRAFFIC_GLOBAL,     [HD_CLASS_PRIVATE] = TRAFFIC_PRIVATE,
        [HD_CLASS_CONSTANT] = TRAFFIC_CONSTANT, [HD_CLASS_ATOMIC] = TRAFFIC_ATOMIC,
        [HD_CLASS_CODE] = TRAFFIC_CODE,         [HD_CLASS_TRANSACTION] = TRAFFIC_TRANSACTION,
        [HD_CLASS_TEXTURE] = TRAFFIC_TEXTURE,   [HD_CLASS_CONTEXT] = TRAFFIC_CONTEXT};
    return traffic_class < HD_CLASS_COUNT ? traffic[traffic_class] : TRAFFIC_GLOBAL;
}

void traffic_count_sent(memory_counters *counters, const hd_packet *packet)
{
    const uint32_t traffic = traffic_of(packet->traffic_class);
    counters->packets_sent++;
    counters->bytes_sent += packet->wire_bytes;
    counters->packets_sent_by[traffic]++;
    counters->bytes_sent_by[traffic] += packet->wire_bytes;
}

void traffic_count_received(memory_counters *counters, const hd_packet *packet)
{
    const uint32_t traffic = traffic_of(packet->traffic_class);
    counters->packets_received++;
    counters->bytes_received += packet->wire_bytes;
    counters->packets_received_by[traffic]++;
    counters->bytes_received_by[traffic] += packet->wire_bytes;
}
