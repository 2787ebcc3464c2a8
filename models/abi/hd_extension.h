/* SPDX-License-Identifier: MIT */
/*
 * Named, versioned abilities that only some blocks offer or need.
 */
#ifndef HD_EXTENSION_H
#define HD_EXTENSION_H

#include <string.h>

#include "hd_block.h"
#include "hd_hash.h"
#include "hd_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Offered by blocks (hd_block_class.extension) ----------------------------------------------------------------- */

/*
 * "heddle.pending/1": whether there is work left, and what it waits for. Called when nothing moves any more. The lines
 * name warps, program counters and what each waits for; they are shown to the user unchanged.
 * A line that begins with HD_PENDING_CAUSE is shown before all others, with those after it that begin with two spaces.
 * A line that begins with HD_PENDING_GOES_ON says that something may still write what others wait for, so that these are in no deadlock.
 */
#define HD_PENDING_CAUSE "probable cause: "
#define HD_PENDING_GOES_ON "not seen to repeat: "
#define HD_EXTENSION_PENDING "heddle.pending/1"
typedef struct hd_text_sink {
    void *context;
    void (*line)(void *context, const char *format, ...)
#if defined(__GNUC__)
        __attribute__((format(printf, 2, 3)))
#endif
        ;
} hd_text_sink;
typedef struct hd_pending {
    uint32_t (*has_work)(hd_block *block);
    void (*describe)(hd_block *block, const hd_text_sink *sink);
} hd_pending;

/*
 * "heddle.computes/1": which of its work nobody else can see, for the detection of hangs. While nothing reports progress, the
 * platform asks time and again, when the block stands at t; `anew`: what was answered before is forgotten.
 * Returns the time from which on something in it, which has issued instructions since it was asked last, has neither waited
 * for others nor read what others may write; or from which on it has read, whenever it was asked, words that it had not read
 * since it was asked `anew`. HD_NEVER or t: nothing does.
 */
#define HD_EXTENSION_COMPUTES "heddle.computes/1"
typedef struct hd_computes {
    hd_time (*since)(hd_block *block, hd_time t, uint32_t anew);
} hd_computes;

/*
 * "heddle.align/1": returns everything that earlier work left behind (arbiters, replacement order, open rows, refresh
 * phase, cached lines) to its state after reset, except data and statistics. Called at time t, when all blocks have
 * reached t and the device is idle. A cache passes every dirty range to write_back, which updates the next level
 * without taking time.
 */
#define HD_EXTENSION_ALIGN "heddle.align/1"
typedef struct hd_write_back_sink {
    void *context;
    void (*write_back)(void *context, uint64_t address, const void *data, uint32_t bytes);
} hd_write_back_sink;
typedef struct hd_align {
    void (*align)(hd_block *block, hd_time t, const hd_write_back_sink *sink);
} hd_align;

/*
 * "heddle.launches/1": what a block that gives thread blocks to cores can launch. To be asked when the block stands, once the cores have
 * told it their capacities: then what it refuses here would be a fault, and what it accepts is none.
 */
#define HD_EXTENSION_LAUNCHES "heddle.launches/1"
typedef struct hd_launches {
    /* 1: some core can run blocks of the grid. 0: none ever will, and text is why, in one line. */
    uint32_t (*accepts)(hd_block *block, const hd_grid *grid, char *text, size_t bytes);
    /* Of the core of this number: 0, 1, 2 ...; NULL: there is no such core, or it has not told yet. */
    const hd_core_capacity *(*capacity)(const hd_block *block, uint32_t core);
} hd_launches;

/*
 * "heddle.cache/1": a cache of device memory that all cores share, or a part of one.
 */
#define HD_EXTENSION_CACHE "heddle.cache/1"
typedef struct hd_cache {
    uint64_t (*bytes)(const hd_block *block); /* of data; 0: in this machine it keeps none */
} hd_cache;

/*
 * "heddle.under_way/1": writes that the block has taken or made, and neither carried out nor sent, for accesses without time. Of a
 * packet of "memory.write/1" or "global.store/1" those bytes count that begin at the offset; packets of other messages do not. The
 * oldest first of those that have to stay in order. Their data may be changed meanwhile.
 */
#define HD_EXTENSION_UNDER_WAY "heddle.under_way/1"
typedef struct hd_under_way_sink {
    void *context;
    void (*write)(void *context, hd_packet *packet, uint32_t offset);
} hd_under_way_sink;
typedef struct hd_under_way {
    void (*each)(hd_block *block, const hd_under_way_sink *sink);
} hd_under_way;

/*
 * "heddle.mark/1": restarts high-water marks (HD_STATISTIC_MAXIMUM) at the beginning of an interval of the results.
 */
#define HD_EXTENSION_MARK "heddle.mark/1"
typedef struct hd_mark {
    void (*mark)(hd_block *block);
} hd_mark;

