/* SPDX-License-Identifier: MIT */
#include "ratio.h"

#include <math.h>

#include "sample.h"

ratio_estimate ratio_of(const ratio_window *windows, uint32_t count, double share)
{
    double x = 0, y = 0, squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        x += windows[i].x;
        y += windows[i].y;
    }
    ratio_estimate found = {.ratio = x > 0 ? y / x : 0, .half_width = -1, .windows = count};
    if (count < 2 || x <= 0)
        return found;
    for (uint32_t i = 0; i < count; i++) {
        const double distance = windows[i].y - found.ratio * windows[i].x;
        squares += distance * distance;
    }
    const double mean_x = x / count, unseen = share < 1 ? 1 - share : 0;
    const double error = sqrt(unseen * squares / (count - 1) / count) / mean_x;
    found.half_width = student_quantile(1 - SAMPLE_CONFIDENCE, count - 1) * error;
    return found;
}
