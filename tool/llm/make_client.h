// The clients of a run, from its settings. The one place that knows all kinds of them.
#pragma once

#include <cstdint>
#include <memory>

#include "tool/base/result.h"
#include "tool/llm/client.h"
#include "tool/llm/settings/model_settings.h"
#include "tool/os/files/clock.h"
#include "tool/os/http/http_transport.h"
#include "tool/os/process/process_runner.h"

namespace hone::llm {

// Borrowed; must outlive the client.
struct Ports {
  os::HttpTransport& http;
  os::ProcessRunner& processes;
  const os::Clock& clock;  // pauses between attempts are counted on it
};

// One model's client, or that of an ensemble where settings.models has several: each call goes to the member that
// Prompt::member names or that Prompt::seed draws by weight; a member whose failure would end the run is left out from
// then on, and the run ends with the last of them.
//
// `seed` is that of the jitter in the pauses. Keys are read from `environment`, and a command gets that environment
// without them. Error: no model in the settings, a key that is not set, an endpoint that is none or that a key must not
// go to.
Result<std::unique_ptr<Client>> make_client(const Settings& settings, const Ports& ports,
                                            const Environment& environment, std::uint64_t seed = 0);

}  // namespace hone::llm
