/* SPDX-License-Identifier: MIT */
/*
 * A host program outside of the simulator. It leaves operations in lanes; the native host's block carries them out with the
 * accesses that the runtime of a program makes (firmware/runtime/host), and gives them back when they are done.
 *
 * Lane q belongs to queue q of the device, HOST_LANE_OWN to none. Operations of a lane are done in order; but what the device
 * does itself does not wait for each other, it keeps the order. Lanes take turns on the bus.
 *
 * The functions may be called when all blocks stand at one time; hd_engine_wake tells the engine that something was posted.
 */
#ifndef HD_HOST_DRIVER_H
#define HD_HOST_DRIVER_H

#include "hd_host.h"
#include "hd_queue.h"
#include "host_call.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HOST_LANE_OWN HD_QUEUES_MAX
#define HOST_LANES (HD_QUEUES_MAX + 1u)

enum {
    HOST_OPERATION_ACCESS, /* `call`: READ, WRITE or FILL of at least one byte, when the launches before are complete */
    HOST_OPERATION_LAUNCH, /* `descriptor.launch`, with the arguments behind the struct; done when it is complete */
    HOST_OPERATION_COPY,   /* `descriptor.copy`, by the DMA engine; likewise */
    HOST_OPERATION_MARK,   /* everything before is complete: `mark` comes to `turn` */
    HOST_OPERATION_AWAIT,  /* what follows waits until `mark` has come to `turn` */
};

/* A moment in a lane. */
typedef struct host_mark {
    uint64_t turn;    /* of the last MARK that is done; they count from 1 */
    hd_time at;       /* when that was */
    uint64_t asked;   /* the owner's: of the last MARK posted */
    uint32_t holders; /* its owner, and each operation that names it */
    uint32_t
        is_owners; /* 1: the owner sets its turn, between two steps; whoever waits for it does not stand still for ever */
} host_mark;

typedef struct host_operation {
    struct host_operation *next;
    uint32_t kind;                                    /* HOST_OPERATION_* */
    uint32_t lane;                                    /* set by post */
    uint64_t ticket;                                  /* the owner's */
    host_call call;                                   /* its memory is borrowed until the operation is done */
    void (*call_back)(void *call_context, hd_time t); /* the owner's, likewise */
    void *call_context;
    host_mark *returned; /* the owner's, of that call; NULL: none */
    host_mark *mark;
    uint64_t turn;
    uint32_t step; /* the driver's */
    uint32_t argument_bytes;
    hd_time told;  /* LAUNCH, COPY: when the device was told of it */
    hd_time ended; /* when it was done */
    union {
        hd_queue_descriptor launch;
        hd_queue_copy copy;
    } descriptor;
    uint8_t payload[]; /* argument_bytes; or what `call` reads from or into */
} host_operation;

typedef struct host_driver host_driver;

/* Before a reset, of a native host without a program. NULL: out of memory. It lives as long as the block. */
host_driver *host_driver_create(hd_block *block);

/* Ring, completion records and arguments of queue `lane` are at these device addresses, and empty. */
void host_driver_open_lane(host_driver *driver, uint32_t lane, uint32_t ring, uint32_t completion, uint32_t arguments);
/* Takes the operation, from malloc. */
void host_driver_post(host_driver *driver, uint32_t lane, host_operation *operation);
/* The next that is done, to be freed by host_operation_free; NULL: there is none. In the order in which they were done. */
host_operation *host_driver_take(host_driver *driver);
/* Gives back its hold of its mark too. */
void host_operation_free(host_operation *operation);
void host_mark_release(host_mark *mark);
/* Nothing is left in the lane. */
uint32_t host_driver_is_idle(const host_driver *driver, uint32_t lane);
/* Something is left to do. */
uint32_t host_driver_has_work(const host_driver *driver);
/* A lane waits for a turn that only the owner sets, between two steps: what stands still now does not stand still for ever. */
uint32_t host_driver_awaits_owner(const host_driver *driver);
/* Why nothing is carried out any more; NULL: all is well. */
const char *host_driver_failure(const host_driver *driver);

/* Memory of the program, for the DMA engine until the copy that names it is done: its address on the host bus. 0: there is
 * too much of it, or out of memory. */
uint64_t host_driver_share(host_driver *driver, void *memory, uint64_t bytes);
/* The copy is not made after all. */
void host_driver_unshare(host_driver *driver, uint64_t address);
/* A launch is made: returns its number, and the record of it is kept. UINT32_MAX: out of memory. kernel is borrowed. */
uint32_t host_driver_record(host_driver *driver, const hd_host_launch *launch);
const hd_host_launch *host_driver_launches(const host_driver *driver, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
