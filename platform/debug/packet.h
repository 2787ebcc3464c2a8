/* SPDX-License-Identifier: MIT */
/*
 * Packets of gdb's remote serial protocol: "$" bytes "#" checksum in two hexadecimal digits. In the bytes, "}" says that the next
 * one is meant with bit 5 flipped. Between packets there are acknowledgements and, as a byte of its own, Ctrl-C.
 */
#ifndef HD_DEBUG_PACKET_H
#define HD_DEBUG_PACKET_H

#include <stddef.h>
#include <stdint.h>

#define PACKET_BYTES_MAX 0x4000u

enum packet_event {
    PACKET_NOTHING,
    PACKET_COMPLETE,  /* bytes[0 .. count - 1] are one; bytes[count] is 0 */
    PACKET_DAMAGED,   /* the checksum is wrong */
    PACKET_TOO_LONG,  /* intact, but it has more bytes than there is room for */
    PACKET_REPEAT,    /* the other side wants the last one again */
    PACKET_INTERRUPT, /* Ctrl-C */
};

typedef struct packet_reader {
    uint32_t state;
    uint32_t is_escaped;
    uint8_t sum, told; /* of what has come, and what it is to be */
    size_t count;
    char bytes[PACKET_BYTES_MAX + 1];
} packet_reader;

/* `reader` was zeroed once. What PACKET_COMPLETE has given is there until the next byte. */
enum packet_event packet_take(packet_reader *reader, uint8_t byte);

/* Bytes that are to be sent. Zeroed: none. */
typedef struct packet_output {
    char *bytes;
    size_t count, capacity;
} packet_output;

void packet_output_add(packet_output *output, const void *bytes, size_t count);
void packet_output_take_away(packet_output *output, size_t count); /* they have been sent */
void packet_output_free(packet_output *output);
/* A whole packet, with what has to be escaped. */
void packet_output_frame(packet_output *output, const void *bytes, size_t count);

/* -1: it is no hexadecimal digit. */
int packet_digit(char c);
/* The number that begins at *text, which goes on behind it; 0: there is none, or one of more than 64 bits. */
uint32_t packet_number(const char **text, uint64_t *value);
/* Bytes from twice as many digits; 0: these are not all digits. */
uint32_t packet_bytes(const char *digits, void *bytes, size_t count);
/* Twice as many digits, and a 0 behind. */
void packet_digits(const void *bytes, size_t count, char *digits);

#endif
