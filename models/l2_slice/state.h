/* SPDX-License-Identifier: MIT */
#ifndef L2_SLICE_STATE_H
#define L2_SLICE_STATE_H

#include "cache_mshrs.h"
#include "cache_sectors.h"
#include "cache_tags.h"
#include "hd_address.h"
#include "hd_direct.h"
#include "hd_extension.h"
#include "hd_fast_forward.h"
#include "hd_interleave.h"
#include "hd_message.h"
#include "hd_ring.h"
#include "hd_state.h"
#include "hd_tap.h"
#include "hd_trace.h"
#include "hd_work.h"

#define NO_INDEX UINT32_MAX
#define L2_WAYS_MAX 1024u
#define L2_REQUEST_PORTS 16u
#define L2_REPLY_PORTS 16u

#define L2_SECTORS_MAX 4u
#define L2_SECTOR_MINIMUM (HD_LINE_BYTES / L2_SECTORS_MAX)

enum { PORT_REQUEST, PORT_REPLY, PORT_MEMORY, PORT_TAP, PORT_COUNT };
enum {
    PARAMETER_BYTES,
    PARAMETER_WAYS,
    PARAMETER_REPLACEMENT,
    PARAMETER_LATENCY,
    PARAMETER_PORT_BYTES,
    PARAMETER_ATOMIC_WORDS,
    PARAMETER_ATOMIC_SECTOR_WORDS,
    PARAMETER_ATOMIC_SAME_WORD,
    PARAMETER_ATOMIC_LINE_LOCK,
    PARAMETER_ATOMIC_LOCK_BYTES,
    PARAMETER_MSHRS,
    PARAMETER_MSHR_TARGETS,
    PARAMETER_WRITE_BACKS,
    PARAMETER_REPLY_QUEUE,
    PARAMETER_VERSIONS,
    PARAMETER_SECTOR,
    PARAMETER_ATOMIC_LATENCY,
    PARAMETER_SET_HASH,
    PARAMETER_FILL_PORT,
    PARAMETER_PARTIAL_WRITES,
    PARAMETER_FILL,
    PARAMETER_CONTEXT_WAYS,
    PARAMETER_CONTEXT_PORT_BYTES,
    PARAMETER_COUNT
};
/* Slots of units (hd_unit.h). */
enum { SLICE_REPLACEMENT, SLICE_UNITS };
enum { FILL_PORT_OWN, FILL_PORT_SHARED };
enum { PARTIAL_WRITES_FETCH, PARTIAL_WRITES_MASK };
enum { FILL_NEIGHBOURS, FILL_SECTORS };
enum {
    STATISTIC_LOADS,
    STATISTIC_STORES,
    STATISTIC_ATOMICS,
    STATISTIC_ATOMIC_WORDS,
    STATISTIC_HITS,
    STATISTIC_MISSES,
    STATISTIC_SECTOR_MISSES,
    STATISTIC_MSHR_MERGES,
    STATISTIC_READ_HITS, /* this and what follows: count_access */
    STATISTIC_READ_MISSES,
    STATISTIC_WRITE_HITS,
    STATISTIC_WRITE_MISSES,
    STATISTIC_READ_HIT_SECTORS,
    STATISTIC_READ_MISS_SECTORS,
    STATISTIC_WRITE_HIT_SECTORS,
    STATISTIC_WRITE_MISS_SECTORS,
    STATISTIC_DIRECT,
    STATISTIC_UNCACHED_LOADS,
    STATISTIC_UNCACHED_STORES,
    STATISTIC_CONTEXT_LOADS,
    STATISTIC_CONTEXT_STORES,
    STATISTIC_CONTEXT_WAITS,
    STATISTIC_TAKEN,
    STATISTIC_FILLS,
    STATISTIC_WRITE_BACKS,
    STATISTIC_PARTIAL_SECTORS,
    STATISTIC_PARTIAL_FILLS,
    STATISTIC_PARTIAL_WRITE_BACKS,
    STATISTIC_BYTES_FILLED,
    STATISTIC_BYTES_WRITTEN_BACK,
    STATISTIC_STALL_REPLY,
    STATISTIC_STALL_MSHRS,
    STATISTIC_STALL_TARGETS,
    STATISTIC_STALL_MEMORY,
    STATISTIC_STALL_UNCACHED,
    STATISTIC_STALL_ATOMIC_WORD,
    STATISTIC_STALL_ATOMIC_LINE,
    STATISTIC_PORT_BUSY_CYCLES,
    STATISTIC_ATOMIC_CYCLES,
    STATISTIC_STORE_CONDITIONAL_SUCCESSES,
    STATISTIC_STORE_CONDITIONAL_FAILURES,
    STATISTIC_LOAD_RESERVED,
    STATISTIC_MSHR_MAXIMUM,
    STATISTIC_TRANSACTION_LOAD_HITS,
    STATISTIC_TRANSACTION_LOAD_MISSES,
    STATISTIC_TRANSACTION_LOAD_MERGES,
    STATISTIC_BYTES_IN,                                            /* one for each class, and others */
    STATISTIC_BYTES_OUT = STATISTIC_BYTES_IN + HD_CLASS_COUNT + 1, /* likewise */
    STATISTIC_COUNT = STATISTIC_BYTES_OUT + HD_CLASS_COUNT + 1
};

