import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { join } from 'node:path'
import { skip, writeLargeFile } from './file-digest.ts'
import { measure, type Report, ratioOfRounds } from './goal.ts'
import { countersign, describeTimes, runProgram, timePrograms } from './programs.ts'
import type { World } from './world.ts'

const mebibyte = 1 << 20
const fileCount = 6
const fileBytes = 128 * mebibyte
const rounds = 3

const makeFolder = (world: World, name: string, write: (path: string) => void) => {
  const folder = join(world.folder, name)
  mkdirSync(folder)
  const files = Array.from({ length: fileCount }, (_, index) => join(folder, `weights-${index}.bin`))
  for (const file of files) write(file)
  return { folder, files }
}

/** The process's peak memory, which it reports when it exits. */
const peakMemory = (world: World, bytes: number) => {
  const { folder } = makeFolder(world, `hollow-${bytes}`, (path) => {
    writeFileSync(path, '')
    truncateSync(path, Math.ceil(bytes / fileCount))
  })
  const peakFile = join(world.folder, 'peak')
  const hook = world.write(
    'tell-peak.cjs',
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(peakFile)}, String(process.resourceUsage().maxRSS)))`,
  )
  const [node, ...rest] = countersign('models', 'digest', folder, '--no-cache')
  runProgram(world, { name: 'models digest', command: [node, '--require', hook, ...rest] })
  rmSync(folder, { recursive: true })
  return Number(readFileSync(peakFile, 'utf8')) * 1_024
}

/** Measures the root digest of a folder whose files are already in memory, compared with openssl, which reads them one by one. */
export const measureFolderDigest = async (world: World): Promise<Report> => {
  if (spawnSync('openssl', ['version']).status !== 0) return skip('openssl is not installed.')
  if (availableParallelism() < 2) return skip('there is only one core.')
  const { bavail, bsize } = statfsSync(world.folder)
  if (bavail * bsize < 3 * fileCount * fileBytes || freemem() < 2 * fileCount * fileBytes)
    return skip('there is not enough space for a folder of that size on disk and in memory.')
  const { folder, files } = makeFolder(world, 'weights', (path) => writeLargeFile(path, fileBytes))
  try {
    const ours = {
      name: 'countersign models digest',
      command: countersign('models', 'digest', folder, '--no-cache', '--json'),
    }
    const openssl = {
      name: 'openssl dgst -sha256, one by one',
      command: ['openssl', 'dgst', '-sha256', '-r', ...files] as const,
    }
    const digests = runProgram(world, openssl).stdout.match(/[0-9a-f]{64}/g) ?? []
    const found = runProgram(world, ours).stdout
    if (digests.length !== fileCount || !digests.every((digest) => found.includes(digest)))
      throw new Error('The digests differ.')
    const programs = [ours, openssl]
    const times = timePrograms(world, programs, rounds)
    const [large, small] = [peakMemory(world, 4_096 * mebibyte), peakMemory(world, 64 * mebibyte)]
    return {
      measured: [
        measure(
          { goal: 'G12', name: 'models digest, a folder / openssl dgst', floor: 0.7, target: 0.57 },
          ratioOfRounds(times[0] ?? [], times[1] ?? []),
        ),
        measure({ goal: 'G12', name: 'peak memory, 4 GiB / 64 MiB', floor: 1.3, target: 1.1 }, large / small),
      ],
      details: [
        ...describeTimes(programs, times),
        `peak memory: ${(large / 1e6).toFixed(0)} MB with 4 GiB, ${(small / 1e6).toFixed(0)} MB with 64 MiB`,
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
