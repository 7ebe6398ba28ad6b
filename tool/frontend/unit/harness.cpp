#include "tool/frontend/unit/harness.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "tool/frontend/describe/object_use.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/template_parameter.h"
#include "tool/frontend/unit/argument_text.h"
#include "tool/frontend/unit/c_harness.h"
#include "tool/frontend/unit/clause_lines.h"
#include "tool/frontend/unit/harness_support.h"
#include "tool/frontend/unit/kernel_type.h"
#include "tool/frontend/unit/launch_text.h"
#include "tool/frontend/unit/row_text.h"
#include "tool/frontend/unit/workload_text.h"
#include "tool/model/kernel_language.h"

namespace hone::frontend {
namespace {

using namespace clang;

std::string type(std::size_t parameter) {
  return "hone_type_" + std::to_string(parameter);
}

// A value of it, where the parameter is a reference.
std::string bare_type(std::size_t parameter) {
  return " ::hone_harness::hone_bare<" + type(parameter) + ">::hone_is";
}

// How the value begins that a problem gives to a parameter; the expression and ");" follow on lines of their own.
std::string assigned_value(std::size_t parameter) {
  return " = static_cast<" + type(parameter) + ">(\n";
}

class Writer {
 public:
  Writer(const FunctionDecl& kernel, const Description& description, const KernelSpec& spec, const std::string& file)
      : kernel_(kernel), description_(description), spec_(spec), file_(file) {}

  std::string harness() {
    out_ = line_directive(1, kHarnessFile);
    const bool cuda = kernel_.getASTContext().getLangOpts().CUDA;
    if (!cuda) out_ += kQuietPragmas;
    out_ += kSupport;
    if (spec_.built) out_ += std::string(kArgumentSupport) + kRowSupport + kCppArgumentSupport;
    for (const std::string& space : namespaces_around(kernel_)) out_ += space + "{\n";
    out_ += "typedef ::hone_harness::hone_plain< " + called_type() + ">::hone_is hone_function;\n";
    if (spec_.result) out_ += "typedef ::hone_harness::hone_result<hone_function>::hone_is hone_result_type;\n";
    write_types();
    if (spec_.built) write_lengths();
    if (description_.launch) write_launch();
    if (description_.workload)
      write_workload();
    else
      write_call();
    const bool scope = opens_scope(kernel_);
    if (scope) out_ += "struct hone_scope : " + class_of(llvm::cast<CXXMethodDecl>(kernel_)) + " {\n";
    write_problems();
    write_expressions();
    if (scope) out_ += "};\n";
    for (std::size_t i = namespaces_around(kernel_).size(); i > 0; --i) out_ += "}\n";
    write_exports();
    return cuda ? out_ : out_ + "#pragma GCC diagnostic pop\n";
  }

  std::string constants() {
    out_ = line_directive(1, kHarnessFile);
    for (const std::string& space : namespaces_around(kernel_)) out_ += space + "{\n";
    // Within the class, of a member function.
    const bool scope = opens_scope(kernel_);
    out_ += scope
                ? "struct hone_constants : " + class_of(llvm::cast<CXXMethodDecl>(kernel_)) + " {\nvoid hone_all() {\n"
                : "namespace hone_constants {\n";
    out_ += template_parameters();
    for (std::size_t i = 0; i < description_.constants.size(); ++i) {
      const bool required = description_.constants[i].required && kernel_.getASTContext().getLangOpts().CPlusPlus11;
      out_ += (required ? "constexpr double hone_constant_" : "static const double hone_constant_") +
              std::to_string(i) + " = static_cast<double>(\n";
      write_expression(description_.constants[i].expression);
      out_ += ");\n";
    }
    out_ += scope ? "}\n};\n" : "}\n";
    for (std::size_t i = namespaces_around(kernel_).size(); i > 0; --i) out_ += "}\n";
    return out_;
  }

 private:
  void write_expression(const annotations::Expression& expression) {
    ClauseLines lines(file_);
    lines.add(expression, with_data(expression.text, description_.arguments));
    out_ += lines.text;
  }

  // The function that a call calls: the kernel, or what makes a workload for it.
  std::string called_type() const {
    return description_.workload ? type_of_expression(kernel_, "&" + workload()) : function_type(kernel_);
  }

  // At its own place in the pragma, with the arguments of the kernel's instance where both are templates.
  std::string workload() const {
    const annotations::Name& name = *description_.workload;
    return "\n" + line_directive(name.location.line, file_) +
           std::string(name.location.column > 0 ? name.location.column - 1 : 0, ' ') + name.text +
           (description_.workload_is_template ? all_template_arguments(kernel_) : "") + "\n" +
           line_directive(1, kHarnessFile);
  }

