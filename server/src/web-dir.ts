import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The console and the pages of links: the package `@countersign/web`, which npm installs beside this one. */
export const webDir = fileURLToPath(new URL('../../web/dist', import.meta.url))

export const isConsoleBuilt = () => existsSync(join(webDir, 'index.html'))
