// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/library_names.h"

#include "analysis/session/names/name_walker.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace dormer::session {

namespace {

using Text = std::string_view;

/// One kernel of a library. `shown` is text with {name}, the kernel's own name, and with what a template
/// argument, counted from 0, says: {op2} the operation, {functor2} the same but of no plain type, {type0} the
/// type it was made of, {algorithm0} Thrust's algorithm.
struct KernelRule {
    Text library; ///< a namespace the kernel lies in; with '*' at its end one that begins so
    Text kernel;  ///< its own name
    Text shown;
};

/// From PyTorch's aten/src/ATen/native/cuda, CUTLASS's include/cutlass/device_kernel.h, CCCL's
/// cub/device/dispatch and thrust/system/cuda/detail, and the names that profiles of programs show.
constexpr std::array kKernelRules{
    KernelRule{"native", "vectorized_elementwise_kernel", "{name}<{op1}>"},
    KernelRule{"native", "vectorized_templated_elementwise_kernel", "{name}<{op1}>"},
    KernelRule{"native", "unrolled_elementwise_kernel", "{name}<{op0}>"},
    KernelRule{"native", "elementwise_kernel", "{name}<{op2}>"},
    KernelRule{"native", "elementwise_kernel_manual_unroll", "{name}<{op2}>"},
    KernelRule{"native", "elementwise_kernel_with_index", "{name}<{op1}>"},
    KernelRule{"native", "index_elementwise_kernel", "{name}<{op2}>"},
    KernelRule{"native", "_scatter_gather_elementwise_kernel", "{name}<{op2}>"},
    KernelRule{"native", "distribution_elementwise_grid_stride_kernel", "{name}<{op2}>"},
    KernelRule{"native", "reduce_kernel", "{name}<{op2}>"},
    KernelRule{"native", "multi_tensor_apply_kernel", "{name}<{op1}, {functor2}>"},
    KernelRule{"native", "multi_tensor_apply_kernel", "{name}<{op1}>"},
    KernelRule{"cutlass*", "Kernel", "{type0}"},
    KernelRule{"cutlass*", "Kernel2", "{type0}"},
    KernelRule{"cutlass*", "device_kernel", "{type0}"},
    KernelRule{"thrust", "_kernel_agent", "thrust::{algorithm0}"},
    KernelRule{"for_each", "static_kernel", "cub::for_each<{algorithm2}>"},
    KernelRule{"for_each", "dynamic_kernel", "cub::for_each<{algorithm2}>"},
    KernelRule{"gemvx", "kernel", "gemvx::kernel"},
};

/// Of the namespaces of these libraries' other kernels only the outermost stays: what lies between is
/// versions and details.
constexpr std::array<Text, 4> kLibraries{"cub", "thrust", "cudnn", "cutlass"};

/// Templates that only carry an operation, and which of their arguments that is.
struct Wrapper {
    Text name; ///< with '*' at its end whatever begins so
    std::size_t argument;
};
constexpr std::array kWrappers{
    Wrapper{"gpu_kernel_impl*", 0}, Wrapper{"gpu_index_kernel", 0}, Wrapper{"BinaryFunctor", 3},
    Wrapper{"AUnaryFunctor", 3},    Wrapper{"BUnaryFunctor", 3},    Wrapper{"ReduceOp", 1},
    Wrapper{"func_wrapper_t", 1},   Wrapper{"ParallelForAgent", 0}, Wrapper{"enable_*", 0},
};
/// Wrappers in wrappers are followed so far: real ones are three deep.
constexpr int kMostWrapped = 6;

/// Ends, and middles, of generated names that say nothing. What is left keeps all numbers that differ.
struct Cut {
    Text text;
    Text instead;
};
constexpr std::array kCuts{
    Cut{"_execute_segment_k_off_kernel__5x_cublas", ""},
    Cut{"_execute_segment_k_on_kernel__5x_cublas", "_segment_k"},
    Cut{"_execute_kernel__5x_cublas", ""},
    Cut{"_execute_split_k_kernel__5x_cublas", "_split_k"},
    Cut{"_execute_kernel__5x_cudnn", ""},
    Cut{"_execute_split_k_kernel__5x_cudnn", "_split_k"},
    Cut{"_execute_kernel_trt", ""},
};
/// The CuTe DSL adds the layouts of all arguments.
constexpr Text kCuteArguments = "_object_at__";
constexpr std::size_t kMostTypeBytes = 32;

bool fits(Text pattern, Text text) {
    return pattern.ends_with('*') ? text.starts_with(pattern.substr(0, pattern.size() - 1)) : text == pattern;
}

/// "c10::BFloat16" as "BFloat16"; nothing of pointers, numbers and templates.
std::string plainType(Text text) {
    if (text.empty() || text == "true" || text == "false" || text.size() > kMostTypeBytes) return {};
    if (std::isalpha(static_cast<unsigned char>(text.front())) == 0 && text.front() != '_') return {};
    const auto belongs = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':' || c == ' ';
    };
    if (!std::ranges::all_of(text, belongs)) return {};
    const std::size_t last = text.rfind("::");
    return std::string(last == Text::npos ? text : text.substr(last + 2));
}

