#include "tool/tune/training/exchange.h"

#include <cmath>
#include <map>

namespace hone::tune {
namespace {

// Which candidate made the most of each advice.
std::map<unsigned, const Exchange*> best_followers(const std::map<unsigned, const Asked*>& asked,
                                                   const std::map<unsigned, Exchange>& candidates) {
  std::map<unsigned, const Exchange*> best;
  for (const auto& [request, candidate] : candidates) {
    const auto adviser = asked.at(request)->advised_by;
    if (!adviser) continue;
    const Exchange*& so_far = best[*adviser];
    if (!so_far || so_far->reward < candidate.reward) so_far = &candidate;
  }
  return best;
}

Exchange exchange_of(const Asked& asked, const Replied& reply, const Verdict& verdict) {
  return {.request = asked.request,
          .operator_name = asked.operator_name,
          .prompt = asked.prompt,
          .prompt_digest = asked.digest,
          .reply = reply.text,
          .model = reply.model,
          .usage = reply.usage,
          .verdict = verdict,
          .reward = reward_of(verdict)};
}

}  // namespace

double reward_of(const Verdict& verdict) {
  if (verdict.right) return 0.3 + (verdict.faster ? std::log(verdict.measurement.speedup.median) : 0);
  return verdict.stage == Stage::gate || verdict.stage == Stage::compile ? 0 : 0.1;
}

Exchanges exchanges_of(const Recording& recording) {
  std::map<unsigned, const Asked*> asked;
  std::map<unsigned, const Replied*> replies;
  std::map<unsigned, Exchange> exchanges;
  for (const Event& event : recording.events) {
    if (const auto* question = std::get_if<Asked>(&event)) asked[question->request] = question;
    if (const auto* reply = std::get_if<Replied>(&event)) replies[reply->request] = reply;
    const auto* told = std::get_if<ToldTrial>(&event);
    if (!told || !asked.contains(told->request) || !replies.contains(told->request)) continue;
    Exchange exchange = exchange_of(*asked.at(told->request), *replies.at(told->request), told->verdict);
    exchange.name = told->name;
    exchange.duplicate = told->duplicate_of.has_value();
    exchanges.insert_or_assign(told->request, std::move(exchange));
  }
  std::map<unsigned, Exchange> advice;
  for (const auto& [request, follower] : best_followers(asked, exchanges)) {
    if (!asked.contains(request) || !replies.contains(request)) continue;
    Exchange exchange = exchange_of(*asked.at(request), *replies.at(request), follower->verdict);
    exchange.kind = search::RequestKind::advice;
    advice.emplace(request, std::move(exchange));
  }
  exchanges.merge(advice);
  Exchanges all;
  all.unjudged = replies.size() - exchanges.size();
  for (auto& [request, exchange] : exchanges) all.judged.push_back(std::move(exchange));
  return all;
}

}  // namespace hone::tune
