// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// User objects: what a program wants destroyed once neither it nor any graph needs it. A graph, each copy of
// it and each instantiation hold references of their own.

#include "instrument/emulator/runtime/api/api.h"

#include <algorithm>

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

/// Those that the program itself has references to. The caller holds the runtime's lock.
std::map<const void*, std::shared_ptr<UserObject>>& owned() {
    static auto* const all = new std::map<const void*, std::shared_ptr<UserObject>>;
    return *all;
}

/// Takes references from the program; the last one's end is the object's, unless a graph has one.
Outcome<void> release(cudaUserObject_t handle, unsigned count) {
    const auto found = owned().find(handle);
    if (found == owned().end() || count == 0 || count > found->second->references)
        return fails(cudaErrorInvalidValue);
    found->second->references -= count;
    if (found->second->references == 0) owned().erase(found);
    return {};
}

} // namespace

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags) {
    return call([&](Runtime&) -> Outcome<void> {
        if (object == nullptr || destroy == nullptr || references == 0 ||
            flags != cudaUserObjectNoDestructorSync)
            return fails(cudaErrorInvalidValue);
        std::shared_ptr<UserObject> made(new UserObject{data, destroy, references}, [](UserObject* ended) {
            ended->destroy(ended->data);
            delete ended;
        });
        *object = reinterpret_cast<cudaUserObject_t>(made.get());
        owned()[made.get()] = std::move(made);
        return {};
    });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
    return call([&](Runtime&) -> Outcome<void> {
        const auto found = owned().find(object);
        if (found == owned().end() || count == 0) return fails(cudaErrorInvalidValue);
        found->second->references += count;
        return {};
    });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
    return call([&](Runtime&) { return release(object, count); });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        Graph* const graph = r.graphs().find(handle);
        const auto found = owned().find(object);
        const bool moves = flags == cudaGraphUserObjectMove;
        if (graph == nullptr || found == owned().end() || count == 0 || (flags != 0 && !moves) ||
            (moves && count > found->second->references))
            return fails(cudaErrorInvalidValue);
        graph->userObjects.insert(graph->userObjects.end(), count, found->second);
        return moves ? release(object, count) : Outcome<void>{};
    });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count) {
    return call([&](Runtime& r) -> Outcome<void> {
        Graph* const graph = r.graphs().find(handle);
        if (graph == nullptr || count == 0) return fails(cudaErrorInvalidValue);
        const auto named = [&](const auto& each) {
            return each.get() == reinterpret_cast<const UserObject*>(object);
        };
        if (std::ranges::count_if(graph->userObjects, named) < static_cast<std::ptrdiff_t>(count))
            return fails(cudaErrorInvalidValue);
        for (unsigned i = 0; i < count; ++i)
            graph->userObjects.erase(std::ranges::find_if(graph->userObjects, named));
        return {};
    });
}

} // extern "C"
