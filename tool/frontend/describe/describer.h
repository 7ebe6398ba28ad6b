// The passes over an annotation's clauses that make the description: one object for one annotation. description.cpp
// runs them; section_passes.cpp has what stands behind pointers, value_passes.cpp what scalars and elements hold,
// output_passes.cpp how results are compared and what is fixed. No part of the room's door: that is description.h.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "annotations/directive.h"
#include "tool/frontend/arguments/argument_plan.h"
#include "tool/frontend/describe/description.h"
#include "tool/model/kernel_spec.h"

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
}  // namespace clang

namespace hone::frontend {

class Describer {
 public:
  // `called`: the function itself, or its workload.
  Describer(const clang::FunctionDecl& function, const clang::FunctionDecl& called,
            const annotations::Directive& directive, const std::string& folder, KernelSpec& spec);

  Description run();

 private:
  using Directive = annotations::Directive;
  using Expression = annotations::Expression;
  using Location = annotations::Location;

  void mistake(DiagnosticCode code, Location location, std::string message);
  ExpressionId number(const Expression& expression);
  // What an expression says of members and sizes becomes data of the kernel.
  std::vector<unsigned> note_scalars(const Expression& expression);
  void constant(const Expression& expression, std::function<std::string(KernelSpec&, double)> store,
                bool required = true);
  // A value that only a look at it needs: one that names a parameter has many.
  void look_at_constant(const Expression& expression, std::function<std::string(double)> look);
  // Index of the parameter of that name, or a mistake at the name.
  std::optional<unsigned> parameter(const annotations::Name& name, const char* clause);
  using Lookup = ArgumentPlan::Datum (ArgumentPlan::*)(const std::string&);
  // What the clause names: a parameter, or what else the arguments are made of.
  std::optional<unsigned> datum(const annotations::Name& name, const char* clause, Lookup look_up);
  // What another clause named already, or a parameter.
  std::optional<unsigned> named_before(const annotations::Name& name, const char* clause);
  void refuse_stray_clauses();
  // What a workload says itself, no clause may say.
  void begin_workload();
  // Behind everything that goes through the workload's own parameters.
  void end_workload();
  void add_parameters();
  // The one that the runner calls on; a kernel can have no other.
  void add_stream();
  void add_launch();
  std::vector<Expression> launch_expressions() const;
  // What a member function is called on.
  void add_own_object();
  void add_result();
  void add_sections();
  std::optional<unsigned> section_datum(const annotations::Section& section, const char* word);
  ExpressionId extent(const Expression& expression);
  void add_extent(const annotations::Section& section, unsigned index);
  void add_row_extent(const annotations::Section& section, unsigned index);
  void add_room(const annotations::Section& section, unsigned index);
  std::string sample_extent(unsigned index) const;
  // `float x[16]` says its extent itself, and so do C's `float x[n][m]`, std::array, a container of x.size() elements
  // and a single object.
  std::vector<std::string> declared_extent(unsigned index) const;
  bool add_declared_extent(unsigned index);
  ExpressionId declared_length_number(const std::string& length, Location location);
  void check_pointers();
  bool points_to_enum(unsigned index) const;
  void add_aliases();
  Init drawn_as(const annotations::Init& init);
  // "cells.x": a member of each element of an array of structs.
  bool add_member_init(const annotations::Init& init);
  // Without a word of how it is drawn, an array whose last element is an extent holds offsets.
  void add_bounds();
  void add_inits();
  void check_bounds(Distribution distribution, const Expression& first, const Expression& second);
  using Bound = std::optional<double> Tolerance::*;
  // The clause without names speaks for the outputs that no other clause names.
  void add_tolerances();
  bool is_output(unsigned index) const;
  static Tolerance& tolerance_of(KernelSpec& spec, int target);
  void set_tolerance(const annotations::Tolerance& clause, int target);
  void add_problems();
  void add_fixed();
  // The linked code compares with it before anything else.
  void check_fixed_value(const std::string& name, const Expression& value);
  // What extents, launches and loops need, every problem must give.
  void check_problems();
  bool may_be_captured() const;
  bool used_in_launch(const std::string& name) const;
  bool used_in_extent(const std::string& name) const;
  void add_conditions();
  // A pointer that the function tests may be null, whether a clause says so or not; whether the original bears it shows
  // when it runs.
  void look_for_null_tests();
  void refuse_fixed_behind_null(const std::set<const clang::Decl*>& tested);
  void add_threads();

  const clang::FunctionDecl& function_;
  const Directive& directive_;
  const std::string& folder_;
  KernelSpec& spec_;
  clang::ASTContext& context_;
  const unsigned first_;  // parameter of function_ that is one of the spec's
  Description description_;
  ArgumentPlan plan_;
  std::set<unsigned> has_role_;
  std::set<unsigned> refused_;               // parameters whose type no clause describes, which was said
  std::map<unsigned, std::string> rows_of_;  // how many pointers stand in a row, by their datum
  std::set<std::string> in_declared_lengths_;
  std::set<unsigned> sizes_;  // scalars that are no parameters and that an extent depends on
};

}  // namespace hone::frontend
