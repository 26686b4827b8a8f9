import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'
import { createCommandLine } from './process.ts'

const run = promisify(execFile)

const has = async (shell: string) =>
  run(shell, ['--version']).then(
    () => true,
    () => false,
  )

it('completes commands, files and the account’s IDs in the installed shells', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model = await acme.registerModel({ api_model_identifier: 'tiny' })
  const { deployment_id } = await acme.registerDeployment([model])
  const cli = await createCommandLine(world.address)
  const program = await cli.write('countersign', `#!/bin/sh\nexec '${process.execPath}' '${cli.program}' "$@"\n`)
  await chmod(program, 0o755)
  await cli.write('weights of tiny.gguf', '')
  const env = { ...cli.env, COUNTERSIGN_API_KEY: acme.apiKey, PATH: `${cli.folder}:${cli.env.PATH}` }
  const inShell = async (shell: string, ...script: string[]) => {
    const { stdout, stderr } = await run(shell, ['-c', ...script], { cwd: cli.folder, env })
    expect(stderr).toBe('')
    return stdout.split('\n').filter(Boolean)
  }

  await cli.write('completion.bash', (await cli.call(['completion', 'bash'])).stdout)
  const press = `. ./completion.bash; COMP_WORDS=(countersign "$@"); COMP_CWORD=$#; _countersign; printf '%s\\n' "\${COMPREPLY[@]}"`
  const inBash = (...words: string[]) => inShell('bash', press, 'bash', ...words)
  expect(await inBash('mod')).toEqual(['models'])
  expect(await inBash('deployments', 'disable', '')).toEqual([deployment_id])
  expect(await inBash('models', 'check', 'wei')).toEqual(['weights of tiny.gguf'])
  expect(await inBash('models', 'check', './tiny', '--model', '=', 't')).toEqual(['tiny'])
  expect(await inBash('deployments', 'disable', '--api-url', 'http://127.0.0.1:9', '')).toEqual([])

  if (await has('fish')) {
    const inFish = (line: string) => inShell('fish', `countersign completion fish | source; complete -C '${line}'`)
    expect(await inFish('countersign mod')).toEqual(['models\tRegister models and their versions'])
    expect(await inFish('countersign deployments disable ')).toEqual([`${deployment_id}\tenabled, Atlas Chat`])
  }
  if (await has('zsh')) {
    expect(await inShell('zsh', zshPress, 'zsh', 'deployments', 'disable', '')).toEqual([
      deployment_id,
      `${deployment_id}  -- enabled, Atlas Chat`,
    ])
  }
})

/** Calls the completion function as the shell does, and prints what it would hand to the shell. */
const zshPress = `compdef() { :; }; compadd() { shift 4; print -l -- $values $shown; }; _files() { :; }
eval "$(countersign completion zsh)"; words=(countersign "$@"); CURRENT=$(( $# + 1 )); _countersign`
