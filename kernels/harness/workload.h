// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// What every workload family is made of. No CUDA in here: the registry is read on machines that have none.
namespace dormer::kernels {

/// A known answer: a fact that a correct profiler must report of every launch of a variant, or, if the metric
/// is one of workloads (`transfer_bytes`), of the variant as a whole.
struct Expectation {
    std::string metric; ///< metric or counter name; "verdict" for the verdict
    std::string
        relation; ///< "==", "<=", ">=", "~" (within `tolerance`), or "verdict" (`text` holds the bound)
    double value = 0;
    double tolerance = 0; ///< relative, for "~"
    std::string text{};   ///< for "verdict": "memory", "compute", "latency"; several: "memory|balanced"
    std::string why;      ///< where the answer comes from
    bool gpuOnly = false; ///< needs real hardware: DRAM, caches, time
    std::string kernel{}; ///< only launches whose kernel name holds this; empty = all of the variant
    /// Path of another variant: `value` is then a factor on what that one reports of the same metric.
    std::string reference{};
};

/// Outcome of a functional check. The detail says what was compared, and the first difference when it failed.
struct CheckResult {
    bool passed = false;
    std::string detail;
};

/// One way of doing a family's work.
struct Variant {
    std::string name;  ///< "coalesced"; may hold a parameter, "stride/8"
    std::string shows; ///< one sentence
    /// Facts about every launch when the family runs at `size`. Pure arithmetic.
    std::function<std::vector<Expectation>(std::size_t size)> knownAnswers;
    /// Its own, "offset=3"; the group's are told before them.
    std::vector<std::string> parameters{};
    std::string sweep{};        ///< SweepFacts::name of its family's sweep it is a point of
    std::string better{};       ///< path of the variant that does the same without the fault shown here
    bool good = false;          ///< there is nothing to find in it
    bool wrongByDesign = false; ///< its result is wrong; the check passes when it is
};

/// Variants that differ in parameters: one table and one plot.
struct SweepFacts {
    std::string name;                    ///< within the family, "offset"; the sweep is "access/offset"
    std::string title;                   ///< for people: "Loads that begin K elements off"
    std::vector<std::string> parameters; ///< names of those that vary, each in every point's `parameters`
    std::vector<std::string> metrics;    ///< told of each point; the first is plotted
    std::string best{}; ///< "lowest" or "highest" of the first metric is best; empty: no point is
};

/// A figure that somebody measured elsewhere, to compare with.
struct ReferenceFigure {
    std::string what;   ///< "coalesced, 2^24 floats, RTX 3090"
    std::string figure; ///< "237 us, 838 GB/s, 92 % of DRAM peak"
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
    /// Examines what the last launch of the variant wrote; variants that share an output launch again first.
    /// Call after all launches are done: nothing is measured any more.
    virtual CheckResult check(std::size_t variant) = 0;
    /// Known answers that only this device's own runtime can give, such as its occupancy calculator's.
    virtual std::vector<Expectation> deviceAnswers(std::size_t /*variant*/) { return {}; }
};

/// Default sizes of a group, in elements: one to show the effect on a data-centre GPU, one that the emulator
/// runs in about a tenth of a second a variant.
struct Sizes {
    std::size_t gpu = 0;
    std::size_t emulator = 0;
};

/// Variants that share data and size; a file of a family's folder.
struct Group {
    std::vector<Variant> variants{};
    Sizes defaultSize{};
    /// The size that is really run for a wanted one: whole blocks, whole tiles.
    std::function<std::size_t(std::size_t wanted)> roundSize{};
    /// Device memory that all variants together take.
    std::function<std::size_t(std::size_t size)> deviceBytes{};
    /// "size=16777216", "block=256"
    std::function<std::vector<std::string>(std::size_t size)> parameters{};
    std::function<std::unique_ptr<Instance>(const Setup& setup)> create{};
    /// Most launches of each variant in a pass where nobody asks for a number: fewer for slow ones.
    std::int64_t mostRepeats = 5;
    /// False: nothing of it can be counted. It is measured in a session of its own, which then takes one
    /// pass.
    bool launchesKernels = true;
};

/// One topic of the suite.
struct Family {
    std::string name;  ///< "vector_sum"
    std::string title; ///< for people: "Sum of two vectors"
    std::string shows; ///< one sentence
    std::vector<Group> groups;
    std::string lookAt{}; ///< a few sentences: what to look at, in which metrics, and what it means
    std::vector<SweepFacts> sweeps{};
    std::vector<ReferenceFigure> reference{};
    /// Metrics of launches or workloads that tell the family's story; docs/workloads.md shows them measured.
    std::vector<std::string> figures{};
};

} // namespace dormer::kernels
