/* SPDX-License-Identifier: MIT */
#include "admission.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#define PS_PER_MS (HD_PS_PER_SECOND / 1000)

static int is_run_over(const void *context)
{
    const hd_interruption *interruption = context;
    return interruption->is_requested(interruption->context) != 0;
}

void admission_prepare(heddle_remote *remote, const hd_services *services, hd_time timeout)
{
    const hd_interruption *interruption = services->extension(services->context, HD_EXTENSION_INTERRUPTION);
    *remote = (heddle_remote){.socket = -1,
                              .timeout = (int)(timeout / PS_PER_MS),
                              .is_over = interruption ? is_run_over : NULL,
                              .context = interruption};
}

int admission_open(listener *listener, const char *address, char *error, size_t error_bytes)
{
    const char *why;
    listener->socket = -1;
    if (heddle_remote_address(address, &listener->address, &why)) {
        const int failure = listener_open(listener);
        if (!failure)
            return 0;
        why = strerror(failure);
    }
    snprintf(error, error_bytes, "address '%s': %s", address, why);
    return -1;
}

int admission_wait(listener *listener, heddle_remote *remote)
{
    const int64_t end = heddle_remote_deadline(remote);
    if (heddle_remote_wait(remote, listener->socket, POLLIN, end, "nobody has connected") < 0) {
        listener_close(listener);
        return -1;
    }
    remote->socket = listener_accept(listener);
    const int error = errno;
    listener_close(listener);
    if (remote->socket >= 0)
        return 0;
    snprintf(remote->error, sizeof remote->error, "accept: %s", strerror(error));
    return -1;
}
