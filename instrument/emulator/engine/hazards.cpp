// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/engine/hazards.h"

#include "analysis/base/demangle.h"
#include "instrument/emulator/memory/place.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::emulator::engine {

namespace {

std::string text(session::Dim3 at) {
    return fmt::format("({},{},{})", at.x, at.y, at.z);
}

/// Places in shared memory count from 0, global memory lies where the host has it.
constexpr std::uint64_t kGlobalAddresses = std::uint64_t{1} << 32;

class Describer {
public:
    Describer(const program::Program& program, session::Dim3 shape) : m_program(program), m_shape(shape) {}

    [[nodiscard]] Undefined describe(const exec::Hazard& hazard) const {
        const std::string kernel = base::demangled(m_program.kernelFacts.name);
        switch (hazard.kind) {
        case exec::Hazard::Kind::Race:
            return {"emulator-race",
                    fmt::format("{}: race on shared memory (byte {}): the {} at {}, thread {}, and the {} at "
                                "{}, thread {}, of block {} have no barrier between them, so either may come "
                                "first; put __syncthreads() between them",
                                kernel, hazard.address, kindOf(hazard.first), placeOf(hazard.first),
                                threadOf(hazard.first), kindOf(hazard.second), placeOf(hazard.second),
                                threadOf(hazard.second), text(hazard.block))};
        case exec::Hazard::Kind::GlobalRace:
            return {"emulator-race",
                    fmt::format(
                        "{}: race on global memory ({:#x}): the {} at {}, block {}, thread {}, and the {} at "
                        "{}, block {}, thread {}, have nothing that orders them, so either may come "
                        "first; {}",
                        kernel, hazard.address, kindOf(hazard.first), placeOf(hazard.first),
                        text(hazard.otherBlock), threadOf(hazard.first), kindOf(hazard.second),
                        placeOf(hazard.second), text(hazard.block), threadOf(hazard.second),
                        hazard.otherBlock == hazard.block ? "put __syncthreads() between them"
                                                          : "split the kernel there, or use atomics")};
        case exec::Hazard::Kind::Uninitialized:
            if (hazard.address >= kGlobalAddresses)
                return {"emulator-uninitialized",
                        fmt::format(
                            "{}: the {} at {}, block {}, thread {}, reads device memory ({:#x}) that neither "
                            "the host nor a kernel has written: its value is undefined; write it first",
                            kernel, kindOf(hazard.second), placeOf(hazard.second), text(hazard.block),
                            threadOf(hazard.second), hazard.address)};
            return {"emulator-uninitialized",
                    fmt::format("{}: the {} at {}, block {}, thread {}, reads shared memory (byte {}) that "
                                "its block has not written: its value is undefined; write it first",
                                kernel, kindOf(hazard.second), placeOf(hazard.second), text(hazard.block),
                                threadOf(hazard.second), hazard.address)};
        case exec::Hazard::Kind::Clash:
            break;
        }
        return {"emulator-clash",
                fmt::format("{}: the store at {} takes different values of threads {} and {} of block {} to "
                            "one address ({:#x}): which of them stays is undefined; let one thread store, or "
                            "use an atomic",
                            kernel, placeOf(hazard.first), threadOf(hazard.first), threadOf(hazard.second),
                            text(hazard.block), hazard.address)};
    }

private:
    [[nodiscard]] const program::InstructionFacts& factsOf(const exec::Hazard::Side& side) const {
        return m_program.instructions[side.instruction];
    }
    [[nodiscard]] const char* kindOf(const exec::Hazard::Side& side) const {
        const std::string& text = factsOf(side).text;
        if (text.starts_with("atom") || text.starts_with("red")) return "atomic";
        if (text.starts_with("mbarrier")) return "mbarrier operation";
        if (text.starts_with("cp.async")) return "asynchronous copy";
        return side.writes ? "store" : "load";
    }
    [[nodiscard]] std::string placeOf(const exec::Hazard::Side& side) const {
        const program::InstructionFacts& facts = factsOf(side);
        return memory::describePlace(*m_program.module, facts.position, facts.ptxLine);
    }
    [[nodiscard]] std::string threadOf(const exec::Hazard::Side& side) const {
        return text({side.thread % m_shape.x, side.thread / m_shape.x % m_shape.y,
                     side.thread / m_shape.x / m_shape.y});
    }

    const program::Program& m_program;
    session::Dim3 m_shape;
};

} // namespace

std::vector<Undefined> describeHazards(const program::Program& program,
                                       const std::vector<exec::Hazard>& hazards, session::Dim3 shape) {
    const Describer describer(program, shape);
    std::vector<Undefined> all;
    for (const exec::Hazard& hazard : hazards)
        all.push_back(describer.describe(hazard));
    std::ranges::sort(all, {}, &Undefined::text);
    return all;
}

} // namespace dormer::emulator::engine
