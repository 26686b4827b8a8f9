import { settings } from '../../server/src/config.ts'
import { describeRules } from '../../server/src/http/rate-rules.ts'
import { generatedNotice, markdownTable } from './markdown.ts'

const windowNames: Record<number, string> = { 60: 'a minute', 3600: 'an hour', 86400: 'a day' }

const limitRows = describeRules().map(({ rule: { name, points, seconds, burst, isShared }, of, endpoints }) => [
  `\`${name}\``,
  `${points} ${windowNames[seconds]}${burst ? `, and ${burst} more now and then` : ''}`,
  of,
  endpoints.map((endpoint) => (endpoint.startsWith('everything') ? endpoint : `\`${endpoint.replace('/api/v1', '')}\``)).join(', '),
  isShared ? 'all replicas together' : 'each replica',
])

/** docs/self-hosting.md: how to run a registry, with every setting that the server reads. */
export const selfHosting = () => `${generatedNotice}

# Running a registry

\`countersign-server\` is one process: the API, the console and, where asked for, a listener for mutual TLS. It needs Node 22.22.2
or newer and a folder to write to. Without further settings it keeps everything in \`.data/\` on embedded SQLite and answers on
<http://127.0.0.1:4100>.

\`\`\`sh
npm start -- --plain            # from a clone
countersign-server              # installed
\`\`\`

## Settings

All settings are environment variables. A wrong value ends the start and says what was expected.

${markdownTable(
  ['variable', 'meaning', 'expected', 'default'],
  Object.entries(settings).map(([name, { means, expected, default: otherwise }]) => [
    `\`${name}\``,
    means,
    expected,
    otherwise === '' ? '' : `\`${otherwise}\``,
  ]),
)}

## On PostgreSQL

Set \`DATABASE_URL=postgres://…\` and the same \`KEY_ENCRYPTION_KEY\` and \`PUBLIC_URL\` on every replica. Replicas keep no state of
their own, so there is nothing to pin a client to one of them. The schema is brought up to date at start, by one replica while the
others wait.

Search uses \`tsvector\`, and \`pg_trgm\` to find parts of names. The extension is created at the first start if the account may; create
it beforehand otherwise. Without it names are found by the beginning of their words. An engine that has neither is asked with \`like\`.

## The key encryption key

Signing keys are stored encrypted. Where \`KEY_ENCRYPTION_KEY\` is unset, a key is made once and kept in
\`DATA_DIR/key-encryption-key\`, readable by its owner only. **Back it up apart from the database.** Without it the signing keys cannot
be opened, and the registry says so and does not start. Link codes and user fingerprints are derived from it too.

## Signing keys

Tokens are signed with Ed25519. Public keys are at \`/.well-known/jwks.json\`; verifiers keep them for five minutes.

\`\`\`sh
countersign-server keys list
countersign-server keys rotate            # next → active → retired; refused while next is too young
countersign-server keys compromise KID    # every token of this key is refused from now on
\`\`\`

Running registries notice at their next request; nothing needs a restart.

## Mutual TLS

A deployment proves itself by the TLS handshake with the registry: set \`TLS_PORT\`, \`TLS_CERT_FILE\` and \`TLS_KEY_FILE\`, and publish
that port without a proxy in between. The listener asks for a client certificate and takes any, self-signed ones too. What counts is
the SHA-256 of the key (SPKI), which the provider registered and authorized for the model.

Where a proxy ends mutual TLS, name its address in \`CLIENT_CERT_PROXIES\` and let it send the certificate in \`Client-Cert\` (RFC 9440),
or its SPKI fingerprint in \`X-Client-Cert-Fingerprint\`. The proxy **must** remove both headers, in every spelling (also with
underscores), from what clients send. From any other address, those in \`TRUSTED_PROXIES\` included, the headers name a deployment and
prove nothing, and pages say so. A key proven over the registry's own TLS belongs to that provider, even if another proved it through a
proxy before.
[An example](../examples/mtls-behind-a-proxy/README.md) is such a proxy, with a check for one of another make.

## Limits

Requests are limited, and told so by \`429\`, \`RateLimit-Policy\`, \`RateLimit\` and \`Retry-After\`. A network is an IPv4 address or the
/64 of an IPv6 one: behind a proxy, name the proxy in \`TRUSTED_PROXIES\`, or all visitors are counted as one.

${markdownTable(['limit', 'size', 'for each', 'of', 'counted by'], limitRows)}

After ten wrong passwords for an address within an hour each further try waits: up to half a minute in the network that they came from,
up to four seconds elsewhere, so that nobody locks an owner out.

A process that is busy for more than four fifths of its time turns away what strangers read, more each second, with \`503\` and
\`Retry-After\`. Verifying links goes on, minting and everything of providers too. \`countersign_shed_share\` and
\`countersign_event_loop_utilization\` show it: time for another replica.

## Domains

Proofs of domains are read from DNS. Set \`DNS_RESOLVERS\` to at least two resolvers, best of different operators; all must agree. Without
it the system's are asked, and the registry does not start on a public address with fewer than two. Every proof is checked every day. Act
on them by hand with:

\`\`\`sh
countersign-server domains list           # proven domains, their providers, when each was confirmed
countersign-server domains show DOMAIN    # every account that claims a domain
countersign-server domains end DOMAIN     # end a proof until you allow it again; the owner is emailed, and the trail says so
countersign-server domains allow DOMAIN   # let that account prove the domain again
\`\`\`

## Jobs

Mails, health checks, domain proofs and cleaning up are jobs inside the process. With several replicas each job runs on one of them at
a time, and another takes over within a minute when that one dies. \`countersign_job_seconds\` and
\`countersign_job_last_success_seconds\` show them by name.

## Health, metrics and logs

- \`/livez\`: the process answers. \`/readyz\`: database, keys and disk are in order and the registry is not about to stop.
- \`METRICS_PORT\` opens Prometheus metrics at \`/metrics\`, on loopback only.
- Logs are JSON lines on standard output. They name routes, never addresses, bodies or credentials.
- On SIGTERM \`/readyz\` turns to 503, accepted requests are answered, and the process ends within ten seconds. A second signal ends
  it at once.

## Backups

SQLite: \`sqlite3 countersign.db ".backup copy.db"\` while the registry runs, or any tool that understands WAL. PostgreSQL: as usual.
Together with the key encryption key that is all there is to keep.

## A development registry

While \`PUBLIC_URL\` is a loopback address the console says "Development registry" on every page, and reserved names such as
\`acme.example\` can be proven, with \`DEV_DNS_SERVERS\` pointing to DNS servers on loopback. Neither works on a public address.
`
