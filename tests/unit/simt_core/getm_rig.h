/* SPDX-License-Identifier: MIT */
/*
 * A core with `tx: getm` before scripted validation and commit units: tables without bounds, verdicts as packets arrive (Ren &
 * Lis 2018 §IV, Fig. 6). What commits is recorded, and replayed at the end.
 */
#ifndef TEST_GETM_RIG_H
#define TEST_GETM_RIG_H

#include "core_pair.h"
#include "hd_getm.h"

#define GETM_GRANULES 512u
#define GETM_WAITERS 256u
#define GETM_COMMITS 8192u
#define GETM_WORDS 48u

typedef struct getm_granule {
    uint64_t address;
    uint64_t wts, rts;
    uint32_t used;
    uint32_t writes; /* approved stores that are not given back */
    uint32_t owner;  /* warp << 8 | epoch */
} getm_granule;

/* A packet, and the core that it came from. */
typedef struct getm_request {
    hd_packet *packet;
    core_rig *from;
} getm_request;

typedef struct getm_commit {
    hd_transaction told;
    hd_transaction_word reads[GETM_WORDS], writes[GETM_WORDS];
    hd_transaction_access accesses[GETM_WORDS]; /* the first of them */
} getm_commit;

typedef struct getm_seen {
    uint32_t loads, stores, store_oks, aborts, logs, regions, cleanups, acks, rolled_over, late;
} getm_seen;

typedef struct getm_rig {
    core_rig *rig;   /* the first of them */
    core_pair *pair; /* NULL: there is one core */
    uint32_t granule;
    uint32_t stall_room; /* waiters at most */
    uint32_t hold;       /* requests that pass before a log is applied */
    uint32_t refuse;     /* so many accesses from now on are refused, */
    uint64_t causes[8];  /* with these in turn, the last again and again; 0 = the timestamp of the access */
    uint32_t refused;
    uint32_t winner_pc;     /* of who is in the way of what is refused, a warp 7; 0 = nobody is named */
    uint32_t rollover_at;   /* number of the request at which clocks begin anew; 0 = never */
    uint32_t holds_on;      /* 1: logs are held through that too */
    uint32_t late;          /* so many requests before that one are answered behind the news of it, */
    uint32_t late_refusals; /* 1: by a refusal */
    getm_granule granules[GETM_GRANULES];
    getm_request waiting[GETM_WAITERS];
    uint32_t waiters;
    getm_request held[GETM_WAITERS];
    uint32_t held_for[GETM_WAITERS];
    uint32_t held_count;
    getm_request delayed[GETM_WAITERS]; /* requests that are answered late */
    uint32_t delayed_count;
    uint64_t samples; /* loads that were answered; each has its number with it */
    getm_seen seen;
    uint32_t stopped; /* a rollover is under way: nothing is answered */
    uint32_t commits;
    getm_commit commit[GETM_COMMITS];
    struct {
        uint64_t address;
        uint32_t value;
    } initial[4096];
    uint32_t initial_count;
    hd_transactions told;
    hd_getm_access last; /* latest request */
    uint32_t last_epoch;
    hd_time first_at, last_at; /* when requests came */
    hd_getm_region region[64]; /* the first that came */
    uint32_t region_packet[64];
} getm_rig;

/* parameters: beside tx=getm. */
getm_rig *getm_rig_create(const char *const *parameters, const uint32_t *words);
/* Units for a core that is made elsewhere, by rig_setup: `take` hands its packets on to getm_rig_take. */
getm_rig *getm_rig_create_for(rig_unit *take, const uint32_t *words);
/* Units and memory as at the start; the core, in this kit, has been reset or is new. */
void getm_rig_forget(getm_rig *g, kit_block *kit);
/* Two cores before the same units. */
getm_rig *getm_rig_create_pair(const char *const *parameters, const uint32_t *words);
void getm_rig_destroy(getm_rig *g);
/* Word of memory before anything runs. */
void getm_rig_set(getm_rig *g, uint64_t address, uint32_t value);
getm_granule *getm_rig_granule(getm_rig *g, uint64_t address);
void getm_rig_launch(getm_rig *g, uint32_t threads);
/* Runs to the end; then nothing is reserved, waits or is in flight, and the commits replayed in the order of the protocol read
 * what they have read and leave memory as it is. */
void getm_rig_finish(getm_rig *g);
/* The last part of it, wherever everything has ended. */
void getm_rig_expect_over(getm_rig *g);
/* All of these: a program, from its launch to its end. */
getm_rig *getm_rig_run(const char *const *parameters, const uint32_t *words, uint32_t threads);
/* Everything that can happen without the logs that are held; then these are applied. 0: there was none. */
uint32_t getm_rig_release(getm_rig *g);
/* Of both cores, if there are two. */
uint64_t getm_rig_statistic(getm_rig *g, const char *name);
/* The replay alone. */
void getm_rig_replay(getm_rig *g);

/* ---- Between the files of the rig --------------------------------------------------------------------------------- */

/* What the partitions do with a packet; context: the rig. */
rig_unit getm_rig_take;
/* Applies the logs whose time has come. */
void getm_rig_apply_due(getm_rig *g, hd_time t);
/* hd_transactions.committed of the rig. */
void getm_rig_note(void *context, uint32_t endpoint, const hd_transaction *told);
/* The same, wherever a word was read. */
void getm_rig_keep(void *context, uint32_t endpoint, const hd_transaction *told);

#endif
