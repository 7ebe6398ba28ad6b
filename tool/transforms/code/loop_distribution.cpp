#include "tool/transforms/code/loop_distribution.h"

#include <algorithm>

#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

constexpr std::size_t most_groups = 32, most_accesses = 256;  // each is compared with each other one

bool calls_something(const clang::Stmt* statement) {
  return std::ranges::any_of(all_of<clang::CallExpr>(statement),
                             [](auto* call) { return !llvm::isa<clang::CXXOperatorCallExpr>(call); });
}

// `variable = value;` as a whole statement, whose value changes nothing of the variable; null: it is something else.
const clang::BinaryOperator* renewing_assignment(const clang::Stmt* statement, const clang::VarDecl* variable) {
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
  if (!assignment || assignment->getOpcode() != clang::BO_Assign) return nullptr;
  const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParens());
  if (!target || target->getDecl() != variable || writes_variable(assignment->getRHS(), variable)) return nullptr;
  return assignment;
}

// `place = variable;`, which gains nothing in a loop of its own.
bool copies(const clang::Stmt* statement, const clang::VarDecl* variable) {
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
  if (!assignment || assignment->getOpcode() != clang::BO_Assign) return false;
  const auto* value = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getRHS()->IgnoreParenImpCasts());
  return value && value->getDecl() == variable;
}

}  // namespace

LoopDistribution::LoopDistribution(const clang::ASTContext& ast, const Loop& loop)
    : ast_(ast), loop_(loop), distances_(loop) {
  const bool straight = std::ranges::none_of(statements_of(loop.body), [](const clang::Stmt* statement) {
    const Effects effects = effects_of(statement);
    return effects.leaves || effects.continues;
  });
  if (!loop.counted || !straight) return;
  make_groups();
  std::size_t accesses = 0;
  for (const Group& group : groups_) accesses += group.accesses.size();
  if (groups_.size() < 2 || groups_.size() > most_groups || accesses > most_accesses) return;
  for (Group& group : groups_) mark_serial(group);
  add_memory_edges();
  add_local_edges();
  for (auto* variable : distances_.carried()) add_variable_edges(variable);
  unties_ |= std::ranges::any_of(edges_, [](const Edge& edge) { return edge.distance != 0; });
  const auto serial = std::ranges::count_if(groups_, &Group::serial);
  unties_ |= serial > 0 && serial < std::ssize(groups_);
  break_circles();
  order(reached());
}

// Declarations go with the statement that follows, unless they are work of their own.
void LoopDistribution::make_groups() {
  Statements current;
  for (const clang::Stmt* statement : statements_of(loop_.body)) {
    current.push_back(statement);
    if (llvm::isa<clang::DeclStmt>(statement) && !calls_something(statement)) continue;
    groups_.push_back({std::move(current), {}, false});
    current.clear();
  }
  if (!current.empty()) {
    if (groups_.empty()) groups_.emplace_back();
    std::ranges::copy(current, std::back_inserter(groups_.back().statements));
  }
  for (Group& group : groups_)
    for (const clang::Stmt* statement : group.statements)
      for (Access& access : accesses_in(ast_, statement)) group.accesses.push_back(std::move(access));
}

void LoopDistribution::mark_serial(Group& group) const {
  group.serial = std::ranges::any_of(group.statements, calls_something);
  for (const Access& write : group.accesses) {
    if (!write.writes) continue;
    group.serial |= !write.base || !write.index;
    for (const Access& other : group.accesses) {
      if (other.base != write.base || other.member != write.member) continue;
      const auto apart = distances_.between(write, other);
      group.serial |= !other.index || (apart && (*apart > 0 || write.stride(loop_.variable) == Stride::zero));
    }
  }
}

void LoopDistribution::add_memory_edges() {
  for (std::size_t first = 0; first < groups_.size(); ++first)
    for (std::size_t second = first + 1; second < groups_.size(); ++second) add_edges_between(first, second);
}

void LoopDistribution::add_edges_between(std::size_t first, std::size_t second) {
  for (const Access& one : groups_[first].accesses) {
    for (const Access& other : groups_[second].accesses) {
      if ((!one.writes && !other.writes) || one.base != other.base || one.member != other.member) continue;
      if (one.base && declares(loop_.statement, one.base)) continue;
      const auto apart = distances_.between(one, other);
      const bool unknown = !one.base || !one.index || !other.index;
      const bool stays = apart == 0 && one.stride(loop_.variable) == Stride::zero;
      if (unknown || stays || (apart && *apart >= 0)) add_edge(first, one, second, other, apart.value_or(0));
      if (unknown || stays || (apart && *apart < 0)) add_edge(second, other, first, one, apart ? -*apart : 0);
    }
  }
}

