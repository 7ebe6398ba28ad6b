"""hone report in headless Chromium: what a reader sees is what the records say.

One project of 200 kernels with 45 trials each. In every tenth, each name, reason, error and code holds text that would be
markup anywhere else. Fails with each broken promise on a line; exit 77 with the reason where a part could not be looked at.
"""
import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KERNELS, TRIALS, PAIRS = 200, 45, 150
HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1><!-- '\"&amp; \u2028 \u202e ]]> {{x}} $& @data@"

failures = []


def expect(true, words):
    if not true:
        failures.append(words)
        print("FAILED:", words)


def skip(reason):
    print(f"tests/page/browser_test.py: Skipped\n{reason}\n\n[  SKIPPED ] ReportInBrowser")
    sys.exit(77)


def run(words, folder):
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
    return subprocess.run([str(word) for word in words], cwd=folder, env=environment, capture_output=True, text=True)


def processor_seconds():
    """Of all commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def lock_by_hand(folder):
    """An entry as a stranger's branch may bring it: nothing of Hone's wrote its names."""
    path = folder / "hone.lock"
    lock = json.loads(path.read_text())
    entry = dict(lock["kernels"][0], name=HOSTILE, file=HOSTILE, build_target=HOSTILE, key="0" * 64)
    entry["tried"] = {HOSTILE: HOSTILE, "constructor": "none"}
    lock["kernels"].append(entry)
    path.write_text(json.dumps(lock))


def make_report(arguments, folder):
    """The report, as a user would make it: (page, data)."""
    made = run([arguments.searched, folder, KERNELS, TRIALS, PAIRS, HOSTILE], folder)
    expect(made.returncode == 0, f"the project is written: {made.stderr}")
    lock_by_hand(folder)
    taken = []
    for _ in range(3):  # beside others it takes longer
        used = processor_seconds()
        reported = run([arguments.hone, "report", "-p", "build"], folder)
        taken.append(processor_seconds() - used)
        if not arguments.seconds or taken[-1] < arguments.seconds:
            break
    page = folder / "hone-report.html"
    expect(reported.returncode == 0 and page.exists(), f"hone report writes its page: {reported.stderr}")
    size = page.stat().st_size
    print(f"report of {KERNELS} kernels with {TRIALS} trials: {min(taken):.2f} s of processor time, {size / 1e6:.2f} MB")
    expect(size < 5e6, f"the page has under 5 MB, and not {size}")
    if arguments.seconds:
        expect(min(taken) < arguments.seconds, f"making it takes under {arguments.seconds:g} s of a processor, and not {taken}")
    asked = run([arguments.hone, "report", "-p", "build", "--json"], folder)
    return page, json.loads(asked.stdout)


def open_browser():
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        skip("selenium is not here: install python3-selenium")
    if not Path("/usr/bin/chromium").exists() or not Path("/usr/bin/chromedriver").exists():
        skip("there is no browser: install chromium and chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900",
                 "--disable-background-networking", "--force-prefers-reduced-motion",
                 "--disable-ipc-flooding-protection"]:  # which lets a page go to 200 places in ten seconds: fast machines go to more
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_script_timeout(200)  # axe-core takes its time on a busy machine
    return browser


class Page:
    def __init__(self, browser, address, data):
        self.browser, self.address, self.data = browser, address, data

    def js(self, text, *words):
        return self.browser.execute_script(text, *words)

    def opens(self, seconds):
        """In so many seconds where others leave a processor to it: one of three times is enough. 0: nobody asks."""
        taken = []
        while not taken or (seconds and len(taken) < 3 and min(taken) >= seconds):
            self.browser.get("about:blank")
            start = time.monotonic()
            self.browser.get(self.address)
            taken.append(time.monotonic() - start)
        print(f"it opens in {min(taken):.2f} s")
        if seconds:
            expect(min(taken) < seconds, f"it opens in under {seconds:g} s, and not in {taken}")
        expect(self.rows() == KERNELS + 1, f"each kernel has a line on the first screen, and not {self.rows()}")

    def rows(self):
        return self.js("return document.querySelectorAll('tr.kernel').length")

    def section(self, title):
        """The text that stands under this heading."""
        return self.js("""return [...document.querySelectorAll('section')]
            .find(one => one.querySelector('h3').textContent === arguments[0])?.textContent || ''""", title)

    def settle(self):
        """Drawings are drawn when the browser knows how wide they may be."""
        self.browser.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(done), 20))")

    def go(self, kernel_id):
        """The page hears of it in an event, and draws then."""
        self.browser.execute_async_script("""const [id, done] = arguments, before = location.hash;
            const drawn = () => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(done), 20));
            location.hash = id;
            location.hash === before ? drawn() : addEventListener('hashchange', drawn, {once: true})""", kernel_id)

    def ids(self):
        return self.js("return hone.data.kernels.map(kernel => kernel.id)")

    def shows_what_records_say(self):
        for i, row in enumerate(self.js(
                "return [...document.querySelectorAll('tr.kernel')].map(row => [...row.children].map(cell => cell.textContent))")):
            kernel = self.data["kernels"][i]
            expect(row[0].startswith(kernel["name"]) and kernel["why"] in row[4], f"the line of {kernel['name']} is its own: {row}")
            if kernel["speedup"]:
                expect(f"{kernel['speedup']['median']:.2f}x" in row[2] and f"{kernel['speedup']['high']:.2f}x" in row[2],
                       f"the line of {kernel['name']} has its speedup and interval: {row[2]}")
        cards = self.js("return document.querySelector('.cards').textContent")
        expect(f"{self.data['summary']['linked']} of {KERNELS + 1}" in cards, f"the summary counts what is linked: {cards}")

    def every_kernel_opens(self):
        for kernel, kernel_id in zip(self.data["kernels"], self.ids()):
            self.js("location.hash = arguments[0]; window.dispatchEvent(new Event('hashchange'))", kernel_id)
            shown = self.js("""return {name: document.querySelector('h2')?.textContent, focus: document.activeElement.id,
                titles: [...document.querySelectorAll('h3')].map(title => title.textContent),
                text: document.querySelector('main').textContent.length}""")
            expect(shown["name"] == kernel["name"] and shown["focus"] == "kernel-name", f"{kernel['name']} opens: {shown}")
            wanted = {"Machine and build"}
            if kernel["record"]:
                wanted |= {"The search", "What it cost"}
            if kernel["record"] and kernel["variant"]:
                wanted |= {"Original and variant", "Times", "Samples", "Where it comes from", "What the judge tried"}
            expect(wanted <= set(shown["titles"]), f"{kernel['name']} has its sections, and not only {shown['titles']}")

    def plots_have_as_many_points_as_records(self, kernel_id, kernel):
        self.go(kernel_id)
        self.settle()
        problems = kernel["record"]["verdict"]["problems"]
        count = lambda what: self.js(f"return document.querySelectorAll('{what}').length")
        pairs = sum(len(problem["reference_ns"]) for problem in problems)
        expect(pairs == 2 * PAIRS, f"the data have every pair, and not {pairs}")
        expect(count(".original .sample") == pairs and count(".variant .sample") == pairs, "each sample is a point")
        expect(count(".pair") == pairs, "each pair's ratio is a point")
        expect(count(".band") == len(problems), "each problem's interval is a band")
        expect(count(".bar") == 2 * len(problems), "each problem has two bars")
        trials = kernel["search"]["trials"]
        expect(len(trials) == TRIALS and count("g.trial") == TRIALS, f"each trial is a mark, and not {count('g.trial')}")
        for outcome, is_so in [("faster", lambda one: one["right"] and one["faster"]), ("wrong", lambda one: one["stage"] == "verify")]:
            expect(count(f"g.trial.{outcome}") == len([one for one in trials if is_so(one)]), f"as many marks are {outcome} as trials")
        expect(count("line.roofline") == 0, "where no least time is known there is no line of one")
        expect(count("path.best") == 1, "the best so far is a line")
        expect(count(".ancestor") == 1 + len(kernel["record"]["lineage"]), "each ancestor is in the lineage")
        expect(count(".diff mark") > 0 and count(".hljs-keyword") > 0, "code has colors, and what changed is marked")
        code = self.js("return [...document.querySelectorAll('.diff .code:nth-child(4)')].map(cell => cell.textContent)")
        self.js("document.querySelectorAll('.folded button').forEach(button => button.click())")
        expect(all(line in kernel["variant"] for line in code), "the variant's code is shown as it is")

    def least_times_are_lines(self, kernel_id, kernel):
        self.go(kernel_id)
        problems = kernel["record"]["verdict"]["problems"]
        expect(len(problems) == 2 and all(problem["floor_seconds"] for problem in problems), "a model was told each problem's least time")
        lines = self.js("return [...document.querySelectorAll('.bars figure')].map(one => one.querySelectorAll('line.roofline').length)")
        expect(lines == [1] * len(problems), f"each problem's bars have the roofline's line, and not {lines}")
        expect("no less than 2 µs is possible by the machine's rates" in self.section("Times"), f"and words: {self.section('Times')}")

    def figures_stand_in_words(self, kernel_id, kernel):
        """Of a search with a model, what searched_project.cpp wrote."""
        self.go(kernel_id)
        for title, wanted in [
                ("What it cost", ["42 s", f"{TRIALS}: {TRIALS} compiled", "Calls of a language model4", "4,000 in", "2,000 out", "Money1,"]),
                ("What the judge tried", ["n 0 to 5000", "28 cases", "uniform, nan, all equal", "guard pages at both ends of each array",
                                          "AddressSanitizer and UndefinedBehaviorSanitizer", "data races: it has one thread", "12% of the tolerance"]),
                ("Machine and build", ["Measured onAMD EPYC 9V74", "Compilerg++ 12.2.0", "Clockprocess-cpu", "Sandboxfull", "Target" + kernel["target"],
                                       kernel["key"], kernel["variant_digest"]])]:
            text = self.section(title)
            for words in wanted:
                expect(words in text, f"'{title}' says '{words}', and not only: {text}")
        self.go("")
        cards = self.js("return document.querySelector('.cards').textContent")
        expect("12,000 tokens, 2 of money" in cards, f"the summary says tokens and money: {cards}")

    def lineage_leads_to_code_and_verdict(self, kernel):
        for i, one in enumerate(kernel["record"]["lineage"]):
            shown = self.js("""document.querySelectorAll('.ancestor')[1 + arguments[0]].click();
                return document.querySelector('.panel').textContent""", i)
            expect(f"trial {one['trial']}" in shown.lower() and one["verdict"]["reason"] in shown, f"ancestor {one['trial']} has its verdict")
            expect(f"unroll {one['trial']}" in shown, f"ancestor {one['trial']} has its code")

    def text_stays_text(self):
        expect(self.js("return window.hacked === undefined"), "no record's text runs")
        expect(self.js("return document.querySelectorAll('img, main script, iframe, object').length") == 0, "no record's text is markup")
        expect(self.js("return document.scripts.length") == 4, "the page has its own scripts alone")
        expect(self.js("return document.querySelector('main').textContent.includes(arguments[0])", HOSTILE), "hostile text is shown as it is")

    def locked_names_stay_text(self, kernel_id):
        """The name, the file and the target of an entry that nobody's build has."""
        self.go("")
        line = self.js("""return [...document.querySelectorAll('tr.kernel th')].find(one => one.querySelector('a').hash === '#' + arguments[0])
            .innerHTML""", kernel_id)
        expect(line.count("&lt;/script&gt;") == 4 and line.count("<") == 4, f"the first screen has its name and file as text: {line}")
        self.go(kernel_id)
        expect(self.js("return document.querySelector('h2').textContent") == HOSTILE, "its name is the heading")
        expect(self.js("return document.querySelector('main > .place').textContent") == HOSTILE, "its file stands below")
        expect(HOSTILE in self.section("Machine and build"), "its target is text")
        tried = self.section("What the judge tried")
        expect(HOSTILE + HOSTILE in tried and "constructornone" in tried, f"what was tried is text: {tried}")
        self.text_stays_text()

    def keys(self, *keys):
        from selenium.webdriver import ActionChains
        ActionChains(self.browser).send_keys(*keys).perform()

    def tab_reaches_everything(self, where):
        from selenium.webdriver.common.keys import Keys
        self.js("document.activeElement.blur(); window.scrollTo(0, 0)")
        self.settle()
        wanted = self.js("""window.usable = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
            .filter(one => one.checkVisibility()); return window.usable.length""")
        self.js("window.reached = new Set(); document.addEventListener('focusin', event => window.reached.add(event.target))")
        for _ in range(wanted // 20 + 2):
            self.keys(*[Keys.TAB] * 20)
        missed = self.js("return window.usable.filter(one => !window.reached.has(one)).map(one => one.outerHTML.slice(0, 90))")
        expect(not missed, f"Tab reaches everything that can be used {where}, and not {missed[:3]}")

    def first_screen_needs_no_mouse(self):
        """From the first link: Tab to the filter, type, Tab to the order, choose, Tab to a kernel, Enter; and back by a link."""
        from selenium.webdriver.common.keys import Keys
        focused = lambda: self.js("return document.activeElement.id || document.activeElement.textContent.slice(0, 60)")
        names = lambda: self.js("return [...document.querySelectorAll('tr.kernel a')].map(one => one.textContent)")
        self.go("")
        self.tab_reaches_everything("on the first screen")
        self.js("document.getElementById('skip').focus()")
        for _ in range(4):
            if focused() != "filter":
                self.keys(Keys.TAB)
        expect(focused() == "filter", f"Tab leads to the filter, and not to {focused()}")
        self.keys("k19")
        found = ["k19"] + [f"k{i}" for i in range(190, 200)]
        expect(names() == found, f"what is typed there chooses kernels, and not {names()}")
        self.keys(Keys.TAB)
        expect(focused() == "order", f"Tab leads on to the order, and not to {focused()}")
        self.keys("f")  # fastest first
        kept = {"k19", "k194", "k199"}
        found = [name for name in found if name not in kept] + sorted(kept)
        expect(names() == found, f"a letter chooses an order, and not {names()}")
        self.keys(Keys.TAB)
        expect(focused() == found[0], f"Tab leads on to the first kernel, and not to {focused()}")
        self.keys(Keys.ENTER)
        self.settle()
        expect(focused() == "kernel-name" and self.js("return document.querySelector('h2').textContent") == found[0], "Enter opens it")
        self.js("document.querySelector('.path a').focus()")
        self.keys(Keys.ENTER)
        self.settle()
        expect(names() == found, "Enter on its first link leads back to the choice that was made")

    def keyboard_reaches_everything(self, kernel_id):
        """Tab alone visits each thing that can be used; arrows visit each trial."""
        from selenium.webdriver.common.keys import Keys
        self.go(kernel_id)
        self.js("document.querySelectorAll('details').forEach(one => one.open = true)")
        self.tab_reaches_everything("on a kernel")
        self.js("document.querySelector('g.trial[tabindex=\"0\"]').focus()")
        self.keys(*[Keys.ARROW_RIGHT] * (TRIALS - 1))
        expect(self.js("return document.querySelector('.readout').textContent").startswith(f"Trial {TRIALS},"), "arrows reach the last trial")
        third = self.js("""document.querySelectorAll('g.trial')[2].focus(); return document.querySelector('.readout').textContent""")
        expect("[hone-compile-failed]" in third, f"behind a trial's reason stands its code: {third}")
        self.js("document.querySelector('.ancestor').focus()")
        self.keys(Keys.ENTER)
        expect(self.js("return document.querySelector('.ancestor').getAttribute('aria-pressed')") == "true", "Enter opens an ancestor")

    def nothing_is_wrong_by_axe(self, script, where):
        self.js(script)
        found = self.browser.execute_async_script("""const done = arguments[0];
            axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})
               .then(result => done(result.violations.map(one => [one.id, one.help, one.nodes.length, one.nodes[0].html.slice(0, 160),
                                                                  one.nodes[0].failureSummary.slice(0, 300)])), error => done([[String(error)]]))""")
        expect(not found, f"axe finds nothing {where}, and not {found}")

    def nothing_runs_over(self, where):
        wide = self.js("return document.documentElement.scrollWidth > document.documentElement.clientWidth")
        expect(not wide, f"the page is no wider than the window {where}")

    def console_is_quiet(self):
        said = [line["message"] for line in self.browser.get_log("browser") if line["level"] in ("SEVERE", "WARNING")]
        expect(not said, f"the console is quiet, and does not say {said[:3]}")


def follows_running_search(browser, arguments, folder):
    """hone report --serve shows what a journal gains while the page is open."""
    folder.mkdir()
    made = run([arguments.searched, folder, 2, TRIALS, PAIRS], folder)
    expect(made.returncode == 0, f"the small project is written: {made.stderr}")
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
    server = subprocess.Popen([arguments.hone, "report", "-p", "build", "--serve"], cwd=folder, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        address = next((word for word in server.stderr.readline().split() if word.startswith("http://127.0.0.1:")), None)
        expect(address, "hone report --serve says its address")
        browser.get(address)
        browser.execute_script("location.hash = hone.data.kernels[0].id")
        marks = lambda: browser.execute_script("return document.querySelectorAll('g.trial').length")
        deadline = time.monotonic() + 60
        while marks() != TRIALS and time.monotonic() < deadline:
            time.sleep(0.1)
        key = browser.execute_script("return hone.data.kernels[0].key")
        journal = folder / "build" / "hone" / "runs" / f"{key}-1.jsonl"
        lines = journal.read_text().splitlines(keepends=True)
        journal.write_text("".join(lines[:-1] + [lines[5]]))
        deadline = time.monotonic() + 60
        while marks() != TRIALS + 1 and time.monotonic() < deadline:
            time.sleep(0.1)
        expect(marks() == TRIALS + 1, f"a new trial appears in the open page, which has {marks()}")
        said = [line["message"] for line in browser.get_log("browser") if line["level"] == "SEVERE"]
        expect(not said, f"the console is quiet while the page follows, and does not say {said[:3]}")
    finally:
        server.send_signal(signal.SIGINT)
        expect(server.wait(20) == 0, "Ctrl-C ends the server")


def look(page, axe, seconds):
    browser = page.browser
    page.opens(seconds)
    page.shows_what_records_say()
    page.every_kernel_opens()
    kernels, ids = page.data["kernels"], page.ids()
    last = max(i for i, kernel in enumerate(kernels) if kernel["record"] and kernel["variant"] and "hacked" in kernel["variant"])
    asked = next(i for i, kernel in enumerate(kernels) if kernel["spent"] and kernel["variant"])
    by_hand = next(i for i, kernel in enumerate(kernels) if kernel["name"] == HOSTILE)
    page.plots_have_as_many_points_as_records(ids[0], kernels[0])
    page.lineage_leads_to_code_and_verdict(kernels[0])
    page.text_stays_text()
    page.least_times_are_lines(ids[asked], kernels[asked])
    page.figures_stand_in_words(ids[asked], kernels[asked])
    page.locked_names_stay_text(ids[by_hand])
    page.keyboard_reaches_everything(ids[0])
    page.first_screen_needs_no_mouse()
    for scheme in ["light", "dark"]:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        for width in [1280, 390]:
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 850, "deviceScaleFactor": 1, "mobile": width < 500})
            where = f"in {scheme} at {width}"
            page.go(ids[last])
            page.js("document.querySelectorAll('.ancestor')[1].click()")
            page.settle()
            page.nothing_runs_over(f"{where}, on a kernel")
            if axe:
                page.nothing_is_wrong_by_axe(axe, f"{where}, on a kernel")
            page.js("location.hash = ''; document.getElementById('filter') || window.dispatchEvent(new Event('hashchange')); document.getElementById('filter').value = 'k19'; document.getElementById('filter').dispatchEvent(new Event('input'))")
            page.settle()
            page.nothing_runs_over(f"{where}, on the first screen")
            if axe:
                page.nothing_is_wrong_by_axe(axe, f"{where}, on the first screen")
    page.console_is_quiet()


def main():
    parser = argparse.ArgumentParser()
    for name in ["--hone", "--searched", "--axe", "--install-axe"]:
        parser.add_argument(name, required=True)
    parser.add_argument("--seconds", type=float, default=0, help="of a processor that a report may take; 0: times are printed only")
    parser.add_argument("--open", type=float, default=0, help="seconds in which the page opens; 0: any")
    arguments = parser.parse_args()
    axe = Path(arguments.axe)
    if not axe.exists():
        subprocess.run([arguments.install_axe, str(axe.parent)], capture_output=True)
    # What writers make durable there costs nothing.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="hone-browser", dir=memory) as name:
        folder = Path(name)
        browser = open_browser()
        try:
            page, data = make_report(arguments, folder)
            look(Page(browser, page.as_uri(), data), axe.read_text() if axe.exists() else "", arguments.open)
            follows_running_search(browser, arguments, folder / "small")
        finally:
            browser.quit()
    if failures:
        print(f"{len(failures)} promises are broken")
        sys.exit(1)
    if not axe.exists():
        skip("all but contrast and names: axe-core is not here and could not be brought from PyPI (tests/page/axe)")


if __name__ == "__main__":
    main()
