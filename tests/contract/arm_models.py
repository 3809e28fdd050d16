"""Checks the requests that the console sent to resource manager against the official packages.

    python arm_models.py SIM_DIRECTORY GOLDEN_DIRECTORY

reads requests.jsonl and bodies.jsonl that the simulator wrote (FLIGHTDECK_SIM_BODIES=1). The paths,
methods, api-versions, query names and limits of names come from the packages' own request builders,
the bodies' members from their models (model_check.py). Violations are: a path or method that no
builder makes, an api-version that the package does not use, an unknown query name, a name out of its
limits, a body where there is none or none where there is one, and whatever is wrong in a body.

The packages here are those of PYTHONPATH and the virtual environment: with the models of 2025-10-01
in front, AKS requests are checked against the very version that the console asks for.
"""
import collections
import copy
import importlib
import inspect
import json
import os
import re
import sys
import urllib.parse

from golden_file import golden_read
from model_check import body_check, has_old_tables

AKS, NET, RES = "azure.mgmt.containerservice", "azure.mgmt.network", "azure.mgmt.resource.resources"
ROLE = "azure.mgmt.authorization.v2022_04_01"
PACKAGES = [AKS, NET, RES, ROLE, "azure.mgmt.resource.subscriptions", "azure.mgmt.resource.features",
            "azure.mgmt.compute"]
# Which model the body of an operation is; its builder does not say so.
BODIES = {
    ("PUT", "managedclusters/{}"): (AKS, "ManagedCluster"),
    ("PATCH", "managedclusters/{}"): (AKS, "TagsObject"),
    ("PUT", "managedclusters/{}/agentpools/{}"): (AKS, "AgentPool"),
    ("PUT", "virtualnetworks/{}"): (NET, "VirtualNetwork"),
    ("PUT", "virtualnetworks/{}/subnets/{}"): (NET, "Subnet"),
    ("PUT", "resourcegroups/{}"): (RES, "ResourceGroup"),
    ("PATCH", "resourcegroups/{}"): (RES, "ResourceGroupPatchable"),
    ("PUT", "roleassignments/{}"): (ROLE, "RoleAssignmentCreateParameters"),
}
# Versions that the console asks for and that the newest package knows by name, but does not use.
ALSO_VERSIONS = {AKS: {"2025-10-01"}}
POLL = re.compile(r"/(operations|operationresults)/[^/]+$", re.I)
PAGE = "$skiptoken"
HOLE = "zz{}zz"


class Operation:
    """One request builder: its method, its path as a pattern, its version and its query names."""

    def __init__(self, package, build, holes, request):
        self.package = package
        self.build = build
        self.holes = holes
        self.method = request.method
        url = urllib.parse.urlsplit(request.url)
        query = urllib.parse.parse_qs(url.query)
        self.version = query["api-version"][0]
        self.queries = set(query)
        path = "/" + url.path.strip("/")
        pattern = re.escape(path)
        short = path
        for at, hole in enumerate(holes):
            text = HOLE.format(at)
            wide = "scope" in hole  # a scope is a path of its own
            pattern = pattern.replace(text, f"(?P<h{at}>.+)" if wide else f"(?P<h{at}>[^/]+)", 1)
            short = short.replace(text, "{}")
        self.pattern = re.compile("^" + pattern + "/?$", re.I)
        self.short = short.lower()
        self.narrow = len(re.sub(r"\{\}", "", short))

    def body_model(self):
        for (method, tail), (package, name) in BODIES.items():
            if method == self.method and self.short.endswith("/" + tail) and package == self.package:
                return getattr(importlib.import_module(package + ".models"), name)
        return None


def builders_of(package):
    operations = importlib.import_module(package + ".operations")
    for name in sorted(os.listdir(operations.__path__[0])):
        if not name.startswith("_") or not name.endswith("_operations.py"):
            continue
        module = importlib.import_module(f"{package}.operations.{name[:-3]}")
        for attribute, build in sorted(vars(module).items()):
            if attribute.startswith("build_") and attribute.endswith("_request"):
                yield module, build


