/* SPDX-License-Identifier: MIT */
/*
 * The packet, the unit of transfer on every link: a 64-byte header and a pooled body of up to 1024 bytes, or more where a message
 * says so.
 *
 * Ownership: alloc (hd_services) gives a packet to the caller; send takes it over; pop gives it to the receiver, which
 * frees it or sends it on. A packet from peek is only valid until the next call on that link. Timing depends on
 * wire_bytes only; the body may be larger or smaller than what the modelled wires would carry.
 */
#ifndef HD_PACKET_H
#define HD_PACKET_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HD_PACKET_BODY_MAX 1024u
#define HD_PACKET_STREAM_MAX 1048576u /* of a message that is to take no longer than others, whatever its size */

typedef struct hd_packet {
    uint32_t message;         /* interned message type, hd_services.message */
    uint16_t source;          /* endpoint of the block that first sent it */
    uint16_t destination;     /* endpoint of the receiver; forwarding blocks route by it */
    uint64_t destination_set; /* multicast: bit i = endpoint destination + i; 0 = destination only */
    uint32_t unit;            /* unit of the destination, HD_DESTINATION_* in hd_message.h */
    uint32_t traffic_class;   /* statistics class of the bytes, HD_CLASS_* in hd_message.h */
    uint64_t tag;             /* the requester's; a reply carries its request's tag unchanged */
    uint64_t address;         /* physical byte address, or as the message type defines */
    uint32_t flow;            /* packets of one (source, destination, unit, flow) keep their order everywhere */
    uint32_t wire_bytes;      /* bytes on the wire, header included */
    uint32_t epoch;           /* attempt of the transaction that caused it; 0 outside transactions */
    uint32_t argument;        /* as the message type defines */
    uint32_t body_bytes;      /* bytes used in body */
    uint32_t body_capacity;   /* set by alloc, never changed */
} hd_packet;

/* The body follows the header. */
static inline void *hd_body(hd_packet *packet)
{
    return packet + 1;
}
static inline const void *hd_body_const(const hd_packet *packet)
{
    return packet + 1;
}

#ifdef __cplusplus
}
static_assert(sizeof(hd_packet) == 64, "the packet header is 64 bytes");
#else
_Static_assert(sizeof(hd_packet) == 64, "the packet header is 64 bytes");
#endif

#endif
