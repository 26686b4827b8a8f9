import type { KeyObject } from 'node:crypto'
import {
  type DeviceAuthorization,
  type DeviceError,
  type DeviceRequest,
  type DeviceToken,
  Refusal,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { MailService } from '../mail/service.ts'
import { networkOf } from '../networks.ts'
import { codeHash, hashSecret, newCode, newSecret, normalCode } from '../secrets.ts'
import type { SessionService } from '../sessions/service.ts'
import { afterPoll, deviceMs, intervalMs, notApproved, unknownCode } from './rules.ts'
import { deleteDevice, findDevice, findMailbox, insertDevice, lockDevice, setDevice, type Waiting } from './store.ts'

interface Deps {
  database: Database
  sessions: Pick<SessionService, 'begin' | 'hold'>
  mail: Pick<MailService, 'queue'>
  /** Keys the hashes of codes. */
  secret: KeyObject
  publicUrl: string
  now: () => number
}

type Browser = Pick<Visitor, 'address' | 'userAgent'>
type Found = NonNullable<Awaited<ReturnType<typeof findDevice>>>

const personOf = ({ person_id, session_id, provider_id, isDevice }: Caller) => {
  if (person_id === null || session_id === null || isDevice)
    throw new Refusal('forbidden', 'Only a person can sign a device in: open /device in a browser.')
  return { person_id, session_id, provider_id }
}

/** Sessions of machines without a browser, which a person approves in one (RFC 8628). */
export const createDeviceService = ({ database, sessions, mail, secret, publicUrl, now }: Deps) => {
  const requestOf = (user_code: string, { data, created_at, expires_at }: Found, address: string): DeviceRequest => ({
    user_code: shownCode(user_code),
    name: data.name,
    user_agent: data.user_agent,
    address: data.address,
    is_same_network: networkOf(data.address) === networkOf(address),
    created_at: timeOf(created_at),
    expires_at: timeOf(expires_at),
  })

  /** Each code is decided once. */
  const decide = async (caller: Caller, user_code: string, { address }: Browser, state: 'approved' | 'denied') => {
    const { person_id, session_id, provider_id } = personOf(caller)
    const hash = codeHash(secret, user_code)
    return database.transaction(async (tx) => {
      const row = await lockDevice(tx, { hash, at: now() })
      if (row?.data.state !== 'open') throw unknownCode()
      await setDevice(tx, hash, { person_id, provider_id, data: { ...row.data, state, session_id } })
      return requestOf(user_code, row, address)
    })
  }

  const emailPerson = async (tx: Tx, person_id: string, { name, address }: Waiting) => {
    const person = await findMailbox(tx, person_id)
    if (!person) return
    await mail.queue(tx, {
      to: person.email,
      subject: 'A device was signed in to your account',
      lines: [
        `This was approved in a browser. The device asked from the network address ${address} and calls itself:`,
        { quote: name },
        'It can do what your role allows, except what needs your passkey. If this wasn’t you, end its session and change your password:',
        { link: `${publicUrl}/dashboard?tab=settings&section=sessions`, label: 'Open your settings' },
      ],
    })
  }

  /** In one transaction, whose result may be an error that must be stored first. */
  const poll = async (
    tx: Tx,
    { hash, secret_hash, at }: { hash: string; secret_hash: string; at: number },
  ): Promise<DeviceError | DeviceToken> => {
    const row = await lockDevice(tx, { hash, at })
    if (row?.cookie_hash !== secret_hash) return 'expired_token'
    const { person_id, provider_id, data } = row
    const { isTooEarly, ...polling } = afterPoll(data, at)
    await setDevice(tx, hash, { data: { ...data, ...polling } })
    if (isTooEarly) return 'slow_down'
    if (data.state === 'open') return 'authorization_pending'
    if (data.state === 'denied' || person_id === null || provider_id === null || data.session_id === null)
      return 'access_denied'
    await deleteDevice(tx, hash)
    // A new password ends the sessions, and with them what they approved.
    if (!(await sessions.hold(tx, { person_id, id: data.session_id }))) return 'access_denied'
    const { token, expires_at } = await sessions.begin(tx, {
      person_id,
      provider_id,
      userAgent: data.user_agent,
      device: data.name,
    })
    await emailPerson(tx, person_id, data)
    const expires_in = Math.floor((Date.parse(expires_at) - at) / 1_000)
    return { access_token: token, token_type: 'Bearer', expires_in, provider_id }
  }

  return {
    async begin({ name }: { name: string }, { address, userAgent }: Browser): Promise<DeviceAuthorization> {
      const [user_code, device_secret, at] = [newCode(), newSecret(), now()]
      await database.transaction((tx) =>
        insertDevice(tx, {
          hash: codeHash(secret, user_code),
          secret_hash: hashSecret(device_secret),
          data: {
            name,
            address,
            user_agent: userAgent,
            state: 'open',
            session_id: null,
            interval_ms: intervalMs,
            polled_at: null,
          },
          created_at: at,
          expires_at: at + deviceMs,
        }),
      )
      const page = `${publicUrl}/device`
      return {
        // Found by its first part, proven by the second.
        device_code: `${normalCode(user_code)}.${device_secret}`,
        user_code,
        verification_uri: page,
        // After `#`, so that the code is in no log.
        verification_uri_complete: `${page}#${user_code}`,
        expires_in: deviceMs / 1_000,
        interval: intervalMs / 1_000,
      }
    },

    async token({ device_code }: { device_code: string }): Promise<DeviceToken> {
      const [code = '', device_secret = ''] = device_code.split('.')
      const of = { hash: codeHash(secret, code), secret_hash: hashSecret(device_secret), at: now() }
      const outcome = await database.transaction((tx) => poll(tx, of))
      if (typeof outcome === 'string') throw notApproved(outcome)
      return outcome
    },

    async find(caller: Caller, user_code: string, { address }: Browser): Promise<DeviceRequest> {
      personOf(caller)
      const row = await findDevice(database.read, { hash: codeHash(secret, user_code), at: now() })
      if (row?.data.state !== 'open') throw unknownCode()
      return requestOf(user_code, row, address)
    },

    approve: (caller: Caller, user_code: string, browser: Browser) => decide(caller, user_code, browser, 'approved'),

    deny: (caller: Caller, user_code: string, browser: Browser) => decide(caller, user_code, browser, 'denied'),
  }
}

/** As the terminal shows it. */
const shownCode = (typed: string) => normalCode(typed).replace(/^(.{5})(.*)$/, '$1-$2')

export type DeviceService = ReturnType<typeof createDeviceService>
