import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../server/bin/countersign-server.cjs', import.meta.url))
/** For processes that must not outlive this one. */
export const endWithStdin = new URL('end-with-stdin.mjs', import.meta.url).href

export interface Registry {
  /** Stops it after it completed accepted requests. */
  stop(): Promise<void>
  /** Resolves to its exit code. */
  ended: Promise<number>
}

/** Starts the registry as a separate process and returns when it is ready. `log`: a file, or `inherit`. */
export const startRegistry = async ({
  env,
  url,
  log,
}: {
  env: Record<string, string>
  url: string
  log: string
}): Promise<Registry> => {
  const output = log === 'inherit' ? 'inherit' : openSync(log, 'a')
  const logBefore = log === 'inherit' ? 0 : readFileSync(log, 'utf8').length
  const child = spawn(process.execPath, ['--import', endWithStdin, program], {
    env: { ...process.env, ...env },
    // The pipe closes with this process.
    stdio: ['pipe', output, output],
  })
  if (typeof output === 'number') closeSync(output)
  let hasEnded = false
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  }).finally(() => {
    hasEnded = true
  })

  while (!(await isReady(url))) {
    if (hasEnded) {
      const reason = log === 'inherit' ? '' : `\n${readFileSync(log, 'utf8').slice(logBefore).trimEnd()}`
      throw new Error(`The registry exited ${await ended} before it was ready.${reason}`)
    }
    await Promise.race([wait(50), ended])
  }
  return {
    ended,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
