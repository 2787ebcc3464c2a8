/* SPDX-License-Identifier: MIT */
/* Private to platform/cuda: one machine, opened by the first call that needs it, and what the calls have in common. */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include <stdint.h>

#pragma GCC visibility push(default)
#include "cuda_runtime_api.h"
#pragma GCC visibility pop

#include "heddle.h"
#include "kernelc.h"

typedef struct cuda_runtime {
    heddle_machine *machine; /* NULL: not yet opened */
    char *name;              /* "Heddle gtx480" */
    heddle_limits limits;
    cudaError_t stopped; /* a fault or a hang: every call gives it from then on */
    cudaError_t last;
} cuda_runtime;

extern cuda_runtime runtime;

/* ---- Calls (runtime.c) ------------------------------------------------------------------------------------------------ */

/*
 * Every function of the API that needs the machine goes in by the one, and out by the other with its result:
 *
 *     const cudaError_t error = runtime_enter();
 *     return runtime_leave(error ? error : allocate(memory, bytes));
 *
 * Only one call at a time is inside.
 */
cudaError_t runtime_enter(void);
cudaError_t runtime_leave(cudaError_t error);

/* What the machine says, as CUDA says it. If the machine has stopped, its message goes to stderr. */
cudaError_t runtime_error(heddle_error error);
/* A line on stderr about a call that is refused. */
void runtime_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- Streams (streams.c) ------------------------------------------------------------------------------------------------ */

/* The queue of a stream (NULL: the default stream) for something that is appended next; it waits for what it must wait for. */
cudaError_t stream_queue(cudaStream_t stream, heddle_queue **queue);
/* Lets time pass until all in it is done. */
cudaError_t stream_wait(cudaStream_t stream);
/* Work of the host itself begins: all work of the device is done. */
cudaError_t streams_wait(void);
/* Has the machine a moment pass, for a program that asks again and again? */
cudaError_t runtime_let_pass(void);

/* ---- Memory (host_memory.c, managed.c) ---------------------------------------------------------------------------------- */

/* Device addresses have 32 bits. 0: it cannot be one. */
heddle_address address_of(const void *memory);
/* Is it of the host, and does the program promise not to change it before a copy is done? */
int host_memory_is_pinned(const void *memory, size_t bytes);
int managed_has(const void *memory);
/* Takes memory that host and device have in turns; 0: it is none. */
int managed_free(const void *memory, cudaError_t *error);
/* The device has it from here on, or the host, for whom all work of the device must be done. */
cudaError_t managed_to_device(void);
cudaError_t managed_to_host(void);

/* ---- Copies (copy.c) ------------------------------------------------------------------------------------------------------ */

typedef struct cuda_copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch; /* bytes from row to row */
    size_t width, rows;
    enum cudaMemcpyKind kind;
    cudaStream_t stream;
    int is_asynchronous;
} cuda_copy;

cudaError_t copy_run(const cuda_copy *copy);

/* ---- Programs (programs.c) --------------------------------------------------------------------------------------------- */

typedef struct cuda_program {
    const void *image;
    size_t bytes;
    heddle_program *loaded; /* NULL: not yet */
    kernelc_kernels kernels;
} cuda_program;

typedef struct cuda_function {
    const void *host;    /* by which the program names it */
    const char *mangled; /* by which its compiler does */
    cuda_program *program;
    const kernelc_kernel *kernel; /* NULL: not yet looked for */
    heddle_kernel *handle;
} cuda_function;

/* A kernel, with the program loaded. */
cudaError_t function_find(const void *host, cuda_function **function);
/* Address and size of a variable. */
cudaError_t variable_find(const void *host, heddle_address *address, uint64_t *bytes);

#endif
