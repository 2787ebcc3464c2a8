/* SPDX-License-Identifier: MIT */
/* What the figures were measured with. */
#ifndef BENCH_HOST_DESCRIPTION_H
#define BENCH_HOST_DESCRIPTION_H

#if defined(__clang__)
#define HOST_COMPILER "clang " __clang_version__
#else
#define HOST_COMPILER "gcc " __VERSION__
#endif

/* "unknown" if the host does not say. */
const char *host_processor(void);

#endif
