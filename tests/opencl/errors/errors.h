/* SPDX-License-Identifier: MIT */
/*
 * Every call of OpenCL 1.2 with every error that the standard lists for it: each is provoked once at least, or it is said why it
 * cannot come here. The program knows of no implementation but for these excuses.
 */
#ifndef OPENCL_ERRORS_H
#define OPENCL_ERRORS_H

#include "program.h"

/* The call must give the error, of which the name is said without CL_; CL_SUCCESS too. */
#define EXPECT(name, error, call) expect(#name, #error, CL_##error, (call), __LINE__)
/* The same for calls that return an object and have the error as their last argument, `error`. */
#define EXPECT_MADE(name, expected, call) expect(#name, #expected, CL_##expected, ((void)(call), error), __LINE__)
void expect(const char *call, const char *name, cl_int expected, cl_int got, int line);

/* What is needed for a call that has but one mistake. */
typedef struct good {
    rig rig;
    cl_platform_id platform;
    cl_context other;                                              /* another context */
    cl_command_queue other_queue, plain_queue;                     /* plain_queue: without profiling */
    cl_mem buffer, other_buffer, read_only, write_only, no_access; /* 1024 bytes; for the host */
    cl_kernel kernel, other_kernel, demanding; /* kernel: good(global, int, local) has its arguments */
    cl_program unbuilt, other_program;
    cl_event user, other_event, done;
} good;

enum { BUFFER_BYTES = 1024 };

/* A handle of another kind: no loader looks at it, so it comes to the implementation. */
#define AS(type, handle) ((type)(handle))

void open_good(good *made);
void close_good(good *gone);

void try_platforms(const good *with);
void try_contexts(const good *with);
void try_queues(const good *with);
void try_buffers(const good *with);
void try_transfers(const good *with);
void try_rectangles(const good *with);
void try_maps(const good *with);
void try_images(const good *with);
void try_programs(const good *with);
void try_kernels(const good *with);
void try_launches(const good *with);
void try_events(const good *with);

/* Which of the standard's errors have not been provoked, and are not excused: printed and counted. */
int count_missing(void);
int has_been_provoked(const char *call, const char *name);

#endif
