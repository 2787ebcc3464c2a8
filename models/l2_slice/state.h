/* SPDX-License-Identifier: MIT */
#ifndef L2_SLICE_STATE_H
#define L2_SLICE_STATE_H

#include "hd_address.h"
#include "hd_direct.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_work.h"

#define NO_INDEX UINT32_MAX
#define L2_REQUEST_PORTS 16u
#define L2_REPLY_PORTS 16u

enum { PORT_REQUEST, PORT_REPLY, PORT_MEMORY, PORT_COUNT };
enum {
    PARAMETER_BYTES,
    PARAMETER_WAYS,
    PARAMETER_REPLACEMENT,
    PARAMETER_LATENCY,
    PARAMETER_PORT_BYTES,
    PARAMETER_ATOMIC_WORDS,
    PARAMETER_MSHRS,
    PARAMETER_MSHR_TARGETS,
    PARAMETER_WRITE_BACKS,
    PARAMETER_REPLY_QUEUE,
    PARAMETER_VERSIONS,
    PARAMETER_COUNT
};
enum { REPLACEMENT_LRU, REPLACEMENT_FIFO };
enum {
    STATISTIC_LOADS,
    STATISTIC_STORES,
    STATISTIC_ATOMICS,
    STATISTIC_ATOMIC_WORDS,
    STATISTIC_HITS,
    STATISTIC_MISSES,
    STATISTIC_MSHR_MERGES,
    STATISTIC_DIRECT,
    STATISTIC_FILLS,
    STATISTIC_WRITE_BACKS,
    STATISTIC_STALL_REPLY,
    STATISTIC_STALL_MSHRS,
    STATISTIC_STALL_TARGETS,
    STATISTIC_STALL_MEMORY,
    STATISTIC_PORT_BUSY_CYCLES,
    STATISTIC_STORE_CONDITIONAL_SUCCESSES,
    STATISTIC_STORE_CONDITIONAL_FAILURES,
    STATISTIC_LOAD_RESERVED,
    STATISTIC_MSHR_MAXIMUM,
    STATISTIC_BYTES_IN,                                            /* one for each class, and others */
    STATISTIC_BYTES_OUT = STATISTIC_BYTES_IN + HD_CLASS_COUNT + 1, /* likewise */
    STATISTIC_COUNT = STATISTIC_BYTES_OUT + HD_CLASS_COUNT + 1
};

/* Why the slice takes no request: the statistic that counts it, or NO_STALL. */
#define NO_STALL UINT32_MAX

struct line {
    uint64_t address; /* of its first byte; UINT64_MAX = holds nothing */
    uint32_t is_dirty;
    uint32_t first_version; /* index of the version of its first word */
    uint8_t data[HD_LINE_BYTES];
};

struct mshr {
    uint64_t address;
    uint32_t next; /* in its hash bucket, or in the free list */
    uint32_t target_count;
    hd_packet **targets; /* in acceptance order */
};

/* A line on its way to memory, from its eviction until memory acknowledges it. */
struct write_back {
    uint64_t address;
    uint64_t number; /* order of eviction; UINT64_MAX = not in use */
    uint8_t data[HD_LINE_BYTES];
};

struct pending_reply {
    hd_packet *packet;
    uint64_t ready; /* edge */
};

struct reply_port {
    hd_link *link;
    struct pending_reply *queue; /* ring of reply_ring, ordered by ready */
    uint32_t first;
    uint32_t count;
    uint32_t awaits_credit;
};

struct slice {
    const hd_services *services;
    const hd_address_map *map; /* NULL = this slice holds everything */
    const hd_direct *direct;   /* NULL = nobody touches memory past this slice, which may keep lines */
    hd_direct_range range;     /* the one used last; length 0 = none */
    struct {
        uint32_t load, load_reply, store, store_ack, atomic, atomic_reply, read, write, response;
    } message;
    uint32_t set_count;
    uint32_t ways;
    uint32_t replacement;
    uint32_t latency;
    uint32_t port_bytes;
    uint32_t atomic_words;
    uint32_t mshr_count;
    uint32_t target_count;     /* of one MSHR */
    uint32_t write_back_count; /* lines that may be on their way to memory, each outstanding miss having one in hand */
    uint32_t reply_limit;      /* replies that may be under way when a request is accepted */
    uint32_t reply_ring;       /* and that can be under way at all */
    uint32_t version_count;
    hd_cursor cursor; /* first edge not yet dealt with */

