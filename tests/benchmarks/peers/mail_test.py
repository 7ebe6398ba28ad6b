"""The mailbox server, over its real port: what a system is told, and what the one who answers sees."""

import json
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import judge
import mail


def script(name):
    loader = SourceFileLoader(name, str(Path(__file__).parent / name))
    module = module_from_spec(spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


run, table = script("run"), script("table")


class Mailbox(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.box = mail.Mail(self.folder, self.folder / "calls.jsonl", allowance=2)
        self.port = mail.serve(self.box)

    def tearDown(self):
        self.temporary.cleanup()

    def ask(self, run, text):
        body = {"model": "peer", "messages": [{"role": "user", "content": text}]}
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{run}/v1/chat/completions",
                                    data=json.dumps(body).encode(), timeout=10) as answer:
            return json.load(answer)

    def answer(self, number, text):
        while not (self.folder / f"{number}.in").exists():
            time.sleep(0.02)
        (self.folder / f"{number}.part").write_text(text)
        (self.folder / f"{number}.part").rename(self.folder / f"{number}.out")

    def answered(self, run, question, number, reply):
        writer = threading.Thread(target=self.answer, args=(number, reply))
        writer.start()
        body = self.ask(run, question)
        writer.join()
        return body

    def test_hands_the_reply_back_with_its_tokens(self):
        body = self.answered("hone/atax", "faster?", 1, "a reply of 19 bytes")
        self.assertEqual(body["choices"][0]["message"]["content"], "a reply of 19 bytes")
        self.assertEqual(body["usage"], {"prompt_tokens": 2, "completion_tokens": 5, "total_tokens": 7})

    def test_does_not_say_who_asks(self):
        self.answered("hone/atax", "faster?", 1, "yes")
        self.assertEqual(json.loads((self.folder / "1.in").read_text()),
                         {"messages": [{"role": "user", "content": "faster?"}]})

    def test_refuses_what_is_beyond_the_allowance_of_a_run(self):
        self.answered("hone/atax", "one", 1, "yes")
        self.answered("hone/atax", "two", 2, "yes")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.ask("hone/atax", "three")
        self.assertEqual(refused.exception.code, 403)
        self.answered("shinka/atax", "one", 3, "another run has its own")

    def test_tells_strategies_of_hone_apart(self):
        self.answered("hone/free/atax", "one", 1, "yes")
        self.answered("hone/full/atax", "one", 2, "yes")
        self.assertEqual(self.box.asked, {"hone/free/atax": 1, "hone/full/atax": 1})

    def test_holds_the_first_reply_of_a_run_back_alone(self):
        self.box.first_seconds = 0.5
        began = time.time()
        self.answered("hone/atax", "one", 1, "yes")
        self.assertGreater(time.time() - began, 0.5)
        began = time.time()
        self.answered("hone/atax", "two", 2, "yes")
        self.assertLess(time.time() - began, 0.5)

    def test_counts_a_request_that_is_repeated_while_it_waits_once(self):
        replies = []
        clients = [threading.Thread(target=lambda: replies.append(self.ask("hone/atax", "same"))) for _ in range(2)]
        for client in clients:
            client.start()
        self.answer(1, "once")
        for client in clients:
            client.join()
        self.assertEqual([reply["choices"][0]["message"]["content"] for reply in replies], ["once", "once"])
        self.assertEqual(self.box.asked, {"hone/atax": 1})
        self.assertEqual(len((self.folder / "calls.jsonl").read_text().splitlines()), 1)


class Systems(unittest.TestCase):
    def test_are_peers_and_strategies(self):
        self.assertEqual(run.systems_of("hone,hone/free,shinka"), ["hone/auto", "hone/free", "shinka"])
        self.assertEqual(len(run.systems_of("hone/*")), 15)


class Table(unittest.TestCase):
    def setUp(self):
        def row(gain):
            return {"gain": gain, "right": 1, "judged": 2, "calls": 2, "in": 1500, "out": 500}
        self.kernels = [{"hone/auto": row(4.0), "shinka": row(3.9)}, {"hone/auto": row(1.0), "shinka": row(2.0)}]

    def test_counts_doublings_for_each_thousand_tokens(self):
        self.assertEqual(table.gain_a_token([kernel["hone/auto"] for kernel in self.kernels]), 0.5)

    def test_takes_95_percent_of_the_best_for_near_it(self):
        self.assertEqual([table.times_near(system, self.kernels) for system in ("hone/auto", "shinka")], [1, 2])

    def test_has_a_line_for_each_system(self):
        self.assertEqual(table.line_of("hone/auto", self.kernels),
                         "| hone/auto | 4.00× | 1.00× | 2.00× | 2/4 | 4 | 3.0 k | 1.0 k | 0.50 | 1 of 2 |")


class Judge(unittest.TestCase):
    def test_scores_what_is_right_by_its_speedup(self):
        problem = {"label": "n=8", "speedup": {"median": 2.0}}
        verdict = {"right": True, "speedup": {"median": 2.0}, "problems": [problem], "reason": "", "stage": "done"}
        self.assertEqual(judge.score(verdict), 2.0)
        self.assertEqual(judge.feedback(verdict), "Right. 2.00 times as fast as the original (n=8: 2.00x).")

    def test_scores_what_is_wrong_by_nothing_and_says_why(self):
        verdict = {"right": False, "speedup": None, "stage": "compile", "reason": "no such name", "detail": "line 3"}
        self.assertEqual(judge.score(verdict), 0.0)
        self.assertEqual(judge.feedback(verdict), "Wrong or refused at stage compile: no such name\nline 3")


if __name__ == "__main__":
    unittest.main()
