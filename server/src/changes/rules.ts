import { Refusal, type Staged, type StagedChange } from '@countersign/sdk/contract'

export const changeLifetimeMs = 7 * 24 * 3_600_000
export const maxOpenChanges = 20
/** How often the keys of a provider may stop something without a person. */
export const stopsPerHour = 3
export const hourMs = 3_600_000

export const factorRequired = () =>
  new Refusal(
    'presence_required',
    'Your company is protected: add a passkey to your own account first, in the settings of the console.',
  )

export const personRequired = () =>
  new Refusal(
    'presence_required',
    'Only a person can do this, in the console and with a passkey or an authenticator. An API key or a signed-in device cannot.',
  )

export const tooManyChanges = () =>
  new Refusal(
    'too_many_changes',
    `${maxOpenChanges} changes wait for approval. Approve or reject some in the console, or with \`countersign changes\`.`,
  )

export const noLongerOpen = (state: StagedChange['state']) =>
  new Refusal(
    'already_decided',
    state === 'delayed'
      ? 'This change takes effect later. Cancel it instead.'
      : `This change is ${state}. Make the call again if it is still wanted.`,
  )

export const stateOf = (
  {
    state,
    expires_at,
  }: { state: 'open' | 'approved' | 'rejected' | 'stop' | 'delayed' | 'done' | 'cancelled'; expires_at: number },
  now: number,
): StagedChange['state'] => {
  if (state === 'open') return expires_at > now ? 'open' : 'expired'
  return state === 'stop' ? 'approved' : state
}

/** Values of a call without absent ones, as text. */
export const paramsOf = (params: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((params ?? {}) as Record<string, unknown>).map(([name, value]) => [name, String(value)]),
  )

/** The response to a call that was staged. */
export const stagedAnswer = (change: StagedChange): Staged => ({
  code: 'change_staged',
  detail: `Nothing has changed yet. A person must approve the change ${change.id} in the console, within 7 days: ${change.summary}.`,
  change,
})
