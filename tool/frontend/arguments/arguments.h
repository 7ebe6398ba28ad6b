// How the harness makes a kernel's arguments of what the judge hands it, where they are not simply that: structs with
// pointers inside, containers, variables that the kernel uses. Plain values, from the description to the harness.
//
// An object lies in memory of the harness, in memory of the judge (so that writes beyond it fault), or is a variable.
// Before each call the steps write data and addresses into it by their offsets, so that private members can be reached.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hone::frontend {

// One write into an object. A datum is a parameter of the spec, by its index.
struct ArgumentStep {
  enum class Kind {
    scalar,   // its value
    pointer,  // its address
    array,    // its elements, as many as its extent says
    vector,   // std::vector's three pointers
    view,     // a class made of a pointer and lengths
    address,  // another object's address
  };
  Kind kind = Kind::scalar;
  std::size_t offset = 0;  // bytes into the object
  unsigned datum = 0;      // of all but address
  unsigned object = 0;     // of address: whose
  std::size_t bytes = 0;   // scalar: its size; array: as declared
  std::string type;        // containers: the class; pointers: what they point to
  std::string data;        // view: the member function that returns where its elements are
  bool open = false;       // array: at the object's end, and as long as its extent says
};

constexpr std::size_t kLargestObject = 1u << 16;  // in the harness's own memory, which is its stack

struct ArgumentObject {
  enum class Memory { own, slot, variable };
  Memory memory = Memory::own;
  std::optional<unsigned> content;  // the datum that fills it before the steps; slot: in whose memory it is
  std::string variable;             // its qualified name, as the harness writes it
  std::string name;                 // of a variable, as messages have it
  std::size_t size = 0, alignment = 1;
  bool constant = false;         // the call must leave it as it was
  bool many = false;             // as many of them as the content's extent says, one behind the other
  std::optional<unsigned> room;  // where it lies, if it was allocated longer than its type is: a datum of its own
  std::vector<ArgumentStep> steps;
  std::vector<std::size_t> pointers;                           // offsets of pointers that no step writes: they are null
  std::vector<std::pair<std::size_t, std::size_t>> untouched;  // offsets and sizes of what the call must leave alone
};

// `last` points behind the elements of `first`; the datum says how many there are.
struct PointerPair {
  unsigned last = 0, first = 0, datum = 0;
};

// Pointers that stand in a row in the memory of `holder`, each to a row of `elements`. The rows are memory of their
// own: a gap lies between them, and they do not lie in the pointers' order (docs/decisions/0043).
struct PointerRow {
  unsigned elements = 0, holder = 0;
  std::size_t offset = 0;                // of the first pointer, in bytes
  std::size_t distance = sizeof(void*);  // from one to the next
  bool table = true;                     // the holder has these pointers alone
};

// How a scalar that is no parameter is written in clauses, token by token: "g", "->", "w".
struct ScalarName {
  std::vector<std::string> tokens;
  unsigned datum = 0;
  std::string value;  // of what the type says, x.size() of a std::array: a literal, and there is no datum
};

struct Arguments {
  std::vector<ArgumentObject> objects;
  std::map<unsigned, unsigned> object_of;  // by parameter of the function
  std::optional<unsigned> self;            // the object that a member function is called on
  std::vector<PointerPair> pairs;
  std::vector<PointerRow> rows;
  std::vector<ScalarName> names;
  std::map<unsigned, std::string> types;  // of scalars behind the function's parameters: "unsigned int"
  std::vector<std::string> definitions;   // of variables that only other files define

  bool any() const { return !objects.empty() || !pairs.empty() || !rows.empty(); }

  // The datum that holds the pointers to the rows of this one.
  const PointerRow* table_of(unsigned elements) const {
    for (const PointerRow& row : rows)
      if (row.elements == elements && row.table) return &row;
    return nullptr;
  }
  const PointerRow* row_of(unsigned elements) const {
    for (const PointerRow& row : rows)
      if (row.elements == elements) return &row;
    return nullptr;
  }
  bool is_table(unsigned datum) const {
    for (const PointerRow& row : rows)
      if (row.holder == datum && row.table) return true;
    return false;
  }
};

}  // namespace hone::frontend
