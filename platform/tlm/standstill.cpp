// SPDX-License-Identifier: MIT
#include "standstill.h"

#include <algorithm>
#include <thread>

namespace heddle
{

standstill::standstill(surroundings &around, std::function<bool()> is_interrupted)
    : around(around), ask(std::move(is_interrupted))
{
}

void standstill::add(const port_end &end, const std::string &from, const std::string &to)
{
    models.push_back({&end, from, to});
}

bool standstill::must_stand() const
{
    return std::any_of(models.begin(), models.end(), [](const awaited &each) { return each.end->holds_time(); });
}

bool standstill::report_overdue(real_clock::time_point now) const
{
    for (const awaited &each : models) {
        const std::string late = each.end->describe_overdue(now, each.from.c_str());
        if (late.empty())
            continue;
        around.fault(each.to.c_str(), late.c_str());
        return true;
    }
    return false;
}

// SystemC can be asked whether a thread has requested an update, and can be waited for only without bound (async_attach_suspending). It is
// asked often at first, and never later than an eighth of what the thread has taken.
static void pause(real_clock::duration waited)
{
    static constexpr std::chrono::microseconds busy(50);
    static constexpr std::chrono::milliseconds longest(10);
    if (waited < busy)
        std::this_thread::yield();
    else
        std::this_thread::sleep_for(std::min<real_clock::duration>(waited / 8, longest));
}

bool standstill::wait()
{
    if (hd_engine_fault(around.engine, nullptr, nullptr) || !must_stand())
        return false;
    const real_clock::time_point began = real_clock::now();
    while (!sc_core::sc_pending_activity_at_current_time()) {
        const real_clock::time_point now = real_clock::now();
        was_interrupted = was_interrupted || (ask && ask());
        if (was_interrupted || report_overdue(now))
            return false;
        pause(now - began);
    }
    return true;
}

} // namespace heddle
