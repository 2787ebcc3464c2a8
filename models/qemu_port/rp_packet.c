/* SPDX-License-Identifier: MIT */
#include "rp_packet.h"

#include <string.h>

#define HELLO_VERSION_BYTES 24u /* header and version: all that a HELLO must have */
#define HELLO_BYTES 32u
#define INTERRUPT_BYTES 41u
#define SYNC_BYTES 28u

/* ---- Numbers: the most significant byte comes first -------------------------------------------------------------------- */

static void put(uint8_t *at, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static uint64_t get(const uint8_t *at, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

/* ---- To bytes ---------------------------------------------------------------------------------------------------------- */

static size_t encode_hello(const rp_packet *packet, uint8_t *bytes)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < 32; number++)
        if (packet->capabilities >> number & 1)
            put(bytes + HELLO_BYTES + 4 * count++, number, 4);
    put(bytes + 20, packet->major, 2);
    put(bytes + 22, packet->minor, 2);
    put(bytes + 24, HELLO_BYTES, 4);
    put(bytes + 28, count, 2);
    return HELLO_BYTES + 4 * count;
}

static size_t encode_access(const rp_packet *packet, uint8_t *bytes)
{
    const uint32_t is_extended = (packet->attributes & RP_EXTENDED) != 0;
    const uint32_t header = is_extended ? RP_EXTENDED_BYTES : RP_ACCESS_BYTES;
    put(bytes + 20, packet->time, 8);
    put(bytes + 28, packet->attributes, 8);
    put(bytes + 36, packet->address, 8);
    put(bytes + 44, packet->length, 4);
    put(bytes + 52, packet->stream_width, 4);
    memcpy(bytes + header, packet->data, packet->data_bytes);
    if (!is_extended)
        return header + packet->data_bytes;
    put(bytes + 64, header, 4);
    put(bytes + 72, header + packet->data_bytes, 4);
    put(bytes + 76, packet->enable_bytes, 4);
    memcpy(bytes + header + packet->data_bytes, packet->enables, packet->enable_bytes);
    return header + packet->data_bytes + packet->enable_bytes;
}

static size_t encode_body(const rp_packet *packet, uint8_t *bytes)
{
    switch (packet->command) {
    case RP_HELLO: return encode_hello(packet, bytes);
    case RP_READ:
    case RP_WRITE: return encode_access(packet, bytes);
    case RP_INTERRUPT:
        put(bytes + 20, packet->time, 8);
        put(bytes + 36, packet->line, 4);
        put(bytes + 40, packet->level, 1);
        return INTERRUPT_BYTES;
    case RP_SYNC: put(bytes + 20, packet->time, 8); return SYNC_BYTES;
    default: return RP_HEADER_BYTES;
    }
}

size_t rp_encode(const rp_packet *packet, uint8_t *bytes)
{
    memset(bytes, 0, RP_EXTENDED_BYTES);
    const size_t total = encode_body(packet, bytes);
    put(bytes, packet->command, 4);
    put(bytes + 4, total - RP_HEADER_BYTES, 4);
    put(bytes + 8, packet->id, 4);
    put(bytes + 12, packet->flags, 4);
    put(bytes + 16, packet->device, 4);
    return total;
}

/* ---- From bytes: `total` of them are there ----------------------------------------------------------------------------- */

/* Capabilities of later versions are left. */
static const char *decode_hello(const uint8_t *bytes, uint64_t total, rp_packet *packet)
{
    packet->major = (uint32_t)get(bytes + 20, 2);
    packet->minor = (uint32_t)get(bytes + 22, 2);
    if (total < HELLO_BYTES)
        return NULL;
    const uint64_t offset = get(bytes + 24, 4), count = get(bytes + 28, 2);
    if (count && (offset < HELLO_BYTES || offset + 4 * count > total))
        return "a HELLO whose capabilities lie outside of it";
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t number = get(bytes + offset + 4 * i, 4);
        packet->capabilities |= number < 32 ? UINT32_C(1) << number : 0;
    }
    return NULL;
}

