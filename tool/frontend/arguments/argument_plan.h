// What a clause may name beside a plain parameter: a member, behind pointers too, a container and its size, a variable
// that the kernel uses. Each that is named becomes a datum of its own, a parameter of the spec that the judge draws,
// guards and compares like any other; the rest of an object's numbers is one datum. The plan of how the harness puts
// them together goes to Arguments.
//
// What cannot be described is a sentence that follows the name: "is a class, which no clause describes". Borrows all.
//
// argument_plan.cpp adds the function's parameters, argument_self.cpp the object that a member function is called on,
// argument_paths.cpp what clauses name, argument_expressions.cpp what their expressions name; argument_objects.cpp has
// the objects, and settles what is left of them; argument_rows.cpp has pointers to pointers.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "tool/frontend/arguments/arguments.h"
#include "tool/frontend/arguments/element_layout.h"
#include "tool/model/kernel_spec.h"

namespace clang {
class Decl;
class FieldDecl;
class FunctionDecl;
class ParmVarDecl;
class VarDecl;
}  // namespace clang

namespace hone::frontend {

// What the description knows of a datum beside what the judge does.
struct DatumFacts {
  bool constant = true;                  // nothing is written through it
  bool rows = false;                     // it is reached by pointers to pointers: the first dimension counts those
  bool number = false;                   // a single one, a member of an object
  bool role_by_rule = false;             // no clause need say whether it is read or written
  std::vector<std::string> inner;        // dimensions behind the first
  std::vector<std::string> declared;     // the extent that the type says, all of it
  std::string size;                      // of a container: what says its extent, "x.size()"
  std::optional<unsigned> ends;          // the object at whose end it stands, declared as [], [0] or [1]
  const clang::Decl* pointer = nullptr;  // the parameter or member that is a plain pointer to it, and so may be null
};

class ArgumentPlan {
 public:
  // The function's parameters from number `first` on are the spec's.
  ArgumentPlan(const clang::FunctionDecl& function, unsigned first, KernelSpec& spec, Arguments& arguments);

  using Datum = std::variant<unsigned, std::string>;

  // Memory for an object and the array at its end, which is longer than declared.
  struct Room {
    unsigned datum = 0;                               // in elements of `alignment` bytes
    std::size_t offset = 0, size = 0, alignment = 1;  // of the array in the object, and of the object
  };

  // The next parameter of the function, into the spec. "" or why no clause describes it.
  std::string add(const clang::ParmVarDecl& declared);
  // The same of one that must be a number or a pointer to plain data.
  std::string add_plain(const clang::ParmVarDecl& declared);
  // For a datum that stands at an object's end.
  Room open(unsigned datum);
  // What parameters that are pointers to pointers need beside; behind all parameters.
  void add_tables();
  // The object that the member function is called on; `whole`: it may be used as more than its members. "" or why it
  // cannot be put together.
  std::string add_self(bool whole);

  Datum array(const std::string& path);  // that in(…), out(…) or inout(…) names
  // A member of each struct of an array: what the pointers in "layers" that are called "w" point to.
  Datum array_in_structs(const std::string& structs, const std::string& member);
  // The elements of an array or a container, and no struct that is put together of its members?
  bool holds_elements(unsigned datum) const;
  // Has each struct of the array a number of that name?
  bool is_number_in_structs(unsigned datum, const std::string& member) const;
  Datum scalar(const std::string& path);  // that a problem or an expression names
  Datum drawn(const std::string& path);   // that init names: either
  std::optional<unsigned> known(const std::string& path) const;

  // The scalars of a clause's expression that are no plain parameters; `flaw` of the first that cannot be.
  std::vector<unsigned> scalars_in(const std::string& expression, std::string& flaw);

  // Arrays whose elements say extents, "rows[n]", by parameter.
  const std::map<unsigned, std::string>& bounds() const { return bounds_; }

