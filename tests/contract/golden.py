"""Sends the recorded requests to the simulator and checks that its answers are of the recorded kind.

Of the kind: the status; the headers that are there; the members of the JSON answer with their types;
the error's code; how an operation ended. Not compared: values, and members that the recording (which
is shortened in places) lacks, but for operations, which are compared both ways.

Every difference must stand in golden-differences.txt with its reason, as FILE | ANSWER | WHAT | WHY;
a line there that does not occur any more is an error, too.

    python3 golden.py SIMULATOR GOLDEN_DIRECTORY WORK_DIRECTORY DIFFERENCES
"""
import concurrent.futures
import copy
import http.client
import json
import sys
import time
import urllib.parse
import uuid

from golden_file import golden_read
from simulator import ASSERTION_TYPE, Simulator, SimulatorError

SPEED = 100  # a cluster takes 3 s
SETTLE_S = 60
REPEATS = 80

ARM_HOST = "https://management.azure.com"
LOGIN_HOST = "https://login.microsoftonline.com"
RECORDED = {"subscriptionId": "11111111-2222-3333-4444-555555555555",
            "tenantId": "66666666-7777-8888-9999-aaaaaaaaaaaa",
            "clientId": "99999999-8888-7777-6666-555555555555"}
RECORDED_SECRET = "aB8~Q.dummy+secret/For=tests_1"
RECORDED_PRINCIPAL = "12121212-3434-5656-7878-909090909090"
STALE = "00000000"

A = "modelplane-system-aks-westeurope-aks-1e69b"
B = "modelplane-system-aks-southcentralus-aks-cd447"
AKS = "providers/Microsoft.ContainerService/managedClusters"

FINAL = {"succeeded", "failed", "canceled", "registered"}
OPERATION_HEADERS = ("azure-asyncoperation", "location", "retry-after")
OPERATION_PATHS = ("/operations/", "/operationresults/")


def is_operation(target):
    return any(p in target.lower() for p in OPERATION_PATHS)


def type_name(value):
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return {str: "string", dict: "object", list: "list", type(None): "null"}[type(value)]


def kinds_of(trees, path="", out=None):
    """Which types stand at which path; the items of a list are one."""
    out = {} if out is None else out
    for tree in trees:
        out.setdefault(path, set()).add(type_name(tree))
    lists = [item for tree in trees if isinstance(tree, list) for item in tree]
    if lists:
        kinds_of(lists, path + "[]", out)
    for key in sorted({key for tree in trees if isinstance(tree, dict) for key in tree}):
        values = [t[key] for t in trees if isinstance(t, dict) and key in t]
        kinds_of(values, f"{path}.{key}" if path else key, out)
    return out


def topmost(paths):
    """Drops those that stand below another one of them."""
    return [p for p in sorted(paths)
            if not any(p != q and (p.startswith(q + ".") or p.startswith(q + "[]")) for q in paths)]


def members_compare(recorded, got, closed):
    want, have = kinds_of([recorded]), kinds_of([got])
    out = [f"member {p} missing" for p in topmost([p for p in want if p not in have])]
    for path, types in want.items():
        if path in have and not types & have[path]:
            out.append(f"member {path} is {'/'.join(sorted(have[path]))}, "
                       f"recorded {'/'.join(sorted(types))}")
    if closed:
        out += [f"member {p} extra" for p in topmost([p for p in have if p not in want])]
    return out, len(want)


def error_code(tree):
    if not isinstance(tree, dict):
        return None
    inner = tree.get("error", tree)
    return inner if isinstance(inner, str) else inner.get("code") if isinstance(inner, dict) else None


def state_of(tree):
    """How far an answer says that things are; None when it does not."""
    if not isinstance(tree, dict):
        return None
    properties = tree.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    word = tree.get("status", tree.get("registrationState", properties.get("provisioningState")))
    return word.lower() if isinstance(word, str) else None


class Board:
    """What was found; one for all scenes."""

    def __init__(self):
        self.differences = set()
        self.played = set()
        self.failures = []
        self.requests = self.answers = self.members = self.early = 0

    def add(self, name, answer, what):
        self.differences.add((name, str(answer), what))

    def merge(self, other):
        self.differences |= other.differences
        self.played |= other.played
        self.failures += other.failures
        for count in ("requests", "answers", "members", "early"):
            setattr(self, count, getattr(self, count) + getattr(other, count))


