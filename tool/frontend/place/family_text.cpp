#include "tool/frontend/place/family_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/place/variant_functions.h"
#include "tool/frontend/unit/variant_launch.h"
#include "tool/model/candidate.h"

namespace hone::frontend {
namespace {

constexpr std::size_t kDigitsOfKey = 8;  // keeps names short; 32 bits tell a file's kernels apart

std::string short_key(const std::string& key) {
  return key.substr(0, kDigitsOfKey);
}

// True in passes for the device whose code is of this family.
std::string is_of(unsigned family) {
  return "defined(__CUDA_ARCH__) && __CUDA_ARCH__ / 100 == " + std::to_string(family);
}

// True in the host's pass and in passes for the device whose code is of this family.
std::string may_be_of(unsigned family) {
  return "!defined(__CUDA_ARCH__) || __CUDA_ARCH__ / 100 == " + std::to_string(family);
}

// The end of a variant's name with C linkage. Such a name means one function in all namespaces, so each family needs
// another.
std::string suffix_of(unsigned family) {
  return "_in_family_" + std::to_string(family);
}

unsigned line_of(const std::string& text, std::size_t at) {
  return static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// A variant's definition, as pieces of which each stands in its own lines.
class Piecewise {
 public:
  Piecewise(const FamilyVariant& variant, const std::string& c_name)
      : family_(variant.family), display_(variant.display), split_(split_includes(variant.variant)) {
    if (split_.definition.empty() || split_.definition.back() != '\n') split_.definition += '\n';
    functions_ = functions_of(split_.definition);
    if (!c_name.empty()) rename(c_name);
  }

  unsigned family() const { return family_; }
  std::string includes() const { return split_.includes.empty() ? "" : line_directive(1, display_) + split_.includes; }
  const std::vector<VariantFunction>& functions() const { return functions_; }
  std::size_t size() const { return split_.definition.size(); }

  bool has_code(std::size_t begin, std::size_t end) const {
    const SourceTokens tokens(split_.definition, permissive_language());
    const std::size_t first = tokens.at_or_after(begin);
    return first < tokens.size() && tokens[first].begin < end;
  }

  // The text of [begin, end) as it is.
  std::string plain(std::size_t begin, std::size_t end) const {
    std::string text = place(begin) + split_.definition.substr(begin, end - begin);
    return text.ends_with('\n') ? text : text + '\n';
  }

  // The text of [begin, end) with nothing in it for devices of other families.
  std::string for_its_family(std::size_t begin, std::size_t end) const {
    const std::string only = "\n#if " + may_be_of(family_) + "\n";
    std::string text = place(begin);
    std::size_t copied = begin;
    const auto insert = [&](std::size_t at, const std::string& lines) {
      text += split_.definition.substr(copied, at - copied) + lines + place(at);
      copied = at;
    };
    for (const VariantFunction& function : functions_) {
      if (function.begin < begin || function.end > end) continue;
      for (const auto& [from, to] : function.newer) {
        insert(from, only);
        insert(to, "\n#endif\n");
      }
      if (function.global && function.body > 0) {
        insert(function.body + 1, only);
        insert(function.body_end, "\n#else\n__trap();\n#endif\n");  // never run: better an error than a wrong result
      } else if (function.device_alone) {
        insert(function.begin, only);
        insert(function.end, "\n#endif\n");
      }
    }
    text += split_.definition.substr(copied, end - copied);
    return text.ends_with('\n') ? text : text + '\n';
  }

 private:
  std::string place(std::size_t at) const {
    return line_directive(split_.definition_line + line_of(split_.definition, at), display_);
  }

  void rename(const std::string& name) {
    const std::string suffix = suffix_of(family_);
    for (auto function = functions_.rbegin(); function != functions_.rend(); ++function)
      if (function->name == name) split_.definition.insert(function->name_at + name.size(), suffix);
    functions_ = functions_of(split_.definition);
  }

  unsigned family_;
  std::string display_;
  SplitSource split_;
  std::vector<VariantFunction> functions_;
};

class FamilyText {
 public:
  FamilyText(const FoundKernel& kernel, const std::vector<FamilyVariant>& variants, const Silence& silence)
      : kernel_(kernel), variants_(variants), silence_(silence) {}

  Result<Replacement> run() {
    for (const FamilyVariant& variant : variants_) HONE_CHECK(sort(variant));
    Replacement replacement{kernel_.placement, {}, variants_.front().display, {}, {}};
    for (const auto* pieces : {&called_, &kept_})
      for (const Piecewise& variant : *pieces)
        if (const std::string includes = variant.includes(); !includes.empty())
          replacement.beside.push_back({kernel_.placement.includes_at, includes});
    HONE_TRY(std::string front, front_of_kept());
    replacement.beside.push_back({kernel_.placement.begin, front_of_called() + front});
    if (!kernel_.spec.global)
      replacement.beside.push_back(
          {kernel_.entrance.at, guard() + choice(kernel_.entrance.name, kernel_.entrance.arguments)});
    replacement.beside.push_back({kernel_.placement.end, behind_kept() + launches()});
    if (brings_launch_) replacement.launches = kernel_.launches;
    return replacement;
  }

 private:
  // Fixed scalars with other values are the original's.
  std::string guard() const {
    const Guard& guard = kernel_.guard;
    return guard.definition.empty() ? "" : "  if (" + guard.question + "(" + guard.arguments + "))\n";
  }

  bool has_c_linkage() const { return kernel_.spec.mangled_name == kernel_.entrance.name; }

  // A variant is called by the host, or takes the kernel's place on the device.
  Result<void> sort(const FamilyVariant& variant) {
    const bool launches = brings_launch(kernel_.spec, variant.variant);
    if (kernel_.spec.global && !launches) {
      kept_.emplace_back(variant, "");
      return {};
    }
    const std::string& why = launches && !kernel_.spec.own_launch.why_not.empty() ? kernel_.spec.own_launch.why_not
                                                                                  : kernel_.entrance.why_not;
    if (!why.empty()) return failure("the file is compiled for several families of architectures, and " + why);
    called_.emplace_back(variant, has_c_linkage() ? kernel_.entrance.name : "");
    brings_launch_ = brings_launch_ || launches;
    return {};
  }

  std::string silent(const std::string& lines) const {
    return lines.empty() ? "" : silence_.begin + lines + silence_.end;
  }

  // A variant's [begin, end), in its namespace; "": there is nothing.
  std::string scope(const Piecewise& variant, std::size_t begin, std::size_t end) const {
    if (!variant.has_code(begin, end)) return "";
    return silent("namespace " + family_namespace(variant.family(), kernel_.spec.key) + " {\n" +
                  variant.for_its_family(begin, end) + "}\n");
  }

  // ---- what the host calls --------------------------------------------------------------------------------------

  std::string asking() const { return "hone_family_" + short_key(kernel_.spec.key); }

  std::string front_of_called() const {
    std::string text;
    for (const Piecewise& variant : called_) text += scope(variant, 0, variant.size());
    return called_.empty() ? text : text + silent(ask() + kernel_.guard.definition);
  }

  // The function that asks CUDA which family's code it loads for the current device. It asks once for each device. It
  // leaves no error behind: where CUDA has no answer, the original is what fails.
  //
  // The function keeps the answers for the first 64 devices. It asks about any other device at each call.
  std::string ask() const {
    const std::string probe = "hone_code_" + short_key(kernel_.spec.key);
    return "static __global__ void " + probe + "() {}\nstatic int " + asking() + R"(() {
  constexpr int most = 64;
  static int known[most];
  const cudaError_t before = cudaPeekAtLastError();
  int device = 0;
  cudaFuncAttributes code;
  if (cudaGetDevice(&device) == cudaSuccess) {
    if (device < most)
      if (const int family = __atomic_load_n(&known[device], __ATOMIC_RELAXED)) return family;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;  // whoever captures a graph captures on
    cudaThreadExchangeStreamCaptureMode(&mode);
    const cudaError_t asked = cudaFuncGetAttributes(&code, )" +
           probe + R"();
    cudaThreadExchangeStreamCaptureMode(&mode);
    if (asked == cudaSuccess) {
      const int family = code.ptxVersion / 10;
      if (device < most) __atomic_store_n(&known[device], family, __ATOMIC_RELAXED);
      return family;
    }
  }
  if (before == cudaSuccess) static_cast<void>(cudaGetLastError());
  return 0;
}
)";
  }

