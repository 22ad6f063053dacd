// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/half_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dormer::emulator::test {

FormatTable::FormatTable(unsigned exponentBits, unsigned mantissaBits, bool infinities, std::uint32_t nan)
    : m_exponentBits(exponentBits), m_mantissaBits(mantissaBits), m_infinities(infinities), m_nan(nan) {
    const int bias = (1 << (exponentBits - 1)) - 1;
    // Without infinities the top exponent holds numbers too, but for the last pattern, NaN (OCP E4M3).
    const std::uint32_t topField = (1u << exponentBits) - 1;
    const std::uint32_t end =
        infinities ? topField << mantissaBits : (1u << (exponentBits + mantissaBits)) - 1;
    for (std::uint32_t bits = 0; bits < end; ++bits) {
        const int field = int(bits >> mantissaBits);
        const double fraction = std::ldexp(double(bits & ((1u << mantissaBits) - 1)), -int(mantissaBits));
        m_values.push_back(field == 0 ? std::ldexp(fraction, 1 - bias)
                                      : std::ldexp(1 + fraction, field - bias));
    }
}

double FormatTable::valueOf(std::uint32_t bits) const {
    const std::uint32_t signBit = 1u << (m_exponentBits + m_mantissaBits), magnitude = bits & (signBit - 1);
    double value = std::numeric_limits<double>::quiet_NaN();
    if (magnitude < m_values.size())
        value = m_values[magnitude];
    else if (m_infinities && magnitude == m_values.size())
        value = std::numeric_limits<double>::infinity();
    return (bits & signBit) != 0 ? -value : value;
}

std::uint32_t FormatTable::round(__float128 value, Round mode, bool finite) const {
    if (value != value) return m_nan;
    const bool negative = std::signbit(static_cast<double>(value));
    const __float128 magnitude = negative ? -value : value;
    const std::uint32_t sign = negative ? 1u << (m_exponentBits + m_mantissaBits) : 0;
    const auto last = static_cast<std::uint32_t>(m_values.size() - 1);
    const std::uint32_t beyond = m_infinities ? last + 1 : m_nan;
    const bool away = mode == Round::Up ? !negative : mode == Round::Down ? negative : false;
    const bool nearest = mode == Round::Nearest || mode == Round::Away;
    if (magnitude > std::numeric_limits<double>::max()) return sign | (finite ? last : beyond);
    const auto above = std::lower_bound(m_values.begin(), m_values.end(), magnitude,
                                        [](double v, __float128 wanted) { return v < wanted; });
    if (above != m_values.end() && *above == magnitude)
        return sign | static_cast<std::uint32_t>(above - m_values.begin());
    const auto low = static_cast<std::uint32_t>(above - m_values.begin() - 1);
    // The value after the largest would be one more step of the same size.
    const __float128 lower = m_values[low];
    const __float128 upper =
        low == last ? lower + (lower - m_values[low - 1]) : __float128(m_values[low + 1]);
    bool up = away;
    if (nearest) {
        const __float128 below = magnitude - lower, over = upper - magnitude;
        up = below > over || (below == over && (mode == Round::Away || low % 2 == 1));
    }
    if (!up) return sign | low;
    return sign | (low == last ? (finite ? last : beyond) : low + 1);
}

} // namespace dormer::emulator::test
