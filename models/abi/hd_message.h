/* SPDX-License-Identifier: MIT */
/*
 * The message types of the standard blocks, and the layout of their bodies.
 *
 * Names are strings, interned at load (hd_services.message); a plug-in may add its own. A name ends in its version: a
 * different layout needs a different name. All fields are host-endian; addresses are physical (hd_address.h).
 */
#ifndef HD_MESSAGE_H
#define HD_MESSAGE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HD_LINE_BYTES 128u      /* the largest access: one coalesced line */
#define HD_HEADER_WIRE_BYTES 8u /* size of a packet's header on the wires of the network */

/* packet.unit: unit of the destination */
#define HD_DESTINATION_DEFAULT 0u
#define HD_DESTINATION_L2_SLICE 1u
#define HD_DESTINATION_VALIDATION_UNIT 2u
#define HD_DESTINATION_COMMIT_UNIT 3u

/* packet.flow: 0, or of contexts of thread blocks that go to buffers and come from there */
#define HD_FLOW_BUFFER 1u

/* packet.traffic_class: purpose of the bytes */
#define HD_CLASS_CONTROL 0u
#define HD_CLASS_GLOBAL 1u
#define HD_CLASS_PRIVATE 2u
#define HD_CLASS_CONSTANT 3u
#define HD_CLASS_ATOMIC 4u
#define HD_CLASS_HOST 5u
#define HD_CLASS_CODE 6u
#define HD_CLASS_TRANSACTION 7u
#define HD_CLASS_TEXTURE 8u
#define HD_CLASS_CONTEXT 9u
#define HD_CLASS_COUNT 10u
/* All of them, in this order, for tables of statistics: X(HD_CLASS_*, name, description) */
#define HD_CLASSES(X, ...)                                                                                             \
    X(HD_CLASS_CONTROL, "control", "control messages", __VA_ARGS__)                                                    \
    X(HD_CLASS_GLOBAL, "global", "global accesses", __VA_ARGS__)                                                       \
    X(HD_CLASS_PRIVATE, "private", "private accesses", __VA_ARGS__)                                                    \
    X(HD_CLASS_CONSTANT, "constant", "constant accesses", __VA_ARGS__)                                                 \
    X(HD_CLASS_ATOMIC, "atomic", "atomic operations", __VA_ARGS__)                                                     \
    X(HD_CLASS_HOST, "host", "host accesses", __VA_ARGS__)                                                             \
    X(HD_CLASS_CODE, "code", "instruction fetches", __VA_ARGS__)                                                       \
    X(HD_CLASS_TRANSACTION, "transaction", "transactions", __VA_ARGS__)                                                \
    X(HD_CLASS_TEXTURE, "texture", "read-only loads through a texture cache", __VA_ARGS__)                             \
    X(HD_CLASS_CONTEXT, "context", "contexts of thread blocks that move", __VA_ARGS__)

/* ---- Requester to L2 slice, over the network ---------------------------------------------------------------------- */

/*
 * Loads `argument` bytes (1..128) from address, all in one 128-byte line. No body. wire = header. The values are those at
 * the time when the slice accepts the load. Reply: same tag, address and argument; body = the bytes; wire = header +
 * argument.
 */
#define HD_GLOBAL_LOAD "global.load/1"
#define HD_GLOBAL_LOAD_REPLY "global.load_reply/1"

/*
 * Stores to the bytes address .. address + argument - 1, which lie in one 128-byte line. The body is hd_store followed by
 * the data. wire = header + argument. Acknowledgement: same tag, sent once all later accesses at that slice see the
 * store; wire = header.
 */
#define HD_GLOBAL_STORE "global.store/1"
#define HD_GLOBAL_STORE_ACK "global.store_ack/1"
typedef struct hd_store {
    uint32_t byte_mask[HD_LINE_BYTES / 32]; /* bit i: data byte i is written; bits from argument on are 0 */
} hd_store;
static inline uint8_t *hd_store_data(hd_store *store)
{
    return (uint8_t *)(store + 1);
}
static inline const uint8_t *hd_store_data_const(const hd_store *store)
{
    return (const uint8_t *)(store + 1);
}

/*
 * As global.load and global.store, of bytes that no cache keeps: they go to memory past the lines of the slice, which are neither
 * looked up nor replaced. Address and argument are multiples of 32; all bytes of a store are written. The bytes of a load are those
 * of memory when it answers: who stored them has waited for the acknowledgement, which is sent once memory has them.
 */
