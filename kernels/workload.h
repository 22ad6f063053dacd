// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What every workload family is made of. No CUDA in here: the registry is read on machines that have none.
namespace dormer::kernels {

/// A known answer: a fact that a correct profiler must report of every launch of a variant.
struct Expectation {
    std::string metric; ///< metric or counter name; "verdict" for the verdict
    std::string
        relation; ///< "==", "<=", ">=", "~" (within `tolerance`), or "verdict" (`text` holds the bound)
    double value = 0;
    double tolerance = 0; ///< relative, for "~"
    std::string text{};   ///< for "verdict": "memory", "compute", "latency"
    std::string why;      ///< where the answer comes from
    bool gpuOnly = false; ///< needs real hardware: DRAM, caches, time
    std::string kernel{}; ///< only launches whose kernel name holds this; empty = all of the variant
};

/// Outcome of a functional check. The detail says what was compared, and the first difference when it failed.
struct CheckResult {
    bool passed = false;
    std::string detail;
};

/// One way of doing a family's work.
struct Variant {
    std::string_view name;  ///< "coalesced"; may hold a parameter, "stride/8"
    std::string_view shows; ///< one sentence
    /// Facts about every launch when the family runs at `size`. Pure arithmetic.
    std::vector<Expectation> (*knownAnswers)(std::size_t size);
};

/// What a run asks of a group.
struct Setup {
    std::size_t size = 0; ///< already rounded by Group::roundSize
    std::uint64_t seed = 0;
    std::vector<std::size_t> variants; ///< indices into Group::variants that will be launched

    [[nodiscard]] bool runs(std::size_t variant) const {
        for (const std::size_t chosen : variants)
            if (chosen == variant) return true;
        return false;
    }
};

/// Variants that share their data, living on the current device. Creating one allocates, fills inputs and
/// poisons outputs (bytes 0xFF: NaN, -1), so that an element nobody writes fails the check.
class Instance {
public:
    Instance() = default;
    virtual ~Instance() = default;
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    /// Only launches, on the default stream; the same ones every time, so that a pass can be repeated.
    virtual void launch(std::size_t variant) = 0;
    /// Examines what the last launch of the variant wrote. Call after all launches are done.
    virtual CheckResult check(std::size_t variant) = 0;
};

/// Variants that share data and size; a file of a family's folder.
struct Group {
    std::span<const Variant> variants;
    std::size_t defaultSize = 0; ///< in elements
    /// The size that is really run for a wanted one: whole blocks, whole tiles.
    std::size_t (*roundSize)(std::size_t wanted);
    /// Device memory that all variants together take.
    std::size_t (*deviceBytes)(std::size_t size);
    /// "size=16777216", "block=256"
    std::vector<std::string> (*parameters)(std::size_t size);
    std::unique_ptr<Instance> (*create)(const Setup& setup);
};

/// One topic of the suite.
struct Family {
    std::string_view name;  ///< "vector_sum"
    std::string_view title; ///< for people: "Sum of two vectors"
    std::string_view shows; ///< one sentence
    std::vector<Group> groups;
};

} // namespace dormer::kernels
