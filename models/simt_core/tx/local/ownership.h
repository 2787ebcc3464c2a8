/* SPDX-License-Identifier: MIT */
/*
 * Who has read and written the words of a block's transactional scratchpad: the conflict tables beside the banks. The accessor that meets
 * a foreign owner loses. DCD knows one owner of each word; SMDCD knows a word that several have read, and that nobody has
 * written. Backups and owners are in shadow memory, in the block's own bytes; the state of each word is beside them.
 * Source: Villegas et al., GPU-LocalTM, §3, Table 1.
 *
 *   state      SMDCD: bits S, M   DCD: bit V
 *   UNSET      1, 1               0
 *   READ       0, 0               1
 *   SHARED     1, 0               never
 *   MODIFIED   0, 1               1, as READ: the difference counts for statistics alone
 *
 * A shared word has no owner that could let it go. By the paper it goes with the thread that is noted as its owner, and then a third one
 * may write what another still relies on (OWNERSHIP_PAPER: not serialisable, to be compared with). What comes in its place:
 *   WARP_MAP   the owner's byte is a map of the warps that have readers of the word; an attempt of a warp that ends takes its bit
 *   LANE_MAP   likewise, and the word's backup, which holds nothing yet, is a map of the lanes that have read it, of warps of more than 32
 *              lanes two to a bit: of a warp that is the only one, the lane may write whose fellow readers have all aborted
 *   STICKY     it stays until no warp of the block is in a transaction, or one is alone
 *   PRECISE    all readers are known, and the only one may write: no hardware has that, to be compared with
 *
 * Threads are numbered within the block, below OWNERSHIP_THREADS; warps likewise, below OWNERSHIP_WARPS.
 */
#ifndef SIMT_CORE_TX_LOCAL_OWNERSHIP_H
#define SIMT_CORE_TX_LOCAL_OWNERSHIP_H

#include "hd_state.h"
#include "shadow.h"

#define OWNERSHIP_THREADS 256u
#define OWNERSHIP_WARPS 8u

#define OWNERSHIP_ALGORITHMS "dcd|smdcd"
enum { OWNERSHIP_DCD, OWNERSHIP_SMDCD };
#define OWNERSHIP_RELEASES "warp_map|lane_map|sticky|precise|paper"
enum { OWNERSHIP_WARP_MAP, OWNERSHIP_LANE_MAP, OWNERSHIP_STICKY, OWNERSHIP_PRECISE, OWNERSHIP_PAPER };

enum { WORD_UNSET, WORD_READ, WORD_SHARED, WORD_MODIFIED };

/* What an access comes to. */
enum {
    CONFLICT_NONE,
    CONFLICT_READ_READ,
    CONFLICT_READ_AFTER_WRITE,
    CONFLICT_WRITE_AFTER_READ,
    CONFLICT_WRITE_AFTER_WRITE
};

/* By word of a core's scratchpad; blocks have their parts. */
typedef struct ownership_words {
    uint8_t *states;
    uint32_t *next, *previous;                   /* words of one owner, WORD_NONE at the ends */
    uint32_t *shared;                            /* those that are, packed within the part of a block, and */
    uint32_t *place;                             /* where each of them is in it */
    uint64_t (*readers)[OWNERSHIP_THREADS / 64]; /* PRECISE, else NULL */
} ownership_words;
#define WORD_NONE UINT32_MAX

typedef struct ownership {
    uint32_t algorithm, release;
    uint32_t lanes; /* of a warp */
    shadow_layout layout;
    uint8_t *bytes; /* of the block, from its first row on */
    ownership_words words;
    uint32_t first[OWNERSHIP_THREADS]; /* word of the thread; then words.next */
    uint32_t shared_count;
    uint32_t set_count; /* words that are not UNSET */
    uint32_t inside;    /* warps in transactions, a bit each */
} ownership;

/* Of so many words; 0, or -1: out of memory. */
int ownership_words_create(ownership_words *words, uint32_t count, uint32_t release);
void ownership_words_destroy(ownership_words *words);
/* A block begins: algorithm, release, lanes, layout and bytes have been set. Its words begin at `first` of all. */
void ownership_open(ownership *o, const ownership_words *words, uint32_t first);
/* Of one that has been opened (hd_state.h). */
void ownership_transfer(ownership *o, const hd_state_stream *stream);

typedef struct ownership_verdict {
    uint32_t conflict; /* CONFLICT_* */
    uint32_t accesses; /* to data, backups and owners */
    uint32_t to_owner; /* those of them to the owner */
    uint32_t owner;    /* thread that is in the way, OWNERSHIP_THREADS: not known, or none is */
} ownership_verdict;
/* The thread, which is in a transaction, loads or stores the word. Without a conflict it may: what it stores is for the caller to
 * put there, what it loads to take. running: lanes of its warp that have not aborted, its own among them. */
ownership_verdict ownership_access(ownership *o, uint32_t thread, uint32_t word, uint32_t stores, uint64_t running);

/* The thread's words are as they were before its transaction, and let go. restored: of each bank, words added to it. */
void ownership_abort(ownership *o, uint32_t thread, uint32_t *restored);
/* The thread's words are let go. */
void ownership_commit(ownership *o, uint32_t thread);
/* A warp begins a transaction; an attempt of it is over, and all its threads have aborted or committed; it leaves. */
void ownership_enter(ownership *o, uint32_t warp);
void ownership_end_attempt(ownership *o, uint32_t warp);
void ownership_leave(ownership *o, uint32_t warp);
/* No attempt of any warp runs, and one is about to be alone: no word is set from here on. */
void ownership_clear_shared(ownership *o);

#endif