class Scene:
    """One simulator and the requests that are sent to it, in order."""

    def __init__(self, sim, files, board, renames=None):
        self.sim = sim
        self.files = files
        self.board = board
        where = sim.where
        self.map = {RECORDED[key]: where[key] for key in RECORDED}
        self.map[ARM_HOST] = where["arm"]
        self.map[LOGIN_HOST] = where["authority"]
        self.map.update(renames or {})
        self.bearer = None
        self.bearer_until = 0

    # ---- sending ----

    def mapped(self, text):
        for old, new in self.map.items():
            text = text.replace(old, new)
        return text

    def headers(self, part, token):
        out = {"x-ms-client-request-id": str(uuid.uuid4())}
        for name in ("accept", "content-type", "if-none-match", "if-match"):
            if name in part.headers:
                out[name] = part.headers[name]
        if part.method in ("POST", "DELETE") and part.body is None:
            out["Content-Length"] = "0"
        out["Authorization"] = "Bearer " + (token or self.token())
        return out

    def token(self):
        """Lasts 3599 s of the simulator's time; taken new long before."""
        if time.monotonic() > self.bearer_until:
            self.bearer = self.sim.token()
            self.bearer_until = time.monotonic() + 3599 / SPEED / 4
        return self.bearer

    def send(self, part, target=None, token=None, bend=None):
        self.board.requests += 1
        headers = self.headers(part, token)
        target = target or self.mapped(part.target)
        if "if-match" in headers and headers["if-match"] != "*" and STALE not in headers["if-match"]:
            headers["if-match"] = f'"{self.etag(target)}"'
        body = copy.deepcopy(part.body)
        if bend:
            bend(body)
        body = self.mapped(json.dumps(body)).encode() if body is not None else None
        return self.sim.ask(part.method, target, headers, body)

    def ask(self, method, target, body=None):
        """A request of our own, for preparation."""
        data = self.mapped(json.dumps(body)).encode() if body is not None else None
        headers = {"Authorization": "Bearer " + self.token(), "Content-Type": "application/json"}
        return self.sim.ask(method, self.mapped(target), headers, data)

    def etag(self, target):
        got = self.ask("GET", target).json or {}
        return got.get("eTag") or got.get("properties", {}).get("eTag", "")

    def send_form(self, part):
        """Sign-in: the recorded fields with our credentials; assertions are made anew."""
        form = None
        if part.form:
            form = {k: self.mapped(v) for k, v in part.form.items()}
            form["scope"] = part.form["scope"]
            if part.status == 200 and form.get("client_secret") == RECORDED_SECRET:
                form["client_secret"] = self.sim.where["clientSecret"]
            if part.status == 200 and form.get("client_assertion", "").count(".") == 2 and \
                    form.get("client_assertion_type") == ASSERTION_TYPE and "client_info" in form:
                pss = "UzI1NiIs" not in form["client_assertion"][:16]  # {"alg":"RS256", in base64
                form["client_assertion"] = self.sim.assertion(pss)
            form = urllib.parse.urlencode(form)
        self.board.requests += 1
        headers = {k: v for k, v in part.headers.items() if k in ("accept", "content-type")}
        return self.sim.ask_signin(part.method, self.mapped(part.target), headers, form)

    # ---- playing a file ----

    def link_of(self, target, done):
        """The address that the simulator gave where the recording has this one; "" when it gave none."""
        key = urllib.parse.unquote(target).lower()
        for part, got in reversed(done):
            for name in ("azure-asyncoperation", "location"):
                if part.answer_headers.get(name, "")[len(ARM_HOST):] == target:
                    return got.headers.get(name, "")[len(self.sim.where["arm"]):]
            link = part.answer.get("nextLink") if isinstance(part.answer, dict) else None
            if link and urllib.parse.unquote(link[len(ARM_HOST):]).lower() == key:
                return ((got.json or {}).get("nextLink") or "")[len(self.sim.where["arm"]):]
        return None

    def waiting(self, part, got):
        """Whether the recording is further than the simulator: ask again."""
        if part.method != "GET":
            return False
        if got.status == 202 and part.status != 202:
            return True
        final = state_of(part.answer) in FINAL
        return got.status == 200 and (final or part.status >= 400 and is_operation(part.target)) and \
            state_of(got.json) is not None and state_of(got.json) not in FINAL

    def exchange(self, part, done, options):
        """Sends one request until its answer can be compared. None when it cannot be sent at all."""
        if part.headers.get("host", "").startswith("login."):
            return self.send_form(part)
        link = self.link_of(part.target, done)
        if link == "":
            return None
        until = time.monotonic() + SETTLE_S
        for _ in range(options.get("repeats", REPEATS) if options.get("until") else 1 << 30):
            got = self.send(part, link, options.get("token"), options.get("bend"))
            if options.get("until") and got.status != part.status:
                continue
            if not self.waiting(part, got) or time.monotonic() > until:
                break
            time.sleep(0.02)
        return got

    def play(self, name, between=None, **options):
        """
        Sends a whole file and compares. Options: until (repeat till the recorded status comes: for
        faults that hit a share), token, bend (changes the body), between {N: call before request N}.
        """
        self.board.played.add(name)
        done = []
        for at, part in enumerate(self.files[name].parts, 1):
            if between and at in between:
                between[at]()
            got = self.exchange(part, done, options)
            if got is None:
                self.board.add(name, at, "not reached: the address for it was not given")
                break
            done.append((part, got))
            self.compare(name, at, part, got)
        if not options.get("busy"):
            self.settle()
        return done

    def do(self, name, request=1, **options):
        """Sends one request of a file to prepare something; errors that pass are repeated."""
        part = self.files[name].parts[request - 1]
        for _ in range(REPEATS):
            got = self.send(part, bend=options.get("bend"))
            if got.status not in (401, 429, 500, 503):
                break
        if got.status >= 400:
            raise SimulatorError(f"preparing with {name}: {got.status} {got.body[:300]!r}")
        if not options.get("busy"):
            self.settle()

    def settle(self):
        """Waits until nothing runs: groups, networks, clusters and pools are at rest."""
        scope = f"/subscriptions/{RECORDED['subscriptionId']}"
        lists = (f"{scope}/{AKS}?api-version=2026-08-01",
                 f"{scope}/providers/Microsoft.Network/virtualNetworks?api-version=2026-03-01",
                 f"{scope}/resourcegroups?api-version=2025-04-01")
        until = time.monotonic() + SETTLE_S
        while time.monotonic() < until:
            answers = [self.ask("GET", target) for target in lists]
            if all(a.status == 200 and self.at_rest(a.json["value"]) for a in answers):
                return
            time.sleep(0.02)
        raise SimulatorError(f"something still runs after {SETTLE_S} s")

    @staticmethod
    def at_rest(items):
        things = list(items)
        for item in items:
            things += [{"properties": p} for p in item["properties"].get("agentPoolProfiles") or []]
            things += item["properties"].get("subnets") or []
        return all(state_of(thing) in FINAL | {None} for thing in things)

    # ---- comparing ----

    @staticmethod
    def was_early(part, got):
        if part.status == 202:
            return got.status in (200, 204)
        return part.status == got.status == 200 and state_of(got.json) in FINAL and \
            state_of(part.answer) not in FINAL | {None}

    def compare(self, name, at, part, got):
        board = self.board
        if is_operation(part.target) and self.was_early(part, got):
            board.early += 1  # it was over before it was asked for: nothing to compare
            return
        board.answers += 1
        if got.status != part.status:
            board.add(name, at, f"status {got.status}, recorded {part.status}")
            return
        for header in part.answer_headers:
            if header not in got.headers:
                board.add(name, at, f"header {header} missing")
        for header in OPERATION_HEADERS:
            if header in got.headers and header not in part.answer_headers:
                board.add(name, at, f"header {header} extra")
        if part.answer is None:
            if got.body:
                board.add(name, at, "body extra")
            return
        if got.json is None:
            board.add(name, at, "body missing")
            return
        self.compare_body(name, at, part, got)

    def compare_body(self, name, at, part, got):
        board = self.board
        found, members = members_compare(part.answer, got.json, is_operation(part.target))
        board.members += members
        for what in found:
            board.add(name, at, what)
        failed = state_of(part.answer) in ("failed", "canceled") and is_operation(part.target)
        if part.status >= 400 or failed:
            want, have = error_code(part.answer), error_code(got.json)
            if want != have:
                board.add(name, at, f"code {have}, recorded {want}")
        if is_operation(part.target) and state_of(part.answer) != state_of(got.json):
            board.add(name, at, f"status word {state_of(got.json)}, recorded {state_of(part.answer)}")
        want = part.answer.get("identity", {}) if isinstance(part.answer, dict) else {}
        if want.get("principalId") == RECORDED_PRINCIPAL and "identity" in got.json:
            self.map[RECORDED_PRINCIPAL] = got.json["identity"].get("principalId", "")


