// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
// Plays libcuda.so.1 and libnvidia-ml.so.1 for dormer-probe. DORMER_FAKE_CUDA chooses how it behaves.
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

std::string mode() {
    const char* text = std::getenv("DORMER_FAKE_CUDA");
    return text != nullptr ? text : "";
}

/// An H100 SXM's attributes by number of CUdevice_attribute.
const std::map<int, int> kAttributes{{10, 32},       {13, 1980000}, {16, 132}, {36, 2619000}, {37, 5120},
                                     {38, 52428800}, {39, 2048},    {75, 9},   {76, 0},       {81, 233472},
                                     {82, 65536},    {97, 232448},  {106, 32}, {111, 1024}};

} // namespace

extern "C" {

int cuInit(unsigned) {
    const std::string how = mode();
    if (how == "no-device") return 100;
    if (how == "stub") return 34;
    if (how == "mismatch") return 803;
    if (how == "init-error") return 999;
    if (how == "crash") {
        std::signal(SIGSEGV, SIG_DFL);
        std::raise(SIGSEGV);
    }
    while (how == "hang")
        pause();
    return 0;
}

int cuDriverGetVersion(int* version) {
    *version = mode() == "old" ? 12040 : 13000;
    return 0;
}

int cuDeviceGetCount(int* count) {
    *count = mode() == "zero" ? 0 : 2;
    return 0;
}

int cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return 0;
}

int cuDeviceGetName(char* name, int size, int) {
    std::strncpy(name, "NVIDIA Fake H100", static_cast<std::size_t>(size));
    return 0;
}

int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
    for (int i = 0; i < 16; ++i)
        uuid[i] = static_cast<unsigned char>(i * 16 + device);
    return 0;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = std::size_t{80} << 30;
    return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
    const auto found = kAttributes.find(attribute);
    if (found == kAttributes.end()) return 1;
    *value = found->second;
    return 0;
}

int cuGetErrorString(int code, const char** text) {
    *text = code == 999 ? "unknown error" : "an error of the fake";
    return 0;
}

int nvmlInit_v2() {
    return 0;
}

int nvmlSystemGetDriverVersion(char* version, unsigned size) {
    std::strncpy(version, "580.65.06", size);
    return 0;
}
}
