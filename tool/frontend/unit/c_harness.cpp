#include "tool/frontend/unit/c_harness.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <vector>

#include "tool/frontend/parse/template_parameter.h"
#include "tool/frontend/unit/clause_lines.h"
#include "tool/frontend/unit/harness.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr const char* kStore =
    "static void hone_store(long long *hone_integer, double *hone_real, long double hone_value) {\n"
    "  *hone_real = (double)hone_value;\n"
    "  *hone_integer = *hone_real > -9.2e18 && *hone_real < 9.2e18 ? (long long)hone_value : 0;\n"
    "}\n";

std::string c_type(std::size_t parameter) {
  return "hone_type_" + std::to_string(parameter);
}

// How the value begins that a problem gives to a parameter; the expression and ");" follow on lines of their own.
std::string c_assigned_value(std::size_t parameter) {
  return " = (" + c_type(parameter) + ")(\n";
}

class CWriter {
 public:
  CWriter(const FunctionDecl& kernel, const Description& description, const KernelSpec& spec, const std::string& file)
      : kernel_(kernel), description_(description), spec_(spec), lines_(file) {}

  std::string harness() {
    lines_.text = lines_.own_lines() + kStore;
    write_types();
    write_call();
    write_problems();
    write_expressions();
    return std::move(lines_.text);
  }

 private:
  std::string& out() { return lines_.text; }

  std::string name(std::size_t parameter) const {
    const std::string& given = spec_.parameters[parameter].name;
    return given.empty() ? "hone_argument_" + std::to_string(parameter) : given;
  }

  // What a variably modified pointer points to is known within the function alone.
  std::string spelled_type(const ParmVarDecl& parameter, const std::string& name) const {
    const QualType plain = parameter.getType().getCanonicalType().getUnqualifiedType();
    return plain->isVariablyModifiedType() ? "void *" + name : spelled(plain, kernel_.getASTContext(), name);
  }

  // An inline definition of C99 is no definition for others; this declaration makes it one.
  void write_types() {
    for (unsigned i = 0; i < kernel_.getNumParams(); ++i)
      out() += "typedef " + spelled_type(*kernel_.getParamDecl(i), c_type(i)) + ";\n";
    if (spec_.result)
      out() += "typedef " +
               spelled(kernel_.getReturnType().getCanonicalType().getUnqualifiedType(), kernel_.getASTContext(),
                       std::string("hone_result_type")) +
               ";\n";
    const std::string function = kernel_.getNameAsString();
    if (kernel_.isInlined() && kernel_.isExternallyVisible() && !kernel_.isInlineDefinitionExternallyVisible())
      out() += "extern __typeof__(" + function + ") " + function + ";\n";
  }

  static std::string slot(std::size_t parameter) { return "hone_slots[" + std::to_string(parameter) + "]"; }

  std::string value_in_slot(std::size_t parameter) const {
    return spec_.parameters[parameter].pointer ? slot(parameter) : "*(" + c_type(parameter) + " *)" + slot(parameter);
  }

  std::string values_in_slots() const {
    std::string text;
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i) text += (i ? ", " : "") + value_in_slot(i);
    return text;
  }

  // Prototypes first: warnings about their lack are errors in some projects.
  void export_function(const std::string& signature) {
    out() += "__attribute__((visibility(\"default\"))) void " + signature + ";\nvoid " + signature + " {\n";
  }

  // In brackets, as a macro may have the function's name.
  void write_call() {
    export_function("hone_call(void *const *hone_slots, void *hone_result)");
    out() += "  (void)hone_slots;\n  (void)hone_result;\n  ";
    if (spec_.result) out() += "*(hone_result_type *)hone_result = ";
    out() += "(" + kernel_.getNameAsString() + ")(" + values_in_slots() + ");\n}\n";
  }

  // The scalars under their names, so that one value may use another.
  void write_problems() {
    export_function("hone_problem(unsigned hone_number, void *const *hone_slots)");
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i)
      out() += "  " + c_type(i) + " " + name(i) + " = " + value_in_slot(i) + ";\n";
    out() += "  (void)hone_number;\n  (void)hone_slots;\n";
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i) out() += "  (void)" + name(i) + ";\n";
    for (std::size_t p = 0; p < description_.problem_values.size(); ++p) {
      out() += "  if (hone_number == " + std::to_string(p) + ") {\n";
      for (const ProblemValue& value : description_.problem_values[p]) {
        out() += "    " + name(value.parameter) + c_assigned_value(value.parameter);
        lines_.add(value.value);
        out() += "    );\n";
      }
      out() += "  }\n";
    }
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i)
      if (!spec_.parameters[i].pointer) out() += "  " + value_in_slot(i) + " = " + name(i) + ";\n";
    out() += "}\n";
  }

  void write_expressions() {
    out() += "static void hone_evaluate_here(";
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i) out() += "const " + c_type(i) + " " + name(i) + ", ";
    out() += "long long *hone_integers, double *hone_reals) {\n  (void)hone_integers;\n  (void)hone_reals;\n";
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i) out() += "  (void)" + name(i) + ";\n";
    for (std::size_t i = 0; i < description_.expressions.size(); ++i) {
      const std::string at = " + " + std::to_string(i);
      out() += "  hone_store(hone_integers" + at + ", hone_reals" + at + ",\n";
      lines_.add(description_.expressions[i]);
      out() += "  );\n";
    }
    out() += "}\n";
    export_function("hone_evaluate(void *const *hone_slots, long long *hone_integers, double *hone_reals)");
    out() += "  (void)hone_slots;\n  (void)hone_store;\n  hone_evaluate_here(" + values_in_slots() +
             (spec_.parameters.empty() ? "" : ", ") + "hone_integers, hone_reals);\n}\n";
  }

  const FunctionDecl& kernel_;
  const Description& description_;
  const KernelSpec& spec_;
  ClauseLines lines_;
};

}  // namespace

std::string c_harness_text(const FunctionDecl& kernel, const Description& description, const KernelSpec& spec,
                           const std::string& file) {
  return CWriter(kernel, description, spec, file).harness();
}

std::string c_constants_text(const Description& description, const std::string& file) {
  ClauseLines lines(file);
  lines.text = lines.own_lines();
  // In functions: at file scope what is no constant would be an error, and not every one must be a constant.
  for (std::size_t i = 0; i < description.constants.size(); ++i) {
    const std::string number = std::to_string(i);
    lines.text +=
        "static void hone_constants_" + number + "(void) {\nconst double hone_constant_" + number + " = (double)(\n";
    lines.add(description.constants[i].expression);
    lines.text += ");\n(void)hone_constant_" + number + ";\n}\n";
  }
  return std::move(lines.text);
}

std::string with_narrow_c_scalars(std::string harness, const std::vector<unsigned>& narrow) {
  harness.insert(harness.find('\n') + 1, "typedef float hone_narrow;\n");
  for (const unsigned i : narrow) {
    const std::string plain = c_assigned_value(i), rounded = " = (" + c_type(i) + ")(hone_narrow)(\n";
    for (std::size_t at = harness.find(plain); at != std::string::npos; at = harness.find(plain, at + rounded.size()))
      harness.replace(at, plain.size(), rounded);
  }
  return harness;
}

}  // namespace hone::frontend
