/* SPDX-License-Identifier: MIT */
#ifndef DRAM_STATE_H
#define DRAM_STATE_H

#include "device.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_work.h"
#include "store.h"

#define DRAM_QUEUE 64u
#define DRAM_NO_SLOT UINT8_MAX
#define DRAM_REGIONS 256u

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
    uint64_t accepted;    /* edge */
    uint64_t older;       /* slots of older requests that overlap with this one, one of the two writing */
    uint64_t located_end; /* bank and row hold up to this address */
    uint32_t bank;
    uint8_t is_write;
    uint8_t started; /* a command has been issued for it */
    uint8_t next;    /* slot of the next younger request of the same bank, or DRAM_NO_SLOT */
};

/* The requests whose next burst is in one bank, and those of them for which a command may come next. */
struct bank_queue {
    uint8_t first; /* oldest */
    uint8_t read;  /* oldest read that finds its row open and has room for its response, if it needs any */
    uint8_t write; /* likewise */
    uint8_t row;   /* oldest request, if none finds its row open */
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
    uint32_t count;
    uint64_t slots_used;
    uint64_t slots_held;           /* those with older ones to wait for */
    uint8_t regions[DRAM_REGIONS]; /* requests that touch them: most requests overlap with none */
    struct bank_queue queues[DRAM_BANKS];
    /* By bank: when a command may be issued for one of those, UINT64_MAX = there is none. */
    uint64_t due[DRAM_BANKS + 1];
    uint64_t column_banks;     /* banks with a request to read or to write an open row */
    uint64_t row_banks;        /* banks with a request for another row, and none for the open one */
    uint64_t activate_banks;   /* those of them that are closed */
    uint32_t chosen_with_room; /* the choices in queues hold as long as there is, or is no, room for responses */
    uint32_t is_unchosen;      /* they do not hold: all rows have been closed */
    uint64_t command_edge;     /* when the next command may be legal; UINT64_MAX = nothing to issue */

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

/* queue.c: the requests, by bank and in order of age. Whoever changes the requests of a bank chooses anew. */
uint32_t dram_enter(struct dram *dram, hd_packet *packet, uint64_t n); /* returns the slot */
/* The slot is free again; whatever waited for it is chosen from. The bank itself is not. */
hd_packet *dram_leave(struct dram *dram, uint32_t slot);
/* The request goes on at the address, in a bank which is chosen from if it is another one. */
void dram_next_burst(struct dram *dram, uint32_t slot, uint64_t address);
uint32_t dram_oldest(const struct dram *dram); /* slot; there must be one */
void dram_clear_queue(struct dram *dram);      /* frees the packets */

/* schedule.c: issues at most one command at edge n and finds the next edge worth looking at. */
void dram_schedule(struct dram *dram, uint64_t n);
/* Finds the requests of a bank for which a command may come next; after any change to them or to its row. */
void dram_choose(struct dram *dram, uint32_t bank);
/* The request in the slot is new at edge n: looks at the schedule in time for its first command. */
void dram_expect_command(struct dram *dram, uint32_t slot, uint64_t n);

/* extension.c */
uint32_t dram_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);
const void *dram_extension(hd_block *block, const char *id);

/* dram.c */
uint32_t dram_check(const hd_value *values, hd_clock clock, hd_conflict *conflict);
hd_block *dram_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void dram_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void dram_reset(hd_block *block);
hd_time dram_advance(hd_block *block, hd_time now, hd_time horizon);
hd_time dram_promise(hd_block *block, hd_time now);
void dram_destroy(hd_block *block);

#endif
