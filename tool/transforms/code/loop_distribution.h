// Which statements of a loop may run in loops of their own, in which order, and what has to pass between those loops
// for every one of them to see what it saw.
//
// Statements that depend on each other in a circle stay together. A circle goes away where one of its members only
// reads what another one overwrites later: that read is made in front. The rest is put in the order of the dependences,
// which need not be the order of the source.
//
// Contract: accesses whose distance nobody can know keep their statements together where a subscript is not understood,
// and are taken as apart otherwise, so what comes out is judged. Never edits. Borrows the loop.
#pragma once

#include <string>
#include <vector>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/dependences.h"

namespace hone::frontend {

class LoopDistribution {
 public:
  using Statements = std::vector<const clang::Stmt*>;

  // A variable from outside that each iteration assigns, by whole statements, before it reads it.
  struct Renewed {
    const clang::VarDecl* variable = nullptr;
    Statements assignments;  // in source order
  };
  // A variable from outside that one loop changes and other loops read.
  struct Kept {
    const clang::VarDecl* variable = nullptr;
    const clang::Stmt* writer = nullptr;
  };

  LoopDistribution(const clang::ASTContext& ast, const Loop& loop);

  // Are there several loops, or reads in front of one?
  bool splits() const { return loops_.size() + early_.size() > 1; }
  // The loops in the order in which they run, each with its statements in source order.
  const std::vector<Statements>& loops() const { return loops_; }
  // Reads that are made in front of all loops.
  const std::vector<const clang::Expr*>& early_reads() const { return early_; }
  const std::vector<Renewed>& renewed() const { return renewed_; }
  const std::vector<Kept>& kept() const { return kept_; }
  // Variables of the body that are cheap to compute once more wherever they are used.
  const std::vector<const clang::VarDecl*>& recomputed() const { return recomputed_; }

  // Is there anything that stands in the way of running the loop's iterations side by side as they are written?
  bool unties() const { return unties_ && splits(); }

 private:
  struct Group {
    Statements statements;
    std::vector<Access> accesses;
    bool serial = false;  // iterations of it hand something on, or it calls something
  };
  // What `from` does at one place comes before what `to` does there, so many iterations later.
  struct Edge {
    std::size_t from = 0, to = 0;
    long long distance = 0;
    const clang::Expr* overwritten = nullptr;  // the read that has to come before; null: it is another dependence
  };
  using Relation = std::vector<std::vector<bool>>;

  void make_groups();
  void add_memory_edges();
  void add_edges_between(std::size_t first, std::size_t second);
  void add_edge(std::size_t from, const Access& source, std::size_t to, const Access& sink, long long distance);
  void mark_serial(Group& group) const;
  void add_variable_edges(const clang::VarDecl* variable);
  void add_local_edges();
  bool renews(const clang::VarDecl* variable, const std::vector<std::size_t>& users);
  bool keeps(const clang::VarDecl* variable, const std::vector<std::size_t>& users);
  bool cheap(const clang::VarDecl* variable) const;
  bool may_be_early(std::size_t home, const Access& read) const;
  bool overwrites_behind(std::size_t writer, const Access& write, std::size_t home, const Access& read) const;
  std::vector<const clang::Expr*> breakable(const Relation& reached) const;

  bool holds_still(const Edge& edge) const;
  Relation reached() const;
  void break_circles();
  void order(const Relation& reached);
  void append(const std::vector<std::size_t>& component);
  bool joins_last(std::size_t group) const;

  const clang::ASTContext& ast_;
  const Loop& loop_;
  const IterationDistances distances_;
  std::vector<Group> groups_;
  std::vector<Edge> edges_;
  std::vector<const clang::Expr*> early_;
  std::vector<Renewed> renewed_;
  std::vector<Kept> kept_;
  std::vector<const clang::VarDecl*> recomputed_;
  std::vector<std::vector<std::size_t>> members_;  // of each loop
  std::vector<Statements> loops_;
  bool unties_ = false;
};

}  // namespace hone::frontend
