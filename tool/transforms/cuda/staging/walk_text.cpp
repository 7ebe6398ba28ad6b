#include "tool/transforms/cuda/staging/walk_text.h"

#include <algorithm>
#include <bit>

#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

constexpr int threads_of_warp = 32;
constexpr int together = 8;  // loads in flight, of each stretch
constexpr int least_iterations = 8;
constexpr long long most_shared_bytes = 48 * 1024;
const std::string all_threads = "0xffffffffu";

std::string shuffled(const std::string& value, const std::string& from) {
  return "__shfl_sync(" + all_threads + ", " + value + ", " + from + ")";
}

std::string distance(const WalkBound& bound, const Substitution& plain) {
  std::string text = "static_cast<long long>(" + plain.text(bound.to) + ")";
  const auto* number = bound.from ? llvm::dyn_cast<clang::IntegerLiteral>(bound.from->IgnoreParenImpCasts()) : nullptr;
  if (bound.from && !(number && number->getValue() == 0))
    text += " - static_cast<long long>(" + plain.text(bound.from) + ")";
  return bound.inclusive ? text + " + 1" : text;
}

}  // namespace

WalkText::WalkText(const KernelContext& context, NewNames& names, const Walks& walks, const WalkShape& shape)
    : context_(context),
      names_(names),
      iterations_(static_cast<int>(std::bit_floor(static_cast<unsigned>(shape.iterations)))),
      warps_(shape.warps),
      ahead_(shape.ahead),
      warp_(names.make("warp")),
      lane_(names.make("lane")),
      row_(names.make("row")),
      column_(names.make("column")),
      count_(names.make("count")),
      pass_(names.make("pass")),
      first_(names.make("first_row")) {
  for (const auto& [statement, walk] : walks) most_stretches_ = std::max(most_stretches_, walk.stretches.size());
  while (bytes_of(walks) > most_shared_bytes) iterations_ > least_iterations ? iterations_ /= 2 : --most_stretches_;
  ahead_ = ahead_ && iterations_ <= threads_of_warp;
  for (const auto& [statement, walk] : walks)
    for (std::size_t at = 0; at < std::min(most_stretches_, walk.stretches.size()); ++at)
      take_tile(walk, at, walks.size() == 1);
}

// Walks come one after the other: each type's tiles are those of the walk that needs most of them.
long long WalkText::bytes_of(const Walks& walks) const {
  std::map<std::string, long long> most;
  for (const auto& [statement, walk] : walks) {
    std::map<std::string, long long> of_walk;
    for (std::size_t at = 0; at < std::min(most_stretches_, walk.stretches.size()); ++at)
      of_walk[walk.stretches[at].type] += walk.stretches[at].bytes;
    for (const auto& [type, bytes] : of_walk) most[type] = std::max(most[type], bytes);
  }
  long long bytes = 0;
  for (const auto& [type, of_type] : most) bytes += of_type * warps_ * threads_of_warp * (iterations_ + 1);
  return bytes;
}

// The first tile of its type that the walk has not taken yet.
void WalkText::take_tile(const Walk& walk, std::size_t at, bool alone) {
  const Stretch& stretch = walk.stretches[at];
  const auto is_taken = [&](std::size_t tile) {
    return std::any_of(walk.stretches.begin(), walk.stretches.begin() + static_cast<std::ptrdiff_t>(at),
                       [&](const Stretch& other) { return tile_of_.at(&other) == tile; });
  };
  std::size_t tile = 0;
  while (tile < tiles_.size() && (tiles_[tile].type != stretch.type || is_taken(tile))) ++tile;
  if (tile == tiles_.size())
    tiles_.push_back({names_.make((alone ? stretch.base->getNameAsString() + "_" : "") + "tile"), stretch.type});
  tile_of_[&stretch] = tile;
}

std::string WalkText::declarations() const {
  std::string text;
  for (const Tile& tile : tiles_)
    text += "__shared__ " + tile.type + " " + tile.name + "[" + std::to_string(warps_) + "][" +
            std::to_string(threads_of_warp) + "][" + std::to_string(iterations_ + 1) + "];\n";
  return text + "const int " + warp_ + " = threadIdx.x / 32, " + lane_ + " = threadIdx.x % 32;\n";
}

