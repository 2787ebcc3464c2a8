/* SPDX-License-Identifier: MIT */
/*
 * A reconvergence unit that regroups lanes, in the place of the core's own: paths of lanes of any warps of a block, each at the
 * place that it has in its warp. Lanes that part never wait for each other. `mix` says how they are grouped:
 *   swap     the odd lanes of each two warps are exchanged when their block starts,
 *   shuffle  they are dealt out when a block starts and at each control transfer, where they may join what stands at the same pc.
 */
#ifndef TEST_REGROUPER_H
#define TEST_REGROUPER_H

#include <stdint.h>

/* Paths with lanes of several warps that there have been in this process; and paths whose lanes came from several. */
extern uint64_t regrouper_mixed, regrouper_merged;

#endif
