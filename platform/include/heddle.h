/* SPDX-License-Identifier: MIT */
/*
 * Embedding: a machine inside of another program, which is its host. Link with libheddle.so, or load it (ctypes, dlopen).
 *
 *     heddle_machine *machine;
 *     heddle_settings settings = {.struct_bytes = sizeof settings, .netlist = "gtx480.yaml"};
 *     if (heddle_open(&settings, &machine) != HEDDLE_OK)
 *         fprintf(stderr, "%s\n", heddle_message());
 *
 * The program takes the place of the machine's native host (host_cpu/native). It runs in its own time; simulated time passes
 * only inside of calls, and only in those that say so. What the program asks of the device takes simulated time, what it
 * computes does not. The same calls give the same results to the bit, whatever else the process or another machine does.
 *
 * Errors. A call returns HEDDLE_OK or HEDDLE_ERROR_*, heddle_error_text says what a code means and heddle_message what
 * happened. A call that is refused has changed nothing. After HEDDLE_ERROR_DEVICE and the codes behind it the machine is at its
 * end: calls that would let time pass return the same again, statistics can be read, and it can be closed. Nothing here exits,
 * prints, or changes signals, working directory, locale or files of the program. One thing ends the process: no memory left for
 * the simulator itself.
 *
 * Threads. A call marked "any" may be made at any time. All others: by any thread, one call at a time for each machine; a
 * second one meanwhile, from another thread or from a callback, returns HEDDLE_ERROR_BUSY. Machines share nothing that shows;
 * simulating them takes turns, because SystemC has one simulation at a time for each process.
 *
 * Handles are no pointers to anything. A handle that is closed, of another kind or made up is HEDDLE_ERROR_HANDLE.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif

/* ---- Errors ------------------------------------------------------------------------------------------------------- */

/* What a call returns. */
typedef uint32_t heddle_error;

#define HEDDLE_OK 0u
#define HEDDLE_ERROR_ARGUMENT 1u     /* NULL, or a value out of its range */
#define HEDDLE_ERROR_HANDLE 2u       /* no open machine, queue, event or kernel */
#define HEDDLE_ERROR_BUSY 3u         /* another call for this machine is under way */
#define HEDDLE_ERROR_NETLIST 4u      /* the machine file has errors, or the machine cannot be built */
#define HEDDLE_ERROR_FILE 5u         /* a file cannot be read */
#define HEDDLE_ERROR_KERNELS 6u      /* the kernel program is refused, or its place in memory is taken */
#define HEDDLE_ERROR_UNKNOWN 7u      /* no kernel, variable or statistic of that name */
#define HEDDLE_ERROR_MEMORY 8u       /* the device has no such piece of memory left */
#define HEDDLE_ERROR_RANGE 9u        /* beyond an allocation, or where none is */
#define HEDDLE_ERROR_FREED 10u       /* memory of the device that has been freed */
#define HEDDLE_ERROR_QUEUES 11u      /* the device has no queue left */
#define HEDDLE_ERROR_TIME 12u        /* a time that has passed */
#define HEDDLE_ERROR_HOST_MEMORY 13u /* the process has no memory left */
#define HEDDLE_ERROR_DEVICE 14u      /* the device refused an access or a launch */
#define HEDDLE_ERROR_FAULT 15u       /* a kernel or a model did something that has no meaning */
#define HEDDLE_ERROR_DEADLOCK 16u    /* something is awaited, and nothing moves any more */
#define HEDDLE_ERROR_LIVELOCK 17u    /* no progress for as long as the machine's watchdog waits */
#define HEDDLE_ERROR_LIMIT 18u       /* the machine's limit of simulated time is reached */

/* What a code means, in a few words; never NULL. Threads: any. */
HEDDLE_API const char *heddle_error_text(heddle_error error);

/*
 * What went wrong in the last call of this thread that returned an error: one line, or for HEDDLE_ERROR_NETLIST all that is
 * wrong with the file. "" if there was none. Valid until the next call of this thread. Threads: any.
 */
HEDDLE_API const char *heddle_message(void);

/* "0.1.0": of the library. Its major number is that of the soname. Threads: any. */
HEDDLE_API const char *heddle_version(void);

/* ---- Machines ----------------------------------------------------------------------------------------------------- */

typedef struct heddle_machine heddle_machine;
typedef struct heddle_queue heddle_queue;
typedef struct heddle_event heddle_event;
typedef struct heddle_kernel heddle_kernel;

#define HEDDLE_LOG_DEBUG 0u
#define HEDDLE_LOG_INFORMATION 1u
#define HEDDLE_LOG_WARNING 2u

/* Who is told, inside of calls that let time pass, by the thread that makes the call. Texts are lent. Each may be NULL. */
typedef struct heddle_callbacks {
    void *context;
    /* A line from a kernel's printf. */
    void (*print)(void *context, const char *line);
    /* What a block (NULL: a SystemC model) has to say at a time in picoseconds. HEDDLE_LOG_*. */
    void (*log)(void *context, uint32_t severity, uint64_t time, const char *block, const char *line);
    /* The interrupt of a launch has come and its completion record is read. */
    void (*finished)(void *context, uint32_t launch, uint64_t time);
} heddle_callbacks;

