/* SPDX-License-Identifier: MIT */
#include "live.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define LIVE LIVE_APPS "/live"

/* Small inputs, each with much of something. */
const live_run live_runs[] = {
    {"everything", SMALL, LIVE, {NULL}},
    {"integer", SMALL, LIVE, {"app.kernel=integer", NULL}},
    {"floating", SMALL, LIVE, {"app.kernel=floating", NULL}},
    {"divergent", SMALL, LIVE, {"app.kernel=divergent", NULL}},
    {"stream", SMALL, LIVE, {"app.kernel=stream", "app.grid=4", NULL}},
    {"strided", SMALL, LIVE, {"app.kernel=stream", "app.grid=4", "app.stride=128", NULL}},
    {"order", SMALL, LIVE, {"app.kernel=order", "app.grid=4", NULL}},
    {"atomic", SMALL, LIVE, {"app.kernel=atomic", "app.grid=4", NULL}},
    {"spill", SMALL, LIVE, {"app.kernel=spill", "app.grid=4", NULL}},
    {"shared", SMALL, LIVE, {"app.kernel=shared", "app.grid=4", NULL}},
    {"memory",
     SMALL,
     LIVE,
     {"app.kernel=stream", "app.grid=4", "app.block=64", "app.stride=384", "l2.bytes=2 KiB", "core.l1.bytes=768 B",
      NULL}},
    {"crowd", SMALL, LIVE, {"app.kernel=stream", "app.grid=24", "app.block=128", NULL}},
    {"wide", HEDDLE_MACHINES "/gtx480.yaml", LIVE, {"app.kernel=nothing", "app.block=32", NULL}},
    {"queues", SMALL, LIVE, {"app.kernel=shared", "app.queues=6", "app.launches=3", "app.rounds=1", NULL}},
    {"probed", LIVE_MACHINES "/probed.yaml", LIVE, {"app.kernel=nothing", NULL}},
    {"starved", LIVE_MACHINES "/starved.yaml", LIVE, {"app.grid=6", "app.stride=128", NULL}},
    {"fragments",
     SMALL,
     LIVE,
     {"app.kernel=shared", "app.queues=2", "app.launches=2", "app.grid=5", "app.scratchpad=3072",
      "app.other_scratchpad=7168", NULL}},
    {"replies",
     SMALL,
     LIVE,
     {"app.kernel=stream", "app.grid=4", "app.stride=128", "l2.reply_queue=1", "reply_network.flit_bytes=1 B", NULL}},
    {"dispatches",
     LIVE_MACHINES "/starved.yaml",
     LIVE,
     {"app.kernel=nothing", "app.grid=12", "app.block=32", "tb_scheduler.context_slots=1024", NULL}},
    {NULL, NULL, NULL, {NULL}},
};