/* bytes + offset: where they lie. */
static const char *decode_data(const uint8_t *bytes, uint64_t offset, uint64_t total, rp_packet *packet)
{
    if (!rp_carries_data(packet) || (packet->flags & RP_RESPONSE && rp_status(packet) != RP_OK))
        return NULL;
    if (offset + packet->length > total)
        return "an access without all of its data";
    packet->data_bytes = packet->length;
    memcpy(packet->data, bytes + offset, packet->length);
    return NULL;
}

static const char *decode_extension(const uint8_t *bytes, uint64_t total, rp_packet *packet)
{
    if (total < RP_EXTENDED_BYTES)
        return "an access of the extended form that is too short for it";
    const uint64_t data = get(bytes + 64, 4), enables = get(bytes + 72, 4), count = get(bytes + 76, 4);
    if (rp_carries_data(packet) && data < RP_EXTENDED_BYTES)
        return "an access whose data lie within its header";
    if (count && (enables < RP_EXTENDED_BYTES || enables + count > total || count > RP_DATA_MAX))
        return "an access whose byte enables lie outside of it";
    packet->enable_bytes = (uint32_t)count;
    memcpy(packet->enables, bytes + enables, count);
    return decode_data(bytes, data, total, packet);
}

static const char *decode_access(const uint8_t *bytes, uint64_t total, rp_packet *packet)
{
    packet->time = get(bytes + 20, 8);
    packet->attributes = get(bytes + 28, 8);
    packet->address = get(bytes + 36, 8);
    packet->length = (uint32_t)get(bytes + 44, 4);
    packet->stream_width = (uint32_t)get(bytes + 52, 4);
    if (packet->length > RP_DATA_MAX)
        return "an access of more than 4096 bytes";
    return packet->attributes & RP_EXTENDED ? decode_extension(bytes, total, packet)
                                            : decode_data(bytes, RP_ACCESS_BYTES, total, packet);
}

static const char *decode_interrupt(const uint8_t *bytes, uint64_t total, rp_packet *packet)
{
    (void)total;
    packet->time = get(bytes + 20, 8);
    packet->line = (uint32_t)get(bytes + 36, 4);
    packet->level = bytes[40] != 0;
    return NULL;
}

static const char *decode_sync(const uint8_t *bytes, uint64_t total, rp_packet *packet)
{
    (void)total;
    packet->time = get(bytes + 20, 8);
    return NULL;
}

/* By command. */
static const struct form {
    uint32_t bytes; /* at least */
    const char *(*decode)(const uint8_t *bytes, uint64_t total, rp_packet *packet);
} forms[] = {
    [RP_NOP] = {RP_HEADER_BYTES, NULL},
    [RP_HELLO] = {HELLO_VERSION_BYTES, decode_hello},
    [RP_CONFIGURE] = {RP_HEADER_BYTES, NULL},
    [RP_READ] = {RP_ACCESS_BYTES, decode_access},
    [RP_WRITE] = {RP_ACCESS_BYTES, decode_access},
    [RP_INTERRUPT] = {INTERRUPT_BYTES, decode_interrupt},
    [RP_SYNC] = {SYNC_BYTES, decode_sync},
};
#define FORMS (sizeof forms / sizeof *forms)

static const char *fault_of_header(const rp_packet *packet, uint64_t total)
{
    if (total > RP_BYTES_MAX)
        return "a length that no packet has";
    if (packet->command >= FORMS)
        return packet->flags & RP_OPTIONAL ? NULL : "an unknown command";
    return total < forms[packet->command].bytes ? "a packet too short for its command" : NULL;
}

long rp_decode(const uint8_t *bytes, size_t count, rp_packet *packet, const char **why)
{
    if (count < RP_HEADER_BYTES)
        return 0;
    const uint64_t total = RP_HEADER_BYTES + get(bytes + 4, 4);
    memset(packet, 0, offsetof(rp_packet, data));
    packet->command = (uint32_t)get(bytes, 4);
    packet->id = (uint32_t)get(bytes + 8, 4);
    packet->flags = (uint32_t)get(bytes + 12, 4);
    packet->device = (uint32_t)get(bytes + 16, 4);
    *why = fault_of_header(packet, total);
    if (!*why && count < total)
        return 0;
    if (!*why && packet->command < FORMS && forms[packet->command].decode)
        *why = forms[packet->command].decode(bytes, total, packet);
    return *why ? -1 : (long)total;
}
