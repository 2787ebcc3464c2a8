/* SPDX-License-Identifier: MIT */
/* The last message of each thread. */
#define _GNU_SOURCE /* vasprintf */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static char no_memory[] = "the process has no memory left";

static void drop(void *text)
{
    if (text != no_memory)
        free(text);
}

static void make_key(void)
{
    pthread_key_create(&key, drop);
}

heddle_error fail(heddle_error error, const char *format, ...)
{
    char *text;
    va_list arguments;
    pthread_once(&once, make_key);
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = no_memory;
    va_end(arguments);
    drop(pthread_getspecific(key));
    pthread_setspecific(key, text);
    return error;
}

heddle_error fail_null(const char *function, const char *what)
{
    return fail(HEDDLE_ERROR_ARGUMENT, "%s: %s is NULL", function, what);
}

heddle_error fail_memory(void)
{
    return fail(HEDDLE_ERROR_HOST_MEMORY, "%s", no_memory);
}

heddle_error fail_text(heddle_error error, char *text)
{
    const size_t length = strlen(text);
    fail(error, "%.*s", (int)(length && text[length - 1] == '\n' ? length - 1 : length), text);
    free(text);
    return error;
}

heddle_error check_struct(const char *function, const char *member, size_t struct_bytes, size_t least)
{
    if (struct_bytes >= least)
        return HEDDLE_OK;
    return fail(HEDDLE_ERROR_ARGUMENT, "%s: %s is %zu; it must be the size of the structure", function, member,
                struct_bytes);
}

const char *heddle_message(void)
{
    pthread_once(&once, make_key);
    const char *text = pthread_getspecific(key);
    return text ? text : "";
}

const char *heddle_error_text(heddle_error error)
{
    static const char *const texts[] = {
        [HEDDLE_OK] = "no error",
        [HEDDLE_ERROR_ARGUMENT] = "an argument is NULL or out of its range",
        [HEDDLE_ERROR_HANDLE] = "no such machine, queue, event, kernel or program is open",
        [HEDDLE_ERROR_BUSY] = "another call for this machine is under way",
        [HEDDLE_ERROR_NETLIST] = "the machine file has errors, or the machine cannot be built",
        [HEDDLE_ERROR_FILE] = "a file cannot be read",
        [HEDDLE_ERROR_KERNELS] = "the kernel program cannot be loaded",
        [HEDDLE_ERROR_UNKNOWN] = "nothing has this name",
        [HEDDLE_ERROR_MEMORY] = "the device has no such piece of memory left",
        [HEDDLE_ERROR_RANGE] = "beyond an allocation of device memory",
        [HEDDLE_ERROR_FREED] = "the device memory has been freed",
        [HEDDLE_ERROR_QUEUES] = "the device has no queue left",
        [HEDDLE_ERROR_TIME] = "the time has passed",
        [HEDDLE_ERROR_HOST_MEMORY] = "the process has no memory left",
        [HEDDLE_ERROR_DEVICE] = "the device refused an access or a launch",
        [HEDDLE_ERROR_FAULT] = "a kernel or a model did something that has no meaning",
        [HEDDLE_ERROR_DEADLOCK] = "something is awaited, and nothing moves any more",
        [HEDDLE_ERROR_LIVELOCK] = "there is no progress any more",
        [HEDDLE_ERROR_LIMIT] = "the limit of simulated time is reached",
        [HEDDLE_ERROR_LAUNCH] = "no core can run a block of this size",
        [HEDDLE_ERROR_HOST] = "the machine has a host of its own",
        [HEDDLE_ERROR_APP] = "the app or firmware has failed",
        [HEDDLE_ERROR_INTERRUPTED] = "the call has waited as long as it may",
    };
    return error < sizeof texts / sizeof *texts ? texts[error] : "no such error code";
}

const char *heddle_version(void)
{
    return HEDDLE_VERSION;
}