void LoopDistribution::add_edge(std::size_t from, const Access& source, std::size_t to, const Access& sink,
                                long long distance) {
  const bool only_read = !source.writes && sink.writes;
  edges_.push_back({from, to, distance, only_read && may_be_early(from, source) ? source.expression : nullptr});
}

// Does nothing that the loop writes reach the read? Then it finds in front what it found in its place.
bool LoopDistribution::may_be_early(std::size_t home, const Access& read) const {
  if (!read.index || !read.expression->getType()->isArithmeticType()) return false;
  for (auto* local : declared_in(loop_.body))
    if (mentions(read.expression, local)) return false;
  for (auto* variable : distances_.carried())
    if (mentions(read.expression, variable)) return false;
  for (std::size_t writer = 0; writer < groups_.size(); ++writer)
    for (const Access& write : groups_[writer].accesses)
      if (write.writes && write.base == read.base && write.member == read.member &&
          !overwrites_behind(writer, write, home, read))
        return false;
  return true;
}

bool LoopDistribution::overwrites_behind(std::size_t writer, const Access& write, std::size_t home,
                                         const Access& read) const {
  if (!write.index || write.stride(loop_.variable) == Stride::zero) return false;
  const auto apart = distances_.between(write, read);
  if (!apart || *apart < 0) return true;
  if (*apart > 0 || writer < home) return false;
  if (writer > home) return true;
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(groups_[home].statements.back());
  return assignment && assignment->isAssignmentOp() && assignment->getLHS()->IgnoreParens() == write.expression &&
         holds(assignment->getRHS(), read.expression);
}

bool LoopDistribution::cheap(const clang::VarDecl* variable) const {
  const clang::QualType type = variable->getType();
  if (!variable->hasInit() || (!type->isReferenceType() && !type->isPointerType() && !type->isIntegerType()))
    return false;
  if (!type->isReferenceType() && writes_variable(loop_.body, variable)) return false;
  if (type->isReferenceType()) return true;
  for (auto* carried : distances_.carried())
    if (mentions(variable->getInit(), carried)) return false;
  for (const Access& read : accesses_in(ast_, variable->getInit()))
    for (const Group& group : groups_)
      for (const Access& write : group.accesses)
        if (write.writes && write.base == read.base) return false;
  return true;
}

void LoopDistribution::add_local_edges() {
  for (const Group& home : groups_) {
    for (const clang::Stmt* statement : home.statements) {
      if (!llvm::isa<clang::DeclStmt>(statement)) continue;
      for (auto* variable : declared_in(statement)) {
        if (cheap(variable))
          recomputed_.push_back(variable);
        else
          add_variable_edges(variable);
      }
    }
  }
}

void LoopDistribution::add_variable_edges(const clang::VarDecl* variable) {
  std::vector<std::size_t> users;
  for (std::size_t group = 0; group < groups_.size(); ++group)
    if (std::ranges::any_of(groups_[group].statements, [&](auto* statement) {
          return mentions(statement, variable) || declares(statement, variable);
        }))
      users.push_back(group);
  const bool local = declares(loop_.statement, variable);
  if (!local && users.size() > 1) unties_ = true;
  if (!local && (renews(variable, users) || keeps(variable, users))) return;
  for (const std::size_t first : users) {
    for (const std::size_t second : users) {
      if (first >= second) continue;
      edges_.push_back({first, second, 0, nullptr});
      if (!local) edges_.push_back({second, first, 1, nullptr});
    }
  }
}

bool LoopDistribution::renews(const clang::VarDecl* variable, const std::vector<std::size_t>& users) {
  if (!variable->getType()->isArithmeticType()) return false;
  Renewed renewed{variable, {}};
  std::vector<Edge> edges;
  std::size_t newest = 0;
  for (const std::size_t user : users) {
    const Statements& statements = groups_[user].statements;
    const auto* assignment = renewing_assignment(statements.back(), variable);
    const bool reads = std::ranges::any_of(statements, [&](auto* statement) {
      return mentions(assignment && statement == statements.back() ? assignment->getRHS() : statement, variable);
    });
    if (reads && renewed.assignments.empty()) return false;
    if (reads) edges.push_back({newest, user, 0, nullptr});
    if (assignment) {
      renewed.assignments.push_back(statements.back());
      newest = user;
    } else if (std::ranges::any_of(statements, [&](auto* statement) { return writes_variable(statement, variable); })) {
      return false;
    }
  }
  std::ranges::copy(edges, std::back_inserter(edges_));
  renewed_.push_back(std::move(renewed));
  return true;
}

