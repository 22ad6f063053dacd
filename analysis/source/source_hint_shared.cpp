// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/lane_pattern.h"
#include "analysis/source/source_hint.h"
#include "analysis/source/source_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace dormer::source {

namespace {

/// What the source says and what was counted may differ by this share: blocks at an edge do.
constexpr double kNear = 0.03;
constexpr std::int64_t kMostSharedBytes = std::int64_t{1} << 18;
/// Arrays of a fixed size together: CUDA C++ Programming Guide, compute capabilities.
constexpr std::uint64_t kMostStaticBytes = std::uint64_t{48} << 10;

/// How rows of an array are laid out: their length in elements, and whether the column is combined with the
/// row.
struct Layout {
    std::int64_t pitch = 0;
    bool swizzled = false;
    std::int64_t columns = 0; ///< that an index may name: one beyond is in the next row. 0: any
};

struct ArrayAccess {
    Subscript written;
    access::IndexExpression row, column; ///< of one-dimensional arrays the row is 0
    unsigned width = 4;                  ///< of an element
};

std::optional<unsigned> elementWidth(std::string_view type) {
    std::string name;
    for (std::size_t at = 0; at < type.size();) {
        std::size_t end = std::min(type.find(' ', at), type.size());
        const std::string_view word = type.substr(at, end - at);
        if (word.ends_with(')') || word == "volatile" || word == "const" || word == "extern" ||
            word.empty() || word.starts_with("alignas") || word.starts_with("__align__")) {
        } else if (word == "unsigned" || word == "signed" || word == "std::") {
            if (name.empty()) name = "unsigned";
        } else {
            name = word.starts_with("std::") ? word.substr(5) : word;
        }
        at = end + 1;
    }
    return access::widthOfType(name);
}

/// Not by the magnitude: the lowest number has none.
bool isFar(std::int64_t element) {
    return element > kMostSharedBytes || element < -kMostSharedBytes;
}

/// Byte addresses of a warp; absent outside of what shared memory can be.
std::optional<std::array<std::uint32_t, access::kWarpLanes>>
addressesOf(const LaneElements& rows, const LaneElements& columns, unsigned width, Layout layout) {
    std::array<std::uint32_t, access::kWarpLanes> addresses{};
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane) {
        if ((columns.mask >> lane & 1U) == 0) continue;
        std::int64_t column = columns.element[lane];
        const std::int64_t row = rows.element[lane];
        if (isFar(row) || isFar(column)) return std::nullopt;
        if (layout.columns > 0 && (column < 0 || column >= layout.columns)) return std::nullopt;
        if (layout.swizzled) column ^= row & (layout.pitch - 1);
        const std::int64_t address = (row * layout.pitch + column) * width;
        if (address < 0 || address > kMostSharedBytes) return std::nullopt;
        addresses[lane] = static_cast<std::uint32_t>(address);
    }
    return addresses;
}

/// Wavefronts of an average request in a layout, and without conflicts.
struct Wavefronts {
    double actual = 0, ideal = 0;
};
std::optional<Wavefronts> wavefrontsOf(const SourceSite& site, const ArrayAccess& access, bool store,
                                       Layout layout, std::string* conflict = nullptr) {
    Wavefronts sum;
    const auto warps = static_cast<unsigned>(std::min<std::uint64_t>(
        (site.block.count() + access::kWarpLanes - 1) / access::kWarpLanes, access::kWarpLanes));
    unsigned worst = 0;
    for (unsigned warp = 0; warp < warps; ++warp) {
        const auto rows = elementsOf(access.row, site.block, site.grid, warp);
        const auto columns = elementsOf(access.column, site.block, site.grid, warp);
        if (!rows || !columns) return std::nullopt;
        const auto addresses = addressesOf(*rows, *columns, access.width, layout);
        if (!addresses) return std::nullopt;
        const unsigned count =
            store ? access::sharedStoreWavefronts(addresses->data(), columns->mask, access.width)
                  : access::sharedLoadWavefronts(addresses->data(), columns->mask, access.width);
        sum.actual += count;
        sum.ideal +=
            access::idealWavefronts(static_cast<unsigned>(std::popcount(columns->mask)), access.width, count);
        if (conflict != nullptr && count > worst) {
            worst = count;
            *conflict = conflictingLanes(*addresses, columns->mask, access.width);
        }
    }
    if (warps == 0) return std::nullopt;
    return Wavefronts{sum.actual / warps, sum.ideal / warps};
}

