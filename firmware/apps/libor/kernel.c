/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* The rates that are not yet fixed at this step drift and are shocked; `stride` words lie between two rates of a path. */
SIMT_INLINE void step_rates(float *rate, uint32_t stride, const float *volatility, uint32_t count, float shock)
{
    float drift = 0;
#pragma GCC unroll 1
    for (uint32_t i = 0; i < count; i++) {
        float scaled = LIBOR_INTERVAL * volatility[i];
        drift += scaled * *rate / (1 + LIBOR_INTERVAL * *rate);
        *rate *= libor_exponential(scaled * drift + volatility[i] * (shock - 0.5f * scaled));
        rate += stride;
    }
}

/* Of the swaptions on the rates that are left. */
SIMT_INLINE float portfolio_value(const float *rate, uint32_t stride, uint32_t count)
{
    float bond = 1, annuity = 0, value = 0;
#pragma GCC unroll 1
    for (uint32_t i = 0; i < count; i++) {
        bond = bond / (1 + LIBOR_INTERVAL * *rate);
        annuity += LIBOR_INTERVAL * bond;
        float swap = bond + LIBOR_STRIKE * annuity - 1;
        if (i % LIBOR_TENOR == LIBOR_TENOR - 1 && swap < 0)
            value += -100 * swap;
        rate += stride;
    }
    return value;
}

SIMT_KERNEL(libor, const libor_args *args)
{
    uint32_t path = simt_global_index(), paths = args->paths, steps = args->steps;
    if (path >= paths)
        return;
    const float *volatilities = HD_POINTER(const float, args->volatilities);
    float *rates = HD_POINTER(float, args->rates) + path;
    uint32_t state = args->seed + path * 2 + 1;
#pragma GCC unroll 1
    for (uint32_t step = 0; step < steps; step++)
        step_rates(rates + (step + 1) * paths, paths, volatilities, args->maturities - step - 1,
                   LIBOR_INTERVAL_ROOT * libor_random(&state));
    float value = portfolio_value(rates + steps * paths, paths, args->maturities - steps);
#pragma GCC unroll 1
    for (uint32_t step = 0; step < steps; step++)
        value = value / (1 + LIBOR_INTERVAL * rates[step * paths]);
    HD_POINTER(float, args->values)[path] = value;
}
