/* SPDX-License-Identifier: MIT */
#ifndef HD_OBSERVE_WHOLE_FILE_H
#define HD_OBSERVE_WHOLE_FILE_H

#include <stddef.h>
#include <stdint.h>

/* A file with that text takes the place of what there is, or everything stays as it was; a device or a pipe is written to.
 * 0 and errno: it could not be written. */
uint32_t hd_whole_file_write(const char *path, const char *text, size_t bytes);

/* Whether that could be done now, tried without leaving a trace. 0 and errno. */
uint32_t hd_whole_file_check(const char *path);

#endif
