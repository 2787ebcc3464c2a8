/* SPDX-License-Identifier: MIT */
/* The channel with banks and a scheduler (dram/banked). */
#ifndef DRAM_STATE_H
#define DRAM_STATE_H

#include "device.h"
#include "front.h"
#include "hd_interleave.h"
#include "mapping.h"

#define DRAM_QUEUE 64u
#define DRAM_NO_SLOT UINT8_MAX
#define DRAM_REGIONS 256u
/* Of the bytes that moved while a row was open: up to 64, and each up to four times as many as the one before. */
#define DRAM_ROW_BUCKETS 5u

enum {
    PARAMETER_BANKS,
    PARAMETER_BANK_GROUPS,
    PARAMETER_ROW_BYTES,
    PARAMETER_MAPPING,
    PARAMETER_BUS_BYTES,
    PARAMETER_BURST,
    PARAMETER_SCHEDULER,
    PARAMETER_STARVATION_CAP,
    PARAMETER_PAGE_POLICY,
    PARAMETER_PAGE_HISTORY,
    PARAMETER_QUEUE,
    PARAMETER_RESPONSES,
    PARAMETER_LATENCY,
    PARAMETER_TCL,
    PARAMETER_TCWL,
    PARAMETER_TRCD,
    PARAMETER_TRP,
    PARAMETER_TRAS,
    PARAMETER_TRC,
    PARAMETER_TRRD_S,
    PARAMETER_TRRD_L,
    PARAMETER_TFAW,
    PARAMETER_TCCD_S,
    PARAMETER_TCCD_L,
    PARAMETER_TWR,
    PARAMETER_TWTR_S,
    PARAMETER_TWTR_L,
    PARAMETER_TRTP,
    PARAMETER_TURNAROUND,
    PARAMETER_TREFI,
    PARAMETER_TRFC,
    PARAMETER_COUNT
};
enum { SCHEDULER_FR_FCFS, SCHEDULER_FCFS };
enum { PAGE_OPEN, PAGE_CLOSED, PAGE_ADAPTIVE };
enum {
    STATISTIC_ACTIVATES = FRONT_STATISTICS,
    STATISTIC_PRECHARGES,
    STATISTIC_PAGE_CLOSES,
    STATISTIC_ROW_HITS,
    STATISTIC_ROW_MISSES,
    STATISTIC_ROW_CONFLICTS,
    STATISTIC_READ_COMMANDS,
    STATISTIC_WRITE_COMMANDS,
    STATISTIC_REFRESHES,
    STATISTIC_TURNAROUNDS,
    STATISTIC_BUSY_CYCLES,
    STATISTIC_BANK_BUSY_CYCLES,
    STATISTIC_QUEUEING_CYCLES,
    STATISTIC_CAPPED,
    STATISTIC_QUEUE_MAXIMUM,
    STATISTIC_ROW_BYTES, /* and so on: a bucket each */
    STATISTIC_COUNT = STATISTIC_ROW_BYTES + DRAM_ROW_BUCKETS
};

enum {
    EVENT_ROW = FRONT_EVENTS,
    EVENT_REFRESH,
    EVENT_QUEUE,
    EVENT_ACTIVATE, /* commands, in the order of dram_command */
    EVENT_PRECHARGE,
    EVENT_READ_COMMAND,
    EVENT_WRITE_COMMAND,
    EVENT_AUTO_PRECHARGE,
    EVENT_PRECHARGE_ALL,
    EVENT_REFRESH_COMMAND,
    EVENT_COUNT
};

/* A request in the queue. It is served burst by burst; bank and row are those of the next burst. */
struct entry {
    hd_packet *packet;
    uint64_t address; /* of the next burst's first byte */
    uint64_t end;     /* first address after the request */
    uint64_t row;
    uint64_t accepted;    /* edge */
    uint64_t position;    /* requests that would be served before it, first come first served */
    uint64_t older;       /* slots of older requests that overlap with this one, one of the two writing */
    uint64_t located_end; /* bank and row hold up to this address */
    uint32_t bank;
    uint8_t port;
    uint8_t is_write;
    uint8_t started;  /* a command has been issued for it */
    uint8_t next;     /* slot of the next younger request of the same bank, or DRAM_NO_SLOT */
    uint8_t previous; /* slot of the request accepted just before it, or DRAM_NO_SLOT */
    uint8_t younger;  /* slot of the request accepted just after it, or DRAM_NO_SLOT */
};

