// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/histogram/cub_block.cuh"
#include "kernels/histogram/groups.h"

namespace dormer::kernels::histogram {

namespace {

std::vector<Expectation> answers(std::size_t size) {
    return {atomics(0, size, 10, mergeReason(10)), readOnce(size)};
}

template <Input kInput>
Group group() {
    return groupOfRows<kInput>({cubBlockRow<cub::BLOCK_HISTO_SORT, 10, kInput>(
                                   "cub_block_sort",
                                   "cub::BlockHistogram by sorting: more work, some of it in bank conflicts, "
                                   "but the same work whatever the input",
                                   answers, "shared")},
                               kPrivateSizes, kTile);
}

} // namespace

std::vector<Group> cubBlockSortGroups() {
    return {group<Input::Uniform>(), group<Input::OneBin>()};
}

} // namespace dormer::kernels::histogram
