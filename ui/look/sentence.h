// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/words.h"

namespace dormer::ui::look {

/// Text of the analysis as a sentence begins: with a capital.
inline QString sentence(std::string_view text) {
    QString all = words(text);
    if (!all.isEmpty()) all[0] = all[0].toUpper();
    return all;
}

} // namespace dormer::ui::look
