// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/tables.h"

#include <algorithm>
#include <array>

namespace dormer::emulator {

namespace {

struct Name {
    std::string_view name;
    Special special;
};
constexpr auto kNames = std::to_array<Name>({
    {"%tid.x", Special::TidX},
    {"%tid.y", Special::TidY},
    {"%tid.z", Special::TidZ},
    {"%ntid.x", Special::NtidX},
    {"%ntid.y", Special::NtidY},
    {"%ntid.z", Special::NtidZ},
    {"%ctaid.x", Special::CtaidX},
    {"%ctaid.y", Special::CtaidY},
    {"%ctaid.z", Special::CtaidZ},
    {"%nctaid.x", Special::NctaidX},
    {"%nctaid.y", Special::NctaidY},
    {"%nctaid.z", Special::NctaidZ},
    {"%laneid", Special::LaneId},
    {"%warpid", Special::WarpId},
    {"%nwarpid", Special::NwarpId},
    {"%smid", Special::SmId},
    {"%nsmid", Special::NsmId},
    {"%gridid", Special::GridId},
    {"%lanemask_eq", Special::LaneMaskEq},
    {"%lanemask_lt", Special::LaneMaskLt},
    {"%lanemask_le", Special::LaneMaskLe},
    {"%lanemask_gt", Special::LaneMaskGt},
    {"%lanemask_ge", Special::LaneMaskGe},
    {"%dynamic_smem_size", Special::DynamicSharedBytes},
    {"%total_smem_size", Special::TotalSharedBytes},
    {"%aggr_smem_size", Special::TotalSharedBytes},
    {"WARP_SZ", Special::WarpSize},
    // Where cooperative groups look for it.
    {"%envreg1", Special::GridWorkspaceHigh},
    {"%envreg2", Special::GridWorkspaceLow},
    // A cluster is one block: its only member has rank 0 and the grid of clusters is the grid.
    {"%clusterid.x", Special::CtaidX},
    {"%clusterid.y", Special::CtaidY},
    {"%clusterid.z", Special::CtaidZ},
    {"%nclusterid.x", Special::NctaidX},
    {"%nclusterid.y", Special::NctaidY},
    {"%nclusterid.z", Special::NctaidZ},
    {"%cluster_ctaid.x", Special::Zero},
    {"%cluster_ctaid.y", Special::Zero},
    {"%cluster_ctaid.z", Special::Zero},
    {"%cluster_ctarank", Special::Zero},
    {"%cluster_nctaid.x", Special::One},
    {"%cluster_nctaid.y", Special::One},
    {"%cluster_nctaid.z", Special::One},
    {"%cluster_nctarank", Special::One},
    {"%is_explicit_cluster", Special::Zero},
});

bool isOfWarp(Special special) {
    return special <= Special::LaneMaskGe;
}
bool isOfBlock(Special special) {
    return special >= Special::CtaidX && special <= Special::SmId;
}

} // namespace

std::optional<Special> fixedSpecial(std::string_view name) {
    const auto found = std::ranges::find(kNames, name, &Name::name);
    return found == kNames.end() ? std::nullopt : std::optional(found->special);
}

Ref Tables::add(ValueTable& table, Base base, ValueSlot slot) {
    for (const ValueSlot& known : table.slots) {
        slot.offset = known.offset;
        if (known == slot) return Ref{known.offset | base};
    }
    slot.offset = table.bytes;
    table.slots.push_back(slot);
    table.bytes += slot.bytes * kLanes; // multiples of 64, as lane arrays must be aligned
    return Ref{slot.offset | base};
}

Ref Tables::bits(std::uint64_t value, std::uint8_t bytesPerLane) {
    ValueSlot slot;
    slot.bytes = bytesPerLane;
    slot.bits = bytesPerLane >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytesPerLane)) - 1);
    return add(m_program.constants, kConstants, slot);
}

Ref Tables::parameter(std::uint32_t offset, std::uint8_t bytes, bool isSigned, std::uint8_t bytesPerLane) {
    ValueSlot slot;
    slot.kind = ValueSlot::Kind::Parameter;
    slot.bytes = bytesPerLane;
    slot.parameterBytes = bytes;
    slot.parameterSigned = isSigned;
    slot.parameterOffset = offset;
    return add(m_program.constants, kConstants, slot);
}

Ref Tables::parameterAddress(std::uint32_t offset, std::uint8_t bytesPerLane) {
    ValueSlot slot;
    slot.kind = ValueSlot::Kind::ParameterAddress;
    slot.bytes = bytesPerLane;
    slot.parameterOffset = offset;
    return add(m_program.constants, kConstants, slot);
}

Ref Tables::special(Special special, std::uint8_t bytesPerLane) {
    ValueSlot slot;
    slot.kind = ValueSlot::Kind::Special;
    slot.special = special;
    slot.bytes = bytesPerLane;
    if (isOfWarp(special)) return add(m_program.warpValues, kWarpValues, slot);
    if (isOfBlock(special)) return add(m_program.blockValues, kBlockValues, slot);
    return add(m_program.constants, kConstants, slot);
}

std::optional<std::uint64_t> Tables::knownBits(Ref ref) const {
    if (!ref.present() || (ref.raw & 3) != kConstants) return std::nullopt;
    for (const ValueSlot& slot : m_program.constants.slots)
        if (slot.offset == (ref.raw & ~3u))
            return slot.kind == ValueSlot::Kind::Bits ? std::optional(slot.bits) : std::nullopt;
    return std::nullopt;
}

} // namespace dormer::emulator
