/* SPDX-License-Identifier: MIT */
#ifndef HD_OBSERVE_WRITE_ALL_H
#define HD_OBSERVE_WRITE_ALL_H

#include <stddef.h>
#include <stdint.h>

/* All of the text, however often the system stops in between. 0 and errno: it could not be written. */
uint32_t hd_write_all(int file, const char *text, size_t bytes);

#endif