/* Zero is a good value of everything but struct_bytes and netlist. What it points to is copied, or lent for the call. */
typedef struct heddle_settings {
    size_t struct_bytes;          /* sizeof(heddle_settings) */
    const char *netlist;          /* path of the machine file */
    const char *const *overrides; /* "core.count=2": as after --set */
    size_t override_count;
    const char *const *plugins; /* paths, besides those that the machine file names */
    size_t plugin_count;
    const char *name;  /* of the program, for results; NULL: none */
    uint64_t seed;     /* of random streams; 0 = 1 */
    uint32_t threads;  /* that simulate; 0 = 1. Results do not depend on it */
    uint32_t reserved; /* 0 */
    uint64_t grain;    /* ps: a call that waits returns at a multiple of it; 0 = 100,000 */
    heddle_callbacks callbacks;
} heddle_settings;

/* Opens a machine and finds its device, which takes simulated time. *machine is NULL after an error. Threads: any. */
HEDDLE_API heddle_error heddle_open(const heddle_settings *settings, heddle_machine **machine);

/* Ends it wherever it is, with all its handles. No time passes; what is under way is dropped. */
HEDDLE_API heddle_error heddle_close(heddle_machine *machine);

/* ---- Memory of the device ------------------------------------------------------------------------------------------ */

/* An address in device memory; 0 is none. */
typedef uint32_t heddle_address;

/* bytes >= 1. The address is a multiple of 256; what is there is undefined. No time passes. */
HEDDLE_API heddle_error heddle_allocate(heddle_machine *machine, uint64_t bytes, heddle_address *address);

/* What heddle_allocate gave, once. Waits for everything before it. */
HEDDLE_API heddle_error heddle_free(heddle_machine *machine, heddle_address address);

/* Copies within one allocation, or a variable of the kernels. Waits for everything before it, then for the copy. bytes may be 0. */
HEDDLE_API heddle_error heddle_copy_to_device(heddle_machine *machine, heddle_address to, const void *from,
                                              size_t bytes);

/* Likewise, the other way. */
HEDDLE_API heddle_error heddle_copy_from_device(heddle_machine *machine, void *to, heddle_address from, size_t bytes);

/* Likewise: sets every byte to the low 8 bits of value. */
HEDDLE_API heddle_error heddle_fill(heddle_machine *machine, heddle_address to, uint32_t value, size_t bytes);

/* ---- Kernels ------------------------------------------------------------------------------------------------------- */

/*
 * Loads a kernel program, an ELF file (kernel.elf of an app). Several may be loaded if they lie at different addresses. Its place
 * must be free: load before allocating. Waits until it is in device memory.
 */
HEDDLE_API heddle_error heddle_load(heddle_machine *machine, const char *path);

/* The same from memory, which may be freed afterwards. */
HEDDLE_API heddle_error heddle_load_image(heddle_machine *machine, const void *image, size_t bytes);

/* A kernel by the name of its function, from the first program that has it. */
HEDDLE_API heddle_error heddle_kernel_named(heddle_machine *machine, const char *name, heddle_kernel **kernel);

/* Address and size of a variable of the kernel programs. bytes may be NULL. */
HEDDLE_API heddle_error heddle_variable(heddle_machine *machine, const char *name, heddle_address *address,
                                        uint64_t *bytes);

/* Stack of every thread of later launches, rounded up to 128 bytes; 4096 unless set here. */
HEDDLE_API heddle_error heddle_set_stack(heddle_machine *machine, uint32_t bytes_per_thread);

/* ---- Queues ---------------------------------------------------------------------------------------------------------- */

/* The queue that is there from the start; it is not to be destroyed. The first call sets it up, which takes time. */
HEDDLE_API heddle_error heddle_default_queue(heddle_machine *machine, heddle_queue **queue);

/* One more, as long as the device has some. Setting it up takes time. */
HEDDLE_API heddle_error heddle_queue_create(heddle_machine *machine, heddle_queue **queue);

/* Waits for what is in it first. */
HEDDLE_API heddle_error heddle_queue_destroy(heddle_queue *queue);

/*
 * Appends to the queue and returns; no time passes. What is in one queue is done in order, queues go on beside each other. Memory
 * of the program that a copy names is used until the copy is done, and must stay as it is.
 */
HEDDLE_API heddle_error heddle_queue_copy_to_device(heddle_queue *queue, heddle_address to, const void *from,
                                                    size_t bytes);
HEDDLE_API heddle_error heddle_queue_copy_from_device(heddle_queue *queue, void *to, heddle_address from, size_t bytes);
HEDDLE_API heddle_error heddle_queue_fill(heddle_queue *queue, heddle_address to, uint32_t value, size_t bytes);

