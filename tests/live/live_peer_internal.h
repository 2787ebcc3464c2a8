/* SPDX-License-Identifier: MIT */
/* What peers of live machines share, whatever they speak. */
#ifndef LIVE_PEER_INTERNAL_H
#define LIVE_PEER_INTERNAL_H

#include "heddle_remote.h"
#include "live_peer.h"

#define LIVE_PEER_TIMEOUT_MS 2000
#define LIVE_TIMER_COMPARE UINT64_C(0x18060004000)

/* A thread, whose context is the peer. */
void *live_qemu_visit(void *context);

#endif