# ---- the scenes ----

def group_make(s, name, location):
    s.ask("PUT", f"/subscriptions/{RECORDED['subscriptionId']}/resourcegroups/{name}?api-version=2025-04-01",
          {"location": location, "tags": {"flightdeck-uid": "0b5f6c3e-9d1a-4f6e-8a27-3c4d5e6f7a81"}})


def scene_signin(s):
    for name in ("token-secret", "token-secret-cached", "token-secret-claims", "token-secret-refused",
                 "token-certificate", "token-certificate-ps256", "token-certificate-refused",
                 "token-federated"):
        s.play(name, busy=True)


def scene_subscription(s):
    for name in ("subscription-get", "locations-list", "provider-get", "provider-register", "feature-get",
                 "feature-register", "compute-skus-list", "compute-usages-list",
                 "aks-kubernetes-versions"):
        s.play(name)


def subnet_drop(s):
    part = s.files["subnet-put"].parts[0]
    s.ask("DELETE", part.target)
    s.settle()


def scene_a(s):
    """Plan A from nothing to nothing."""
    for name in ("error-404-group", "rg-put", "rg-put-again", "rg-get", "rg-head", "rg-list-by-tag",
                 "rg-delete-absent", "vnet-delete-absent", "vnet-put-a", "vnet-put-again", "vnet-get",
                 "vnet-list-all", "subnet-get"):
        s.play(name)
    subnet_drop(s)
    for name in ("subnet-put", "error-404-resource", "aks-cluster-delete-absent", "error-400-unwrapped",
                 "aks-cluster-put-a", "aks-cluster-put-unchanged", "aks-cluster-abort-idle",
                 "error-404-pool", "error-400-api-version", "error-400-in-use-subnet",
                 "etag-pool-put-if-match-any-412", "etag-pool-put-if-none-match-201",
                 "aks-cluster-get-a"):
        s.play(name)
    for name in sorted(n for n in s.files if n.startswith("etag-") and n.endswith("-412")):
        if name != "etag-pool-put-if-match-any-412":
            s.play(name)
    for name in ("aks-cluster-patch-tags", "aks-cluster-patch-tags-async", "aks-cluster-list-by-group",
                 "aks-list-cluster-admin-credential", "aks-list-cluster-user-credential",
                 "role-assignment-put", "role-assignment-put-again", "role-assignment-put-409",
                 "role-assignment-get", "role-assignment-list", "role-assignment-delete",
                 "role-assignment-delete-absent", "aks-pool-scale-count", "aks-cluster-upgrade-all",
                 "aks-cluster-roundtrip"):
        s.play(name)
    group_make(s, B, "southcentralus")
    s.play("rg-list-by-tag-paged")
    scene_a_delete(s)


