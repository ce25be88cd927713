# check_html.py PAGE REPORT: the page holds the report's data, and nothing of it is markup.
import json
import re
import sys
from html.parser import HTMLParser

page = open(sys.argv[1], encoding="utf-8").read()
report = json.load(open(sys.argv[2], encoding="utf-8"))


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.data, self.in_data = [], "", False

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.in_data = dict(attrs).get("id") == "data"
        for name, value in attrs:
            if name.startswith("on") or name in ("src", "href"):
                sys.exit(f"<{tag}> has {name}={value}")

    def handle_endtag(self, tag):
        self.in_data = False

    def handle_data(self, data):
        if self.in_data:
            self.data += data


reader = Reader()
reader.feed(page)
if "img" in reader.tags or reader.tags.count("script") != 2 or page.count("</script") != 2:
    sys.exit(f"data became markup: {sorted(set(reader.tags))}")
if json.loads(reader.data) != report:
    sys.exit("the data in the page is not the report")
if re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|https?://(?!www\.w3\.org/2000/svg)",
             page.replace(reader.data, "")):
    sys.exit("the page parses markup or names the network")
if len(page.encode()) > 5_000_000:
    sys.exit(f"{len(page.encode())} bytes")
print(f"{len(report['findings'])} findings, below 5 MB")
