/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_PROCESSOR_H
#define COMMAND_PROCESSOR_H

#include "hd_block.h"

/* (command_processor, queues): the host's way into the device: memory, registers and launch queues (hd_queue.h). */
extern const hd_block_class hd_command_processor_queues;

#endif
