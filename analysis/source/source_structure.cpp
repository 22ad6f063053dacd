// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source/source_structure.h"

#include "analysis/lines/line_class.h"
#include "analysis/source/source_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace dormer::source {

namespace {

/// The widest access there is.
constexpr std::int64_t kWidest = 16;

/// Bytes between what neighbouring lanes take; 0 when that is not one distance.
std::int64_t strideBytes(const session::LineCounts& access) {
    const access::AccessClass seen = lines::classOf(access).access;
    return seen.shape == access::AccessShape::Strided ? seen.stride * access.widthBytes.value_or(0) : 0;
}

/// What the launch takes of each structure of that size, in bytes. Loads and stores of a member count once,
/// those of several arrays of such structures as if they were one: too many rather than too few.
std::int64_t usedBytes(std::span<const session::LineCounts> lines, std::int64_t size) {
    std::int64_t loaded = 0, stored = 0;
    for (const session::LineCounts& line : lines) {
        if (line.space != session::MemorySpace::Global || strideBytes(line) != size) continue;
        (line.op == session::MemoryOperation::Store ? stored : loaded) += line.widthBytes.value_or(0);
    }
    return std::max(loaded, stored);
}

std::int64_t widestMember(std::span<const session::LineCounts> lines, std::int64_t size) {
    std::int64_t widest = 1;
    for (const session::LineCounts& line : lines)
        if (line.space == session::MemorySpace::Global && strideBytes(line) == size)
            widest = std::max<std::int64_t>(widest, line.widthBytes.value_or(0));
    return widest;
}

} // namespace

std::string structureText(const SourceSite& site, const Subscript& subscript,
                          const session::LineCounts& access, std::span<const session::LineCounts> lines) {
    const auto index = resolveIndex(site.scope, flatIndex(site, subscript));
    const auto steps = index ? stepsOf(site, index->expression) : std::nullopt;
    if (!steps || std::abs(steps->threadX) != 1) return {};
    const std::int64_t size = strideBytes(access), used = usedBytes(lines, size);
    if (size == 0 || used == 0) return {};
    // What may fill up a structure to the size of its widest member is no member.
    if (used + widestMember(lines, size) <= size)
        return fmt::format(
            "`{}`{}: the kernel uses {} of the {} bytes of each structure: split the array of "
            "structures `{}` into one array per member (SoA), so that consecutive threads access "
            "consecutive words",
            subscript.text, site.away, used, size, subscript.name);
    if (size <= kWidest && std::has_single_bit(static_cast<std::uint64_t>(size)) &&
        access.widthBytes.value_or(0) < size) {
        const std::string type = site.source->elementType(*site.function, subscript.name);
        if (type.empty() || !site.source->declaresStructure(type)) return {};
        return fmt::format(
            "`{0}`{1}: the kernel uses all {2} bytes of each structure, {3} at a time: declare "
            "`struct __align__({2}) {4}` instead of `struct {4}`, so that one access takes it whole",
            subscript.text, site.away, size, *access.widthBytes, type);
    }
    return fmt::format(
        "`{}`{}: the kernel uses all {} bytes of each structure, {} at a time: split the array of "
        "structures `{}` into one array per member (SoA), or copy it to shared memory in "
        "consecutive words first",
        subscript.text, site.away, size, *access.widthBytes, subscript.name);
}

} // namespace dormer::source