/* The requests whose next burst is in one bank, and those of them for which a command may come next. */
struct bank_queue {
    uint8_t first; /* oldest */
    uint8_t read;  /* oldest read that finds its row open and has room for its response, if it needs any */
    uint8_t write; /* likewise */
    uint8_t row;   /* oldest request, if none finds its row open */
};

/* Cycles with a request, or with its data on the bus. */
struct busy_time {
    uint64_t since;   /* edge at which the first of the requests there came */
    uint64_t counted; /* edge up to which the cycles are counted */
};

/* What the adaptive page policy knows of a bank. */
struct page_history {
    uint64_t row;      /* opened last; DRAM_NO_ROW = none */
    uint32_t counter;  /* 0 .. history: half and more means that rows are worth keeping open */
    uint32_t is_asked; /* the next request tells whether the last decision should have been to keep the row */
};

struct dram {
    struct dram_front front;
    uint32_t bank_tracks;
    uint32_t command_track;
    uint32_t burst_bytes; /* a power of two */
    uint32_t queue_size;
    uint32_t latency;
    hd_interleave interleave;
    uint32_t partitions;    /* of the channel */
    uint32_t located_bytes; /* an aligned range of so many lies in one row, side by side */
    uint32_t scheduler;
    uint32_t page_policy;
    uint32_t page_history_maximum;
    uint64_t starvation_cap; /* 0 = none */
    hd_cursor cursor;        /* first edge not yet dealt with */

    struct dram_mapping mapping;
    struct dram_device device;
    struct entry entries[DRAM_QUEUE];
    uint32_t count;
    uint8_t oldest, youngest; /* slots; DRAM_NO_SLOT if there is none */
    uint64_t served;          /* requests since reset */
    uint64_t slots_used;
    uint64_t slots_held;           /* those with older ones to wait for */
    uint8_t regions[DRAM_REGIONS]; /* requests that touch them: most requests overlap with none */
    struct bank_queue queues[DRAM_BANKS];
    struct page_history pages[DRAM_BANKS];
    uint64_t row_bytes[DRAM_BANKS]; /* moved since the row was opened */
    uint64_t closed_by_refresh;     /* banks; not yet counted, nor are the refreshes */
    uint64_t refreshes_counted;
    struct busy_time bank_busy[DRAM_BANKS];
    struct busy_time busy;
    /* By bank: when a command may be issued for one of those, UINT64_MAX = there is none. */
    uint64_t due[DRAM_BANKS];
    uint64_t column_banks;      /* banks with a request to read or to write an open row */
    uint64_t row_banks;         /* banks with a request for another row, and none for the open one */
    uint64_t activate_banks;    /* those of them that are closed */
    uint64_t chosen_full_ports; /* the choices in queues hold as long as these ports are those without room */
    uint32_t is_unchosen;       /* they do not hold: rows have changed */
    uint8_t only;               /* slot of the request that alone is served; DRAM_NO_SLOT = all are */
    uint8_t last_column;        /* command of the last burst, DRAM_READ or DRAM_WRITE; DRAM_COMMANDS = none */
    uint64_t command_edge;      /* when the next command may be legal; UINT64_MAX = nothing to issue */

    uint64_t statistics[STATISTIC_COUNT];
};

/* First address after the request's next burst. */
static inline uint64_t dram_burst_end(const struct dram *dram, const struct entry *entry)
{
    const uint64_t end = (entry->address | (dram->burst_bytes - 1)) + 1;
    return end < entry->end ? end : entry->end;
}

/* parameters.c */
uint32_t dram_check(const hd_value *values, hd_clock clock, hd_conflict *conflict);
/* Of values that passed the check. */
void dram_configure(struct dram *dram, const hd_value *values);

