import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const guard = fileURLToPath(new URL('end-with-parent.mjs', import.meta.url))

/** Starts a command in a process group of its own, which ends when this process does, however that ends. */
export function startChild(command, args, { output, ...options }) {
  return spawn(process.execPath, [guard, command, ...args], {
    ...options,
    detached: process.platform !== 'win32',
    stdio: ['pipe', output, output],
  })
}
