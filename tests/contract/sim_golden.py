#!/usr/bin/env python3
"""Sends every recorded request of the official Azure clients to the simulator.

Each file of azure-golden is one case: what must stand first (SETUP) is made, the recorded requests
are sent with the simulator's own ids, and each answer must be of the recorded kind: the status, the
headers and the members of the body. Values are not compared, but for error codes and the words of
an operation's status. Differences must be listed in sim_golden_differences.txt with a reason; a listed
one that does not happen fails, too.

usage: sim_golden.py SIMULATOR GOLDEN-DIR [FILE...]
"""
import base64
import hashlib
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

SUB = "11111111-2222-3333-4444-555555555555"
TENANT = "66666666-7777-8888-9999-aaaaaaaaaaaa"
CLIENT = "99999999-8888-7777-6666-555555555555"
SECRET = "aB8~Q.dummy+secret/For=tests_1"
PRINCIPAL = "12121212-3434-5656-7878-909090909090"
ROOMY = ",".join(f"quota.{f}=1000000" for f in (
    "standardNDSH100v5Family", "StandardNCADSA100v4Family", "standardDSv5Family", "cores"))

# steps that make what must stand: name -> (golden file, request number)
STEPS = {
    "group-a": ("rg-put", 1), "vnet-a": ("vnet-put-a", 1), "cluster-a": ("aks-cluster-put-a", 1),
    "pool-a": ("aks-pool-put-a", 1), "role-a": ("role-assignment-put", 1),
    "vnet-b": ("vnet-put-b", 1), "cluster-b": ("aks-cluster-put-b", 1),
    "pool-b": ("aks-pool-put-b-zones", 1), "pool-h": ("aks-pool-put-b-infiniband", 1),
    "pool-b-wide": ("aks-pool-scale-minmax", 1), "plane-36": ("aks-cluster-upgrade-control-plane", 1),
}
NET_A = ["group-a", "vnet-a"]
CLUSTER_A = NET_A + ["cluster-a"]
POOL_A = CLUSTER_A + ["pool-a"]
NET_B = ["group-b", "vnet-b"]
CLUSTER_B = NET_B + ["cluster-b"]
POOLS_B = CLUSTER_B + ["pool-b", "pool-h"]

