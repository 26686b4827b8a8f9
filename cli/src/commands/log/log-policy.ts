import { formatVkey, LogError, type LogPolicy, parsePolicy, parseVkey } from '@countersign/sdk/log'
import type { Flags } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { DescribedLog } from './described-log.ts'
import { createFetcher, createLogSource, type LogSource, unreachable } from './log-source.ts'

/** The log to read, and the policy that names its witnesses. */
export interface ChosenLog {
  policy: LogPolicy
  /** The policy as text, to pin it. */
  text: string
  /** The person chose it; otherwise the registry named its own key. */
  isPinned: boolean
  source: LogSource
  /** What the registry says about the log now; undefined if the log’s address has no registry. */
  describe: () => Promise<DescribedLog | undefined>
}

export const parsePolicyText = (text: string, where: string): LogPolicy => {
  try {
    return parsePolicy(text)
  } catch (error) {
    if (error instanceof LogError) throw usage(`${where}: ${error.message}`)
    throw error
  }
}

const wellKnown = '.well-known/countersign-log'

/** What the registry says about its log; undefined if it has none. */
export const describeLog = async (context: Context): Promise<DescribedLog | undefined> => {
  // Rejects unencrypted HTTP to another machine, where others could exchange the key.
  await context.connect({ key: 'none' })
  const registry = createLogSource(context.setting('api_url') ?? '', await createFetcher(context))
  return DescribedLog.safeParse(await registry.json(wellKnown)).data
}

/** The key that the registry shows now, as a policy without witnesses. */
const askRegistry = async (context: Context): Promise<string> => {
  const found = await describeLog(context)
  if (!found) throw unreachable(context.setting('api_url') ?? '', 'this registry has no transparency log')
  try {
    // Nothing but keys: more text could be an address or a witness.
    return `${found.vkeys.map((vkey) => `log ${formatVkey(parseVkey(vkey))}\n`).join('')}quorum none\n`
  } catch (error) {
    if (error instanceof LogError) throw unreachable(context.setting('api_url') ?? '', error.message)
    throw error
  }
}

/** `--policy`, or what an earlier run pinned, or the key that the registry shows. */
export const chooseLog = async (context: Context, flags: Flags, saved: string | null = null): Promise<ChosenLog> => {
  const file = flags.text('policy')
  const given = file === undefined ? saved : Buffer.from(await context.files.read(file)).toString('utf8')
  const text = given ?? (await askRegistry(context))
  const policy = parsePolicyText(text, file ?? 'The registry’s key')
  const [first] = policy.logs
  if (!first) throw usage(`${file ?? 'The policy'} names no log`, 'Add a line: log VKEY')
  const url = flags.text('log') ?? first.url ?? `${(context.setting('api_url') ?? '').replace(/\/+$/, '')}/log`
  const fetcher = await createFetcher(context)
  return {
    policy,
    text,
    isPinned: given !== null,
    source: createLogSource(url, fetcher),
    describe: async () => {
      const answer = await createLogSource(new URL(url).origin, fetcher)
        .json(wellKnown)
        .catch(() => undefined)
      return DescribedLog.safeParse(answer).data
    },
  }
}
