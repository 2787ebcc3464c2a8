/* SPDX-License-Identifier: MIT */
/*
 * Private to platform/opencl: the objects of the runtime and what its files do for each other. All of it is called by one
 * thread at a time, between runtime_enter and runtime_leave, unless it says otherwise.
 */
#ifndef OPENCL_RUNTIME_H
#define OPENCL_RUNTIME_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include "device.h"

/* ---- Objects (object.c) ------------------------------------------------------------------------------------------- */

typedef enum object_kind {
    OBJECT_RELEASED,
    OBJECT_PLATFORM,
    OBJECT_DEVICE,
    OBJECT_CONTEXT,
    OBJECT_QUEUE,
    OBJECT_MEMORY,
    OBJECT_PROGRAM,
    OBJECT_KERNEL,
    OBJECT_EVENT,
    OBJECT_KINDS
} object_kind;

/* What every object begins with. It lives as long as the program or the runtime holds it. */
typedef struct object {
    const cl_icd_dispatch *dispatch; /* the loader's: must be first */
    object_kind kind;
    cl_uint references; /* the program's */
    uint32_t holders;   /* the runtime's own */
} object;

/* Zeroed, with one reference. NULL: out of memory. */
void *object_new(size_t bytes, object_kind kind);
/* Is it one of this kind that the program may still use? */
int object_is(const void *handle, object_kind kind);
void object_hold(void *held);
void object_drop(void *held);
/* For clRetain* and clRelease*: CL_SUCCESS, or the error of the kind. */
cl_int object_retain(void *handle, object_kind kind);
cl_int object_release(void *handle, object_kind kind);
/* CL_INVALID_CONTEXT ... */
cl_int object_error(object_kind kind);

/* ---- Answers to queries (info.c) ----------------------------------------------------------------------------------- */

/* The value of a query lies `offset` in the object. */
typedef enum info_form {
    INFO_PLAIN,   /* `bytes` of it */
    INFO_STRING,  /* a const char *, which may be NULL */
    INFO_POINTED, /* an info_list */
} info_form;

typedef struct info_list {
    const void *data;
    size_t bytes;
} info_list;

typedef struct info_row {
    cl_uint query;
    info_form form;
    size_t offset;
    size_t bytes;
} info_row;

#define INFO_FIELD(query, type, field)                                                                                 \
    {                                                                                                                  \
        query, INFO_PLAIN, offsetof(type, field), sizeof(((type *)0)->field)                                           \
    }
#define INFO_TEXT(query, type, field)                                                                                  \
    {                                                                                                                  \
        query, INFO_STRING, offsetof(type, field), 0                                                                   \
    }
#define INFO_LIST(query, type, field)                                                                                  \
    {                                                                                                                  \
        query, INFO_POINTED, offsetof(type, field), 0                                                                  \
    }

/* Where an answer goes, as the functions of the standard have it. */
typedef struct info_answer {
    size_t size;
    void *value;
    size_t *size_needed;
} info_answer;

cl_int info_give(const info_answer *to, const void *data, size_t bytes);

/* By the table; CL_INVALID_VALUE if it has no such query. */
cl_int info_look_up(const info_answer *to, const info_row *rows, size_t count, cl_uint query, const void *object);
#define INFO_LOOK_UP(to, rows, query, object) info_look_up(to, rows, sizeof(rows) / sizeof *(rows), query, object)

/* ---- The lock (lock.c) ---------------------------------------------------------------------------------------------- */

void runtime_enter(void);
/* At the end of the process, which may come from within: 0 if nobody lets go for a while. */
int runtime_enter_soon(void);
/* Callbacks that are due are called, outside. Returns the error. */
cl_int runtime_leave(cl_int error);
/* runtime_leave and runtime_enter: others may do something in between. */
void runtime_pause(void);
/* Sleeps outside until another thread has been in here, or for so long. */
void runtime_await_others(uint32_t seconds);
/* A function of the program that is called when the runtime is left. */
typedef enum callback_form {
    CALLBACK_EVENT,
    CALLBACK_MEMORY,
    CALLBACK_PROGRAM,
    CALLBACK_CONTEXT,
    CALLBACK_NOTICE, /* `handle` is its text, owned */
} callback_form;

