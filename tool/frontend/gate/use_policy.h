// What a candidate may name: what the original names, what computes, and what it defines itself.
//
// Functions of the system and of CUDA go by the tables of policy_words.h and cuda_policy.h. Of the user's own code,
// only what the original uses may be used, because the request key covers no more. Pure.
#pragma once

#include <string>

#include "tool/frontend/gate/original_names.h"
#include "tool/model/kernel_spec.h"

namespace clang {
class NamedDecl;
class SourceManager;
}  // namespace clang

namespace hone::frontend {

// Keeps references to all that it is made of.
class UsePolicy {
 public:
  UsePolicy(const clang::SourceManager& sources, const KernelSpec& spec, const OriginalNames& original)
      : sources_(sources), spec_(spec), original_(original) {}

  // Why it may not be named, "" where it may. `on_device`: by code that runs on a device alone.
  std::string object(const clang::NamedDecl& used, bool on_device) const;

 private:
  std::string object_to_cuda(const clang::NamedDecl& used, const std::string& name, bool on_device) const;
  std::string object_to_home(const clang::NamedDecl& used, const clang::NamedDecl& declared) const;
  std::string object_to_library(const clang::NamedDecl& used, const std::string& header) const;
  std::string object_to_users(const clang::NamedDecl& used) const;

  const clang::SourceManager& sources_;
  const KernelSpec& spec_;
  const OriginalNames& original_;
};

}  // namespace hone::frontend
