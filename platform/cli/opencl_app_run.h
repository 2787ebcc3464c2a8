/* SPDX-License-Identifier: MIT */
/* `heddle run` of an app that is an OpenCL program. */
#ifndef HD_OPENCL_APP_RUN_H
#define HD_OPENCL_APP_RUN_H

#include "run_setup.h"

int opencl_app_is_asked_for(const run_setup *setup);
/* Runs and judges it. Returns the exit code. */
int opencl_app_run(const run_setup *setup);

#endif
