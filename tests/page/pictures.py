"""pictures.py REPORT FOLDER [KERNEL]: the two pictures of docs/report.md, of a report's first screen and of one kernel.

As docs/report/ has them:
  cmake -S examples/image -B image -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=/opt/hw && cmake --build image
  hone tune -p image --budget 150s && cmake --build image && hone report -p image -o docs/report/image.html
  /usr/bin/python3 tests/page/pictures.py docs/report/image.html docs/report gradient
(on a quiet machine, with Hone unpacked in /opt/hw)
"""
import sys
import time
from pathlib import Path

from browser_test import open_browser

SIZES = {"kernels": 620, "kernel": 1250}


def take(browser, name, folder):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": 1100, "height": SIZES[name], "deviceScaleFactor": 1, "mobile": False})
    time.sleep(0.5)
    browser.save_screenshot(str(folder / f"{name}.png"))


def main():
    report, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    browser = open_browser()
    try:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
        browser.get(report.as_uri())
        take(browser, "kernels", folder)
        browser.execute_script("""const wanted = arguments[0], kernels = hone.data.kernels;
            const best = kernels.filter(one => one.variant && one.original).sort((a, b) => b.speedup.median - a.speedup.median)[0];
            location.hash = (kernels.find(one => one.name === wanted) || best || kernels[0]).id""", sys.argv[3] if len(sys.argv) > 3 else "")
        time.sleep(0.5)
        browser.execute_script("document.activeElement.blur()")
        take(browser, "kernel", folder)
    finally:
        browser.quit()


if __name__ == "__main__":
    main()
