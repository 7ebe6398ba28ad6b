// How busy is the judge while a model answers slowly?
//
//   judge_load [REPLY_MS JUDGE_MS TRIALS]      default: 2000 400 32, a fifth of a model that answers in 10 s
//
// `hone tune` asks pretend_model, 8 calls at once, and judges with pretend_worker, which sleeps. The judge has work
// from the moment at which a reply is there until its verdict is: compiling counts as time in which it should be busy.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

#include "model_bench.h"

int main(int count, char** arguments) {
  using namespace hone;
  const std::string reply = count > 1 ? arguments[1] : "2000";
  const std::string judge = count > 2 ? arguments[2] : "400";
  const std::string trials = count > 3 ? arguments[3] : "32";
  const ModelBench bench;
  const auto judged = bench.folder() / "judged.log";
  const Ended ended = run(bench.folder(), bench.tune(reply + " good",
                                                     {"--strategy", "full", "--trials", trials, "--executor",
                                                      "command:" PRETEND_WORKER " " + judged.string() + " " + judge},
                                                     true));

  struct Edge {
    double at = 0;
    int change = 0;  // of the replies that have no verdict yet
  };
  std::vector<Edge> edges;
  std::ifstream from_model(bench.log()), from_judge(judged);
  for (std::string line, word, seed; std::getline(from_model, line);)
    if (double at = 0; std::istringstream(line) >> word >> seed >> at && word == "end") edges.push_back({at, 1});
  double busy = 0, begin = 0, end = 0;
  std::string word;
  // Before the first reply the original is timed; what comes after the trials is the winner's second measurement.
  const double first = edges.empty() ? 0 : edges.front().at;
  for (unsigned long left = std::stoul(trials); left > 0 && from_judge >> word >> begin >> end;) {
    if (begin < first) continue;
    --left;
    busy += end - begin;
    edges.push_back({end, -1});
  }
  std::ranges::sort(edges, {}, &Edge::at);
  double work = 0;
  int pending = 0;
  for (std::size_t i = 0; i < edges.size() && edges[i].at < end; ++i) {
    pending += edges[i].change;
    if (pending > 0 && i + 1 < edges.size()) work += edges[i + 1].at - edges[i].at;
  }
  std::printf("%s\njudge busy %.1f s of the %.1f s in which it had work: %.0f%%\n", ended.err.c_str(), busy, work,
              work > 0 ? 100 * busy / work : 0.0);
  return ended.code;
}
