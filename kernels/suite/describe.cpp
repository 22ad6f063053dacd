// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/suite/describe.h"

#include "kernels/suite/registry.h"

#include <nlohmann/json.hpp>

namespace dormer::kernels {

std::string describe() {
    nlohmann::ordered_json entries = nlohmann::ordered_json::array();
    for (const Selected& place : everything()) {
        const Family& family = families()[place.family];
        const Group& group = family.groups[place.group];
        const Variant& variant = variantOf(place);
        std::vector<std::string> parameters = group.parameters(group.roundSize(group.defaultSize.gpu));
        parameters.insert(parameters.end(), variant.parameters.begin(), variant.parameters.end());
        entries.push_back({{"family", family.name},
                           {"title", family.title},
                           {"family_shows", family.shows},
                           {"variant", variant.name},
                           {"shows", variant.shows},
                           {"parameters", std::move(parameters)},
                           {"sweep", variant.sweep},
                           {"emulator_size", group.roundSize(group.defaultSize.emulator)},
                           {"wrong_by_design", variant.wrongByDesign}});
    }
    return entries.dump(2);
}

} // namespace dormer::kernels
