/* SPDX-License-Identifier: MIT */
/* Private to platform/embed: an open machine as the API keeps it, and how a call gets at it. */
#ifndef HD_EMBED_SESSION_H
#define HD_EMBED_SESSION_H

#include "app_options.h"
#include "arena.h"
#include "driver.h"
#include "heddle.h"
#include "machine.h"
#include "program.h"
#include "program_registry.h"
#include "recorder.h"
#include "runtime_heap.h"
#include "series.h"

typedef struct queue_slot {
    uint32_t is_open;
    uint32_t generation;
    uint32_t has_memory; /* it keeps it from one life to the next */
    uint32_t ring;       /* device addresses */
    uint32_t completion;
    uint32_t arguments;
} queue_slot;

typedef struct event_slot {
    host_mark *mark; /* NULL: free */
    uint32_t generation;
} event_slot;

typedef struct loaded_program {
    const isa_program *program; /* the machine's, until it is closed */
    uint32_t module;
    uint32_t is_open; /* 0: it has been unloaded */
    uint64_t end;     /* nothing is allocated before; 0: it was moved, and says nothing about that */
} loaded_program;

typedef struct kernel_entry {
    uint32_t program; /* among the programs */
    const isa_symbol *symbol;
} kernel_entry;

/* Of a launch; 0: not yet. */
typedef struct launch_moments {
    hd_time appended;
    hd_time submitted;
    hd_time finished;
} launch_moments;

/* Memory of the process that stands for device memory. */
typedef struct mapped_range {
    struct mapped_range *next;
    void *memory;
    heddle_address address;
    uint32_t flags; /* HEDDLE_MAP_* */
    size_t bytes;
} mapped_range;

typedef struct told_line {
    struct told_line *next;
    uint32_t is_print;
    uint32_t severity;
    hd_time t;
    const char *block; /* NULL: SystemC */
    char text[];
} told_line;

typedef struct session {
    uint64_t number; /* bits of every handle of it, see handles.c */
    uint32_t is_busy;
    uint32_t stack_bytes;
    hd_machine *machine;
    host_driver *driver; /* NULL: the machine's own host runs an app or firmware */
    heddle_callbacks callbacks;
    uint32_t patience; /* ms; 0: without end */
    hd_time grain;
    uint64_t seed;
    hd_tlm_options tlm;
    char *name;
    arena texts;            /* of the settings, as far as they are needed later */
    const char **overrides; /* of the machine */
    size_t override_count;
    char *app;               /* folder; NULL: none */
    hd_host_option *options; /* of the app, as given */
    uint32_t option_count;
    uint32_t profile; /* asked for, and not begun yet */
    app_options app_options;
    hd_series_setup series;
    hd_recorder *recorder; /* NULL: no trace */
    char *trace_name;
    uint32_t trace_has_ended;
    told_line *first_line;
    told_line *last_line;

    runtime_heap heap;
    uint64_t memory_bytes; /* of the device */
    uint32_t device_queues;
    uint32_t has_copies; /* they take copies: there is a DMA engine */
    uint32_t copy_count; /* by it */
    queue_slot queues[HD_QUEUES_MAX];
    event_slot *events;
    uint32_t event_count;
    kernel_entry *kernels;
    uint32_t kernel_count;
    loaded_program *programs;
    uint32_t program_count;
    launch_moments *moments; /* of each launch */
    mapped_range *maps;
    uint32_t checks_memory;

    hd_host_report *reports; /* names are ours */
    uint32_t report_count;
    heddle_statistic *statistics; /* of all instances; values as of statistics_time */
    char **instance_names;
    uint32_t instance_count;
    uint32_t statistic_count;
    hd_time statistics_time; /* HD_NEVER: not read yet */
    char *results;
} session;

/* ---- message.c ---------------------------------------------------------------------------------------------------- */