  const DatumFacts& facts(unsigned datum) const { return facts_[datum]; }
  // The function's parameter that the datum is; null for what is none.
  const clang::ParmVarDecl* declared(unsigned datum) const;

  // The numbers that no clause named; then what of the objects is used and was not said.
  std::vector<std::string> finish();

 private:
  struct Object {
    clang::QualType type;
    ObjectLayout layout;
    std::string path;
    bool constant = false;
    std::set<const void*> taken;  // leaves that a step writes
    bool by_members = false;      // what the function mentions no member of, it does not use
  };
  struct Place {
    unsigned object = 0;
    std::string member;  // "" for the object itself
    std::string call;    // "size()", behind a container
  };
  using Found = std::variant<Place, std::string>;
  struct Words;  // of an expression

  unsigned add_datum(Parameter parameter, DatumFacts facts, const std::string& path);
  std::string describe_rows(clang::QualType pointers, Parameter& parameter, DatumFacts& facts) const;
  unsigned add_table(unsigned elements);
  Datum structs_of(const std::string& path);
  Datum structs_behind(const Place& place, const std::string& path);
  bool may_be_longer(unsigned object, const Leaf& leaf) const;
  std::string add_single(const clang::ParmVarDecl& declared, Parameter described, DatumFacts facts);
  unsigned add_object(clang::QualType type, ArgumentObject object, const std::string& path);
  std::string describe_elements(clang::QualType element, Parameter& parameter, DatumFacts& facts) const;
  ElementType number(const ScalarType& type) const;
  std::string spelled_type(clang::QualType type) const;
  std::optional<unsigned> parameter_named(const std::string& name) const;
  bool is_pointer(unsigned parameter) const;  // as the function has it

  bool is_member(const std::string& name) const;  // of the function's own object, as its body has it
  std::string own_name(const std::string& member) const;
  std::optional<unsigned> object_of_self();
  std::optional<unsigned> object_of_parameter(unsigned parameter);
  std::optional<unsigned> object_of_variable(const std::vector<std::string>& tokens, std::size_t& at);
  const Leaf* leaf_of(unsigned object, const std::string& member) const;
  const Field* field_of(unsigned object, const std::string& member) const;
  void promote_enumerations(unsigned object);
  void settle(unsigned object);
  void fill_content(unsigned object, ElementType element);
  void find_unsaid(std::vector<std::string>& flaws) const;
  void find_untouched(unsigned object, const std::set<const clang::FieldDecl*>& mentioned);
  std::string path_of(unsigned object, const Leaf& leaf) const;
  unsigned add_content(const std::string& path, clang::QualType pointer, bool constant);

  Found find(const std::string& path);
  Found root_of(const std::vector<std::string>& tokens, std::size_t& at);
  std::string step_through(Place& place, const std::string& so_far);
  Datum array_of(const Place& place, const std::string& path);
  Datum number_as_array(const Place& place, const Field& field, const std::string& path);
  Datum leaf_as_array(const Place& place, const Leaf& leaf, const std::string& path);
  Datum scalar_of(const Place& place, const std::string& path);
  Datum pointer_pair(const std::string& path);
  Datum element_of(const std::string& path);
  unsigned add_number(const std::string& path, ElementType element);
  std::string add_container(unsigned object, const Leaf& leaf, Parameter parameter, bool own, unsigned datum);

  std::optional<unsigned> note(Words& words, std::string& flaw);
  bool note_length(const std::string& path);

  const clang::FunctionDecl& function_;
  const unsigned first_;
  KernelSpec& spec_;
  Arguments& arguments_;
  std::deque<DatumFacts> facts_;
  std::deque<Object> objects_;  // as arguments_.objects; a leaf stays where it is
  std::map<std::string, unsigned> data_;
  std::map<unsigned, std::string> bounds_;
  std::map<const clang::VarDecl*, unsigned> variables_;
};

}  // namespace hone::frontend
