// `node scripts/end-with-parent.mjs COMMAND ARG…` runs a command for the process that started this one. Its stdin is a pipe from that process,
// and closes however that process ends. Then the command and everything it started are killed: otherwise `npm ci` lives on after Ctrl-C for
// up to 70 s, and the next start races it.
import { spawn, spawnSync } from 'node:child_process'

const [command, ...args] = process.argv.slice(2)
const isWindows = process.platform === 'win32'
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows && command === 'npm' })
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(127)
})
child.on('exit', (code) => process.exit(code ?? 1))

process.stdin.resume()
process.stdin.on('close', () => {
  if (isWindows) spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'])
  else process.kill(-process.pid, 'SIGKILL')
})
