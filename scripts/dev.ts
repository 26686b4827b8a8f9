// `npm run dev`: the registry restarts when its sources change, and Vite serves the console with reload. Ctrl-C stops both.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { defaultPublicUrl } from '../server/src/hosts.ts'
import { choosePorts, readAddress } from './start/ports.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

const { host, port } = readAddress(process.env)
await choosePorts({ host, port }, process.env).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
const apiUrl = defaultPublicUrl(host, port)

const children = [
  ['--watch', '--watch-preserve-output', '--conditions=@countersign/source', 'server/src/main.ts'],
  ['node_modules/vite/bin/vite.js', 'web', '--clearScreen', 'false'],
].map((command) =>
  spawn(process.execPath, command, {
    cwd: root,
    env: { CHECK_ANSWERS: 'true', ...process.env, HOST: host, PORT: String(port), API_URL: apiUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
  }),
)

process.stdout.write(`The registry is at ${apiUrl}. Vite prints the address of the console below.\n`)

/** If one stops, stop the other. */
const stop = () => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
for (const child of children) {
  child.once('exit', (code) => {
    process.exitCode ??= code ?? 0
    stop()
  })
}