bool LoopDistribution::keeps(const clang::VarDecl* variable, const std::vector<std::size_t>& users) {
  const clang::Stmt* writer = nullptr;
  std::size_t home = 0;
  for (const std::size_t user : users) {
    for (const clang::Stmt* statement : groups_[user].statements) {
      if (!writes_variable(statement, variable)) continue;
      if (writer) return false;
      writer = statement;
      home = user;
    }
  }
  if (!writer || writer != groups_[home].statements.back() || !variable->getType()->isArithmeticType()) return false;
  const bool work = std::ranges::any_of(users, [&](std::size_t user) {
    return user != home && std::ranges::any_of(groups_[user].statements, [&](auto* statement) {
             return mentions(statement, variable) && !copies(statement, variable);
           });
  });
  if (!work) return false;
  for (const std::size_t user : users)
    if (user != home) edges_.push_back({home, user, 0, nullptr});
  groups_[home].serial = true;
  kept_.push_back({variable, writer});
  return true;
}

// A read that is made in front need not wait for anything.
bool LoopDistribution::holds_still(const Edge& edge) const {
  return !edge.overwritten || std::ranges::count(early_, edge.overwritten) == 0;
}

LoopDistribution::Relation LoopDistribution::reached() const {
  const std::size_t count = groups_.size();
  Relation reached(count, std::vector<bool>(count, false));
  for (const Edge& edge : edges_)
    if (holds_still(edge)) reached[edge.from][edge.to] = true;
  for (std::size_t via = 0; via < count; ++via)
    for (std::size_t from = 0; from < count; ++from)
      for (std::size_t to = 0; to < count; ++to)
        if (reached[from][via] && reached[via][to]) reached[from][to] = true;
  return reached;
}

// Reads within circles that could be made in front.
std::vector<const clang::Expr*> LoopDistribution::breakable(const Relation& reached) const {
  std::vector<const clang::Expr*> reads;
  for (const Edge& edge : edges_)
    if (edge.overwritten && reached[edge.to][edge.from] && std::ranges::count(reads, edge.overwritten) == 0)
      reads.push_back(edge.overwritten);
  return reads;
}

// Each read by itself is left in its place again where the circle does not need it to go.
void LoopDistribution::break_circles() {
  const auto circles = [&] {
    const Relation now = reached();
    std::size_t pairs = 0;
    for (std::size_t one = 0; one < now.size(); ++one)
      for (std::size_t other = 0; other < now.size(); ++other)
        pairs += one != other && now[one][other] && now[other][one];
    return pairs;
  };
  const std::size_t before = circles();
  early_ = breakable(reached());
  const std::size_t least = circles();
  if (least == before) early_.clear();
  for (const clang::Expr* read : std::vector(early_)) {
    std::erase(early_, read);
    if (circles() > least) early_.push_back(read);
  }
}

void LoopDistribution::order(const Relation& reached) {
  std::vector<bool> done(groups_.size(), false);
  const auto together = [&](std::size_t one, std::size_t other) {
    return one == other || (reached[one][other] && reached[other][one]);
  };
  const auto ready = [&](std::size_t group) {
    for (std::size_t before = 0; before < groups_.size(); ++before)
      if (!done[before] && reached[before][group] && !together(before, group)) return false;
    return !done[group];
  };
  for (std::size_t placed = 0; placed < groups_.size();) {
    std::size_t next = 0;
    while (!ready(next)) ++next;
    std::vector<std::size_t> component;
    for (std::size_t group = 0; group < groups_.size(); ++group)
      if (together(next, group)) component.push_back(group);
    for (const std::size_t group : component) done[group] = true;
    placed += component.size();
    append(component);
  }
}

// Loops that iterations of neither hand anything on in, and between which nothing passes but within one iteration, are
// one loop.
bool LoopDistribution::joins_last(std::size_t group) const {
  if (members_.empty() || groups_[group].serial) return false;
  const auto& last = members_.back();
  if (last.size() > 1 && std::ranges::any_of(last, [&](std::size_t member) { return groups_[member].serial; }))
    return false;
  return std::ranges::all_of(last, [&](std::size_t member) {
    return !groups_[member].serial && member < group && std::ranges::none_of(edges_, [&](const Edge& edge) {
      return edge.from == member && edge.to == group && edge.distance != 0 && holds_still(edge);
    });
  });
}

void LoopDistribution::append(const std::vector<std::size_t>& component) {
  if (component.size() > 1)
    for (const std::size_t group : component) groups_[group].serial = true;
  if (component.size() == 1 && joins_last(component.front())) {
    members_.back().push_back(component.front());
  } else {
    members_.push_back(component);
    loops_.emplace_back();
  }
  for (const std::size_t group : component)
    std::ranges::copy(groups_[group].statements, std::back_inserter(loops_.back()));
}

}  // namespace hone::frontend
