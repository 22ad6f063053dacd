// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/texture_fetch.h"

#include "analysis/access/access_pattern.h"
#include "instrument/emulator/accesses/texture_lanes.h"
#include "instrument/emulator/exec/warp.h"
#include "instrument/emulator/memory/device_memory.h"
#include "instrument/emulator/memory/textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace dormer::emulator::accesses {

namespace {

using Texel = std::array<float, 4>;

/// Texel number in [0, size) of any number by the addressing mode; nothing for the border.
std::optional<std::int64_t> place(std::int64_t index, std::int64_t size, memory::Texture::Address mode) {
    if (index >= 0 && index < size) return index;
    switch (mode) {
    case memory::Texture::Address::Wrap:
        return ((index % size) + size) % size;
    case memory::Texture::Address::Mirror: {
        const std::int64_t turn = ((index % (2 * size)) + 2 * size) % (2 * size);
        return turn < size ? turn : 2 * size - 1 - turn;
    }
    case memory::Texture::Address::Clamp:
        return std::clamp<std::int64_t>(index, 0, size - 1);
    case memory::Texture::Address::Border:
        break;
    }
    return std::nullopt;
}

/// The largest whole number that is not greater, of numbers that fit.
std::int64_t floorOf(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    return whole - (static_cast<double>(whole) > value ? 1 : 0);
}

/// Fetches of lanes that name one texture: the raw bits of four components. `Check` throws when a texel lies
/// outside every allocation.
template <typename Check>
class Fetch {
public:
    Fetch(const memory::Texture& texture, const program::TextureFetch& kind, const Check& checkReadable,
          TexelAddresses& addresses)
        : m_texture(texture)
        , m_kind(kind)
        , m_checkReadable(checkReadable)
        , m_addresses(addresses)
        , m_sizes{sizeOf(texture.width), sizeOf(texture.height), sizeOf(texture.depth)}
        , m_top(static_cast<double>((std::uint64_t{1} << texture.bits) - 1)) {}

    std::array<std::uint32_t, 4> run(const std::array<std::uint32_t, 4>& coordinates) {
        std::size_t first = 0;
        m_layer = 0;
        if (m_kind.layered) {
            const std::int64_t layers = std::max<std::int64_t>(m_texture.depth, 1) / (m_kind.cube ? 6 : 1);
            m_layer =
                std::clamp<std::int64_t>(coordinates[first++], 0, std::max<std::int64_t>(layers, 1) - 1);
        }
        std::array<double, 3> at{};
        std::array<std::int64_t, 3> nearest{};
        std::array<double, 2> onFace{};
        if (m_kind.cube) onFace = meetFace(coordinates.data() + first);
        for (unsigned d = 0; d < m_kind.dimensions; ++d) {
            if (m_kind.integerCoordinates) {
                nearest[d] = static_cast<std::int32_t>(coordinates[first + d]);
                continue;
            }
            at[d] = m_kind.cube ? onFace[d] : double{std::bit_cast<float>(coordinates[first + d])};
            if (m_texture.normalizedCoordinates) at[d] *= static_cast<double>(m_sizes[d]);
            // A coordinate beyond what any texture has, or none at all: the addressing mode takes it from
            // there.
            at[d] = std::isfinite(at[d]) ? std::clamp(at[d], -1e9, 1e9) : 0;
            nearest[d] = floorOf(at[d]);
        }
        if (m_kind.gathers) return gathered(at);
        if (m_texture.linearFilter && !m_kind.integerCoordinates) return bits(filtered(at));
        return raw(nearest);
    }

private:
    /// The face of a cube that a direction meets, and where: CUDA C++ Programming Guide, cubemap textures.
    std::array<double, 2> meetFace(const std::uint32_t* direction) {
        const double x = std::bit_cast<float>(direction[0]), y = std::bit_cast<float>(direction[1]),
                     z = std::bit_cast<float>(direction[2]);
        const double ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
        int face = 0;
        double s = 0, t = 0, m = 1;
        if (ax >= ay && ax >= az) {
            face = x >= 0 ? 0 : 1;
            s = x >= 0 ? -z : z;
            t = -y;
            m = ax;
        } else if (ay >= az) {
            face = y >= 0 ? 2 : 3;
            s = x;
            t = y >= 0 ? z : -z;
            m = ay;
        } else {
            face = z >= 0 ? 4 : 5;
            s = z >= 0 ? x : -x;
            t = -y;
            m = az;
        }
        m_layer = m_layer * 6 + face;
        return {(s / m + 1) / 2, (t / m + 1) / 2};
    }

    static std::int64_t sizeOf(std::uint32_t texels) { return std::max<std::int64_t>(texels, 1); }

