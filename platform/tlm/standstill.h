// SPDX-License-Identifier: MIT
// Models that have threads of their own answer, and begin something, when these are ready, in real time. Simulated time stands still for an
// answer, so that results do not depend on how long it takes, and for a beginning when nothing else moves, so that the run is not over.
#ifndef HD_TLM_STANDSTILL_H
#define HD_TLM_STANDSTILL_H

#include <functional>
#include <string>
#include <vector>

#include "ends.h"

namespace heddle
{

class standstill
{
  public:
    // is_interrupted may be empty.
    standstill(surroundings &around, std::function<bool()> is_interrupted);
    // The end behind which such a model is.
    void add(const port_end &end, const std::string &from, const std::string &to);
    // The name of a model's socket or line at which it begins something by itself; the real time is from when nothing else moves.
    void add_beginner(const std::string &from, hd_time within);
    // True when a model that is waited for has told SystemC that there is something to do now. False if none is waited for, and when
    // an answer is overdue, which is a fault, or the user interrupts.
    bool wait();
    // Likewise for models that begin something. Once they have been silent for too long they are not waited for again until
    // something has moved.
    bool wait_for_beginning(bool nothing_moves);
    bool is_silent() const
    {
        return are_silent;
    }
    // A line for each model that has begun nothing, if they have been waited for in vain.
    void describe_silent(const hd_text_sink &sink) const;
    bool is_interrupted() const
    {
        return was_interrupted;
    }

  private:
    struct awaited {
        const port_end *end;
        std::string from, to;
    };
    surroundings &around;
    const std::function<bool()> ask;
    struct beginner {
        std::string from;
        hd_time within;
    };
    std::vector<awaited> models;
    std::vector<beginner> beginners;
    bool was_interrupted = false, are_silent = false;

    bool must_stand() const;
    bool report_overdue(real_clock::time_point now) const;
    bool hear(const std::function<bool(real_clock::time_point)> &is_over);
};

} // namespace heddle

#endif
