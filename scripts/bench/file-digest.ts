import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { measure, type Report, ratioOfRounds } from './goal.ts'
import { countersign, describeTimes, runProgram, timePrograms } from './programs.ts'
import type { World } from './world.ts'

const fileBytes = 2 ** 30
const rounds = 3

export const skip = (skipped: string): Report => ({ measured: [], details: [], skipped })

export const writeLargeFile = (file: string, bytes = fileBytes) => {
  const block = randomBytes(1 << 20)
  const descriptor = openSync(file, 'w')
  for (let written = 0; written < bytes; written += block.length) {
    block.writeUInt32LE(written / block.length)
    writeSync(descriptor, block)
  }
  closeSync(descriptor)
}

/** Measures the digest of a one-gibibyte file that is already in memory. */
export const measureFileDigest = async (world: World): Promise<Report> => {
  if (spawnSync('openssl', ['version']).status !== 0) return skip('openssl is not installed.')
  const { bavail, bsize } = statfsSync(world.folder)
  if (bavail * bsize < 3 * fileBytes || freemem() < 2 * fileBytes)
    return skip('there is not enough space for a one-gibibyte file on disk and in memory.')
  const file = join(world.folder, 'weights.bin')
  try {
    writeLargeFile(file)
    const ours = { name: 'countersign models digest', command: countersign('models', 'digest', file, '--no-cache') }
    const openssl = { name: 'openssl dgst -sha256', command: ['openssl', 'dgst', '-sha256', file] as const }
    const [digest = ''] = /[0-9a-f]{64}/.exec(runProgram(world, openssl).stdout) ?? []
    if (digest === '' || !runProgram(world, ours).stdout.includes(digest)) throw new Error('The digests differ.')
    const programs = [ours, openssl]
    const times = timePrograms(world, programs, rounds)
    return {
      measured: [
        measure(
          { goal: 'G11', name: 'models digest, 1 GiB / openssl dgst', floor: 1.15, target: 1.03 },
          ratioOfRounds(times[0] ?? [], times[1] ?? []),
        ),
      ],
      details: describeTimes(programs, times),
    }
  } finally {
    rmSync(file, { force: true })
  }
}
