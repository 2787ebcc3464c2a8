/* SPDX-License-Identifier: MIT */
/* Private to platform/machine. */
#ifndef HD_MACHINE_INTERNAL_H
#define HD_MACHINE_INTERNAL_H

#include "app.h"
#include "arena.h"
#include "engine_state.h"
#include "hd_extension.h"
#include "machine.h"
#include "plugin.h"
#include "program_profile.h"
#include "program_registry.h"
#include "results.h"
#include "series.h"
#include "text.h"

struct transactions_check;
struct program_check;
struct runtime_heap;

/* An app beside the first one (beside.h). */
typedef struct machine_app {
    hd_app app;
    char *name; /* among the apps of this run */
    uint32_t module;
    uint32_t option_count;
    const hd_host_option *options; /* the caller's */
    uint32_t moved;                /* bytes by which its kernels were */
} machine_app;

struct hd_machine {
    const hd_block_class **classes;
    hd_plugins *plugins;
    netlist *netlist;
    hd_foreign_modules *foreign;
    uint32_t *endpoints; /* engine number by netlist endpoint; HD_FOREIGN = not ours */
    hd_address_map address_map;
    hd_index_hash partition_hash;
    hd_bus_map bus_map;
    hd_files files;
    hd_interruption interruption;
    arena file_names;
    hd_app app;
    machine_app beside[HD_HOST_PROGRAMS_MAX - 1];
    uint32_t beside_count;
    uint32_t host_programs; /* 0: one at most */
    hd_program_registry *programs;
    uint32_t module;
    uint32_t has_app;           /* 0: the machine runs by itself, to the end of its work */
    struct host_driver *driver; /* of a program outside; NULL: none */
    uint32_t host_endpoint;
    hd_block *host; /* that knows how the program fares; NULL without an app */
    const hd_host_progress *progress;
    uint32_t has_firmware;    /* the program is firmware on a host CPU */
    uint32_t has_foreign_cpu; /* the program is what a model from elsewhere runs; it ends by the exit device */
    uint32_t cpu_endpoint;
    uint8_t *firmware_bytes;
    struct hd_firmware *firmware;
    hd_engine *engine;       /* NULL until it is built */
    hd_tlm_machine *systemc; /* that the engine is in; NULL: it is alone */
    hd_statistics *statistics;
    hd_program_profile *profile; /* NULL: neither asked for nor needed for statistics of several apps */
    uint32_t shows_profile;      /* asked for */
    hd_series *series;
    struct sampling *sampling; /* NULL: all of the run is simulated in detail */
    hd_program_profile *hot_places; /* NULL: the end is not near, or the profile says it */
    hd_time hot_since;
    struct transactions_check *check;    /* NULL: transactions are not checked */
    struct program_check *program_check; /* NULL: neither are memory and races */
    const struct runtime_heap *heap;     /* of a program outside; NULL: none */
    const hd_host_option *options;       /* the caller's */
    uint32_t option_count;
    uint64_t seed;
    void (*print)(void *context, const char *line);
    void (*log)(void *context, uint32_t severity, hd_time t, const char *block, const char *text);
    void *print_context;
    void (*sent)(void *context, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet, hd_time t);
    void *sent_context;
    void (*kernel)(void *context, uint32_t launch, const char *name, uint32_t begins, hd_time t);
    void *kernel_context;

    const hd_machine_checkpoint *checkpoint; /* the caller's; NULL: none is made, and it does not begin at one */
    uint32_t is_saved;                       /* it has been made */
    uint32_t kernel_ends;                    /* kernels that have ended */
    hd_time resumed_until;                   /* where the stretch in which it was made ended; 0: it begins at 0 */

    hd_time time;  /* everything before is done */
    hd_time next;  /* nothing moves before this */
    hd_time limit; /* where it ends at the latest */
    uint32_t outcome;
    uint32_t is_idle; /* guest: when it was looked at last */
    hd_time resumed;  /* guest: when it was first seen to move after that */
    char *message;
};

/* ---- query.c ------------------------------------------------------------------------------------------------------ */

/* Function, line and pc, as isa_program_place, of a module of the machine. */
void machine_place(const hd_machine *machine, uint32_t module, uint32_t pc, char *text, size_t bytes);

/* ---- hang.c ------------------------------------------------------------------------------------------------------- */

/* What everybody waits for, to be freed. Tells a SIMT deadlock from another livelock. */
char *hang_describe(hd_machine *machine);
/* Nothing that would be waited for is left to do. Of a machine, as hd_tlm_options have it. */
uint32_t run_is_over(void *machine);

/* ---- hot_places.c ------------------------------------------------------------------------------------------------- */

/* When counting begins, so that something is known at the limit; HD_NEVER: there is nothing to count. */
hd_time hot_places_from(const hd_machine *machine);
/* From the machine's time on, unless the profile counts anyway. */
void hot_places_begin(hd_machine *machine);
/* Is there more to be had? `began`: by the clock of the host. */
uint32_t hot_places_go_on(const hd_machine *machine, double began);
double hot_places_clock(void);
/* Lines, or nothing. */
void hot_places_describe(const hd_machine *machine, hd_text *text);

#endif