    /// Host address of a texel; nothing for one beyond the border.
    std::optional<std::uint64_t> addressOf(const std::array<std::int64_t, 3>& index) {
        std::array<std::int64_t, 3> inside{};
        for (unsigned d = 0; d < m_kind.dimensions; ++d) {
            const bool plain = m_texture.plainMemory;
            const auto found = place(index[d], m_sizes[d],
                                     plain ? memory::Texture::Address::Border : m_texture.addressing[d]);
            if (!found) return std::nullopt;
            inside[d] = *found;
        }
        const std::int64_t slice = m_kind.layered || m_kind.cube ? m_layer : inside[2];
        const std::uint64_t address =
            m_texture.address + static_cast<std::uint64_t>(slice * m_sizes[1] + inside[1]) * m_texture.pitch +
            static_cast<std::uint64_t>(inside[0]) * m_texture.elementBytes();
        m_checkReadable(address);
        m_addresses.all[m_addresses.count++] = address;
        return address;
    }

    template <typename T>
    static T read(const std::byte* at) {
        T value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }

    [[nodiscard]] std::uint32_t component(std::uint64_t address, unsigned k) const {
        const std::byte* const at = reinterpret_cast<const std::byte*>(address) + k * (m_texture.bits / 8);
        if (m_texture.bits == 32) return read<std::uint32_t>(at);
        return m_texture.bits == 16 ? read<std::uint16_t>(at) : read<std::uint8_t>(at);
    }

    [[nodiscard]] float asFloat(std::uint32_t value) const {
        if (m_texture.channel == memory::Texture::Channel::Float)
            return m_texture.bits == 16 ? halfToFloat(static_cast<std::uint16_t>(value))
                                        : std::bit_cast<float>(value);
        const unsigned bits = m_texture.bits;
        if (m_texture.channel == memory::Texture::Channel::Unsigned) return static_cast<float>(value / m_top);
        const auto number = static_cast<std::int32_t>(value << (32 - bits)) >> (32 - bits);
        return static_cast<float>(std::max(-1.0, number / std::floor(m_top / 2)));
    }

    Texel texel(const std::array<std::int64_t, 3>& index) {
        const std::optional<std::uint64_t> address = addressOf(index);
        if (!address) return m_texture.border;
        Texel result{0, 0, 0, 1};
        for (unsigned k = 0; k < m_texture.components; ++k)
            result[k] = asFloat(component(*address, k));
        return result;
    }

    /// Weights have 8 bits of fraction (CUDA C++ Programming Guide, linear filtering).
    Texel filtered(const std::array<double, 3>& at) {
        std::array<std::int64_t, 3> low{};
        std::array<double, 3> weight{};
        for (unsigned d = 0; d < m_kind.dimensions; ++d) {
            const double shifted = at[d] - 0.5;
            low[d] = floorOf(shifted);
            const double part = (shifted - static_cast<double>(low[d])) * 256;
            const std::int64_t whole = floorOf(part); // and halves go up
            weight[d] = static_cast<double>(whole + (part - static_cast<double>(whole) >= 0.5 ? 1 : 0)) / 256;
        }
        Texel sum{};
        for (unsigned corner = 0; corner < 1u << m_kind.dimensions; ++corner) {
            std::array<std::int64_t, 3> index{};
            double share = 1;
            for (unsigned d = 0; d < m_kind.dimensions; ++d) {
                const bool high = ((corner >> d) & 1) != 0;
                index[d] = low[d] + (high ? 1 : 0);
                share *= high ? weight[d] : 1 - weight[d];
            }
            if (share == 0) continue;
            const Texel value = texel(index);
            for (unsigned k = 0; k < sum.size(); ++k)
                sum[k] += static_cast<float>(share * static_cast<double>(value[k]));
        }
        return sum;
    }

    /// One component of the four texels around a place, against the clock from the lower left (PTX, tld4).
    std::array<std::uint32_t, 4> gathered(const std::array<double, 3>& at) {
        const std::int64_t x = floorOf(at[0] - 0.5), y = floorOf(at[1] - 0.5);
        return {raw({x, y + 1, 0})[*m_kind.gathers], raw({x + 1, y + 1, 0})[*m_kind.gathers],
                raw({x + 1, y, 0})[*m_kind.gathers], raw({x, y, 0})[*m_kind.gathers]};
    }

    static std::array<std::uint32_t, 4> bits(const Texel& texel) {
        std::array<std::uint32_t, 4> result{};
        for (unsigned k = 0; k < 4; ++k)
            result[k] = std::bit_cast<std::uint32_t>(texel[k]);
        return result;
    }

    std::array<std::uint32_t, 4> raw(const std::array<std::int64_t, 3>& index) {
        if (m_texture.channel == memory::Texture::Channel::Float || m_texture.readsNormalizedFloat)
            return bits(texel(index));
        const std::optional<std::uint64_t> address = addressOf(index);
        std::array<std::uint32_t, 4> result{0, 0, 0, 1};
        for (unsigned k = 0; k < m_texture.components; ++k) {
            std::uint32_t value =
                address ? component(*address, k) : static_cast<std::uint32_t>(m_texture.border[k]);
            if (m_texture.channel == memory::Texture::Channel::Signed && m_texture.bits < 32)
                value = static_cast<std::uint32_t>(
                    static_cast<std::int32_t>(value << (32 - m_texture.bits)) >> (32 - m_texture.bits));
            result[k] = value;
        }
        return result;
    }

