#include "tool/executor/staying_executor.h"

#include <fmt/format.h>

#include "tool/bundle/answer.h"
#include "tool/bundle/service.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/executor/said.h"

namespace hone::executor {
namespace {

constexpr int most_answers = 3;  // that are none, until it is said

}  // namespace

Result<bundle::Answer> StayingExecutor::run(const bundle::Bundle& bundle, std::stop_token stop) {
  const std::string bytes = serialize(bundle);
  Result<bundle::Answer> answer;
  for (int tried = 0; tried < most_answers; ++tried) {
    HONE_TRY(const WorkerPool::Reply reply, pool_->judge(bytes, bundle.data.cuda, kept_.machine(), stop));
    answer = read(reply, bundle, bytes);
    if (answer) break;
    pool_->distrust(reply.worker);
  }
  return answer;
}

Result<bundle::Answer> StayingExecutor::read(const WorkerPool::Reply& reply, const bundle::Bundle& bundle,
                                             const std::string& bytes) {
  const std::string from = "a worker of the executor";
  if (const auto why = bundle::read_refusal(reply.line, bundle::fingerprint(bytes)))
    return coded_failure(DiagnosticCode::executor_failed, "the worker's machine failed: " + last_words(*why), from,
                         "run `hone doctor` where it runs");
  auto answer = read_answer(reply.line, bundle, bytes, reply.seconds);
  if (!answer)
    return coded_failure(DiagnosticCode::executor_failed, "gave no verdict: " + answer.error().message(), from,
                         "run `hone doctor` where it runs");
  if (answer->machine.empty()) answer->machine = reply.kind;
  if (answer->machine != reply.kind)
    return coded_failure(DiagnosticCode::executor_machine,
                         fmt::format("it judged on an {} and had said that it is an {}", answer->machine, reply.kind),
                         from);
  HONE_CHECK(kept_.admit(*answer));
  return answer;
}

}  // namespace hone::executor