  // A workload's scalars come behind what it works with; its arrays are ours, and so are data behind the parameters.
  void write_types() {
    const std::size_t first = description_.workload ? 1 : 0;
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i)
      if (description_.workload && spec_.parameters[i].pointer)
        out_ += "typedef " + spec_.parameters[i].type + type(i) + ";\n";
      else if (description_.workload || i < kernel_.getNumParams())
        out_ += "typedef ::hone_harness::hone_parameter<" + std::to_string(i + first) + ", hone_function>::hone_is " +
                type(i) + ";\n";
    for (const auto& [datum, spelling] : description_.arguments.types)
      out_ += "typedef " + spelling + " " + type(datum) + ";\n";
  }

  void write_workload() {
    WorkloadText text{
        .whole = {}, .called = workload(), .c = !workloads_are_cpp(kernel_.getASTContext().getLangOpts())};
    for (const Parameter& parameter : spec_.parameters)
      if (!parameter.pointer)
        text.whole.push_back(parameter.element.fields.size() == 1 &&
                             parameter.element.fields.front().type.kind != ScalarKind::floating);
    out_ += workload_text(text);
  }

  std::string name_of(const Parameter& parameter) const {
    return description_.workload && parameter.pointer ? "" : parameter.name;
  }

  // "T0 a, T1 b" with the kernel's own names; `reference`: scalars by reference, else const.
  std::string parameters(bool reference) const {
    std::string text;
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i) {
      const Parameter& parameter = spec_.parameters[i];
      text += (reference && !parameter.pointer ? "" : "const ") + type(i) +
              (reference && !parameter.pointer ? "& " : " ") + name_of(parameter) + ", ";
    }
    return text;
  }

  std::string unused() const {
    std::string text;
    if (spec_.built) return text;  // where they are declared
    for (const Parameter& parameter : spec_.parameters)
      if (!name_of(parameter).empty()) text += "  (void)" + parameter.name + ";\n";
    return text;
  }

  // Is it what its slot says? Others are made of several.
  bool is_declared(std::size_t parameter) const {
    return !spec_.parameters[parameter].composed && !spec_.parameters[parameter].name.empty() &&
           !description_.arguments.object_of.contains(static_cast<unsigned>(parameter)) &&
           (!spec_.parameters[parameter].pointer ||
            kernel_.getParamDecl(static_cast<unsigned>(parameter))->getType()->isPointerType());
  }

  // Where arguments are put together: what clauses may name, out of the slots.
  std::string declarations(bool reference) const {
    const std::string constant = reference ? "" : "const ";
    std::string text;
    for (std::size_t i = 0; i < kernel_.getNumParams(); ++i) {
      const Parameter& parameter = spec_.parameters[i];
      if (!is_declared(i)) continue;
      const std::string slot = "(hone_slots[" + std::to_string(i) + "]);\n";
      text += parameter.pointer ? "  const " + type(i) + " " + parameter.name + " = static_cast<" + type(i) + ">" + slot
                                : "  " + constant + bare_type(i) + "& " + parameter.name + " = *static_cast<" +
                                      bare_type(i) + "*>" + slot;
      text += "  (void)" + parameter.name + ";\n";
    }
    for (const auto& [datum, spelling] : description_.arguments.types) {
      const std::string number = std::to_string(datum);
      text += "  " + constant + type(datum) + "& hone_datum_" + number + " = *static_cast<" + type(datum) +
              "*>(hone_slots[" + number + "]);\n  (void)hone_datum_" + number + ";\n";
    }
    return text;
  }

  // Within the class, of a member function, as clauses may name what is private.
  void write_lengths() {
    const std::set<ExpressionId> ids = lengths_in(description_.arguments, spec_);
    const bool scope = opens_scope(kernel_) && !ids.empty();
    if (scope) out_ += "struct hone_lengths : " + class_of(llvm::cast<CXXMethodDecl>(kernel_)) + " {\n";
    for (const ExpressionId id : ids) {
      out_ += (scope ? "static long long hone_length_" : "static inline long long hone_length_") + std::to_string(id) +
              "(void* const* hone_slots) {\n  (void)hone_slots;\n" + template_parameters() + declarations(false) +
              "  return static_cast<long long>(\n";
      write_expression(description_.expressions[id]);
      out_ += "  );\n}\n";
    }
    if (!scope) return;
    out_ += "};\n";
    for (const ExpressionId id : ids) {
      const std::string name = "hone_length_" + std::to_string(id);
      out_ += "static inline long long " + name + "(void* const* hone_slots) { return hone_lengths::" + name +
              "(hone_slots); }\n";
    }
  }

