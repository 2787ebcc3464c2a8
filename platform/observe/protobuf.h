/* SPDX-License-Identifier: MIT */
/* Protocol buffers on the wire, as far as a writer of traces needs them: numbers, texts and messages in messages. */
#ifndef HD_PROTOBUF_H
#define HD_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

typedef struct protobuf {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
} protobuf;

void protobuf_clear(protobuf *to); /* keeps the memory */
void protobuf_free(protobuf *of);

void protobuf_number(protobuf *to, uint32_t field, uint64_t value);  /* uint64, int64 of no sign, enum, bool */
void protobuf_fixed64(protobuf *to, uint32_t field, uint64_t value); /* fixed64 */
void protobuf_text(protobuf *to, uint32_t field, const char *text);
void protobuf_message(protobuf *to, uint32_t field, const protobuf *message);

#endif
