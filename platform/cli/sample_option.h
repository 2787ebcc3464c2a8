/* SPDX-License-Identifier: MIT */
/* The sizes of a sampled run, as --sample names them: "period=1000000,window=20000,warmup=4000", or "standard". */
#ifndef SAMPLE_OPTION_H
#define SAMPLE_OPTION_H

#include "sampling_results.h"

#define SAMPLE_OPTION_HELP                                                                                             \
    "  --sample SIZES    simulate windows of a systematic sample, execute the rest without timing,\n"                 \
    "                    and estimate the cycles (docs/sampling.md): 'standard', or some of\n"                         \
    "                    period=N,window=N,offset=N (warp instructions),warmup=N,start=N (cycles)\n"

/* Returns HD_EXIT_PASS, or what hd_usage_error has returned. */
int sample_option_read(const char *text, hd_sampling_setup *setup);

#endif