# file -> steps; by prefix where there is no row of its own
SETUP = {
    "rg-put-again": ["group-a"], "rg-get": ["group-a"], "rg-head": ["group-a"],
    "rg-list-by-tag": ["group-a"], "rg-list-by-tag-paged": ["group-a", "group-b"],
    "rg-delete": CLUSTER_A,
    "vnet-put-a": ["group-a"], "vnet-put-b": ["group-b"], "vnet-put-again": NET_A, "vnet-get": NET_A,
    "vnet-list-all": NET_A, "subnet-get": NET_A, "subnet-put": ["group-a", "vnet-bare"],
    "vnet-delete": NET_A, "vnet-delete-location-only": NET_A, "vnet-delete-absent": ["group-a"],
    "aks-cluster-put-a": NET_A, "aks-cluster-put-b": NET_B, "aks-cluster-put-b-inline": NET_B,
    "aks-cluster-get-a": POOL_A, "aks-cluster-list": CLUSTER_A + CLUSTER_B,
    "aks-cluster-list-by-group": CLUSTER_A, "aks-cluster-upgrade-profile": POOLS_B,
    "aks-cluster-upgrade-control-plane": POOLS_B, "aks-cluster-upgrade-all": POOL_A,
    "aks-cluster-patch-tags": CLUSTER_A, "aks-cluster-patch-tags-async": CLUSTER_A,
    "aks-list-cluster-admin-credential": CLUSTER_A, "aks-list-cluster-user-credential": CLUSTER_A,
    "aks-cluster-abort": NET_A + ["cluster-a!"], "aks-cluster-abort-idle": CLUSTER_A,
    "aks-cluster-delete": CLUSTER_A, "aks-cluster-delete-if-match": CLUSTER_A,
    "aks-cluster-delete-absent": ["group-a"], "aks-cluster-put-unchanged": CLUSTER_A,
    "aks-cluster-roundtrip": POOL_A,
    "aks-pool-put-a": CLUSTER_A, "aks-pool-put-a-fixed": CLUSTER_A, "aks-pool-put-b-zones": CLUSTER_B,
    "aks-pool-put-b-infiniband": CLUSTER_B, "aks-pool-put-labels": POOLS_B, "aks-pool-get": POOLS_B,
    "aks-pool-list": POOLS_B, "aks-pool-get-failed": CLUSTER_B + ["pool-h"],
    "aks-pool-scale-count": POOL_A, "aks-pool-scale-minmax": POOLS_B,
    "aks-pool-upgrade": POOLS_B + ["pool-b-wide", "plane-36"], "aks-pool-upgrade-profile": POOLS_B + ["pool-b-wide", "plane-36"],
    "aks-pool-available-versions": POOLS_B, "aks-pool-delete": POOLS_B, "aks-pool-delete-plain": POOLS_B,
    "aks-pool-delete-absent": CLUSTER_B, "aks-pool-abort": CLUSTER_B + ["pool-b!"],
    "aks-pool-put-no-operation-url": CLUSTER_A,
    "etag-cluster-put-if-match-412": CLUSTER_A, "etag-cluster-put-if-none-match-412": CLUSTER_A,
    "etag-pool-put-if-match-412": POOL_A, "etag-pool-put-if-match-any-412": CLUSTER_A,
    "etag-pool-put-if-none-match-201": CLUSTER_A, "etag-pool-put-if-none-match-412": POOL_A,
    "etag-pool-delete-412": POOL_A, "etag-cluster-delete-412": CLUSTER_A,
    "etag-cluster-patch-412": CLUSTER_A,
    "role-assignment-put": CLUSTER_A, "role-assignment-put-again": CLUSTER_A + ["role-a"],
    "role-assignment-put-409": CLUSTER_A + ["role-a"], "role-assignment-get": CLUSTER_A + ["role-a"],
    "role-assignment-list": CLUSTER_A + ["role-a"], "role-assignment-delete": CLUSTER_A + ["role-a"],
    "role-assignment-delete-absent": CLUSTER_A,
    "error-400-api-version": CLUSTER_A, "error-400-details": CLUSTER_A, "error-400-in-use-subnet": CLUSTER_A,
    "error-400-quota": CLUSTER_B, "error-400-unwrapped": NET_A, "error-401-claims": CLUSTER_A,
    "error-403-linked-authorization": CLUSTER_A, "error-404-pool": CLUSTER_A,
    "error-404-resource": ["group-a"], "error-409-operation-not-allowed": CLUSTER_A + ["cluster-a-upgrade!"],
    "error-409-another-operation": ["group-a", "vnet-a!"],
    "error-409-another-operation-retried": ["group-a", "vnet-a!"],
    "error-409-group-being-deleted": CLUSTER_A + ["group-a-delete!"],
    "error-409-missing-registration": ["group-a"], "error-409-missing-registration-auto": CLUSTER_A,
    "error-429-aks": POOL_A + ["pool-a-flood"],
    "operation-canceled": CLUSTER_A, "operation-delete-failed": CLUSTER_A,
    "operation-failed-capacity": CLUSTER_B, "operation-failed-cluster": NET_A,
    "operation-failed-no-error": CLUSTER_A, "operation-failed-quota": CLUSTER_B,
    "operation-failed-sku": CLUSTER_B, "operation-group-delete-failed": CLUSTER_A,
    "operation-state-failed": CLUSTER_A, "operation-url-gone": CLUSTER_A,
}
FAST, SLOW = 3000, 60
# file -> (speed, faults from the start, faults after the setup); a case with faults has a simulator
# of its own, restarted with them once its setup stands
RUN = {
    "aks-cluster-abort": (SLOW, "", ""), "aks-pool-abort": (SLOW, "", ""),
    "error-409-operation-not-allowed": (SLOW, "", ""),
    "error-409-another-operation": (2, "", ""), "error-409-another-operation-retried": (2, "", ""),
    "error-409-group-being-deleted": (SLOW, "", ""), "error-429-aks": (SLOW, "", ""),
    "operation-canceled": (SLOW, "", ""), "aks-pool-put-no-operation-url": (SLOW, "", "arm.nourl=1"),
    "aks-pool-get-failed": (FAST, "", ""),
    "feature-register": (FAST, "featureoff.AKSInfinibandSupport=1", ""),
    "provider-register": (FAST, "unregistered.Microsoft.ContainerService=1", ""),
    "error-400-quota": (FAST, "", "quota.standardNDSH100v5Family=0"),
    "error-401-claims": (FAST, "", "arm.401=1"), "error-401-expired": (FAST, "token.ttl=1", ""),
    "error-403-authorization-failed": (FAST, "deny.Microsoft.Resources/subscriptions/resourcegroups/write=1", ""),
    "error-403-linked-authorization": (FAST, "", "nojoin=1"),
    "error-403-policy": (FAST, "policy.westeurope=1", ""),
    "error-409-missing-registration": (FAST, "unregistered.Microsoft.ContainerService=1", ""),
    "error-409-missing-registration-auto": (FAST, "", "unregistered.Microsoft.ContainerService=1"),
    "error-429-exhausted": (FAST, "arm.429=1", ""), "error-429-retried": (FAST, "arm.429=1", ""),
    "error-503-retried": (FAST, "arm.503=1", ""),
    "operation-delete-failed": (FAST, "", "locked.*=1"),
    "operation-failed-capacity": (FAST, "", "nocapacity.*=1"),
    "operation-failed-cluster": (FAST, "", "failas.AksCapacityHeavyUsage=1"),
    "operation-failed-no-error": (FAST, "", "failas.none=1"),
    "operation-failed-quota": (FAST, "", "quotalate=1,quota.StandardNCADSA100v4Family=0"),
    "operation-failed-sku": (FAST, "", "failas.SkuNotAvailable=1"),
    "operation-group-delete-failed": (FAST, "", "locked.*=1"),
    "operation-state-failed": (FAST, "", "arm.nourl=1,op.fail=1"),
    "operation-url-gone": (FAST, "", "op.gone=1"),
}


