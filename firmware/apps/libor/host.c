/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

enum { MATURITIES = 128 };

/* A step at a time over the rates of one path, which are all here. */
static float reference(const float *volatilities, const float *today, const libor_args *args, uint32_t path)
{
    float rate[MATURITIES], value = 0, bond = 1, annuity = 0;
    memcpy(rate, today, args->maturities * sizeof *rate);
    uint32_t state = args->seed + 2 * path + 1;
    for (uint32_t step = 0; step < args->steps; step++) {
        float shock = LIBOR_INTERVAL_ROOT * libor_random(&state), drift = 0;
        for (uint32_t m = step + 1; m < args->maturities; m++) {
            float volatility = volatilities[m - step - 1], scaled = LIBOR_INTERVAL * volatility;
            drift += scaled * rate[m] / (1 + LIBOR_INTERVAL * rate[m]);
            rate[m] = rate[m] * libor_exponential(scaled * drift + volatility * (shock - 0.5f * scaled));
        }
    }
    for (uint32_t m = args->steps; m < args->maturities; m++) {
        bond = bond / (1 + LIBOR_INTERVAL * rate[m]);
        annuity += LIBOR_INTERVAL * bond;
        float swap = bond + LIBOR_STRIKE * annuity - 1;
        if ((m - args->steps + 1) % LIBOR_TENOR == 0 && swap < 0)
            value -= 100 * swap;
    }
    for (uint32_t m = 0; m < args->steps; m++)
        value = value / (1 + LIBOR_INTERVAL * rate[m]);
    return value;
}

int hd_app_main(void)
{
    uint32_t paths = host_option("paths", 512, 1, 1u << 18);
    uint32_t maturities = host_option("maturities", 16, 2, MATURITIES);
    uint32_t steps = host_option("steps", 6, 1, maturities - 1);
    uint32_t block = host_option("block", 64, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    float volatilities[MATURITIES], today[MATURITIES];
    float *rates = hd_host_alloc((size_t)paths * maturities * sizeof *rates);
    for (uint32_t m = 0; m < maturities; m++) {
        volatilities[m] = (float)(16 + host_random_below(&random, 32)) / 128;
        today[m] = (float)(8 + host_random_below(&random, 8)) / 256;
        for (uint32_t path = 0; path < paths; path++)
            rates[(size_t)m * paths + path] = today[m];
    }

    libor_args args = {.volatilities = host_upload(volatilities, maturities * sizeof(float)),
                       .rates = host_upload(rates, (size_t)paths * maturities * sizeof *rates),
                       .values = host_poisoned(paths * sizeof(float)),
                       .paths = paths,
                       .maturities = maturities,
                       .steps = steps,
                       .seed = host_random_below(&random, 1u << 30) * 2};
    host_launch("libor", host_blocks(paths, block), hd_1d(block), 0, &args, sizeof args);

    const float *values = host_download(args.values, paths * sizeof(float));
    for (uint32_t path = 0; path < paths; path++)
        host_check_float("values", path, values[path], reference(volatilities, today, &args, path));
    hd_report("paths", paths);
    return HD_PASS;
}
