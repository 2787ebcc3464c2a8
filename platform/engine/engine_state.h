/* SPDX-License-Identifier: MIT */
/*
 * The state of a whole engine as bytes (hd_state.h). They hold everything that what follows depends on, and are those of one build.
 * Nothing is on its way to the outside: an engine with wires cannot be saved.
 */
#ifndef HD_ENGINE_STATE_H
#define HD_ENGINE_STATE_H

#include "engine.h"
#include "state_bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What of the engine cannot be saved, one line for each class of blocks; returns how many. From elaborate on. */
uint32_t hd_engine_state_refused(const hd_engine *engine, const hd_text_sink *sink);

/* When all blocks stand at one time (hd_engine_settle) and there is no fault. */
void hd_engine_save(hd_engine *engine, state_bytes *bytes);
/*
 * After a reset, of an engine whose blocks have the same names, classes, clocks and shapes; parameters, latencies and seeds may
 * differ. Returns the number of errors, each is one line: then nothing has been changed.
 */
uint32_t hd_engine_restore(hd_engine *engine, state_bytes *bytes, const hd_text_sink *errors);

/* For tests: destroys a block that has the ability, when all blocks stand at one time, and puts a new one in its state in its place.
 * Results must not change. Returns how many bytes the state has. only_saves: and the block stays. */
size_t hd_engine_renew(hd_engine *engine, uint32_t block, uint32_t only_saves);

#ifdef __cplusplus
}
#endif

#endif
