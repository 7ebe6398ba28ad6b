#include "tool/frontend/request_key.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/LangStandard.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>

#include "annotations/parser.h"
#include "cache/key_builder.h"

namespace hone::frontend {
namespace {

using namespace clang;

// The active tokens of a piece of a file: comments, layout and untaken branches out. Of the directives only pragmas
// count, as the others have done their work.
std::string canonical_tokens(const TranslationUnit& unit, FileID file, std::size_t begin, std::size_t end) {
  const SourceTokens& tokens = unit.tokens_of(file);
  std::string text;
  bool pragma = false;
  for (std::size_t i = tokens.at_or_after(begin); i < tokens.size() && tokens[i].begin < end; ++i) {
    if (unit.is_skipped(file, tokens[i].begin)) continue;
    if (tokens[i].directive) {
      if (tokens[i].line_start) pragma = tokens.is(i + 1, "pragma") && !tokens.is(i + 2, "hone");
      if (!pragma) continue;
    }
    if (tokens[i].line_start && (tokens[i].directive || (i > 0 && tokens[i - 1].directive)) && !text.empty())
      text += "\n";
    else if (!text.empty())
      text += " ";
    text += tokens.spelling(i);
  }
  return text;
}

std::string label_of(const Decl& declaration) {
  const auto* named = llvm::dyn_cast<NamedDecl>(&declaration);
  const std::string name = named ? named->getQualifiedNameAsString() : "";
  return name.empty() ? declaration.getDeclKindName() : name;
}

std::string macro_text(const Preprocessor& preprocessor, const MacroUse& use) {
  std::string text;
  if (use.macro->isFunctionLike()) {
    text = "(";
    for (const IdentifierInfo* parameter : use.macro->params())
      text += (text.size() > 1 ? "," : "") + parameter->getName().str();
    text += use.macro->isVariadic() ? "...)" : ")";
  }
  for (const Token& token : use.macro->tokens()) text += " " + preprocessor.getSpelling(token);
  return text;
}

// Options whose effect on meaning Clang models, whatever spelling or default led to it.
std::string meaning_of(const LangOptions& language) {
  std::string text;
  const auto flag = [&](const char* name, bool set) {
    if (set) text += std::string(name) + " ";
  };
  flag("fast-math", language.FastMath);
  flag("unsafe-fp-math", language.UnsafeFPMath);
  flag("finite-math", language.NoHonorNaNs || language.NoHonorInfs);
  flag("reassociate", language.AllowFPReassoc);
  flag("no-signed-zeros", language.NoSignedZero);
  flag("reciprocal-math", language.AllowRecip);
  flag("approximate-functions", language.ApproxFunc);
  flag("no-math-errno", !language.MathErrno);
  flag("rounding-math", language.RoundingMath);
  flag("openmp", language.OpenMP != 0);
  flag("openmp-simd", language.OpenMPSimd);
  flag("wrapv", language.getSignedOverflowBehavior() == LangOptions::SOB_Defined);
  flag("trapv", language.getSignedOverflowBehavior() == LangOptions::SOB_Trapping);
  flag("unsigned-char", !language.CharIsSigned);
  flag("short-enums", language.ShortEnums);
  flag("no-exceptions", !language.CXXExceptions);
  flag("no-rtti", !language.RTTI);
  flag("freestanding", language.Freestanding);
  return text;
}

// Those that only show in the spelling, or that Clang knows nothing of.
std::string spelled_flags(const std::vector<std::string>& arguments) {
  constexpr const char* kPrefixes[] = {"-ffp-contract=",
                                       "-fexcess-precision=",
                                       "-fsingle-precision-constant",
                                       "-fno-strict-aliasing",
                                       "-fpack-struct",
                                       "-mfpmath=",
                                       "-fcx-",
                                       "-fsignaling-nans",
                                       "-fno-trapping-math",
                                       "-fno-builtin",
                                       "-mlong-double",
                                       "-fno-delete-null-pointer-checks",
                                       "-fno-strict-overflow",
                                       "-malign-double"};
  std::vector<std::string> found;
  for (const std::string& argument : arguments)
    if (std::ranges::any_of(kPrefixes, [&](const char* prefix) { return argument.starts_with(prefix); }))
      found.push_back(argument);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::string text;
  for (const std::string& argument : found) text += argument + " ";
  return text;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + "\n";
  return text;
}

}  // namespace

std::string language_name(const TranslationUnit& unit) {
  return LangStandard::getLangStandardForKind(unit.parsed().language().LangStd).getName();
}

std::string target_name(const TranslationUnit& unit) {
  const TargetInfo& target = unit.context().getTargetInfo();
  std::vector<std::string> features;
  for (const auto& feature : target.getTargetOpts().FeatureMap)
    if (feature.getValue()) features.push_back(feature.getKey().str());
  std::ranges::sort(features);
  std::string text = target.getTriple().getArchName().str();
  for (const std::string& feature : features) text += " " + feature;
  return text;
}

void add_request_key(const TranslationUnit& unit, const Outline& outline, const Closure& closure, int kernel_item,
                     const annotations::Directive& directive, const std::vector<std::string>& arguments,
                     KernelSpec& spec) {
  cache::KeyBuilder key;
  key.add("schema", kKeySchema);
  key.add("verifier", kVerifierVersion);
  key.add("language", spec.language);
  key.add("function", spec.mangled_name);
  const auto item_tokens = [&](int index) {
    const Item& item = outline.items()[static_cast<std::size_t>(index)];
    return canonical_tokens(unit, unit.main_file(), item.begin, item.end);
  };
  key.add("definition", item_tokens(kernel_item));
  for (const Decl* declaration : closure.in_headers) {
    const SourceRange range = declaration->getSourceRange();
    const FileID file = unit.sources().getFileID(unit.sources().getExpansionLoc(range.getBegin()));
    key.add("reaches " + label_of(*declaration),
            canonical_tokens(unit, file, unit.offset(range.getBegin()), unit.offset(range.getEnd()) + 1));
  }
  for (int item : closure.items)
    if (item != kernel_item)
      key.add("reaches " + label_of(*outline.items()[static_cast<std::size_t>(item)].declarations.front()),
              item_tokens(item));
  for (const MacroUse& use : closure.macros)
    key.add("macro " + use.name, macro_text(unit.parsed().preprocessor(), use));
  if (closure.system_macros.contains("assert"))
    key.add("assertions", unit.context().Idents.get("NDEBUG").hasMacroDefinition() ? "off" : "on");
  key.add("from the system", joined(closure.system));
  key.add("annotation", annotations::canonical(directive));
  key.add("flags", meaning_of(unit.parsed().language()) + spelled_flags(arguments));
  key.add("target", spec.target);
  spec.key = key.key();
  spec.key_dump = key.dump();
}

}  // namespace hone::frontend
