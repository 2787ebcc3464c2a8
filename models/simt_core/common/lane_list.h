/* SPDX-License-Identifier: MIT */
/* Lanes as people read them: "0-9,31". */
#ifndef SIMT_CORE_LANE_LIST_H
#define SIMT_CORE_LANE_LIST_H

#include <stddef.h>
#include <stdint.h>

#define LANE_LIST_BYTES 192 /* enough for any mask */

/* Writes the lanes of the mask, with a terminating zero; "" for none. Returns text. */
const char *lane_list(uint64_t mask, char text[LANE_LIST_BYTES]);

#endif