def operation_read(package, build):
    """Calls a builder with holes for what goes into the path, and a 1 for every query."""
    holes, named = [], {}
    for name, parameter in inspect.signature(build).parameters.items():
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            holes.append(name)
        elif parameter.kind is parameter.KEYWORD_ONLY and name not in (
                "etag", "match_condition", "if_match", "if_none_match", "content", "json"):
            named[name] = 1
    try:
        request = build(*[HOLE.format(at) for at in range(len(holes))], **named)
    except (TypeError, ValueError, AttributeError, KeyError):
        return None  # a query that wants more than a 1: none of those that the console uses
    if "api-version" not in request.url:
        return None
    return Operation(package, build, holes, request)


def operations_read():
    out = []
    for package in PACKAGES:
        for module, build in builders_of(package):
            operation = operation_read(package, build)
            if operation:
                module._SERIALIZER.client_side_validation = True  # so that names meet their limits
                out.append(operation)
    return sorted(out, key=lambda o: -o.narrow)  # the most particular one first


def operation_find(operations, method, path):
    for operation in operations:
        match = operation.pattern.match(path) if operation.method == method else None
        if match:
            return operation, match
    return None, None


def names_check(operation, match):
    """Lets the builder look at the very names; returns what it refuses."""
    values = [match.group(f"h{at}") for at in range(len(operation.holes))]
    try:
        operation.build(*values)
    except (TypeError, ValueError, AttributeError) as e:
        return f"a name in the path is refused: {e}"
    except Exception as e:  # the package's own ValidationError is of a hidden class
        return f"a name in the path is refused: {e}"
    return None


class Checker:
    def __init__(self):
        self.operations = operations_read()
        self.requests = self.polls = self.bodies = self.members = 0
        self.violations = []
        self.seen = collections.Counter()

    def check(self, row, body):
        """One request; body is None for none. Returns the violations."""
        method, path = row["method"], row["path"]
        self.requests += 1
        if method == "GET" and POLL.search(path):
            self.polls += 1  # an address that was given: the simulator refuses it when it was changed
            return []
        operation, match = operation_find(self.operations, method, path)
        if operation is None:
            return ["no operation of the packages has this method and path"]
        self.seen[f"{method} {operation.short}"] += 1
        return self.check_line(operation, match, row) + self.check_body(operation, body)

    def check_line(self, operation, match, row):
        out = []
        query = urllib.parse.parse_qs(row["query"], keep_blank_values=True)
        version = query.get("api-version", [""])[0]
        if version != operation.version and version not in ALSO_VERSIONS.get(operation.package, set()):
            out.append(f"api-version '{version}', the package has {operation.version}")
        for name in query if PAGE not in query else ():  # a next page's address is the server's
            if name.lower() not in {q.lower() for q in operation.queries}:
                out.append(f"query '{name}' is unknown")
        refused = names_check(operation, match)
        return out + ([refused] if refused else [])

    def check_body(self, operation, body):
        model = operation.body_model()
        if model is None:
            return ["a body where none is known"] if body is not None else []
        if body is None:
            return ["the body is missing"]
        found = body_check(model, body)
        self.bodies += 1
        self.members += found.members
        return found.violations


# ---- does the check itself find anything ----

FAULTS = [
    # what is wrong, how to make it so
    ("unknown member", lambda b: b["properties"].update(nodeCount=1)),
    ("read-only member", lambda b: b["properties"].update(provisioningState="Succeeded")),
    ("expected", lambda b: b["properties"].update(kubernetesVersion=1.34)),
    ("expected", lambda b: b["properties"].update(enableRBAC="true")),
    ("no list", lambda b: b["properties"].update(agentPoolProfiles={})),
    ("no map", lambda b: b.update(tags=["a"])),
    ("is none of", lambda b: b["sku"].update(tier="Gold")),
    ("is none of", lambda b: b["properties"]["networkProfile"].update(networkPluginMode="Overlay")),
    ("'location' is missing", lambda b: b.pop("location")),
    ("'name' is missing", lambda b: b["properties"]["agentPoolProfiles"][0].pop("name")),
]
LINES = [
    # what is wrong, method, path below the group, query
    ("no operation", "PUT", "managedCluster/c", "api-version=2025-10-01"),
    ("no operation", "POST", "managedClusters/c", "api-version=2025-10-01"),
    ("api-version", "PUT", "managedClusters/c", "api-version=2025-10-02"),
    ("api-version", "PUT", "managedClusters/c", ""),
    ("is unknown", "PUT", "managedClusters/c", "api-version=2025-10-01&force=1"),
]