/* Implements hd_block_class.extension for a block with these abilities; NULL for an ability that it lacks. */
static inline const void *hd_ability(const char *id, const hd_pending *pending, const hd_align *align,
                                     const hd_mark *mark)
{
    if (strcmp(id, HD_EXTENSION_PENDING) == 0)
        return pending;
    if (strcmp(id, HD_EXTENSION_ALIGN) == 0)
        return align;
    return strcmp(id, HD_EXTENSION_MARK) == 0 ? mark : NULL;
}

/* ---- Offered by the platform (hd_services.extension) -------------------------------------------------------------- */

/*
 * "heddle.address_map/2": which memory partition holds a physical address. One netlist object. The endpoint of partition p's
 * slice is endpoints[p].
 *
 * Chunks of the interleave go round groups of sub_partitions: group (address / interleave) % groups. The chunks of a group are
 * consecutive addresses, of which parts of the sub-interleave go round its partitions; there is one in a group unless the
 * netlist says otherwise, and p = (address / interleave) % partitions. A hash (hd_hash.h) puts another partition in p's place.
 */
#define HD_EXTENSION_ADDRESS_MAP "heddle.address_map/2"
typedef struct hd_address_map {
    uint32_t partitions;
    uint32_t interleave_bytes;     /* a power of two, >= 128 */
    const uint32_t *endpoints;     /* of each partition */
    uint32_t sub_partitions;       /* of a group; 0 = 1 */
    uint32_t sub_interleave_bytes; /* a power of two, >= 128; of groups of several */
    const hd_index_hash *hash;     /* NULL = none */
    uint64_t memory_end;           /* first address behind the machine's memory; 0 = that of the 32-bit space */
} hd_address_map;

/* Aligned ranges of so many bytes lie side by side in one partition. */
static inline uint32_t hd_partition_run(const hd_address_map *map)
{
    const uint32_t has_shorter = map->sub_partitions > 1 && map->sub_interleave_bytes < map->interleave_bytes;
    return has_shorter ? map->sub_interleave_bytes : map->interleave_bytes;
}

/* Which partition the address would be of without a hash. */
static inline uint32_t hd_partition_split(const hd_address_map *map, uint64_t address, uint64_t *offset)
{
    const uint32_t subs = map->sub_partitions > 1 ? map->sub_partitions : 1, groups = map->partitions / subs;
    const uint64_t chunk = address / map->interleave_bytes;
    const uint64_t of_group = chunk / groups * map->interleave_bytes + address % map->interleave_bytes;
    const uint32_t group = (uint32_t)(chunk % groups);
    *offset = of_group;
    if (subs == 1)
        return group;
    const uint64_t part = of_group / map->sub_interleave_bytes;
    *offset = part / subs * map->sub_interleave_bytes + of_group % map->sub_interleave_bytes;
    return group * subs + (uint32_t)(part % subs);
}

static inline uint32_t hd_partition_of(const hd_address_map *map, uint64_t address)
{
    if (map->sub_partitions <= 1 && !map->hash)
        return (uint32_t)(address / map->interleave_bytes % map->partitions);
    uint64_t offset;
    const uint32_t partition = hd_partition_split(map, address, &offset);
    return map->hash ? hd_hash_index(map->hash, partition, offset / hd_partition_run(map)) : partition;
}

/* A request to the slice of the address, with a body of so many bytes. message, traffic_class, tag, argument and what the body
 * costs on the wires are the caller's to fill in. */
static inline hd_packet *hd_partition_request(const hd_services *services, const hd_address_map *map, uint64_t address,
                                              uint32_t body_bytes)
{
    hd_packet *packet = services->alloc(services->context, body_bytes);
    packet->source = (uint16_t)services->endpoint;
    packet->destination = (uint16_t)map->endpoints[hd_partition_of(map, address)];
    packet->unit = HD_DESTINATION_L2_SLICE;
    packet->address = address;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    packet->body_bytes = body_bytes;
    return packet;
}

/* Address within its partition, in which the partition's chunks are consecutive. Banks, rows and sets derive from it. No hash
 * changes it. */
static inline uint64_t hd_partition_offset(const hd_address_map *map, uint64_t address)
{
    uint64_t offset;
    hd_partition_split(map, address, &offset);
    return offset;
}

/* Address within a channel that holds `shared` partitions which follow each other: their parts in turn. Of a group it is the
 * address that the sub-interleave divides. */
static inline uint64_t hd_channel_offset(const hd_address_map *map, uint64_t address, uint32_t shared)
{
    const uint64_t part = map->sub_partitions > 1 ? map->sub_interleave_bytes : map->interleave_bytes;
    const uint64_t offset = hd_partition_offset(map, address);
    return (offset / part * shared + hd_partition_of(map, address) % shared) * part + offset % part;
}

/*
 * "heddle.bus_map/1": which addresses are reached through which element of an initiator port, according to the windows
 * that targets declare, including targets behind further blocks with HD_BLOCK_DECODES. The windows do not overlap.
 */
#define HD_EXTENSION_BUS_MAP "heddle.bus_map/1"
typedef struct hd_bus_window {
    uint64_t first; /* address */
    uint64_t last;
    uint32_t element; /* of the port */
    uint32_t reserved;
} hd_bus_window;
typedef struct hd_bus_map {
    void *context;
    /* Writes up to `capacity` windows of this port (index) of the block with this endpoint, in order of address; returns
     * how many there are. */
    uint32_t (*windows)(void *context, uint32_t endpoint, uint32_t port, hd_bus_window *windows, uint32_t capacity);
} hd_bus_map;

