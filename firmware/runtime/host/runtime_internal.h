/* SPDX-License-Identifier: MIT */
/*
 * Private to the runtime behind heddle_rt.h. It is compiled twice: into the platform, where programs run natively
 * (platform/host), and into firmware (firmware/runtime/rv64). What differs between the two is the port, below.
 */
#ifndef HEDDLE_RUNTIME_INTERNAL_H
#define HEDDLE_RUNTIME_INTERNAL_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle_rt.h"
#include "host_program.h"
#include "runtime_heap.h"

#define MESSAGE_BYTES 1024u
#define RING_ENTRIES 64u
#define STACK_STANDARD 4096u

/* A descriptor that has been written: a launch, or a copy and its host memory. */
typedef struct queue_entry {
    uint32_t number; /* of the launch or copy */
    uint32_t is_copy;
    const uint8_t *memory; /* NULL: none */
    uint64_t bytes;
    uint64_t shared; /* address of that on the host bus */
} queue_entry;

/* A device as all programs see it that use it. */
typedef struct runtime_device {
    runtime_heap heap;
    uint32_t queues;
    uint32_t has_copies;  /* its queues take copies */
    uint32_t copy_count;  /* so far */
    uint32_t queues_used; /* by any program; the default queues of all come first */
    uint32_t launch_count;
    uint32_t images_end; /* of the kernels of all programs; 0: there is one program, which knows its own */
    hd_host_launch *launches;
    uint32_t *launch_indices; /* of each launch's descriptor in its queue */
} runtime_device;

/* A queue as the host sees it. */
typedef struct host_queue {
    uint32_t number; /* the device's */
    uint32_t ring;   /* device addresses */
    uint32_t completion;
    uint32_t arguments; /* HD_ARGUMENT_BYTES_MAX for every entry */
    uint32_t written;   /* descriptors, mod 2^32 */
    uint32_t collected; /* completion records read, mod 2^32 */
    queue_entry entries[RING_ENTRIES];
} host_queue;

/* Head of what hd_host_alloc gives; the program's memory follows. */
typedef struct host_memory {
    _Alignas(max_align_t) struct host_memory *next;
    struct host_memory *previous;
    size_t bytes;
} host_memory;

typedef struct runtime {
    hd_host_program program;
    uint32_t status;
    char message[MESSAGE_BYTES];

    uint32_t option_count; /* distinct options asked for */
    char **options;        /* their names */
    uint32_t options_checked;
    uint32_t report_count;
    hd_host_report *reports;
    host_memory memory; /* ring of all hd_host_alloc */

    runtime_device own;     /* of a program that has the device for itself */
    uint32_t default_queue; /* on the device */
    uint32_t queue_count;
    host_queue *queues;
    uint32_t stack_bytes;
    const char
        *checked_kernel; /* of the last launch, and the size of its argument block: it need not be looked up again */
    uint32_t checked_bytes;
    runtime_device *device; /* natively: its own, or one that it shares with others */
} runtime;

/* Firmware is alone, and need not look. */
static inline runtime_device *device_of(runtime *rt)
{
#if defined(__riscv)
    return &rt->own;
#else
    return rt->device;
#endif
}

/* ---- The port -------------------------------------------------------------------------------------------------------- */

/* The runtime of the calling thread. */
runtime *runtime_current(void);

/* Ends the program with this status and text. */
__attribute__((noreturn, format(printf, 3, 4))) void runtime_end(runtime *rt, uint32_t status, const char *format, ...);
#define runtime_error(rt, ...) runtime_end(rt, HD_HOST_ERROR, __VA_ARGS__)

/* Ends the program: the device answered this access with an error, at this address. */
__attribute__((noreturn)) void runtime_refused(runtime *rt, uint32_t is_read, uint64_t address, uint64_t bytes,
                                               uint32_t status, uint64_t where);

/* HD_STATUS_* and HD_QUEUE_ERROR_* in words. */
const char *runtime_status_text(uint32_t status);
const char *runtime_queue_error_text(uint32_t error);

/* The array with room for one element more, `count` now; NULL: for that many. Ends the program when there is no memory. */
void *runtime_grow(runtime *rt, void *array, size_t count, size_t element_bytes);

/* Accesses on the host bus; errors of the device end the program. */

void bus_read(runtime *rt, void *into, uint64_t address, uint64_t bytes);
void bus_write(runtime *rt, uint64_t address, const void *from, uint64_t bytes);
void bus_fill(runtime *rt, uint64_t address, uint32_t value, uint64_t bytes);
uint32_t register_read(runtime *rt, uint32_t offset);
void register_write(runtime *rt, uint32_t offset, uint32_t value);
/* Until `count` launches of the queue are complete. Returns 0 if the device has reported an error instead. */
uint32_t bus_wait(runtime *rt, uint32_t queue, uint32_t count);

/* Lets others on the host bus read and write this memory, until it is withdrawn. Returns its address there; 0: wait for
 * copies under way, then there is one. */
uint64_t port_share(runtime *rt, void *memory, uint64_t bytes);
void port_unshare(runtime *rt, uint64_t address);

/* A line for the user, without newline. */
void port_print(runtime *rt, const char *line);

/* ---- Rooms of the runtime ----------------------------------------------------------------------------------------- */

/* The whole program: device, queues, entry, end. runtime_program.c; does not return. */
__attribute__((noreturn)) void runtime_run(runtime *rt);
/* A runtime that is all zero, for this program. */
void runtime_init(runtime *rt, const hd_host_program *program);
/* What it has allocated. */
void runtime_release(runtime *rt);
void runtime_device_release(runtime_device *device);

void options_check_all_read(runtime *rt); /* runtime_text.c */
void text_release(runtime *rt);           /* runtime_text.c */
void memory_release(runtime *rt);         /* runtime_memory.c */
void memory_start(runtime *rt);           /* runtime_memory.c: identifies the device, loads the kernels */
uint32_t memory_reserve(runtime *rt, uint32_t bytes, const char *purpose); /* runtime_memory.c: device address */
void memory_check_range(runtime *rt, const char *what, uint32_t address, size_t bytes); /* runtime_memory.c */
/* What the kernel program says of this kernel's argument block: its size, and the name of its type in *type. Returns 0 if it
 * says nothing. runtime_arguments.c */
uint32_t arguments_of(const struct isa_program *kernels, const char *kernel, char *type, size_t type_bytes,
                      uint32_t *bytes);
void queue_start(runtime *rt);      /* runtime_queue.c: the default queue */
uint32_t queue_create(runtime *rt); /* runtime_queue.c */
/* Appends the descriptor; arguments are copied. Waits if the ring is full. */
void queue_submit(runtime *rt, uint32_t queue, const void *descriptor, const queue_entry *entry, const void *arguments,
                  uint32_t argument_bytes);
uint64_t queue_next_arguments(runtime *rt, uint32_t queue);   /* where the next launch's arguments go */
void queue_wait(runtime *rt, uint32_t queue, uint32_t count); /* and reads the completion records */
void queue_wait_all(runtime *rt);
/* The device's number of the program's queue. */
static inline uint32_t queue_device_number(const runtime *rt, uint32_t queue)
{
#if defined(__riscv)
    (void)rt;
    return queue;
#else
    return rt->queues[queue].number;
#endif
}
/* The program's queue of this number of the device; UINT32_MAX: it is another program's. */
uint32_t queue_of_device(const runtime *rt, uint32_t number);
/* A copy that has not been waited for and uses any of this memory; NULL: none. Lent. */
const queue_entry *queue_copy_of(const runtime *rt, const void *memory, size_t bytes);

#endif
