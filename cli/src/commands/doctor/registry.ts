import { ApiError, type Countersign } from '@countersign/sdk'
import type { Jwks } from '@countersign/sdk/contract'
import { describeProvider } from '@countersign/sdk/words/company'
import { maskKey } from '../../config/credential.ts'
import { type Context, hasEnded } from '../../context.ts'
import { fetchFor } from '../../registry/connect.ts'
import { daysUntil, fail, type Look, ok, reasonOf, skipped, warn } from './finding.ts'

/** What one request for the keys shows about HTTP, the clock, and the keys. */
export interface Answer {
  http: Look
  clock: Look
  keys: Look
  jwks: Jwks | undefined
}

export type Ask = (url: string) => Promise<{ response: Response; text: string }>

/** Makes the request as every command does: through the configured proxy and authority. */
export const createAsk = async (context: Context, url: string, given?: typeof fetch): Promise<Ask> => {
  const caFile = context.setting('ca_file')
  const wiring = { url, env: context.env, caFile: caFile && context.files.pathOf(caFile), cwd: '' }
  const call = given ?? context.fetch ?? (await fetchFor(wiring)) ?? fetch
  return async (address) => {
    const limit = AbortSignal.timeout(Number(context.setting('timeout')) * 1_000)
    const response = await call(address, { redirect: 'manual', signal: AbortSignal.any([context.signal, limit]) })
    return { response, text: await response.text() }
  }
}

const notChecked = (reason: string) => skipped(`Not checked: ${reason}`)

export const askForKeys = async (context: Context, ask: Ask, url: string): Promise<Answer> => {
  const address = `${url.replace(/\/+$/, '')}/.well-known/jwks.json`
  const failed = (http: Look): Answer => ({
    http,
    clock: notChecked('http failed'),
    keys: notChecked('http failed'),
    jwks: undefined,
  })
  const sent = context.now()
  try {
    const { response, text } = await ask(address)
    const clock = compareClocks(sent, context.now(), response.headers.get('date'))
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      return {
        ...failed(
          fail(8, `${url} redirects elsewhere: is the address complete?`, 'countersign config explain api_url'),
        ),
        clock,
      }
    if (!response.ok)
      return {
        ...failed(fail(8, `${address} answers ${response.status}`, 'countersign config explain api_url')),
        clock,
      }
    const jwks = keysIn(text)
    if (jwks === undefined)
      return {
        ...failed(fail(8, `${url} answers, but is not a registry`, 'countersign config explain api_url')),
        clock,
      }
    return {
      http: ok(`${address} answers ${response.status}`),
      clock,
      keys: evaluateKeys(jwks, response.headers),
      jwks,
    }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    return failed(fail(8, `Could not reach ${address}: ${reasonOf(error)}`, 'countersign config explain api_url'))
  }
}

const keysIn = (text: string): Jwks | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys))
      return { keys: value.keys }
  } catch {}
  return undefined
}

/** Keys cached for too long may lack a new key or include a withdrawn one. */
const evaluateKeys = ({ keys }: Jwks, headers: Headers): Look => {
  if (keys.length === 0) return fail(9, 'The registry has no public keys; tell its operator', null)
  const age = Number(headers.get('age') ?? 0)
  const mayBe = Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? 0)
  const facts = `${keys.length} public key${keys.length === 1 ? '' : 's'}: ${keys.map(({ kid }) => String(kid).slice(0, 8)).join(', ')}`
  if (age > mayBe) return warn(`${facts}; a cache kept them for ${age} seconds, but at most ${mayBe} are allowed`, null)
  return ok(`${facts}, ${age} seconds old (at most ${mayBe} allowed)`)
}

/** The Date header has whole seconds, and the round trip adds some. */
const tolerance = 5
const most = 60

const setClock =
  process.platform === 'darwin'
    ? 'sudo sntp -sS time.apple.com'
    : process.platform === 'win32'
      ? 'w32tm /resync'
      : 'sudo timedatectl set-ntp true'

export const compareClocks = (sent: Date, received: Date, date: string | null): Look => {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return skipped('The answer contains no time')
  const seconds = Math.round((Math.min(Math.max(at, sent.getTime() - 1_000), received.getTime()) - at) / 1_000)
  const off = `This clock is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the registry’s`
  if (Math.abs(seconds) <= tolerance) return ok('This clock and the registry’s agree')
  const consequence = 'tokens cannot be checked reliably'
  return Math.abs(seconds) > most
    ? fail(9, `${off}; ${consequence}`, setClock)
    : warn(`${off}; ${consequence}`, setClock)
}