def to_next_version(body):
    """The longest operation there is."""
    body["properties"]["kubernetesVersion"] = "1.36"
    for pool in body["properties"]["agentPoolProfiles"]:
        pool["orchestratorVersion"] = "1.36"


def scene_a_delete(s):
    cluster = s.files["aks-cluster-delete"].parts[0].target
    pool = s.files["aks-pool-put-a"].parts[0].target
    s.ask("DELETE", pool)
    s.settle()
    s.play("aks-pool-put-a")
    s.ask("DELETE", pool)
    s.settle()
    s.play("aks-pool-put-a-fixed")
    s.do("aks-cluster-upgrade-all", bend=to_next_version, busy=True)
    s.play("error-409-operation-not-allowed", busy=True)
    s.play("aks-cluster-abort")
    s.play("aks-cluster-delete-if-match")
    s.do("aks-cluster-put-a")
    s.play("aks-cluster-delete")
    s.ask("GET", cluster)
    s.play("error-409-another-operation", until=True, busy=True)
    s.settle()
    s.play("error-409-another-operation-retried", until=True, busy=True)
    s.settle()
    s.play("vnet-delete")
    s.do("vnet-put-a")
    s.play("vnet-delete-location-only")
    s.do("vnet-put-a")
    s.play("rg-delete")
    s.do("rg-put")
    s.do("vnet-put-a")
    s.do("rg-delete", busy=True)
    s.play("error-409-group-being-deleted")


