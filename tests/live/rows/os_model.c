/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_os_model, "os_model/threads",
    {"program", VECTOR_PROGRAMS "/v_sssp.elf | " VECTOR_PROGRAMS "/v_spmv.elf", "vector", "os_model.loaded_bytes differs"},
    {"program", VECTOR_PROGRAMS "/v_sssp.elf | " VECTOR_PROGRAMS "/nowhere.elf", "vector", "refused: cannot be read"},
    {"arguments", "20 | 60", "vector", "vec_core.instructions grows"},
    {"arguments", "20 | many", "vector", "refused: up to 6 numbers"},
    {"threads", "1 | 3", "vector", "os_model.threads_ended grows; os_model.unplaced_cycles grows"},
    {"memory", "64 MiB | 1 MiB", "vector", "refused: outside of the memory of a thread"},
    {"policy", "stay | random", "vector_moves", "os_model.moves grows"},
    {"period", "20000 cycles | 1000 cycles", "vector_moves", "os_model.requests grows"},
    {"moves", "1 | 3", "vector_moves", "os_model.moves grows"},
    {"illegal", "false | true", "vector_moves; os.threads=1; os.arguments=1000 1 20; os.period=100 cycles; os.program=" VECTOR_PROGRAMS "/v_strlen.elf", "fails: thread 0"},
    {"power.pinned", "refuse | defer", "vector_power", "fails: thread 0 ended with 1"});