    const memory::Texture& m_texture;
    const program::TextureFetch& m_kind;
    const Check& m_checkReadable;
    TexelAddresses& m_addresses;
    const std::array<std::int64_t, 3> m_sizes;
    const double m_top; ///< largest integer of a component
    std::int64_t m_layer = 0;
};

/// All lanes at once, where they name one texture and its memory is all there; else false, and nothing is
/// done.
bool fetchTogether(exec::WarpState& w, const instructions::Inst& in, const program::TextureFetch& kind,
                   TexelAddresses& addresses, unsigned& width) {
    const auto* handles = w.lanes<std::uint64_t>(in.a);
    const std::uint64_t handle = handles[std::countr_zero(w.exec)];
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        if (handles[i] != handle && ((w.exec >> i) & 1) != 0) return false;
    const memory::Texture* texture = memory::TextureTable::instance().find(handle);
    if (texture == nullptr) return false;
    const std::optional<memory::Allocation> readable = w.memory->find(texture->address);
    if (!readable) return false;
    LaneFetch fetch{.texture = *texture,
                    .kind = kind,
                    .mask = w.exec,
                    .begin = readable->address,
                    .end = readable->end(),
                    .addresses = addresses};
    for (unsigned k = 0; k < fetch.results.size(); ++k) {
        if (k < in.moreCount - 4u) fetch.coordinates[k] = w.lanes<std::uint32_t>(in.more[4 + k]);
        if (in.more[k].present()) fetch.results[k] = w.lanes<std::uint32_t>(in.more[k]);
    }
    width = texture->elementBytes();
    return fetchLanes(fetch);
}

} // namespace

void fetchTexture(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    const program::TextureFetch& kind = *reinterpret_cast<const program::TextureFetch*>(in.imm);
    const auto* handles = w.lanes<std::uint64_t>(in.a);
    const unsigned coordinates = std::min(in.moreCount - 4u, 4u);
    TexelAddresses addresses;
    unsigned width = 4;
    // Of the allocation that was read last: its memory may be gone, or smaller than the texture was said to
    // be.
    std::uint64_t begin = 0, end = 0;
    unsigned lane = 0;
    const auto checkReadable = [&](std::uint64_t address) {
        if (address >= begin && address + width <= end) return;
        const std::optional<memory::Allocation> found = w.memory->find(address);
        if (!found || address + width > found->end())
            throw exec::FaultSignal{
                memory::Fault::Kind::IllegalAddress, lane, address,
                fmt::format("a texture read at {:#x} lies outside every allocation", address)};
        begin = found->address;
        end = found->end();
    };
    std::optional<Fetch<decltype(checkReadable)>> fetch;
    std::uint64_t handle = 0;
    const bool together = fetchTogether(w, in, kind, addresses, width);
    for (std::uint32_t rest = together ? 0 : w.exec; rest != 0; rest &= rest - 1) {
        lane = static_cast<unsigned>(std::countr_zero(rest));
        if (!fetch || handles[lane] != handle) { // lanes name one texture, as a rule
            handle = handles[lane];
            const memory::Texture* texture = memory::TextureTable::instance().find(handle);
            if (texture == nullptr)
                throw exec::FaultSignal{memory::Fault::Kind::IllegalAddress, lane, handle,
                                        fmt::format("{:#x} is no texture object", handle)};
            width = texture->elementBytes();
            fetch.emplace(*texture, kind, checkReadable, addresses);
        }
        std::array<std::uint32_t, 4> at{};
        for (unsigned k = 0; k < coordinates; ++k)
            at[k] = w.lanes<std::uint32_t>(in.more[4 + k])[lane];
        const std::array<std::uint32_t, 4> result = fetch->run(at);
        for (unsigned k = 0; k < result.size(); ++k)
            if (in.more[k].present()) w.lanes<std::uint32_t>(in.more[k])[lane] = result[k];
    }
    if (w.port == nullptr) return;
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    const auto lanes = static_cast<unsigned>(std::popcount(w.exec));
    ++counts.executions;
    counts.threads += lanes;
    unsigned sectors = 0;
    // A filtered fetch reads several texels a lane: in groups of 32, whose lines differ from group to group
    // as a rule.
    for (std::size_t first = 0; first < addresses.count; first += instructions::kLanes) {
        const std::size_t group = std::min<std::size_t>(instructions::kLanes, addresses.count - first);
        std::uint64_t part[instructions::kLanes] = {};
        std::copy_n(addresses.all.begin() + first, group, part);
        access::LineAccess lines[access::kMaxLines];
        const std::uint32_t mask =
            group == instructions::kLanes ? instructions::kAllLanes : (1u << group) - 1;
        const access::Coalesced result = access::coalesce(part, mask, width, lines);
        sectors += result.sectors;
        counts.lines += result.lines;
        w.port->access(hierarchy::AccessKind::Load, lines, result.lines);
    }
    counts.sectors += sectors;
    counts.sectorsIdeal += access::idealSectors(lanes, width, sectors);
}

} // namespace dormer::emulator::accesses