WalkText::Strip WalkText::strip_of(const Walk& walk) {
  const std::string counter = walk.counter->getNameAsString();
  Strip strip{names_.make(counter + "_left"), {}, names_.make(counter + "_step"), {}, {}};
  strip.count = ahead_ ? names_.make(counter + "_count") : strip.left;
  for (const Stretch& stretch : walk.stretches) {
    const auto tile = tile_of_.find(&stretch);
    if (tile == tile_of_.end()) continue;
    // Elements that lie alike in their arrays have their place in common.
    auto place = std::ranges::find_if(strip.places, [&](const Place& one) { return lie_alike(*one.stretch, stretch); });
    if (place == strip.places.end()) {
      strip.places.push_back({&stretch, names_.make(counter + "_from"), ahead_ ? names_.make(counter + "_now") : ""});
      place = strip.places.end() - 1;
    }
    place->is_read |= stretch.is_read;
    place->is_written |= stretch.is_written;
    strip.parts.push_back(
        {&stretch, tiles_[tile->second].name, names_.make(stretch.base->getNameAsString() + "_next"), place->from});
  }
  return strip;
}

std::string WalkText::write(const Walk& walk, const std::string& exists) {
  const std::string counter = walk.counter->getNameAsString();
  const Strip strip = strip_of(walk);
  const Substitution plain(context_.ast);
  std::string start = plain.text(walk.start);
  spoiled_ |= plain.spoiled();
  if (!exists.empty() && !accesses_in(context_.ast, walk.start).empty())
    start = exists + " ? static_cast<" + walk.type + ">(" + start + ") : static_cast<" + walk.type + ">(0)";
  std::string text = walk.type + " " + counter + " = " + start + ";\n";
  text += ahead_ ? ahead_of_iterations(walk, strip, exists) : before_iterations(walk, strip, exists);
  // What the threads themselves wrote in front of the walk others load, and what others stored they may read behind it.
  const bool stores = std::ranges::any_of(strip.parts, [](const Part& part) { return part.stretch->is_written; });
  return "__syncwarp();\n" + braces(text) + (stores ? "\n__syncwarp();" : "");
}

std::string WalkText::before_iterations(const Walk& walk, const Strip& strip, const std::string& exists) {
  return "for (;;) " + braces("const int " + strip.left + " = " + left_text(walk, exists) + ";\n" + leave(strip) +
                              places(walk, strip) + loads(strip) + "__syncwarp();\n" + iterations(walk, strip) +
                              "\n__syncwarp();\n" + stores(strip));
}

// What comes next is on its way to registers while the iterations run.
std::string WalkText::ahead_of_iterations(const Walk& walk, const Strip& strip, const std::string& exists) {
  const std::string counter = walk.counter->getNameAsString(), here = names_.make(counter + "_here");
  std::string first = walk.type + " " + here + " = " + counter + ";\nint " + strip.count + " = 0;\n", arrays;
  std::string next = here + " = " + counter + ";\n" + strip.count + " = " + strip.left + ";\n" + counter +
                     (walk.counts_down ? " -= " : " += ") + strip.left + ";\n";
  for (const Part& part : strip.parts)
    if (part.stretch->is_read) arrays += part.stretch->type + " " + part.next + "[" + std::to_string(passes()) + "];\n";
  for (const Place& place : strip.places) {
    if (!place.is_written) continue;
    first += "long long " + place.now + " = 0;\n";
    next += place.now + " = " + place.from + ";\n";
  }
  const auto by_pass = [&](const std::string& text) {
    return text.empty() ? text : in_columns(each(passes()) + braces(text));
  };
  return first + "for (;;) " +
         braces("const int " + strip.left + " = " + left_text(walk, exists) + ";\n" + places(walk, strip) + arrays +
                by_pass(fetch(strip, pass_)) +
                braces(walk.type + " " + counter + " = " + here + ";\n" + iterations(walk, strip)) +
                "\n__syncwarp();\n" + stores(strip) + leave(strip) + by_pass(keep(strip, pass_)) + next +
                "__syncwarp();");
}

std::string WalkText::leave(const Strip& strip) const {
  return "if (!__any_sync(" + all_threads + ", " + strip.left + " > 0)) break;\n";
}

// Where the thread's next elements begin.
std::string WalkText::places(const Walk& walk, const Strip& strip) {
  std::string text;
  for (const Place& place : strip.places)
    text += "const long long " + place.from + " = " + strip.left + " > 0 ? &" +
            seen_from_head(walk, place.stretch->first) + " - " + place.stretch->base->getNameAsString() + " : 0;\n";
  return text;
}

