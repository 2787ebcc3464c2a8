/* SPDX-License-Identifier: MIT */
/* What the runtime asks of the block: one call at a time, posted by the program's thread before it yields. */
#ifndef HD_HOST_CALL_H
#define HD_HOST_CALL_H

#include <stdint.h>

enum {
    HOST_CALL_NONE,
    HOST_CALL_READ,  /* bytes at address -> into */
    HOST_CALL_WRITE, /* from -> bytes at address */
    HOST_CALL_FILL,  /* value -> bytes at address */
    HOST_CALL_WAIT,  /* until `count` launches of `queue` are complete, or the device has reported an error */
};

typedef struct host_call {
    uint32_t kind;
    uint32_t value;
    uint64_t address; /* as on the bus */
    uint64_t bytes;
    uint8_t *into;
    const uint8_t *from;
    uint32_t queue;
    uint32_t count; /* mod 2^32 */
    /* The answer. */
    uint32_t status;         /* HD_STATUS_* of the first packet that was refused */
    uint32_t device_error;   /* WAIT: an error interrupt has come */
    uint64_t status_address; /* of that packet */
} host_call;

#endif
