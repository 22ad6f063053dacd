// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/memory_tables.h"
#include "instrument/emulator/accesses/texture_lanes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

/// Texture fetches of a warp by vectors: the same arithmetic in the same order as lane by lane
/// (texture_fetch.cpp), which also says where its rules come from.
namespace dormer::emulator::accesses {
inline namespace DORMER_ISA {
namespace {

constexpr unsigned kLanes = instructions::kLanes, kMostCorners = 8;

using Numbers = std::int32_t[kLanes];
using Doubles = double[kLanes];

/// The largest whole number that is not greater, of numbers within +-1e9.
[[gnu::always_inline]] inline std::int32_t floorOf(double value) {
    const auto whole = static_cast<std::int32_t>(value);
    return whole - (static_cast<double>(whole) > value ? 1 : 0);
}

std::int32_t around(std::int32_t index, std::int32_t size, memory::Texture::Address mode) {
    const std::int64_t wide = index, period = mode == memory::Texture::Address::Mirror ? 2LL * size : size;
    const std::int64_t turn = (wide % period + period) % period;
    return static_cast<std::int32_t>(turn < size ? turn : period - 1 - turn);
}

/// Texel numbers brought into [0, size) by the addressing mode; `inside` loses lanes beyond a border.
void place(Numbers& index, std::int32_t size, memory::Texture::Address mode,
           std::uint32_t (&inside)[kLanes]) {
    if (mode == memory::Texture::Address::Clamp) {
        for (unsigned i = 0; i < kLanes; ++i)
            index[i] = std::max(0, std::min(index[i], size - 1));
        return;
    }
    std::uint32_t out = 0;
    for (unsigned i = 0; i < kLanes; ++i)
        out |= static_cast<std::uint32_t>(index[i]) >= static_cast<std::uint32_t>(size) ? 1 : 0;
    if (out == 0) return;
    for (unsigned i = 0; i < kLanes; ++i) {
        if (static_cast<std::uint32_t>(index[i]) < static_cast<std::uint32_t>(size)) continue;
        if (mode == memory::Texture::Address::Border) {
            inside[i] = 0;
            index[i] = 0;
        } else {
            index[i] = around(index[i], size, mode);
        }
    }
}

class Lanes {
public:
    explicit Lanes(const LaneFetch& fetch)
        : m_fetch(fetch)
        , m_texture(fetch.texture)
        , m_kind(fetch.kind)
        , m_dimensions(fetch.kind.dimensions)
        , m_filters(fetch.texture.linearFilter && !fetch.kind.integerCoordinates)
        , m_corners(m_filters ? 1U << fetch.kind.dimensions : 1)
        , m_size{sizeOf(m_texture.width), sizeOf(m_texture.height), sizeOf(m_texture.depth)} {}

    bool run() {
        readCoordinates();
        for (unsigned corner = 0; corner < m_corners; ++corner)
            locate(corner);
        if (!readable()) return false;
        listAddresses();
        const bool floats =
            m_texture.channel == memory::Texture::Channel::Float || m_texture.readsNormalizedFloat;
        for (unsigned k = 0; k < m_fetch.results.size(); ++k) {
            if (m_fetch.results[k] == nullptr) continue;
            if (m_filters)
                filter(k);
            else if (floats)
                storeFloats(k);
            else
                storeIntegers(k);
        }
        return true;
    }

private:
    static std::int32_t sizeOf(std::uint32_t texels) {
        return static_cast<std::int32_t>(std::max<std::uint32_t>(texels, 1));
    }

    void readCoordinates() {
        unsigned first = 0;
        if (m_kind.layered) {
            const std::uint32_t last = std::max<std::uint32_t>(m_texture.depth, 1) - 1;
            for (unsigned i = 0; i < kLanes; ++i)
                m_layer[i] = std::min(m_fetch.coordinates[0][i], last);
            first = 1;
        }
        for (unsigned d = 0; d < m_dimensions; ++d) {
            const std::uint32_t* const from = m_fetch.coordinates[first + d];
            if (m_kind.integerCoordinates) {
                std::memcpy(m_low[d], from, sizeof m_low[d]);
                continue;
            }
            const double scale = m_texture.normalizedCoordinates ? static_cast<double>(m_size[d]) : 1;
            const double shift = m_filters ? 0.5 : 0;
            Doubles at;
            for (unsigned i = 0; i < kLanes; ++i) {
                const double exact = static_cast<double>(std::bit_cast<float>(from[i])) * scale;
                const double limited = std::min(std::max(exact, -1e9), 1e9);
                at[i] = (std::abs(exact) <= 1e300 ? limited : 0) - shift; // 0 for what is no number
                m_low[d][i] = floorOf(at[i]);
            }
            for (unsigned i = 0; m_filters && i < kLanes; ++i) {
                const double part = (at[i] - static_cast<double>(m_low[d][i])) * 256;
                const std::int32_t whole = floorOf(part);
                m_weight[d][i] =
                    static_cast<double>(whole + (part - static_cast<double>(whole) >= 0.5 ? 1 : 0)) / 256;
            }
        }
    }

    /// Addresses and shares of the texels of one corner; `m_reads` says which lanes read it at all.
    void locate(unsigned corner) {
        std::uint32_t inside[kLanes];
        std::fill_n(inside, kLanes, 1);
        Numbers index[3];
        for (unsigned d = 0; d < 3; ++d) {
            if (d >= m_dimensions) {
                std::fill_n(index[d], kLanes, 0);
                continue;
            }
            const std::int32_t high = m_filters && ((corner >> d) & 1) != 0 ? 1 : 0;
            for (unsigned i = 0; i < kLanes; ++i)
                index[d][i] = m_low[d][i] + high;
            place(index[d], m_size[d],
                  m_texture.plainMemory ? memory::Texture::Address::Border : m_texture.addressing[d], inside);
        }
        const std::uint64_t pitch = m_texture.pitch, rows = static_cast<std::uint64_t>(m_size[1]),
                            bytes = m_texture.elementBytes();
        for (unsigned i = 0; i < kLanes; ++i) {
            const std::uint64_t slice = m_kind.layered ? m_layer[i] : static_cast<std::uint32_t>(index[2][i]);
            m_address[corner][i] = m_texture.address +
                                   (slice * rows + static_cast<std::uint32_t>(index[1][i])) * pitch +
                                   static_cast<std::uint32_t>(index[0][i]) * bytes;
            double share = 1;
            for (unsigned d = 0; m_filters && d < m_dimensions; ++d)
                share *= ((corner >> d) & 1) != 0 ? m_weight[d][i] : 1 - m_weight[d][i];
            m_share[corner][i] = share;
        }
        for (unsigned i = 0; i < kLanes; ++i) {
            const std::uint32_t takesPart = (m_fetch.mask >> i & 1) & (m_share[corner][i] != 0 ? 1U : 0U);
            m_takesPart[corner] |= takesPart << i;
            m_reads[corner] |= (takesPart & inside[i]) << i;
        }
    }

    [[nodiscard]] bool readable() const {
        const std::uint64_t bytes = m_texture.elementBytes();
        if (m_fetch.end - m_fetch.begin < bytes) return false;
        const std::uint64_t last = m_fetch.end - m_fetch.begin - bytes;
        std::uint32_t outside = 0;
        for (unsigned corner = 0; corner < m_corners; ++corner)
            for (unsigned i = 0; i < kLanes; ++i)
                outside |=
                    (m_address[corner][i] - m_fetch.begin > last ? 1U : 0U) & (m_reads[corner] >> i & 1);
        return outside == 0;
    }

    void listAddresses() {
        TexelAddresses& list = m_fetch.addresses;
        for (std::uint32_t rest = m_fetch.mask; rest != 0; rest &= rest - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(rest));
            for (unsigned corner = 0; corner < m_corners; ++corner)
                if ((m_reads[corner] >> i & 1) != 0) list.all[list.count++] = m_address[corner][i];
        }
    }

    /// Component k of a corner's texels, as it lies in memory.
    template <typename T>
    void load(unsigned corner, unsigned k, std::uint32_t (&values)[kLanes]) const {
        for (std::uint32_t rest = m_reads[corner]; rest != 0; rest &= rest - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(rest));
            T value;
            std::memcpy(&value, reinterpret_cast<const std::byte*>(m_address[corner][i]) + k * sizeof value,
                        sizeof value);
            values[i] = value;
        }
    }
    void load(unsigned corner, unsigned k, std::uint32_t (&values)[kLanes]) const {
        if (m_texture.bits == 32) return load<std::uint32_t>(corner, k, values);
        if (m_texture.bits == 16) return load<std::uint16_t>(corner, k, values);
        load<std::uint8_t>(corner, k, values);
    }

    /// The same as numbers, with the border's where there is no texel.
    void loadFloats(unsigned corner, unsigned k, float (&values)[kLanes]) const {
        const float absent = k == 3 ? 1.0F : 0.0F;
        if (k < m_texture.components) {
            std::uint32_t raw[kLanes] = {};
            load(corner, k, raw);
            toFloats(raw, values);
        } else {
            std::fill_n(values, kLanes, absent);
        }
        if (m_reads[corner] != m_takesPart[corner])
            for (unsigned i = 0; i < kLanes; ++i)
                if ((m_reads[corner] >> i & 1) == 0) values[i] = m_texture.border[k];
    }
    void toFloats(const std::uint32_t (&raw)[kLanes], float (&values)[kLanes]) const {
        const unsigned bits = m_texture.bits;
        const double top = static_cast<double>((std::uint64_t{1} << bits) - 1);
        switch (m_texture.channel) {
        case memory::Texture::Channel::Float:
            for (unsigned i = 0; i < kLanes; ++i)
                values[i] = bits == 16 ? halfToFloat(static_cast<std::uint16_t>(raw[i]))
                                       : std::bit_cast<float>(raw[i]);
            return;
        case memory::Texture::Channel::Unsigned:
            for (unsigned i = 0; i < kLanes; ++i)
                values[i] = static_cast<float>(raw[i] / top);
            return;
        case memory::Texture::Channel::Signed:
            break;
        }
        const double half = std::floor(top / 2);
        for (unsigned i = 0; i < kLanes; ++i) {
            const auto number = static_cast<std::int32_t>(raw[i] << (32 - bits)) >> (32 - bits);
            values[i] = static_cast<float>(std::max(-1.0, number / half));
        }
    }

    void filter(unsigned k) {
        float sum[kLanes] = {};
        for (unsigned corner = 0; corner < m_corners; ++corner) {
            float values[kLanes];
            loadFloats(corner, k, values);
            for (unsigned i = 0; i < kLanes; ++i) {
                const auto part = static_cast<float>(m_share[corner][i] * static_cast<double>(values[i]));
                sum[i] = m_share[corner][i] != 0 ? sum[i] + part : sum[i];
            }
        }
        store(k, sum);
    }

    void storeFloats(unsigned k) {
        float values[kLanes];
        loadFloats(0, k, values);
        store(k, values);
    }

    void storeIntegers(unsigned k) {
        const unsigned shift = 32 - m_texture.bits;
        std::uint32_t values[kLanes] = {};
        if (k < m_texture.components) {
            load(0, k, values);
            for (unsigned i = 0; i < kLanes; ++i)
                if ((m_reads[0] >> i & 1) == 0) values[i] = static_cast<std::uint32_t>(m_texture.border[k]);
            if (m_texture.channel == memory::Texture::Channel::Signed)
                for (unsigned i = 0; i < kLanes; ++i)
                    values[i] =
                        static_cast<std::uint32_t>(static_cast<std::int32_t>(values[i] << shift) >> shift);
        } else if (k == 3) {
            std::fill_n(values, kLanes, 1);
        }
        store(k, values);
    }

    template <typename T>
    void store(unsigned k, const T (&values)[kLanes]) {
        std::uint32_t* const to = m_fetch.results[k];
        for (unsigned i = 0; i < kLanes; ++i)
            to[i] = (m_fetch.mask >> i & 1) != 0 ? std::bit_cast<std::uint32_t>(values[i]) : to[i];
    }

    const LaneFetch& m_fetch;
    const memory::Texture& m_texture;
    const program::TextureFetch& m_kind;
    const unsigned m_dimensions;
    const bool m_filters;
    const unsigned m_corners;
    const std::int32_t m_size[3];
    std::uint32_t m_layer[kLanes] = {};
    Numbers m_low[3]; ///< of `m_dimensions`: the texel below, or the one
    Doubles m_weight[3];
    std::uint64_t m_address[kMostCorners][kLanes];
    Doubles m_share[kMostCorners];
    std::uint32_t m_takesPart[kMostCorners] = {}; ///< lanes for which the corner counts
    std::uint32_t m_reads[kMostCorners] = {};     ///< of these, those that read a texel and not the border
};

} // namespace

bool textureLanes(const LaneFetch& fetch) {
    if (fetch.kind.cube || fetch.kind.gathers || fetch.kind.dimensions > 3) return false;
    return Lanes(fetch).run();
}

} // namespace DORMER_ISA
} // namespace dormer::emulator::accesses
