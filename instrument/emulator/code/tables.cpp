// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/tables.h"

#include "instrument/emulator/exec/context_ops.h"

#include <algorithm>
#include <array>

namespace dormer::emulator::code {

namespace {

struct Name {
    std::string_view name;
    program::Special special;
};
constexpr auto kNames = std::to_array<Name>({
    {"%tid.x", program::Special::TidX},
    {"%tid.y", program::Special::TidY},
    {"%tid.z", program::Special::TidZ},
    {"%ntid.x", program::Special::NtidX},
    {"%ntid.y", program::Special::NtidY},
    {"%ntid.z", program::Special::NtidZ},
    {"%ctaid.x", program::Special::CtaidX},
    {"%ctaid.y", program::Special::CtaidY},
    {"%ctaid.z", program::Special::CtaidZ},
    {"%nctaid.x", program::Special::NctaidX},
    {"%nctaid.y", program::Special::NctaidY},
    {"%nctaid.z", program::Special::NctaidZ},
    {"%laneid", program::Special::LaneId},
    {"%warpid", program::Special::WarpId},
    {"%nwarpid", program::Special::NwarpId},
    {"%smid", program::Special::SmId},
    {"%nsmid", program::Special::NsmId},
    {"%gridid", program::Special::GridId},
    {"%lanemask_eq", program::Special::LaneMaskEq},
    {"%lanemask_lt", program::Special::LaneMaskLt},
    {"%lanemask_le", program::Special::LaneMaskLe},
    {"%lanemask_gt", program::Special::LaneMaskGt},
    {"%lanemask_ge", program::Special::LaneMaskGe},
    {"%dynamic_smem_size", program::Special::DynamicSharedBytes},
    {"%total_smem_size", program::Special::TotalSharedBytes},
    {"%aggr_smem_size", program::Special::TotalSharedBytes},
    {"WARP_SZ", program::Special::WarpSize},
    // Where cooperative groups look for it.
    {"%envreg1", program::Special::GridWorkspaceHigh},
    {"%envreg2", program::Special::GridWorkspaceLow},
    {"%clusterid.x", program::Special::ClusterIdX},
    {"%clusterid.y", program::Special::ClusterIdY},
    {"%clusterid.z", program::Special::ClusterIdZ},
    {"%nclusterid.x", program::Special::NclusterX},
    {"%nclusterid.y", program::Special::NclusterY},
    {"%nclusterid.z", program::Special::NclusterZ},
    {"%cluster_ctaid.x", program::Special::ClusterCtaidX},
    {"%cluster_ctaid.y", program::Special::ClusterCtaidY},
    {"%cluster_ctaid.z", program::Special::ClusterCtaidZ},
    {"%cluster_ctarank", program::Special::ClusterRank},
    {"%cluster_nctaid.x", program::Special::ClusterNctaidX},
    {"%cluster_nctaid.y", program::Special::ClusterNctaidY},
    {"%cluster_nctaid.z", program::Special::ClusterNctaidZ},
    {"%cluster_nctarank", program::Special::ClusterSize},
    {"%is_explicit_cluster", program::Special::IsExplicitCluster},
});

bool isOfWarp(program::Special special) {
    return special <= program::Special::LaneMaskGe;
}
bool isOfBlock(program::Special special) {
    return special >= program::Special::CtaidX && special <= program::Special::SmId;
}

} // namespace

std::optional<program::Special> fixedSpecial(std::string_view name) {
    const auto found = std::ranges::find(kNames, name, &Name::name);
    return found == kNames.end() ? std::nullopt : std::optional(found->special);
}

std::optional<std::uint32_t> reservedSharedOffset(std::string_view name) {
    if (!name.starts_with("%reserved_smem_offset_")) return std::nullopt;
    name.remove_prefix(std::string_view("%reserved_smem_offset_").size());
    if (name == "begin" || name == "0") return 0;
    // Which of the two places a library may use is between it and the driver; each has half.
    if (name == "1") return exec::kReservedSharedBytes / 2;
    if (name == "end" || name == "cap") return exec::kReservedSharedBytes;
    return std::nullopt;
}

instructions::Ref Tables::add(program::ValueTable& table, instructions::Base base, program::ValueSlot slot) {
    for (const program::ValueSlot& known : table.slots) {
        slot.offset = known.offset;
        if (known == slot) return instructions::Ref{known.offset | base};
    }
    slot.offset = table.bytes;
    table.slots.push_back(slot);
    table.bytes += slot.bytes * instructions::kLanes; // multiples of 64, as lane arrays must be aligned
    return instructions::Ref{slot.offset | base};
}

instructions::Ref Tables::bits(std::uint64_t value, std::uint8_t bytesPerLane) {
    program::ValueSlot slot;
    slot.bytes = bytesPerLane;
    slot.bits = bytesPerLane >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytesPerLane)) - 1);
    return add(m_program.constants, instructions::kConstants, slot);
}

instructions::Ref Tables::parameter(std::uint32_t offset, std::uint8_t bytes, bool isSigned,
                                    std::uint8_t bytesPerLane) {
    program::ValueSlot slot;
    slot.kind = program::ValueSlot::Kind::Parameter;
    slot.bytes = bytesPerLane;
    slot.parameterBytes = bytes;
    slot.parameterSigned = isSigned;
    slot.parameterOffset = offset;
    return add(m_program.constants, instructions::kConstants, slot);
}

instructions::Ref Tables::parameterAddress(std::uint32_t offset, std::uint8_t bytesPerLane) {
    program::ValueSlot slot;
    slot.kind = program::ValueSlot::Kind::ParameterAddress;
    slot.bytes = bytesPerLane;
    slot.parameterOffset = offset;
    return add(m_program.constants, instructions::kConstants, slot);
}

instructions::Ref Tables::special(program::Special special, std::uint8_t bytesPerLane) {
    program::ValueSlot slot;
    slot.kind = program::ValueSlot::Kind::Special;
    slot.special = special;
    slot.bytes = bytesPerLane;
    if (isOfWarp(special)) return add(m_program.warpValues, instructions::kWarpValues, slot);
    if (isOfBlock(special)) return add(m_program.blockValues, instructions::kBlockValues, slot);
    return add(m_program.constants, instructions::kConstants, slot);
}

std::optional<std::uint64_t> Tables::knownBits(instructions::Ref ref) const {
    if (!ref.present() || (ref.raw & 3) != instructions::kConstants) return std::nullopt;
    for (const program::ValueSlot& slot : m_program.constants.slots)
        if (slot.offset == (ref.raw & ~3u))
            return slot.kind == program::ValueSlot::Kind::Bits ? std::optional(slot.bits) : std::nullopt;
    return std::nullopt;
}

} // namespace dormer::emulator::code
