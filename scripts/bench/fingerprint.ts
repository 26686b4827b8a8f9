import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createSelfSigned } from '../../tests/support/certificates.ts'
import { skip } from './file-digest.ts'
import { measure, type Report, ratioOfRounds } from './goal.ts'
import { countersign, describeTimes, type Program, runProgram, timePrograms } from './programs.ts'
import { root, type World } from './world.ts'

const rounds = 9
const certificates = 1_000

const pipeline = 'openssl x509 -in "$1" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256'

/** Measures the SPKI fingerprint of one certificate on the command line and of many in a program, compared with openssl. */
export const measureFingerprint = async (world: World): Promise<Report> => {
  if (spawnSync('openssl', ['version']).status !== 0) return skip('openssl is not installed.')
  const { cert } = await createSelfSigned('bench.example')
  const file = world.write('bench.crt', cert)
  const many = world.write(
    'fingerprints.mjs',
    `import { readFileSync } from 'node:fs'
import { spkiFingerprint } from ${JSON.stringify(join(root, 'sdk/dist/node/index.js'))}
for (let count = 0; count < ${certificates}; count++) if (spkiFingerprint(readFileSync(process.argv[2])).hex.length !== 64) process.exit(1)
`,
  )
  const programs: Program[] = [
    { name: 'openssl x509 | pkey | dgst', command: ['/bin/sh', '-ec', pipeline, 'sh', file] },
    { name: 'countersign fingerprint', command: countersign('fingerprint', file) },
    { name: `${certificates} in one program`, command: [process.execPath, many, file] },
  ]
  for (const program of programs) runProgram(world, program)
  const times = timePrograms(world, programs, rounds)
  const [openssl = [], one = [], all = []] = times
  return {
    measured: [
      measure({ goal: 'G15', name: 'fingerprint / openssl', floor: 1.5, target: 1.2 }, ratioOfRounds(one, openssl)),
      measure(
        { goal: 'G15', name: `${certificates} fingerprints / openssl once`, floor: 4, target: 2.2 },
        ratioOfRounds(all, openssl),
      ),
    ],
    details: describeTimes(programs, times),
  }
}
