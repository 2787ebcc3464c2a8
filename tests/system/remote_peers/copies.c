/* SPDX-License-Identifier: MIT */
#include "copies.h"

#include <string.h>

#include "hd_address.h"
#include "hd_queue.h"

#define BYTES 5000u /* no multiple of anything */
#define FROM 0x100u
#define TO 0x8000u
#define RING (HD_GLOBAL_BASE + 0x10000u)
#define COMPLETION (HD_GLOBAL_BASE + 0x11000u)
#define PLACE (HD_GLOBAL_BASE + 0x20000u)
#define QUEUE (HD_HOST_MMIO_BASE + HD_REGISTER_QUEUE_BASE)

static const hd_queue_copy copies[COPIES_COUNT] = {
    {.mark = HD_DESCRIPTOR_COPY,
     .copy =
         {.number = 0, .direction = HD_COPY_TO_DEVICE, .host_address = FROM, .device_address = PLACE, .bytes = BYTES}},
    {.mark = HD_DESCRIPTOR_COPY,
     .copy =
         {.number = 1, .direction = HD_COPY_FROM_DEVICE, .host_address = TO, .device_address = PLACE, .bytes = BYTES}},
};
static const uint32_t ring = RING, completion = COMPLETION, entries = 8, written = COPIES_COUNT;

const copies_step copies_steps[COPIES_STEPS] = {
    {RING, copies, sizeof copies},
    {QUEUE + HD_QUEUE_RING, &ring, 4},
    {QUEUE + HD_QUEUE_COMPLETION, &completion, 4},
    {QUEUE + HD_QUEUE_ENTRIES, &entries, 4},
    {QUEUE + HD_QUEUE_DOORBELL, &written, 4},
};

void copies_fill(uint8_t *memory)
{
    for (uint32_t i = 0; i < BYTES; i++)
        memory[FROM + i] = (uint8_t)(i * 7 + i / 256);
}

int copies_are_made(const uint8_t *memory)
{
    uint8_t wanted[COPIES_HOST_BYTES] = {0};
    copies_fill(wanted);
    memcpy(wanted + TO, wanted + FROM, BYTES);
    return !memcmp(memory, wanted, sizeof wanted);
}
