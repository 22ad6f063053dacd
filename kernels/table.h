// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/workload.h"

#include <array>

namespace dormer::kernels {

/// A row of a group's table: everything about one variant in one place. `State` holds the device data that
/// the group's variants share and is made from a Setup.
template <typename State>
struct Row {
    Variant variant;
    void (*launch)(State& state);
    CheckResult (*check)(State& state);
};

namespace detail {
template <auto& kRows, typename State>
class TableInstance final : public Instance {
public:
    explicit TableInstance(const Setup& setup) : m_state(setup) {}
    void launch(std::size_t variant) override { kRows[variant].launch(m_state); }
    CheckResult check(std::size_t variant) override { return kRows[variant].check(m_state); }

private:
    State m_state;
};

template <auto& kRows, std::size_t kCount>
std::span<const Variant> variantsOf() {
    static const auto variants = [] {
        std::array<Variant, kCount> copied{};
        for (std::size_t i = 0; i < kCount; ++i)
            copied[i] = kRows[i].variant;
        return copied;
    }();
    return variants;
}
template <typename State, std::size_t kCount>
constexpr std::size_t rowCount(const Row<State> (&)[kCount]) {
    return kCount;
}
} // namespace detail

/// Makes a group of a table of rows (an array with static storage) and the type of its device data.
template <auto& kRows, typename State>
Group groupOf(std::size_t defaultSize, std::size_t (*roundSize)(std::size_t),
              std::size_t (*deviceBytes)(std::size_t), std::vector<std::string> (*parameters)(std::size_t)) {
    return {detail::variantsOf<kRows, detail::rowCount(kRows)>(),
            defaultSize,
            roundSize,
            deviceBytes,
            parameters,
            [](const Setup& setup) -> std::unique_ptr<Instance> {
                return std::make_unique<detail::TableInstance<kRows, State>>(setup);
            }};
}

/// Next multiple of `step`, at least one step.
constexpr std::size_t roundUp(std::size_t value, std::size_t step) {
    return value == 0 ? step : (value + step - 1) / step * step;
}

} // namespace dormer::kernels