  // Those that the clauses may name.
  std::string template_parameters() const {
    std::string text;
    for (const TemplateParameter& parameter : description_.template_parameters)
      if (!parameter.name.empty()) text += "  " + declared(parameter, true) + "\n";
    return text;
  }

  std::string arguments() const {
    std::string text;
    for (std::size_t i = 0; i < kernel_.getNumParams(); ++i)
      text += (i ? ", " : "") + argument(static_cast<unsigned>(i));
    return text;
  }

  std::string argument(unsigned i) const {
    const Arguments& made = description_.arguments;
    std::string place = address_text(made, spec_, i);
    for (const PointerPair& pair : made.pairs)
      if (pair.last == i)
        return argument(pair.first) + " + *static_cast<" + type(pair.datum) + "*>(hone_slots[" +
               std::to_string(pair.datum) + "])";
    if (const auto object = made.object_of.find(i); object != made.object_of.end())
      place = "static_cast<void*>(hone_at_" + std::to_string(object->second) + ")";
    const QualType given = kernel_.getParamDecl(i)->getType();
    // A stream is a pointer to C++, and a scalar to the runner.
    if (given->isPointerType() && !is_stream(given)) return "static_cast<" + type(i) + ">(" + place + ")";
    if (!given->isReferenceType()) return "*static_cast<" + type(i) + "*>(" + place + ")";
    return "static_cast<" + type(i) + ">(*static_cast<" + bare_type(i) + "*>(" + place + "))";
  }

  // dim3(x, y, z) with each expression at its own place.
  void write_dimensions(const char* name, const std::vector<annotations::Expression>& sizes) {
    out_ += std::string("  const dim3 ") + name + "(\n";
    for (const annotations::Expression& size : sizes) {
      out_ += &size == sizes.data() ? "static_cast<unsigned>(\n" : ", static_cast<unsigned>(\n";
      write_expression(size);
      out_ += ")\n";
    }
    out_ += ");\n";
  }

