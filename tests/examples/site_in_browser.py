"""tests/examples/site_in_browser.py - opens every page of the site in headless Chromium, as files and from a web server.

    python3 tests/examples/site_in_browser.py SITE [--pictures FOLDER]

A page must load without a message on the console and without a request to another host, must show all its images, and must
fit the width of a phone. The search must find every name of test_manual_search.py from the start page and from the
manual. --pictures saves pictures of some pages: desktop and phone, light and dark. scripts/torture site makes the site
and runs this.

Exit code: 0 if all is well, 1 if not, 77 without Chromium (chromium, chromium-driver, python3-selenium).
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import argparse
import functools
import json
import os
import re
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from test_manual_search import DEBIAN, FIRST

DRIVER = "/usr/bin/chromedriver"
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

SCREENS = {"desktop": (1280, 900), "phone": (390, 844)}
SHOWN = {"start": "index.html", "tutorial": "docs/tutorial/02-attention-pooling.html", "formula": "docs/tutorial/01-queries-keys-values.html",
         "function": "manual/group__header__ops__softmax.html", "manual": "manual/index.html",
         "search": "manual/index.html?find=F.softmax", "comparison": "docs/comparison.html", "changelog": "changelog.html",
         "docs": "docs/index.html", "gallery": "docs/gallery.html", "source": "examples/tiny.c.html"}
FIND = """
const input = document.querySelector("#find input");
return arguments[0].map(query => {
    input.value = query;
    input.dispatchEvent(new Event("input"));
    return document.querySelector("#find li b")?.textContent;
});"""
UNLOADED = "return [...document.images].filter(image => !image.naturalWidth).map(image => image.src);"


def browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


def show(driver, screen, scheme):
    """Sets the size of the screen, and the reader's choice of light or dark."""
    width, height = SCREENS[screen]
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1,
                                                                  "mobile": screen == "phone"})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def requests(driver):
    """The addresses that the browser has requested since the last call."""
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            yield message["params"]["request"]["url"]


def mistakes(driver, base, page):
    """What is wrong with a page on a phone."""
    driver.get(base + page)
    yield from driver.execute_script(UNLOADED)
    yield from (entry["message"] for entry in driver.get_log("browser"))
    yield from (f"request: {url}" for url in requests(driver) if not url.startswith((base, "data:")))
    width = driver.execute_script("return document.scrollingElement.scrollWidth")
    if width > SCREENS["phone"][0]:
        yield f"is {width} pixels wide on a phone"


def check_pages(driver, base, pages):
    show(driver, "phone", "light")
    list(requests(driver))
    found = [f"{page}: {mistake}" for page in pages for mistake in mistakes(driver, base, page)]
    return found


def check_search(driver, base, page):
    queries = dict(re.split(r" {2,}", line) for line in FIRST.strip().splitlines())
    driver.get(base + page)
    results = dict(zip(queries, driver.execute_script(FIND, list(queries))))
    return [f"{page}: {query} finds {results[query]}, not {name}" for query, name in queries.items() if results[query] != name]


def check_result(driver, base):
    """Enter opens the first result, also from a page outside the manual."""
    driver.get(base + "docs/size.html?find=F.softmax")
    driver.execute_script("document.querySelector('#find li a').click()")
    reached = driver.current_url
    return [] if re.search(r"manual/group__header__ops__softmax\.html#", reached) else [f"the search of docs/size.html leads to {reached}"]


def take_pictures(driver, base, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for screen in SCREENS:
        for scheme in ("light", "dark"):
            show(driver, screen, scheme)
            for name, page in SHOWN.items():
                driver.get(base + page)
                driver.save_screenshot(str(folder / f"{name}-{screen}-{scheme}.png"))


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def served(site):
    """Starts a web server with the site in a folder below its root."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/{site.name}/"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("--pictures", type=Path)
    options = parser.parse_args()
    site = options.site.resolve()
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    bases = [site.as_uri() + "/", served(site)]
    with browser() as driver:
        found = [problem for base in bases for problem in check_pages(driver, base, pages)]
        for base in bases:
            found += check_search(driver, base, "index.html") + check_search(driver, base, "manual/index.html")
            found += check_result(driver, base)
        if options.pictures:
            take_pictures(driver, bases[0], options.pictures)
    print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    print(f"site: {len(pages)} pages in Chromium, as files and from a server: {len(found)} mistakes")
    return 1 if found else 0


if __name__ == "__main__":
    if not webdriver and os.path.exists(DEBIAN) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN):
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    if not webdriver or not os.path.exists(DRIVER):
        print("site_in_browser: skipped: Chromium is missing (chromium, chromium-driver, python3-selenium)")
        sys.exit(77)
    sys.exit(main())
