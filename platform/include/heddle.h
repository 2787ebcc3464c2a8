/* SPDX-License-Identifier: MIT */
/*
 * Embedding: a machine inside another program, which acts as its host. Link with libheddle.so, or load it (ctypes, dlopen).
 *
 *     heddle_machine *machine;
 *     heddle_settings settings = {.struct_bytes = sizeof settings, .netlist = "gtx480.yaml"};
 *     if (heddle_open(&settings, &machine) != HEDDLE_OK)
 *         fprintf(stderr, "%s\n", heddle_message());
 *
 * The program replaces the machine's native host (host_cpu/native). Simulated time passes only inside calls, and only in
 * those that say so. Operations on the device take simulated time; the program's own computation does not. The same calls
 * give bit-identical results, whatever else the process or another machine does.
 *
 * Threads. A call marked "any" may be made at any time by any thread. All others may be made by any thread, but only one at
 * a time per machine; a concurrent call, from another thread or from a callback, returns HEDDLE_ERROR_BUSY. Machines are
 * independent, but are simulated in turns, because SystemC supports one simulation at a time per process.
 *
 * Handles are not pointers to objects. A handle that is closed, of the wrong kind or invalid gives HEDDLE_ERROR_HANDLE.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#include "heddle_errors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Machines ----------------------------------------------------------------------------------------------------- */

typedef struct heddle_machine heddle_machine;
typedef struct heddle_queue heddle_queue;
typedef struct heddle_event heddle_event;
typedef struct heddle_kernel heddle_kernel;
typedef struct heddle_program heddle_program;

#define HEDDLE_LOG_DEBUG 0u
#define HEDDLE_LOG_INFORMATION 1u
#define HEDDLE_LOG_WARNING 2u

/* Functions called during calls that let time pass, by the thread that makes the call. Texts are valid during the callback.
 * Each may be NULL. */
typedef struct heddle_callbacks {
    void *context;
    /* A line from a kernel's printf. */
    void (*print)(void *context, const char *line);
    /* A log line of a block (NULL: of a SystemC model) at a time in picoseconds. severity: HEDDLE_LOG_*. */
    void (*log)(void *context, uint32_t severity, uint64_t time, const char *block, const char *line);
    /* The interrupt of a launch has arrived and its completion record has been read. */
    void (*finished)(void *context, uint32_t launch, uint64_t time);
} heddle_callbacks;

#define HEDDLE_CHECK_MEMORY 1u /* out of bounds, freed, not written: as `heddle run --check-memory` */
#define HEDDLE_CHECK_RACES 2u  /* as `heddle run --check-races` */

#define HEDDLE_TLM_AUTO 0u    /* as `heddle run --tlm=auto`, and so on. The results are the same */
#define HEDDLE_TLM_ALWAYS 1u  /* real TLM transport calls on every link */
#define HEDDLE_TLM_CHECKED 2u /* the same, and links to memory are checked for violations of the base protocol */

/*
 * What is traced, as the options --trace... of `heddle run` (docs/tracing.md). All may be zero: no trace. Files are put in place by
 * heddle_trace_end or heddle_close; there is none if the process ends before.
 */
typedef struct heddle_trace {
    const char *perfetto; /* path of a trace for ui.perfetto.dev; NULL: none */
    const char *vcd;      /* path of a trace for GTKWave; NULL: none */
    const char *const *units;
    size_t unit_count;
    const char *const *events;
    size_t event_count;
    const char *const *kernels;
    size_t kernel_count;
    uint64_t from;        /* ps: nothing before */
    uint64_t to;          /* ps: nothing from here on; 0: to the end */
    uint64_t limit;       /* bytes of a file at which it ends; 0: 256 MiB; UINT64_MAX: none */
    uint32_t picoseconds; /* 1: picoseconds are written as nanoseconds (perfetto) */
    uint32_t reserved;    /* 0 */
} heddle_trace;

/*
 * All members except struct_bytes and netlist may be zero. A mistake that a check finds is HEDDLE_ERROR_FAULT. Pointers need to be valid
 * only during the call. struct_bytes may be that of an older header, which ends earlier: what it has not is zero.
 *
 * With app or firmware the machine's own host runs that, as `heddle run` does, and this program only lets time pass and looks: heddle_wait
 * waits until it has ended. It has no queues, programs and memory of its own, and calls for them are HEDDLE_ERROR_HOST.
 */
