// All static checks. Each check runs even if an earlier one failed.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

// By default the compiler checks with four threads, each of which reads all types: 33 s of the processors instead of 14. Collecting
// garbage less often, which `GOGC` sets, takes another fifth off.
const oneChecker = ['--checkers', '1']

const checks = [
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '-p', '.', ...oneChecker] },
  { name: 'types of the console', command: ['node_modules/typescript/bin/tsc', '-p', 'web', ...oneChecker] },
  {
    name: 'lint and formatting',
    command: ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '--diagnostic-level=error'],
  },
  { name: 'generated files', command: ['--conditions=@countersign/source', 'scripts/generate.ts', '--check'] },
  { name: 'plain English', command: ['--conditions=@countersign/source', 'scripts/check-prose.ts'] },
  { name: 'unused files, exports and dependencies', command: ['node_modules/knip/bin/knip.js'] },
]

const failed = checks.filter(({ name, command }) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { GOGC: '400', ...process.env },
  })
  process.stdout.write(`${status === 0 ? 'passed' : 'FAILED'}  ${name}\n`)
  if (status !== 0) process.stdout.write(`${stdout}${stderr}\n`)
  return status !== 0
})

if (failed.length > 0) {
  process.stdout.write(`\nFailed: ${failed.map(({ name }) => name).join('; ')}\n`)
  process.exitCode = 1
}