#define HD_UNCACHED_LOAD "uncached.load/1"
#define HD_UNCACHED_STORE "uncached.store/1"
#define HD_UNCACHED_BYTES 32u

/*
 * As global.load and global.store, of a line of a context in the slice's buffers, which have no place in memory: address is a multiple of
 * 128, from 0 on, of the slice that it is sent to. A load is answered once its line has been stored, and takes it away; a line is stored
 * where there is none. All of this, replies included, is of flow HD_FLOW_BUFFER, by which networks may know it.
 */
#define HD_BUFFER_LOAD "buffer.load/1"
#define HD_BUFFER_STORE "buffer.store/1"

/*
 * Atomic operations on words of the line at address (a multiple of 128). The body is hd_atomic_operation[argument]; the
 * operations are executed in that order with no other access in between. wire = header + 4 per operand (CAS and SC have
 * two, operand and compare). Reply: body is hd_atomic_result[argument]; wire = header + 4 per result.
 */
#define HD_GLOBAL_ATOMIC "global.atomic/2"
#define HD_GLOBAL_ATOMIC_REPLY "global.atomic_reply/2"

#define HD_ATOMIC_SWAP 0u
#define HD_ATOMIC_ADD 1u
#define HD_ATOMIC_XOR 2u
#define HD_ATOMIC_AND 3u
#define HD_ATOMIC_OR 4u
#define HD_ATOMIC_MIN 5u
#define HD_ATOMIC_MAX 6u
#define HD_ATOMIC_MINU 7u
#define HD_ATOMIC_MAXU 8u
#define HD_ATOMIC_CAS 9u            /* writes operand if the word equals compare */
#define HD_ATOMIC_LOAD_RESERVED 10u /* result.version = version of the word's bucket */
#define HD_ATOMIC_STORE_CONDITIONAL                                                                                    \
    11u /* writes operand if the bucket's version is compare; value 0 = written, 1 = not */
typedef struct hd_atomic_operation {
    uint8_t operation; /* HD_ATOMIC_* */
    uint8_t word;      /* index of the word in the line, 0..31 */
    uint8_t lane;      /* for the requester; ignored by the slice */
    uint8_t reserved;
    uint32_t operand;
    uint64_t compare; /* of CAS a word, of STORE_CONDITIONAL a version */
} hd_atomic_operation;
typedef struct hd_atomic_result {
    uint32_t value; /* the word before the operation; of STORE_CONDITIONAL 0 or 1 (above) */
    uint32_t reserved;
    uint64_t version; /* counts writes: a loop may make more than 2^32 of them between an LR and its SC */
} hd_atomic_result;

/* New value of a word after an operation other than LR or SC. Used for both scratchpad and L2. */
static inline uint32_t hd_atomic_apply(uint32_t operation, uint32_t word, uint32_t operand, uint64_t compare)
{
    switch (operation) {
    case HD_ATOMIC_SWAP: return operand;
    case HD_ATOMIC_ADD: return word + operand;
    case HD_ATOMIC_XOR: return word ^ operand;
    case HD_ATOMIC_AND: return word & operand;
    case HD_ATOMIC_OR: return word | operand;
    case HD_ATOMIC_MIN: return (int32_t)word < (int32_t)operand ? word : operand;
    case HD_ATOMIC_MAX: return (int32_t)word > (int32_t)operand ? word : operand;
    case HD_ATOMIC_MINU: return word < operand ? word : operand;
    case HD_ATOMIC_MAXU: return word > operand ? word : operand;
    case HD_ATOMIC_CAS: return word == compare ? operand : word;
    default: return word;
    }
}

/*
 * Instead of the reply to a global.load, global.store or global.atomic: the program makes a mistake there, and the core knows where its
 * thread stands. argument and the first bytes of the body as of the reply, then hd_mistake, the last of it. A core whose threads
 * asked for none of the wrong bytes takes it as the reply; else its run ends.
 */
#define HD_GLOBAL_MISTAKE "global.mistake/2"
typedef struct hd_mistake {
    uint32_t byte_mask[HD_LINE_BYTES / 32]; /* bit i: byte i of what was asked for is wrong */
    char what[224];                         /* a sentence part, which says what is wrong with them */
} hd_mistake;

/* ---- Memory protocol (TLM-2.0 base protocol on the SystemC side) -------------------------------------------------- */

