# token_bytes.py FILE...: how many bytes of our prompts, replies and kernels make a token, by three tokenizers that
# LiteLLM brings. Recordings (*.jsonl) count message by message. Run by the Python of tests/llm/gateways.
import json
import os
import statistics
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm

folder = os.path.join(os.path.dirname(litellm.__file__), "litellm_core_utils", "tokenizers")
os.environ["TIKTOKEN_CACHE_DIR"] = folder
import tiktoken
from tokenizers import Tokenizer

claude = Tokenizer.from_file(os.path.join(folder, "anthropic_tokenizer.json"))
openai = [tiktoken.get_encoding(name) for name in ("cl100k_base", "o200k_base")]


def texts(path):
    if not path.endswith(".jsonl"):
        yield open(path, errors="replace").read()
        return
    for line in open(path):
        event = json.loads(line)
        if isinstance(event.get("prompt"), list):
            yield "".join(message.get("content", message.get("text", "")) for message in event["prompt"])
        if isinstance(event.get("text"), str):
            yield event["text"]


def tokens(text):
    yield len(claude.encode(text).ids)
    for encoding in openai:
        yield len(encoding.encode(text, disallowed_special=()))


found = [text for path in sys.argv[1:] for text in texts(path) if len(text) >= 300]
ratios = [[len(text.encode()) / count for count in tokens(text)] for text in found]
densest = [min(of_text) for of_text in ratios]
print(f"{len(found)} texts: {min(densest):.2f} to {max(map(max, ratios)):.2f} bytes a token")
print(f"by the tokenizer that needs most: {statistics.median(densest):.2f} in the median, "
      f"under 3 in {sum(ratio < 3 for ratio in densest)}, under 2 in {sum(ratio < 2 for ratio in densest)}")
