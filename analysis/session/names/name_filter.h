// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace dormer::session {

/// Which kernels a person means: the one matcher behind --kernels, --kernel and the app's filter field. A
/// regular expression in RE2's syntax that may be found anywhere in a text, in time linear in it. Of a text
/// the first kMaxFilteredBytes are searched. Copies share the pattern; threads may too.
class NameFilter {
public:
    /// ErrorKind::Usage for an invalid regular expression; `option` names where it came from.
    [[nodiscard]] static Result<NameFilter> compile(const std::string& pattern, std::string_view option);
    /// As typed into a filter field, UTF-8: whatever the case, and literally while it is no regular
    /// expression.
    [[nodiscard]] static NameFilter typed(const std::string& word);

    [[nodiscard]] bool matches(std::string_view text) const;
    /// Found in a launch's workload, its kernel's short name or its full name.
    [[nodiscard]] bool matches(std::string_view workload, std::string_view kernel) const;

private:
    explicit NameFilter(std::shared_ptr<const re2::RE2> pattern) : m_pattern(std::move(pattern)) {}

    std::shared_ptr<const re2::RE2> m_pattern;
};

/// Names of templates reach half a megabyte; what tells them apart stands further in front.
inline constexpr std::size_t kMaxFilteredBytes = 65536;

} // namespace dormer::session
