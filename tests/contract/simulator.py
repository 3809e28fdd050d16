"""The flight simulator for the contract tests: start it, sign in, ask it. Standard library only.

Ownership: Simulator is a context manager; its process ends with the block. Every wait has a deadline
and ends with SimulatorError.
"""
import base64
import hashlib
import hmac
import http.client
import json
import os
import select
import sqlite3
import ssl
import subprocess
import tempfile
import time
import urllib.parse
import uuid

START_S = 30
HTTP_S = 30
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
SCOPE = "https://management.azure.com/.default"


class SimulatorError(Exception):
    """The simulator did not do what it has to do before anything can be compared."""


class Answer:
    """Status, headers by lower-case name, body as bytes and, when it is JSON, as a tree."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = {name.lower(): value for name, value in headers}
        self.body = body
        try:
            self.json = json.loads(body) if body else None
        except ValueError:
            self.json = None


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def service_ask(base, ca_file, method, target, headers, body=None):
    """One request to one of the services; the target goes out as it stands."""
    url = urllib.parse.urlsplit(base)
    context = ssl.create_default_context(cafile=ca_file)
    conn = http.client.HTTPSConnection(url.hostname, url.port, timeout=HTTP_S, context=context)
    try:
        conn.request(method, target, body=body, headers=headers)
        got = conn.getresponse()
        return Answer(got.status, got.getheaders(), got.read())
    finally:
        conn.close()


class Simulator:
    """One simulator process. `where` is what it says of itself: addresses, ids, credentials."""

    def __init__(self, program, directory, speed, faults=None):
        self.command = [program, "serve", "--dir", directory, "--speed", str(speed)]
        if faults:
            self.command += ["--fault", faults]
        self.directory = directory
        self.process = None
        self.where = None

    def __enter__(self):
        reader, writer = os.pipe()
        try:
            self.process = subprocess.Popen(
                self.command + ["--ready-fd", str(writer)], pass_fds=[writer],
                stdin=subprocess.DEVNULL)
        finally:
            os.close(writer)
        try:
            self.where = json.loads(self._ready_line(reader))
        except BaseException:
            self.__exit__()
            raise
        finally:
            os.close(reader)
        return self

    @staticmethod
    def _ready_line(reader):
        line = b""
        until = time.monotonic() + START_S
        while not line.endswith(b"\n"):
            if not select.select([reader], [], [], max(0, until - time.monotonic()))[0]:
                raise SimulatorError(f"the simulator was not ready within {START_S} s")
            piece = os.read(reader, 65536)
            if not piece:
                raise SimulatorError("the simulator ended before it was ready")
            line += piece
        return line

    def __exit__(self, *_):
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def ask(self, method, target, headers, body=None):
        """A resource manager request."""
        return service_ask(self.where["arm"], self.where["caFile"], method, target, headers, body)

    def ask_signin(self, method, target, headers, body=None):
        return service_ask(self.where["authority"], self.where["caFile"], method, target, headers, body)

    def token(self):
        form = urllib.parse.urlencode({
            "client_id": self.where["clientId"], "client_secret": self.where["clientSecret"],
            "grant_type": "client_credentials", "scope": SCOPE})
        got = self.ask_signin("POST", f"/{self.where['tenantId']}/oauth2/v2.0/token",
                              {"Content-Type": "application/x-www-form-urlencoded"}, form)
        if got.status != 200:
            raise SimulatorError(f"sign-in answered {got.status}: {got.body[:200]!r}")
        return got.json["access_token"]

    def foreign_token(self):
        """A token that another tenant could have got: signed with the simulator's own key."""
        path = os.path.join(self.directory, "sim", "state.db")
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
            row = db.execute("SELECT doc FROM doc WHERE key = 'identity'").fetchone()
        key = json.loads(row[0])["token_key"].encode()
        head, claims, _ = self.token().split(".")
        claims = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
        claims["tid"] = str(uuid.uuid4())
        part = head + "." + base64url(json.dumps(claims).encode())
        return part + "." + base64url(hmac.new(key, part.encode(), hashlib.sha256).digest())

    def assertion(self, pss):
        """A client assertion as msal for Python makes it: PS256 or RS256, padding left on."""
        pem = json.loads(self.where["azureCertificateCredentialsJson"])["clientCertificate"]
        cert = pem[:pem.index("-----END CERTIFICATE-----") + len("-----END CERTIFICATE-----") + 1]
        der = ssl.PEM_cert_to_DER_cert(cert)
        digest = hashlib.sha256(der) if pss else hashlib.sha1(der)
        thumbprint = base64.urlsafe_b64encode(digest.digest()).decode()
        now = time.time()
        head = {"alg": "PS256" if pss else "RS256", "typ": "JWT",
                "x5t#S256" if pss else "x5t": thumbprint}
        claims = {"aud": f"{self.where['authority']}/{self.where['tenantId']}/oauth2/v2.0/token",
                  "iss": self.where["clientId"], "sub": self.where["clientId"],
                  "iat": now, "exp": now + 600, "jti": str(uuid.uuid4())}
        part = ".".join(base64url(json.dumps(x).encode()) for x in (head, claims))
        return part + "." + base64url(self._sign(pem, part.encode(), pss))

    @staticmethod
    def _sign(pem, data, pss):
        extra = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"] if pss else []
        with tempfile.NamedTemporaryFile("w", suffix=".pem") as key:
            key.write(pem[pem.index("-----END CERTIFICATE-----") + len("-----END CERTIFICATE-----"):])
            key.flush()
            return subprocess.run(["openssl", "dgst", "-sha256", "-sign", key.name] + extra, input=data,
                                  stdout=subprocess.PIPE, check=True, timeout=30).stdout
