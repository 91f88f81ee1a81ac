# SPDX-License-Identifier: GPL-3.0-or-later
"""What has been done already, so that it is not done again."""
import json
import os


class Lines:
    """A file of JSON lines; of several with the same key the last one counts."""

    def __init__(self, file, keys):
        self.file, self.keys, self.entries = file, keys, {}
        if os.path.exists(file):
            with open(file, encoding="utf-8") as text:
                for line in text:
                    self.remember(json.loads(line))

    def remember(self, entry):
        key = tuple(entry[key] for key in self.keys)
        self.entries[key if len(key) > 1 else key[0]] = entry

    def add(self, entry):
        self.remember(entry)
        with open(self.file, "a", encoding="utf-8") as text:
            text.write(json.dumps(entry) + "\n")
