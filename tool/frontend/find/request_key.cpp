#include "tool/frontend/find/request_key.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/LangStandard.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "annotations/parser.h"
#include "cache/key_builder.h"

namespace hone::frontend {
namespace {

using namespace clang;

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

std::string device_flags(const CudaTarget* cuda) {
  std::string text;
  if (cuda)
    for (const std::string& flag : cuda->flags) text += flag + " ";
  return text;
}

// -march=haswell and -mavx2, but not -m64; in -Xcompiler's lists as well.
bool names_processor(const std::string& argument) {
  for (std::size_t at = argument.find("-m"); at != std::string::npos; at = argument.find("-m", at + 1)) {
    const std::string_view rest = std::string_view(argument).substr(at + 2);
    const bool starts = at == 0 || argument[at - 1] == ',' || argument[at - 1] == '=';
    const bool other = rest.starts_with("64") || rest.starts_with("32") || rest.starts_with("achine") ||
                       rest.starts_with("axrregcount") || rest.starts_with("inimal") || rest.empty();
    if (starts && !other) return true;
  }
  return false;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + "\n";
  return text;
}

}  // namespace

std::string flags_that_mean(const TranslationUnit& unit, const std::vector<std::string>& arguments) {
  return meaning_of(unit.parsed().language()) + spelled_flags(arguments);
}

std::string language_name(const TranslationUnit& unit) {
  const LangOptions& language = unit.parsed().language();
  return (language.CUDA ? "cuda " : "") + std::string(LangStandard::getLangStandardForKind(language.LangStd).getName());
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

std::string device_target_name(const CudaTarget& cuda, const std::vector<std::string>& arguments,
                               const TranslationUnit& unit) {
  std::string text = "cuda";
  for (const std::string& architecture : cuda.architectures) text += " " + architecture;
  return std::ranges::any_of(arguments, names_processor) ? text + " " + target_name(unit) : text;
}

void add_request_key(const KernelText& kernel, const KernelBuild& build, KernelSpec& spec) {
  const auto& [unit, outline, closure, item, directive, elsewhere] = kernel;
  std::vector<KeyField> fields;
  const auto add = [&](std::string name, std::string value, std::string file = {}, unsigned line = 0) {
    fields.push_back({std::move(name), std::move(value), std::move(file), line});
  };
  add("schema", kKeySchema);
  add("verifier", kVerifierVersion);
  add("language", spec.language);
  add("function", spec.mangled_name);
  const Item& definition = outline.items()[static_cast<std::size_t>(item)];
  add("definition", canonical_tokens(unit, unit.main_file(), definition.begin, definition.end), "",
      unit.sources().getLineNumber(unit.main_file(), static_cast<unsigned>(definition.begin)));
  for (const ReachedText& reached : reached_texts(unit, outline, closure, item))
    add(reached.label, reached.text, reached.file, reached.line);
  for (const ReachedText& reached : elsewhere) add(reached.label, reached.text, reached.file, reached.line);
  if (closure.system_macros.contains("assert"))
    add("assertions", unit.context().Idents.get("NDEBUG").hasMacroDefinition() ? "off" : "on");
  add("from the system", joined(closure.system));
  add("annotation", annotations::canonical(directive), "", spec.line);
  add("flags", flags_that_mean(unit, build.arguments) + device_flags(build.cuda));
  add("target", spec.target);
  add("compiled with", build.compiled_with);
  cache::KeyBuilder key;
  for (const KeyField& field : fields) key.add(field.name, field.value);
  spec.key = key.key();
  spec.key_dump = key.dump();
  spec.key_fields = std::move(fields);
}

void place_key_fields(const MainText& main, KernelSpec& spec) {
  for (KeyField& field : spec.key_fields) {
    if (field.line == 0) continue;
    const FilePlace place =
        field.file.empty() ? main.origins.place_of_line(main.text, field.line) : FilePlace{field.file, field.line};
    field.file = (std::filesystem::path(main.command.directory) / place.file).lexically_normal().string();
    field.line = place.line;
  }
}

}  // namespace hone::frontend