  std::string choice(const std::string& name, const std::string& arguments) const {
    std::string text = "  switch (" + asking() + "()) {\n";
    for (const Piecewise& variant : called_) {
      const bool renamed = has_c_linkage() && name == kernel_.entrance.name;
      text += "    case " + std::to_string(variant.family()) + ": return " +
              family_namespace(variant.family(), kernel_.spec.key) + "::" + name +
              (renamed ? suffix_of(variant.family()) : "") + "(" + arguments + ");\n";
    }
    return text + "    default: break;\n  }\n";
  }

  // The function that the file's launches call, which is a variant's in other files.
  std::string launches() const {
    if (!brings_launch_) return "";
    const OwnLaunch& own = kernel_.spec.own_launch;
    std::string definition = own.definition;
    const std::string& arguments = kernel_.entrance.arguments;
    definition.insert((own.signature + " {\n").size(),
                      choice(own.name, arguments + (arguments.empty() ? "" : ", ") + "stream"));
    return silent(definition + kernel_.launches.glue);
  }

  // ---- what takes the kernel's place ----------------------------------------------------------------------------

  bool beside_template() const { return kernel_.placement.begin == kernel_.placement.end; }

  // The kernel's own definition in a variant; its helpers stand around it.
  Result<VariantFunction> own_definition(const Piecewise& variant) const {
    std::optional<VariantFunction> own;
    for (const VariantFunction& function : variant.functions())
      if (function.global && function.body > 0 && !function.nested && function.name == kernel_.entrance.name) {
        if (own)
          return failure("the file is compiled for several families of architectures, and it has the kernel twice");
        own = function;
      }
    if (!own) return failure("the file is compiled for several families of architectures, and it hides the kernel");
    return *own;
  }

