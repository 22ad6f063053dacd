// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/surface_access.h"

#include "analysis/access/access_pattern.h"
#include "instrument/emulator/exec/warp.h"
#include "instrument/emulator/memory/device_memory.h"
#include "instrument/emulator/memory/textures.h"
#include "instrument/emulator/program/memory_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace dormer::emulator::accesses {

namespace {

using Boundary = program::SurfaceAccess::Boundary;

/// Where one lane's access goes; nothing where it is to be left out.
std::optional<std::uint64_t> place(const memory::Texture& surface, const program::SurfaceAccess& access,
                                   unsigned lane, const std::array<std::int32_t, 4>& coordinates) {
    const std::int64_t width = std::int64_t{surface.width} * surface.elementBytes();
    const std::int64_t height = std::max<std::int64_t>(surface.height, 1),
                       slices = std::max<std::int64_t>(surface.depth, 1);
    // x counts bytes, and all of the vector lies inside.
    std::array<std::int64_t, 3> at{0, 0, 0}, last{width - access.bytes(), height - 1, slices - 1};
    std::size_t next = 0;
    if (access.layered) at[2] = coordinates[next++];
    for (unsigned d = 0; d < access.dimensions; ++d)
        at[d] = coordinates[next++];
    for (unsigned d = 0; d < 3; ++d) {
        if (at[d] >= 0 && at[d] <= last[d]) continue;
        if (access.boundary == Boundary::Zero) return std::nullopt;
        if (access.boundary == Boundary::Trap)
            throw exec::FaultSignal{
                memory::Fault::Kind::IllegalAddress, lane, surface.address,
                fmt::format("a surface access of {} bytes at ({}, {}, {}) lies outside the surface of "
                            "{} bytes x {} x {} (cudaBoundaryModeTrap)",
                            access.bytes(), at[0], at[1], at[2], width, height, slices)};
        at[d] = std::clamp<std::int64_t>(at[d], 0, std::max<std::int64_t>(last[d], 0));
    }
    return surface.address + static_cast<std::uint64_t>((at[2] * height + at[1])) * surface.pitch +
           static_cast<std::uint64_t>(at[0]);
}

void count(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
           std::uint32_t mask, unsigned width, bool store) {
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    const auto lanes = static_cast<unsigned>(std::popcount(w.exec));
    ++counts.executions;
    counts.threads += lanes;
    if (mask == 0) return;
    access::LineAccess lines[access::kMaxLines];
    const access::Coalesced result = access::coalesce(addresses, mask, width, lines);
    counts.sectors += result.sectors;
    counts.sectorsIdeal += access::idealSectors(lanes, width, result.sectors);
    counts.lines += result.lines;
    w.port->access(store ? hierarchy::AccessKind::Store : hierarchy::AccessKind::Load, lines, result.lines);
}

template <bool Store>
void surfaceAccess(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    const program::SurfaceAccess& access = *reinterpret_cast<const program::SurfaceAccess*>(in.imm);
    const auto* handles = w.lanes<std::uint64_t>(in.a);
    if constexpr (Store) w.wrote |= w.exec;
    std::uint64_t addresses[instructions::kLanes] = {};
    std::uint32_t inside = 0;
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const memory::Texture* surface = memory::TextureTable::instance().find(handles[lane]);
        if (surface == nullptr)
            throw exec::FaultSignal{memory::Fault::Kind::IllegalAddress, lane, handles[lane],
                                    fmt::format("{:#x} is no surface object", handles[lane])};
        std::array<std::int32_t, 4> coordinates{};
        for (unsigned k = access.elements; k < in.moreCount; ++k)
            coordinates[k - access.elements] = w.lanes<std::int32_t>(in.more[k])[lane];
        const std::optional<std::uint64_t> address = place(*surface, access, lane, coordinates);
        if (address) {
            const auto allocation = w.memory->find(*address);
            if (!allocation || *address + access.bytes() > allocation->end())
                throw exec::FaultSignal{memory::Fault::Kind::IllegalAddress, lane, *address,
                                        "the memory of a surface has been freed"};
            addresses[lane] = *address;
            inside |= 1u << lane;
        }
        for (unsigned k = 0; k < access.elements; ++k) {
            if (!in.more[k].present()) continue;
            std::byte* reg = w.lanes<std::byte>(in.more[k]) + lane * access.registerBytes;
            if constexpr (Store) {
                if (address)
                    std::memcpy(reinterpret_cast<std::byte*>(*address) + k * access.elementBytes, reg,
                                access.elementBytes);
            } else {
                std::memset(reg, 0, access.registerBytes);
                if (address)
                    std::memcpy(reg, reinterpret_cast<std::byte*>(*address) + k * access.elementBytes,
                                access.elementBytes);
            }
        }
    }
    if (w.port != nullptr) count(w, in, addresses, inside, access.bytes(), Store);
}

} // namespace

void loadSurface(instructions::Warp& warp, const instructions::Inst& in) {
    surfaceAccess<false>(warp, in);
}
void storeSurface(instructions::Warp& warp, const instructions::Inst& in) {
    surfaceAccess<true>(warp, in);
}

} // namespace dormer::emulator::accesses
