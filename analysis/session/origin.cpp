// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/session.h"

// By itself, because the library that is injected into foreign programs needs this much of the model and no
// more.
namespace dormer::session {

std::string_view toString(Origin origin) {
    switch (origin) {
    case Origin::Measured:
        return "measured";
    case Origin::Emulated:
        return "emulated";
    case Origin::Imported:
        return "imported";
    }
    return "measured";
}

std::optional<Origin> originFromString(std::string_view text) {
    for (const Origin origin : {Origin::Measured, Origin::Emulated, Origin::Imported}) {
        if (toString(origin) == text) return origin;
    }
    return std::nullopt;
}

} // namespace dormer::session
