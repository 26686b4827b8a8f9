import { existsSync, readFileSync } from 'node:fs'

export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The build writes it beside the compiled files. The sources have none. */
const commitFile = new URL('./commit.txt', import.meta.url)

/** Tells builds of the same version apart. */
export const build: string = existsSync(commitFile)
  ? `${version} (commit ${readFileSync(commitFile, 'utf8').trim()})`
  : version
