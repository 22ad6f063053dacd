// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/warp_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace dormer::session {

void WarpStates::add(std::string_view state, std::uint64_t samples, std::uint64_t notIssued) {
    const auto at = std::ranges::lower_bound(states, state, {}, &WarpState::state);
    if (at != states.end() && at->state == state) {
        at->samples += samples;
        at->notIssued += notIssued;
    } else {
        states.insert(at, {std::string(state), samples, notIssued});
    }
}

void WarpStates::add(const WarpStates& more) {
    for (const WarpState& each : more.states)
        add(each.state, each.samples, each.notIssued);
}

std::uint64_t WarpStates::samples() const {
    return std::accumulate(states.begin(), states.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const WarpState& each) { return sum + each.samples; });
}

std::uint64_t WarpStates::notIssued() const {
    return std::accumulate(states.begin(), states.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const WarpState& each) { return sum + each.notIssued; });
}

std::string toString(const WarpStates& states) {
    std::string text;
    for (const WarpState& each : states.states)
        text += fmt::format("{}{}={}/{}", text.empty() ? "" : " ", each.state, each.samples, each.notIssued);
    return text;
}

bool fromString(std::string_view text, WarpStates& states) {
    WarpStates read;
    const auto number = [](std::string_view digits, std::uint64_t& value) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        // More would overflow where many are added up; no run comes near it.
        return error == std::errc() && end == digits.data() + digits.size() && value < std::uint64_t{1} << 53;
    };
    while (!text.empty()) {
        const std::string_view each = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), each.size() + 1));
        const std::size_t equals = each.find('='), slash = each.find('/');
        std::uint64_t samples = 0, notIssued = 0;
        if (equals == 0 || equals == std::string_view::npos || slash == std::string_view::npos ||
            slash < equals || !number(each.substr(equals + 1, slash - equals - 1), samples) ||
            !number(each.substr(slash + 1), notIssued) || notIssued > samples)
            return false;
        read.add(each.substr(0, equals), samples, notIssued);
    }
    states = std::move(read);
    return true;
}

} // namespace dormer::session