std::optional<ArrayAccess> resolved(const SourceSite& site, const Subscript& subscript,
                                    const SharedArray& array, unsigned width) {
    if (subscript.call || subscript.indices.size() != array.dimensions.size()) return std::nullopt;
    const auto at = [&](const std::string& text) -> std::optional<access::IndexExpression> {
        const IndexScope here{site.scope.source, site.scope.function, subscript.line,
                              site.scope.templateArguments};
        auto index = resolveIndex(here, text);
        if (!index || !index->unknown.empty()) return std::nullopt; // where its rows begin is not known
        return std::move(index->expression);
    };
    auto last = at(subscript.indices.back());
    auto first = subscript.indices.size() == 2 ? at(subscript.indices.front()) : at("0");
    if (!last || !first) return std::nullopt;
    return ArrayAccess{subscript, std::move(*first), std::move(*last), width};
}

/// An array, the access in question, and all accesses to it in the function that could be resolved.
struct ArrayUse {
    SharedArray array;
    ArrayAccess access;
    std::vector<ArrayAccess> all;
    std::int64_t pitch = 0;
    bool complete = true; ///< all accesses could be resolved, and nothing else uses the array
};

/// Longer rows still fit in what a kernel may have of arrays with a fixed size.
bool fits(const SourceSite& site, const ArrayUse& use, int more) {
    const auto rows = constantValue(site.scope, use.array.dimensions[0]);
    if (!rows || *rows < 0 || *rows > kMostSharedBytes) return false;
    const std::uint64_t added = static_cast<std::uint64_t>(*rows) * more * use.access.width;
    return site.staticSharedBytes + added <= kMostStaticBytes;
}

/// True if the layout removes all conflicts from the access and makes no other access worse.
bool helps(const SourceSite& site, const ArrayUse& use, bool store, Layout layout) {
    const auto after = wavefrontsOf(site, use.access, store, layout);
    if (!after || after->actual > after->ideal * (1 + kNear)) return false;
    for (const ArrayAccess& other : use.all) {
        for (const bool asStore : {false, true}) {
            if (asStore ? !other.written.written : !other.written.read) continue;
            const auto before = wavefrontsOf(site, other, asStore, {use.pitch, false});
            const auto then = wavefrontsOf(site, other, asStore, layout);
            if (!before || !then || then->actual > before->actual * (1 + kNear)) return false;
        }
    }
    return true;
}

std::string paddedBy(const std::string& dimension, int more) {
    const bool number = std::ranges::all_of(dimension, [](unsigned char c) { return std::isdigit(c) != 0; });
    return number ? fmt::format("{}", std::stoll(dimension) + more) : fmt::format("{} + {}", dimension, more);
}

/// The same distance in 4-byte words between all neighbouring lanes; 0 when there is none such.
std::int64_t wordStep(const SourceSite& site, const ArrayAccess& access, Layout layout) {
    const auto rows = elementsOf(access.row, site.block, site.grid, 0);
    const auto columns = elementsOf(access.column, site.block, site.grid, 0);
    if (!rows || !columns || columns->mask != 0xFFFFFFFF) return 0;
    const auto element = [&](unsigned lane) {
        return rows->element[lane] * layout.pitch + columns->element[lane];
    };
    const std::int64_t step = element(1) - element(0);
    for (unsigned lane = 2; lane < access::kWarpLanes; ++lane)
        if (element(lane) - element(lane - 1) != step) return 0;
    return step * access.width / 4;
}

