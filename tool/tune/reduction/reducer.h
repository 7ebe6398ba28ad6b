// Takes out of a winner what gains nothing: genes of a genome; statements, helpers, hints and names of a model's text.
//
// What is left passes gate, compiler and judge as any candidate does, and is as fast as the winner that the search
// found: timed beside that one, not beside what an earlier step left, so that small losses do not add up. What cannot
// be told in the time stays in. Each answer is in the journal before it counts, so that a run which goes on reduces the
// same way. Never sets an error: where the environment fails, the reduction ends with what it has. Borrows everything.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/frontend/parse/statement_ranges.h"
#include "tool/transforms/workshop.h"
#include "tool/tune/reduction/ddmin.h"
#include "tool/tune/reduction/rewriting.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/trial_stages.h"

namespace hone::tune {

class Reducer {
 public:
  // The second timed beside the first. `faster` says that it is as fast, within what nobody would notice.
  using Compare = std::function<Result<Verdict>(const compile::Objects& first, const compile::Objects& second)>;
  using Render = std::function<frontend::Rendered(const Genome&)>;
  // The candidate as it will stand in the file, with words on what makes it faster: its tokens stay.
  using Present = std::function<std::string(const std::string& source, const std::string& words)>;

  struct Ports {
    TrialStages& stages;
    Journal& journal;
    Compare compare;
    Present present;
  };
  // `original`: the text that is tuned, whose lines are told beside the winner's.
  Reducer(Ports ports, const Accepted& winner, const std::string& original, const Deadline& share);

  // By its genes. `tried`: genomes that the search found right and faster, of which some may be parts of this one: a
  // good start. `written_out` gives a longer text for the same genes. It is asked last, and once: where what is left is
  // faster in it than the winner by more than anybody would miss, it is written so.
  Accepted by_genes(const Genome& genome, const std::vector<Genome>& tried, const Render& shortest,
                    const Render& written_out);
  // By its constants, single-use helpers and hints to the compiler, then by its statements and helpers.
  Accepted by_statements();
  // Nothing is left out.
  Accepted explained() const;

 private:
  struct Standing {
    bool right = false, as_fast = false;
    std::optional<Speedup> speedup;  // over the winner
    std::string reason;              // why it is not right
  };
  // Of two questions which comes first: the second is asked only where the first is answered by yes.
  enum class First { right, fast };
  std::optional<Verdict> known_by_its_code(const compile::Objects& objects, const compile::Objects& winner);
  Result<Verdict> compared(const compile::Objects& winner, const compile::Objects& objects);
  Result<Verdict> verified(const std::string& source);
  Result<Verdict> asked(const std::string& source, const compile::Objects& winner, const compile::Objects& objects);
  std::optional<Standing> standing_of(const std::string& source);
  Result<Verdict> judge(const std::string& source);
  Result<const compile::Objects*> winner_objects();
  Attempt attempt(const std::string& source);
  bool gains_written_out(const frontend::Rendered& text, const frontend::Rendered& written_out);
  Genome tried_before(const Genome& genome, std::vector<Genome> tried, const Render& render);
  std::optional<KeptChange> kept(const std::string& change, const std::string& what, const std::string& without) const;
  Accepted presented(std::string source, const std::string& words, Reduction reduction) const;
  using Rewritings = std::function<std::vector<Rewriting>(const std::string& source)>;
  Minimal reduce_parts(std::string& text, const std::vector<frontend::TextPart>& parts, Reduction& reduction);
  bool rewrite(std::string& text, const Rewritings& rewritings, Reduction& reduction);

  Ports ports_;
  const Accepted& winner_;
  const unsigned lines_original_;
  const Deadline& share_;
  const std::string fingerprint_;  // the winner's
  std::optional<compile::Objects> objects_;
  std::map<std::string, Standing> known_;   // by fingerprint
  std::map<std::string, Verdict> by_code_;  // by the digest of what it compiles to
  First first_ = First::right;
  double quickest_;  // seconds that one answer takes at least
};

}  // namespace hone::tune