    hd_link *requests[L2_REQUEST_PORTS];
    hd_time request_arrivals[L2_REQUEST_PORTS]; /* of the oldest request of each port, HD_NEVER = none is on its way */
    hd_time response_arrival;                   /* of the oldest response from memory; both as of this call */
    uint32_t request_ports;                     /* one more than the highest bound */
    uint32_t next_request;                      /* where the round robin starts */
    uint64_t port_free;                         /* first edge at which the data port is free */
    uint32_t stall;                             /* statistic of the reason why requests wait, or NO_STALL */
    uint64_t stalled_since;                     /* edge */
    hd_time looked_until;                       /* requests that arrived by then have had their chance, */
    uint32_t look_again;                        /* unless the data port was taken when something else moved */

    struct line *lines; /* set by set */
    uint64_t *tags;     /* of each line: its address, side by side for the search of a set */
    uint64_t *stamps;   /* of each line, replacement order: the smallest of a set goes first */
    uint64_t stamp;
    uint32_t *versions; /* of hash buckets of words, bumped by every write to one of them */

    struct mshr *mshrs;
    hd_packet **targets;
    uint32_t *buckets; /* heads of the hash chains of MSHRs in use */
    uint32_t bucket_mask;
    uint32_t free_mshr;
    uint32_t mshrs_used;

    hd_link *memory_out;
    hd_link *memory_in;
    struct write_back *write_backs;
    uint32_t write_backs_used;
    uint64_t eviction;        /* number of the next */
    hd_packet **memory_queue; /* ring of memory_ring, to memory in order */
    uint32_t memory_ring;
    uint32_t memory_first;
    uint32_t memory_count;
    uint32_t memory_awaits_credit;

    struct reply_port replies[L2_REPLY_PORTS];
    uint32_t reply_ports;           /* one more than the highest bound */
    uint32_t reply_count;           /* under way, over all reply ports */
    uint8_t routes[UINT16_MAX + 1]; /* reply port by endpoint, as far as known */

    uint64_t statistics[STATISTIC_COUNT];
};

static inline uint64_t line_address(uint64_t address)
{
    return address & ~(uint64_t)(HD_LINE_BYTES - 1);
}

/* request.c: accepts at most one request at edge n, fairly over the ports. */
void slice_accept(struct slice *slice, uint64_t n, hd_time t);
void slice_carry_out(struct slice *slice, struct line *line, hd_packet *request, uint64_t n, hd_time t);
/* Data-port cycles of a request. */
uint32_t slice_port_cycles(const struct slice *slice, const hd_packet *request);

/* direct.c: carries a request out where memory is held. */
void slice_carry_out_directly(struct slice *slice, hd_packet *request, uint64_t n, hd_time t);

/* execute.c: carries a request out on its line, turns it into its reply. */
hd_packet *slice_execute(struct slice *slice, struct line *line, hd_packet *request, hd_time t);

/* tags.c */
/* Address inside the partition: the bits that choose the partition are equal in all addresses of a slice. */
uint64_t slice_offset(const struct slice *slice, uint64_t address);
struct line *slice_find_line(const struct slice *slice, uint64_t address);
void slice_touch(struct slice *slice, const struct line *line);
/* Makes room in the address's set, evicting if it must, and installs the line, clean and with undefined data. */
struct line *slice_install(struct slice *slice, uint64_t address);
void slice_invalidate_all(struct slice *slice);

/* mshr.c */
void slice_reset_mshrs(struct slice *slice);
struct mshr *slice_find_mshr(const struct slice *slice, uint64_t address);
struct mshr *slice_take_mshr(struct slice *slice, uint64_t address); /* one must be free */
void slice_release_mshr(struct slice *slice, struct mshr *mshr);

/* memory.c */
/* Can one more line be evicted, now or when an outstanding miss is filled? */
uint32_t slice_has_write_back_room(const struct slice *slice);
void slice_fetch(struct slice *slice, const struct mshr *mshr);
void slice_write_back(struct slice *slice, const struct line *line);
void slice_send_memory(struct slice *slice, hd_time t);
/* One must have arrived by t. */
void slice_take_response(struct slice *slice, uint64_t n, hd_time t);

/* reply.c: a reply leaves `latency` cycles after the data port has moved it. */
void slice_put_reply(struct slice *slice, hd_packet *reply, uint32_t port_cycles, uint64_t n, hd_time t);
void slice_send_replies(struct slice *slice, uint64_t n, hd_time t);

/* extension.c */
uint32_t slice_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);
const void *slice_extension(hd_block *block, const char *id);

/* slice.c */
hd_time slice_arrival(const struct slice *slice, hd_link *link); /* of its oldest packet; HD_NEVER if there is none */
uint32_t slice_check(const hd_value *values, hd_clock clock, hd_conflict *conflict);
hd_block *slice_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void slice_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void slice_reset(hd_block *block);
hd_time slice_advance(hd_block *block, hd_time now, hd_time horizon);
hd_time slice_promise(hd_block *block, hd_time now);
void slice_destroy(hd_block *block);

#endif
