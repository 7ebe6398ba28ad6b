// Requests go in, candidates that are ready to be timed come out, in the same order: one thread renders and gates, some
// compile, while the caller has the judge to itself.
//
//   request ─ render ─► source ─ fingerprint ─ seen? ─ journal? ─ gate ─► compile ─► Prepared
//
// A candidate whose fingerprint was seen goes no further than that; one that the journal knows brings its verdict
// along. What comes out does not depend on how many threads there are. submit() and next() are called by one thread;
// the destructor cancels what is under way through the stop token that was given, and waits for it.
#pragma once

#include <deque>
#include <future>
#include <set>
#include <stop_token>
#include <string>
#include <variant>

#include "tool/compile/compiler.h"
#include "tool/search/search.h"
#include "tool/transforms/transforms.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/thread_pool.h"

namespace hone::tune {

struct Repeated {};  // the fingerprint was seen before
struct Replayed {
  Verdict verdict;
};

struct Prepared {
  search::Request request;
  Candidate candidate;
  std::string fingerprint;
  std::string object;  // digest of what it compiled to; "" where it was not compiled
  // To be judged; failed in gate or compiler; known already; or the environment failed.
  std::variant<compile::Objects, Verdict, Replayed, Repeated, Error> outcome;
};

class Pipeline {
 public:
  // Everything is borrowed. `original`: the fingerprint that is seen from the start.
  Pipeline(Evaluator& judge, frontend::Workshop& workshop, const Journal& journal, const std::string& original,
           unsigned jobs, std::stop_token stop);
  ~Pipeline();

  void submit(search::Request request);
  std::size_t open() const { return open_.size(); }
  bool ready() const;  // whether next() returns at once
  Prepared next();     // waits for the oldest open request

 private:
  using Promise = std::shared_ptr<std::promise<Prepared>>;
  void render(Prepared prepared, const Promise& promise);
  void compile(Prepared prepared, const Promise& promise);

  Evaluator& judge_;
  frontend::Workshop& workshop_;  // used by the rendering thread alone
  const Journal& journal_;
  std::set<std::string> seen_;  // by the rendering thread alone
  std::stop_token stop_;
  std::deque<std::future<Prepared>> open_;
  ThreadPool compiling_;
  ThreadPool rendering_;  // last: it feeds the other
};

}  // namespace hone::tune
