/* SPDX-License-Identifier: MIT */
#include "write_all.h"

#include <errno.h>
#include <unistd.h>

uint32_t hd_write_all(int file, const char *text, size_t bytes)
{
    while (bytes) {
        const ssize_t written = write(file, text, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return 0;
        text += written;
        bytes -= (size_t)written;
    }
    return 1;
}
