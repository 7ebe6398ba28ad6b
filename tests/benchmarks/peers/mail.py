"""A loopback server with OpenAI's chat interface, behind which somebody answers files.

POST /RUN/v1/chat/completions puts the messages into MAIL/N.in (JSON) and waits for MAIL/N.out (text, written under
another name and renamed). The files do not say who asks. Each run (SYSTEM/KERNEL) has an allowance of calls; what is
asked beyond it is refused. A request that a client repeats while it waits is the same call. A run's first reply comes
no sooner than it is told to: Hone takes a call for one that hangs where it takes far longer than those before.
"""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def tokens(text):
    return (len(text.encode()) + 3) // 4  # an estimate, the same for all


class Mail:
    def __init__(self, folder, log, allowance, first_seconds=0):
        self.folder, self.log, self.allowance = Path(folder), Path(log), allowance
        self.first_seconds, self.firsts = first_seconds, set()
        self.lock = threading.Lock()
        self.number = max((int(path.stem) for path in self.folder.glob("*.in") if path.stem.isdigit()), default=0)
        self.pending, self.asked, self.refused = {}, {}, {}

    def post(self, run, messages):
        """The number of the file in which this question stands, or None where the allowance is used up."""
        text = json.dumps({"messages": messages}, indent=1)
        with self.lock:
            if (run, text) in self.pending:
                return self.pending[run, text]
            if self.asked.get(run, 0) >= self.allowance:
                self.refused[run] = self.refused.get(run, 0) + 1
                return None
            self.asked[run] = self.asked.get(run, 0) + 1
            self.number += 1
            self.pending[run, text] = self.number
            if self.asked[run] == 1:
                self.firsts.add(self.number)
        part = self.folder / f"{self.number}.part"
        part.write_text(text)
        part.rename(self.folder / f"{self.number}.in")
        return self.pending[run, text]

    def wait(self, run, messages, number):
        began, file = time.time(), self.folder / f"{number}.out"
        earliest = began + self.first_seconds * (number in self.firsts)
        while time.time() < earliest or not file.exists():
            time.sleep(0.2)
        reply = file.read_text()
        usage = {"prompt_tokens": sum(tokens(m["content"]) for m in messages), "completion_tokens": tokens(reply)}
        with self.lock:
            if self.pending.pop((run, json.dumps({"messages": messages}, indent=1)), None):
                line = {"run": run, "number": number, "seconds": time.time() - began, **usage}
                with open(self.log, "a") as log:
                    log.write(json.dumps(line) + "\n")
        return reply, {**usage, "total_tokens": sum(usage.values())}


def plain(messages):
    """Contents as text: some clients send a list of parts."""
    return [{"role": m["role"], "content": m["content"] if isinstance(m["content"], str) else
             "".join(part.get("text", "") for part in m["content"])} for m in messages]


def serve(mail):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, status, body):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            run, messages = self.path.split("/v1/")[0].strip("/"), plain(body["messages"])
            number = mail.post(run, messages)
            if number is None:
                return self.answer(403, {"error": {"message": "the allowance of calls is used up"}})
            reply, usage = mail.wait(run, messages, number)
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}
            self.answer(200, {"id": f"call-{number}", "object": "chat.completion", "created": int(time.time()),
                              "model": body.get("model", ""), "choices": [choice], "usage": usage})

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]
