import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, rootCertificates, type TLSSocket } from 'node:tls'
import type { Context } from '../../context.ts'
import { isPlainHttp } from '../../registry/connect.ts'
import { shellWord } from '../../render/shell-word.ts'
import { daysUntil, fail, type Look, ok, reasonOf, skipped, warn } from './finding.ts'

export interface Reach {
  dns: Look
  tcp: Look
  tls: Look
}

interface Address {
  host: string
  port: number
}

interface Target extends Pick<ConnectionOptions, 'cert' | 'key'> {
  url: string
  caFile: string | undefined
  /** The option or setting that gave the address. */
  setting: 'api_url' | 'tls_url'
}

const soonDays = 14

/** Name lookup, connection and handshake, each reported separately. */
export const reach = async (context: Context, target: Target): Promise<Reach> => {
  const { protocol, hostname, port } = new URL(target.url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const address = { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) }
  const skippedAfter = (what: string) => skipped(`Not checked: ${what} failed`)

  const fix = fixOf(context, target.setting)
  const dns = await lookUpHost(host, fix)
  if (dns.status === 'fail') return { dns, tcp: skippedAfter('dns'), tls: skippedAfter('dns') }
  const { look: tcp, socket } = await open(context, address, fix)
  if (socket === undefined) return { dns, tcp, tls: skippedAfter('tcp') }
  try {
    return {
      dns,
      tcp,
      tls: protocol === 'https:' ? await shakeHands(context, socket, address, target) : plain(context, host),
    }
  } finally {
    socket.destroy()
  }
}

/** Behind a proxy, name lookup and connection happen at the proxy. */
export const throughProxy: Reach = {
  dns: skipped('The proxy looks up the name'),
  tcp: skipped('The proxy connects'),
  tls: skipped('Through a proxy; see http'),
}

/** If no address was set, setting one is the fix. */
const fixOf = ({ explain }: Context, setting: Target['setting']) =>
  explain(setting).source === 'default'
    ? `countersign config set ${setting} URL`
    : `countersign config explain ${setting}`

const lookUpHost = async (host: string, fix: string): Promise<Look> => {
  if (isIP(host) !== 0) return skipped(`${host} is an IP address; no lookup needed`)
  try {
    const found = await lookup(host, { all: true })
    return ok(`${host} resolves to ${found.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return fail(8, `The name ${host} could not be resolved: ${reasonOf(error)}`, fix)
  }
}

const limitOf = ({ signal, setting }: Context) =>
  AbortSignal.any([signal, AbortSignal.timeout(Number(setting('timeout')) * 1_000)])

const open = async (
  context: Context,
  { host, port }: Address,
  fix: string,
): Promise<{ look: Look; socket?: Socket }> => {
  const socket = connectTcp({ host, port })
  try {
    await once(socket, 'connect', { signal: limitOf(context) })
    return { look: ok(`${host}:${port} answers (${socket.remoteAddress})`), socket }
  } catch (error) {
    socket.destroy()
    if (context.signal.aborted) throw context.signal.reason
    return { look: fail(8, `Nothing answers at ${host}:${port}: ${reasonOf(error)}`, fix) }
  }
}

const isLoopback = (host: string) => /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)

const plain = ({ allowsInsecureHttp }: Context, host: string): Look => {
  if (isLoopback(host)) return skipped('plain http on this machine')
  const fix = `countersign config set api_url ${shellWord(`https://${host}`)}`
  return allowsInsecureHttp
    ? warn('plain http exposes everything on the way, even the key', fix)
    : fail(2, 'plain http exposes everything on the way, even the key; commands use it only with --insecure-http', fix)
}

const shakeHands = async (context: Context, socket: Socket, { host, port }: Address, target: Target): Promise<Look> => {
  const { caFile, cert, key } = target
  let tls: TLSSocket | undefined
  try {
    const ca = caFile === undefined ? undefined : [...rootCertificates, readFileSync(caFile, 'utf8')]
    tls = connectTls({ socket, servername: isIP(host) === 0 ? host : '', rejectUnauthorized: false, ca, cert, key })
    await once(tls, 'secureConnect', { signal: limitOf(context) })
    return evaluate(tls, { host, port }, target, context.now())
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    if (isPlainHttp(error))
      return fail(
        8,
        `${host}:${port} does not speak TLS; did you mean http://${host}:${port}?`,
        'countersign config explain api_url',
      )
    return fail(8, `TLS with ${host} failed: ${reasonOf(error)}`, `openssl s_client -connect ${host}:${port}`)
  } finally {
    tls?.destroy()
  }
}

const evaluate = (tls: TLSSocket, { host, port }: Address, { caFile, setting }: Target, now: Date): Look => {
  const certificate = tls.getPeerX509Certificate()
  if (certificate === undefined) return fail(8, `${host} sent no certificate; tell its operator`, null)
  const days = daysUntil(certificate.validToDate, now)
  const end = certificate.validToDate.toISOString()
  if (!tls.authorized)
    return fail(
      8,
      `The certificate of ${host}:${port} is not trusted${caFile === undefined ? '' : ` with ${caFile}; check the address and this file`}: ${reasonOf(tls.authorizationError)}`,
      caFile === undefined ? 'countersign config set ca_file CA.pem' : `countersign config explain ${setting}`,
    )
  // The handshake only checks names if a name was requested.
  if (isIP(host) !== 0 && certificate.checkIP(host) === undefined)
    return fail(8, `The certificate is not valid for ${host}`, 'countersign config explain api_url')
  if (days < soonDays)
    return warn(`The certificate of ${host} expires ${end}, in ${days} days; tell its operator`, null)
  return ok(`${tls.getProtocol()}, certificate valid until ${end}`)
}
