import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, ConnectionError, type Countersign } from '@countersign/sdk'
import { type DeviceAuthorization, type DeviceToken, deviceGrantType } from '@countersign/sdk/contract'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { openInBrowser } from '../../io/browser.ts'
import { printRequest } from '../../registry/request.ts'
import { printable } from '../../render/output.ts'
import { exitOf } from '../../render/report.ts'
import { keepKey } from './auth.ts'

/** RFC 8628 §3.5: what `slow_down` adds to the interval. */
const slowDownSeconds = 5

/** A person approves this machine in a browser, here or elsewhere. The session is saved like a key. */
export const logInWithBrowser = async (context: Context): Promise<void> => {
  const name = printable(hostname()).trim().slice(0, 60) || 'a terminal'
  if (context.isDryRun) return printRequest(context, 'devices', 'begin', {}, { name })
  const client = await context.connect({ key: 'none' })
  const begun = await client.devices.begin({ name })
  await show(context, begun)
  const { access_token, expires_in } = await waitForSession(context, client, begun)
  const expires_at = new Date(context.now().getTime() + expires_in * 1_000).toISOString()
  await keepKey(context, access_token, { expires_at })
}

const show = async ({ out, env }: Context, begun: DeviceAuthorization) => {
  const { user_code, verification_uri, verification_uri_complete: url, expires_in } = begun
  out.say(`Your code:  ${user_code}\n`)
  const isOpened = await openInBrowser(checkWeb(url), env).then(
    () => true,
    () => false,
  )
  out.say(
    isOpened
      ? `Your browser opens ${verification_uri}. Or open it on any other machine.`
      : `Open ${verification_uri} in a browser, on this or any other machine.`,
  )
  out.say('Approve there if it shows the same code and this machine’s name.')
  out.say(`Waiting for up to ${Math.round(expires_in / 60)} minutes; Ctrl-C stops …`)
}

/** The registry chooses the address: a program that opens files must not get one. */
const checkWeb = (url: string) => {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url
  throw new Failure('bad_answer', 8, 'The registry answered with an address that is not a web page')
}

const waitForSession = async (
  { signal }: Context,
  client: Countersign,
  { device_code, interval }: DeviceAuthorization,
): Promise<DeviceToken> => {
  for (let seconds = interval; ; ) {
    await wait(seconds * 1_000, undefined, { signal })
    try {
      return await client.devices.token({ grant_type: deviceGrantType, device_code })
    } catch (error) {
      const reason = error instanceof ApiError ? error.problem?.error : undefined
      if (reason === 'slow_down') seconds += slowDownSeconds
      else if (reason !== 'authorization_pending' && !isTemporary(error)) throw withNextStep(error)
    }
  }
}

const isTemporary = (error: unknown) =>
  error instanceof ConnectionError || (error instanceof ApiError && error.retryable)

const withNextStep = (error: unknown) =>
  error instanceof ApiError && error.code === 'device_not_approved'
    ? new Failure(error.code, exitOf(error.code, error.status), error.detail, 'Start again: countersign auth login', {
        cause: error,
      })
    : error
