// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/modules.h"

#include "instrument/emulator/fatbin/read.h"
#include "instrument/emulator/ptx/linker/link_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace dormer::emulator::runtime {

namespace {

constexpr const char* kNote = "emulator-load";

std::string targetsOf(const fatbin::FatBinary& binary) {
    std::vector<std::string> names;
    for (const fatbin::PtxImage& image : binary.ptx)
        names.push_back("compute_" + image.target.text());
    for (const fatbin::CubinImage& image : binary.cubins)
        names.push_back("sm_" + image.target.text());
    return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

/// Size of a fat binary without its wrapper, as nvcc -fatbin writes it into a file; 0 when it is none. Its
/// header: magic number, version and header size (16 bits each), size of what follows (64 bits).
std::uint64_t bareFatBinaryBytes(const void* code) {
    struct Header {
        std::uint32_t magic;
        std::uint16_t version, headerBytes;
        std::uint64_t bytes;
    } header;
    static_assert(sizeof header == 16);
    std::memcpy(&header.magic, code, sizeof header.magic);
    if (header.magic != 0xBA55ED50) return 0;
    std::memcpy(&header, code, sizeof header);
    return header.headerBytes + header.bytes;
}

} // namespace

struct ModuleTable::Binary {
    const void* wrapper = nullptr;
    std::string ptx;              ///< of a library given as text
    std::vector<std::byte> image; ///< of a library given as a bare fat binary
    engine::Module* module = nullptr;
    std::optional<Failure> failure; ///< of the first attempt to load it; the next ones end the same way
};

ModuleTable::ModuleTable(std::function<Executor&()> executor, std::string chipName,
                         std::uint32_t computeCapability)
    : m_executor(std::move(executor))
    , m_chipName(std::move(chipName))
    , m_computeCapability(computeCapability) {}

std::size_t ModuleTable::registerBinary(const void* wrapper) {
    auto binary = std::make_shared<Binary>();
    binary->wrapper = wrapper;
    m_binaries.push_back(std::move(binary));
    return m_binaries.size() - 1;
}

Outcome<std::size_t> ModuleTable::loadLibrary(const void* code) {
    const std::size_t index = registerBinary(code);
    if (const std::uint64_t bytes = bareFatBinaryBytes(code); bytes > 0) {
        const auto* start = static_cast<const std::byte*>(code);
        m_binaries[index]->image.assign(start, start + bytes);
    } else if (fatbin::fatBinaryOf(code).empty()) {
        // PTX text, ended by a zero; it has to begin like one.
        const char* text = static_cast<const char*>(code);
        const std::string_view begin(text, strnlen(text, 4096));
        if (begin.find(".version") == std::string_view::npos) {
            m_binaries[index].reset();
            if (begin.starts_with("\x7f"
                                  "ELF"))
                return fails(cudaErrorNoKernelImageForDevice, kNote,
                             "the program loads a cubin, machine code, which the emulator can't run: load "
                             "PTX, or a fat binary that holds some");
            return fails(cudaErrorInvalidKernelImage, kNote,
                         "the program loads a module that is neither PTX nor a fat binary");
        }
        m_binaries[index]->ptx = text;
    }
    if (const Outcome<engine::Module*> module = load(index); !module) return std::unexpected(module.error());
    return index;
}

void ModuleTable::registerFunction(std::size_t binary, const void* hostFunction, const char* name) {
    auto function = std::make_shared<Function>();
    function->name = name;
    function->binary = binary;
    m_handles[function.get()] = function;
    m_functions[hostFunction] = std::move(function);
}

void ModuleTable::registerSymbol(std::size_t binary, const void* hostVariable, const char* name,
                                 std::size_t bytes, void** managedPointer) {
    m_symbols[hostVariable] = Symbol{name, binary, bytes, managedPointer, 0};
}

bool ModuleTable::forget(std::size_t binary) {
    if (binary >= m_binaries.size() || m_binaries[binary] == nullptr) return false;
    // The engine keeps what it loaded; only the way there from host code is gone.
    m_binaries[binary].reset();
    const auto ofBinary = [binary](const auto& entry) {
        if constexpr (requires { entry.second->binary; })
            return entry.second->binary == binary;
        else
            return entry.second.binary == binary;
    };
    std::erase_if(m_functions, ofBinary);
    std::erase_if(m_handles, ofBinary);
    std::erase_if(m_symbols, ofBinary);
    return true;
}

Outcome<void> ModuleTable::loadManaged(std::size_t binary) {
    for (auto& [host, entry] : m_symbols) {
        if (entry.binary != binary || entry.managedPointer == nullptr) continue;
        if (const Outcome<Symbol*> loaded = symbol(host); !loaded) return std::unexpected(loaded.error());
    }
    return {};
}

Outcome<ModuleTable::Code> ModuleTable::codeOf(const Binary& binary) const {
    const std::uint32_t capability = std::max(m_computeCapability, kOldestPtx);
    const auto damaged = [](const Error& error) {
        return fails(cudaErrorInvalidKernelImage, kNote,
                     "the program's device code can't be read: " + error.message);
    };
    const Result<fatbin::FatBinary> fat =
        fatbin::readFatBinary(binary.image.empty() ? fatbin::fatBinaryOf(binary.wrapper)
                                                   : std::span<const std::byte>(binary.image));
    if (!fat) return damaged(fat.error());
    Code code;
    std::vector<std::string> units;
    const auto addUnit = [&](const fatbin::FatBinary& from) -> Outcome<void> {
        const fatbin::PtxImage* image = fatbin::choosePtx(from, capability);
        if (image == nullptr) return {};
        Result<std::string> unpacked = image->text();
        if (!unpacked)
            return fails(cudaErrorInvalidKernelImage, kNote,
                         "the program's PTX can't be unpacked: " + unpacked.error().message);
        units.push_back(std::move(*unpacked));
        return {};
    };
    if (const Outcome<void> added = addUnit(*fat); !added) return std::unexpected(added.error());
    std::string held = targetsOf(*fat);
    bool needsLto = fat->hasLtoCode;
    if (units.empty()) {
        for (const std::span<const std::byte> bytes : fatbin::unitsOf(binary.wrapper)) {
            const Result<fatbin::FatBinary> unit = fatbin::readFatBinary(bytes);
            if (!unit) return damaged(unit.error());
            needsLto |= unit->hasLtoCode;
            if (const Outcome<void> added = addUnit(*unit); !added) return std::unexpected(added.error());
        }
    }
    if (units.empty()) {
        return fails(cudaErrorNoKernelImageForDevice, kNote,
                     fmt::format("the program holds no PTX that {} can run (it holds {}{}); build it {}with "
                                 "-gencode arch=compute_{},code=compute_{} -cudart shared",
                                 m_chipName, held, needsLto ? " and code for link-time optimization" : "",
                                 needsLto ? "without -dlto and " : "", capability, capability));
    }
    Result<std::string> linked = ptx::linker::linkUnits(units);
    if (!linked)
        return fails(cudaErrorInvalidPtx, kNote,
                     "the program's device code can't be linked: " + linked.error().message);
    code.ptx = std::move(*linked);
    if (const fatbin::CubinImage* cubin = fatbin::chooseCubin(*fat, capability)) {
        // Without it registers are estimated, which the launch's facts say.
        if (Result<std::vector<program::CubinKernel>> facts = cubin->kernels())
            code.kernels = std::move(*facts);
    }
    return code;
}

Outcome<engine::Module*> ModuleTable::load(std::size_t index) {
    if (index >= m_binaries.size() || m_binaries[index] == nullptr)
        return fails(cudaErrorInvalidResourceHandle);
    Binary& binary = *m_binaries[index];
    if (binary.module != nullptr) return binary.module;
    if (binary.failure) return std::unexpected(Failure{binary.failure->code, {}, {}}); // said before
    const auto failed = [&binary](Failure failure) {
        binary.failure = std::move(failure);
        return std::unexpected(*binary.failure);
    };
    Outcome<Code> code = binary.ptx.empty() ? codeOf(binary) : Code{binary.ptx, {}};
    if (!code) return failed(code.error());
    const Result<engine::Module*> module = m_executor().load(code->ptx, std::move(code->kernels));
    if (!module)
        return failed(
            {cudaErrorInvalidPtx, kNote, "the program's PTX can't be used: " + module.error().message});
    binary.module = *module;
    return binary.module;
}

Outcome<void> ModuleTable::load(Function& function) {
    if (function.kernel != nullptr) return {};
    const Outcome<engine::Module*> module = load(function.binary);
    if (!module) return std::unexpected(module.error());
    const Result<const program::Kernel*> kernel = m_executor().kernel(**module, function.name);
    if (!kernel) return fails(cudaErrorNotSupported, kNote, kernel.error().message);
    if (*kernel == nullptr)
        return fails(cudaErrorInvalidDeviceFunction, kNote,
                     fmt::format("the program's PTX has no kernel {}", function.name));
    function.kernel = *kernel;
    return {};
}

Outcome<Function*> ModuleTable::handle(const void* hostFunction) {
    if (const auto found = m_functions.find(hostFunction); found != m_functions.end())
        return found->second.get();
    if (const auto found = m_handles.find(hostFunction); found != m_handles.end()) return found->second.get();
    return fails(cudaErrorInvalidDeviceFunction);
}

Outcome<Function*> ModuleTable::function(const void* hostFunctionOrHandle) {
    Outcome<Function*> found = handle(hostFunctionOrHandle);
    if (!found) return found;
    if (const Outcome<void> loaded = load(**found); !loaded) return std::unexpected(loaded.error());
    return found;
}

Outcome<Symbol*> ModuleTable::symbol(const void* hostVariable) {
    const auto found = m_symbols.find(hostVariable);
    if (found == m_symbols.end()) return fails(cudaErrorInvalidSymbol);
    Symbol& symbol = found->second;
    if (symbol.address != 0) return &symbol;
    const Outcome<engine::Engine::VariablePlace> place = variableByName(symbol.binary, symbol.name);
    if (!place) return std::unexpected(place.error());
    symbol.address = place->address;
    symbol.bytes = place->bytes;
    if (symbol.managedPointer != nullptr) *symbol.managedPointer = reinterpret_cast<void*>(symbol.address);
    return &symbol;
}

Outcome<Function*> ModuleTable::functionByName(std::size_t binary, const std::string& name) {
    for (const auto& [address, function] : m_handles)
        if (function->binary == binary && function->name == name) return function.get();
    auto function = std::make_shared<Function>();
    function->name = name;
    function->binary = binary;
    if (const Outcome<void> loaded = load(*function); !loaded) {
        Failure failure = loaded.error();
        if (failure.code == cudaErrorInvalidDeviceFunction) failure.code = cudaErrorSymbolNotFound;
        return std::unexpected(std::move(failure));
    }
    m_handles[function.get()] = function;
    return function.get();
}

Outcome<engine::Engine::VariablePlace> ModuleTable::variableByName(std::size_t binary,
                                                                   const std::string& name) {
    const Outcome<engine::Module*> module = load(binary);
    if (!module) return std::unexpected(module.error());
    const auto place = m_executor().variable(**module, name);
    if (!place)
        return fails(cudaErrorInvalidSymbol, kNote,
                     fmt::format("the program's PTX has no variable {}", name));
    return *place;
}

} // namespace dormer::emulator::runtime
