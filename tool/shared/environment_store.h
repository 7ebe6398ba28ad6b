// The shared store that the user named, in the environment and nowhere else: a project's files name none, so a cloned
// repository sends nobody anywhere.
//
//   HONE_CACHE_URL                   https://cache.example/hone; without it there is none
//   HONE_CACHE_TOKEN                 sent as "Authorization: Bearer …"
//   HONE_CACHE_CERT, HONE_CACHE_KEY  paths of a client certificate and its key, PEM
//   HONE_CACHE_PUSH                  1: what is tuned is sent there at once; without it, or 0: when somebody pushes
#pragma once

#include <memory>

#include "tool/shared/shared_store.h"

namespace hone::shared {

// For a command that a user calls. Null: none is named. Settings that make no sense are each call's Error. Takes the
// token out of the environment, so that no child has it: to be called once, before there are threads.
std::unique_ptr<SharedStore> environment_store();

// The same for one of a build's many compiles (build_store.h).
std::unique_ptr<SharedStore> environment_store_of_build();

// Error: the variable says neither.
Result<bool> sends_what_is_tuned();

}  // namespace hone::shared
