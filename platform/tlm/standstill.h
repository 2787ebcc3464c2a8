// SPDX-License-Identifier: MIT
// Models that have threads of their own answer when these are ready, in real time. Simulated time stands still meanwhile, so that results do
// not depend on how long that is.
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
    // True when a model that is waited for has told SystemC that there is something to do now. False if none is waited for, and when
    // an answer is overdue, which is a fault, or the user interrupts.
    bool wait();
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
    std::vector<awaited> models;
    bool was_interrupted = false;

    bool must_stand() const;
    bool report_overdue(real_clock::time_point now) const;
};

} // namespace heddle

#endif