typedef struct callback {
    struct callback *next;
    callback_form form;
    cl_int status; /* of CALLBACK_EVENT */
    void *handle;  /* an event or program is valid until it has been called, whatever the program releases */
    void *data;
    union {
        void(CL_CALLBACK *event)(cl_event, cl_int, void *);
        void(CL_CALLBACK *memory)(cl_mem, void *);
        void(CL_CALLBACK *program)(cl_program, void *);
        void(CL_CALLBACK *context)(cl_context, void *);
        void(CL_CALLBACK *notice)(const char *, const void *, size_t, void *);
    } function;
} callback;
/* Takes it. */
void runtime_call_later(callback *due);
/* Somebody waits for callbacks of events: time passes when the program makes no calls. */
cl_int runtime_start_pump(void);

/* ---- Platform and device (platform.c, device_info.c) ----------------------------------------------------------------- */

struct _cl_platform_id {
    object base;
};

struct _cl_device_id {
    object base;
    device *machine; /* NULL: not open yet */
    device_limits limits;
};

#define OPENCL_EXTENSIONS                                                                                              \
    "cl_khr_icd cl_khr_il_program cl_khr_byte_addressable_store cl_khr_fp64 "                                          \
    "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "                                           \
    "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics"
#define OPENCL_ALIGNMENT_BYTES 256u /* of what device_allocate gives */
#define OPENCL_PARAMETER_BYTES 4000u

extern const cl_icd_dispatch opencl_dispatch;
extern struct _cl_platform_id opencl_platform;
extern struct _cl_device_id opencl_device;

/* Opens the machine. CL_DEVICE_NOT_AVAILABLE after a line on stderr. */
cl_int opencl_open_device(void);
/* An array of one: it and nothing else. CL_INVALID_VALUE, CL_INVALID_DEVICE. */
cl_int opencl_check_devices(cl_uint count, const cl_device_id *devices);
cl_int opencl_check_type(cl_device_type type);
/* The end of a call that makes an object: leaves, *error (which may be NULL) is the result. Returns the object. */
void *opencl_made(void *made, cl_int result, cl_int *error);
/* A device's error as that of a call. */
cl_int opencl_error_of(device_error error);

/* ---- Contexts (context.c) -------------------------------------------------------------------------------------------- */

struct _cl_context {
    object base;
    cl_device_id device;
    cl_uint device_count;
    info_list properties; /* owned */
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
    void *notify_data;
    callback *destructors;
    cl_command_queue own_queue; /* for first contents of buffers; NULL: not needed yet */
    struct _cl_context *next;   /* of all */
};

void context_destroy(cl_context gone);
/* own_queue is there from here on. */
cl_int context_open_queue(cl_context context);
/* Says on stderr, and to all contexts, what the number of an error does not, or of an error that no call returns. */
void context_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- Commands (command.c, event.c) ----------------------------------------------------------------------------------- */

typedef struct command_wait {
    cl_event event;    /* held */
    int passes_errors; /* it is in the program's list: its error is ours too */
} command_wait;

typedef struct lane lane;

#define OPENCL_NO_LAUNCH UINT32_MAX

/* An event is a command, or a user event, which has no queue. */
struct _cl_event {
    object base;
    cl_context context;     /* held */
    cl_command_queue queue; /* held */
    cl_command_type type;
    cl_int status;
    cl_ulong times[4]; /* ns: queued, submitted, started, ended */
    callback *callbacks;

    command_wait *waits;
    uint32_t wait_count;
    device_operation *operations;
    uint32_t operation_count;
    object **uses; /* held until it has ended */
    uint32_t use_count;
    void *staging; /* freed when it has ended */

    lane *lane; /* NULL: not posted */
    device_mark *begin, *end;
    cl_int failure; /* the device refused it, or a part of it */
    uint32_t launch;
    const char *kernel_name;           /* of a launch; as long as it is live */
    cl_event next_live, previous_live; /* in the order in which they were enqueued */
    cl_event next_in_lane;
};

void event_destroy(cl_event gone);
int event_has_ended(void *event);
/* CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT. */
cl_int event_check_list(cl_context context, cl_uint count, const cl_event *list);
/* It has come to this status: callbacks for it are due. */
void event_reach(cl_event event, cl_int status);