enum { EVENT_MISS, EVENT_MISSES, EVENT_REPLIES, EVENT_COUNT };

/* Why the slice takes no request: the statistic that counts it, or NO_STALL. */
#define NO_STALL UINT32_MAX

/* Sets of sectors of a line are bits. */
struct line {
    uint64_t address;       /* of its first byte; of an empty place whatever was there */
    uint32_t first_version; /* index of the version of its first word */
    uint8_t valid;          /* sectors that are here */
    uint8_t dirty;          /* and that memory does not have */
    uint8_t partial;        /* sectors of which only the bytes of `written` are here */
    uint32_t written[HD_LINE_BYTES / 32];
    uint8_t data[HD_LINE_BYTES];
};

/* Where a line is: all that follows from its address. */
struct place {
    uint64_t address; /* of its first byte */
    uint64_t offset;  /* inside the partition */
    uint32_t set;     /* first place of its set */
    uint32_t partition;
};

/* A request and the sectors that it touches: those of `needs` must be here before it can be carried out, it writes the
 * others as a whole, or those of `partly` in part under a mask. */
struct access {
    hd_packet *request;
    uint8_t touches;
    uint8_t needs;
    uint8_t partly;
};

/* What taps know an accepted request by. */
struct tapped_access {
    uint64_t number;
    uint64_t notes[HD_TAP_COUNT_MAX];
};

/* A line that is awaited, by the MSHR of the same number. What is here of it lies in `line`, not in its set. */
struct miss {
    struct line line;
    uint8_t pending;  /* sectors on their way from memory */
    uint8_t promised; /* sectors that a target will write as a whole */

    /* Written without time while memory is asked for it: laid over what memory answers. */
    uint32_t has_newer;
    uint32_t is_newer[HD_LINE_BYTES / 32]; /* a bit for each byte */
    uint8_t newer[HD_LINE_BYTES];
};

/* A line on its way to memory, from its eviction until memory has acknowledged all of it. */
struct write_back {
    uint64_t address;
    uint64_t number;  /* order of eviction; UINT64_MAX = not in use */
    uint32_t awaited; /* acknowledgements */
    uint8_t sectors;  /* that were dirty */
    uint8_t partial;  /* as of the line */
    uint32_t written[HD_LINE_BYTES / 32];
    uint8_t data[HD_LINE_BYTES];
};

/* Requests past the lines, until memory has answered them. */
struct uncached {
    hd_packet **requests; /* [place]; NULL: free */
    uint32_t *free;       /* places: the first limit - in_use are */
    uint32_t limit;
    uint32_t in_use;
};

/* A line of a context, at its place in the buffers. */
struct buffer_line {
    hd_packet *load; /* that waits for it; NULL: there is none */
    uint32_t bytes;  /* that are here; 0: nothing */
    uint8_t data[HD_LINE_BYTES];
};

struct buffers {
    struct buffer_line *lines;
    uint32_t count;
    uint32_t port_bytes; /* per cycle */
    uint32_t waiting;    /* loads */
};

struct pending_reply {
    hd_packet *packet;
    uint64_t ready; /* edge */
};

/* Ordered by ready. */
struct reply_queue {
    struct pending_reply *replies;
    hd_ring ring;
};

/* Replies of atomics leave the pipeline later than others that began with them. */
enum { QUEUE_PLAIN, QUEUE_ATOMIC, QUEUE_COUNT };

struct reply_port {
    hd_link *link;
    struct reply_queue queues[QUEUE_COUNT];
    uint32_t awaits_credit;
    uint32_t spare; /* credits, as far as known: there are no fewer */
};

/* Operations of one request on different words (atomic_unit.c). */
struct atomic_round {
    uint64_t address; /* of their line */
    uint64_t begin;   /* edge */
    uint32_t words;   /* a bit each */
};

struct atomic_unit {
    uint32_t is_on;        /* 0: a request takes its operations / atomic_words, whatever they are on */
    uint32_t sector_words; /* of 32 B, per cycle; 0: atomic_words of all */
    uint32_t same_word;    /* cycles until the same word can be operated on again */
    uint32_t line_lock;    /* the same, of the block of lock_words around it */
    uint32_t lock_words;   /* a power of two */
    uint32_t capacity;     /* of rounds, a power of two */
    uint32_t first;
    uint32_t count;
    struct atomic_round *rounds; /* ring of those that may still lock something, in the order of their begin */
};

