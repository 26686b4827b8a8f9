import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { measure, type Report, ratioOfRounds } from './goal.ts'
import { countersign, describeTimes, emptyNode, type Program, runProgram, timePrograms } from './programs.ts'
import type { World } from './world.ts'

const rounds = 9

/** npm, run by the same Node, from its installed location. */
const findNpm = (): string | undefined => {
  const named = process.env.npm_execpath
  if (named?.endsWith('npm-cli.js') && existsSync(named)) return named
  const found = spawnSync(process.platform === 'win32' ? 'where' : 'which', ['npm'], { encoding: 'utf8' })
    .stdout?.split('\n')[0]
    ?.trim()
  if (!found) return undefined
  const real = realpathSync(found)
  return real.endsWith('npm-cli.js') ? real : [join(dirname(real), 'node_modules/npm/bin/npm-cli.js')].find(existsSync)
}

/** Measures the time from pressing return until the prompt is back. */
export const measureCliStart = async (world: World): Promise<Report> => {
  const npm = findNpm()
  const programs: Program[] = [
    emptyNode,
    { name: 'countersign --version', command: countersign('--version') },
    { name: 'countersign --help', command: countersign('--help') },
    ...(npm ? [{ name: 'npm --version', command: [process.execPath, npm, '--version'] as const }] : []),
  ]
  for (const program of programs) runProgram(world, program)
  const times = timePrograms(world, programs, rounds)
  const [node = [], version = [], help = [], npmTimes] = times
  const toNode = { goal: 'G13', floor: 1.5, target: 1.3 }
  const toNpm = { goal: 'G13', floor: 0.55, target: 0.42 }
  return {
    measured: [
      measure({ ...toNode, name: '--version / node -e 0' }, ratioOfRounds(version, node)),
      measure({ ...toNode, name: '--help / node -e 0' }, ratioOfRounds(help, node)),
      ...(npmTimes ? [measure({ ...toNpm, name: '--version / npm --version' }, ratioOfRounds(version, npmTimes))] : []),
    ],
    details: describeTimes(programs, times),
    ...(npm ? {} : { skipped: 'npm was not found, so the start time is not compared with npm.' }),
  }
}
