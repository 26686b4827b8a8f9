import { type Browser, chromium } from 'playwright-core'
import { askShared, measured } from './databases.ts'

// Not the list of @sparticuz/chromium, which has `--single-process` and disables the same-origin policy.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A real, headless Chromium. The caller closes it. */
export const launchBrowser = async (): Promise<Browser> => {
  const executablePath = await askShared('chromium')
  // In the C locale Chromium cannot read file names beyond ASCII.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  return measured('browsers', () => chromium.launch({ executablePath, args, headless: true, env }))
}

let shared: Promise<Browser> | undefined

/** One for all test files of this process; it ends with the process. */
export const shareBrowser = async (): Promise<Browser> => {
  if (!(await shared)?.isConnected()) shared = launchBrowser()
  return shared as Promise<Browser>
}
