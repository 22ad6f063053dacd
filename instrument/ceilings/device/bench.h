// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Micro-benchmarks of one device: each tries a few ways to do one kind of work and keeps the fastest whose
/// result was right. C++20, so that nvcc takes it.
namespace dormer::instrument::ceilings {

/// Where a kernel leaves the clocks at which it began and ended, on the multiprocessor of its first block.
struct ClockReading {
    std::int64_t cycles = 0;
    std::uint64_t nanoseconds = 0;
};

/// What one benchmark found.
struct Measurement {
    std::string resource; ///< "dram", "fp32", "tensor_fp16", "launches", ...
    double perSecond = 0; ///< median over the repetitions; 0 when `problem` says why there is none
    bool ofHost = false;  ///< the host sets the pace: perSecond is the median of the fastest quarter
    double spread = 0;    ///< (90th - 10th percentile) / median of the repetitions
    double clockHz = 0;   ///< SM clock seen during them, median; 0 where none was read
    std::string method;   ///< how it was measured, with the configuration that won
    std::string problem;
};

/// One way to do the work. `launch` does it `rounds` times in one go, in stream 0.
struct Candidate {
    std::string name;        ///< "8 chains, 256 threads x 8"
    double workPerRound = 0; ///< bytes or operations
    std::function<void(int rounds, ClockReading* reading)> launch;
    /// After a launch of so many rounds: whether its result is right. Reads back what it needs.
    std::function<bool(int rounds)> check;
    int fixedRounds = 0;           ///< 0: as many as fill the time of one repetition
    int roundsMultiple = 1;        ///< rounds are a multiple of it
    std::function<void()> prepare; ///< once before it is tried, and again before the repetitions that count
    /// Around a launch whose time is to begin when all of it is queued: `hold` keeps the stream, ahead of
    /// the first time stamp; `release` lets it go, behind the last.
    std::function<void()> hold, release;
};

/// The device under test, and how long everything may take.
class Bench {
public:
    /// Makes the device current, allocates the reading, and warms the chip up until its clock stands.
    Bench(int device, double seconds);
    ~Bench();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    /// Times each candidate, then the best one again for `holdSeconds`, after keeping it up for
    /// `settleSeconds`: what meets the power limit takes a while to find its clock. A candidate whose check
    /// fails is out. With the time used up, or no candidate left, the measurement has a problem instead of a
    /// rate.
    Measurement fastest(std::string resource, const std::string& method,
                        const std::vector<Candidate>& candidates, double holdSeconds = 0.2,
                        double settleSeconds = 0);
    /// The same where the host sets the pace. Whatever else runs there only makes it slower, so the figure is
    /// the median of the fastest quarter of the repetitions; the spread is that of all of them.
    Measurement fastestOfHost(std::string resource, const std::string& method,
                              const std::vector<Candidate>& candidates, double holdSeconds);

    [[nodiscard]] int device() const { return m_device; }
    [[nodiscard]] int smCount() const { return m_smCount; }
    [[nodiscard]] int l2Bytes() const { return m_l2Bytes; }
    [[nodiscard]] int capability() const { return m_capability; } ///< 90 for 9.0
    [[nodiscard]] std::size_t freeBytes() const;
    [[nodiscard]] bool timeLeft() const { return std::chrono::steady_clock::now() < m_deadline; }

private:
    struct Repetition {
        double seconds = 0;
        double clockHz = 0;
    };
    struct Best {
        const Candidate* candidate = nullptr;
        int rounds = 0;
    };
    Repetition once(const Candidate& candidate, int rounds);
    std::vector<Repetition> repeat(const Candidate& candidate, int rounds, int times, double seconds = 0);
    int roundsFor(const Candidate& candidate);
    /// `share`: the quantile of the rates that candidates are compared by. `problem`: of the last that
    /// failed.
    Best bestOf(const std::vector<Candidate>& candidates, int tries, double share, std::string& problem);
    Measurement measure(std::string resource, const std::string& method,
                        const std::vector<Candidate>& candidates, double holdSeconds, double settleSeconds,
                        bool ofHost);

    int m_device, m_smCount = 0, m_l2Bytes = 0, m_capability = 0;
    std::chrono::steady_clock::time_point m_deadline;
    ClockReading* m_reading = nullptr; ///< on the device
    void* m_events[2] = {};
};

// Each adds its measurements, in the order that people read them.
void measureDram(Bench& bench, std::vector<Measurement>& found);
void measureCaches(Bench& bench, std::vector<Measurement>& found);
void measureArithmetic(Bench& bench, std::vector<Measurement>& found);
/// `generic`: mma.sync on every chip. Otherwise wgmma where the chip has it.
void measureTensor(Bench& bench, bool generic, std::vector<Measurement>& found);
void measureAtomics(Bench& bench, std::vector<Measurement>& found);
void measureLatencies(Bench& bench, std::vector<Measurement>& found);
void measureTransfers(Bench& bench, std::vector<Measurement>& found);
// What the host limits: launches one by one, copies of pageable memory and small ones.
void measureHostLaunches(Bench& bench, std::vector<Measurement>& found);
void measureHostCopies(Bench& bench, std::vector<Measurement>& found);
/// Per resource the faster of two visits; of equal order.
void keepFaster(std::vector<Measurement>& best, const std::vector<Measurement>& visit);

/// Tensor cores at full rate take more power than the chip may have, so that the clock falls until it does.
inline constexpr double kSettleSeconds = 0.4, kHoldSeconds = 0.4;

/// Tensor work by warpgroup instructions (compute capability 9.0 only), and by those of one warp.
void measureWarpgroupTensor(Bench& bench, std::vector<Measurement>& found);
void measureWarpTensor(Bench& bench, std::vector<Measurement>& found);

} // namespace dormer::instrument::ceilings