def scene_b(s):
    """Plan B: pools, zones, upgrades in steps."""
    group_make(s, B, "southcentralus")
    for name in ("vnet-put-b", "aks-cluster-put-b", "aks-pool-delete-absent", "aks-pool-put-b-zones",
                 "aks-pool-put-b-infiniband", "aks-pool-get", "aks-pool-list", "aks-pool-put-labels",
                 "aks-pool-scale-minmax", "aks-cluster-upgrade-profile", "aks-pool-available-versions",
                 "aks-cluster-upgrade-control-plane", "aks-pool-upgrade-profile", "aks-pool-upgrade"):
        s.play(name)
    s.do("aks-pool-scale-minmax", bend=lambda b: b["properties"].update(maxCount=5, orchestratorVersion="1.36"), busy=True)
    s.play("aks-pool-abort")
    s.play("aks-pool-delete")
    s.play("aks-pool-delete-plain")
    group_make(s, A, "westeurope")
    s.do("vnet-put-a")
    s.do("aks-cluster-put-a")
    for part in s.files["aks-cluster-list"].parts[:1]:
        part.target += "&$top=1"  # the simulator's pages are longer than two clusters
    s.play("aks-cluster-list")
    s.ask("DELETE", s.files["aks-cluster-put-b"].parts[0].target)
    s.settle()
    s.play("aks-cluster-put-b-inline")


def bad_pool(body):
    """A count out of bounds and a subnet that is none: what the recorded answer complains of."""
    body["properties"].update(count=0, vnetSubnetID="/subscriptions/none")


def scene_ground(s):
    """What the scenes with faults start from; they run one after another on one profile."""
    s.do("rg-put")
    s.do("vnet-put-a")
    s.do("aks-cluster-put-a")
    group_make(s, B, "southcentralus")
    s.do("vnet-put-b")
    s.do("aks-cluster-put-b")
    s.play("error-400-details", bend=bad_pool)
    s.play("error-401-wrong-tenant", token=s.sim.foreign_token())
    pool = s.files["aks-pool-put-a"].parts[0].target.replace("?", "/abort?")
    s.play("operation-canceled", between={3: lambda: s.ask("POST", pool)})
    pool_drop(s, "aks-pool-put-a")


def pool_drop(s, name):
    s.ask("DELETE", s.files[name].parts[0].target)
    s.settle()


def one(name, *, drop=None, **options):
    """A scene of one file; `drop` is the file whose pool is removed afterwards."""
    def run(s):
        s.play(name, **options)
        if drop:
            pool_drop(s, drop)
    return run


def scene_claims(s):
    s.play("error-401-claims", until=True, busy=True)


def scene_throttled(s):
    s.play("error-429-retried", until=True, busy=True)
    s.play("error-429-exhausted", until=True, busy=True)


def scene_late_size(s):
    """No size is refused in plan B's region, so the whole plan moves to one where it is."""
    group_make(s, B, "southcentralus")
    s.do("vnet-put-b")
    s.do("aks-cluster-put-b")
    s.play("operation-failed-sku")
    s.play("aks-pool-get-failed")


def scene_cluster_fails(s):
    s.do("rg-put")
    s.do("vnet-put-a")
    s.play("operation-failed-cluster")


def scene_unregistered(s):
    s.play("error-409-missing-registration")


def scene_unregistered_auto(s):
    s.play("error-409-missing-registration-auto")