std::string WalkText::left_text(const Walk& walk, const std::string& exists) {
  const Substitution plain(context_.ast);
  std::string least = std::to_string(iterations_) + "ll";
  for (const WalkBound& bound : walk.bounds) least = "llmin(" + least + ", " + distance(bound, plain) + ")";
  spoiled_ |= plain.spoiled();
  const std::string left = "static_cast<int>(llmax(0ll, " + least + "))";
  return exists.empty() ? left : exists + " ? " + left + " : 0";
}

// An access of the body, said in front of the strip's first iteration, where locals of the body are not yet.
std::string WalkText::seen_from_head(const Walk& walk, const clang::Expr* expression) {
  Substitution changes(context_.ast);
  for (const auto* use : all_of<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (variable == walk.counter && walk.counts_first) {
      changes.replace(range_of(context_.ast, use->getSourceRange()), "(" + variable->getNameAsString() + " - 1)");
    } else if (variable && declares(walk.statement->getBody(), variable)) {
      const std::string type = plain_type(context_.ast, variable->getType());
      spoiled_ |= type.empty() || !variable->getInit();
      if (spoiled_) return "";
      changes.replace(range_of(context_.ast, use->getSourceRange()),
                      "static_cast<" + type + ">(" + seen_from_head(walk, variable->getInit()) + ")");
    }
  }
  const auto range = range_of(context_.ast, expression->getSourceRange());
  const std::string text = range ? changes.text(*range) : "";
  spoiled_ |= text.empty() || changes.spoiled();
  return text;
}

// A thread's row of a tile in one pass: a warp does as many rows at once as it has threads for.
std::string WalkText::row_of(const std::string& pass) const {
  const int rows = iterations_ < threads_of_warp ? threads_of_warp / iterations_ : 1;
  if (rows == 1) return pass;
  return pass + " * " + std::to_string(rows) + " + " + lane_ + " / " + std::to_string(iterations_);
}

// A warp's over the rows of a tile.
int WalkText::passes() const {
  return std::min(iterations_, threads_of_warp);
}

// For each column that a thread is for.
std::string WalkText::in_columns(const std::string& text) const {
  const std::string width = std::to_string(iterations_);
  if (iterations_ > threads_of_warp)
    return "for (int " + column_ + " = " + lane_ + "; " + column_ + " < " + width + "; " + column_ + " += 32) " +
           braces(text) + "\n";
  return braces("const int " + column_ + " = " + lane_ + (iterations_ < threads_of_warp ? " % " + width : "") + ";\n" +
                text) +
         "\n";
}

// The row of a pass: how many elements it has, and where they lie. All threads take part in a shuffle, whether they
// load or not.
std::string WalkText::row_text(const Strip& strip, const std::string& pass, bool loads) const {
  std::string text = "const int " + row_ + " = " + row_of(pass) + ";\nconst int " + count_ + " = " +
                     shuffled(loads ? strip.left : strip.count, row_) + ";\n";
  for (const Place& place : strip.places) {
    const std::string& of_thread = loads || !ahead_ ? place.from : place.now;
    if (loads ? place.is_read : place.is_written)
      text += "const long long " + place.from + "_row = " + shuffled(of_thread, row_) + ";\n";
  }
  return text;
}

std::string WalkText::element(const Part& part) const {
  return part.stretch->base->getNameAsString() + "[" + part.from + "_row" + (part.stretch->step > 0 ? " + " : " - ") +
         column_ + "]";
}

std::string WalkText::each(int passes) const {
  return "#pragma unroll\nfor (int " + pass_ + " = 0; " + pass_ + " < " + std::to_string(passes) + "; ++" + pass_ +
         ") ";
}

// From memory to registers, in one pass.
std::string WalkText::fetch(const Strip& strip, const std::string& row) const {
  std::string text;
  for (const Part& part : strip.parts)
    if (part.stretch->is_read)
      text += part.next + "[" + pass_ + "] = " + column_ + " < " + count_ + " ? " + element(part) + " : static_cast<" +
              part.stretch->type + ">(0);\n";
  return text.empty() ? text : row_text(strip, row, true) + text;
}

// And on to the tiles.
std::string WalkText::keep(const Strip& strip, const std::string& row) const {
  std::string text;
  for (const Part& part : strip.parts)
    if (part.stretch->is_read)
      text += part.tile + "[" + warp_ + "][" + row_of(row) + "][" + column_ + "] = " + part.next + "[" + pass_ + "];\n";
  return text;
}

