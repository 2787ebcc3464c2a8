// SPDX-License-Identifier: MIT
// Through which threads reach SystemC. What they put in comes out in a process.
#ifndef DOOR_H
#define DOOR_H

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <systemc>

class door : public sc_core::sc_prim_channel
{
  public:
    sc_core::sc_event opened;

    explicit door(bool suspends);
    ~door() override;
    // By any thread.
    void put(std::uint64_t tag);
    void fail(const std::string &why);
    // By a process; false: there is nothing more.
    bool take(std::uint64_t &tag);
    std::string failure();

  private:
    std::mutex lock;
    std::deque<std::uint64_t> answered;
    std::string failed;
    const bool suspends;

    void update() override;
};

#endif
