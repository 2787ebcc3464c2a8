/* SPDX-License-Identifier: MIT */
/*
 * A machine with a program on it: from the path of a netlist, an app and a seed to a finished run and its results.
 *
 * Life cycle: open -> run (once) -> queries -> close. Machines share nothing; any number may be open in one process, and
 * they may be used from any thread, each by one at a time.
 */
#ifndef HD_MACHINE_H
#define HD_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "host.h"
#include "netlist.h"
#include "tlm_machine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_MACHINE_API __attribute__((visibility("default")))

typedef struct hd_machine hd_machine;

/* An app that runs beside the first. */
typedef struct hd_machine_app {
    const char *folder; /* with host.so and kernel.movable.elf */
    const hd_host_option *options;
    uint32_t option_count;
    uint32_t reserved;
} hd_machine_app;

/* A run of hd_machine_run that is saved in the middle, goes on from where another one was saved, or both. */
struct state_bytes;
typedef struct hd_machine_checkpoint {
    /* Called once, when all blocks stand at `now`; the bytes are lent. NULL: it is not saved. */
    void (*save)(void *save_context, hd_time now, const struct state_bytes *bytes);
    void *context;
    hd_time at;       /* when; not before where it begins */
    uint32_t kernels; /* or, if not 0: when so many kernels have ended, those before `from` included */
    uint32_t reserved;
    struct state_bytes *from; /* NULL: it begins at 0 */
} hd_machine_checkpoint;

typedef struct hd_machine_setup {
    const char *netlist;          /* path */
    const char *const *overrides; /* "path=value" */
    size_t override_count;
    const char *app; /* folder with host.so and kernel.elf; NULL: none, a block of the machine makes the work */
    const char *firmware; /* an ELF file that the host CPU runs in place of the app's, or without an app; NULL: the app's */
    const hd_host_option *options;
    uint32_t option_count;
    uint32_t with_count;
    const hd_machine_app *with;  /* apps that run at the same time as `app`, HD_HOST_PROGRAMS_MAX with it */
    uint32_t check_transactions; /* 1: transactions are held against serialisability; a violation is a fault */
    uint32_t profile;            /* 1: counts by place in the program; refused where no block keeps them */
    uint32_t check_memory;       /* 1: accesses of kernels are held against allocations; a mistake is a fault */
    uint32_t check_races;        /* 1: accesses that nothing orders are a fault */
    uint32_t reserved;
    const struct hd_series_setup *series; /* statistics as they go; NULL: no */
    const hd_machine_checkpoint *checkpoint; /* NULL: none */
    const struct hd_sampling_setup *sampling; /* NULL: all of it is simulated in detail */
    uint64_t seed;
    uint32_t driven;                       /* 1: no app; the native host's program is outside (hd_machine_driver) */
    uint32_t built_only;                   /* 1: no app; it is built, asked and closed, never run */
    uint32_t guest;                        /* 1: no app; part of a larger SystemC design, tlm.is_guest: hd_machine_look */
    uint32_t stepped;                      /* 1: by hd_machine_advance, whatever its program is */
    netlist_registry more;                 /* classes besides the built-in ones */
    const netlist_plugin_request *plugins; /* besides those that the netlist names */
    size_t plugin_count;
    hd_tlm_options tlm;
    void (*print)(void *context, const char *line); /* a line from hd_print or a block's warning; may be NULL */
    /* Asked now and then while a native host program computes, or a SystemC model in a thread of its own, or a block waits for another
     * process; 1: it is not waited for, and the run ends: as interrupted, or by the fault of the block. May be NULL. The watch of the run
     * has to say so too. */
    uint32_t (*is_interrupted)(void *context);
    void *context;
    /* All that blocks have to say, but for lines of the program; block NULL: a SystemC model. NULL: warnings are printed. */
    void (*log)(void *context, uint32_t severity, hd_time t, const char *block, const char *text);
    /* Told of every packet that a block sends, as hd_observer.sent; may be NULL. */
    void (*sent)(void *sent_context, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet,
                 hd_time t);
    void *sent_context;
    const hd_tracer *tracer; /* of trace events; NULL: the run is not traced */
    /* Told when a kernel begins or ends, in between; may be NULL. */
    void (*kernel)(void *kernel_context, uint32_t launch, const char *name, uint32_t begins, hd_time t);
    void *kernel_context;
} hd_machine_setup;