class Golden:
    """The recorded requests and answers of one file."""

    def __init__(self, path):
        self.name = os.path.basename(path)[:-4]
        self.requests, self.answers = {}, {}
        kind, number, lines = "request", 1, []
        for line in open(path, encoding="utf-8").read().split("\n") + ["--- end"]:
            m = re.match(r"--- (answer|request|[a-z].*?)(?: (\d+))?$", line)
            if not m:
                lines.append(line)
                continue
            self.keep(kind, number, lines)
            kind, number, lines = m.group(1), int(m.group(2) or 1), []

    def keep(self, kind, number, lines):
        if kind == "request":
            verb, target, _ = lines[0].split(" ")
            self.requests[number] = (verb, target, *split(lines[1:]))
        elif kind == "answer":
            self.answers[number] = (int(lines[0]), *split(lines[1:]))


def split(lines):
    headers, at = {}, 0
    while at < len(lines) and lines[at]:
        key, _, value = lines[at].partition(": ")
        headers[key.lower()] = value
        at += 1
    return headers, "\n".join(lines[at + 1:]).strip("\n")


class Library:
    def __init__(self, folder):
        self.folder, self.files = folder, {}

    def get(self, name):
        if name not in self.files:
            self.files[name] = Golden(os.path.join(self.folder, name + ".txt"))
        return self.files[name]

    def body(self, text):
        m = re.match(r"\(body: as in (request|answer) (\d+) of (.*)\.txt\)", text)
        if not m:
            return text
        side = self.get(m.group(3))
        side = side.requests if m.group(1) == "request" else side.answers
        return self.body(side[int(m.group(2))][-1])


