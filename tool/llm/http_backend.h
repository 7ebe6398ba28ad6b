// A language model behind an HTTP interface: one request an attempt.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/llm/backend.h"
#include "tool/llm/settings/clean_text.h"
#include "tool/llm/settings/model_settings.h"
#include "tool/os/http/http_transport.h"

namespace hone::llm {

// `headers` stand in every request and replace the protocol's of the same name. `http` is borrowed. Error: the endpoint
// is none, or one that the key must not go to.
Result<std::unique_ptr<Backend>> make_http_backend(const ModelSettings& model, const std::string& key,
                                                   std::vector<os::HttpHeader> headers, const Scrubber& scrub,
                                                   os::HttpTransport& http);

}  // namespace hone::llm
