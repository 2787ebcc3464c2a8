/* SPDX-License-Identifier: MIT */
#ifndef DRAM_STATE_H
#define DRAM_STATE_H

#include "device.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_work.h"
#include "store.h"

#define DRAM_QUEUE 64u

enum { PORT_ACCESS, PORT_COUNT };
enum {
    PARAMETER_BANKS,
    PARAMETER_BANK_GROUPS,
    PARAMETER_ROW_BYTES,
    PARAMETER_BANK_INTERLEAVE,
    PARAMETER_BUS_BYTES,
    PARAMETER_BURST,
    PARAMETER_QUEUE,
    PARAMETER_RESPONSES,
    PARAMETER_LATENCY,
    PARAMETER_TCL,
    PARAMETER_TWL,
    PARAMETER_TRCD,
    PARAMETER_TRP,
    PARAMETER_TRAS,
    PARAMETER_TRC,
    PARAMETER_TRRD,
    PARAMETER_TCCD,
    PARAMETER_TCCDL,
    PARAMETER_TWR,
    PARAMETER_TCDLR,
    PARAMETER_TRTP,
    PARAMETER_TURNAROUND,
    PARAMETER_TREFI,
    PARAMETER_TRFC,
    PARAMETER_COUNT
};
enum {
    STATISTIC_READS,
    STATISTIC_WRITES,
    STATISTIC_BYTES_READ,
    STATISTIC_BYTES_WRITTEN,
    STATISTIC_REFUSED,
    STATISTIC_ACTIVATES,
    STATISTIC_PRECHARGES,
    STATISTIC_ROW_HITS,
    STATISTIC_ROW_MISSES,
    STATISTIC_ROW_CONFLICTS,
    STATISTIC_REFRESHES,
    STATISTIC_BUS_BUSY_CYCLES,
    STATISTIC_QUEUEING_CYCLES,
    STATISTIC_RESPONSE_STALL_CYCLES,
    STATISTIC_QUEUE_MAXIMUM,
    STATISTIC_COUNT
};

/* A request in the queue. It is served burst by burst; bank and row are those of the next burst. */
struct entry {
    hd_packet *packet;
    uint64_t address; /* of the next burst's first byte */
    uint64_t end;     /* first address after the request */
    uint64_t row;
    uint64_t accepted; /* edge */
    uint64_t older;    /* slots of older requests that overlap with this one, one of the two writing */
    uint32_t bank;
    uint8_t is_write;
    uint8_t started; /* a command has been issued for it */
};

struct response {
    hd_packet *packet;
    uint64_t ready; /* edge */
};

struct dram {
    const hd_services *services;
    hd_link *requests_in;
    hd_link *responses_out;
    uint32_t message_read;
    uint32_t message_write;
    uint32_t message_response;
    uint32_t burst_bytes;
    uint32_t bank_interleave;
    uint32_t chunks_per_row;
    uint32_t queue_size;
    uint32_t response_size;
    uint32_t latency;
    hd_cursor cursor; /* first edge not yet dealt with */

    struct dram_store store;
    struct dram_device device;
    struct entry entries[DRAM_QUEUE];
    uint8_t order[DRAM_QUEUE]; /* slots, oldest first */
    uint32_t count;
    uint64_t slots_used;
    uint64_t command_edge; /* when the next command may be legal; UINT64_MAX = nothing to issue */

    struct response *responses; /* ring of response_size, ordered by ready */
    uint32_t first_response;
    uint32_t response_count;
    uint64_t stalled_since; /* first edge at which the oldest response lacked a credit; UINT64_MAX = it does not */

    uint64_t statistics[STATISTIC_COUNT];
};

/* request.c: what comes in at the port and what goes back. */
void dram_accept(struct dram *dram, uint64_t n, hd_time t);
void dram_complete(struct dram *dram, hd_packet *request, uint64_t ready);
void dram_respond(struct dram *dram, uint64_t n, hd_time t);

/* schedule.c: issues at most one command at edge n and finds the next edge worth looking at. */
void dram_locate(const struct dram *dram, struct entry *entry);
void dram_schedule(struct dram *dram, uint64_t n);

/* extension.c */
uint32_t dram_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);
const void *dram_extension(hd_block *block, const char *id);

/* dram.c */
hd_block *dram_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void dram_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void dram_reset(hd_block *block);
hd_time dram_advance(hd_block *block, hd_time now, hd_time horizon);
hd_time dram_promise(hd_block *block, hd_time now);
void dram_destroy(hd_block *block);

#endif
