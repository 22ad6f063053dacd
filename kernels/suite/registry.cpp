// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/suite/registry.h"

#include <fmt/format.h>

namespace dormer::kernels {

// A family is one folder that defines one of these; naming it here is all its registration.
Family heatFamily();
Family histogramFamily();
Family reduceFamily();
Family rooflineFamily();
Family accessFamily();
Family vectorSumFamily();
Family transposeFamily();
Family sharedFamily();
Family spacesFamily();
Family occupancyFamily();
Family transferFamily();
Family zeroCopyFamily();
Family managedFamily();
Family tileScanFamily();
Family collectivesFamily();
Family deviceWideFamily();
Family spmvFamily();
Family iteratorsFamily();
Family policiesFamily();
Family graphsFamily();
Family stallsFamily();

std::span<const Family> families() {
    static const std::vector<Family> all{
        heatFamily(),       histogramFamily(), reduceFamily(),    rooflineFamily(), accessFamily(),
        vectorSumFamily(),  transposeFamily(), sharedFamily(),    spacesFamily(),   occupancyFamily(),
        transferFamily(),   zeroCopyFamily(),  managedFamily(),   tileScanFamily(), collectivesFamily(),
        deviceWideFamily(), spmvFamily(),      iteratorsFamily(), policiesFamily(), graphsFamily(),
        stallsFamily(),
    };
    return all;
}

const Variant& variantOf(const Selected& place) {
    return families()[place.family].groups[place.group].variants[place.variant];
}

std::string pathOf(const Selected& place) {
    return fmt::format("{}/{}", families()[place.family].name, variantOf(place).name);
}

std::vector<Selected> everything() {
    std::vector<Selected> all;
    for (std::size_t family = 0; family < families().size(); ++family)
        for (std::size_t group = 0; group < families()[family].groups.size(); ++group)
            for (std::size_t variant = 0; variant < families()[family].groups[group].variants.size();
                 ++variant)
                all.push_back({family, group, variant});
    return all;
}

} // namespace dormer::kernels
