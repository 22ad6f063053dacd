// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace dormer::tests {

/// Chromium without a window and without the network, with a profile that lives as long as this object.
class Browser {
public:
    /// Nothing when none is installed.
    [[nodiscard]] static std::optional<Browser> find();

    Browser(Browser&&) noexcept = default;
    ~Browser();

    /// Folder for pages and pictures; goes with the browser.
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

    struct Page {
        std::string dom;     ///< after scripts ran
        std::string console; ///< errors and warnings of the page, as Chromium logs them
    };
    [[nodiscard]] Page open(const std::filesystem::path& file, bool dark = false, int width = 1440) const;
    /// Writes a PNG; false when Chromium did not.
    [[nodiscard]] bool screenshot(const std::filesystem::path& file, const std::filesystem::path& png,
                                  int width, int height, bool dark = false) const;
    [[nodiscard]] bool printToPdf(const std::filesystem::path& file, const std::filesystem::path& pdf) const;

private:
    Browser(std::filesystem::path program, std::filesystem::path folder);
    /// Standard output; standard error goes to m_folder / "stderr".
    [[nodiscard]] std::string run(const std::string& arguments, const std::filesystem::path& file) const;

    std::filesystem::path m_program;
    std::filesystem::path m_folder;
};

} // namespace dormer::tests
