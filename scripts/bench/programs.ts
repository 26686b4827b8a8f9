import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { median, rotated, table } from './goal.ts'
import { root, type World } from './world.ts'

export interface Program {
  name: string
  command: readonly [string, ...string[]]
  /** The expected exit code. Default 0. */
  exit?: number
}

export const countersign = (...args: string[]): readonly [string, ...string[]] => [
  process.execPath,
  join(root, 'cli/bin/countersign.cjs'),
  ...args,
]

export const emptyNode: Program = { name: 'node -e 0', command: [process.execPath, '-e', '0'] }

/** The environment without Countersign's variables. */
const environmentIn = ({ folder }: World) => ({
  PATH: process.env.PATH,
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  NO_COLOR: '1',
})

export const runProgram = (world: World, { name, command: [file, ...args], exit = 0 }: Program) => {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(file, args, {
    env: environmentIn(world),
    cwd: world.folder,
    encoding: 'utf8',
    timeout: 120_000,
  })
  const ms = performance.now() - started
  if (status !== exit) throw new Error(`${name} exited ${status}.\n${stdout}${stderr}`)
  return { ms, stdout }
}

/** Runs programs in rotating turns, each after a warm-up run. Returns the wall time of every round in milliseconds. */
export const timePrograms = (world: World, programs: readonly Program[], rounds: number): number[][] => {
  const times: number[][] = programs.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const program of rotated(programs, round))
      times[programs.indexOf(program)]?.push(runProgram(world, program).ms)
  }
  return times
}

export const describeTimes = (programs: readonly Program[], times: readonly number[][]) =>
  table(
    ['', 'ms', 'fastest'],
    programs.map(({ name }, index) => [
      name,
      median(times[index] ?? []).toFixed(1),
      Math.min(...(times[index] ?? [])).toFixed(1),
    ]),
  )
