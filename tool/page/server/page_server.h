// `hone report --serve`: the report at an address of this machine alone, made anew while a tuning runs.
//
// Listens on 127.0.0.1 and answers GET for two names, / and /report.json. A request that was meant for another host
// is refused: a page elsewhere whose name is made to lead here (DNS rebinding) reads nothing. So is one that another
// site's page sends. `json` is asked at most once a second, by one thread at a time.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "tool/base/result.h"

namespace hone::page {

struct ServeOptions {
  int port = 0;  // 0: any that is free
};

// Until `stop`. `listening` hears the address once it answers. Error: the port is taken.
Result<void> serve(const ServeOptions& options, const std::function<std::string()>& json,
                   const std::function<void(const std::string& address)>& listening, std::stop_token stop);

}  // namespace hone::page