typedef struct heddle_settings {
    size_t struct_bytes;          /* sizeof(heddle_settings) */
    const char *netlist;          /* path of the machine file, or the name of a machine */
    const char *const *overrides; /* as for --set: "core.count=2" */
    size_t override_count;
    const char *const *plugins; /* paths, in addition to those in the machine file */
    size_t plugin_count;
    const char *name; /* of the program, for results; NULL: none */
    uint64_t seed;    /* of random streams; 0 = 1 */
    uint32_t threads; /* simulator threads; 0 = 1. Does not affect results */
    uint32_t checks;  /* of the kernels: HEDDLE_CHECK_*, or-ed; 0 = none. Does not affect results */
    uint64_t grain;   /* ps: calls that wait return at multiples of it; 0 = 100,000 */
    heddle_callbacks callbacks;
    /* Programs of older headers have nothing behind this. */
    const char *app; /* folder of an app with its host program, on a native host or as firmware; NULL: none. Its options
                                           * are overrides "app.n=4096" */
    const char
        *firmware; /* ELF file that the machine's host CPU runs, in place of the app's or without an app; NULL: none */
    uint32_t tlm;  /* HEDDLE_TLM_* */
    uint32_t profile;   /* 1: heddle_results has counts by place in the programs: of an app's, or of those that were
                                           * loaded before the first launch; all others count as elsewhere */
    const char *series; /* interval of heddle_series: "2 us", or "1000 cycles" of the cores; NULL: no series */
    const char *const *series_statistics; /* patterns as for --statistic; none: every BLOCK.NAME */
    size_t series_statistic_count;
    heddle_trace trace;
    /* ms of the process's time after which a call that waits for queues, launches, events, free memory or a time returns
     * HEDDLE_ERROR_INTERRUPTED, at a multiple of the grain and with nothing of its own done: the program, which may have had a
     * signal, makes the call again, or does not. Does not affect results. 0: calls wait to the end. */
    uint32_t patience;
    uint32_t reserved; /* 0 */
} heddle_settings;

/* Opens a machine and detects its device, which takes simulated time (with app or firmware, none). *machine is NULL after an error. Threads: any. */
HEDDLE_API heddle_error heddle_open(const heddle_settings *settings, heddle_machine **machine);

/* Ends the machine at any point, and closes all its handles. No time passes; work in progress is dropped. HEDDLE_ERROR_FILE if a trace could
 * not be put in place; the machine is closed then, too. */
HEDDLE_API heddle_error heddle_close(heddle_machine *machine);

/*
 * What the machine has, and what a launch may ask for. A value is 0 if nothing is known of it: if the machine has no scheduler of
 * thread blocks that tells, as a plug-in may be. If cores differ, each value is the largest. A block can take less than each limit
 * and still be more than a core has: only heddle_launch knows.
 */
typedef struct heddle_limits {
    size_t struct_bytes;        /* sizeof(heddle_limits), set by the caller: no more than this is written */
    uint64_t memory_bytes;      /* of device memory, with programs and queues */
    uint64_t free_bytes;        /* the largest allocation that there is room for now */
    uint64_t clock_period;      /* of the command processor, in ps */
    uint32_t cores;             /* that run thread blocks */
    uint32_t lanes;             /* of a warp */
    uint32_t warps_per_core;    /* resident */
    uint32_t blocks_per_core;   /* likewise */
    uint32_t threads_per_block; /* of one block that is alone on a core */
    uint32_t scratchpad_bytes;  /* likewise */
    uint32_t argument_bytes;    /* of a launch: HEDDLE_ARGUMENT_BYTES_MAX */
    uint32_t queues;            /* of the device, the default queue included */
    uint32_t copies_by_dma;     /* 1: a DMA engine copies; 0: the host does */
    uint32_t reserved;
    uint64_t cache_bytes; /* of caches of device memory that all cores share, together; 0: there are none */
} heddle_limits;

/* No time passes. limits->struct_bytes must be set, to 24 at least. */
HEDDLE_API heddle_error heddle_limits_get(heddle_machine *machine, heddle_limits *limits);

/* ---- Memory of the device ------------------------------------------------------------------------------------------ */

/* An address in device memory; 0 is none. */
typedef uint32_t heddle_address;

/* bytes >= 1. The address is a multiple of 256; the contents are undefined. No time passes. */
HEDDLE_API heddle_error heddle_allocate(heddle_machine *machine, uint64_t bytes, heddle_address *address);

/* The same on behalf of a place in the program, which messages of checks name. file lives until the machine is closed. */
HEDDLE_API heddle_error heddle_allocate_at(heddle_machine *machine, uint64_t bytes, const char *file, uint32_t line,
                                           heddle_address *address);
