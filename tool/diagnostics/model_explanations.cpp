// Language models: settings, keys and replies.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;

constexpr Explanation kModelRows[] = {
    {Code::model_settings, "model-settings", "`hone.json` is not as it should be",
     R"(The message names the member, its line and what stands there in a valid file. Example: `"temperature": "low"`
must be a number. The shape is in docs/llm.md; members that are not known are refused, so that a
typing error does not pass unseen.)"},
    {Code::model_unnamed, "model-unnamed", "No language model is named, or none of this name is known",
     R"(A search with a model takes `--proposer openai`, `anthropic` or `command:PROGRAM`, and a model: `--model NAME`,
HONE_MODEL, or `"model"` in `hone.json`. An ensemble names its own. Without a model, `--proposer builtin` needs
nothing.)"},
    {Code::model_key, "model-key", "The key of the provider is not there",
     R"(Keys come from the environment, never from a file of the project: OPENAI_API_KEY, ANTHROPIC_API_KEY, or the
variable that `key_env` names, which ends in _KEY, _TOKEN or _SECRET. Export it. A key with blanks or line ends
was copied wrongly.)"},
    {Code::model_endpoint, "model-endpoint", "The endpoint cannot be used",
     R"(It is no address, or a key would go over plain http to another machine. Use `https://`; `"allow_plain_http":
true` in your own `hone.json` allows it for a network that you trust. For a server on this machine
`http://localhost:8000/v1` is fine.)"},
    {Code::model_not_allowed, "model-not-allowed", "The project asks to send source to a server that you did not allow",
     R"(`hone.json` of a project could name any server. So nothing is sent until you have allowed it once, for this
project and these servers; the message says how. A change of the server asks again.)"},
    {Code::model_price, "model-price", "The price of the model is not known",
     R"(`--max-cost` needs a price. Add the model to the table of prices, or give `"price": { "input": 3, "output": 15
}` (for a million tokens) in `hone.json`.)"},
    {Code::model_failed, "model-failed", "The model does not answer, or refuses",
     R"(The provider refuses the request (401: the key; 404: the model's name; 429: the limit), the connection fails, or
the program of `command:` ends with an error. The message has the provider's words. Calls that were counted are
kept, and `hone tune --resume` goes on.)"},
};

}  // namespace

std::span<const Explanation> model_explanations() {
  return kModelRows;
}

}  // namespace hone
