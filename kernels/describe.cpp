// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/describe.h"

#include "kernels/registry.h"

#include <nlohmann/json.hpp>

namespace dormer::kernels {

std::string describe() {
    nlohmann::ordered_json entries = nlohmann::ordered_json::array();
    for (const Selected& place : everything()) {
        const Family& family = families()[place.family];
        const Group& group = family.groups[place.group];
        const Variant& variant = variantOf(place);
        entries.push_back({{"family", std::string(family.name)},
                           {"variant", std::string(variant.name)},
                           {"shows", std::string(variant.shows)},
                           {"parameters", group.parameters(group.roundSize(group.defaultSize))}});
    }
    return entries.dump(2);
}

} // namespace dormer::kernels
