// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/address_check.h"

#include "instrument/emulator/exec/block.h"
#include "instrument/emulator/memory/device_memory.h"
#include "instrument/emulator/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace dormer::emulator::accesses {

namespace {

std::string what(const AccessText& access, std::uint64_t address) {
    return fmt::format("{} of {} {} at {:#x}", access.verb, access.width,
                       access.width == 1 ? "byte" : "bytes", address);
}

std::string kindOf(const memory::Allocation& allocation) {
    switch (allocation.kind) {
    case memory::Allocation::Kind::Variable:
        return fmt::format("variable {} ({} bytes)", allocation.name, allocation.bytes);
    case memory::Allocation::Kind::PinnedHost:
        return fmt::format("{}-byte host allocation", allocation.bytes);
    case memory::Allocation::Kind::Managed:
        return fmt::format("{}-byte managed allocation", allocation.bytes);
    case memory::Allocation::Kind::Device:
    case memory::Allocation::Kind::Internal:
        break;
    }
    return fmt::format("{}-byte allocation", allocation.bytes);
}

/// Further away an address has nothing to do with an allocation.
constexpr std::uint64_t kNearBytes = std::uint64_t{1} << 28;

std::string whereFrom(const memory::DeviceMemory& memory, std::uint64_t address) {
    if (address < 4096) return " is a null pointer";
    const std::optional<memory::Allocation> nearest = memory.nearest(address);
    if (!nearest) return " lies in no allocation: there is none";
    const std::uint64_t apart =
        address < nearest->address ? nearest->address - address : address - std::min(address, nearest->end());
    if (apart > kNearBytes) return " lies in no allocation nor near one, as a pointer of the host would";
    if (address < nearest->address)
        return fmt::format(" is {} bytes before the {} at {:#x}", nearest->address - address,
                           kindOf(*nearest), nearest->address);
    if (address < nearest->end())
        return fmt::format(" reaches past the end of the {} at {:#x}", kindOf(*nearest), nearest->address);
    return fmt::format(" is {} bytes past the end of the {} at {:#x}", address - nearest->end(),
                       kindOf(*nearest), nearest->address);
}

void requireAligned(unsigned lane, std::uint64_t address, const AccessText& access) {
    if (address % access.width != 0)
        throw exec::FaultSignal{
            memory::Fault::Kind::MisalignedAddress, lane, address,
            fmt::format("{} is not a multiple of {}", what(access, address), access.width)};
}

/// First lane of `mask` whose access does not lie in [0, bytes).
[[noreturn]] void failWindow(const std::uint64_t* offsets, std::uint32_t mask, const AccessText& access,
                             std::uint64_t bytes, const char* name) {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        requireAligned(lane, offsets[lane], access);
        if (offsets[lane] + access.width > bytes)
            throw exec::FaultSignal{memory::Fault::Kind::IllegalAddress, lane, offsets[lane],
                                    fmt::format("{} lies outside the {} bytes of {} memory",
                                                what(access, offsets[lane]), bytes, name)};
    }
    throw exec::FaultSignal{memory::Fault::Kind::IllegalAddress, 0, offsets[0], what(access, offsets[0])};
}

} // namespace

void checkGlobal(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                 std::uint32_t mask, const AccessText& access) {
    std::optional<memory::Allocation> last;
    bool shared = true; // all lanes in one allocation so far
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t address = addresses[lane];
        if (!last || address < last->address || address >= last->end()) {
            shared = shared && !last;
            last = w.memory->find(address);
        }
        // Kernel parameters have addresses too (cvta.param).
        const auto parameters = reinterpret_cast<std::uint64_t>(w.kernelParameters);
        if (!last && address - parameters < w.kernelParameterBytes &&
            address - parameters + access.width <= w.kernelParameterBytes && *access.verb == 'l') {
            shared = false;
            continue;
        }
        requireAligned(lane, address, access);
        if (!last || address + access.width > last->end())
            throw exec::FaultSignal{memory::Fault::Kind::IllegalAddress, lane, address,
                                    what(access, address) + whereFrom(*w.memory, address)};
    }
    if (shared && last && last->bytes >= access.width)
        w.counts->ranges[in.index] = {last->address, last->bytes - access.width + 1};
}

bool clusterHosts(const exec::WarpState& w, const std::uint64_t* addresses, std::uint32_t mask,
                  unsigned width, std::byte** hosts) {
    const std::vector<exec::BlockState*>& cluster = w.block->cluster;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t rank = addresses[lane] >> program::kClusterRankShift,
                            place = addresses[lane] & program::kClusterPlaceMask;
        if (rank > cluster.size() || place + width > w.sharedBytes || place % width != 0) return false;
        hosts[lane] = (rank == 0 ? w.shared : cluster[rank - 1]->shared()) + place;
    }
    return true;
}

void failShared(const exec::WarpState& w, const std::uint64_t* addresses, std::uint32_t mask,
                const AccessText& access) {
    failWindow(addresses, mask, access, w.sharedBytes, "shared");
}

void failLocal(const exec::WarpState& w, const std::uint64_t* addresses, std::uint32_t mask,
               const AccessText& access) {
    failWindow(addresses, mask, access, w.localStride, "local");
}

void failParameter(const std::uint64_t* addresses, std::uint32_t mask, const AccessText& access) {
    const auto lane = static_cast<unsigned>(std::countr_zero(mask));
    throw exec::FaultSignal{memory::Fault::Kind::IllegalAddress, lane, addresses[lane],
                            what(access, addresses[lane]) + " lies outside the kernel's parameters"};
}

} // namespace dormer::emulator::accesses
