// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/kernel_aliases.h"
#include "app/cli/verbs.h"

namespace dormer::cli {

void addAliasesOption(CLI::App& verb) {
    verb.add_option_function<std::string>(
        "--aliases",
        [](const std::string& file) {
            auto aliases = session::KernelAliases::load(file);
            if (!aliases) throw CLI::ValidationError(aliases.error().message);
            session::KernelAliases::use(std::move(*aliases));
        },
        "file of kernel names to show, one 'PATTERN => NAME' per line (docs/names.md)");
}

} // namespace dormer::cli