/* queue.c: the requests, by bank and in order of age. Whoever changes the requests of a bank chooses anew. */
uint32_t dram_enter(struct dram *dram, hd_packet *packet, uint32_t port, uint64_t n); /* returns the slot */
/* The slot is free again; whatever waited for it is chosen from. The bank itself is not. */
hd_packet *dram_leave(struct dram *dram, uint32_t slot);
/* The request goes on at the address at edge n, in a bank which is chosen from if it is another one. */
void dram_next_burst(struct dram *dram, uint32_t slot, uint64_t address, uint64_t n);
void dram_clear_queue(struct dram *dram); /* frees the packets */

/* schedule.c: issues at most one command at edge n and finds the next edge worth looking at. */
void dram_schedule(struct dram *dram, uint64_t n);
hd_time dram_next_refresh(const struct dram *dram); /* when it is due; HD_NEVER = there is none */
/* Carries out and shows the refreshes due before time t. They are counted when the schedule is looked at next: a run that is not
 * traced counts them then. */
void dram_trace_refreshes_before(struct dram *dram, hd_time t);
/* The request in the slot is new at edge n: looks at the schedule in time for its first command. */
void dram_expect_command(struct dram *dram, uint32_t slot, uint64_t n);

/* choice.c: which requests may have a command next. */
/* Finds those of a bank; after any change to its requests or its row. */
void dram_choose(struct dram *dram, uint32_t bank);
/* Likewise, after a command in it which others have to keep their distance from: those with a command of the same sort. */
void dram_choose_after(struct dram *dram, uint32_t bank, uint64_t others);
void dram_choose_all(struct dram *dram);
/* For all banks, if the choices may not hold. */
static inline void dram_update_choices(struct dram *dram)
{
    if (dram->is_unchosen || dram->chosen_full_ports != dram->front.full_ports)
        dram_choose_all(dram);
}
/* When a command may be issued for the chosen requests of these banks; after a change to the devices. */
void dram_update_due(struct dram *dram, uint64_t banks);
/* The oldest request has become another one, or has been overtaken. */
void dram_update_only(struct dram *dram);

/* trace.c: commands and rows, as seen by who watches. Each is called only while front.trace is not NULL. */
extern const hd_trace_event dram_trace_events[EVENT_COUNT];
void dram_trace_create(struct dram *dram);
/* The command is issued at edge n; row is the bank's. A precharge that comes with a column command is of its own accord. */
void dram_trace_command(const struct dram *dram, enum dram_command command, uint32_t bank, uint64_t row, uint64_t n);
void dram_trace_auto_precharge(const struct dram *dram, uint32_t bank, uint64_t n);
/* All rows are closed. Before the devices know. */
void dram_trace_close(const struct dram *dram, hd_time t);
/* The refresh has been carried out. */
void dram_trace_refresh(const struct dram *dram, const struct dram_refreshed *done);
/* Are refreshes to be shown when they happen, even if nothing else does? */
uint32_t dram_trace_selects_refreshes(const struct dram *dram);
void dram_trace_queue(const struct dram *dram, uint64_t n);

/* page_policy.c */
void dram_forget_pages(struct dram *dram);
/* The request in the slot has its first command: what its bank's row tells. */
void dram_learn_page(struct dram *dram, uint32_t slot);
/* Is the row to be closed with the last column command of the request in the slot? */
uint32_t dram_closes_page(struct dram *dram, uint32_t slot);

/* checkpoint.c */
extern const hd_state dram_state;

/* banked_extension.c */
const void *dram_extension(hd_block *block, const char *id);

/* dram.c */
hd_block *dram_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void dram_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void dram_reset(hd_block *block);
void dram_align(hd_block *block, hd_time t, const hd_write_back_sink *sink);
hd_time dram_advance(hd_block *block, hd_time now, hd_time horizon);
hd_time dram_promise(hd_block *block, hd_time now);
void dram_destroy(hd_block *block);

#endif
