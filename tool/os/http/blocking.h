// One request, and its outcome: for whoever has nothing else to do meanwhile.
#pragma once

#include "tool/os/http/http_transport.h"

namespace hone::os {

HttpOutcome ask(HttpTransport& transport, HttpRequest request);

}  // namespace hone::os