/// A template argument that is a type, read.
struct Argument {
    std::vector<std::string> parts; ///< of its qualified name, up to the first lambda or operator
    Text list;                      ///< its last template argument list
    Text lambda;                    ///< parameters of the innermost lambda
};

Argument read(Text text) {
    Argument argument;
    NameWalker walker(text);
    argument.parts = walker.parts();
    if (!walker.templateLists().empty()) argument.list = walker.templateLists().back();
    const auto isInner = [](const std::string& part) {
        return part.starts_with("{lambda") || part.starts_with("operator");
    };
    const auto inner = std::ranges::find_if(argument.parts, isInner);
    if (inner != argument.parts.end() && inner != argument.parts.begin())
        argument.parts.erase(inner, argument.parts.end());
    constexpr Text kLambda = "lambda(";
    if (const std::size_t at = text.rfind(kLambda); at != Text::npos) {
        const Text parameters = text.substr(at + kLambda.size() - 1);
        argument.lambda = parameters.substr(0, NameWalker::bracketLength(parameters));
    }
    return argument;
}

Argument unwrapped(Text text) {
    Argument argument = read(text);
    for (int depth = 0; depth < kMostWrapped && !argument.parts.empty(); ++depth) {
        const auto wrapper = std::ranges::find_if(
            kWrappers, [&](const Wrapper& each) { return fits(each.name, argument.parts.back()); });
        if (wrapper == kWrappers.end()) break;
        const std::vector<Text> inside = NameWalker::split(argument.list);
        if (inside.size() <= wrapper->argument) break;
        argument = read(inside[wrapper->argument]);
    }
    return argument;
}

/// "CUDAFunctor_add<float>", "direct_copy_kernel_cuda<float>".
std::string operation(Text text) {
    const Argument argument = unwrapped(text);
    if (argument.parts.empty()) return {};
    const auto firstType = [](Text list) {
        const std::vector<Text> all = NameWalker::split(list);
        return all.empty() ? std::string() : plainType(all.front());
    };
    std::string type = firstType(argument.lambda);
    if (type.empty()) type = firstType(argument.list);
    return argument.parts.back() + (type.empty() ? "" : '<' + type + '>');
}

/// "flash::FlashAttnFwdSm90", "cutlass_80_simt_sgemm_128x64_8x5_nn_align1".
std::string typeName(Text text) {
    const Argument argument = unwrapped(text);
    if (argument.parts.empty()) return {};
    return (argument.parts.size() > 1 ? argument.parts.front() + "::" : "") + argument.parts.back();
}