/* Blocks in x, y, z and threads of a block in x, y, z; bytes of scratchpad for each block. */
typedef struct heddle_size {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t scratchpad_bytes;
} heddle_size;

#define HEDDLE_ARGUMENT_BYTES_MAX 4096u

/*
 * Appends a launch; likewise. The arguments are copied; they may be NULL when there are none. *launch, which may be NULL,
 * becomes its number: 0, 1, 2 ... in the order of the calls.
 */
HEDDLE_API heddle_error heddle_launch(heddle_queue *queue, heddle_kernel *kernel, const heddle_size *size,
                                      const void *arguments, uint32_t argument_bytes, uint32_t *launch);

/* Lets time pass until everything in the queue is done. */
HEDDLE_API heddle_error heddle_queue_wait(heddle_queue *queue);

/* *is_done becomes 1 if nothing is left in the queue, else 0. No time passes. */
HEDDLE_API heddle_error heddle_queue_poll(heddle_queue *queue, uint32_t *is_done);

/* Lets time pass until everything in all queues is done. */
HEDDLE_API heddle_error heddle_wait(heddle_machine *machine);

/* Lets time pass until this launch is complete. */
HEDDLE_API heddle_error heddle_launch_wait(heddle_machine *machine, uint32_t launch);

/* What became of a launch. Cycles are those of the command processor's clock. */
typedef struct heddle_launch_record {
    uint32_t is_complete; /* the cycles are set */
    uint32_t queue;       /* of the device */
    uint64_t start_cycle;
    uint64_t end_cycle;
} heddle_launch_record;

/* No time passes. */
HEDDLE_API heddle_error heddle_launch_info(heddle_machine *machine, uint32_t launch, heddle_launch_record *record);

/* ---- Events --------------------------------------------------------------------------------------------------------- */

/* A point in a queue, to be recorded again and again. One that was never recorded is done. */
HEDDLE_API heddle_error heddle_event_create(heddle_machine *machine, heddle_event **event);

/* No time passes; queues that wait for it go on to do so. */
HEDDLE_API heddle_error heddle_event_destroy(heddle_event *event);

/* Appends the event to the queue: it is done when everything before it is. No time passes. */
HEDDLE_API heddle_error heddle_event_record(heddle_event *event, heddle_queue *queue);

/* What is appended to the queue from now on waits until the event, as last recorded, is done. No time passes. */
HEDDLE_API heddle_error heddle_queue_wait_event(heddle_queue *queue, heddle_event *event);

/* Lets time pass until the event, as last recorded, is done. */
HEDDLE_API heddle_error heddle_event_wait(heddle_event *event);

/* *is_done becomes 1 or 0; *time, which may be NULL, when it was last done (ps). No time passes. */
HEDDLE_API heddle_error heddle_event_poll(heddle_event *event, uint32_t *is_done, uint64_t *time);

/* ---- Simulated time -------------------------------------------------------------------------------------------------- */

/* In picoseconds. */
HEDDLE_API heddle_error heddle_time(heddle_machine *machine, uint64_t *time);

/* Lets time pass until then, exactly. */
HEDDLE_API heddle_error heddle_advance_until(heddle_machine *machine, uint64_t time);
HEDDLE_API heddle_error heddle_advance_for(heddle_machine *machine, uint64_t duration);

/* Until nothing is left in any queue, and nothing moves in the machine any more. */
HEDDLE_API heddle_error heddle_advance_until_idle(heddle_machine *machine);

/* ---- Statistics ------------------------------------------------------------------------------------------------------ */

/* One statistic of one block as it stands. Texts live as long as the machine. */
typedef struct heddle_statistic {
    const char *block; /* "core[3]" */
    const char *name;  /* "warp_instructions" */
    const char *unit;
    const char *doc;
    uint32_t is_maximum; /* 1: the largest value so far; 0: a count */
    uint32_t reserved;
    uint64_t value;
} heddle_statistic;

/* By path: "core[3].warp_instructions"; or "core.warp_instructions": of all instances, summed, or the largest. */
HEDDLE_API heddle_error heddle_statistic_value(heddle_machine *machine, const char *path, uint64_t *value);

/* How many there are. */
HEDDLE_API heddle_error heddle_statistic_count(heddle_machine *machine, uint32_t *count);

/* The one with this number, 0 .. count - 1. */
HEDDLE_API heddle_error heddle_statistic_at(heddle_machine *machine, uint32_t number, heddle_statistic *statistic);

/* A number of the program's own for the results. The last value of a name counts. */
HEDDLE_API heddle_error heddle_report(heddle_machine *machine, const char *name, uint64_t value);

/* All results so far as JSON (docs/statistics.md), kernels that have ended included. *text is valid until the next call for this
 * machine. */
HEDDLE_API heddle_error heddle_results(heddle_machine *machine, const char **text);

#ifdef __cplusplus
}
#endif

#endif
