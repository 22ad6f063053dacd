// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/name_filter.h"

#include "analysis/session/session.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace dormer::session {

Result<NameFilter> NameFilter::compile(const std::string& pattern, std::string_view option) {
    // Quiet: RE2 would write what is wrong to stderr, too.
    auto compiled = std::make_shared<const re2::RE2>(pattern, re2::RE2::Quiet);
    if (!compiled->ok())
        return failure(ErrorKind::Usage, fmt::format("{} '{}': invalid regular expression: {}", option,
                                                     pattern, compiled->error()));
    return NameFilter{std::move(compiled)};
}

NameFilter NameFilter::typed(const std::string& word) {
    re2::RE2::Options options{re2::RE2::Quiet};
    options.set_case_sensitive(false);
    auto compiled = std::make_shared<const re2::RE2>(word, options);
    if (!compiled->ok()) {
        options.set_literal(true);
        compiled = std::make_shared<const re2::RE2>(word, options);
    }
    return NameFilter{std::move(compiled)};
}

bool NameFilter::matches(std::string_view text) const {
    const std::string_view head = text.substr(0, kMaxFilteredBytes);
    return m_pattern->Match({head.data(), head.size()}, 0, head.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

bool NameFilter::matches(std::string_view workload, std::string_view kernel) const {
    const std::string_view head = kernel.substr(0, kMaxFilteredBytes);
    return matches(workload) || matches(head) || matches(shortKernelName(head));
}

} // namespace dormer::session
