"""Prints the variants that dnstwist makes of domains, as JSON: {domain: {kind: [variant, …]}}."""

import json
import sys

import dnstwist

words = ['login', 'secure', 'support', 'account', 'ai', 'app', 'chat', 'api']
endings = ['net', 'org', 'ai', 'io', 'co.uk', 'xyz', 'dev']
found = {}
for domain in sys.argv[1:]:
    fuzzer = dnstwist.Fuzzer(domain, dictionary=words, tld_dictionary=endings)
    fuzzer.generate()
    kinds = found.setdefault(domain, {})
    for variant in fuzzer.domains:
        if variant['fuzzer'] not in ('*original', 'subdomain'):
            kinds.setdefault(variant['fuzzer'], []).append(variant['domain'])
print(json.dumps(found))
