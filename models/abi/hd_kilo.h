/* SPDX-License-Identifier: MIT */
/*
 * Messages of Kilo TM: lazy conflict detection by value, at the memory partitions (Fung 2015 §4.2, Fig. 4.4a, 4.5, §6.2).
 *
 * Lanes of a warp that commit take commit IDs together, one for each in the order of lanes. The core then sends what each has
 * read and written to the commit units of the partitions that hold it, and to every commit unit, in the end, which lanes have
 * anything there. Each unit says which lanes it lets pass; the core makes of that what becomes of them, and tells the units.
 *
 *   core -> unit   READ_SET*  WRITE_SET*  DONE_SKIP                OUTCOME
 *   unit -> core                            (ENTER)    VERDICT (LEAVE)       COMMITTED (who writes there)
 *
 * Units are addressed by the slice's endpoint and packet.unit (HD_DESTINATION_COMMIT_UNIT). Messages between one core and one
 * unit keep their order; those of a warp at one unit have one `flow`, its number in the machine. packet.epoch numbers the
 * attempts of a warp, 1..255 and then again from 1. In what a unit sends, `argument` is its partition and `tag` the group's first
 * commit ID. Logs are of HD_CLASS_TRANSACTION, as is all else. wire = header + what is said below; a header has room for the
 * first commit ID and the mask of lanes.
 *
 * Units that validate nothing (parameter `validate`) write what they are sent: of these messages there are WRITE_SET, DONE_SKIP, by
 * which marked lanes commit, and COMMITTED.
 *
 * Loads of a transaction go to the slices as HD_GLOBAL_LOAD, of HD_CLASS_GLOBAL and with an epoch.
 */
#ifndef HD_KILO_H
#define HD_KILO_H

#include <stdint.h>

#include "hd_message.h"
#include "hd_packet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of the unit's parameter `validate`. */
enum hd_kilo_validate { HD_KILO_VALIDATE_READ_SETS, HD_KILO_VALIDATE_NOTHING };

/* Lanes that have taken commit IDs together: they are `first`, first + 1, ... in the order of lanes. IDs begin at 1. */
typedef struct hd_kilo_group {
    uint64_t first;
    uint64_t lanes; /* not 0 */
} hd_kilo_group;

static inline uint32_t hd_kilo_size(const hd_kilo_group *group)
{
    return (uint32_t)__builtin_popcountll(group->lanes);
}
static inline uint64_t hd_kilo_id(const hd_kilo_group *group, uint32_t lane)
{
    return group->first + (uint64_t)__builtin_popcountll(group->lanes & ((UINT64_C(1) << lane) - 1));
}

/*
 * Core to unit: `argument` words of that partition, of any lanes of the group, in the order in which each lane has logged them;
 * all of a lane's reads come before its writes. Body hd_kilo_log, then hd_kilo_word[argument]. wire = header + 8 per word.
 *
 * `resent` 1: it answers HD_KILO_RESEND.
 */
#define HD_KILO_READ_SET "kilo.read_set/1"
#define HD_KILO_WRITE_SET "kilo.write_set/1"
#define HD_KILO_WORD_WIRE_BYTES 8u
typedef struct hd_kilo_log {
    hd_kilo_group group;
    uint32_t resent;
    uint32_t reserved;
} hd_kilo_log;
typedef struct hd_kilo_word {
    uint32_t address; /* a multiple of 4; physical addresses of global memory are below 2^32 */
    uint32_t value;   /* that the lane has read, or writes */
    uint8_t lane;
    uint8_t byte_mask; /* bits 0..3, not 0: bytes that count. Hardware logs whole words (15) */
    uint16_t reserved;
} hd_kilo_word;
#define HD_KILO_WORDS ((HD_PACKET_BODY_MAX - (uint32_t)sizeof(hd_kilo_log)) / (uint32_t)sizeof(hd_kilo_word))

/* About lanes of a group: some, or one. `marked` are those of them of which something holds. */
typedef struct hd_kilo_lanes {
    hd_kilo_group group;
    uint64_t lanes;
    uint64_t marked;
} hd_kilo_lanes;

/* Core to each unit, when the logs of these lanes are complete there. Body hd_kilo_lanes; marked: lanes that have words there
 * (done); the others skip it. wire = header + 4. */