/* A command that is not in the queue yet. *error says why it is NULL. */
cl_event command_new(cl_command_queue queue, cl_command_type type, cl_uint count, const cl_event *waits, cl_int *error);
cl_int command_add(cl_event command, const device_operation *operation);
cl_int command_wait_for(cl_event command, cl_event other, int passes_errors);
/* Holds the object until the command has ended. */
cl_int command_use(cl_event command, void *used);
/* Puts it into its queue, or drops it if there is already an error. Waits for it if it blocks; *event, which may be NULL,
 * becomes the program's. */
cl_int command_enqueue(cl_event command, cl_int error, cl_bool blocks, cl_event *event);
/* What it held, and what it would have done. */
void command_forget_work(cl_event command);

/* ---- Lanes (lanes.c) ------------------------------------------------------------------------------------------------- */

struct lane {
    device_lane *device_lane;
    uint32_t users;   /* queues */
    uint32_t pending; /* commands, first .. last */
    cl_event first, last;
};

/* One that no queue has, else the one that the fewest have; NULL: none. */
lane *lane_take(device *machine);
void lane_give_back(lane *unused);
/* All that were ever taken. */
lane *lane_at(uint32_t index);
void lane_append(lane *to, cl_event command);
cl_event lane_remove_first(lane *from);

/* ---- Scheduling (scheduler.c) ------------------------------------------------------------------------------------------ */

/* The command is live: it goes to a lane as soon as all that it waits for has. */
cl_int scheduler_add(cl_event command);
/* A user event has ended. */
void scheduler_end_user_event(cl_event event, cl_int status);
/* Lets time pass until it holds. CL_OUT_OF_RESOURCES: the machine has stopped. */
cl_int scheduler_wait(int (*holds)(void *), void *about);
/* A little time passes, if anything is in a lane. 0: nothing is. */
int scheduler_step(void);
/* The first live command; the others are behind it. */
cl_event scheduler_first(void);
/* Nothing is in a lane. */
int scheduler_is_idle(void);
cl_ulong scheduler_now(void); /* ns */
/* CL_OUT_OF_RESOURCES after a fault or a hang. */
cl_int scheduler_state(void);

/* ---- Queues (queue.c) ---------------------------------------------------------------------------------------------------- */

#define QUEUE_LANES_MAX 4u /* of one queue out of order */

struct _cl_command_queue {
    object base;
    cl_context context; /* held */
    cl_device_id device;
    cl_command_queue_properties properties;
    info_list property_list; /* owned */
    lane *lanes[QUEUE_LANES_MAX];
    uint32_t lane_count;
    uint32_t live;    /* commands */
    cl_event last;    /* the latest, while it is live */
    cl_event barrier; /* the latest barrier, likewise */
};

void queue_destroy(cl_command_queue gone);
cl_command_queue queue_new(cl_context context, cl_command_queue_properties properties, cl_int *error);
int queue_is_in_order(cl_command_queue queue);

/* ---- Memory (buffer.c, map.c) ---------------------------------------------------------------------------------------------- */

struct _cl_mem {
    object base;
    cl_context context;
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t bytes;
    void *host_pointer; /* the program's */
    cl_mem parent;      /* held: of a sub-buffer */
    size_t offset;      /* in it */
    uint32_t address;
    uint8_t *shadow; /* of a whole buffer: where it is mapped; NULL: not yet */
    int owns_shadow;
    cl_uint map_count;
    struct mapping *mappings;
    cl_event first_write; /* held: its first contents */
    callback *destructors;
};

void memory_destroy(cl_mem gone);
/* Those of a new buffer: known ones, and none that exclude each other. */
int memory_are_flags_good(cl_mem_flags flags);
void memory_drop_mappings(cl_mem gone);
/* The buffer that a sub-buffer is part of; a whole one itself. */
cl_mem memory_whole(cl_mem buffer);
/* A buffer of the queue's context. */
cl_int memory_check(cl_command_queue queue, cl_mem buffer);
/* At least one byte, within the buffer. */
cl_int memory_check_range(cl_mem buffer, size_t offset, size_t bytes);
/* The command uses it, after its first contents are there. */
cl_int memory_use(cl_event command, cl_mem buffer);

/* ---- Programs and kernels ---------------------------------------------------------------------------------------------------- */

void program_destroy(cl_program gone);
void kernel_destroy(cl_kernel gone);

#endif