HEDDLE_API heddle_error heddle_free_at(heddle_machine *machine, heddle_address address, const char *file,
                                       uint32_t line);

/* Frees an address from heddle_allocate. Waits for all earlier operations. */
HEDDLE_API heddle_error heddle_free(heddle_machine *machine, heddle_address address);

/* Copies to a range within one allocation or variable of the kernels. Waits for all earlier operations, then for the copy.
 * bytes may be 0. */
HEDDLE_API heddle_error heddle_copy_to_device(heddle_machine *machine, heddle_address to, const void *from,
                                              size_t bytes);

/* Likewise, from the device. */
HEDDLE_API heddle_error heddle_copy_from_device(heddle_machine *machine, void *to, heddle_address from, size_t bytes);

/* Likewise: sets every byte to the low 8 bits of value. */
HEDDLE_API heddle_error heddle_fill(heddle_machine *machine, heddle_address to, uint32_t value, size_t bytes);

/* Likewise, from one place in device memory to another; they may overlap. It goes through the host: it takes the time of a copy from the
 * device and of one to it. */
HEDDLE_API heddle_error heddle_copy_on_device(heddle_machine *machine, heddle_address to, heddle_address from,
                                              size_t bytes);

/*
 * Untimed access, for debugging and for programs that only want to look: the bytes as a copy from the device would find them now, or as it
 * will find them. No time passes, nothing is waited for, and no statistic counts it. What only a core has in a cache of its own is not
 * seen, nor changed. The range is as for copies; with an app or firmware, any in device memory. HEDDLE_ERROR_DEVICE, which does not stop the
 * machine, if a model on the way lets no debug access through; and for heddle_poke with HEDDLE_CHECK_MEMORY, which would not know of it.
 */
HEDDLE_API heddle_error heddle_peek(heddle_machine *machine, void *to, heddle_address from, size_t bytes);
HEDDLE_API heddle_error heddle_poke(heddle_machine *machine, heddle_address to, const void *from, size_t bytes);

#define HEDDLE_MAP_READ 1u  /* the memory has what the device has: copied from the device by heddle_map */
#define HEDDLE_MAP_WRITE 2u /* the device gets what the memory has: copied to the device by heddle_unmap */

/*
 * Memory of the process that stands for a range of device memory (as for copies, bytes >= 1) until heddle_unmap: allocated by the library
 * and aligned to 64 bytes. Without HEDDLE_MAP_READ it is zero. It is not kept in step with the device in between. flags: HEDDLE_MAP_*,
 * or-ed, at least one. The copies take simulated time, and wait as heddle_copy_* do. Several may stand for one range.
 */
HEDDLE_API heddle_error heddle_map(heddle_machine *machine, heddle_address address, size_t bytes, uint32_t flags,
                                   void **memory);

/* memory: from heddle_map, not yet unmapped. Freed even if the machine has stopped, in which case its error is returned. Closing the machine
 * frees what is mapped, and copies nothing. */
HEDDLE_API heddle_error heddle_unmap(heddle_machine *machine, void *memory);

/* ---- Kernels ------------------------------------------------------------------------------------------------------- */

/*
 * Loads a kernel program, an ELF file (kernel.elf of an app). Several may be loaded. A file that can be moved (kernel.movable.elf; linked
 * with --emit-relocs) goes to its own addresses if they are free, else to others; any other needs its own. Waits until the program is in
 * device memory.
 */
HEDDLE_API heddle_error heddle_load(heddle_machine *machine, const char *path);

/* The same from memory, which may be freed afterwards. */
HEDDLE_API heddle_error heddle_load_image(heddle_machine *machine, const void *image, size_t bytes);

/* The same, with a handle for the program: it can be unloaded, and asked for names that other programs have too. */
HEDDLE_API heddle_error heddle_program_load(heddle_machine *machine, const void *image, size_t bytes,
                                            heddle_program **program);

/* Waits for all earlier operations, then frees the program's memory and closes its handle and those of its kernels. Its names stay in
 * results, and the process keeps what the simulator knows of it until the machine is closed. */
HEDDLE_API heddle_error heddle_program_unload(heddle_program *program);

/* As heddle_kernel_named and heddle_variable, of this program. */
HEDDLE_API heddle_error heddle_program_kernel(heddle_program *program, const char *name, heddle_kernel **kernel);
HEDDLE_API heddle_error heddle_program_variable(heddle_program *program, const char *name, heddle_address *address,
                                                uint64_t *bytes);

