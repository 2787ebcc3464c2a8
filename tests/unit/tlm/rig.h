/* SPDX-License-Identifier: MIT */
/* A netlist text, the example blocks of the test kit and foreign models, as a machine in SystemC. */
#ifndef TLM_RIG_H
#define TLM_RIG_H

#include "foreign.h"
#include "tlm_machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rig {
    netlist *list;
    hd_tlm_machine *machine;
    hd_engine *engine;
    foreign_models *models; /* NULL: none */
} rig;

/* blocks and links in YAML, below a clock "clk" of 1 GHz. options.context and the foreign functions are the rig's. */
void rig_open(rig *rig, const char *text, foreign_models *models, hd_tlm_options options);
void rig_close(rig *rig);
/* Until nothing is left to do, in stretches of `stretch` ps. Returns the fault's text or NULL. */
const char *rig_run(rig *rig, hd_time stretch);
uint64_t rig_count(const rig *rig, const char *block, const char *statistic);

#ifdef __cplusplus
}
#endif

#endif
