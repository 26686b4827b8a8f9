import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../tests/support/postgres.ts'
import { type Drill, type Fault, must } from './support/fault.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

const clone = (drill: Drill) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-clone-'))
  drill.onEnd(() => rmSync(folder, { recursive: true, force: true }))
  const { status } = spawnSync('git', ['clone', '--quiet', repository, folder], { stdio: 'inherit' })
  must(status === 0, 'git clone failed')
  return folder
}

/** `npm start` in a process group of its own, as a terminal starts it. */
const npmStart = async (folder: string) => {
  const { PATH, HOME, npm_config_cache } = process.env
  const child = spawn('npm', ['start', '--', '--plain'], {
    cwd: folder,
    detached: true,
    // Without the variables and the PATH of the npm that runs this drill.
    env: {
      HOME,
      PATH: PATH?.split(':')
        .filter((entry) => !entry.includes('node_modules'))
        .join(':'),
      PORT: String(await findFreePort()),
      ...(npm_config_cache && { npm_config_cache }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    ended,
    output: () => output,
    /** The terminal sends Ctrl-C to the whole group; a process manager ends npm alone. */
    interrupt: (how: 'group' | 'npm') => {
      if (child.pid === undefined || child.exitCode !== null) return
      process.kill(how === 'group' ? -child.pid : child.pid, how === 'group' ? 'SIGINT' : 'SIGTERM')
    },
  }
}

/** Waits for `npm start` to print the registry's address, and stops it. */
const startAndStop = async (folder: string) => {
  const started = performance.now()
  const run = await npmStart(folder)
  let isOver = false
  void run.ended.then(() => (isOver = true))
  while (!run.output().includes('The registry is at')) {
    must(!isOver, `npm start ended:\n${run.output().slice(-2_000)}`)
    await wait(200)
  }
  const ms = performance.now() - started
  run.interrupt('group')
  await run.ended
  return ms
}

const processesIn = (folder: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })

const untilNoneIn = async (folder: string) => {
  const started = performance.now()
  while (processesIn(folder).length > 0) {
    must(performance.now() - started < 5_000, `processes lived on: ${processesIn(folder).join(', ')}`)
    await wait(50)
  }
  return performance.now() - started
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

export const fault: Fault = {
  name: 'install-interrupted',
  does: 'the first npm start of a clone interrupted at random moments while it installs and builds',
  runsWhenNamed: true,
  limitMinutes: 90,
  run: async (drill) => {
    must(existsSync('/proc/self/cwd'), 'this drill finds processes that live on through /proc')
    const first = clone(drill)
    const fullMs = await startAndStop(first)
    rmSync(first, { recursive: true })
    drill.say(`an uninterrupted first start took ${seconds(fullMs)}`)
    let slowestEnd = 0
    const rounds = drill.times(20)
    for (let round = 0; round < rounds; round++) {
      const folder = clone(drill)
      const momentMs = Math.random() * fullMs
      const run = await npmStart(folder)
      await Promise.race([wait(momentMs), run.ended])
      run.interrupt(round % 4 === 3 ? 'npm' : 'group')
      slowestEnd = Math.max(slowestEnd, await untilNoneIn(folder))
      const nextMs = await startAndStop(folder)
      drill.say(`interrupted after ${seconds(momentMs)}, the next start took ${seconds(nextMs)}`)
      await untilNoneIn(folder)
      rmSync(folder, { recursive: true })
    }
    return `${rounds} interruptions, each next start finished; all processes ended within ${seconds(slowestEnd)}`
  },
}
