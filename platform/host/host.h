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

#define HD_HOST_PROGRAMS_MAX 4u

/* "heddle.host_programs/1", offered to the block: a uint32_t, how many programs it will have. Not offered: one at most. */
#define HD_EXTENSION_HOST_PROGRAMS "heddle.host_programs/1"

/* Takes effect at the next reset. The structs are copied, what they point to is borrowed until destroy. Several share the device:
 * each has queues and memory of its own, and their kernels lie in different places. */
void hd_host_native_set_programs(hd_block *block, const hd_host_program *programs, uint32_t count);
/* The same for one; NULL: none. */
void hd_host_native_set_program(hd_block *block, const hd_host_program *program);

/* One of several, as the functions below for all of them. */
typedef struct hd_host_standing {
    uint32_t status;
    uint32_t report_count;
    hd_time ended;
    const char *message;
    const hd_host_report *reports;
} hd_host_standing;
hd_host_standing hd_host_native_standing(const hd_block *block, uint32_t program);
/* Whose queue of the device it is; UINT32_MAX: nobody's. */
uint32_t hd_host_native_owner(const hd_block *block, uint32_t queue);

/* From now on it is noted what programs are told, so that the block can be saved (hd_state.h). Before a reset. */
void hd_host_native_keep_record(hd_block *block);

/* A program was interrupted while it computed, and may go on for as long as the process. */
uint32_t hd_host_native_is_abandoned(const hd_block *block);

/* HD_HOST_*: ERROR as soon as one has that, else RUNNING until all have ended, PASS if all pass. */
uint32_t hd_host_native_status(const hd_block *block);
/* When the last program ended; HD_NEVER if it has not. */
hd_time hd_host_native_ended(const hd_block *block);
/* One line that says why it failed, of the first that did; "" if there is nothing to say. Valid until the next reset, as all that follows. */
const char *hd_host_native_message(const hd_block *block);

/* From hd_report, in the order of their first use; of the first program. */
const hd_host_report *hd_host_native_reports(const hd_block *block, uint32_t *count);

const hd_host_launch *hd_host_native_launches(const hd_block *block, uint32_t *count);

/* Device memory as the program has allocated it; NULL: there is no program. Valid until the next reset. */
struct runtime_heap;
const struct runtime_heap *hd_host_native_heap(const hd_block *block);

#ifdef __cplusplus
}
#endif

#endif
