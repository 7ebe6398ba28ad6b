# validate_request.py chat|responses|messages < BODY: is this a request as the provider's own SDK knows it?
# Exits with 1 and says what is wrong with it.
import sys
import json
import pydantic


def types(kind):
    if kind == "chat":
        from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming as Params
    elif kind == "responses":
        from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming as Params
    else:
        from anthropic.types.message_create_params import MessageCreateParamsNonStreaming as Params
    return Params


body = json.load(sys.stdin)
params = types(sys.argv[1])
unknown = set(body) - set(params.__annotations__) - set().union(*(getattr(b, "__annotations__", {}) for b in params.__orig_bases__))
if unknown:
    sys.exit(f"no such parameters: {sorted(unknown)}")
pydantic.TypeAdapter(params, config=None).validate_python(body)
