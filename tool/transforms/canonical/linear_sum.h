// Sums of names and numbers: where a pointer or a counter stands, and how far it is from one to another.
//
//   end - p, where end = x + n and p = x   →   n
//
// Contract: exact, as long as nothing overflows. A name stands for what it was set to where that still holds. Pure.
// Borrows the AST.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tool/frontend/parse/clang_headers.h"

namespace hone::frontend {

class LinearSum {
 public:
  // What a name stands for; null: for itself.
  using Meaning = std::function<const clang::Expr*(const clang::VarDecl*)>;

  // nullopt: part of it has no text, or is no integer, pointer or iterator.
  static std::optional<LinearSum> of(const clang::ASTContext& ast, const clang::Expr* expression,
                                     const Meaning& meaning);
  static LinearSum of(const clang::ASTContext& ast, const clang::VarDecl* name);  // itself
  static LinearSum number(long long value);
  static LinearSum unknown();  // of which the sum may tell how often it is in it

  LinearSum operator+(const LinearSum& other) const { return plus(other, 1); }
  LinearSum operator-(const LinearSum& other) const { return plus(other, -1); }

  long long factor_of_unknown() const;
  LinearSum without_unknown() const;

  // The pointer, array or container that it counts from, where that has a name.
  struct Base {
    std::string text;
    const clang::VarDecl* pointer = nullptr;  // null: x.begin(), whose text is x
  };
  std::optional<Base> base() const;
  LinearSum without(const Base& base) const;

  long long constant() const { return constant_; }
  bool is_number() const { return terms_.empty(); }
  bool is_one_name() const;
  // A number that memory has room for: no difference of two, no constant that is taken off.
  bool is_size() const;
  // Neither a pointer nor an iterator is left over.
  bool is_count() const;
  bool is_unsigned() const;

  // "end - p + 3"; "0"
  std::string text() const;
  // The parts that are added, and those that are taken off: "end + 3", "p".
  std::string added() const;
  std::string taken_off() const;
  // The widest of the parts' types; int where it is a number.
  clang::QualType type(const clang::ASTContext& ast) const;

 private:
  struct Term {
    long long factor = 0;
    clang::QualType type;
    const clang::VarDecl* name = nullptr;  // where it is one
  };

  LinearSum plus(const LinearSum& other, long long times) const;
  void add(const std::string& text, Term term);
  std::string side(bool positive) const;

  std::map<std::string, Term> terms_;
  long long constant_ = 0;
};

}  // namespace hone::frontend
