/* SPDX-License-Identifier: MIT */
/* Errors of the library, for heddle.h, which includes this. */
#ifndef HEDDLE_ERRORS_H
#define HEDDLE_ERRORS_H

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

/*
 * A call returns HEDDLE_OK or HEDDLE_ERROR_*. heddle_error_text describes a code, heddle_message what happened. A
 * refused call has changed nothing. After HEDDLE_ERROR_DEVICE or any later code the machine has stopped: calls that would
 * let time pass return the same error again; statistics can be read, and the machine can be closed. No function exits,
 * prints, or changes signals, working directory, locale or files of the program. The process ends only if there is no
 * memory left for the simulator itself.
 */
typedef uint32_t heddle_error;

#define HEDDLE_OK 0u
#define HEDDLE_ERROR_ARGUMENT 1u     /* NULL, or a value out of its range */
#define HEDDLE_ERROR_HANDLE 2u       /* not an open machine, queue, event, kernel or program */
#define HEDDLE_ERROR_BUSY 3u         /* another call for this machine is in progress */
#define HEDDLE_ERROR_NETLIST 4u      /* the machine file has errors, or the machine cannot be built */
#define HEDDLE_ERROR_FILE 5u         /* a file cannot be read */
#define HEDDLE_ERROR_KERNELS 6u      /* the kernel program is refused, or its place in memory is in use */
#define HEDDLE_ERROR_UNKNOWN 7u      /* no kernel, variable or statistic of that name */
#define HEDDLE_ERROR_MEMORY 8u       /* no block of device memory of this size is free */
#define HEDDLE_ERROR_RANGE 9u        /* beyond the end of an allocation, or outside all allocations */
#define HEDDLE_ERROR_FREED 10u       /* device memory that has been freed */
#define HEDDLE_ERROR_QUEUES 11u      /* the device has no queue left */
#define HEDDLE_ERROR_TIME 12u        /* a time in the past */
#define HEDDLE_ERROR_HOST_MEMORY 13u /* the process has no memory left */
#define HEDDLE_ERROR_DEVICE 14u      /* the device refused an access or a launch */
#define HEDDLE_ERROR_FAULT 15u       /* an error in a kernel or a model */
#define HEDDLE_ERROR_DEADLOCK 16u    /* there is work left, but nothing moves any more */
#define HEDDLE_ERROR_LIVELOCK 17u    /* no progress for as long as the machine's watchdog waits */
#define HEDDLE_ERROR_LIMIT 18u       /* the machine's limit of simulated time is reached */
#define HEDDLE_ERROR_LAUNCH 19u      /* no core of the machine can run a block of this size; nothing was launched */
#define HEDDLE_ERROR_HOST 20u        /* the machine's own host runs an app or firmware: this program is not its host */
#define HEDDLE_ERROR_APP 21u         /* the app or firmware says FAIL, or has misused its runtime */
#define HEDDLE_ERROR_INTERRUPTED 22u /* settings.patience has passed; the machine goes on with the next call */

/* A short description of a code; never NULL. Threads: any. */
HEDDLE_API const char *heddle_error_text(heddle_error error);

/*
 * Message of the last call of this thread that returned an error: one line, or for HEDDLE_ERROR_NETLIST all errors in the
 * file. "" if there was none. Valid until the next call of this thread. Threads: any.
 */
HEDDLE_API const char *heddle_message(void);

/* Version of the library, such as "0.1.0". The major number is that of the soname. Threads: any. */
HEDDLE_API const char *heddle_version(void);

#ifdef __cplusplus
}
#endif

#endif
