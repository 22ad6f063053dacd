// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

#include <utility>

namespace dormer::kernels {

/// A row of a group's table: everything about one variant in one place. `State` holds the device data that
/// the group's variants share and is made from a Setup. Points of a sweep are rows made in a loop.
template <typename State>
struct Row {
    Variant variant;
    std::function<void(State& state)> launch;
    std::function<CheckResult(State& state)> check;
    /// Answers of the device's own runtime; may be empty.
    std::function<std::vector<Expectation>(State& state)> deviceAnswers{};
};

namespace detail {
template <typename State>
class TableInstance final : public Instance {
public:
    TableInstance(std::shared_ptr<const std::vector<Row<State>>> rows, const Setup& setup)
        : m_rows(std::move(rows)), m_state(setup) {}
    void launch(std::size_t variant) override { (*m_rows)[variant].launch(m_state); }
    CheckResult check(std::size_t variant) override { return (*m_rows)[variant].check(m_state); }
    std::vector<Expectation> deviceAnswers(std::size_t variant) override {
        const Row<State>& row = (*m_rows)[variant];
        return row.deviceAnswers ? row.deviceAnswers(m_state) : std::vector<Expectation>{};
    }

private:
    std::shared_ptr<const std::vector<Row<State>>> m_rows;
    State m_state;
};
} // namespace detail

/// Makes a group of a table of rows.
template <typename State>
Group groupOf(std::vector<Row<State>> rows, Sizes defaultSize,
              std::function<std::size_t(std::size_t)> roundSize,
              std::function<std::size_t(std::size_t)> deviceBytes,
              std::function<std::vector<std::string>(std::size_t)> parameters) {
    Group group{.defaultSize = defaultSize,
                .roundSize = std::move(roundSize),
                .deviceBytes = std::move(deviceBytes),
                .parameters = std::move(parameters)};
    for (const Row<State>& row : rows)
        group.variants.push_back(row.variant);
    group.create = [shared = std::make_shared<const std::vector<Row<State>>>(std::move(rows))](
                       const Setup& setup) -> std::unique_ptr<Instance> {
        return std::make_unique<detail::TableInstance<State>>(shared, setup);
    };
    return group;
}

/// Next multiple of `step`, at least one step.
constexpr std::size_t roundUp(std::size_t value, std::size_t step) {
    return value == 0 ? step : (value + step - 1) / step * step;
}

} // namespace dormer::kernels
