// Does a declaration stand in a header that is not the user's? Bodies of functions there need not be read.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

namespace hone::frontend {

inline bool in_system_header(const clang::Decl* declaration) {
  const clang::SourceManager& sources = declaration->getASTContext().getSourceManager();
  return sources.isInSystemHeader(declaration->getLocation());
}

}  // namespace hone::frontend