class Simulator:
    def __init__(self, program, speed, faults):
        self.program, self.speed = program, speed
        self.dir = tempfile.mkdtemp(prefix="golden-")
        self.start(faults)

    def start(self, faults):
        # Official clients know real time only: tokens must outlast a fast clock.
        spec = ",".join(x for x in (ROOMY, faults, "" if "token.ttl" in faults else "token.ttl=100000000") if x)
        if "quota." in faults:  # the last of two settings would not count
            family = re.findall(r"quota\.(\w+)=", faults)
            spec = ",".join(x for x in spec.split(",") if not any(
                x.startswith(f"quota.{f}=1000000") for f in family))
        r, w = os.pipe()
        self.process = subprocess.Popen(
            [self.program, "serve", "--dir", self.dir, "--speed", str(self.speed), "--fault", spec,
             "--ready-fd", str(w)], pass_fds=[w])
        os.close(w)
        with os.fdopen(r) as f:
            self.at = json.loads(f.readline())
        self.tls = ssl.create_default_context(cafile=self.at["caFile"])
        self.token = self.sign_in()

    def restart(self, faults):
        self.process.terminate()
        self.process.wait()
        self.start(faults)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.dir, ignore_errors=True)

    def sign_in(self):
        form = urllib.parse.urlencode({
            "client_id": self.at["clientId"], "client_secret": self.at["clientSecret"],
            "grant_type": "client_credentials", "scope": "https://management.azure.com/.default"})
        status, _, body = self.send("POST", f"{self.at['authority']}/{self.at['tenantId']}/oauth2/v2.0/token", {
            "Content-Type": "application/x-www-form-urlencoded"}, form)
        return json.loads(body)["access_token"] if status == 200 else ""

    def send(self, verb, url, headers, body):
        data = body.encode() if body else None
        request = urllib.request.Request(url, data=data, method=verb, headers=headers)
        try:
            with urllib.request.urlopen(request, context=self.tls, timeout=30) as r:
                return r.status, {k.lower(): v for k, v in r.headers.items()}, r.read().decode()
        except urllib.error.HTTPError as e:
            return e.code, {k.lower(): v for k, v in e.headers.items()}, e.read().decode()

    def arm(self, verb, target, headers=None, body=""):
        url = target if target.startswith("https:") else self.at["arm"] + target
        h = {k: v for k, v in (headers or {}).items() if k in ("accept", "content-type", "if-match", "if-none-match")}
        h["Authorization"] = "Bearer " + self.token
        h["x-ms-client-request-id"] = str(uuid.uuid4())
        return self.send(verb, url, h, body)


def b64url(b):
    return base64.urlsafe_b64encode(b).rstrip(b"=").decode()


