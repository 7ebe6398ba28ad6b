#include "tool/os/http/blocking.h"

#include <future>
#include <utility>

namespace hone::os {

HttpOutcome ask(HttpTransport& transport, HttpRequest request) {
  std::promise<HttpOutcome> promise;
  auto outcome = promise.get_future();
  transport.start(std::move(request), {}, [&](HttpOutcome ended) { promise.set_value(std::move(ended)); });
  return outcome.get();
}

}  // namespace hone::os