def self_test(golden):
    """A recorded body with one of each fault, and lines that are wrong: each must be found."""
    part = golden["aks-cluster-put-a"].parts[0]
    path, _, query = part.target.partition("?")
    checker = Checker()
    words_known = not has_old_tables(getattr(importlib.import_module(AKS + ".models"), "ManagedCluster"))
    faults = [f for f in FAULTS if words_known or f[0] != "is none of"]
    for want, bend in faults:
        body = copy.deepcopy(part.body)
        bend(body)
        found = checker.check({"method": "PUT", "path": path, "query": "api-version=2025-10-01"}, body)
        if len(found) != 1 or want not in found[0]:
            sys.exit(f"self-test: '{want}' expected, found {found}")
    base = path[:path.index("managedClusters")]
    for want, method, tail, query in LINES:
        found = checker.check({"method": method, "path": base + tail, "query": query}, part.body)
        if len(found) != 1 or want not in found[0]:
            sys.exit(f"self-test: {method} {tail}?{query}: '{want}' expected, found {found}")
    return len(faults) + len(LINES)


def recorded_check(golden):
    """The official clients' own requests must pass: else it is the check that is wrong."""
    checker = Checker()
    for name, file in golden.items():
        for part in file.parts:
            if part.headers.get("host", "").startswith("login.") or name in (
                    "aks-cluster-roundtrip", "error-400-api-version"):
                continue  # what the one sends back and the other's version are wrong on purpose
            path, _, query = part.target.partition("?")
            query = re.sub(r"api-version=(2026-08-01|2026-04-01)", "api-version=2025-10-01", query) \
                if "containerservice" in path.lower() else query
            query = re.sub(r"api-version=2016-02-01", "api-version=2025-04-01", query)
            found = checker.check({"method": part.method, "path": path, "query": query}, part.body)
            if found:
                sys.exit(f"recorded request of {name}: {found}")
    return checker.requests


def rows_read(directory):
    """Requests to resource manager with their bodies, in order."""
    with open(os.path.join(directory, "requests.jsonl"), encoding="utf-8") as f:
        rows = [row for row in map(json.loads, f) if row["service"] == "arm"]
    with open(os.path.join(directory, "bodies.jsonl"), encoding="utf-8") as f:
        bodies = collections.defaultdict(list)
        for row in map(json.loads, f):
            bodies[row["path"], row["bodyHash"], row["timeMs"]].append(row["body"])
    for row in rows:
        key = row["path"], row["bodyHash"], row["timeMs"]
        if row["bodyHash"] and key not in bodies:
            sys.exit(f"{row['method']} {row['path']}: the body was not written down")
        yield row, bodies[key][0] if row["bodyHash"] else None


def needed_check(checker):
    """A check of nothing passes: the run must have done what it is about."""
    for method, tail in BODIES:
        if method == "PATCH" or tail.endswith("subnets/{}"):
            continue  # the console has other ways
        if not any(k.startswith(method + " ") and k.endswith("/" + tail) for k in checker.seen):
            sys.exit(f"the console sent no {method} .../{tail}")
    for tail in ("agentpools/{}", "resourcegroups/{}"):  # the rest goes with its group
        if not any(k.startswith("DELETE ") and k.endswith("/" + tail) for k in checker.seen):
            sys.exit(f"the console sent no DELETE .../{tail}")


def main(directory, golden_directory):
    golden = golden_read(golden_directory)
    print(f"self-test: {self_test(golden)} faults found; recorded requests clean: "
          f"{recorded_check(golden)}")
    checker = Checker()
    violations = 0
    for row, body in rows_read(directory):
        for what in checker.check(row, body):
            violations += 1
            print(f"violation: {row['method']} {row['path']}?{row['query']}: {what}")
    for line, count in sorted(checker.seen.items()):
        print(f"{count:5} {line}")
    needed_check(checker)
    print(f"bodies: {checker.bodies}, members: {checker.members}, polls: {checker.polls}")
    print(f"requests checked: {checker.requests}, violations: {violations}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
