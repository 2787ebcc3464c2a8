/* SPDX-License-Identifier: MIT */
/* Packets of the Remote-Port protocol, version 4, as bytes and as what they say. docs/qemu-port.md describes them byte by byte. */
#ifndef RP_PACKET_H
#define RP_PACKET_H

#include <stddef.h>
#include <stdint.h>

#define RP_MAJOR 4u
#define RP_MINOR 3u

/* Commands. */
#define RP_NOP 0u
#define RP_HELLO 1u
#define RP_CONFIGURE 2u
#define RP_READ 3u
#define RP_WRITE 4u
#define RP_INTERRUPT 5u
#define RP_SYNC 6u

/* Flags. */
#define RP_OPTIONAL 1u /* whoever does not know the command may leave it */
#define RP_RESPONSE 2u
#define RP_POSTED 4u /* no response is waited for */

/* Capabilities, in a HELLO: bit 1 << number. */
#define RP_CAN_EXTEND 1u       /* READ and WRITE in the extended form */
#define RP_CAN_ENABLE 2u       /* byte enables in that form */
#define RP_CAN_ANSWER_WIRES 3u /* an INTERRUPT is responded to, unless it is posted */
#define RP_CAN_TRANSLATE 4u
#define RP_OUR_CAPABILITIES (1u << RP_CAN_EXTEND | 1u << RP_CAN_ENABLE | 1u << RP_CAN_ANSWER_WIRES)

/* Attributes of READ and WRITE. */
#define RP_EXTENDED 4u
#define RP_STATUS_SHIFT 8u
#define RP_STATUS_MASK 15u

/* Status of a response. */
#define RP_OK 0u
#define RP_GENERIC_ERROR 1u
#define RP_ADDRESS_ERROR 2u

#define RP_HEADER_BYTES 20u
#define RP_ACCESS_BYTES 58u   /* READ, WRITE: header included, without data */
#define RP_EXTENDED_BYTES 80u /* ... of the extended form */
#define RP_DATA_MAX 4096u     /* of one access */
#define RP_BYTES_MAX (RP_EXTENDED_BYTES + 2 * RP_DATA_MAX)

typedef struct rp_packet {
    uint32_t command;
    uint32_t id;
    uint32_t flags;
    uint32_t device;
    uint64_t time;         /* in nanoseconds: READ, WRITE, INTERRUPT, SYNC */
    uint64_t attributes;   /* READ, WRITE */
    uint64_t address;      /* ... */
    uint32_t length;       /* ... bytes that are read or written */
    uint32_t stream_width; /* ... after which the address begins again; as the length: it does not */
    uint32_t line;         /* INTERRUPT */
    uint32_t level;        /* ... */
    uint32_t major, minor; /* HELLO */
    uint32_t capabilities; /* ... */
    uint32_t data_bytes;   /* WRITE, or the response of a READ */
    uint32_t enable_bytes; /* ...: pattern of byte enables, 0xFF or 0, that repeats; 0: all are enabled */
    uint8_t data[RP_DATA_MAX];
    uint8_t enables[RP_DATA_MAX];
} rp_packet;

static inline uint32_t rp_carries_data(const rp_packet *packet)
{
    return packet->command == (packet->flags & RP_RESPONSE ? RP_READ : RP_WRITE);
}

static inline uint32_t rp_status(const rp_packet *response)
{
    return (uint32_t)(response->attributes >> RP_STATUS_SHIFT) & RP_STATUS_MASK;
}

/* Returns how many bytes it takes, at most RP_BYTES_MAX. An access is of the extended form if its attributes say so; enables need it. */
size_t rp_encode(const rp_packet *packet, uint8_t *bytes);
/* Returns how many of the bytes the first packet takes; 0: there is more to come of it; -1: they are none, and *why says so. */
long rp_decode(const uint8_t *bytes, size_t count, rp_packet *packet, const char **why);

#endif
