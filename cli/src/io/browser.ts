import { spawn } from 'node:child_process'
import type { Context } from '../context.ts'
import { Failure } from '../failure.ts'
import type { World } from '../world.ts'

/** The program that opens an address with the default browser, and its first arguments. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export const webOption = ['--web', 'open the page in the browser instead of printing the record'] as const

/** Opens a page of the registry, and returns what to print. */
export const openPage = async ({ setting, env }: Pick<Context, 'setting' | 'env'>, path: string) => {
  const url = new URL(path, setting('api_url') ?? '').href
  await openInBrowser(url, env)
  return `Opened ${url}`
}

/** Opens an address with `BROWSER`, or with the default browser. */
export const openInBrowser = (url: string, env: World['env']): Promise<void> =>
  new Promise((resolve, reject) => {
    const [program, ...first] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ['xdg-open'])
    const child = spawn(program, [...first, url], { stdio: 'ignore', detached: true })
    child.once('error', () =>
      reject(new Failure('no_browser', 1, `No browser could be started with ${program}`, `Open it yourself: ${url}`)),
    )
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