/* A kernel by the name of its function, from the first program that has it. */
HEDDLE_API heddle_error heddle_kernel_named(heddle_machine *machine, const char *name, heddle_kernel **kernel);

/* Address and size of a variable of the kernel programs. bytes may be NULL. */
HEDDLE_API heddle_error heddle_variable(heddle_machine *machine, const char *name, heddle_address *address,
                                        uint64_t *bytes);

/* Stack size of each thread in later launches, rounded up to a multiple of 128 bytes; default 4096. */
HEDDLE_API heddle_error heddle_set_stack(heddle_machine *machine, uint32_t bytes_per_thread);

/* ---- Queues ---------------------------------------------------------------------------------------------------------- */

/* The queue that always exists; it must not be destroyed. The first call sets it up, which takes simulated time. */
HEDDLE_API heddle_error heddle_default_queue(heddle_machine *machine, heddle_queue **queue);

/* Creates another queue, if the device has one left. Setting it up takes simulated time. */
HEDDLE_API heddle_error heddle_queue_create(heddle_machine *machine, heddle_queue **queue);

/* Waits for the queue's operations first. */
HEDDLE_API heddle_error heddle_queue_destroy(heddle_queue *queue);

/*
 * Appends to the queue and returns; no time passes. Operations of one queue are executed in order, those of different queues
 * concurrently. The program's memory is used until the copy is done, and must not be changed or freed before.
 */
HEDDLE_API heddle_error heddle_queue_copy_to_device(heddle_queue *queue, heddle_address to, const void *from,
                                                    size_t bytes);
HEDDLE_API heddle_error heddle_queue_copy_from_device(heddle_queue *queue, void *to, heddle_address from, size_t bytes);
HEDDLE_API heddle_error heddle_queue_fill(heddle_queue *queue, heddle_address to, uint32_t value, size_t bytes);
HEDDLE_API heddle_error heddle_queue_copy_on_device(heddle_queue *queue, heddle_address to, heddle_address from,
                                                    size_t bytes);

/*
 * Appends a call of a function of the program, likewise: it is called when everything before it in the queue is done, by the thread
 * whose call lets time pass then, and what is behind it in the queue waits until it has returned. time: when everything before it was done.
 * It may change memory that copies behind it use; it must not use the machine (HEDDLE_ERROR_BUSY). Never called if the machine stops or
 * is closed before.
 */
HEDDLE_API heddle_error heddle_queue_call(heddle_queue *queue, void (*function)(void *context, uint64_t time),
                                          void *context);

/* Blocks in x, y, z; threads per block in x, y, z; bytes of scratchpad per block. */
typedef struct heddle_size {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t scratchpad_bytes;
} heddle_size;

#define HEDDLE_ARGUMENT_BYTES_MAX 4096u

/*
 * Appends a launch, likewise. The arguments are copied; NULL if there are none. *launch, which may be NULL, is set to the
 * number of the launch: 0, 1, 2 ... in the order of the calls. HEDDLE_ERROR_LAUNCH if no core can ever run a block of this size.
 */
HEDDLE_API heddle_error heddle_launch(heddle_queue *queue, heddle_kernel *kernel, const heddle_size *size,
                                      const void *arguments, uint32_t argument_bytes, uint32_t *launch);

/* Lets time pass until everything in the queue is done. */
HEDDLE_API heddle_error heddle_queue_wait(heddle_queue *queue);

/* Sets *is_done to 1 if the queue is empty, else to 0. No time passes. */
HEDDLE_API heddle_error heddle_queue_poll(heddle_queue *queue, uint32_t *is_done);

/* Lets time pass until everything in all queues is done; with an app or firmware, until it has ended: HEDDLE_ERROR_APP unless it says PASS. */
HEDDLE_API heddle_error heddle_wait(heddle_machine *machine);

/* Lets time pass until this launch is complete. */
HEDDLE_API heddle_error heddle_launch_wait(heddle_machine *machine, uint32_t launch);

/* State of a launch. Cycles are those of the command processor's clock. */
typedef struct heddle_launch_record {
    uint32_t is_complete; /* 1: the cycles are valid */
    uint32_t queue;       /* of the device */
    uint64_t start_cycle;
    uint64_t end_cycle;
} heddle_launch_record;

/* No time passes. */
HEDDLE_API heddle_error heddle_launch_info(heddle_machine *machine, uint32_t launch, heddle_launch_record *record);