#define HD_KILO_DONE_SKIP "kilo.done_skip/1"
/* Unit to core: what it says to these lanes; marked: pass, the others fail. Body hd_kilo_lanes: one lane, wire = header; or, from
 * units that aggregate, all lanes of the group that have words there, wire = header + 4. */
#define HD_KILO_VERDICT "kilo.verdict/1"
/* Core to each unit that has words of these lanes: all units have said what they think of them. marked: those that commit.
 * Body and wire as of HD_KILO_VERDICT. */
#define HD_KILO_OUTCOME "kilo.outcome/1"
/* Unit to core: what these lanes write there has been written. Body and wire as of HD_KILO_VERDICT; marked = lanes. None for
 * lanes without writes there. */
#define HD_KILO_COMMITTED "kilo.committed/1"
#define HD_KILO_MASK_WIRE_BYTES 4u

/*
 * Unit to core: the unit has kept only the first words of a lane's read or write set, and needs the others now (Fung 2015 §4.2.5,
 * unbounded transactions). Body hd_kilo_resend, wire = header. The core sends the lane's words of that set and partition from
 * number `from` on, in the same order and with `resent`, and then HD_KILO_RESENT (body hd_kilo_lanes, wire = header). It keeps
 * its logs for that until it knows what becomes of the lane, and those of a writer until all has been written. A set may be asked
 * for twice.
 */
#define HD_KILO_RESEND "kilo.resend/1"
#define HD_KILO_RESENT "kilo.resent/1"
typedef struct hd_kilo_resend {
    hd_kilo_group group;
    uint32_t lane;
    uint32_t is_write_set;
    uint32_t from; /* words of that set here, counted from 0 */
    uint32_t reserved;
} hd_kilo_resend;

/*
 * Unit to every block that receives it: `argument` words of the partition, `tag` 0: that are read, 1: that are written, by
 * transactions that the unit knows the logs of and has not given a verdict on all lanes of the warp (ENTER), or by none any more
 * (LEAVE). Body uint32_t[argument], addresses. Flow 0, so that what is said of a word keeps its order. Hints: a word may be missing,
 * or stay for too long. wire = header, or header + 4 per word (parameter `broadcast.size`). Source: Ren & Lis 2018 §VI.
 */
#define HD_KILO_ENTER "kilo.enter/1"
#define HD_KILO_LEAVE "kilo.leave/1"
#define HD_KILO_ADDRESSES (HD_PACKET_BODY_MAX / (uint32_t)sizeof(uint32_t)) /* in a message at most */

/*
 * The same in 64 bits, from units that tell no words: a bit for each word that is read (`tag` 0) or written (`tag` 1), and others may
 * have the same. Body uint64_t: all that hold now, in the place of those before. `argument` is the unit's partition. Flow 0. wire =
 * header, or header + 8.
 */
#define HD_KILO_SIGNATURE "kilo.signature/1"
#define HD_KILO_SIGNATURE_BITS 64u
static inline uint32_t hd_kilo_signature_bit(uint32_t address)
{
    return (address >> 2) * UINT32_C(0x9E3779B1) >> 26;
}

/*
 * Commit IDs. Core to vendor, by links of their own: `argument` IDs are wanted (1..64). Reply, when all units have room for them:
 * HD_KILO_IDS, same tag and flow, address = the first. wire = header.
 */
#define HD_KILO_TAKE_IDS "kilo.take_ids/1"
#define HD_KILO_IDS "kilo.ids/1"
/* Unit to vendor: it has room for all IDs below address (UINT64_MAX: it always has). wire = header. */
#define HD_KILO_ROOM "kilo.room/1"
#define HD_KILO_GROUP_MAX 64u

/*
 * Temporal conflict detection (Fung 2015 §6.4). A unit that listens to its slice has put this behind the data of replies to loads
 * of transactions (at body + argument). wire: 8 more.
 */
#define HD_KILO_WRITTEN_WIRE_BYTES 8u
typedef struct hd_kilo_written {
    uint64_t t;          /* hd_time: no transaction has written any of it after the cycle that began then */
    uint32_t is_pending; /* 1: one that has not been told its outcome everywhere may be about to */
    uint32_t reserved;
} hd_kilo_written;

#ifdef __cplusplus
}
#endif

#endif
