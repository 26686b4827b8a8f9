// `npm run generate` writes the files computed from the contract and the command line. With --check it only lists outdated files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cliReference } from './generate/cli-reference.ts'
import { consoleNeeds } from './generate/console-needs.ts'
import { errorReference } from './generate/error-reference.ts'
import { lookalikeTable } from './generate/lookalikes.ts'
import { openApiFile } from './generate/openapi-file.ts'
import { sdkMethods } from './generate/sdk-methods.ts'
import { sdkReference, sdkTypes } from './generate/sdk-reference.ts'
import { selfHosting } from './generate/self-hosting.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const isCheck = process.argv.includes('--check')

const files: Record<string, () => string | Promise<string>> = {
  'docs/api/openapi.json': openApiFile,
  'docs/errors.md': errorReference,
  'docs/cli.md': cliReference,
  'docs/self-hosting.md': selfHosting,
  'sdk/src/methods.ts': sdkMethods,
  'sdk/src/contract/lookalike-table.ts': lookalikeTable,
  'docs/sdk-reference.md': sdkReference,
  'docs/sdk-types.md': sdkTypes,
  'web/src/data/needs.ts': consoleNeeds,
}

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

let outdated = 0
for (const [path, make] of Object.entries(files)) {
  const text = await make()
  if (read(`${root}${path}`) === text) continue
  outdated += 1
  if (!isCheck) {
    mkdirSync(dirname(`${root}${path}`), { recursive: true })
    writeFileSync(`${root}${path}`, text)
  }
  process.stdout.write(`${isCheck ? 'Out of date' : 'Wrote'}: ${path}\n`)
}

if (isCheck && outdated > 0) {
  process.stdout.write('Run `npm run generate` and commit the result.\n')
  process.exitCode = 1
}
