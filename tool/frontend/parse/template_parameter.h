// What a template's parameter stands for in one instance, as text that means the same anywhere in the file. Pure.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
class QualType;
class TemplateArgument;
struct PrintingPolicy;
class ASTContext;
}  // namespace clang
namespace llvm {
class APFloat;
}  // namespace llvm

namespace hone::frontend {

struct TemplateParameter {
  std::string name;   // "" for one without a name
  std::string type;   // of a value: "int"; "" where the parameter is a type
  std::string value;  // "4", "true", "app::Mode::fast"; or the type: "float"; or the template: "std::vector"
  bool is_template = false;
};

// "using T = float;" or "constexpr int N = 4;", so that code after it may use the name. "" of a template, which no
// function can declare.
std::string declared(const TemplateParameter& parameter, bool perhaps_unused);

// Types canonical and in full.
clang::PrintingPolicy spelling_policy(const clang::ASTContext& context);
std::string spelled(const clang::QualType& type, const clang::ASTContext& context, const std::string& name = "");
std::string spelled(const llvm::APFloat& value, const clang::QualType& type);  // to the last bit
std::string spelled(const clang::TemplateArgument& argument, const clang::ASTContext& context, bool with_type = false);

// "<float, 4>" of a function template's specialization; "" of any other function.
std::string template_arguments(const clang::FunctionDecl& function);
// With those of the classes that it is a member of, outermost first: "<float, 3>" of Gain<float>::run<3>.
std::string all_template_arguments(const clang::FunctionDecl& function);

}  // namespace hone::frontend