  Result<std::string> front_of_kept() {
    std::string helpers, chain;
    for (const Piecewise& variant : kept_) {
      HONE_TRY(const VariantFunction own, own_definition(variant));
      const std::string space = family_namespace(variant.family(), kernel_.spec.key);
      const std::string before = scope(variant, 0, own.begin);
      chain += (chain.empty() ? "#if " : "#elif ") + is_of(variant.family()) + "\n";
      if (!before.empty()) chain += "using namespace " + space + ";\n";
      chain += silent(variant.plain(own.begin, own.end));
      helpers += before;
      behind_ += scope(variant, own.end, variant.size());
    }
    if (!chain.empty()) chain += beside_template() ? "" : "#else\n";
    return helpers + chain;
  }

  std::string behind_kept() const { return kept_.empty() ? "" : "#endif\n" + behind_; }

  const FoundKernel& kernel_;
  const std::vector<FamilyVariant>& variants_;
  const Silence& silence_;
  std::vector<Piecewise> called_, kept_;
  bool brings_launch_ = false;
  std::string behind_;  // helpers that stand behind the kernel
};

}  // namespace

std::string family_namespace(unsigned family, const std::string& key) {
  return "hone_sm" + std::to_string(family) + "_" + short_key(key);
}

Result<Replacement> replacement_by_family(const FoundKernel& kernel, const std::vector<FamilyVariant>& variants,
                                          const Silence& silence) {
  return FamilyText(kernel, variants, silence).run();
}

}  // namespace hone::frontend
