// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/architecture.h"
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"
#include "analysis/session/kernel_code.h"
#include "analysis/source/source_hint.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::findings {

namespace {

constexpr double kWeakFp64Ratio = 16;
constexpr double kMuchFp64 = 0.3;
/// Additions and multiplications that could have been one instruction, of all floating-point ones.
constexpr double kManyUnfused = 0.25;
/// Of the half-precision work, what is multiply-adds: a matrix product is nothing else.
constexpr double kMostlyFused = 0.9;

std::optional<double> instructions(const FindingContext& c, std::string_view op) {
    return c.metrics.session().counter(c.launch,
                                       fmt::format("smsp__sass_thread_inst_executed_op_{}_pred_on.sum", op));
}

/// Additions, multiplications and multiply-adds of one precision.
struct Arithmetic {
    double adds = 0, multiplies = 0, fused = 0;
    [[nodiscard]] double all() const { return adds + multiplies + fused; }
    /// Instructions saved if each multiplication were fused with an addition.
    [[nodiscard]] double saved() const { return std::min(adds, multiplies); }
};

std::optional<Arithmetic> arithmeticOf(const FindingContext& c, char precision) {
    const auto adds = instructions(c, fmt::format("{}add", precision));
    const auto multiplies = instructions(c, fmt::format("{}mul", precision));
    const auto fused = instructions(c, fmt::format("{}fma", precision));
    if (!adds || !multiplies || !fused) return std::nullopt;
    return Arithmetic{*adds, *multiplies, *fused};
}

/// Where the kernel's code turns floats into doubles: most are not meant.
std::vector<FindingPlace> conversionsToDouble(const FindingContext& c) {
    const session::Session& session = c.metrics.session();
    const session::KernelCode* code = session.codeOf(session.launch(c.launch).kernel);
    if (code == nullptr) return {};
    std::vector<session::LineCounts> found;
    for (const session::CodeLine& line : code->lines) {
        if (line.text.find("cvt.f64.f32") == std::string_view::npos &&
            line.text.find("F2F.F64.F32") == std::string_view::npos)
            continue;
        session::LineCounts& at = found.emplace_back();
        at.file = fileOf(*code, line);
        at.line = line.line;
        at.pc = line.pc;
    }
    std::vector<WastefulAccess> accesses;
    for (const session::LineCounts& at : found)
        accesses.push_back({&at, 1});
    return placesOf(accesses, {[](const session::LineCounts&, std::size_t instructions) {
                                   return instructions == 1
                                              ? std::string("conversion from float to double")
                                              : fmt::format("{} conversions from float to double",
                                                            instructions);
                               },
                               [&](const session::LineCounts& sum, std::size_t) {
                                   return source::doubleLiteralChange(session, sum.file, sum.line);
                               }});
}

} // namespace

void checkWeakFp64(const FindingContext& c) {
    const session::Device* device = c.metrics.session().deviceOf(c.launch);
    const device::Architecture* architecture = device != nullptr ? device::architectureOf(*device) : nullptr;
    const auto flops = c.value("flops_fp64");
    if (architecture == nullptr || !flops || !(*flops > 0)) return;
    const double ratio = architecture->fp32 / architecture->fp64;
    if (ratio < kWeakFp64Ratio || c.utilization(device::Resource::Fp64).value_or(0) < kMuchFp64) return;
    const std::optional<double> gain = c.boundAt(device::Resource::Fp64)
                                           ? c.gain().without(1 - 1 / ratio, {device::Resource::Fp64})
                                           : std::nullopt;
    c.add(FindingKind::WeakFp64,
          fmt::format("{} FP64 operations, {} of peak; the FP32 peak is {:.0f} times as high",
                      metrics::forPeople(flops, metrics::Unit::Count),
                      metrics::forPeople(c.utilization(device::Resource::Fp64), metrics::Unit::Ratio), ratio),
          gain, conversionsToDouble(c));
}

void checkUnfusedArithmetic(const FindingContext& c) {
    struct Precision {
        char letter;
        std::string_view name;
        device::Resource resource;
    };
    for (const Precision& each : {Precision{'f', "single", device::Resource::Fp32},
                                  Precision{'d', "double", device::Resource::Fp64}}) {
        // Only where the pipe, or issuing to it, bounds the launch.
        if (!c.boundAt(each.resource) && !c.boundAt(device::Resource::IssueSlots)) continue;
        const auto arithmetic = arithmeticOf(c, each.letter);
        if (!arithmetic || !(arithmetic->saved() > kManyUnfused * arithmetic->all())) continue;
        const double share = arithmetic->saved() / arithmetic->all();
        const std::optional<double> gain =
            c.boundAt(each.resource) ? c.gain().without(share, {each.resource, device::Resource::IssueSlots})
                                     : std::nullopt;
        c.add(FindingKind::UnfusedArithmetic,
              fmt::format("{} additions, {} multiplications and {} multiply-adds in {} precision: fusing "
                          "them saves {} of these instructions",
                          metrics::forPeople(arithmetic->adds, metrics::Unit::Count),
                          metrics::forPeople(arithmetic->multiplies, metrics::Unit::Count),
                          metrics::forPeople(arithmetic->fused, metrics::Unit::Count), each.name,
                          metrics::forPeople(share, metrics::Unit::Ratio)),
              gain);
    }
}

void checkIdleTensorCores(const FindingContext& c) {
    constexpr int kFirstWithTensorCores = 7;
    const session::Device* device = c.metrics.session().deviceOf(c.launch);
    const auto tensor = c.value("tensor_instructions");
    if (device == nullptr || device->computeCapabilityMajor < kFirstWithTensorCores || !tensor ||
        *tensor > 0 || !c.boundAt(device::Resource::Fp16))
        return;
    const auto arithmetic = arithmeticOf(c, 'h');
    if (!arithmetic || !(arithmetic->fused >= kMostlyFused * arithmetic->all())) return;
    c.add(FindingKind::IdleTensorCores,
          fmt::format("bound by FP16 arithmetic, {} of it multiply-adds, and no tensor instruction executed",
                      metrics::forPeople(arithmetic->fused / arithmetic->all(), metrics::Unit::Ratio)),
          std::nullopt);
}

} // namespace dormer::findings
