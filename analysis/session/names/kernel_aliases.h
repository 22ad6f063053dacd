// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace dormer::session {

/// Names that a person gives to kernels. Each line of the file is "PATTERN => NAME": a regular expression in
/// RE2's syntax, searched in the demangled name, and what is shown instead, in which \1 is what the first
/// group matched. The first line that matches counts. Empty lines and those that begin with '#' are skipped.
class KernelAliases {
public:
    /// ErrorKind::Usage with file and line for what can't be read.
    [[nodiscard]] static Result<KernelAliases> load(const std::filesystem::path& file);
    /// `file` is named in errors.
    [[nodiscard]] static Result<KernelAliases> parse(std::string_view text, const std::string& file);

    /// Of a name the first kMaxFilteredBytes are searched.
    [[nodiscard]] std::optional<std::string> find(std::string_view name) const;

    /// Those that shortKernelName() goes by, in the whole process. Set before the first name is shown.
    [[nodiscard]] static const KernelAliases& inUse();
    static void use(KernelAliases aliases);

private:
    struct Alias {
        std::shared_ptr<const re2::RE2> pattern;
        std::string name;
    };
    static KernelAliases& current();

    std::vector<Alias> m_aliases;
};

} // namespace dormer::session
