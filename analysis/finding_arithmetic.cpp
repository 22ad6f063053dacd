// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/architecture.h"
#include "analysis/finding_checks.h"
#include "analysis/finding_places.h"
#include "analysis/format.h"
#include "analysis/kernel_code.h"
#include "analysis/source_hint.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::analysis {

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
    /// As many instructions fewer, were each multiplication fused with an addition.
    [[nodiscard]] double spared() const { return std::min(adds, multiplies); }
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
    const Session& session = c.metrics.session();
    const KernelCode* code = session.codeOf(session.launch(c.launch).kernel);
    if (code == nullptr) return {};
    std::vector<LineCounts> found;
    for (const CodeLine& line : codeLines(*code)) {
        if (line.text.find("cvt.f64.f32") == std::string_view::npos &&
            line.text.find("F2F.F64.F32") == std::string_view::npos)
            continue;
        LineCounts& at = found.emplace_back();
        at.file = line.file;
        at.line = line.line;
        at.pc = line.pc;
        at.op = "conversion";
    }
    std::vector<WastefulAccess> accesses;
    for (const LineCounts& at : found)
        accesses.push_back({&at, 1});
    return placesOf(accesses, {[](const LineCounts& sum, std::size_t instructions) {
                                   return operationText(sum, instructions) + " from float to double";
                               },
                               [&](const LineCounts& sum, std::size_t) {
                                   return doubleLiteralChange(session, sum.file, sum.line);
                               }});
}

} // namespace

void checkWeakFp64(const FindingContext& c) {
    const Device* device = c.metrics.session().deviceOf(c.launch);
    const Architecture* architecture = device != nullptr ? architectureOf(*device) : nullptr;
    const auto flops = c.value("flops_fp64");
    if (architecture == nullptr || !flops || !(*flops > 0)) return;
    const double ratio = architecture->fp32 / architecture->fp64;
    if (ratio < kWeakFp64Ratio || c.utilization(Resource::Fp64).value_or(0) < kMuchFp64) return;
    const std::optional<double> gain =
        c.boundAt(Resource::Fp64) ? c.gain().without(1 - 1 / ratio, {Resource::Fp64}) : std::nullopt;
    c.out.push_back(
        {"fp64-on-weak-chip", "Double precision on a chip with little of it",
         fmt::format("{} FP64 operations, {} of what the chip can; its FP32 rate is {:.0f} times as high",
                     forPeople(flops, Unit::Count), forPeople(c.utilization(Resource::Fp64), Unit::Ratio),
                     ratio),
         "If single precision is enough, use float throughout: a literal without the f suffix makes its "
         "expression double.",
         gain, conversionsToDouble(c)});
}

void checkUnfusedArithmetic(const FindingContext& c) {
    struct Precision {
        char letter;
        std::string_view name;
        Resource resource;
    };
    for (const Precision& each :
         {Precision{'f', "single", Resource::Fp32}, Precision{'d', "double", Resource::Fp64}}) {
        // Only where the pipe, or issuing to it, holds the launch up.
        if (!c.boundAt(each.resource) && !c.boundAt(Resource::IssueSlots)) continue;
        const auto arithmetic = arithmeticOf(c, each.letter);
        if (!arithmetic || !(arithmetic->spared() > kManyUnfused * arithmetic->all())) continue;
        const double share = arithmetic->spared() / arithmetic->all();
        const std::optional<double> gain =
            c.boundAt(each.resource) ? c.gain().without(share, {each.resource, Resource::IssueSlots})
                                     : std::nullopt;
        c.out.push_back(
            {"unfused-multiply-add", "Multiplications and additions apart",
             fmt::format(
                 "{} additions, {} multiplications and {} multiply-adds in {} precision: fused, {} of "
                 "these instructions would go",
                 forPeople(arithmetic->adds, Unit::Count), forPeople(arithmetic->multiplies, Unit::Count),
                 forPeople(arithmetic->fused, Unit::Count), each.name, forPeople(share, Unit::Ratio)),
             "Where a product is added to something, write a * b + c in one expression or fma(a, b, c), and "
             "compile without -fmad=false; __fmul_rn and __fadd_rn are never fused.",
             gain});
    }
}

void checkIdleTensorCores(const FindingContext& c) {
    constexpr int kFirstWithTensorCores = 7;
    const Device* device = c.metrics.session().deviceOf(c.launch);
    const auto tensor = c.value("tensor_instructions");
    if (device == nullptr || device->computeCapabilityMajor < kFirstWithTensorCores || !tensor ||
        *tensor > 0 || !c.boundAt(Resource::Fp16))
        return;
    const auto arithmetic = arithmeticOf(c, 'h');
    if (!arithmetic || !(arithmetic->fused >= kMostlyFused * arithmetic->all())) return;
    c.out.push_back(
        {"tensor-cores-idle", "Tensor cores idle",
         fmt::format("bound by FP16 arithmetic, {} of it multiply-adds, and no tensor instruction",
                     forPeople(arithmetic->fused / arithmetic->all(), Unit::Ratio)),
         "If this multiplies matrices, use the tensor cores: wmma or mma instructions, cuBLAS or CUTLASS. "
         "Other "
         "work can't use them.",
         std::nullopt});
}

} // namespace dormer::analysis