/* Keeps the text as the message of this thread; returns the error. */
heddle_error fail(heddle_error error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `what` is NULL where it must not be. */
heddle_error fail_null(const char *function, const char *what);
/* The same with a text for users that is to be freed: one line or several. */
heddle_error fail_text(heddle_error error, char *text);
/* The process has no memory left. */
heddle_error fail_memory(void);
/* struct_bytes, as the caller has set it, is at least `least`. */
heddle_error check_struct(const char *function, const char *member, size_t struct_bytes, size_t least);

/* ---- handles.c ---------------------------------------------------------------------------------------------------- */

enum { HANDLE_MACHINE = 1, HANDLE_QUEUE, HANDLE_EVENT, HANDLE_KERNEL, HANDLE_PROGRAM };

/* Enters the session into the table; 0: it is full. */
uint32_t session_enter_table(session *added);
/* From here on its handles are closed. */
void session_leave_table(session *gone);
void *handle_of(const session *owner, uint32_t kind, uint32_t index, uint32_t generation);
/* The session that a handle of this kind belongs to, which is then busy, and the index behind it. */
heddle_error session_enter(const void *handle, uint32_t kind, const char *function, session **owner, uint32_t *index);
/* The same of a machine that this program is the host of. */
heddle_error session_enter_host(heddle_machine *machine, const char *function, session **owner);
/* The same for a second handle of a call; of the same machine. */
heddle_error session_index(const session *owner, const void *handle, uint32_t kind, const char *function,
                           uint32_t *index);
/* It is no longer busy; returns the error. */
heddle_error session_leave(session *owner, heddle_error error);

/* ---- wait.c --------------------------------------------------------------------------------------------------------- */

/* Zeroed, with room for what follows it; NULL: out of memory. */
host_operation *operation_new(uint32_t kind, size_t payload);
void session_post(session *s, uint32_t lane, host_operation *operation);
/* The error that the machine has ended with, or HEDDLE_OK. */
heddle_error session_state(session *s);
/* Lets time pass until exactly then, and tells the callbacks what has happened. */
heddle_error session_step(session *s, hd_time until);
typedef uint32_t condition(session *s, uint32_t index);
/* HEDDLE_ERROR_INTERRUPTED: the call has lasted for too long. *began: 0 when it begins. */
heddle_error session_be_patient(const session *s, uint64_t *began);
/* Until the condition holds, or for as long as the program has patience. */
heddle_error session_wait(session *s, condition *holds, uint32_t index);
condition lane_is_idle;
heddle_error session_wait_lane(session *s, uint32_t lane);
/* What the caller has posted, with memory that is its own, is done. */
heddle_error session_finish_lane(session *s, uint32_t lane);
heddle_error session_wait_all(session *s);
/* Accesses that the caller waits for. */
heddle_error session_read(session *s, void *into, uint64_t address, uint64_t bytes);
heddle_error session_write(session *s, uint64_t address, const void *from, uint64_t bytes);
heddle_error session_access(session *s, const host_call *call);
heddle_error session_write_register(session *s, uint32_t offset, uint32_t value);
/* The callbacks of the platform: they keep lines until the step is over. */
void session_keep_print(void *owner, const char *line);
void session_keep_log(void *owner, uint32_t severity, hd_time t, const char *block, const char *text);
void session_drop_lines(session *s);

/* ---- queues.c ------------------------------------------------------------------------------------------------------- */

/* The default queue is there from here on. */
heddle_error queue_zero(session *s);

/* ---- memory.c ------------------------------------------------------------------------------------------------------- */

/* bytes >= 1 within one allocation, or a kernel program. */
heddle_error memory_check(session *s, const char *function, heddle_address address, uint64_t bytes);
heddle_error memory_allocate(session *s, uint64_t bytes, uint32_t owner, heap_site site, const char *what,
                             uint32_t *address);

/* ---- copies.c ------------------------------------------------------------------------------------------------------- */

/* Waits for everything before, and for the copy. */
heddle_error copy_now(session *s, const char *function, const host_call *call);

/* ---- settings.c, observe.c, mapped.c -------------------------------------------------------------------------------- */

/* Of any version of the structure, checked. */
heddle_error settings_read(heddle_settings *whole, const heddle_settings *given);
/* What they ask of the machine, but for plug-ins. */
heddle_error settings_fill(session *s, const heddle_settings *settings, hd_machine_setup *setup);
/* Before the machine is opened, and after. */
heddle_error observe_begin(session *s, const heddle_settings *settings, hd_machine_setup *setup);
heddle_error observe_check(session *s, const hd_machine_setup *setup);
/* After it was closed. */
void observe_end(session *s);
/* The files of the trace, if there is one that has not ended. */
heddle_error trace_put_in_place(session *s);
void maps_forget(session *s);

/* ---- statistics.c --------------------------------------------------------------------------------------------------- */

heddle_error statistics_begin(session *s);
void statistics_end(session *s);

#endif
