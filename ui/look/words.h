// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <string>

namespace dormer::ui::look {

/// Text of the analysis, UTF-8, for a widget.
inline QString words(const std::string& text) {
    return QString::fromStdString(text);
}

} // namespace dormer::ui::look