/** Whether the registry is ready, if it reports that publicly. */
export const askReady = async (ask: Ask, url: string): Promise<Look> => {
  try {
    const { response, text } = await ask(`${url.replace(/\/+$/, '')}/readyz`)
    if (response.status === 200) return ok('The registry is ready')
    if (response.status !== 503) return skipped('The registry does not report this')
    const { checks } = JSON.parse(text) as { checks?: Record<string, unknown> }
    const wrong = Object.entries(checks ?? {}).flatMap(([name, state]) =>
      state === (name === 'draining') ? [name] : [],
    )
    return warn(`The registry is not ready: ${wrong.join(', ')}; tell its operator`, null)
  } catch {
    return skipped('The registry does not report this')
  }
}

export const askVersion = async (ask: Ask, url: string): Promise<string | null> => {
  try {
    const { text } = await ask(`${url.replace(/\/+$/, '')}/openapi.json`)
    const { info } = JSON.parse(text) as { info?: { version?: unknown } }
    return typeof info?.version === 'string' && /^[\w.+-]{1,40}$/.test(info.version) ? info.version : null
  } catch {
    return null
  }
}

export interface Account {
  credentials: Look
  provider: Look
  /** Only if the key is valid. */
  client: Countersign | undefined
}

const soonDays = 14
const logIn = 'countersign auth login'

export const lookAtAccount = async (context: Context, isReachable: boolean): Promise<Account> => {
  const anonymous = (credentials: Look): Account => ({
    credentials,
    provider: notChecked(isReachable ? 'there is no valid API key' : 'the registry cannot be reached'),
    client: undefined,
  })
  try {
    const found = context.credential()
    if (found === undefined && context.profile.saved.api_key !== undefined)
      return anonymous(
        fail(4, `The saved key belongs to ${context.profile.saved.key_origin} and is only sent there`, logIn),
      )
    if (found === undefined) return anonymous(warn('No API key; only public checks are possible', logIn))
    if (found.source === 'profile' && hasEnded(context))
      return anonymous(
        context.profile.saved.publisher_id === undefined
          ? fail(4, 'The session has expired', logIn)
          : fail(4, 'The token of this job has expired', 'countersign auth login --oidc'),
      )
    const shownKey = `${maskKey(found.key)} from the ${found.source}`
    if (!isReachable) return anonymous(notChecked(`the registry cannot be reached (${shownKey})`))
    const client = await context.connect()
    const me = await client.providers.me()
    const key = await client.keys.list().then(
      (all) => all.find(({ id }) => id === me.key_id),
      () => undefined,
    )
    return { credentials: evaluateKey(shownKey, key, context.now()), provider: evaluateProvider(me), client }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    // A job's token may publish but not look itself up.
    if (error instanceof ApiError && error.code === 'forbidden')
      return anonymous(
        warn(`The key is valid but may not read the account: ${error.detail}`, 'countersign auth status'),
      )
    const exit = error instanceof ApiError && error.status >= 500 ? 8 : 4
    return anonymous(
      fail(exit, `The key was rejected: ${error instanceof ApiError ? error.detail : reasonOf(error)}`, logIn),
    )
  }
}

type Key = Awaited<ReturnType<Countersign['keys']['list']>>[number]

const evaluateKey = (shownKey: string, key: Key | undefined, now: Date): Look => {
  if (key === undefined) return ok(`${shownKey}: valid; it may not read its own scopes`)
  const facts = `${shownKey}: valid for ${key.scopes?.join(', ') ?? 'everything'}, ${key.expires_at === null ? 'never expires' : `until ${key.expires_at}`}`
  const days = key.expires_at === null ? Number.POSITIVE_INFINITY : daysUntil(new Date(key.expires_at), now)
  return days < soonDays ? warn(facts, 'countersign keys create NAME') : ok(facts)
}

const evaluateProvider = (me: {
  id: string
  company_name: string | null
  domain: string | null
  domain_verified: boolean
  is_active: boolean
  is_protected: boolean
  delayed_changes: number
}): Look => {
  const name = me.domain ?? me.id
  if (!me.is_active)
    return fail(4, `${describeProvider(me)} is deactivated: none of its links work`, 'countersign providers reactivate')
  if (!me.domain_verified)
    return warn(
      `${name} is not verified; links say that no one has checked who you are`,
      'countersign providers verify-domain',
    )
  if (me.delayed_changes > 0)
    return warn(`${name} has changes that take effect soon, unless an owner cancels them`, 'countersign changes list')
  return ok(`${name}, verified; ${me.is_protected ? 'protected by a passkey' : 'unprotected: no passkey'}`)
}