class Case:
    """One file against one simulator: own group names, so that cases do not meet."""

    def __init__(self, golden, library, sim, differences):
        self.g, self.lib, self.sim = golden, library, sim
        self.differences, self.found = differences, []
        tag = hashlib.sha256(golden.name.encode()).hexdigest()
        self.names = {"1e69b": tag[:5], "cd447": tag[5:10]}
        self.principal, self.urls = None, []

    def local(self, text):
        for old, new in ((SUB, self.sim.at["subscriptionId"]), (TENANT, self.sim.at["tenantId"]),
                         (CLIENT, self.sim.at["clientId"]), *self.names.items()):
            text = text.replace(old, new)
        if self.principal:
            text = text.replace(PRINCIPAL, self.principal)
        return text

    # ---- what must stand first

    def request(self, name, number):
        verb, target, headers, body = self.lib.get(name).requests[number]
        return verb, self.local(target), headers, self.local(self.lib.body(body))

    def step(self, step):
        wait, word = not step.endswith("!"), step.rstrip("!")
        if word == "group-b":
            verb, target, headers, body = self.request("rg-put", 1)
            target = target.replace("westeurope-aks-" + self.names["1e69b"], "southcentralus-aks-" + self.names["cd447"])
            body = body.replace('"westeurope"', '"southcentralus"')
        elif word == "group-a-delete":
            verb, target, headers, body = self.request("rg-delete", 1)
        elif word == "vnet-bare":
            verb, target, headers, body = self.request("vnet-put-a", 1)
            tree = json.loads(body)
            del tree["properties"]["subnets"]
            body = json.dumps(tree)
        elif word == "cluster-a-upgrade":
            verb, target, headers, body = self.request("aks-cluster-put-a", 1)
            tree = json.loads(body)
            tree["properties"]["kubernetesVersion"] = tree["properties"]["agentPoolProfiles"][0]["orchestratorVersion"] = "1.35"
            body, headers = json.dumps(tree), {k: v for k, v in headers.items() if k != "if-none-match"}
        elif word == "pool-a-flood":
            verb, target, headers, body = self.request("aks-pool-put-a", 1)
            for _ in range(40):
                if self.sim.arm(verb, target, headers, body)[0] == 429:
                    return
            raise SystemExit(f"{self.g.name}: was never throttled")
        else:
            verb, target, headers, body = self.request(*STEPS[word])
        headers = self.fresh_match(verb, target, headers)
        status, answer, text = self.sim.arm(verb, target, headers, body)
        if status >= 300:
            raise SystemExit(f"{self.g.name}: setup {step}: {status} {text}")
        if word.startswith("cluster-") and text:
            self.principal = json.loads(text)["identity"]["principalId"]
        if wait:
            self.settle(answer)

    def settle(self, headers):
        url = headers.get("azure-asyncoperation") or headers.get("location")
        while url:
            status, answer, text = self.sim.arm("GET", url)
            word = json.loads(text).get("status") if text else None
            if status != 202 and word != "InProgress":
                return status, answer, text
            time.sleep(0.05)
        return None

    def fresh_match(self, verb, target, headers):
        """A recorded eTag that was the current one becomes the current one here."""
        match = headers.get("if-match", "")
        if not match or match == "*" or "beef" in match:
            return headers
        _, _, text = self.sim.arm("GET", target.replace("&ignore-pod-disruption-budget=true", ""))
        tree = json.loads(text)
        tag = tree.get("eTag") or tree.get("properties", {}).get("eTag", "")
        return {**headers, "if-match": f'"{tag}"'}

    # ---- the case

    def differ(self, part, what):
        self.found.append(f"{self.g.name}: {part}: {what}")

    def run(self):
        last = None
        for number in sorted(self.g.requests):
            verb, target, headers, body = self.g.requests[number]
            if number not in self.g.answers:
                continue
            status, recorded, text = self.g.answers[number]
            if headers.get("host", "").startswith("login."):
                got = self.sign_in(verb, target, headers, body)
            elif "/operations/" in target.lower() or "operationresults/" in target.lower():
                got = self.poll(target, status, text, last)
                if got is None:
                    continue
            else:
                target = self.local(target)
                if "skiptoken" in target and last and "nextLink" in last[2]:
                    target = json.loads(last[2])["nextLink"]
                got = self.sim.arm(verb, target, self.fresh_match(verb, target, headers),
                                   self.local(self.lib.body(body)))
                for name in ("azure-asyncoperation", "location"):
                    if name in got[1]:
                        self.urls.append((name, got[1][name]))
            last = got
            self.compare(number, status, recorded, self.lib.body(text), got)

    def poll(self, target, status, text, last):
        """Polls the simulator's own URL; the recorded answers before the last one are of the clock."""
        word = json.loads(text).get("status") if text.startswith("{") else None
        if word == "InProgress" or status == 202:
            return None
        want = "azure-asyncoperation" if "/operations/" in target.lower() else "location"
        urls = [u for n, u in self.urls if n == want] or [u for _, u in self.urls]
        if not urls:
            self.differ("poll", "no operation URL was given")
            return None
        if self.g.name == "operation-canceled":
            self.sim.arm("POST", self.local(self.g.requests[1][1]).replace("?", "/abort?"))
        return self.settle({"azure-asyncoperation": urls[-1]})

    def sign_in(self, verb, target, headers, body):
        body = body.split("\n\nfields, decoded")[0]
        form = urllib.parse.parse_qsl(body)
        refused = self.g.name.endswith("refused")
        out = []
        for key, value in form:
            if key == "client_secret":
                value = "wrong" if refused else self.sim.at["clientSecret"]
            if key == "client_assertion" and not refused and "certificate" in self.g.name:
                value = self.assertion("ps256" in self.g.name)
            out.append((key, self.local(value)))
        target = self.local(target)
        return self.sim.send(verb, self.sim.at["authority"] + target, {
            k: v for k, v in headers.items() if k in ("accept", "content-type")},
            urllib.parse.urlencode(out))

    def assertion(self, pss):
        pem = json.loads(self.sim.at["azureCertificateCredentialsJson"])["clientCertificate"]
        der = base64.b64decode("".join(pem.split("-----END CERT")[0].split("\n")[1:]))
        print_ = {"x5t#S256": base64.urlsafe_b64encode(hashlib.sha256(der).digest()).decode()} if pss else \
            {"x5t": b64url(hashlib.sha1(der).digest())}
        now = time.time()
        head = {"alg": "PS256" if pss else "RS256", "typ": "JWT", **print_}
        claims = {"aud": f"{self.sim.at['authority']}/{self.sim.at['tenantId']}/oauth2/v2.0/token",
                  "iss": self.sim.at["clientId"], "sub": self.sim.at["clientId"],
                  "jti": str(uuid.uuid4()), "iat": now, "exp": now + 600}
        part = b64url(json.dumps(head).encode()) + "." + b64url(json.dumps(claims).encode())
        with tempfile.NamedTemporaryFile("w", suffix=".pem") as key:
            key.write(pem)
            key.flush()
            extra = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"] if pss else []
            mac = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key.name, *extra],
                                 input=part.encode(), capture_output=True, check=True).stdout
        return part + "." + b64url(mac)

    def compare(self, number, status, recorded, text, got):
        part = f"answer {number}"
        if got[0] != status:
            self.differ(part, f"status {got[0]} instead of {status}")
            return
        for name in recorded:
            if name not in got[1]:
                self.differ(part, f"no header {name}")
        if not text.startswith("{"):
            return
        try:
            want, have = json.loads(text), json.loads(got[2])
        except json.JSONDecodeError:
            self.differ(part, "no JSON")
            return
        self.members(part, "", want, have)
        self.words(part, want, have)

    def words(self, part, want, have):
        def code(tree):
            return tree.get("code") or tree.get("error", {}).get("code") if isinstance(tree.get("error", {}), dict) else tree.get("error")
        if code(want) and code(want) != code(have):
            self.differ(part, f"code {code(have)} instead of {code(want)}")
        if "status" in want and want["status"] != have.get("status"):
            self.differ(part, f"status word {have.get('status')} instead of {want['status']}")
        if ("error" in want) != ("error" in have):
            self.differ(part, "other form of error")

    def members(self, part, path, want, have):
        if isinstance(want, dict):
            if not isinstance(have, dict):
                self.differ(part, f"{path or '/'} is no object")
                return
            for key, value in want.items():
                if key not in have:
                    self.differ(part, f"no member {path}/{key}")
                else:
                    self.members(part, f"{path}/{key}", value, have[key])
        elif isinstance(want, list) and want:
            if not isinstance(have, list) or not have:
                self.differ(part, f"{path} is empty")
            elif not re.search("(capabilities|agentPoolProfiles|restrictions|value|patchVersions)$", path):
                self.members(part, path + "[0]", want[0], have[0])


