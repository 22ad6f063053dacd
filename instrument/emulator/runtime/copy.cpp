// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/copy.h"

#include <fmt/format.h>

#include <cstring>

namespace dormer::emulator::runtime {

namespace {

std::size_t span(const Rows& rows, std::size_t widthBytes, std::size_t height, std::size_t depth) {
    return (depth - 1) * rows.slice + (height - 1) * rows.pitch + widthBytes;
}

bool isDeviceSide(cudaMemcpyKind kind, bool destination) {
    return kind == cudaMemcpyDeviceToDevice ||
           kind == (destination ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

Outcome<Rows> sideOf(const ArrayTable& arrays, cudaArray_const_t handle, const cudaPitchedPtr& pointer,
                     const cudaPos& position, std::size_t& elementBytes, const cudaExtent& extent) {
    if (handle == nullptr) {
        if (pointer.ptr == nullptr) return fails(cudaErrorInvalidValue);
        Rows rows{static_cast<std::byte*>(pointer.ptr), pointer.pitch, pointer.pitch * pointer.ysize};
        rows.start += position.z * rows.slice + position.y * rows.pitch + position.x;
        return rows;
    }
    const Array* array = arrays.find(handle);
    if (array == nullptr) return fails(cudaErrorInvalidResourceHandle);
    if (position.x + extent.width > array->extent.width || position.y + extent.height > array->rows() ||
        position.z + extent.depth > array->slices())
        return fails(cudaErrorInvalidValue);
    elementBytes = array->elementBytes;
    Rows rows{reinterpret_cast<std::byte*>(array->address), array->pitch, array->pitch * array->rows()};
    rows.start += position.z * rows.slice + position.y * rows.pitch + position.x * array->elementBytes;
    return rows;
}

} // namespace

void Copy::run() const {
    if (widthBytes == 0) return;
    const bool dense = to.pitch == widthBytes && from.pitch == widthBytes;
    for (std::size_t z = 0; z < depth; ++z) {
        std::byte* target = to.start + z * to.slice;
        const std::byte* source = from.start + z * from.slice;
        if (dense || height == 1) {
            std::memmove(target, source, widthBytes * height);
            continue;
        }
        for (std::size_t y = 0; y < height; ++y)
            std::memmove(target + y * to.pitch, source + y * from.pitch, widthBytes);
    }
}

void Fill::run() const {
    for (std::size_t z = 0; z < depth; ++z) {
        for (std::size_t y = 0; y < height; ++y) {
            std::byte* row = to.start + z * to.slice + y * to.pitch;
            if (elementBytes == 1) {
                std::memset(row, static_cast<int>(value & 0xFF), width);
                continue;
            }
            for (std::size_t x = 0; x < width; ++x)
                std::memcpy(row + x * elementBytes, &value, elementBytes); // little-endian, like the device
        }
    }
}

bool CopyMaker::holds(const void* start, std::size_t bytes) const {
    const auto address = reinterpret_cast<std::uint64_t>(start);
    const std::optional<memory::Allocation> allocation = m_memory.find(address);
    return allocation && bytes <= allocation->end() - address;
}

std::optional<Failure> CopyMaker::check(const Copy& copy, cudaMemcpyKind kind, bool toArray,
                                        bool fromArray) const {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return Failure{cudaErrorInvalidMemcpyDirection, {}, {}};
    if (copy.widthBytes == 0 || copy.height == 0 || copy.depth == 0) return std::nullopt;
    const auto refused = [&](const Rows& side, bool destination, bool array) -> std::optional<Failure> {
        if (array) return std::nullopt; // checked against its extent
        const std::size_t bytes = span(side, copy.widthBytes, copy.height, copy.depth);
        const auto address = reinterpret_cast<std::uint64_t>(side.start);
        const std::optional<memory::Allocation> allocation = m_memory.find(address);
        const bool deviceSide = isDeviceSide(kind, destination);
        if (allocation ? bytes <= allocation->end() - address : !deviceSide && side.start != nullptr)
            return std::nullopt;
        return Failure{
            cudaErrorInvalidValue, "emulator-copy",
            fmt::format("a copy {} {} bytes at {:#x}, {}", destination ? "writes" : "reads", bytes, address,
                        allocation ? fmt::format("{} past the end of the {}-byte allocation at {:#x}",
                                                 address + bytes - allocation->end(), allocation->bytes,
                                                 allocation->address)
                                   : std::string("which is no device memory"))};
    };
    if (auto failure = refused(copy.to, true, toArray)) return failure;
    return refused(copy.from, false, fromArray);
}

Outcome<Copy> CopyMaker::linear(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) const {
    return pitched(to, bytes, from, bytes, bytes, 1, kind);
}

Outcome<Copy> CopyMaker::pitched(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                                 std::size_t width, std::size_t height, cudaMemcpyKind kind) const {
    if (height > 1 && (width > toPitch || width > fromPitch)) return fails(cudaErrorInvalidPitchValue);
    Copy copy{{static_cast<std::byte*>(to), toPitch, 0},
              {static_cast<std::byte*>(const_cast<void*>(from)), fromPitch, 0}, // NOLINT: only read
              width,
              height,
              1};
    if (auto failure = check(copy, kind, false, false)) return std::unexpected(std::move(*failure));
    if (height == 0) copy.widthBytes = 0;
    return copy;
}

Outcome<Copy> CopyMaker::general(const cudaMemcpy3DParms& parameters) const {
    // Extents and positions count elements where an array takes part, bytes elsewhere.
    std::size_t elementBytes = 0;
    const cudaExtent& extent = parameters.extent;
    Outcome<Rows> to =
        sideOf(m_arrays, parameters.dstArray, parameters.dstPtr, parameters.dstPos, elementBytes, extent);
    if (!to) return std::unexpected(to.error());
    Outcome<Rows> from =
        sideOf(m_arrays, parameters.srcArray, parameters.srcPtr, parameters.srcPos, elementBytes, extent);
    if (!from) return std::unexpected(from.error());
    Copy copy{*to, *from, extent.width * (elementBytes == 0 ? 1 : elementBytes), extent.height, extent.depth};
    if (copy.height > 1 && (copy.widthBytes > to->pitch || copy.widthBytes > from->pitch))
        return fails(cudaErrorInvalidPitchValue);
    if (auto failure =
            check(copy, parameters.kind, parameters.dstArray != nullptr, parameters.srcArray != nullptr))
        return std::unexpected(std::move(*failure));
    if (copy.height == 0 || copy.depth == 0) copy.widthBytes = 0;
    return copy;
}

Outcome<Fill> CopyMaker::fill(const cudaPitchedPtr& to, unsigned value, unsigned elementBytes,
                              cudaExtent extent) const {
    if (elementBytes != 1 && elementBytes != 2 && elementBytes != 4) return fails(cudaErrorInvalidValue);
    const std::size_t widthBytes = extent.width * elementBytes;
    if (extent.height > 1 && widthBytes > to.pitch) return fails(cudaErrorInvalidPitchValue);
    Fill fill{{static_cast<std::byte*>(to.ptr), to.pitch, to.pitch * to.ysize},
              value,
              elementBytes,
              extent.width,
              extent.height,
              extent.depth};
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) {
        fill.width = fill.height = fill.depth = 0;
        return fill;
    }
    const std::size_t bytes = span(fill.to, widthBytes, extent.height, extent.depth);
    if (!holds(to.ptr, bytes))
        return fails(cudaErrorInvalidValue, "emulator-copy",
                     fmt::format("a memset of {} bytes at {} leaves device memory", bytes, fmt::ptr(to.ptr)));
    return fill;
}

} // namespace dormer::emulator::runtime
