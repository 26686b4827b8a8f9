import { LogError, type LogPolicy, parsePolicy } from '@countersign/sdk/log'
import { z } from 'zod'
import type { Flags } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { createFetcher, createLogSource, type LogSource, unreachable } from './log-source.ts'

const Described = z.object({ origin: z.string(), vkeys: z.array(z.string()).min(1) })

/** The log to read, and the policy that names its witnesses. */
export interface ChosenLog {
  policy: LogPolicy
  /** The policy as text, to pin it. */
  text: string
  /** The person chose it; otherwise the registry named its own key. */
  isPinned: boolean
  source: LogSource
}

export const parsePolicyText = (text: string, where: string): LogPolicy => {
  try {
    return parsePolicy(text)
  } catch (error) {
    if (error instanceof LogError) throw usage(`${where}: ${error.message}`)
    throw error
  }
}

/** The key that the registry shows now, as a policy without witnesses. */
const askRegistry = async (context: Context): Promise<string> => {
  const address = context.setting('api_url') ?? ''
  // Rejects unencrypted HTTP to another machine, where others could exchange the key.
  await context.connect({ key: 'none' })
  const registry = createLogSource(address, await createFetcher(context))
  const found = Described.safeParse(await registry.json('.well-known/countersign-log'))
  if (!found.success) throw unreachable(address, 'this registry has no transparency log')
  return `${found.data.vkeys.map((vkey) => `log ${vkey}\n`).join('')}quorum none\n`
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
  return { policy, text, isPinned: given !== null, source: createLogSource(url, await createFetcher(context)) }
}
