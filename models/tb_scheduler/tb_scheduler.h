/* SPDX-License-Identifier: MIT */
#ifndef TB_SCHEDULER_H
#define TB_SCHEDULER_H

#include "hd_block.h"

/* (tb_scheduler, round_robin): hands the blocks of grids to the cores in turn, x fastest, where they fit. */
extern const hd_block_class hd_tb_scheduler_round_robin;

#endif
