// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/session/launch_scope.h"
#include "analysis/view/number_scale.h"
#include "analysis/view/table.h"

#include <array>
#include <span>

namespace dormer::view {

/// Columns of the kernel table in the order of every surface.
enum class KernelColumn {
    Verdict,
    Name,
    Calls, ///< number of the launch where each has a row
    Time,
    Share,
    Dram,
    L2Hit,
    Sectors,
    Conflicts,
    Occupancy,
    Savings
};
inline constexpr std::size_t kKernelColumns = 11;
[[nodiscard]] constexpr std::size_t raw(KernelColumn column) {
    return static_cast<std::size_t>(column);
}

/// The words of a column, without the unit of times and without its widest text.
[[nodiscard]] const Column& kernelColumn(KernelColumn column);

/// Which columns to show where all of them are wider than `available`: the least telling go first, and those
/// a reader can't do without stay even if they don't fit. `widths` by KernelColumn, each with its gap; that
/// of the names is the least they can do with.
[[nodiscard]] std::array<bool, kKernelColumns> kernelColumnsWithin(std::span<const int> widths,
                                                                   int available);

/// Sectors per request of a launch's global loads or stores, whichever are farther from their ideal.
struct SectorsPerRequest {
    double actual = 0;
    std::optional<double> ideal;
    bool ofStores = false;
};
[[nodiscard]] std::optional<SectorsPerRequest> sectorsPerRequest(const metrics::MetricEvaluator& metrics,
                                                                 session::LaunchIndex launch);

/// One row per group of equal launches, or per launch; the others tell the launches of a group apart by what
/// they ran in, too.
enum class Grouping { ByKernel, AllLaunches, ByProcess, ByNvtx, ByStream };

/// The launches of a session as rows, one per group of equal launches or one per launch. Rows only ever
/// append, in launch order. Nothing is computed for cells nobody asks for; numbers are kept, texts are not.
/// Not for several threads at once. The diagnosis must outlive it.
class KernelTable {
public:
    explicit KernelTable(const diagnosis::Diagnosis& diagnosis, Grouping grouping = Grouping::ByKernel);

    /// Takes in what was launched or timed since; linear in launches.
    void update();
    /// Forgets the numbers of a row whose launches changed.
    void forget(std::size_t row) { m_numbers[row] = {}; }
    /// Forgets all numbers: ceilings may have moved.
    void forgetAll() { m_numbers.assign(m_numbers.size(), {}); }

    [[nodiscard]] Grouping grouping() const { return m_grouping; }
    [[nodiscard]] std::size_t rows() const { return m_numbers.size(); }
    /// Absent while the launch has no row.
    [[nodiscard]] std::optional<std::size_t> rowOf(session::LaunchIndex launch) const;
    /// The launch a row stands for: itself, or its group's counted launch of median duration.
    [[nodiscard]] session::LaunchIndex launchAt(std::size_t row) const;
    /// Of all launches of the row; absent where none was timed: one that failed, or that a filter passed
    /// over.
    [[nodiscard]] std::optional<double> timeNs(std::size_t row) const;
    /// Of all rows.
    [[nodiscard]] double totalNs() const { return m_totalNs; }
    /// "grid 1056, block 256" where another group has the same label, else empty; where that is the same,
    /// too, what is not: "<int2>", "(float*)", "4096 B dynamic shared memory", "device 1".
    [[nodiscard]] std::string qualifierOf(std::size_t row) const;

    /// Times are in the unit that suits the longest row.
    [[nodiscard]] Column column(KernelColumn column) const;
    /// The sort key in SI units; absent where it is not known, and for names.
    [[nodiscard]] std::optional<double> value(std::size_t row, KernelColumn column) const;
    [[nodiscard]] Cell cell(std::size_t row, KernelColumn column) const;

private:
    /// Numbers of a row that take some work, by column from Dram on; NaN = absent.
    struct Numbers {
        unsigned known = 0; ///< a bit per number
        std::array<double, kKernelColumns - raw(KernelColumn::Dram)> values{};
    };

    /// Launches of a group that ran in the same.
    struct Part {
        std::size_t group = 0;
        std::string scope{};
        std::vector<session::LaunchIndex> launches{};
        session::LaunchIndex representative{};
        std::size_t calls = 0;
        double totalNs = 0;
    };
    [[nodiscard]] const metrics::LaunchGroup& group(std::size_t row) const;
    [[nodiscard]] bool isParted() const { return m_grouping > Grouping::AllLaunches; }
    [[nodiscard]] session::Scope scope() const;
    void divide();
    [[nodiscard]] std::optional<double> compute(std::size_t row, KernelColumn column) const;
    [[nodiscard]] std::optional<double> savingsNs(std::size_t row) const;
    [[nodiscard]] std::string nameOf(std::size_t row) const;
    [[nodiscard]] std::string timeText(double ns) const;

    const diagnosis::Diagnosis& m_diagnosis;
    Grouping m_grouping;
    double m_totalNs = 0, m_longestNs = 0;
    std::size_t m_mostCalls = 0;
    NumberScale m_time;
    std::vector<std::string> m_qualifiers;  ///< by group; empty where no other has its label
    std::vector<Part> m_parts;              ///< by row, where groups are told apart
    std::vector<std::size_t> m_partOf;      ///< by launch
    mutable std::vector<Numbers> m_numbers; ///< by row
};

/// "12 launches, 1.23 ms on the GPU"
[[nodiscard]] std::string launchTotals(const diagnosis::Diagnosis& diagnosis, double totalNs);

} // namespace dormer::view
