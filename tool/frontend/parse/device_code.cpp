#include "tool/frontend/parse/device_code.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace hone::frontend {
namespace {

using namespace clang;

template <class Attribute>
bool has_written(const FunctionDecl& function) {
  const auto* attribute = function.getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

// cudaMalloc, cuLaunchKernel: the prefix and a capital.
bool is_of(StringRef name, StringRef prefix) {
  return name.starts_with(prefix) && name.size() > prefix.size() && std::isupper(name[prefix.size()]);
}

// The text of the statement or line in which a variable is declared, up to its name.
StringRef text_before(const VarDecl& variable) {
  const SourceManager& sources = variable.getASTContext().getSourceManager();
  const auto [file, end] = sources.getDecomposedExpansionLoc(variable.getLocation());
  const StringRef text = sources.getBufferData(file).take_front(end);
  return text.substr(text.find_last_of(";{}") + 1);
}

}  // namespace

bool is_global(const FunctionDecl& function) {
  return function.hasAttr<CUDAGlobalAttr>();
}

bool is_in_cuda(const FunctionDecl& function) {
  return function.getASTContext().getLangOpts().CUDA;
}

bool is_device(const FunctionDecl& function) {
  return has_written<CUDADeviceAttr>(function);
}

bool runs_on_device_alone(const FunctionDecl& function) {
  return is_global(function) || (is_device(function) && !has_written<CUDAHostAttr>(function));
}

bool drives_device(const FunctionDecl& function) {
  if (runs_on_device_alone(function) || !function.getIdentifier()) return false;
  const StringRef name = function.getName();
  if (function.getDeclContext()->getRedeclContext()->isTranslationUnit())
    return is_of(name, "cuda") || is_of(name, "cu") || is_of(name, "nccl") ||
           std::ranges::any_of(std::array{"cublas", "cudnn", "cufft", "cusparse", "cusolver", "curand"},
                               [&](const char* library) { return name.starts_with(library); });
  const std::string qualified = function.getQualifiedNameAsString();
  return qualified.starts_with("cub::") || (qualified.starts_with("thrust::") && !llvm::isa<CXXMethodDecl>(function));
}

bool is_shared_memory(const VarDecl& variable) {
  if (!variable.getASTContext().getLangOpts().CUDA) return false;
  if (variable.hasAttr<CUDASharedAttr>() || text_before(variable).contains("__shared__")) return true;
  // In a macro's body: what else could an array be that device code declares and nobody defines?
  const auto* function = llvm::dyn_cast_or_null<FunctionDecl>(variable.getParentFunctionOrMethod());
  return function && runs_on_device_alone(*function) && variable.hasExternalStorage() &&
         variable.getType()->isIncompleteArrayType();
}

bool is_stream(QualType type) {
  const QualType pointee = type->getPointeeType();
  const CXXRecordDecl* record = pointee.isNull() ? nullptr : pointee->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName() == "CUstream_st";
}

}  // namespace hone::frontend
