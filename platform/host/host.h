/* SPDX-License-Identifier: MIT */
/*
 * (host_cpu, native): a host program that runs as a thread of this process, against heddle_rt.h.
 *
 * The thread and the simulator hand over to each other: only one of them runs at any time, and the program's calls
 * become packets on the block's bus. The program starts at time 0 after each reset and its thread is joined by the next
 * reset or by destroy, wherever it is then. Two blocks of one process share nothing.
 *
 * The functions below are for the platform, never for other blocks. They may be called whenever the simulator is not
 * inside advance.
 */
#ifndef HD_HOST_H
#define HD_HOST_H

#include <stdint.h>

#include "hd_block.h"
#include "hd_host.h"
#include "host_program.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const hd_block_class hd_host_native;

/* Takes effect at the next reset. The struct is copied, what it points to is borrowed until destroy. NULL: none. */
void hd_host_native_set_program(hd_block *block, const hd_host_program *program);

/* The program was interrupted while it computed, and may go on for as long as the process. */
uint32_t hd_host_native_is_abandoned(const hd_block *block);

/* HD_HOST_* */
uint32_t hd_host_native_status(const hd_block *block);
/* When the program ended; HD_NEVER if it has not. */
hd_time hd_host_native_ended(const hd_block *block);
/* One line that says why it failed; "" if there is nothing to say. Valid until the next reset, as all that follows. */
const char *hd_host_native_message(const hd_block *block);

/* From hd_report, in the order of their first use. */
const hd_host_report *hd_host_native_reports(const hd_block *block, uint32_t *count);

const hd_host_launch *hd_host_native_launches(const hd_block *block, uint32_t *count);

/* Device memory as the program has allocated it; NULL: there is no program. Valid until the next reset. */
struct runtime_heap;
const struct runtime_heap *hd_host_native_heap(const hd_block *block);

#ifdef __cplusplus
}
#endif

#endif
