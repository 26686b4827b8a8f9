import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import chromium from '@sparticuz/chromium'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The path of a Chromium: `CHROME_PATH`, else the system's, else the one that the npm package `@sparticuz/chromium`
 * unpacks.
 */
export const findChromium = async (): Promise<string> => {
  const given = process.env.CHROME_PATH
  if (given) return given
  return installed.find((path) => existsSync(path)) ?? unpackChromium()
}

const unpackChromium = async () => {
  const path = await chromium.executablePath()
  if (await runs(path)) return path
  // An interrupted run leaves half a file behind, which would never be unpacked again.
  await rm(path, { force: true })
  return chromium.executablePath()
}

const runs = (path: string) =>
  promisify(execFile)(path, ['--no-sandbox', '--version']).then(
    () => true,
    () => false,
  )
