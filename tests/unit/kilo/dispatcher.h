/* SPDX-License-Identifier: MIT */
/* Gives each core one thread block when a run begins, and waits until all have ended: what a thread-block scheduler is to cores. */
#ifndef KILO_DISPATCHER_H
#define KILO_DISPATCHER_H

#include "hd_block.h"

#define DISPATCHER_CORES 8u

/* Ports; elements are cores. */
enum { DISPATCHER_DISPATCH, DISPATCHER_EVENT };
/* Parameters: threads, the program's entry, private memory of a thread in bytes, cycles over which blocks begin. */
extern const hd_block_class scripted_dispatcher;

#endif
