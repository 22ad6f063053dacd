// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/values.h"

#include <cstring>

namespace dormer::emulator::exec {

namespace {

void fill(const program::ValueSlot& slot, std::uint64_t value, std::byte* table) {
    std::byte* lanes = table + slot.offset;
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        std::memcpy(lanes + std::size_t{i} * slot.bytes, &value, slot.bytes); // little-endian
}

template <typename Value>
void fillEach(const program::ValueSlot& slot, std::byte* table, const Value& valueOfLane) {
    std::byte* lanes = table + slot.offset;
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        const std::uint64_t value = valueOfLane(i);
        std::memcpy(lanes + std::size_t{i} * slot.bytes, &value, slot.bytes);
    }
}

std::uint64_t parameterValue(const program::ValueSlot& slot, std::span<const std::byte> parameters) {
    std::uint64_t value = 0;
    if (slot.parameterOffset + std::size_t{slot.parameterBytes} <= parameters.size())
        std::memcpy(&value, parameters.data() + slot.parameterOffset, slot.parameterBytes);
    if (slot.parameterSigned && slot.parameterBytes < 8) {
        const unsigned shift = 64 - 8 * slot.parameterBytes;
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
    }
    return value;
}

std::uint64_t launchValue(program::Special special, const LaunchValues& launch) {
    switch (special) {
    case program::Special::NtidX:
        return launch.block.x;
    case program::Special::NtidY:
        return launch.block.y;
    case program::Special::NtidZ:
        return launch.block.z;
    case program::Special::NctaidX:
        return launch.grid.x;
    case program::Special::NctaidY:
        return launch.grid.y;
    case program::Special::NctaidZ:
        return launch.grid.z;
    case program::Special::WarpSize:
        return instructions::kLanes;
    case program::Special::NwarpId:
        return 64;
    case program::Special::NsmId:
        return launch.smCount;
    case program::Special::GridId:
        return launch.gridId;
    case program::Special::DynamicSharedBytes:
        return launch.dynamicSharedBytes;
    case program::Special::TotalSharedBytes:
        return launch.totalSharedBytes;
    case program::Special::GridWorkspaceLow:
        return launch.gridWorkspace & 0xFFFFFFFF;
    case program::Special::GridWorkspaceHigh:
        return launch.gridWorkspace >> 32;
    case program::Special::NclusterX:
        return launch.grid.x / launch.cluster.x;
    case program::Special::NclusterY:
        return launch.grid.y / launch.cluster.y;
    case program::Special::NclusterZ:
        return launch.grid.z / launch.cluster.z;
    case program::Special::ClusterNctaidX:
        return launch.cluster.x;
    case program::Special::ClusterNctaidY:
        return launch.cluster.y;
    case program::Special::ClusterNctaidZ:
        return launch.cluster.z;
    case program::Special::ClusterSize:
        return launch.cluster.count();
    case program::Special::IsExplicitCluster:
        return launch.explicitCluster ? 1 : 0;
    default:
        return 0;
    }
}

} // namespace

void fillConstants(const program::ValueTable& table, const LaunchValues& launch, std::byte* out) {
    for (const program::ValueSlot& slot : table.slots) {
        switch (slot.kind) {
        case program::ValueSlot::Kind::Bits:
            fill(slot, slot.bits, out);
            break;
        case program::ValueSlot::Kind::Parameter:
            fill(slot, parameterValue(slot, launch.parameters), out);
            break;
        case program::ValueSlot::Kind::ParameterAddress:
            fill(slot, reinterpret_cast<std::uint64_t>(launch.parameters.data()) + slot.parameterOffset, out);
            break;
        case program::ValueSlot::Kind::Special:
            fill(slot, launchValue(slot.special, launch), out);
            break;
        }
    }
}

namespace {

std::uint32_t blockValue(program::Special special, const BlockPlace& place) {
    switch (special) {
    case program::Special::CtaidX:
        return place.block.x;
    case program::Special::CtaidY:
        return place.block.y;
    case program::Special::CtaidZ:
        return place.block.z;
    case program::Special::ClusterIdX:
        return place.cluster.x;
    case program::Special::ClusterIdY:
        return place.cluster.y;
    case program::Special::ClusterIdZ:
        return place.cluster.z;
    case program::Special::ClusterCtaidX:
        return place.inCluster.x;
    case program::Special::ClusterCtaidY:
        return place.inCluster.y;
    case program::Special::ClusterCtaidZ:
        return place.inCluster.z;
    case program::Special::ClusterRank:
        return place.rank;
    default:
        return place.sm;
    }
}

} // namespace

void fillBlockValues(const program::ValueTable& table, const BlockPlace& place, std::byte* out) {
    for (const program::ValueSlot& slot : table.slots)
        fill(slot, blockValue(slot.special, place), out);
}

void fillWarpValues(const program::ValueTable& table, session::Dim3 shape, std::uint32_t warp,
                    std::byte* out) {
    const std::uint32_t first = warp * instructions::kLanes;
    for (const program::ValueSlot& slot : table.slots) {
        fillEach(slot, out, [&](std::uint32_t lane) -> std::uint64_t {
            const std::uint32_t thread = first + lane, bit = 1u << lane;
            switch (slot.special) {
            case program::Special::TidX:
                return thread % shape.x;
            case program::Special::TidY:
                return thread / shape.x % shape.y;
            case program::Special::TidZ:
                return thread / shape.x / shape.y;
            case program::Special::LaneId:
                return lane;
            case program::Special::WarpId:
                return warp;
            case program::Special::LaneMaskEq:
                return bit;
            case program::Special::LaneMaskLt:
                return bit - 1;
            case program::Special::LaneMaskLe:
                return bit | (bit - 1);
            case program::Special::LaneMaskGt:
                return ~(bit | (bit - 1)) & instructions::kAllLanes;
            default: // LaneMaskGe
                return ~(bit - 1) & instructions::kAllLanes;
            }
        });
    }
}

} // namespace dormer::emulator::exec