std::string WalkText::loads(const Strip& strip) const {
  const std::string row = iterations_ < threads_of_warp ? "(" + first_ + " + " + pass_ + ")" : first_ + " + " + pass_;
  const std::string some = std::to_string(together);
  std::string arrays;
  for (const Part& part : strip.parts)
    if (part.stretch->is_read) arrays += part.stretch->type + " " + part.next + "[" + some + "];\n";
  if (arrays.empty()) return "";
  return in_columns(
      "#pragma unroll 1\nfor (int " + first_ + " = 0; " + first_ + " < " + std::to_string(passes()) + "; " + first_ +
      " += " + some + ") " +
      braces(arrays + each(together) + braces(fetch(strip, row)) + "\n" + each(together) + braces(keep(strip, row))));
}

std::string WalkText::stores(const Strip& strip) const {
  std::string text;
  for (const Part& part : strip.parts)
    if (part.stretch->is_written)
      text += "if (" + column_ + " < " + count_ + ") " + element(part) + " = " + part.tile + "[" + warp_ + "][" + row_ +
              "][" + column_ + "];\n";
  if (text.empty()) return "";
  return in_columns("#pragma unroll " + std::to_string(together) + "\nfor (int " + pass_ + " = 0; " + pass_ + " < " +
                    std::to_string(passes()) + "; ++" + pass_ + ") " + braces(row_text(strip, pass_, false) + text));
}

// Locals of the body that only said where its elements lie: compilers warn of what nobody uses.
void WalkText::drop_unused(const Walk& walk, std::vector<const clang::Stmt*> gone, Substitution& changes) const {
  const clang::Stmt* body = walk.statement->getBody();
  const auto uses = [](const clang::Stmt* within, const clang::VarDecl* variable) {
    return std::ranges::count_if(all_of<clang::DeclRefExpr>(within),
                                 [&](auto* use) { return use->getDecl() == variable; });
  };
  auto declarations = all_of<clang::DeclStmt>(body);
  std::ranges::reverse(declarations);  // what a dropped one mentions stands in front of it
  for (const auto* declared : declarations) {
    const auto* variable =
        declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    if (!variable || !variable->getInit() ||
        !(variable->getType()->isIntegerType() || variable->getType()->isPointerType()) ||
        !accesses_in(context_.ast, variable->getInit()).empty() || effects_of(variable->getInit()).calls_unknown)
      continue;
    std::ptrdiff_t of_gone = 0;
    for (const clang::Stmt* one : gone) of_gone += uses(one, variable);
    if (of_gone == 0 || of_gone != uses(body, variable)) continue;
    changes.replace(declared, "");
    gone.push_back(declared);
  }
}

std::string WalkText::iterations(const Walk& walk, const Strip& strip) {
  Substitution changes(context_.ast);
  std::vector<const clang::Stmt*> gone;
  for (const Part& part : strip.parts) {
    const std::string row = part.tile + "[" + warp_ + "][" + lane_ + "][" + strip.step;
    for (const auto& [access, later] : part.stretch->accesses) {
      const auto range = range_of(context_.ast, access->getSourceRange());
      const std::string by = std::to_string(std::abs(later)), there = range ? changes.text(*range) : "";
      spoiled_ |= !range;
      if (later == 0) {
        changes.replace(range, row + "]");
        gone.push_back(access);
      } else if (later > 0) {
        changes.replace(range, "(" + strip.step + " + " + by + " < " + strip.count + " ? " + row + " + " + by +
                                   "] : " + there + ")");
      } else {
        changes.replace(range, "(" + strip.step + " >= " + by + " ? " + row + " - " + by + "] : " + there + ")");
      }
    }
  }
  drop_unused(walk, std::move(gone), changes);
  const std::string counter = walk.counter->getNameAsString(), count = (walk.counts_down ? "--" : "++") + counter;
  const clang::Stmt* whole = walk.statement->getBody();
  std::string body = changes.text(whole);
  if (!llvm::isa<clang::CompoundStmt>(whole)) body = braces(body);
  if (walk.counts_first && !body.empty()) body.insert(1, "\n" + count + ";");
  spoiled_ |= changes.spoiled();
  return "for (int " + strip.step + " = 0; " + strip.step + " < " + strip.count + "; ++" + strip.step +
         (walk.counts_first ? "" : ", " + count) + ") " + body;
}

}  // namespace hone::frontend
