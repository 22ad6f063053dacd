// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/metrics/counter_sets.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct CUpti_Profiler_Host_Object;

namespace dormer::instrument::cupti::host {

/// Chips the installed CUPTI knows. Needs neither GPU nor driver.
[[nodiscard]] std::vector<std::string> supportedChips();

/// A counter set as one chip can collect it.
struct CounterPlan {
    std::vector<std::string> names;     ///< canonical
    std::vector<std::string> chipNames; ///< names requested of CUPTI, same order
    std::vector<std::string> missing;   ///< canonical names this chip does not offer
    std::vector<std::uint8_t> configImage;
    int passes = 0;
};

/// Which of the set's counters a chip offers, and the passes they need: all in one request, since CUPTI
/// schedules them together far better than one by one. Works without a GPU; `availability` (from a live
/// context) may be empty.
[[nodiscard]] Result<CounterPlan> planCounters(const std::string& chip, const metrics::CounterSet& set,
                                               const std::vector<std::uint8_t>& availability = {});

/// Passes that PM sampling of these counters together would take on the chip, which can do one; 0 for what it
/// can't do at all. Needs no GPU.
[[nodiscard]] int samplingPasses(const std::string& chip, const std::vector<std::string>& chipNames);

/// Turns decoded counter data into numbers.
class HostMetrics {
public:
    /// What the counters are read for: chips offer others, and other combinations, to samples.
    enum class Use { Ranges, Sampling };
    HostMetrics(const std::string& chip, const std::vector<std::uint8_t>& availability,
                Use use = Use::Ranges);
    ~HostMetrics();
    HostMetrics(const HostMetrics&) = delete;
    HostMetrics& operator=(const HostMetrics&) = delete;

    [[nodiscard]] bool offers(const std::string& chipName) const;
    /// Config image for these counters. Throws CallError; the object is spoilt afterwards (CUPTI keeps the
    /// bad request).
    [[nodiscard]] std::vector<std::uint8_t> configImage(const std::vector<std::string>& chipNames);
    /// Values of one range; NaN where CUPTI has none.
    [[nodiscard]] std::vector<double> evaluate(const std::vector<std::uint8_t>& counterData,
                                               std::size_t range,
                                               const std::vector<std::string>& chipNames) const;

private:
    CUpti_Profiler_Host_Object* m_object = nullptr;
};

} // namespace dormer::instrument::cupti::host