/* What setup points to is borrowed until close, but for the paths and overrides. On failure NULL, and *error is the whole
 * text for the user, to be freed by the caller: lines that end in \n. */
HD_MACHINE_API hd_machine *hd_machine_open(const hd_machine_setup *setup, char **error);
HD_MACHINE_API void hd_machine_close(hd_machine *machine); /* NULL is allowed */

#define HD_OUTCOME_PASS 0u        /* the host program says PASS; without an app: all work is done. A model that is the host, or no app, may sc_stop */
#define HD_OUTCOME_FAIL 1u        /* it says FAIL */
#define HD_OUTCOME_ERROR 2u       /* it misused the runtime, or the device refused what it asked */
#define HD_OUTCOME_FAULT 3u       /* a kernel or a model did something that has no meaning */
#define HD_OUTCOME_DEADLOCK 4u    /* nothing moves any more */
#define HD_OUTCOME_LIVELOCK 5u    /* no progress for as long as the netlist's watchdog waits */
#define HD_OUTCOME_LIMIT 6u       /* the netlist's limit of simulated time */
#define HD_OUTCOME_INTERRUPTED 7u /* by the watch */

#define HD_OUTCOME_SIMT_DEADLOCK 8u /* the same, because lanes spin on what lanes behind the loop would do */
#define HD_OUTCOME_STOPPED 9u       /* a model from elsewhere ended simulation (sc_stop) before the host program was over */

/* Asked every few microseconds of simulated time, while nothing moves. Returns HD_WATCH_*. */
#define HD_WATCH_GO_ON 0u
#define HD_WATCH_END 1u     /* the run ends there, after a little more that tells where the program is */
#define HD_WATCH_END_NOW 2u /* there and then */
typedef struct hd_machine_watch {
    void *context;
    uint32_t (*look)(void *context, hd_machine *machine);
} hd_machine_watch;

/* Outcomes of a run are judged at multiples of this and nowhere else, so that they do not depend on how it is watched. */
#define HD_MACHINE_STRETCH_PS UINT64_C(2000000)

/* Runs to the end of the host program, or without one until nothing moves any more. watch may be NULL. Returns HD_OUTCOME_*. */
HD_MACHINE_API uint32_t hd_machine_run(hd_machine *machine, const hd_machine_watch *watch);

#define HD_OUTCOME_GOING UINT32_MAX

/*
 * Of a driven or stepped machine: runs until exactly `until`, or to a fault. Returns HD_OUTCOME_GOING, or why it cannot go on
 * (hd_machine_message), as at each call after that one.
 */
HD_MACHINE_API uint32_t hd_machine_advance(hd_machine *machine, hd_time until);
/* Until where it came; its program may have ended before (hd_machine_time). */
HD_MACHINE_API hd_time hd_machine_stands_at(const hd_machine *machine);
/* The next multiple of `step`; a later one if until then nothing moves and nothing has to be judged. */
HD_MACHINE_API hd_time hd_machine_quiet_until(const hd_machine *machine, hd_time step);
/* Nothing moves any more, foreign models included, and nothing is left to do. */
HD_MACHINE_API uint32_t hd_machine_is_idle(hd_machine *machine);
/*
 * Of a machine that is part of a larger SystemC design (setup.guest), after it has moved at `now`: HD_OUTCOME_GOING, or why it cannot go
 * on (hd_machine_message). *again: when to ask at the latest.
 */
