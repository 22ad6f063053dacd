// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/values.h"

#include <cstring>

namespace dormer::emulator {

namespace {

void fill(const ValueSlot& slot, std::uint64_t value, std::byte* table) {
    std::byte* lanes = table + slot.offset;
    for (unsigned i = 0; i < kLanes; ++i)
        std::memcpy(lanes + std::size_t{i} * slot.bytes, &value, slot.bytes); // little-endian
}

template <typename Value>
void fillEach(const ValueSlot& slot, std::byte* table, const Value& valueOfLane) {
    std::byte* lanes = table + slot.offset;
    for (unsigned i = 0; i < kLanes; ++i) {
        const std::uint64_t value = valueOfLane(i);
        std::memcpy(lanes + std::size_t{i} * slot.bytes, &value, slot.bytes);
    }
}

std::uint64_t parameterValue(const ValueSlot& slot, std::span<const std::byte> parameters) {
    std::uint64_t value = 0;
    if (slot.parameterOffset + std::size_t{slot.parameterBytes} <= parameters.size())
        std::memcpy(&value, parameters.data() + slot.parameterOffset, slot.parameterBytes);
    if (slot.parameterSigned && slot.parameterBytes < 8) {
        const unsigned shift = 64 - 8 * slot.parameterBytes;
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
    }
    return value;
}

std::uint64_t launchValue(Special special, const LaunchValues& launch) {
    switch (special) {
    case Special::NtidX:
        return launch.block.x;
    case Special::NtidY:
        return launch.block.y;
    case Special::NtidZ:
        return launch.block.z;
    case Special::NctaidX:
        return launch.grid.x;
    case Special::NctaidY:
        return launch.grid.y;
    case Special::NctaidZ:
        return launch.grid.z;
    case Special::WarpSize:
        return kLanes;
    case Special::NwarpId:
        return 64;
    case Special::NsmId:
        return launch.smCount;
    case Special::GridId:
        return launch.gridId;
    case Special::DynamicSharedBytes:
        return launch.dynamicSharedBytes;
    case Special::TotalSharedBytes:
        return launch.totalSharedBytes;
    case Special::GridWorkspaceLow:
        return launch.gridWorkspace & 0xFFFFFFFF;
    case Special::GridWorkspaceHigh:
        return launch.gridWorkspace >> 32;
    case Special::One:
        return 1;
    default:
        return 0;
    }
}

} // namespace

void fillConstants(const ValueTable& table, const LaunchValues& launch, std::byte* out) {
    for (const ValueSlot& slot : table.slots) {
        switch (slot.kind) {
        case ValueSlot::Kind::Bits:
            fill(slot, slot.bits, out);
            break;
        case ValueSlot::Kind::Parameter:
            fill(slot, parameterValue(slot, launch.parameters), out);
            break;
        case ValueSlot::Kind::ParameterAddress:
            fill(slot, reinterpret_cast<std::uint64_t>(launch.parameters.data()) + slot.parameterOffset, out);
            break;
        case ValueSlot::Kind::Special:
            fill(slot, launchValue(slot.special, launch), out);
            break;
        }
    }
}

void fillBlockValues(const ValueTable& table, analysis::Dim3 block, std::uint32_t sm, std::byte* out) {
    for (const ValueSlot& slot : table.slots) {
        switch (slot.special) {
        case Special::CtaidX:
            fill(slot, block.x, out);
            break;
        case Special::CtaidY:
            fill(slot, block.y, out);
            break;
        case Special::CtaidZ:
            fill(slot, block.z, out);
            break;
        default:
            fill(slot, sm, out);
            break;
        }
    }
}

void fillWarpValues(const ValueTable& table, analysis::Dim3 shape, std::uint32_t warp, std::byte* out) {
    const std::uint32_t first = warp * kLanes;
    for (const ValueSlot& slot : table.slots) {
        fillEach(slot, out, [&](std::uint32_t lane) -> std::uint64_t {
            const std::uint32_t thread = first + lane, bit = 1u << lane;
            switch (slot.special) {
            case Special::TidX:
                return thread % shape.x;
            case Special::TidY:
                return thread / shape.x % shape.y;
            case Special::TidZ:
                return thread / shape.x / shape.y;
            case Special::LaneId:
                return lane;
            case Special::WarpId:
                return warp;
            case Special::LaneMaskEq:
                return bit;
            case Special::LaneMaskLt:
                return bit - 1;
            case Special::LaneMaskLe:
                return bit | (bit - 1);
            case Special::LaneMaskGt:
                return ~(bit | (bit - 1)) & kAllLanes;
            default: // LaneMaskGe
                return ~(bit - 1) & kAllLanes;
            }
        });
    }
}

} // namespace dormer::emulator
