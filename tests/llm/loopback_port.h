// Ports of this machine, for servers that a test starts as programs.
#pragma once

namespace hone::llm {

int free_port();              // one that nobody listens on; another may take it meanwhile
bool is_answering(int port);  // somebody takes a connection there

}  // namespace hone::llm
