# SPDX-License-Identifier: MIT
"""What is known of mutants, and of tests, kept between runs: a line of JSON per fact, the last of which holds."""
import json
import tomllib


class Store:
    def __init__(self, path):
        self.path = path
        self.facts = {}
        if path.exists():
            for line in path.read_text().splitlines():
                try:
                    fact = json.loads(line)
                except json.JSONDecodeError:  # killed while it was written
                    continue
                self.facts[fact["key"]] = fact

    def get(self, key, digest):
        """What is known of `key` as it was when its digest was this."""
        fact = self.facts.get(key)
        return fact if fact and fact["digest"] == digest else None

    def put(self, key, digest, **values):
        fact = {"key": key, "digest": digest, **values}
        self.facts[key] = fact
        with self.path.open("a") as file:
            file.write(json.dumps(fact) + "\n")
        return fact


def judgements(path):
    """{identity: (verdict, why)} of judged.toml."""
    found = {}
    for entry in tomllib.loads(path.read_text()).get("mutant", []) if path.exists() else []:
        found[entry["is"]] = (entry["verdict"], entry["why"])
    return found
