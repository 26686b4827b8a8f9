import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { addressAndPort, egressException, resolver } from './addresses.ts'
import { list, optional, serviceUrl, setting } from './setting.ts'

/** Servers that the registry connects to. */
export const outgoing = {
  DNS_RESOLVERS: setting({
    expected: 'at least two addresses, or address:port, separated by commas',
    means:
      "DNS resolvers for domain proofs; all must agree. Choose ones run by different operators. Default: the system's resolvers; at least two, unless PUBLIC_URL is a loopback address",
    default: '',
    parse: list(resolver),
  }),
  DEV_DNS_SERVERS: setting({
    expected: 'address:port, separated by commas',
    means:
      'DNS servers that a development registry asks for domain proofs and addresses; only while PUBLIC_URL is a loopback address',
    default: '',
    parse: list(addressAndPort),
  }),
  DEV_EGRESS_ALLOW: setting({
    expected: 'address:port or name=address:port, separated by commas',
    means:
      'Addresses of this machine that the registry may connect to, without TLS; only while PUBLIC_URL is a loopback address',
    default: '',
    parse: list(egressException),
  }),
  HF_ENDPOINT: setting({
    expected: 'an https address',
    means:
      "Model hub from which model cards are read at a provider's request; the console lets browsers connect to it as well",
    default: 'https://huggingface.co',
    parse: serviceUrl,
  }),
  HF_TOKEN: setting({
    expected: 'a token of the hub',
    means:
      'Read token that raises the hub’s rate limit. It is sent to HF_ENDPOINT only, and never used to read private or gated models',
    default: '',
    parse: optional((text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined)),
    isSecret: true,
  }),
  TRUSTED_ROOT: setting({
    expected: 'a file or an https address of a trusted_root.json',
    means:
      'Trusted certificate authorities and logs for signed bundles. A file is read again when it changes, an address every hour. Default: the public Sigstore’s, as of this release',
    default: '',
    parse: optional((text) =>
      /^https:\/\/./.test(text) && URL.canParse(text) ? text : existsSync(text) ? resolve(text) : undefined,
    ),
  }),
} as const
