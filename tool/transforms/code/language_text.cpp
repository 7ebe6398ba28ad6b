#include "tool/transforms/code/language_text.h"

#include <map>
#include <string_view>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// static_cast<T>(x) becomes (T)(x).
void write_casts(std::string& text) {
  constexpr std::string_view cast = "static_cast<";
  for (std::size_t at = text.find(cast); at != text.npos; at = text.find(cast, at + 1)) {
    const std::size_t close = text.find('>', at);
    text.replace(at, close - at + 1, "(" + text.substr(at + cast.size(), close - at - cast.size()) + ")");
  }
}

std::string reader(const std::string& name, const char* to, const char* from) {
  return std::string("static __inline __attribute__((always_inline)) ") + to + " " + name + "(" + from + " x) {\n  " +
         to + " y;\n  __builtin_memcpy(&y, &x, sizeof y);\n  return y;\n}\n\n";
}

}  // namespace

bool is_c(const clang::ASTContext& ast) {
  return !ast.getLangOpts().CPlusPlus;
}

std::string converted(const clang::ASTContext& ast, const std::string& type, const std::string& text) {
  return is_c(ast) ? "(" + type + ")(" + text + ")" : "static_cast<" + type + ">(" + text + ")";
}

std::string constant_like(const clang::ASTContext& ast, const clang::VarDecl* variable) {
  const std::string name = variable->getNameAsString();
  if (!is_c(ast)) return (variable->getType()->isReferenceType() ? "auto&& " : "const auto ") + name;
  if (plain_type(ast, variable->getType()).empty()) return "";
  std::string text = name;
  variable->getType().withConst().getAsStringInternal(text, clang::PrintingPolicy(ast.getLangOpts()));
  return text;
}

std::string in_language_of(const clang::ASTContext& ast, std::string text, const std::string& name,
                           std::string& helpers) {
  if (!is_c(ast)) return text;
  const bool wide = text.find("__builtin_bit_cast(double, ") != text.npos;
  const char *word = wide ? "unsigned long long" : "unsigned", *type = wide ? "double" : "float";
  const std::string stem = wide ? name + "_double" : name, bits = stem + "_bits", number = stem + "_from_bits";
  replace_all(text, std::string("__builtin_bit_cast(") + word + ", ", bits + "(");
  replace_all(text, std::string("__builtin_bit_cast(") + type + ", ", number + "(");
  write_casts(text);
  helpers = reader(bits, word, type) + reader(number, type, word);
  return text;
}

std::string without_declaring_loops(const KernelContext& context) {
  Edits edits(context);
  std::map<std::size_t, std::string> closing;  // loops without braces end together
  for (const auto* loop : all_of<clang::ForStmt>(context.kernel->getBody())) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    if (!declared) continue;
    const auto range = range_of(context.ast, loop), outer = range_with_pragmas(context.ast, loop);
    const auto declaration = range_of(context.ast, declared);
    if (!range || !outer || !declaration) return context.candidate;
    edits.replace(TextRange{outer->begin, outer->begin}, "{\n" + text_of(context.ast, declared) + "\n");
    edits.replace(TextRange{declaration->begin, declaration->end}, ";");
    closing[range->end] += "\n}";
  }
  for (const auto& [at, braces] : closing) edits.replace(TextRange{at, at}, braces);
  return edits.candidate().value_or(context.candidate);
}

}  // namespace hone::frontend
