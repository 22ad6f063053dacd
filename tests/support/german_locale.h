// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/temporary_folder.h"

#include <clocale>
#include <cstdlib>
#include <locale>
#include <string>

namespace dormer::tests {

/// A locale with decimal commas, made by localedef, since few machines have one. While it lives it is the
/// process's own; programs it starts inherit LOCPATH and take it with LC_ALL.
class GermanLocale {
public:
    GermanLocale() {
        const std::string command =
            "localedef -i de_DE -f UTF-8 '" + (m_folder.path() / kName).string() + "' 2>/dev/null";
        static_cast<void>(std::system(command.c_str())); // NOLINT: the folder's name is ours
        ::setenv("LOCPATH", m_folder.path().c_str(), 1);
        m_isThere = std::setlocale(LC_ALL, kName) != nullptr;
        if (m_isThere) std::locale::global(std::locale(kName));
    }
    ~GermanLocale() {
        std::locale::global(std::locale::classic()); // C's locale with it
        ::unsetenv("LOCPATH");
    }
    GermanLocale(const GermanLocale&) = delete;
    GermanLocale& operator=(const GermanLocale&) = delete;

    [[nodiscard]] bool isThere() const { return m_isThere; }

    static constexpr const char* kName = "de_DE.UTF-8";

private:
    TemporaryFolder m_folder;
    bool m_isThere = false;
};

} // namespace dormer::tests
