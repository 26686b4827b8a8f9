"""Signs mint requests with the package `http-message-signatures`, sends them, and verifies requests that others signed.

Reads {"mints": […], "signed": […]} from stdin and prints what came of each, as JSON.
"""

import base64
import datetime
import hashlib
import json
import sys
import urllib.error
import urllib.request

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key, load_pem_private_key
from http_message_signatures import (
    HTTPMessageSigner,
    HTTPMessageVerifier,
    HTTPSignatureKeyResolver,
    InvalidSignature,
    algorithms,
)

known = [algorithms.ED25519, algorithms.ECDSA_P256_SHA256, algorithms.ECDSA_P384_SHA384, algorithms.RSA_PSS_SHA512]
by_name = {algorithm.algorithm_id: algorithm for algorithm in known}
components = ("@method", "@target-uri", "content-digest", "countersign-key")


class Message:
    def __init__(self, method, url, headers):
        self.method, self.url, self.headers = method, url, headers


class Resolver(HTTPSignatureKeyResolver):
    def __init__(self, key):
        self.key = key

    def resolve_private_key(self, key_id):
        return self.key

    def resolve_public_key(self, key_id):
        return self.key


def mint(algorithm, key, url, api_key, body, created, nonce):
    private_key = load_pem_private_key(key.encode(), password=None)
    spki = private_key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    content = body.encode()
    message = Message(
        "POST",
        url,
        {
            "Content-Type": "application/json",
            "X-API-Key": api_key,
            "Countersign-Key": f":{base64.b64encode(spki).decode()}:",
        },
    )
    at = datetime.datetime.fromtimestamp(created, tz=datetime.timezone.utc)
    signer = HTTPMessageSigner(signature_algorithm=by_name[algorithm], key_resolver=Resolver(private_key))
    signer.sign(
        message,
        key_id=hashlib.sha256(spki).hexdigest(),
        created=at,
        expires=at + datetime.timedelta(seconds=60),
        nonce=nonce,
        tag="countersign-mint",
        covered_component_ids=components,
        body=content,
    )
    request = urllib.request.Request(url, data=content, headers=message.headers, method="POST")
    try:
        with urllib.request.urlopen(request) as response:
            return {"status": response.status, "answer": json.load(response)}
    except urllib.error.HTTPError as error:
        return {"status": error.code, "answer": json.load(error)}


def verify(algorithm, url, headers, body):
    names = {name.lower(): value for name, value in headers.items()}
    key = load_der_public_key(base64.b64decode(names["countersign-key"].strip(":")))
    verifier = HTTPMessageVerifier(signature_algorithm=by_name[algorithm], key_resolver=Resolver(key))
    try:
        verifier.verify(
            Message("POST", url, headers),
            max_age=datetime.timedelta(minutes=1),
            expect_tag="countersign-mint",
            require_components=components,
            body=body.encode(),
        )
        return "valid"
    except InvalidSignature:
        return "invalid"


given = json.load(sys.stdin)
print(json.dumps({"mints": [mint(**one) for one in given["mints"]], "signed": [verify(**one) for one in given["signed"]]}))