/*
 * "heddle.rendezvous/1": a moment at which all blocks have reached the same time. request returns that time: a common
 * edge of all clocks, later than t by more than any window. Then the platform performs the requested actions (`what`)
 * before any block continues.
 */
#define HD_EXTENSION_RENDEZVOUS "heddle.rendezvous/1"
#define HD_RENDEZVOUS_ALIGN 1u        /* HD_EXTENSION_ALIGN on every block */
#define HD_RENDEZVOUS_KERNEL_BEGIN 2u /* results: launch `argument` begins */
#define HD_RENDEZVOUS_KERNEL_END 4u   /* results: launch `argument` has ended */
typedef struct hd_rendezvous {
    void *context;
    hd_time (*request)(void *context, hd_time t, uint32_t what, uint64_t argument);
} hd_rendezvous;

/*
 * "heddle.units/1": the units of a memory partition. Requesters address them by the slice's endpoint in
 * packet.destination and the unit in packet.unit. The unit has the same index in the array of its kind as the slice.
 */
#define HD_EXTENSION_UNITS "heddle.units/1"
#define HD_UNIT_KINDS "validation_unit", "commit_unit" /* from HD_DESTINATION_VALIDATION_UNIT on */
typedef struct hd_units {
    void *context;
    /* Endpoint of that unit. The endpoint itself for the slice, for a unit without a kind, and if the endpoint already is
     * a block of that kind. UINT32_MAX: the partition has no such unit. */
    uint32_t (*endpoint)(void *context, uint32_t endpoint, uint32_t unit);
} hd_units;

/*
 * "heddle.receivers/1": which blocks declare, with the values that they have, to receive a message type; for a sender
 * that must reach all of them.
 */
#define HD_EXTENSION_RECEIVERS "heddle.receivers/1"
typedef struct hd_receivers {
    void *context;
    /* The first receiver at or after this endpoint; UINT32_MAX: none. */
    uint32_t (*next)(void *context, uint32_t message, uint32_t endpoint);
} hd_receivers;

/*
 * "heddle.programs/2": the decoded kernels of this run (models/isa/program.h), by the module number in launches.
 */
#define HD_EXTENSION_PROGRAMS "heddle.programs/2"
struct isa_program;
struct isa_analysis;
struct isa_transform;
typedef struct hd_programs {
    void *context;
    /* NULL: there is no such module. */
    const struct isa_program *(*find)(void *context, uint32_t module);
    /* Whether the module begins transactions on the scratchpad. 0 as well: there is no such module. */
    uint32_t (*uses_scratchpad_transactions)(void *context, uint32_t module);
    /* For blocks, while they are created: every program has from now on the table that this analysis makes
     * (models/isa/analysis.h). analysis NULL: one that any program can have, of this name. 0 = done; else error holds one line:
     * there is none, there is another one of this name, or it refuses a program that is loaded already. */
    uint32_t (*require)(void *context, const char *table, const struct isa_analysis *analysis, char *error,
                        size_t error_bytes);
    /* For blocks, while they are created: every program is changed by this transform (models/isa/rewrite.h), once, after those that
     * have been asked for before. 0 = done; else error holds one line. */
    uint32_t (*transform)(void *context, const struct isa_transform *transform, char *error, size_t error_bytes);
} hd_programs;

/*
 * "heddle.files/1": the file that a parameter's text means, for blocks that read one while they are created. A text with a '/' or an
 * extension is a path; another one may be the name of a program that comes with Heddle. Without the extension it is a path.
 */
#define HD_EXTENSION_FILES "heddle.files/1"
typedef struct hd_files {
    void *context;
    /* Valid until the run is over; the text itself if it is no such name. */
    const char *(*path)(void *context, const char *text);
} hd_files;

/*
 * "heddle.temporary_files/1": for a block that makes a file which is there only while the machine is. Without the extension a process
 * that a signal ends leaves it.
 */
#define HD_EXTENSION_TEMPORARY_FILES "heddle.temporary_files/1"
typedef struct hd_temporary_files {
    void *context;
    /* The block has made the file: if a signal ends the process it is removed. Returns what `forget` takes; the path is copied. */
    void *(*note)(void *context, const char *path);
    /* The block has removed it. */
    void (*forget)(void *context, void *noted);
} hd_temporary_files;

/*
 * "heddle.interruption/1": for a block that waits for somebody outside of the simulator. Without the extension nobody ends such a wait.
 */
#define HD_EXTENSION_INTERRUPTION "heddle.interruption/1"
typedef struct hd_interruption {
    void *context;
    /* 1: the run is to end, and nobody is waited for: a block that waits stops by a fault. To be asked before and now and then during a
     * wait, on any thread: whatever says so may have come before, or to another thread. */
    uint32_t (*is_requested)(void *context);
} hd_interruption;

#ifdef __cplusplus
}
#endif

#endif
