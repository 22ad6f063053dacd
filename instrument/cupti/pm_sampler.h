// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/sampling/sample_source.h"

#include <memory>
#include <string>

struct CUpti_PmSampling_Object;

namespace dormer::instrument::cupti {

namespace host {
class HostMetrics;
}

/// CUPTI's PM sampling of one device. A configuration lives from one cuptiPmSamplingEnable to its disable:
/// a second group on the same object crashed (CUPTI 13.0, H100).
class PmSampler : public sampling::SampleSource {
public:
    /// ErrorKind::Device says why there is no sampling: permission, another tool, a chip without it.
    [[nodiscard]] static Result<std::unique_ptr<sampling::SampleSource>> open(int device);
    ~PmSampler() override;

    [[nodiscard]] const std::vector<sampling::SampleGroup>& groups() const override { return m_groups; }
    [[nodiscard]] Result<void> configure(std::size_t group, std::int64_t intervalNs,
                                         std::size_t samples) override;
    [[nodiscard]] Result<void> start() override;
    [[nodiscard]] Result<sampling::Burst> stop() override;
    void release() override;

private:
    PmSampler(int device, std::string chip, bool byTime);
    void plan();
    void enable(std::size_t group, std::int64_t intervalNs, std::size_t samples);
    [[nodiscard]] sampling::Burst decoded();

    int m_device;
    std::string m_chip;
    bool m_byTime; ///< the interval is of time, not of cycles of the system's clock
    std::vector<sampling::SampleGroup> m_groups;
    CUpti_PmSampling_Object* m_object = nullptr;
    std::unique_ptr<host::HostMetrics> m_host;
    // CUPTI looks at these again when it decodes.
    std::vector<std::uint8_t> m_config;
    std::vector<std::string> m_names; ///< of the configured group, by the chip
    std::vector<const char*> m_namePointers;
    std::size_t m_group = 0;
    std::int64_t m_intervalNs = 0;
    /// CUPTI's counter data, which stays where it was initialized until sampling is disabled.
    std::vector<std::uint8_t> m_data;
    std::vector<std::uint8_t> m_blank; ///< the same, empty
};

} // namespace dormer::instrument::cupti