/*
 * Reads or writes `argument` bytes (1..HD_PACKET_BODY_MAX) at address. Write body: argument bytes of data, then, if
 * body_bytes is larger, one byte enable per data byte: 0xFF = write, 0 = keep. wire = header (+ argument for a write).
 * Response: same tag; argument = HD_STATUS_*; a read's body is its data, wire = header + bytes, else wire = header.
 * Requests of one link to overlapping addresses take effect in order.
 */
#define HD_MEMORY_READ "memory.read/1"
#define HD_MEMORY_WRITE "memory.write/1"
#define HD_MEMORY_RESPONSE "memory.response/1"

#define HD_STATUS_OK 0u
#define HD_STATUS_ADDRESS_ERROR 1u
#define HD_STATUS_COMMAND_ERROR 2u
#define HD_STATUS_BURST_ERROR 3u
#define HD_STATUS_BYTE_ENABLE_ERROR 4u
#define HD_STATUS_GENERIC_ERROR 5u

/* ---- Launching ---------------------------------------------------------------------------------------------------- */

/* A grid: one kernel launch. */
typedef struct hd_grid {
    uint32_t launch; /* number of the launch in this run, from 0 */
    uint32_t module; /* "heddle.programs/2" */
    uint32_t entry_pc;
    uint32_t argument_bytes;   /* size of the argument block */
    uint64_t argument_address; /* physical; threads access it at HD_CONSTANT_BASE */
    uint32_t grid_size[3];     /* blocks, x y z, each >= 1 */
    uint32_t block_size[3];    /* threads, x y z, each >= 1 */
    uint32_t scratchpad_bytes; /* per block */
    uint32_t private_bytes;    /* per thread, a multiple of 128 */
    uint32_t stream;           /* queue that it was launched in; set by the command processor */
    uint32_t reserved;         /* 0 */
} hd_grid;

/* Command processor to thread-block scheduler: body hd_grid. Reply when all blocks are done: tag = launch. */
#define HD_GRID_LAUNCH "grid.launch/2"
#define HD_GRID_DONE "grid.done/1"

/*
 * Of the scratchpad a thread block may take more than it asks for (Villegas et al., GPU-LocalTM, §3): whole rows, and if its program has
 * transactions on the scratchpad, so many rows of backups for each of its own, and rows that have owners of so many of its own each. All
 * 0: just what it asks for.
 */
typedef struct hd_scratchpad_rows {
    uint16_t bytes; /* of a row */
    uint8_t backups;
    uint8_t owned; /* 0: there are no owners */
} hd_scratchpad_rows;

/* Bytes that a block takes, which asks for so many. */
static inline uint64_t hd_scratchpad_taken(const hd_scratchpad_rows *rows, uint32_t bytes, uint32_t has_transactions)
{
    if (!rows->bytes)
        return bytes;
    const uint64_t data = ((uint64_t)bytes + rows->bytes - 1) / rows->bytes;
    const uint64_t owners = rows->owned ? (data + rows->owned - 1) / rows->owned : 0;
    return (has_transactions ? data + rows->backups * data + owners : data) * rows->bytes;
}

/* Core to thread-block scheduler, once, at time 0: body hd_core_capacity. */
#define HD_CORE_CAPACITY "core.capacity/1"
typedef struct hd_core_capacity {
    uint32_t lanes; /* per warp */
    uint32_t warps; /* maximum resident */
    uint32_t threads;
    uint32_t blocks;
    uint32_t registers; /* 32-bit registers; a thread uses registers_per_thread of them */
    uint32_t registers_per_thread;
    uint32_t scratchpad_bytes;
    hd_scratchpad_rows scratchpad_rows;
} hd_core_capacity;

/* Scheduler to core: run one block, which the scheduler knows to fit. Body hd_block_launch; tag identifies the block. */
#define HD_BLOCK_LAUNCH "block.launch/3"
typedef struct hd_block_launch {
    hd_grid grid;
    uint32_t block_index[3];
    uint32_t first_of_grid; /* 1: first block of this grid on this core: drop constant and global L1 lines */
    uint32_t context_slot;  /* where the block's private memory is (hd_address.h): below context_slots */
    uint32_t context_slots; /* of the machine */
} hd_block_launch;

/* Number of the block in its grid: x first, then y, then z. */
static inline uint64_t hd_block_number_in(const hd_grid *grid, const uint32_t index[3])
{
    return index[0] + (uint64_t)grid->grid_size[0] * (index[1] + (uint64_t)grid->grid_size[1] * index[2]);
}
static inline uint64_t hd_block_number(const hd_block_launch *launch)
{
    return hd_block_number_in(&launch->grid, launch->block_index);
}

