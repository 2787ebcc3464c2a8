/* SPDX-License-Identifier: MIT */
#include "live.h"

#define SMALL LIVE_MACHINES "/plain.yaml"
#define LIVE LIVE_APPS "/live"
#define DEADLOCK SYSTEM_APPS "/deadlock"
#define SPINNING LIVE_APPS "/spinning"
#define USED_BY(policy, ...)                                                                                           \
    {                                                                                                                  \
        "used_by_" policy, SMALL, LIVE,                                                                                \
        {                                                                                                              \
            "app.kernel=stream", "app.grid=24", "app.block=128", "app.queues=4", "app.other=shared", "app.launches=3", \
                "launch_align=false", "core.memory.queue=1", "core.context.levels=blocks",                             \
                "tb_scheduler.policy=" policy, "tb_scheduler.policy." policy ".period_factor=1",                       \
                "tb_scheduler.policy." policy ".period_minimum=50 cycles",                                             \
                "tb_scheduler.policy." policy ".period_rate=1000 B", __VA_ARGS__                                       \
        }                                                                                                              \
    }
/* Only aborts count. */
#define ABORTS_USED_BY(policy, engine)                                                                                 \
    {                                                                                                                  \
        "aborts_used_by_" policy, LIVE_MACHINES "/transactions.yaml", LIVE_APPS "/transactional",                      \
        {                                                                                                              \
            "core.context.levels=blocks", engine, "tb_scheduler.policy=" policy,                                       \
                "tb_scheduler.policy." policy ".period_factor=1", "tb_scheduler.policy." policy ".memory_steps=0",     \
                "tb_scheduler.policy." policy ".float_steps=0", "tb_scheduler.policy." policy ".demand_steps=1",       \
                "tb_scheduler.policy." policy ".limit=10000",                                                          \
                "tb_scheduler.policy." policy ".period_minimum=200 cycles",                                            \
                "tb_scheduler.policy." policy ".period_rate=1000 B", NULL                                              \
        }                                                                                                              \
    }
#define DEVICES LIVE_APPS "/devices"
#define FIRMWARE LIVE_MACHINES "/firmware.yaml"
#define DMA SYSTEM_MACHINES "/dma.yaml"
#define COPIES SYSTEM_APPS "/copies"
#define VECTOR HEDDLE_MACHINES "/../vector/vector_core.yaml"
#define BIG_LITTLE HEDDLE_MACHINES "/../vector/vector_big_little.yaml"
#define VECTOR_PROGRAM(name) "dram.latency=20 cycles", "os.program=" VECTOR_PROGRAMS "/" name ".elf"
#define TILES HEDDLE_MACHINES "/../tiles/tile_2x4.yaml"
#define TILE_PRODUCT "app.pes=8", "app.n=1024", "app.chunk=32"
#define DIVERGENCE SYSTEM_APPS "/divergence"
#define TRANSACTIONAL LIVE_MACHINES "/transactions.yaml", LIVE_APPS "/transactional"
#define KILO_TM LIVE_MACHINES "/kilo_transactions.yaml"
#define EAPG LIVE_MACHINES "/eapg.yaml"
#define WARPTM_EL LIVE_MACHINES "/warptm_el.yaml"
#define KILO LIVE_MACHINES "/kilo.yaml"
#define LOCAL LIVE_MACHINES "/local.yaml", LIVE_APPS "/local"
#define FUNCTIONAL SYSTEM_MACHINES "/functional.yaml"

/* Small inputs, each with much of something. */
const live_run live_runs[] = {
#include "runs/units_of_cores.def"
#include "runs/blocks_in_turns.def"
#include "runs/caches_and_networks.def"
#include "runs/transactions.def"
#include "runs/other_work.def"
    {NULL, NULL, NULL, {NULL}},
};
