import { formatVkey } from '@countersign/sdk/log'
import { formatEntry, hideText, type OpenEntry } from '@countersign/sdk/log/entries'
import { expect } from 'vitest'
import { shapes } from '../../cli/src/shapes/index.ts'
import { createNoteSigner, createTestLog, serveLog, type TestLog } from '../support/transparency-log.ts'
import { createQuickCommandLine } from './in-process.ts'
import { createThirdParty } from './third-party.ts'

export const salt = new Uint8Array(32).fill(9)
const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 0, minute)).toISOString()
export const opened = (origin: string): OpenEntry => ({ v: 1, type: 'log.opened', at: at(0), origin, imported: 0 })
export const proven = (domain: string, minute = 1, name = 'A company'): OpenEntry => ({
  v: 1,
  type: 'domain.proven',
  at: at(minute),
  provider: `prv_${domain}`,
  domain,
  method: 'dns',
  company_name: hideText('company_name', name, salt),
})
export const disabled = (provider: string, minute: number): OpenEntry => ({
  v: 1,
  type: 'deployment.disabled',
  at: at(minute),
  provider,
  deployment: 'dep_1',
})

export const origin = 'registry.example/log'
export const add = (log: TestLog, ...entries: OpenEntry[]) => log.append(...entries.map(formatEntry))
/** A log that was opened, with this many domains. */
export const createOpened = (domains: number, signer = createNoteSigner(origin, 1)) => {
  const log = createTestLog(origin, signer)
  add(log, opened(origin))
  for (let index = 0; index < domains; index++) add(log, proven(`d${index}.example`, index))
  return log
}

export interface Answer {
  size: number
  is_witnessed: boolean
  new_entries: number
  unknown_entries: number
  unnamed_entries: number
  findings: { index: number; because: string; near: string | null; type: string; texts: Record<string, string> }[]
  sources: { state: string }[]
  evidence: { kind: string; file: string } | null
}

/** A monitor of a served log, with a state folder. */
export const createMonitor = async (log: TestLog, policy = `log ${formatVkey(log.signer.key)}\nquorum none\n`) => {
  const source: { log: Pick<TestLog, 'file'> } = { log }
  const address = await serveLog(source)
  const cli = await createQuickCommandLine(address)
  await cli.write('acme.policy', policy)
  const options = ['--policy', 'acme.policy', '--log', `${address}/log`]
  const monitor = async (...more: string[]) => {
    const args = ['log', 'monitor', ...options, '--state', 'state', '--patience', '0', '--json', ...more]
    const { exit, stdout, stderr } = await cli.call(args)
    const answer = stdout === '' ? undefined : (JSON.parse(stdout) as Answer)
    if (answer) expect(shapes['log monitor']?.answer?.safeParse(answer).error?.issues ?? []).toEqual([])
    return { exit, stderr, answer: answer as Answer }
  }
  const check = await createThirdParty(policy)
  const verify = (file: string) => check(file, cli.folder)
  return { cli, source, address, options, monitor, verify }
}
