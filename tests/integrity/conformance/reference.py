"""Signs and verifies with the reference implementation of OpenSSF Model Signing, by one line of JSON on standard input."""

import json
import sys

import model_signing

asked = json.load(sys.stdin)



def hashing():
    """Of its own it finds neither BLAKE2b, which it names differently, nor pieces by BLAKE3."""
    config = model_signing.hashing.Config().set_ignored_paths(paths=[], ignore_git_paths=True)
    if asked.get("shard_size"):
        return config.use_shard_serialization(hashing_algorithm=asked["hash"], shard_size=asked["shard_size"])
    return config.use_file_serialization(hashing_algorithm=asked["hash"])


if asked["do"] == "sign":
    signing = model_signing.signing.Config().set_hashing_config(hashing())
    if "certificate" in asked:
        signing = signing.use_certificate_signer(
            private_key=asked["key"],
            signing_certificate=asked["certificate"],
            certificate_chain=asked["chain"],
        )
    else:
        signing = signing.use_elliptic_key_signer(private_key=asked["key"])
    signing.sign(asked["model"], asked["bundle"])
else:
    verifying = model_signing.verifying.Config().set_hashing_config(hashing())
    if "chain" in asked:
        verifying = verifying.use_certificate_verifier(certificate_chain=asked["chain"])
    else:
        verifying = verifying.use_elliptic_key_verifier(public_key=asked["key"])
    verifying.verify(asked["model"], asked["bundle"])
