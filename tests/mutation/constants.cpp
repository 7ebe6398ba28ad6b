#include <clang/AST/Attr.h>
#include <fmt/format.h>

#include "tests/mutation/operators.h"

namespace hone::mutation {
namespace {

using namespace clang;

std::string suffix_of(const std::string& text, const char* letters) {
  const std::size_t last = text.find_last_not_of(letters);
  return last == std::string::npos ? std::string() : text.substr(last + 1);
}

}  // namespace

void change_integer(const IntegerLiteral& node, Changes& changes) {
  const std::string suffix = suffix_of(changes.text(node.getSourceRange()), "uUlLzZ");
  const bool is_signed = node.getType()->isSignedIntegerType();
  const auto value = static_cast<unsigned long long>(node.getValue().getZExtValue());
  const auto put = [&](unsigned long long other) {
    changes.replace("constant", node.getSourceRange(), fmt::format("{}{}", other, suffix));
  };
  put(value + 1);
  if (value > 0)
    put(value - 1);
  else if (is_signed)
    changes.replace("constant", node.getSourceRange(), "(-1" + suffix + ")");
  if (value > 1) put(0);
  if (value > 2) put(2 * value);
}

void change_character(const CharacterLiteral& node, Changes& changes) {
  changes.replace("constant", node.getSourceRange(), fmt::format("char({})", node.getValue() + 1));
}

void change_float(const FloatingLiteral& node, Changes& changes) {
  const std::string text = changes.text(node.getSourceRange()), suffix = suffix_of(text, "fFlL");
  const double value = node.getValueAsApproximateDouble();
  const auto put = [&](double other) {
    std::string digits = fmt::format("{:.9g}", other);
    if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
    changes.replace("float", node.getSourceRange(), digits + suffix);
  };
  put(value == 0 ? 0.01 : value * 1.01);
  put(value == 0 ? 1 : value * 3);
}

void change_truth(const CXXBoolLiteralExpr& node, Changes& changes) {
  changes.replace("constant", node.getSourceRange(), node.getValue() ? "false" : "true");
}

}  // namespace hone::mutation