FAULT_SCENES = [
    # faults, other names, scene
    (None, {}, scene_ground),
    ("token.ttl=1", {}, "expired"),
    ("arm.401=0.5", {}, scene_claims),
    ("arm.429=0.5", {}, scene_throttled),
    ("arm.503=0.5", {}, one("error-503-retried", until=True, busy=True)),
    ("deny.Microsoft.Resources/subscriptions/resourcegroups/write=1", {},
     one("error-403-authorization-failed")),
    ("nojoin=1", {}, one("error-403-linked-authorization")),
    ("policy.westeurope=1", {}, one("error-403-policy")),
    ("quotalate=1,quota.StandardNCADSA100v4Family=0", {}, one("operation-failed-quota", drop="aks-pool-put-b-zones")),
    ("quota.standardNDSH100v5Family=0", {}, one("error-400-quota")),
    ("nocapacity.Standard_NC24ads_A100_v4=1", {},
     one("operation-failed-capacity", drop="aks-pool-put-b-zones")),
    ("skulate=1", {"southcentralus": "northeurope"}, scene_late_size),
    ("failas.none=1", {}, one("operation-failed-no-error")),
    (None, {}, lambda s: pool_drop(s, "aks-pool-put-a")),
    ("failas.AksCapacityHeavyUsage=1", {"1e69b": "1e69c"}, scene_cluster_fails),
    ("arm.nourl=1", {}, one("aks-pool-put-no-operation-url", drop="aks-pool-put-a")),
    ("arm.nourl=1,op.fail=1", {}, one("operation-state-failed")),
    (None, {}, lambda s: pool_drop(s, "aks-pool-put-a")),
    ("op.gone=1", {}, one("operation-url-gone", drop="aks-pool-put-a")),
    (f"locked.{A}-nodes=1", {}, one("operation-delete-failed")),
    (f"locked.{A}=1", {}, one("operation-group-delete-failed")),
    ("unregistered.Microsoft.ContainerService=1", {}, scene_unregistered_auto),
    (None, {}, one("error-429-aks", until=True, busy=True)),
]
ROOM_SCENES = [
    # name of the directory, what is played in it
    ("signin", [(None, {}, scene_signin), (None, {}, scene_subscription)]),
    ("a", [(None, {}, scene_a)]),
    ("b", [(None, {}, scene_b)]),
    ("faults", FAULT_SCENES),
    ("unregistered", [("unregistered.Microsoft.ContainerService=1", {}, scene_unregistered)]),
]


def scene_expired(sim, files, board):
    """A token that lives for a second, until it is too old."""
    old = sim.token()
    until = time.monotonic() + SETTLE_S
    scene = Scene(sim, files, board)
    part = files["error-401-expired"].parts[0]
    while scene.send(part, token=old).status != 401 and time.monotonic() < until:
        time.sleep(0.02)
    scene.play("error-401-expired", token=old, busy=True)


def room_run(program, files, directory, scenes):
    """Plays scenes on one profile, one after another; one that fails does not stop the next."""
    board = Board()
    for faults, renames, run in scenes:
        try:
            with Simulator(program, directory, SPEED, faults) as sim:
                if run == "expired":
                    scene_expired(sim, files, board)
                else:
                    run(Scene(sim, files, board, renames))
        except (SimulatorError, OSError, http.client.HTTPException, KeyError) as e:
            board.failures.append(f"{directory.rsplit('/', 1)[-1]}, faults {faults}: {type(e).__name__}: {e}")
    return board


# ---- the list of known differences ----

def known_read(path):
    known = {}
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            fields = [x.strip() for x in line.split("|")]
            if len(fields) != 4 or not all(fields):
                raise SystemExit(f"{path}:{number}: FILE | ANSWER | WHAT | WHY expected")
            known[tuple(fields[:3])] = fields[3]
    return known


def verdict(files, board, known):
    fresh = sorted(board.differences - set(known))
    gone = sorted(set(known) - board.differences)
    missed = sorted(set(files) - board.played)
    for name, answer, what in fresh:
        print(f"not listed: {name} | {answer} | {what}")
    for name, answer, what in gone:
        print(f"listed, but does not occur any more: {name} | {answer} | {what}")
    for failure in board.failures:
        print(f"scene failed: {failure}")
    for name in missed:
        print(f"not played: {name}")
    print(f"files: {len(board.played)} of {len(files)}, requests: {board.requests}, "
          f"answers compared: {board.answers}, members compared: {board.members}, "
          f"operations over too early to compare: {board.early}")
    print(f"differences: {len(board.differences)}, listed: {len(board.differences & set(known))}, "
          f"not listed: {len(fresh)}, gone: {len(gone)}")
    return 1 if fresh or gone or missed or board.failures else 0


def main(program, golden, work, differences):
    whole = Board()
    with concurrent.futures.ThreadPoolExecutor(len(ROOM_SCENES)) as pool:
        runs = [pool.submit(room_run, program, golden_read(golden), f"{work}/{name}", scenes)
                for name, scenes in ROOM_SCENES]
        for run in runs:
            whole.merge(run.result())
    return verdict(golden_read(golden), whole, known_read(differences))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
