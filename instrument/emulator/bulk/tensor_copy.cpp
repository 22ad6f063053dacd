// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/address_check.h"
#include "instrument/emulator/accesses/async_barrier.h"
#include "instrument/emulator/accesses/watch_access.h"
#include "instrument/emulator/bulk/bulk_copy.h"
#include "instrument/emulator/bulk/element_reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace dormer::emulator::bulk {

using memory::TensorMap;
using Watched = exec::SharedWatch::Access;

namespace {

/// The map at a lane's address: a parameter of the kernel, a constant or in global memory.
TensorMap mapOf(exec::WarpState& w, const instructions::Inst& in, unsigned lane) {
    std::uint64_t addresses[instructions::kLanes] = {};
    const std::uint64_t address = addresses[lane] = w.lanes<std::uint64_t>(in.b)[lane];
    accesses::checkGlobal(w, in, addresses, 1u << lane, {"load", 64});
    TensorMap map;
    std::memcpy(&map, reinterpret_cast<const std::byte*>(address), sizeof map);
    if (map.magic != TensorMap::kMagic)
        throw exec::FaultSignal{memory::Fault::Kind::Trap, lane, address,
                                "the address of a tensor copy leads to no tensor map"};
    if (map.dimensions != in.moreCount)
        throw exec::FaultSignal{
            memory::Fault::Kind::Trap, lane, address,
            fmt::format("a tensor copy of {} dimensions with a map of {}", in.moreCount, map.dimensions)};
    return map;
}

/// A row of the box: so many neighbours of the array.
struct Row {
    std::uint32_t place = 0; ///< bytes from the begin of the box in shared memory
    std::uint64_t global = 0;
    std::uint32_t skipped = 0, bytes = 0; ///< outside of the array before it; in the array
};

/// Walks over the rows of the box of a lane, in the order of shared memory.
template <typename Body>
void forEachRow(const exec::WarpState& w, const instructions::Inst& in, unsigned lane, const TensorMap& map,
                const Body& body) {
    std::array<std::int64_t, TensorMap::kMostDimensions> first = {}, at = {};
    for (unsigned d = 0; d < map.dimensions; ++d)
        first[d] = w.lanes<std::int32_t>(in.more[d])[lane];
    const std::int64_t size = static_cast<std::int64_t>(map.size[0]), width = map.box[0];
    const std::int64_t begin = std::clamp<std::int64_t>(-first[0], 0, width),
                       end = std::clamp<std::int64_t>(size - first[0], begin, width);
    const unsigned elementBytes = map.elementBytes();
    const auto rowBytes = static_cast<std::uint32_t>(width * elementBytes);
    const std::uint32_t rows = map.boxBytes() / rowBytes;
    for (std::uint32_t r = 0; r < rows; ++r) {
        Row row{r * rowBytes, map.address, 0, 0};
        bool inside = true;
        for (unsigned d = 1; d < map.dimensions; ++d) {
            const std::int64_t coordinate = first[d] + at[d] * map.step[d];
            inside = inside && coordinate >= 0 && coordinate < static_cast<std::int64_t>(map.size[d]);
            row.global += static_cast<std::uint64_t>(coordinate) * map.stride[d];
        }
        row.skipped = static_cast<std::uint32_t>(begin) * elementBytes;
        row.global += static_cast<std::uint64_t>(first[0] + begin) * elementBytes;
        if (inside) row.bytes = static_cast<std::uint32_t>(end - begin) * elementBytes;
        body(row);
        for (unsigned d = 1; d < map.dimensions && ++at[d] == map.box[d]; ++d)
            at[d] = 0;
    }
}

/// Runs `body(place, offset, bytes)` for the pieces of `bytes` bytes from a place of the box on, which stay
/// neighbours when it is swizzled; offset counts from the begin of them.
template <typename Body>
void forEachPiece(const TensorMap& map, std::uint64_t box, std::uint32_t from, std::uint32_t bytes,
                  const Body& body) {
    for (std::uint32_t done = 0; done < bytes;) {
        const std::uint64_t place = box + from + done;
        const std::uint32_t most = map.swizzle == 0 ? bytes : 16 - static_cast<std::uint32_t>(place % 16);
        const std::uint32_t piece = std::min(bytes - done, most);
        body(memory::swizzled(place, map.swizzle), done, piece);
        done += piece;
    }
}

/// Where the box of a lane begins in shared memory, checked.
std::uint64_t boxOf(exec::WarpState& w, const instructions::Inst& in, unsigned lane) {
    const std::uint64_t place = accesses::sharedPlace(addressOf(w, in, lane));
    if (place % 128 != 0)
        throw exec::FaultSignal{
            memory::Fault::Kind::MisalignedAddress, lane, place,
            fmt::format("a tensor copy's address in shared memory, {:#x}, is not a multiple of 128", place)};
    return place;
}

/// Host memory of the box. Pieces change places within rows of 128 bytes, of which the last may be a part.
std::byte* boxHost(exec::WarpState& w, unsigned lane, std::uint64_t box, const TensorMap& map) {
    const std::uint32_t bytes = map.boxBytes();
    return accesses::sharedHost(w, box, lane, map.swizzle == 0 ? bytes : (bytes + 127) / 128 * 128, 16);
}

template <bool Reduces>
void toGlobal(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    w.wrote |= w.exec;
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const TensorMap map = mapOf(w, in, lane);
        const std::uint64_t box = boxOf(w, in, lane);
        const std::byte* host = boxHost(w, lane, box, map);
        if (w.watch != nullptr) accesses::watchLane(w, in, lane, box, map.boxBytes(), Watched::Read);
        countRequest(w, in);
        const Reduction reduction{reductionOf(in.imm >> 32).op, map.element};
        forEachRow(w, in, lane, map, [&](const Row& row) {
            if (row.bytes == 0) return;
            checkBytes(w, in, lane, row.global, row.bytes, map.elementBytes(), Reduces ? "atomic" : "store");
            forEachPiece(map, box, row.place + row.skipped, row.bytes,
                         [&](std::uint64_t place, std::uint32_t offset, std::uint32_t bytes) {
                             auto* target = reinterpret_cast<std::byte*>(row.global + offset);
                             const std::byte* source = host + (place - box);
                             if constexpr (Reduces)
                                 reduce(reduction, target, source, bytes);
                             else
                                 std::memcpy(target, source, bytes);
                         });
            countBytes(w, in, row.global, row.bytes, hierarchy::AccessKind::BulkStore);
        });
    }
}

} // namespace

