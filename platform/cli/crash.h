/* SPDX-License-Identifier: MIT */
/* A crash of the process: one line that says whose code it was, and an exit code. */
#ifndef HD_CRASH_H
#define HD_CRASH_H

/* From now on: of a host program or a plug-in it ends the process with exit code 1; of Heddle itself it goes on as it would
 * have. No temporary file is left. */
void crash_catch(void);

/* The innermost plug-in among the callers, a path that is lent; NULL: none. */
const char *plug_in_among_callers(void);

#endif
