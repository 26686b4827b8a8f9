import { settings } from '../../server/src/config.ts'
import { describeRules } from '../../server/src/http/rate-rules.ts'
import { generatedNotice, markdownTable } from './markdown.ts'

const windowNames: Record<number, string> = { 60: 'a minute', 3600: 'an hour', 86400: 'a day' }

const limitRows = describeRules().map(({ rule: { name, points, seconds, burst, isShared }, of, endpoints }) => [
  `\`${name}\``,
  `${points} ${windowNames[seconds]}${burst ? `, and ${burst} more in bursts` : ''}`,
  of,
  endpoints
    .map((endpoint) => (endpoint.startsWith('everything') ? endpoint : `\`${endpoint.replace('/api/v1', '')}\``))
    .join(', '),
  isShared ? 'all replicas together' : 'each replica',
])

const secretNames = Object.entries(settings).flatMap(([name, row]) => ('isSecret' in row ? [`\`${name}\``] : []))
const secrets = `${secretNames.slice(0, -1).join(', ')} and ${secretNames.at(-1)}`

/** docs/self-hosting.md: how to run a registry, with every setting that the server reads. */
export const selfHosting = () => `${generatedNotice}

# Running a registry

\`countersign-server\` is one process: the API, the console and, if configured, a listener for mutual TLS. It needs Node 22.22.2
or later. By default it stores everything in the folder \`.data/\`, in embedded SQLite, and listens on
<http://localhost:4100>.

\`\`\`sh
npm start -- --plain            # from a clone
countersign-server              # installed
\`\`\`

[operating.md](operating.md) covers installing, starting, backups, restoring, upgrades, moving to PostgreSQL and metrics.

## Settings

All settings are environment variables. With an invalid value, the server does not start, and prints what it expected.
These secrets can be read from a file instead, such as one that a container mounts: ${secrets}. Add \`_FILE\` to the name and
set it to the path, as in \`SMTP_URL_FILE=/run/secrets/smtp\`.

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
their own, so clients need no sticky sessions. On start, one replica migrates the schema while the
others wait up to ten seconds; the lock ends with the process that holds it.

\`DATABASE_READ_URL\` names a streaming standby for lists and searches ([how it works](operating.md#a-standby-for-lists-and-searches)).

Search uses \`tsvector\`, and \`pg_trgm\` to find parts of names. The first start creates the extension if the database user is allowed to;
otherwise create it beforehand. Without it, names are found by the beginning of their words. If the database has neither, search falls back to
\`LIKE\`.

## The key encryption key

Signing keys are stored encrypted. If \`KEY_ENCRYPTION_KEY\` is not set, the registry generates a key once and stores it in
\`DATA_DIR/key-encryption-key\`, readable only by its owner. **Back it up separately from the database.** Without it the signing keys cannot
be decrypted, the registry does not start, and \`restore\` is rejected. Link codes and user fingerprints also depend on it.
\`countersign-server keys reencrypt\`
[replaces it](operating.md#replacing-the-key-encryption-key).

## Signing keys

They can also be kept in a hardware security module ([PKCS#11](operating.md#signing-keys-in-a-hardware-security-module)).
Tokens are signed with Ed25519. Public keys are at \`/.well-known/jwks.json\`; verifiers cache them for five minutes.

\`\`\`sh
countersign-server keys list
countersign-server keys rotate            # next → active → retired; rejected while next is too new
countersign-server keys compromise KID    # every token of this key is rejected from now on
countersign-server keys confirm KID       # after a restore: trust a suspended key again
\`\`\`

Running registries apply the change at their next request; no restart is needed.

## Mutual TLS

A deployment proves itself in the TLS handshake with the registry: set \`TLS_PORT\`, \`TLS_CERT_FILE\` and \`TLS_KEY_FILE\`, and publish
that port without a proxy in between. The listener requests a client certificate and accepts any, including self-signed ones. Only
the SHA-256 of the key (SPKI) matters, which the provider registered and authorized for the model.

If a proxy terminates mutual TLS, list its address in \`CLIENT_CERT_PROXIES\` and let it send the certificate in \`Client-Cert\` (RFC 9440),
or its SPKI fingerprint in \`X-Client-Cert-Fingerprint\`. The proxy **must** remove both headers from client requests, in every spelling (also
with underscores). From any other address, including those in \`TRUSTED_PROXIES\`, the headers only name a deployment and
prove nothing, and pages say so. A key proven over the registry's own TLS belongs to that provider, even if another provider proved it through
a proxy before. If you remove all proxies, live links that a proxy proved only name their deployment from the next start on.
[nginx.conf](../deploy/nginx.conf) and [Caddyfile](../deploy/Caddyfile) do this. Providers then set \`COUNTERSIGN_TLS_URL\` to \`PUBLIC_URL\`,
otherwise to the address of \`TLS_PORT\`: the registry does not tell clients which of them to use.
Let the proxy resume no TLS sessions, as in the sample of nginx: a resumed one shows the certificate of an earlier connection.
[This example](../examples/mtls-behind-a-proxy/README.md) is such a proxy, with a check that also works for others.

A signature of the request needs no listener: it proves the key over the public address. It names \`PUBLIC_URL\`, so a proxy must pass on the
path and the body unchanged. Clocks must agree: a signature lives a minute.

## Limits

Requests are rate-limited; excess requests get \`429\` with \`RateLimit-Policy\`, \`RateLimit\` and \`Retry-After\`. A network is an IPv4
address or the /64 of an IPv6 address. Behind a proxy, list the proxy in \`TRUSTED_PROXIES\`; otherwise all visitors count as one.

Neighbouring networks share a larger limit: the /24 of IPv4 may send 16 times what one address may, the /56 and the /48 of IPv6 4 and 16
times what one /64 may. Signed-in callers are counted by their key or session instead of their network. Bodies above 64 kB also count by
their size: 3 MB a minute for a network without a key, 60 MB for a provider. A chunked body has no size beforehand, so it counts as the
largest that its endpoint accepts. A network holds at most 500 connections.

${markdownTable(['limit', 'size', 'per', 'endpoints', 'counted by'], limitRows)}

After ten wrong passwords for an address within an hour, every further attempt is delayed: up to half a minute in the same network,
up to four seconds elsewhere. A network from which the owner signed in within 30 days, and since the last change of the password, is not delayed by attempts elsewhere.

All strangers together can send three emails of each kind to one inbox per hour; aliases (\`ada+1@…\`, and dots at Gmail) count as one inbox.
Networks from which the owner signed in within 30 days, in any way, have their own three; a new password ends this for all others. Any verification email to a mailbox, even one that a stranger requested,
completes the registration of the browser that opens it, so using up these emails keeps no one from registering.

A provider may mint \`LINKS_PER_DAY\` links per day (UTC), and \`LINKS_PER_DAY_UNPROVEN\` while it has no proven domain, with all its keys
together. Beyond that, minting returns \`429\` \`quota_exceeded\` until midnight UTC. Each process counts in memory and adds its count to the
database every ten seconds, so a provider can exceed its quota by what it mints in ten seconds on all replicas. A process that is killed
forgets its last ten seconds.

A provider may also register \`MODELS_PER_DAY\` versions of models per day (UTC) and have \`MODELS_TOTAL\`, archived ones included; without a
proven domain \`MODELS_PER_DAY_UNPROVEN\` and \`MODELS_TOTAL_UNPROVEN\`. Beyond that, registering returns \`429\` \`quota_exceeded\` until
midnight UTC, or \`422\` if the total is reached. Owners see all quotas in the dashboard and with \`countersign usage\`, with a warning from
80%. With \`RATE_LIMITS=off\`, links and versions are counted but never rejected.

A process that is busy for more than four fifths of the time rejects anonymous reads with \`503\` and \`Retry-After\`, a growing share each
second. Verifying, minting and all requests of providers continue. \`countersign_shed_ratio\` and
\`countersign_event_loop_utilization_ratio\` show when you need another replica.

Requests that wait for a busy process are handled in turns: one of each network (the /24 of IPv4, the /48 of IPv6), verifications first.

## Domains

The registry reads domain proofs from DNS. Set \`DNS_RESOLVERS\` to at least two resolvers, preferably of different operators; all must agree.
The default is the system's resolvers; on a public address, the registry does not start with fewer than two. Every proof is checked daily. To
manage proofs by hand:

\`\`\`sh
countersign-server domains list           # proven domains, their providers, when each was confirmed
countersign-server domains show DOMAIN    # every account that claims a domain
countersign-server domains end DOMAIN     # end a proof until you allow it again; recorded in the trail; a verified owner is emailed
countersign-server domains allow DOMAIN   # let that account prove the domain again
\`\`\`

## Jobs

Emails, health checks, domain proofs and cleanup run as jobs inside the process. With several replicas, each job runs on one replica at
a time; if that replica dies, another takes over within a minute. The metrics \`countersign_job_duration_seconds\` and
\`countersign_job_last_success_timestamp_seconds\` cover each job by name.

## Health, metrics and logs

- \`/livez\`: the process responds. \`/readyz\`: the database and keys can be read, and the registry is not shutting down.
  \`/readyz?for=writes\`: it can also write, and (with SQLite) has disk space.
- \`METRICS_PORT\` serves Prometheus metrics at \`/metrics\`, by default on loopback only. [operating.md](operating.md#metrics) lists them.
- Logs are JSON lines on standard output. They contain routes, never addresses, bodies or credentials.
- On SIGTERM, \`/readyz\` returns 503, accepted requests are completed, and the process exits within ten seconds. A second signal stops
  it at once.

## Backups

[operating.md](operating.md#backups) describes \`countersign-server backup\`, \`restore\` and \`migrate\`. Back up the key encryption key as
well, in another place.

## A development registry

If \`PUBLIC_URL\` is a loopback address, the console shows "Development registry" on every page, and reserved names such as
\`acme.example\` can be proven with \`DEV_DNS_SERVERS\` set to DNS servers on loopback. Neither works on a public address.
`
