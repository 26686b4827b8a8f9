import { spawn } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { openWitnessKey } from '../../cli/src/commands/log/witness/witness-key.ts'
import { formatVkey } from '../../sdk/src/log/note.ts'
import { withoutCountersign } from './command-line.ts'
import { freePort } from './ports.ts'
import { endWithStdin } from './registry.ts'

const program = fileURLToPath(new URL('../../cli/bin/countersign.cjs', import.meta.url))
const host = '127.0.0.1'
const patienceMs = 20_000

const Described = z.object({ vkeys: z.array(z.string()) })
const Proofs = z.object({ facts: z.array(z.object({ proof: z.string().nullable() })) })

/** Two witnesses of the registry's log and a monitor: each is `countersign log …` in a process that ends with this one. */
export interface Observers {
  /** With these, the registry asks the witnesses. */
  env: Record<string, string>
  /** The log's key, the witnesses, and that both are required. */
  policyFile: string
  /** What the monitor reports. */
  monitorFile: string
  /** Starts the witnesses; the registry must be ready. */
  startWitnesses(url: string): Promise<void>
  /** Waits until both witnesses have seen every fact behind a link, but at most twenty seconds. */
  haveSeen(link: string): Promise<void>
  startMonitor(): void
}

/** Makes the witnesses' keys and the registry's policy. `folder` keeps what they have seen. */
export const prepareObservers = async (folder: string, environment: NodeJS.ProcessEnv): Promise<Observers> => {
  const witnesses = await Promise.all(
    ['north', 'south'].map(async (name) => {
      const state = join(folder, name)
      const { key } = openWitnessKey(state, `${name}.example`)
      return { state, name: key.name, address: `${host}:${await freePort(host, 0)}`, vkey: formatVkey(key) }
    }),
  )
  const lines = witnesses.map(({ name, vkey, address }) => `witness ${name} ${vkey} http://${address}\n`).join('')
  const witnessing = `${lines}group both all ${witnesses.map(({ name }) => name).join(' ')}\nquorum both\n`
  const files = {
    registry: join(folder, 'registry.policy'),
    logs: join(folder, 'witness.policy'),
    policyFile: join(folder, 'log.policy'),
    monitorFile: join(folder, 'monitor.log'),
  }
  writeFileSync(files.registry, witnessing)
  let registryUrl = ''

  const run = (args: readonly string[], output: string) => {
    const file = openSync(output, 'a')
    const env = { ...withoutCountersign(environment), COUNTERSIGN_API_URL: registryUrl }
    // The pipe closes with this process.
    spawn(process.execPath, ['--import', endWithStdin, program, 'log', ...args], { env, stdio: ['pipe', file, file] })
      .on('error', () => {})
      .unref()
    closeSync(file)
  }

  return {
    policyFile: files.policyFile,
    monitorFile: files.monitorFile,
    env: {
      LOG_POLICY: files.registry,
      DEV_EGRESS_ALLOW: [environment.DEV_EGRESS_ALLOW, ...witnesses.map(({ address }) => address)]
        .filter(Boolean)
        .join(','),
    },
    startWitnesses: async (url) => {
      registryUrl = url
      const { vkeys } = Described.parse(await (await fetch(`${url}/.well-known/countersign-log`)).json())
      const logs = vkeys.map((vkey) => `log ${vkey} ${url}/log\n`).join('')
      writeFileSync(files.logs, `${logs}quorum none\n`)
      writeFileSync(files.policyFile, logs + witnessing)
      for (const { state, address } of witnesses)
        run(['witness', '--policy', files.logs, '--state', state, '--listen', address], join(state, 'witness.log'))
    },
    haveSeen: async (link) => {
      const address = `${registryUrl}/api/v1/log/proofs/${link.split('/').at(-1)}`
      for (const until = Date.now() + patienceMs; Date.now() < until; await wait(100)) {
        const { facts } = Proofs.parse(await (await fetch(address)).json())
        if (facts.every(({ proof }) => witnesses.every(({ name }) => proof?.includes(`— ${name} `)))) return
      }
    },
    startMonitor: () => {
      const state = join(folder, 'monitor')
      run(['monitor', '--follow', '--policy', files.policyFile, '--state', state], files.monitorFile)
    },
  }
}