  // The parameters under the kernel's own names, for the clause to use. A grid without blocks launches nothing; more
  // shared memory than every device gives has to be asked for. A variant's own function, which is no template, goes
  // before the template that launches the kernel.
  void write_launch() {
    const annotations::Launch& launch = *description_.launch;
    const std::string own = own_launch_name(kernel_);
    std::string taken, passed;
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i) {
      const std::string& given = spec_.parameters[i].name;
      const std::string name = given.empty() ? "hone_argument_" + std::to_string(i) : given;
      taken += (i ? ", const " : "const ") + type(i) + " " + name;
      passed += (i ? ", " : "") + name;
    }
    const std::string comma = taken.empty() ? "" : ", ";
    out_ +=
        "struct hone_geometry { dim3 hone_grid, hone_block; unsigned long hone_shared; };\n"
        "static hone_geometry hone_annotated;\n"
        "template <class hone_t> static void " +
        own + "(" + taken + comma +
        "hone_t hone_stream) {\n  const hone_function hone_kernel = " + address_of(kernel_) +
        ";\n  if (hone_annotated.hone_shared > 49152)\n"
        "    cudaFuncSetAttribute(hone_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, "
        "static_cast<int>(hone_annotated.hone_shared));\n"
        "  hone_kernel<<<hone_annotated.hone_grid, hone_annotated.hone_block, hone_annotated.hone_shared, "
        "hone_stream>>>(" +
        passed + ");\n}\n";
    out_ += "static void hone_launch_here(" + taken + ") {\n" + template_parameters();
    write_dimensions("hone_grid", launch.grid);
    write_dimensions("hone_block", launch.block);
    out_ += "  const unsigned long hone_shared = static_cast<unsigned long>(\n";
    if (launch.shared) write_expression(*launch.shared);
    out_ += launch.shared ? "  );\n" : "0);\n";
    out_ +=
        "  if (hone_grid.x == 0 || hone_grid.y == 0 || hone_grid.z == 0) return;\n"
        "  hone_annotated = {hone_grid, hone_block, hone_shared};\n  " +
        own + "(" + passed + comma + "static_cast<cudaStream_t>(nullptr));\n}\n";
  }

  void write_call() {
    out_ +=
        "static void hone_call_here(void* const* hone_slots, void* hone_result) {\n  (void)hone_slots;\n  "
        "(void)hone_result;\n";
    if (description_.launch) {
      out_ += "  hone_launch_here(" + arguments() + ");\n}\n";
      return;
    }
    const auto* method = llvm::dyn_cast<CXXMethodDecl>(&kernel_);
    if (spec_.built) out_ += text_before_call(description_.arguments, spec_);
    if (!method) out_ += "  const hone_function hone_kernel = " + address_of(kernel_) + ";\n  ";
    if (method && !method->isStatic()) write_object(*method);
    if (spec_.result) out_ += "*static_cast<hone_result_type*>(hone_result) = ";
    const std::string call = (method ? called_member(*method) : "hone_kernel") + "(" + arguments() + ")";
    out_ += returns_its_object(kernel_) ? "if (__builtin_addressof(" + call + ") != hone_object) __builtin_trap();\n"
                                        : call + ";\n";
    if (spec_.built) out_ += text_after_call(description_.arguments, spec_);
    out_ += "}\n";
  }

  // The object that the arguments were put together with; where the kernel uses nothing of it, storage alone.
  void write_object(const CXXMethodDecl& method) {
    const std::string name = class_of(method);
    std::string place = "hone_storage";
    if (const std::optional<unsigned> self = description_.arguments.self)
      place = "hone_at_" + std::to_string(*self);
    else
      out_ += "  static unsigned char hone_storage[sizeof(" + name + ")] __attribute__((aligned(__alignof__(" + name +
              "))));\n";
    const std::string type = qualified_class(method);
    out_ += "  " + type + "* const hone_object = reinterpret_cast< " + type + "*>(" + place + ");\n  ";
  }

  // By its class's name, so that nothing virtual is looked up; an instance by its arguments, which those of the call
  // may not say.
  static std::string called_member(const CXXMethodDecl& method) {
    const std::string name = class_of(method) + "::" + method.getNameAsString() + template_arguments(method);
    if (method.isStatic()) return name;
    if (method.getRefQualifier() != RQ_RValue) return "hone_object->" + name;
    return "static_cast< " + qualified_class(method) + "&&>(*hone_object)." + name;
  }

  static std::string qualified_class(const CXXMethodDecl& method) {
    const std::string qualifiers = method.getMethodQualifiers().getAsString();
    return qualifiers + (qualifiers.empty() ? "" : " ") + class_of(method);
  }

  // What the functions on scalars take: each of the kernel's parameters, or the slots.
  std::string taken(bool reference) const { return spec_.built ? "void* const* hone_slots, " : parameters(reference); }
  std::string unpacked(bool reference) const {
    return spec_.built ? "  (void)hone_slots;\n" + declarations(reference) : "";
  }
  std::string assigned_name(unsigned datum) const {
    const bool own = description_.workload || datum < kernel_.getNumParams();
    return own ? spec_.parameters[datum].name : "hone_datum_" + std::to_string(datum);
  }

  void write_problems() {
    out_ += "static void hone_problem_here(" + taken(true) + "unsigned hone_number) {\n  (void)hone_number;\n" +
            template_parameters() + unpacked(true) + unused();
    for (std::size_t p = 0; p < description_.problem_values.size(); ++p) {
      out_ += "  if (hone_number == " + std::to_string(p) + ") {\n";
      for (const ProblemValue& value : description_.problem_values[p]) {
        out_ += "    " + assigned_name(value.parameter) + assigned_value(value.parameter);
        write_expression(value.value);
        out_ += "    );\n";
      }
      out_ += "  }\n";
    }
    out_ += "}\n";
  }

  // Scalars without a name cannot be handed on: the workload's own parameters have one (describe/description.cpp).
  std::string measured() const {
    if (!description_.workload) return "";
    std::string passed;
    for (const Parameter& parameter : spec_.parameters)
      if (!parameter.pointer) passed += (passed.empty() ? "" : ", ") + parameter.name;
    return "  const hone_sizes_of hone_sizes = hone_measured(" + passed + ");\n";
  }

  void write_expressions() {
    out_ += "static void hone_evaluate_here(" + taken(false) + "long long* hone_integers, double* hone_reals) {\n" +
            "  (void)hone_integers;\n  (void)hone_reals;\n" + template_parameters() + unpacked(false) + unused() +
            measured();
    for (std::size_t i = 0; i < description_.expressions.size(); ++i) {
      const std::string at = " + " + std::to_string(i);
      out_ += "  ::hone_harness::hone_store(hone_integers" + at + ", hone_reals" + at + ",\n";
      write_expression(description_.expressions[i]);
      out_ += "  );\n";
    }
    out_ += "}\n";
  }

  // In the namespaces again, as the types are known there; then the three names that the runner looks for.
  void write_exports() {
    const std::string here = enclosing_qualifier(kernel_);
    const std::string scope = here + (opens_scope(kernel_) ? "hone_scope::" : "");
    std::string call_types = spec_.built ? "hone_slots, " : "";
    for (std::size_t i = 0; i < spec_.parameters.size() && !spec_.built; ++i) {
      const std::string slot = "hone_slots[" + std::to_string(i) + "]";
      const std::string type_here = here + type(i);
      call_types += spec_.parameters[i].pointer ? "static_cast< " + type_here + ">(" + slot + "), "
                                                : "*static_cast< " + type_here + "*>(" + slot + "), ";
    }
    const std::string visible = "__attribute__((visibility(\"default\"))) void ";
    out_ += "extern \"C\" {\n" + visible + "hone_call(void* const* hone_slots, void* hone_result);\n" + visible +
            "hone_problem(unsigned hone_number, void* const* hone_slots);\n" + visible +
            "hone_evaluate(void* const* hone_slots, long long* hone_integers, double* hone_reals);\n" +
            "void hone_call(void* const* hone_slots, void* hone_result) { " + here +
            "hone_call_here(hone_slots, hone_result); }\n" +
            "void hone_problem(unsigned hone_number, void* const* hone_slots) {\n  (void)hone_slots;\n  " + scope +
            "hone_problem_here(" + call_types + "hone_number);\n}\n" +
            "void hone_evaluate(void* const* hone_slots, long long* hone_integers, double* hone_reals) {\n  "
            "(void)hone_slots;\n  " +
            scope + "hone_evaluate_here(" + call_types + "hone_integers, hone_reals);\n}\n";
    if (description_.workload)
      out_ +=
          visible +
          "hone_prepare(void* const* hone_slots, void (*hone_ready)(void*, void (*)(void*), void*), "
          "void* hone_self);\nvoid hone_prepare(void* const* hone_slots, void (*hone_ready)(void*, void (*)(void*), "
          "void*), void* hone_self) { " +
          here + "hone_workload_here(hone_slots, hone_ready, hone_self); }\n";
    if (spec_.cuda) out_ += kDeviceError;
    out_ += "}\n";
    for (const std::string& definition : description_.arguments.definitions) out_ += definition + "\n";
  }

  const FunctionDecl& kernel_;
  const Description& description_;
  const KernelSpec& spec_;
  const std::string& file_;
  std::string out_;
};

}  // namespace

