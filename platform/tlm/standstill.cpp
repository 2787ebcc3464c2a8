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

void standstill::add_beginner(const std::string &from, hd_time within)
{
    beginners.push_back({from, within});
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

// False: it is over, or the user interrupts.
bool standstill::hear(const std::function<bool(real_clock::time_point)> &is_over)
{
    const real_clock::time_point began = real_clock::now();
    while (!sc_core::sc_pending_activity_at_current_time()) {
        const real_clock::time_point now = real_clock::now();
        was_interrupted = was_interrupted || (ask && ask());
        if (was_interrupted || is_over(now))
            return false;
        pause(now - began);
    }
    return true;
}

// A model has called sc_stop, in this delta cycle.
static bool is_stopped()
{
    return sc_core::sc_get_curr_simcontext()->sim_status() == sc_core::SC_SIM_USER_STOP;
}

bool standstill::wait()
{
    if (hd_engine_fault(around.engine, nullptr, nullptr) || !must_stand())
        return false;
    return hear([this](real_clock::time_point now) { return report_overdue(now); });
}

// One who is silent is as good as another: the longest time is that of all.
bool standstill::wait_for_beginning(bool nothing_moves)
{
    const bool was_silent = are_silent;
    are_silent = false;
    if (beginners.empty() || !nothing_moves || hd_engine_fault(around.engine, nullptr, nullptr) || is_stopped())
        return false;
    hd_time within = 0;
    for (const beginner &each : beginners)
        within = std::max(within, each.within);
    const real_clock::time_point until = real_clock::now() + real_time(within);
    are_silent = was_silent || !hear([until](real_clock::time_point now) { return now >= until; });
    return !are_silent;
}

void standstill::describe_silent(const hd_text_sink &sink) const
{
    if (!are_silent)
        return;
    for (const beginner &each : beginners)
        sink.line(sink.context,
                  "%s, a model from elsewhere: is waited for while nothing else moves, and has begun nothing "
                  "(begins_within: %s)",
                  each.from.c_str(), describe_real_time(each.within).c_str());
}

} // namespace heddle