struct listener {
    const hd_tap *tap;
    hd_block *block;
    uint32_t element;
};

/* Of a line whose bytes are in memory, what the slice would have of it: sets of sectors. */
struct fast_line {
    uint8_t valid;
    uint8_t dirty;
};

/* Of fast_forward.c. */
struct fast_forward {
    const hd_fast_memory *memory; /* NULL: the run is timed throughout */
    const hd_direct *was_direct;
    hd_direct direct;        /* in place of it, while cores are fast */
    uint32_t watched;        /* 0 */
    struct fast_line *lines; /* [place] */
};

struct slice {
    const hd_services *services;
    const hd_block_class *block_class; /* composed */
    const hd_trace *trace;             /* NULL: the run is not traced */
    uint32_t mshr_tracks;
    const hd_direct *direct; /* NULL = nobody touches memory past this slice, which may keep lines */
    hd_direct_range range;   /* the one used last; length 0 = none */
    struct fast_forward fast;
    struct {
        uint32_t load, load_reply, store, store_ack, atomic, atomic_reply, read, write, response, uncached_load,
            uncached_store, buffer_load, buffer_store;
    } message;
    uint32_t sector_shift;   /* of bytes */
    uint8_t all_sectors;     /* of a line */
    uint32_t writes_through; /* whatever becomes dirty is written to memory at once */
    uint32_t latency;
    uint32_t atomic_latency; /* beyond that */
    uint32_t fill_port;
    uint32_t masks_writes; /* sectors that are written in part are not fetched */
    uint32_t fill;
    uint32_t port_bytes;
    uint32_t atomic_words;
    struct atomic_unit atomic_unit;
    uint32_t write_back_count; /* lines that may be on their way to memory, each outstanding miss having one in hand */
    uint32_t reply_limit;      /* replies that may be under way when a request is accepted */
    uint32_t reply_most;       /* and that can be under way at all */
    uint32_t version_count;
    hd_interleave interleave;
    uint32_t partition; /* this one */
    hd_cursor cursor;   /* first edge not yet dealt with */

    hd_link *requests[L2_REQUEST_PORTS];
    hd_time request_arrivals[L2_REQUEST_PORTS]; /* of the oldest request of each port, HD_NEVER = none is on its way */
    hd_time response_arrival;                   /* of the oldest response from memory; both as of this call */
    uint32_t request_ports;                     /* one more than the highest bound */
    uint32_t next_request;                      /* where the round robin starts */
    uint64_t port_free;                         /* first edge at which the data port is free */
    uint32_t stall;                             /* statistic of the reason why requests wait, or NO_STALL */
    uint64_t stalled_since;                     /* edge */
    uint64_t unlocked;    /* edge at which an atomic that was looked at can begin; UINT64_MAX: none waits */
    hd_time looked_until; /* requests that arrived by then have had their chance, */
    uint32_t look_again;  /* unless the data port was taken when something else moved */

    cache_tags tags;    /* a tag is the line's address */
    struct line *lines; /* [place] */
    uint64_t seed;      /* of what draws at random */
    uint64_t *versions; /* of hash buckets of words, bumped by every write to one of them */
    uint32_t watched;   /* a word was load-reserved: only then do versions matter */

    cache_mshrs mshrs;      /* a tag is the line's address */
    struct miss *misses;    /* [MSHR] */
    struct access *targets; /* [target], in acceptance order */

    struct uncached uncached;
    struct buffers buffers;

    hd_link *memory_out;
    hd_link *memory_in;
    struct write_back *write_backs;
    uint32_t write_backs_used;
    uint64_t eviction;        /* number of the next */
    hd_packet **memory_queue; /* to memory in order */
    hd_ring memory_ring;
    uint32_t memory_awaits_credit;

    struct reply_port replies[L2_REPLY_PORTS];
    uint32_t reply_ports;           /* one more than the highest bound */
    uint32_t reply_count;           /* under way, over all reply ports */
    uint32_t starved_ports;         /* whose first reply waits for a credit */
    uint64_t reply_edge;            /* from which the first reply of the others may leave; UINT64_MAX: they have none */
    uint8_t routes[UINT16_MAX + 1]; /* reply port by endpoint, as far as known */

    struct listener listeners[HD_TAP_COUNT_MAX];
    uint32_t listener_count;
    uint64_t accepted;            /* accesses, of which taps were told */
    struct tapped_access *tapped; /* of each target; NULL without taps */

    uint64_t statistics[STATISTIC_COUNT];
    uint64_t unit_counters[]; /* [hd_unit_counters], which follow */
};

static inline uint64_t line_address(uint64_t address)
{
    return address & ~(uint64_t)(HD_LINE_BYTES - 1);
}

#endif
