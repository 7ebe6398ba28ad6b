// Where the data of a kernel lie when it is called: the text that finds what clauses name (members, containers and
// their sizes, variables) for the recorder, in front of the kernel's body.
//
// The way back from what the harness does (arguments/arguments.h): its steps put data into objects by their offsets,
// and this text takes them from there, so private members are read as well. Null pointers on the way give zeros and no
// elements. Of an object its numbers are copied, and no address that lies in it. C89, and C++98 or later. Borrows all.
#pragma once

#include <clang/AST/Decl.h>

#include <optional>
#include <string>

#include "tool/frontend/describe/description.h"

namespace hone::frontend {

// What the text needs in front of the file's functions.
extern const char* const kObjectDeclarations;

class RecordedData {
 public:
  RecordedData(const clang::FunctionDecl& function, const Description& description, const KernelSpec& spec);

  // Variables of the block, in front of its first statement.
  std::string declarations() const;
  // Gives scalars that are no parameters their values.
  std::string scalars() const;
  // Of an object, numbers alone: the memory, what goes there, and its end. "" for all other data.
  std::string copy(unsigned datum) const;
  std::string filled(unsigned datum) const;
  std::string release(unsigned datum) const;
  // An expression with the address of the datum's first byte.
  std::string address(unsigned datum) const;
  // A clause's expression where the text stands.
  std::string text(const std::string& expression) const;

 private:
  // A step, and the object that it writes into.
  struct Writer {
    unsigned object = 0;
    const ArgumentStep* step = nullptr;
  };
  bool is_parameter(unsigned datum) const;
  std::optional<unsigned> object_with(unsigned datum) const;
  std::optional<Writer> writer_of(unsigned datum) const;
  std::string base(unsigned number) const;
  std::string parameter(unsigned datum) const;
  std::string call_of(unsigned datum, const std::string& type) const;
  std::string element_of(unsigned datum, const std::string& type) const;
  std::string stepped(const Writer& writer) const;
  std::string fields_of(unsigned datum, unsigned number) const;

  const clang::FunctionDecl& function_;
  const Description& description_;
  const Arguments& arguments_;
  const KernelSpec& spec_;
};

}  // namespace hone::frontend
