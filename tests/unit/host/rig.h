/* SPDX-License-Identifier: MIT */
/* A native host with a modelled device behind its bus: memory, registers, and launches that end after a while. */
#ifndef HOST_RIG_H
#define HOST_RIG_H

#include <stdio.h>

#include "hd_address.h"
#include "hd_queue.h"
#include "heddle_rt.h"
#include "host.h"
#include "kit.h"
#include "program.h"

enum { PORT_BUS, PORT_INTERRUPT };

#define DEVICE_PAGES 1024u
#define DEVICE_BYTES (DEVICE_PAGES * 4096u)
#define DEVICE_QUEUES 4u /* at most */
#define DEVICE_LAUNCHES 512u

typedef struct device_queue {
    uint32_t ring, completion, entries, doorbell;
    uint32_t completed;
    hd_time busy_until; /* end of its last grid */
} device_queue;

typedef struct device {
    uint64_t random; /* of the response times; 0: always 10 cycles */
    uint64_t grid_cycles;
    hd_time last_response;
    hd_time last_interrupt;
    uint32_t identification;
    uint32_t pages;       /* what its register says */
    uint32_t queue_count; /* likewise */
    uint32_t error;       /* raised instead of running the next descriptor; HD_QUEUE_ERROR_* */
    device_queue queues[DEVICE_QUEUES];
    uint32_t launch_count;
    hd_grid launches[DEVICE_LAUNCHES]; /* in the order of their doorbells */
    uint8_t *memory;                   /* DEVICE_BYTES */
} device;

/* device.c: a packet of the host has arrived. */
kit_responder device_respond;
void device_reset(device *d);

typedef struct rig {
    kit_block *kit;
    device device;
    char printed[4096]; /* lines of hd_print, each ended by a newline */
} rig;

/* Starts `entry` as the host program; options end with a NULL name, or NULL. */
rig *rig_create(const char *const *parameters, int (*entry)(void), const hd_host_option *options);
void rig_destroy(rig *r);
/* Runs to the end and returns the status. */
uint32_t rig_run(rig *r);
const char *rig_message(rig *r);
/* Runs entry on a fresh rig and expects it to end with this status and exactly this message. */
void rig_expect(int (*entry)(void), const hd_host_option *options, uint32_t status, const char *message);

/* The kernels of every rig: functions "first" and "second", variable "table" of 64 bytes, zeroed but for its first. */
extern const isa_program rig_kernels;
#define RIG_MODULE 6u
#define RIG_FIRST_PC 0x10000000u
#define RIG_SECOND_PC 0x10000040u
#define RIG_TABLE 0x10000100u
#define RIG_HEAP 0x10000200u /* the first address that is free */

#endif
