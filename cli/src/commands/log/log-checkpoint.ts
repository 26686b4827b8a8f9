import { LogError } from '@countersign/sdk/log'
import type { Call } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { facts } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'
import { toBase64 } from './evidence.ts'
import { chooseLog } from './log-policy.ts'
import { fetchCheckpoint } from './monitor/follow-log.ts'
import { Misbehaviour } from './monitor/misbehaviour.ts'

/** The log shows something that its key did not sign: exit 3. */
export const asFailure = (error: unknown): unknown => {
  if (error instanceof Misbehaviour)
    return new Failure(
      'log_invalid',
      3,
      `The log misbehaved (${error.message})`,
      'Run `countersign log monitor` for the evidence',
    )
  return error instanceof LogError ? new Failure('log_invalid', 3, error.message) : error
}

/** The last second that a date can express: a witness may sign any number. */
const lastSecond = 8_640_000_000_000

/** Witnesses with the times of their cosignatures. */
export const cosignedAt = (cosigned: ReadonlyMap<string, number>) =>
  [...cosigned].map(([name, time]) => ({ name, at: new Date(Math.min(time, lastSecond) * 1_000).toISOString() }))

export const witnessWords = (witnesses: ReturnType<typeof cosignedAt>, isPinned: boolean) =>
  witnesses.length === 0
    ? isPinned
      ? 'none that the policy names'
      : 'not checked: no policy given'
    : witnesses.map(({ name, at }) => `${name} (${shownTime(at)})`).join(', ')

/** `countersign log checkpoint` */
export const showCheckpoint = async (context: Context, { flags }: Call) => {
  const { isPinned, ...log } = await chooseLog(context, flags)
  const { policy, ...found } = await fetchCheckpoint(log).catch((error: unknown) => {
    throw asFailure(error)
  })
  const witnesses = cosignedAt(found.cosigned)
  const value = {
    origin: found.origin,
    size: found.size,
    root: toBase64(found.root),
    witnesses,
    is_witnessed: found.isWitnessed && policy.quorum !== 'none',
    is_pinned: isPinned,
  }
  context.out.print({
    value,
    ids: [value.root],
    text: (paint) =>
      facts(
        [
          ['Log', value.origin],
          ['Entries', value.size],
          ['Root', value.root],
          ['Witnesses', witnessWords(witnesses, isPinned)],
          ['Checked with', isPinned ? 'your policy' : 'the key that the registry shows; pin one with --policy'],
        ],
        paint,
      ),
  })
  return found.isWitnessed ? 0 : 9
}