/* Times of a launch in ps. All but `appended` are 0 until it is complete. */
typedef struct heddle_launch_times {
    size_t struct_bytes; /* sizeof(heddle_launch_times), set by the caller: no more than this is written */
    uint64_t appended;   /* to the queue by heddle_launch */
    uint64_t submitted;  /* the device was told of it */
    uint64_t began;      /* as start_cycle: it went to the scheduler of thread blocks ... */
    uint64_t ended;      /* as end_cycle: ... and was complete */
    uint64_t finished;   /* the host had read the completion record */
} heddle_launch_times;

/* No time passes. times->struct_bytes must be set, to 8 at least. */
HEDDLE_API heddle_error heddle_launch_times_get(heddle_machine *machine, uint32_t launch, heddle_launch_times *times);

/* ---- Events --------------------------------------------------------------------------------------------------------- */

/* An event marks a point in a queue. It can be recorded repeatedly. An event that was never recorded counts as done. */
HEDDLE_API heddle_error heddle_event_create(heddle_machine *machine, heddle_event **event);

/* No time passes; queues that wait for the event continue to wait for it. */
HEDDLE_API heddle_error heddle_event_destroy(heddle_event *event);

/* Appends the event to the queue: it is done when everything before it is. No time passes. */
HEDDLE_API heddle_error heddle_event_record(heddle_event *event, heddle_queue *queue);

/* Later operations of the queue wait until the event, as last recorded, is done. No time passes. */
HEDDLE_API heddle_error heddle_queue_wait_event(heddle_queue *queue, heddle_event *event);

/* Lets time pass until the event, as last recorded, is done. */
HEDDLE_API heddle_error heddle_event_wait(heddle_event *event);

/* Sets *is_done to 1 or 0, and *time, which may be NULL, to the time at which it was last done (ps). No time passes. */
HEDDLE_API heddle_error heddle_event_poll(heddle_event *event, uint32_t *is_done, uint64_t *time);

/* ---- Simulated time -------------------------------------------------------------------------------------------------- */

/* In picoseconds. */
HEDDLE_API heddle_error heddle_time(heddle_machine *machine, uint64_t *time);

/* Lets time pass until exactly this time. */
HEDDLE_API heddle_error heddle_advance_until(heddle_machine *machine, uint64_t time);
HEDDLE_API heddle_error heddle_advance_for(heddle_machine *machine, uint64_t duration);

/* Lets time pass until all queues are empty and nothing moves in the machine any more. */
HEDDLE_API heddle_error heddle_advance_until_idle(heddle_machine *machine);

/* ---- Statistics ------------------------------------------------------------------------------------------------------ */

/* The current value of a statistic of a block. Texts are valid as long as the machine. */
typedef struct heddle_statistic {
    const char *block; /* "core[3]" */
    const char *name;  /* "warp_instructions" */
    const char *unit;
    const char *doc;
    uint32_t is_maximum; /* 1: the largest value so far; 0: a count */
    uint32_t reserved;
    uint64_t value;
} heddle_statistic;

/* By path: "core[3].warp_instructions", or "core.warp_instructions" for the sum (or maximum) over all instances. */
HEDDLE_API heddle_error heddle_statistic_value(heddle_machine *machine, const char *path, uint64_t *value);

/* The number of statistics. */
HEDDLE_API heddle_error heddle_statistic_count(heddle_machine *machine, uint32_t *count);

/* The one with this number, 0 .. count - 1. */
HEDDLE_API heddle_error heddle_statistic_at(heddle_machine *machine, uint32_t number, heddle_statistic *statistic);

/* Adds a value of the program to the results. If a name is reported several times, the last value counts. */
HEDDLE_API heddle_error heddle_report(heddle_machine *machine, const char *name, uint64_t value);

/* All results so far as JSON (docs/statistics.md), including kernels that have ended. *text is valid until the next call for
 * this machine. */
HEDDLE_API heddle_error heddle_results(heddle_machine *machine, const char **text);

/* The statistics of settings.series as comma-separated values, a row per interval that is over; when an app has ended, the last one as
 * well. *text is valid until the next call for this machine. HEDDLE_ERROR_ARGUMENT if settings.series was NULL. */
HEDDLE_API heddle_error heddle_series(heddle_machine *machine, const char **text);

/* Ends the trace now and puts its files in place; what happens later is not traced. HEDDLE_ERROR_FILE if that fails.
 * HEDDLE_ERROR_ARGUMENT if there is no trace, or none any more. */
HEDDLE_API heddle_error heddle_trace_end(heddle_machine *machine);

#ifdef __cplusplus
}
#endif

#endif
