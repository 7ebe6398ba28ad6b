// What the original of a kernel uses, by name: a candidate may use that too, whatever the tables say of its header.
//
// Follows functions through the bodies that the parse has (those of the user's own files and of templates). Pure.
#pragma once

#include <set>
#include <string>

namespace clang {
class ASTContext;
class AsmStmt;
class Attr;
class FunctionDecl;
class SourceManager;
}  // namespace clang

namespace hone::frontend {

struct OriginalNames {
  std::set<std::string> names;       // qualified, of functions and variables outside of function bodies
  std::set<std::string> folders;     // of system headers that declare some of them
  std::set<std::string> assembly;    // statements in its bodies, by assembly_text()
  std::set<std::string> attributes;  // of the function itself, as Clang writes them
};

OriginalNames original_names_of(const clang::FunctionDecl& function);

// "__attribute__((visibility(\"default\")))"
std::string attribute_text(const clang::Attr& attribute, const clang::ASTContext& context);

// What a statement tells the assembler and the compiler, without what it names.
std::string assembly_text(const clang::AsmStmt& statement);

std::string folder_of(const clang::SourceManager& sources, const clang::FunctionDecl& declaration);

}  // namespace hone::frontend