def read_differences(path):
    out = {}
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line and not line.startswith("#"):
            what, _, reason = line.partition("  ## ")
            if not reason:
                raise SystemExit(f"{path}: no reason: {line}")
            out[what] = reason
    return out


def main():
    program, folder, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    known = read_differences(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sim_golden_differences.txt"))
    library = Library(folder)
    names = sorted(f[:-4] for f in os.listdir(folder) if f.endswith(".txt"))
    shared, found, run = None, [], 0
    for name in names:
        if only and name not in only:
            continue
        speed, first, later = RUN.get(name, (FAST, "", ""))
        own = name in RUN
        sim = Simulator(program, speed, first) if own else shared or Simulator(program, FAST, "")
        if not own:
            shared = sim
        try:
            case = Case(library.get(name), library, sim, known)
            if name == "aks-pool-get-failed":
                for step in CLUSTER_B:
                    case.step(step)
                sim.restart("op.fail=1")
                case.step("pool-h")
            else:
                for step in SETUP.get(name, []):
                    case.step(step)
            if later:
                sim.restart(later)
            case.run()
            found += case.found
            run += 1
        finally:
            if own:
                sim.stop()
    if shared:
        shared.stop()
    bad = [f for f in found if f not in known]
    stale = [] if only else [k for k in known if k not in found]
    for f in bad:
        print("DIFFERS", f)
    for f in stale:
        print("LISTED, BUT DOES NOT DIFFER", f)
    print(f"{run} files, {len(found)} differences, {len(bad)} of them not listed, {len(stale)} listed in vain")
    return 1 if bad or stale else 0


sys.exit(main())
