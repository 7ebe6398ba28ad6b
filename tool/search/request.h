// What a search wants next, as plain data: everything that a prompt needs, by reference to the trials.
//
// A request names trials by number and never holds code; whoever renders it (tool/search/prompt) looks them up in
// Search::trials(). It is complete when it is asked: rendering it later, after other outcomes were told, gives the same
// prompt. Values; no threads, no I/O.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tool/model/candidate.h"
#include "tool/search/memory/memory.h"

namespace hone::search {

// `candidate`: the answer is code, and is judged. `advice`: the answer is text (a judge's JSON, a plan, proposals, a
// post-mortem), is told with tell_advice() and costs no trial.
enum class RequestKind { candidate, advice };

// What may enter a prompt, in the order in which a prompt shows it. Parents, advice, brief and what is to be repaired
// are no ingredients: they enter whenever the request has them.
enum class Ingredient {
  task,         // the function with its closure, the annotation in words, compiler, flags
  hardware,     // caches, vector width or GPU
  profile,      // measured feedback on `profile_of`
  best,         // `best`: name, figures, thought, code
  history,      // `shown`, with figures and code
  contrastive,  // `shown` side by side with scores: explain why the faster ones win, then write
  insights,     // the thoughts of `insights`
  errors,       // the verdicts of `errors`: what failed lately and why
  knowledge,    // notes on techniques and hardware, retrieved by the kernel's state
  examples,     // slow→fast pairs, retrieved
  archive,      // what won on other kernels like this one, retrieved
  memory,       // `techniques`: what worked on other kernels in this state
  plan,         // say what will be done and the gain that is expected before writing it
  target,       // `target`: the score to aim at
};
std::string_view to_string(Ingredient ingredient);
std::span<const Ingredient> all_ingredients();  // in order

struct Request {
  unsigned number = 0;            // counts the requests from 1; the trial's number is what tell() returns
  std::string operator_name;      // one of model_operators() (model_operators.h), or a genome operator
  std::vector<unsigned> parents;  // trial numbers, distinct; slower first where there are several
  Genome genome;                  // for the built-in proposer: what to render

  RequestKind kind = RequestKind::candidate;
  std::vector<Ingredient> ingredients;  // distinct, in the enumeration's order
  unsigned best = 0;                    // the fastest right trial at the time of asking; 0: the original
  std::vector<unsigned> shown;          // history, in the order in which the prompt shows it
  std::vector<unsigned> insights;       // trials whose thought enters
  std::vector<unsigned> errors;         // failed trials whose verdict enters, the latest last
  std::optional<unsigned> profile_of;   // the trial whose profile enters: always one that this prompt shows
  std::string advice;                   // the text that an advice request returned: JSON, a plan, proposals
  std::optional<unsigned> advised_by;   // the number of the advice request that this one follows
  std::optional<unsigned> choice;       // which of the advice's proposals to follow, from 0; absent: all of it
  std::string brief;                    // a direction in words that this start or island was given
  std::optional<unsigned> repair_of;    // a failed trial, to be put right by its verdict; then it is the only parent
  std::vector<Experience> techniques;   // from the memory, most relevant first; one: apply this and no other
  // What the memory expects of techniques.front(). Where the reply predicts a gain, tell() is given the request with
  // that one in its place.
  std::optional<double> predicted_gain;
  std::optional<unsigned> target;  // score out of ten to aim at; score_of() says what trials have
  unsigned proposals = 0;          // how many an advice request is to list; 0: one
  unsigned island = 0;             // or chain, or node's trial number
  unsigned model = 0;              // index into the ensemble
  std::string arm;                 // the strategy's entry that asked, for reports: "mutation", "mutation/errors"
};

// How many candidates are to come of it, its own included: none of a post-mortem, of proposals as many as are asked
// for.
unsigned candidates_of(const Request& request);

}  // namespace hone::search
