import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCommandLine } from '../cli/process.ts'

const root = new URL('../../', import.meta.url).pathname
const folder = join(root, 'docs/samples')

const languages = { sh: 'curl', 'cli.sh': 'cli', ts: 'ts', html: 'html' } as const

/**
 * The samples of the documentation, by topic and language: `verify-token.cli.sh` has the topic verify-token and the
 * language cli.
 */
export const sampleFiles = readdirSync(folder).map((file) => {
  const [, topic = '', ending = ''] = /^([a-z-]+)\.(sh|cli\.sh|ts|html)$/.exec(file) ?? []
  if (topic === '') throw new Error(`${file} is not a sample: name it TOPIC.sh, TOPIC.cli.sh, TOPIC.ts or TOPIC.html`)
  return { file, topic, language: languages[ending as keyof typeof languages] }
})

/** The environment of a sample: an empty home, with `countersign` and the packages available. */
export const createReader = async (apiUrl: string) => {
  const cli = await createCommandLine(apiUrl)
  await mkdir(join(cli.folder, 'bin'))
  const shim = join(cli.folder, 'bin/countersign')
  await writeFile(shim, `#!/bin/sh\nexec "${process.execPath}" "${cli.program}" "$@"\n`)
  await chmod(shim, 0o755)
  await symlink(join(root, 'node_modules'), join(cli.folder, 'node_modules'))
  await writeFile(join(cli.folder, 'package.json'), '{"type": "module"}')
  // Makes curl fail on an error status, as a careful script would.
  await writeFile(join(cli.folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')

  /** Runs a program in the reader's folder, with `countersign` available. */
  const execute = async (command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const child = spawn(command, args, {
      cwd: cli.folder,
      env: { ...cli.env, PATH: `${join(cli.folder, 'bin')}:${cli.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    const [exit] = await once(child, 'close')
    return { exit: exit as number, stdout, stderr }
  }

  /** Fills in the reader's addresses and IDs, and runs the sample. */
  const run = async (file: string, values: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>) => {
    let text = readFileSync(join(folder, file), 'utf8')
    for (const [placeholder, value] of Object.entries(values)) text = text.replaceAll(placeholder, value)
    await writeFile(join(cli.folder, file), text)
    return file.endsWith('.ts')
      ? execute(
          process.execPath,
          ['--conditions=@countersign/source', '--disable-warning=ExperimentalWarning', file],
          env,
        )
      : execute('/bin/sh', ['-eu', file], env)
  }
  return { ...cli, execute, run }
}