HD_MACHINE_API uint32_t hd_machine_look(hd_machine *machine, hd_time now, hd_time *again);
/* At the end of that simulation: brings the statistics to `now`. Returns HD_OUTCOME_PASS, or if work is left HD_OUTCOME_DEADLOCK. */
HD_MACHINE_API uint32_t hd_machine_leave(hd_machine *machine, hd_time now);
/* Its results file: can it be written, and there it is. 0 and *error: no. */
HD_MACHINE_API uint32_t hd_machine_check_results(const char *path, char **error);
HD_MACHINE_API uint32_t hd_machine_write_results(const hd_machine *machine, const char *path, char **error);
/* One more kernel program, of a file. 0 and *error: it is none. */
HD_MACHINE_API uint32_t hd_machine_load_kernels(hd_machine *machine, const char *path, char **error);
/* Where operations are posted, with hd_machine_post. */
struct host_driver;
struct host_operation;
HD_MACHINE_API struct host_driver *hd_machine_driver(hd_machine *machine);
HD_MACHINE_API void hd_machine_post(hd_machine *machine, uint32_t lane, struct host_operation *operation);
/* What an operation waits for has come to its turn. */
HD_MACHINE_API void hd_machine_wake_driver(hd_machine *machine);
/* Untimed, as a request of the host finds data at a device address: hd_engine_debug_access. Returns how many bytes. */
HD_MACHINE_API uint32_t hd_machine_debug_access(hd_machine *machine, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);
/* 1: some block can count by place in programs. */
HD_MACHINE_API uint32_t hd_machine_can_profile(const hd_machine *machine);
/* Of a driven machine: counts by place in the programs that are loaded now; all others are elsewhere. Once. */
HD_MACHINE_API void hd_machine_begin_profile(hd_machine *machine);
/* Where the outside program keeps its records of device memory, for setup.check_memory; borrowed until close. */
struct runtime_heap;
HD_MACHINE_API void hd_machine_set_heap(hd_machine *machine, const struct runtime_heap *heap);
/* Where kernel programs are loaded; the machine's. */
struct hd_program_registry;
HD_MACHINE_API struct hd_program_registry *hd_machine_programs(hd_machine *machine);
/* 1: blocks of this grid can run on a core, or nobody knows better (HD_EXTENSION_LAUNCHES). 0: none ever will, and text is why, in one line. */
HD_MACHINE_API uint32_t hd_machine_accepts(const hd_machine *machine, const hd_grid *grid, char *text, size_t bytes);
/* Of the core of this number: 0, 1, 2 ...; NULL: there is none, or nobody knows. */
HD_MACHINE_API const hd_core_capacity *hd_machine_core(const hd_machine *machine, uint32_t core);
/* Of the caches that all cores share (HD_EXTENSION_CACHE), together. */
HD_MACHINE_API uint64_t hd_machine_cache_bytes(const hd_machine *machine);
/* Of the cycles in hd_host_launch; hz 0: the machine has no command processor of ours. */
HD_MACHINE_API hd_clock hd_machine_launch_clock(const hd_machine *machine);
/* Brings the statistics to the machine's time. */
HD_MACHINE_API void hd_machine_update(hd_machine *machine);

/* "pass", "fail", ...: as in stats.json. */
HD_MACHINE_API const char *hd_outcome_name(uint32_t outcome);
HD_MACHINE_API uint32_t hd_machine_outcome(const hd_machine *machine);
/* Why: one line, then details if there are any, without a last newline; "" after a PASS. Valid until close, as all that follows. */
HD_MACHINE_API const char *hd_machine_message(const hd_machine *machine);
/* Simulated time: of the program's end, without an app of the last progress, or until where the run came. */
HD_MACHINE_API hd_time hd_machine_time(const hd_machine *machine);

/* What there is to show; `host` is zero. */
struct hd_results;
HD_MACHINE_API void hd_machine_results(const hd_machine *machine, struct hd_results *results);

/* The statistics as they went, comma-separated: hd_series_text; NULL if they were not asked for. */
HD_MACHINE_API const char *hd_machine_series(const hd_machine *machine);

struct hd_statistics;
HD_MACHINE_API const netlist *hd_machine_netlist(const hd_machine *machine);
/* The app's kernels; NULL: there is no app. */
struct isa_program;
HD_MACHINE_API const struct isa_program *hd_machine_kernels(const hd_machine *machine);
HD_MACHINE_API hd_engine *hd_machine_engine(hd_machine *machine);
/* The file of the kernels of an app beside the first one, and by how many bytes they were moved; NULL: there are not so many. */
const char *hd_machine_kernels_beside(const hd_machine *machine, uint32_t app, uint32_t *moved);
HD_MACHINE_API const struct hd_statistics *hd_machine_statistics(const hd_machine *machine);
HD_MACHINE_API const hd_host_launch *hd_machine_launches(const hd_machine *machine, uint32_t *count);
HD_MACHINE_API uint64_t hd_machine_transport_calls(const hd_machine *machine);
HD_MACHINE_API uint64_t hd_machine_monitored_calls(const hd_machine *machine);

/* "auto", "always" or "checked": as --tlm names it. */
HD_MACHINE_API const char *hd_machine_tlm_name(const hd_tlm_options *options);

/* Sum of a statistic over all blocks of a kind, as it stands now. */
HD_MACHINE_API uint64_t hd_machine_count(hd_machine *machine, const char *kind, const char *statistic);

#ifdef __cplusplus
}
#endif

#endif