/* Core to scheduler, same tag: all threads have exited and all stores of the block are acknowledged. */
#define HD_BLOCK_DONE "block.done/1"

/* ---- Moving thread blocks ----------------------------------------------------------------------------------------- */

/*
 * A block stops, leaves its core as bytes, waits wherever the scheduler keeps them, and enters a core again, the same one or
 * another one (hd_context.h says what moves). The tag is that of its block.launch; first_of_grid and context slot stay. Only
 * between a scheduler and cores that declare these messages.
 *
 *     scheduler to core   block.stop
 *     core to scheduler   block.context ... block.context, block.saved     its room in the core is free
 *     scheduler to core   block.restore, block.context ... block.context   it runs on
 *
 * A core may put the first part of the stream into memory, as much as the machine that is modelled moves; the rest comes and goes by
 * block.context. In memory it lies in the block's context slot, from line HD_CONTEXT_SAVED_LINE on (hd_address.h).
 *
 * Or into a buffer of an L2 slice, which the scheduler gives it (block.shuffle):
 *
 *     scheduler to core       block.shuffle
 *     core to scheduler       block.leaving, block.context ... block.context, block.saved
 *     scheduler to core       block.restore, block.context ... block.context; from block.leaving on, as far as there is context
 *     core to scheduler       block.restored     its buffer is free
  *
 * A scheduler restores where there is room, as it launches, and never waits for a core before it takes the core's events.
 */

/* Size of a thread block. The time of a transfer is computed from the architectural sizes, not from the stream. */
typedef struct hd_context_size {
    uint64_t stream_bytes; /* of its stream: memory_bytes, then the bodies of its block.context, one behind the other */
    uint64_t memory_bytes; /* of the stream, the first so many are in memory */
    uint64_t register_bytes;   /* threads x registers_per_thread x 4, without what stays behind */
    uint64_t scratchpad_bytes; /* of its launch, or what of that moves */
    uint64_t
        control_bytes; /* pcs, masks and reconvergence state of its warps, and which registers they have with them */
    uint32_t threads;
    uint32_t warps;
    uint32_t context_slot, context_slots; /* of its launch */
    uint32_t saved_by;                    /* endpoint of the core */
    uint32_t buffer;                      /* that has what is not in the stream, its number and 1; 0: memory has it */
    uint64_t buffer_bytes;                /* of each buffer */
} hd_context_size;

static inline uint64_t hd_context_bytes(const hd_context_size *size)
{
    return size->register_bytes + size->scratchpad_bytes + size->control_bytes;
}

/* Scheduler to core: stop the block and save it. No body; argument = HD_STOP_*. The answer is its context and block.saved, once nothing of it is in
 * flight; block.done, as ever, if it ends before that; or block.refused at once. It may be sent behind block.restore: a block that has
 * come so issues an instruction before it stops, and gets on however soon it is told to leave. */
#define HD_BLOCK_STOP "block.stop/2"
#define HD_STOP_AS_STORED 0u /* it goes where the core keeps such blocks */
#define HD_STOP_IDEAL 1u     /* it goes by block.context alone, one if it may be so large, and its bytes take no time */
/*
 * As block.stop: into a buffer, if it fits; else as block.stop. Buffers are numbered from 0 over the partitions of the address map in
 * turn: number n is the (n / partitions)-th of partition n mod partitions, and they follow one another there. Body hd_block_buffer.
 */
#define HD_BLOCK_SHUFFLE "block.shuffle/1"
typedef struct hd_block_buffer {
    uint64_t bytes; /* of each buffer, a multiple of 128 */
    uint32_t number;
    uint32_t reserved; /* 0 */
} hd_block_buffer;
/* Core to scheduler, of block.shuffle, before its context: it has begun to leave. Body hd_context_size, that of block.saved. */
#define HD_BLOCK_LEAVING "block.leaving/1"
/* Core to scheduler: a block that comes has left its buffer. */
#define HD_BLOCK_RESTORED "block.restored/1"
/* Part of a stream, behind what came before it: all are HD_PACKET_BODY_MAX bytes but the last; with HD_STOP_IDEAL,
 * HD_PACKET_STREAM_MAX. */
#define HD_BLOCK_CONTEXT "block.context/2"
/* Core to scheduler, behind the context of the block, which is gone: body hd_context_size. */
#define HD_BLOCK_SAVED "block.saved/3"
/* Scheduler to core, before the context of the block: body hd_context_size, that of block.saved; argument = HD_STOP_*, that of its
 * block.stop. It runs on when all has come.
 * No answer, or the whole context again and then block.refused. */