std::string changeOf(const SourceSite& site, const ArrayUse& use, bool store, const std::string& conflict) {
    const std::string& name = use.access.written.name;
    const std::string because = fmt::format("now {}", conflict);
    const bool twoDimensional = use.array.dimensions.size() == 2;
    const bool padded = use.pitch % 8 != 0; // padded by hand already
    if (twoDimensional && use.complete && !padded) {
        const std::string& rows = use.array.dimensions[0];
        const std::string& row = use.array.dimensions[1];
        for (int more = 1; more <= 4; ++more)
            if (fits(site, use, more) && helps(site, use, store, {use.pitch + more, false, use.pitch}))
                return fmt::format("pad `{0}[{1}][{2}]` to `{0}[{1}][{3}]`{4}: {5}", name, rows, row,
                                   paddedBy(row, more), site.away, because);
        if (std::has_single_bit(static_cast<std::uint64_t>(use.pitch)) &&
            helps(site, use, store, {use.pitch, true, use.pitch})) {
            const bool number = row.find_first_not_of("0123456789") == std::string::npos;
            const std::string mask = number ? fmt::format("{}", use.pitch - 1) : fmt::format("({} - 1)", row);
            return fmt::format(
                "swizzle `{0}`{1}: `{0}[r][(c) ^ ((r) & {2})]` instead of `{0}[r][c]` at every "
                "access; {3}, and padding does not remove it",
                name, site.away, mask, because);
        }
    }
    std::string text = fmt::format("`{}`{}: {}", use.access.written.text, site.away, conflict);
    if (site.block.x < access::kWarpLanes && site.block.x > 0 && site.block.y > 1)
        text += fmt::format("; a warp covers {} rows of a block {} wide", access::kWarpLanes / site.block.x,
                            site.block.x);
    const std::int64_t step = std::abs(wordStep(site, use.access, {use.pitch, false}));
    if (step > 1 && step % 2 == 0)
        text +=
            fmt::format("; consecutive lanes are {} words apart: give them consecutive words, or make the "
                        "stride odd",
                        step);
    return text;
}

std::optional<ArrayUse> useOf(const SourceSite& site, const std::vector<Subscript>& subscripts,
                              const Subscript& subscript) {
    auto array = site.source->sharedArray(*site.function, subscript.name);
    if (!array || array->dimensions.empty() || array->dimensions.size() > 2) return std::nullopt;
    const auto width = elementWidth(array->type);
    if (!width) return std::nullopt;
    auto access = resolved(site, subscript, *array, *width);
    if (!access) return std::nullopt;
    ArrayUse use{std::move(*array), std::move(*access), {}};
    use.complete = site.source->isUsedByElement(*site.function, subscript.name);
    if (use.array.dimensions.size() == 2) {
        const auto pitch = constantValue(site.scope, use.array.dimensions[1]);
        if (!pitch || *pitch <= 0 || *pitch > kMostSharedBytes) return std::nullopt;
        use.pitch = *pitch;
    }
    for (const Subscript& other : subscripts) {
        if (other.name != subscript.name) continue;
        if (auto also = resolved(site, other, use.array, *width))
            use.all.push_back(std::move(*also));
        else
            use.complete = false;
    }
    return use;
}

std::string atSite(const SourceSite& site, const session::LineCounts& access) {
    const bool store = access.op == session::MemoryOperation::Store;
    const auto executions = static_cast<double>(*access.executions);
    const double counted = static_cast<double>(*access.wavefronts) / executions;
    const std::vector<Subscript> subscripts = site.source->subscriptsIn(*site.function);
    std::string change;
    for (const Subscript& subscript : subscripts) {
        if (subscript.line != site.scope.line || (store ? !subscript.written : !subscript.read)) continue;
        const auto use = useOf(site, subscripts, subscript);
        if (!use || use->access.width != access.widthBytes.value_or(0)) continue;
        std::string conflict;
        const auto asWritten = wavefrontsOf(site, use->access, store, {use->pitch, false}, &conflict);
        if (!asWritten || conflict.empty() || std::abs(asWritten->actual - counted) > kNear * counted)
            continue;
        const std::string here = changeOf(site, *use, store, conflict);
        if (!change.empty() && change != here) return {}; // which of them it is can't be told
        change = here;
    }
    return change;
}

} // namespace

std::string bankConflictChange(const session::Session& session, session::LaunchIndex launch,
                               const session::LineCounts& access) {
    if (!access.executions || *access.executions == 0 || !access.wavefronts ||
        (access.op != session::MemoryOperation::Load && access.op != session::MemoryOperation::Store))
        return {};
    std::string change =
        firstAnswer(session, launch, access, [&](const SourceSite& site) { return atSite(site, access); });
    if (!change.empty()) return change;
    const session::LaneSample& sample = access.lanes;
    if (!sample.seen()) return {};
    std::array<std::uint32_t, access::kWarpLanes> addresses{};
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane)
        addresses[lane] = static_cast<std::uint32_t>(sample.address[lane]);
    const std::string conflict = conflictingLanes(addresses, sample.mask, access.widthBytes.value_or(4));
    return conflict.empty() ? conflict : conflict + ": give them words in different banks";
}

} // namespace dormer::source