std::string harness_text(const FunctionDecl& kernel, const Description& description, const KernelSpec& spec,
                         const std::string& file) {
  if (is_c(spec)) return c_harness_text(kernel, description, spec, file);
  return Writer(kernel, description, spec, file).harness();
}

std::string with_narrow_scalars(std::string harness, const KernelSpec& original) {
  std::vector<unsigned> narrow;
  for (unsigned i = 0; i < original.parameters.size(); ++i) {
    const Parameter& parameter = original.parameters[i];
    if (!parameter.pointer && parameter.element.fields.size() == 1 &&
        parameter.element.fields.front().type == ScalarType{ScalarKind::floating, sizeof(float)})
      narrow.push_back(i);
  }
  if (is_c(original)) return with_narrow_c_scalars(std::move(harness), narrow);
  constexpr std::string_view support = "namespace hone_harness {\n";
  harness.insert(harness.find(support) + support.size(),
                 "template <class hone_t> inline hone_t hone_rounded(float hone_value) { return hone_value; }\n");
  for (const unsigned i : narrow) {
    const std::string plain = assigned_value(i), rounded = " = ::hone_harness::hone_rounded<" + type(i) + ">(\n";
    for (std::size_t at = harness.find(plain); at != std::string::npos; at = harness.find(plain, at + rounded.size()))
      harness.replace(at, plain.size(), rounded);
  }
  return harness;
}

std::string constants_text(const FunctionDecl& kernel, const Description& description, const std::string& file) {
  if (!kernel.getASTContext().getLangOpts().CPlusPlus) return c_constants_text(description, file);
  const KernelSpec none;
  return Writer(kernel, description, none, file).constants();
}

}  // namespace hone::frontend