#define HD_BLOCK_RESTORE "block.restore/3"
/* Core to scheduler: nothing of what was asked for has happened. argument = HD_REFUSED_*. */
#define HD_BLOCK_REFUSED "block.refused/1"
#define HD_REFUSED_UNKNOWN 1u  /* block.stop: no such block here; it may have ended a moment ago */
#define HD_REFUSED_STOPPING 2u /* block.stop: it stops already */
#define HD_REFUSED_RESTORE 3u  /* block.restore: no room, or not a block of such a core */

/* ---- Levels of running blocks -------------------------------------------------------------------------------------- */

/*
 * What a block asks of its core, as a scheduler may want to know that predicts it. The core counts for a block from
 * block.watch on until it ends or leaves the core, in windows of a period; after each, and when the block ends, it
 * compares the levels with those that the scheduler knows, and tells it what has changed (Beaumont 2019 §3.4).
 */

/* Scheduler to core: report the levels of the block, from now on in this way. Body hd_block_watch. No answer; of a block that is not
 * there nothing is reported. */
#define HD_BLOCK_WATCH "block.watch/2"
typedef struct hd_block_watch {
    uint64_t period;       /* cycles of a window, >= 1 */
    uint32_t memory_steps; /* into which memory_refused_cycles / cycles is divided; 0: its level stays 0 */
    uint32_t float_steps;  /* the same of float_instructions / slots */
    uint32_t highest;      /* what is more has this level */
    uint32_t every_window; /* 1: also levels that have not changed */
    uint32_t memory_level; /* what the scheduler takes them to be now */
    uint32_t float_level;
    uint32_t demand_steps; /* the same of memory_attempts / cycles */
    uint32_t abort_steps;  /* the same of tx_aborted / tx_ended */
    uint32_t demand_level;
    uint32_t abort_level;
} hd_block_watch;

/* Core to scheduler, same tag; before block.done if the block ends. What finds no credit at the end of a window waits, and is
 * replaced by that of the next window. */
#define HD_BLOCK_LEVEL "block.level/2"
typedef struct hd_block_level {
    uint64_t cycles;                /* of the window: the period, or fewer if it is the last one */
    uint64_t memory_refused_cycles; /* with a memory instruction ready that the memory pipe had no room for */
    uint64_t instructions;          /* issued by its warps */
    uint64_t float_instructions;    /* those of them that are float */
    uint64_t slots;                 /* instructions that the core can issue in these cycles */
    uint32_t memory_level;
    uint32_t float_level;
    uint32_t last; /* 1: the block ends */
    uint32_t demand_level;
    uint32_t abort_level;
    uint32_t reserved;
    uint64_t
        memory_attempts; /* memory instructions issued, and for each cycle the warps with one ready that found no room; 0: demand_steps
                               * is */
    uint64_t tx_ended;   /* attempts of lanes that committed or aborted */
    uint64_t tx_aborted; /* those of them that aborted */
} hd_block_level;

static inline uint32_t hd_level_of(uint64_t part, uint64_t whole, uint32_t steps, uint32_t highest)
{
    const uint64_t level = whole ? part * steps / whole : 0;
    return level < highest ? (uint32_t)level : highest;
}

/* ---- Copies ------------------------------------------------------------------------------------------------------- */

#define HD_COPY_TO_DEVICE 0u
#define HD_COPY_FROM_DEVICE 1u
#define HD_COPY_FILL 2u /* sets each byte of device memory to the low 8 bits of host_address */

/* A copy between host memory and device memory. */
typedef struct hd_copy {
    uint32_t number;    /* of the copy in this run, from 0 */
    uint32_t direction; /* HD_COPY_* */
    uint64_t host_address;
    uint64_t device_address;
    uint64_t bytes; /* >= 1 */
} hd_copy;

/*
 * Command processor to DMA engine: body hd_copy; wire = header + body; tag is the command processor's. Reply when the
 * copy has ended and none of its accesses is in flight, same tag: argument = HD_STATUS_OK, or the status of a refused
 * access and address = its address. Concurrent copies are not ordered.
 */
#define HD_COPY_START "copy.start/1"
#define HD_COPY_DONE "copy.done/1"

/* Command processor to host: interrupt line `argument` rises; tag is the reason (hd_queue.h). */
#define HD_INTERRUPT "interrupt/1"

#ifdef __cplusplus
}
#endif

#endif
