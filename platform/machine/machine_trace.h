/* SPDX-License-Identifier: MIT */
/* A machine and a recorder of traces (recorder.h): whoever runs the machine, they are tied together in the same way. */
#ifndef HD_MACHINE_TRACE_H
#define HD_MACHINE_TRACE_H

#include "machine.h"
#include "recorder.h"
#include "series.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "configs/machines/gtx480.yaml": gtx480. To be freed. */
char *hd_machine_trace_name(const char *netlist);

/* Before the machine is opened: what setup and series, which is that of setup if it has one, tell goes to the recorder. NULL: the
 * options name no file. The caller's, to be destroyed after the machine. */
hd_recorder *hd_machine_trace_prepare(const hd_recorder_options *options, hd_machine_setup *setup,
                                      hd_series_setup *series);
/* After it was opened: returns a pattern that names nothing in it, and *what: "unit", "event" or "kernel"; or NULL. recorder may be NULL. */
const char *hd_machine_trace_begin(hd_recorder *recorder, const hd_machine_setup *setup, const hd_machine *machine,
                                   const char **what);

#ifdef __cplusplus
}
#endif

#endif