/// Thrust keeps each algorithm in a namespace of its own: "...::__scan::ScanAgent" as "scan".
std::string algorithm(Text text) {
    const Argument argument = unwrapped(text);
    for (const std::string& part : argument.parts)
        if (part.starts_with("__") && part.size() > 2) {
            const std::size_t begin = part.find_first_not_of('_');
            if (begin != std::string::npos) return part.substr(begin);
        }
    return argument.parts.empty() ? std::string() : argument.parts.back();
}

/// Nothing where an argument that the rule shows is missing, or no type.
std::optional<std::string> shownBy(const KernelRule& rule, const std::vector<Text>& arguments) {
    std::string out;
    for (std::size_t at = 0; at < rule.shown.size();) {
        if (rule.shown[at] != '{') {
            out += rule.shown[at++];
            continue;
        }
        const std::size_t end = rule.shown.find('}', at);
        const Text field = rule.shown.substr(at + 1, end - at - 1);
        at = end + 1;
        if (field == "name") {
            out += rule.kernel;
            continue;
        }
        const auto index = static_cast<std::size_t>(field.back() - '0');
        if (index >= arguments.size()) return std::nullopt;
        const Text argument = arguments[index];
        if (field.starts_with("functor") && argument.find_first_of("<:") == Text::npos) return std::nullopt;
        const std::string text = field.starts_with("type")        ? typeName(argument)
                                 : field.starts_with("algorithm") ? algorithm(argument)
                                                                  : operation(argument);
        if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) return std::nullopt;
        out += text;
    }
    return out;
}

/// PyTorch's own kernels are known without their namespaces: "at::native::mbtopk::gatherTopK".
std::optional<std::string> torchName(const std::vector<std::string>& parts) {
    if (parts.size() < 3 || parts[0] != "at" || parts[1] != "native") return std::nullopt;
    std::string name;
    for (std::size_t i = 2; i < parts.size(); ++i)
        name += (name.empty() ? "" : "::") + parts[i];
    return name;
}

} // namespace

std::optional<std::string> libraryName(const std::vector<std::string>& parts, std::string_view arguments) {
    const auto last = parts.end() - 1;
    const auto lies = [&](Text library) {
        return std::any_of(parts.begin(), last, [&](const std::string& part) { return fits(library, part); });
    };
    std::optional<std::vector<Text>> split;
    for (const KernelRule& rule : kKernelRules) {
        if (rule.kernel != *last || !lies(rule.library)) continue;
        if (!split) split = NameWalker::split(arguments);
        if (auto shown = shownBy(rule, *split)) return shown;
    }
    if (auto name = torchName(parts)) return name;
    auto library = std::find_first_of(parts.begin(), last, kLibraries.begin(), kLibraries.end());
    if (library == last && parts.front() == "cuda") library = parts.begin();
    if (library != last)
        return *library +
               "::" + (last->starts_with("operator") && last - library > 1 ? *(last - 1) + "::" : "") + *last;
    return std::nullopt;
}

std::string withoutGeneratedEnd(std::string_view identifier) {
    std::string name(identifier);
    for (const Cut& cut : kCuts)
        if (name.ends_with(cut.text))
            name.replace(name.size() - cut.text.size(), cut.text.size(), cut.instead);
    if (const std::size_t at = name.find(kCuteArguments); at != std::string::npos && at > 0) name.resize(at);
    // Triton up to 2.1 adds, for each argument, its number and what it was compiled for: divisible by 16 or
    // by 8, equal to 1.
    const std::size_t begin = name.rfind('_');
    if (begin == std::string::npos || begin == 0) return name;
    std::size_t at = begin + 1, arguments = 0;
    bool specialized = false;
    for (; at < name.size(); ++arguments) {
        const std::string number = std::to_string(arguments);
        if (name.compare(at, number.size(), number) != 0) return name;
        for (at += number.size(); at < name.size() && Text("cde").contains(name[at]); ++at)
            specialized = true;
    }
    if (specialized && arguments > 1) name.resize(name.find_last_not_of('_', begin) + 1);
    return name;
}

} // namespace dormer::session
