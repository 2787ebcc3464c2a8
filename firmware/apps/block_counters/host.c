/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/scratchpad_forms.h"

static const char *const kernels[] = {[FORM_TM] = "block_counters_tm",
                                      [FORM_LOCKS] = "block_counters_locks",
                                      [FORM_SERIAL] = "block_counters_serial",
                                      [FORM_ATOMICS] = "block_counters_atomics"};

int hd_app_main(void)
{
    const uint32_t form = scratchpad_form(hd_option_text("sync", "locks"), 1);
    const uint32_t counters = host_option("counters", 512, 1, COUNTERS_MAX);
    const uint32_t updates = host_option("updates", 1024, 1, 1u << 20);
    const form_shape shape = {.grid = host_option("grid", 1, 1, 4096), .block = host_option("block", 256, 1, 256)};
    uint64_t random = hd_option("seed", 1);
    const size_t bytes = (size_t)shape.grid * updates * 4, result_bytes = (size_t)shape.grid * counters * 4;
    uint32_t *indices = hd_host_alloc(bytes), *values = hd_host_alloc(bytes), *sums = hd_host_alloc(result_bytes);
    memset(sums, 0, result_bytes);
    for (uint32_t i = 0; i < shape.grid * updates; i++) {
        indices[i] = host_random_below(&random, counters);
        values[i] = host_random_below(&random, 1000);
        sums[i / updates * counters + indices[i]] += values[i];
    }
    const block_counters_args args = {.indices = host_upload(indices, bytes),
                                      .values = host_upload(values, bytes),
                                      .results = host_poisoned(result_bytes),
                                      .counters = counters,
                                      .updates = updates};
    host_launch(kernels[form], hd_1d(shape.grid), hd_1d(shape.block), (form == FORM_LOCKS ? 2 : 1) * counters * 4,
                &args, sizeof args);
    const uint32_t *results = host_download(args.results, result_bytes);
    for (uint32_t i = 0; i < shape.grid * counters; i++)
        host_check_word("counter", i, results[i], sums[i]);
    return HD_PASS;
}
