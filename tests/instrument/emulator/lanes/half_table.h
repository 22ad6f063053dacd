// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Small floating-point formats by a sorted list of all their values: rounding is a search for neighbours,
/// which shares nothing with the bit arithmetic under test.
namespace dormer::emulator::test {

enum class Round { Nearest, Zero, Down, Up, Away };

class FormatTable {
public:
    /// `nan`: the pattern of results that are NaN. `overflowBits`: what lies beyond the largest value
    /// (infinity).
    FormatTable(unsigned exponentBits, unsigned mantissaBits, bool infinities, std::uint32_t nan);

    /// Exact; NaN for NaNs.
    [[nodiscard]] double valueOf(std::uint32_t bits) const;
    /// `finite`: infinities and overflow become the largest value.
    [[nodiscard]] std::uint32_t round(__float128 value, Round mode = Round::Nearest,
                                      bool finite = false) const;
    [[nodiscard]] std::uint32_t patterns() const { return 1u << (m_exponentBits + m_mantissaBits + 1); }

private:
    unsigned m_exponentBits, m_mantissaBits;
    bool m_infinities;
    std::uint32_t m_nan;
    std::vector<double> m_values; ///< finite magnitudes; the index is the pattern
};

inline const FormatTable& binary16() {
    static const FormatTable table(5, 10, true, 0x7FFF);
    return table;
}
inline const FormatTable& bfloat16() {
    static const FormatTable table(8, 7, true, 0x7FFF);
    return table;
}

} // namespace dormer::emulator::test