void tensorToShared(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    w.wrote |= w.exec;
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const TensorMap map = mapOf(w, in, lane);
        const std::uint64_t box = boxOf(w, in, lane);
        const std::uint32_t barrier = w.lanes<std::uint32_t>(in.d)[lane], bytes = map.boxBytes();
        countRequest(w, in);
        forEachRow(w, in, lane, map, [&](const Row& row) {
            if (row.bytes != 0) checkBytes(w, in, lane, row.global, row.bytes, map.elementBytes(), "load");
            countBytes(w, in, row.global, row.bytes, hierarchy::AccessKind::BulkLoad);
        });
        forEachTarget(w, in, lane, [&](std::uint64_t rank) {
            const std::uint64_t block = rank << program::kClusterRankShift;
            std::byte* host = boxHost(w, lane, box | block, map);
            if (w.watch != nullptr) accesses::watchLane(w, in, lane, box, bytes, Watched::Write);
            // What lies outside of the array is zero.
            const std::uint32_t rowBytes = map.box[0] * map.elementBytes();
            forEachRow(w, in, lane, map, [&](const Row& row) {
                const auto fill = [&](std::uint32_t from, std::uint32_t length, const std::byte* source) {
                    forEachPiece(map, box, row.place + from, length,
                                 [&](std::uint64_t place, std::uint32_t offset, std::uint32_t piece) {
                                     std::byte* target = host + (place - box);
                                     if (source == nullptr)
                                         std::memset(target, 0, piece);
                                     else
                                         std::memcpy(target, source + offset, piece);
                                 });
                };
                fill(0, row.skipped, nullptr);
                fill(row.skipped, row.bytes, reinterpret_cast<const std::byte*>(row.global));
                fill(row.skipped + row.bytes, rowBytes - row.skipped - row.bytes, nullptr);
            });
            accesses::completeBytes(w, in, lane, barrier | block, bytes);
        });
    }
}

void tensorToGlobal(instructions::Warp& warp, const instructions::Inst& in) {
    toGlobal<false>(warp, in);
}
void reduceTensorToGlobal(instructions::Warp& warp, const instructions::Inst& in) {
    toGlobal<true>(warp, in);
}

} // namespace dormer::emulator::bulk
