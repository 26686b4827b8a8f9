import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { subnet } from './addresses.ts'
import { list, optional, port, setting } from './setting.ts'

const webOrigin = (text: string) => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined
}

const readableFile = (text: string) =>
  existsSync(text) ? { file: resolve(text), content: readFileSync(text) } : undefined

/** Where the registry listens, and which proxies it trusts. */
export const listening = {
  PORT: setting({
    expected: 'a port from 0 to 65535',
    means: 'Port of the API and the console',
    default: '4100',
    parse: port,
  }),
  HOST: setting({
    expected: 'an address or host name to listen on',
    means: 'Address to listen on',
    default: '127.0.0.1',
    parse: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  }),
  PUBLIC_URL: setting({
    expected: 'an http or https origin such as https://registry.example',
    means:
      'Address under which people reach the registry; issuer of its tokens. Default: localhost and PORT if HOST is 127.0.0.1 or ::1, else HOST and PORT',
    default: '',
    parse: optional(webOrigin),
  }),
  TLS_PORT: setting({
    expected: 'a port from 0 to 65535',
    means: 'Port of the mutual TLS listener. Unset: no such listener',
    default: '',
    parse: optional(port),
  }),
  TLS_CERT_FILE: setting({
    expected: 'a readable PEM file',
    means: 'Certificate chain of the TLS listener. It and its key are read again every minute, without a restart',
    default: '',
    parse: optional(readableFile),
  }),
  TLS_KEY_FILE: setting({
    expected: 'a readable PEM file',
    means: 'Private key of the TLS listener',
    default: '',
    parse: optional(readableFile),
  }),
  TRUSTED_PROXIES: setting({
    expected: 'addresses or subnets such as 10.0.0.0/8, separated by commas',
    means:
      "Proxies whose X-Forwarded-For header is trusted, so that rate limits apply to each visitor behind them. They can't prove a client certificate",
    default: '',
    parse: list(subnet),
  }),
  CLIENT_CERT_PROXIES: setting({
    expected: 'addresses or subnets such as 10.0.0.7, separated by commas',
    means:
      'Proxies that terminate mutual TLS: only their Client-Cert and X-Client-Cert-* headers prove a deployment. They must remove these headers from incoming requests',
    default: '',
    parse: list(subnet),
  }),
  METRICS_PORT: setting({
    expected: 'a port from 0 to 65535',
    means: 'Port of the Prometheus metrics; 0 for none',
    default: '0',
    parse: port,
  }),
  METRICS_HOST: setting({
    expected: 'an address or host name to listen on',
    means:
      'Address of the metrics. They need no login: use an address other than loopback only if nothing but Prometheus can reach it',
    default: '127.0.0.1',
    parse: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  }),
} as const
