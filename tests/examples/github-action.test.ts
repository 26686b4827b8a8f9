import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { createCommandLine } from '../cli/process.ts'
import { createExpressions, readInputs, readSteps } from '../support/action-steps.ts'
import { githubJob, startCiIssuer } from '../support/ci-issuer.ts'
import { itInFull } from '../support/full.ts'
import { proveRepository } from '../support/signers.ts'
import { identity, issuer } from '../support/sigstore/private-sigstore.ts'
import { identityToken, startSigstoreServer } from '../support/sigstore/server.ts'
import { createWorld } from '../support/world.ts'

const folder = fileURLToPath(new URL('../../examples/github-action/', import.meta.url))
const action = join(folder, 'action.yml')
const workflow = readFileSync(join(folder, 'release.yml'), 'utf8')

/** The inputs that the workflow passes to the action. */
const given = Object.fromEntries(
  [...(workflow.split('with:\n').at(-1) ?? '').matchAll(/^ {10}([\w-]+): (.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
)

it('the workflow passes the action only the inputs it needs, and may request its own identity', () => {
  const inputs = readInputs(action)
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)))
  for (const [name, preset] of Object.entries(inputs))
    if (preset === undefined) expect(given, name).toHaveProperty(name)
  expect(workflow).toMatch(/permissions:\n +contents: read\n +id-token: write\n/)
  expect(readFileSync(action, 'utf8') + workflow).not.toContain('secrets.')
  // The shell executes anything that the runner interpolates into a script.
  for (const { name, run } of readSteps(action)) expect(run, name).not.toContain('${{')
})

/** Runs the steps of the action like a runner: bash -eo pipefail, with files for outputs and the summary. */
const createRunner = async (apiUrl: string, env: () => Record<string, string>) => {
  const cli = await createCommandLine(apiUrl)
  const bin = join(cli.folder, 'bin')
  await mkdir(bin)
  const install = async (name: string, script: string) => {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(bin, name), 0o755)
  }
  await install('countersign', `exec "${process.execPath}" "${cli.program}" "$@"`)
  await install('npm', `echo "$@" >> "${join(cli.folder, 'npm.log')}"`)
  const bash = (script: string, variables: Record<string, string>) =>
    new Promise<{ exit: number; output: string }>((resolve) => {
      execFile(
        'bash',
        ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script],
        { cwd: cli.folder, env: { ...cli.env, PATH: `${bin}:${cli.env.PATH}`, ...variables } },
        (error, stdout, stderr) => resolve({ exit: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
      )
    })
  const run = async (inputs: Record<string, string>) => {
    const temp = await mkdtemp(join(cli.folder, 'runner-'))
    const [outputFile, summaryFile] = [join(temp, 'output'), join(temp, 'summary')]
    const outputs: Record<string, string> = {}
    const { fill, holds } = createExpressions((path) => {
      if (path === 'runner.temp') return temp
      if (path.startsWith('inputs.')) return inputs[path.slice('inputs.'.length)] ?? ''
      return outputs[path] ?? ''
    })
    const done: string[] = []
    let failed: { step: string; exit: number; output: string } | undefined
    for (const step of readSteps(action)) {
      if (failed ? step.condition !== 'always()' : !holds(step.condition)) continue
      await writeFile(outputFile, '')
      const variables = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, fill(value)]))
      const { exit, output } = await bash(step.run, {
        ...env(),
        ...variables,
        GITHUB_OUTPUT: outputFile,
        GITHUB_STEP_SUMMARY: summaryFile,
      })
      for (const [, name, value] of (await readFile(outputFile, 'utf8')).matchAll(/^([\w-]+)=(.*)$/gm))
        outputs[`steps.${step.id}.outputs.${name}`] = value ?? ''
      done.push(step.name)
      if (exit !== 0) failed ??= { step: step.name, exit, output }
    }
    return { done, failed, outputs, summary: existsSync(summaryFile) ? await readFile(summaryFile, 'utf8') : '' }
  }
  return { ...cli, run, install }
}

const prepare = async () => {
  const temp = await mkdtemp(join(tmpdir(), 'countersign-action-'))
  onTestFinished(() => rm(temp, { recursive: true, force: true }))
  const sigstore = await startSigstoreServer()
  onTestFinished(sigstore.close)
  const trustedRoot = join(temp, 'root.json')
  await writeFile(trustedRoot, JSON.stringify(sigstore.trustedRoot()))
  const ci = await startCiIssuer()
  onTestFinished(ci.close)
  const world = await createWorld({
    egressAllow: [ci.hostAndPort],
    oidcIssuers: [{ kind: 'github', issuer: ci.issuer }],
    trustedRoot,
  })
  const acme = await world.provider('acme')
  await acme.client.publishers.add({
    kind: 'github',
    issuer: ci.issuer,
    repository: 'acme/models',
    workflow: 'release.yml',
    environment: 'release',
  })
  await acme.client.signers.declare({ signer: { kind: 'identity', issuer, identity } })
  await proveRepository(world, acme.id)

  const runner = await createRunner(world.address, () => {
    world.clock.advance(`${Math.max(0, Date.now() - world.clock.now())}ms`)
    return {
      ...ci.environment(githubJob({ environment: 'release' })),
      SIGSTORE_ID_TOKEN: identityToken({ iss: issuer, sub: identity }),
    }
  })
  const model = join(runner.folder, 'model')
  await mkdir(model)
  await writeFile(join(model, 'config.json'), '{ "layers": 2 }')
  const inputs = {
    ...readInputs(action),
    ...given,
    registry: world.publicUrl,
    provider: acme.id,
    version: '1.0.0',
    // Inputs are passed as values, never as code.
    description: 'Answers "questions"; $(touch owned) `touch owned`',
    'fulcio-url': sigstore.url,
    'rekor-url': sigstore.url,
  } as Record<string, string>

  return { runner, acme, world, sigstore, inputs, model }
}

it('hashes, signs and registers a model with no stored secret; a second run changes nothing; an unknown signer stops it', async () => {
  const { runner, acme, world, sigstore, inputs } = await prepare()
  const first = await runner.run(inputs)
  expect(first.failed).toBeUndefined()
  const id = first.outputs['steps.register.outputs.model-id'] ?? ''
  expect(first.summary).toBe(`Registered: [acme-chat](${world.publicUrl}/models/${id})\n`)
  expect(await acme.client.models.get(id)).toMatchObject({
    version: '1.0.0',
    bundle_status: 'verified',
    description: inputs.description,
  })
  expect(existsSync(join(runner.folder, 'owned'))).toBe(false)
  expect(await readFile(join(runner.folder, 'npm.log'), 'utf8')).toBe('install --global @countersign/cli@0.1.0\n')
  // No credential stays on the runner.
  expect(await readFile(join(runner.configFolder, 'profiles/default.json'), 'utf8')).not.toContain('csk_')

  const signed = sigstore.requests.length
  const second = await runner.run(inputs)
  expect(second.failed).toBeUndefined()
  expect(second.done).not.toContain('Hash and sign')
  expect(second.summary).toBe(`Already registered, with the same files: [acme-chat](${world.publicUrl}/models/${id})\n`)
  expect(sigstore.requests).toHaveLength(signed)
  expect(await acme.client.providers.models(acme.id, { include_archived: 'true' }).toArray()).toHaveLength(1)

  // If the signer cannot be checked, nothing is signed or registered.
  const command = `"${process.execPath}" "${runner.program}" "$@"`
  await runner.install('countersign', `case "$1 $2" in "models check") exit 8 ;; *) exec ${command} ;; esac`)
  expect(await runner.run({ ...inputs, version: '3.0.0' })).toMatchObject({
    failed: { step: 'Check whether these files are registered and signed', exit: 8 },
    done: expect.not.arrayContaining(['Hash and sign', 'Register']),
  })
}, 180_000)

itInFull(
  'registers new files as the next version, and signs an unsigned version later',
  async () => {
    const { runner, acme, world, inputs, model } = await prepare()
    await runner.run(inputs)
    await writeFile(join(model, 'config.json'), '{ "layers": 3 }')
    const clash = await runner.run(inputs)
    expect(clash).toMatchObject({ failed: { step: 'Register', exit: 6 }, done: expect.arrayContaining(['Sign out']) })
    const next = await runner.run({ ...inputs, version: '2.0.0' })
    expect(next.failed).toBeUndefined()
    expect(await acme.client.models.get(next.outputs['steps.register.outputs.model-id'] ?? '')).toMatchObject({
      version: '2.0.0',
      bundle_status: 'verified',
      is_latest: true,
    })

    await writeFile(join(model, 'config.json'), '{ "layers": 4 }')
    const unsigned = await runner.run({ ...inputs, version: '2.1.0', sign: 'false' })
    const unsignedId = unsigned.outputs['steps.register.outputs.model-id'] ?? ''
    expect(await acme.client.models.get(unsignedId)).toMatchObject({ version: '2.1.0', bundle_status: 'unknown' })
    const later = await runner.run({ ...inputs, version: '2.1.0' })
    expect(later).toMatchObject({ failed: undefined, done: expect.arrayContaining(['Hash and sign']) })
    expect(later.outputs['steps.register.outputs.model-id']).toBe(unsignedId)
    expect(later.summary).toContain('Signed; already registered, with the same files')
    expect(await acme.client.models.get(unsignedId)).toMatchObject({ version: '2.1.0', bundle_status: 'verified' })

    await world.database.transaction((tx) =>
      tx.updateTable('models').set({ bundle_status: 'invalid' }).where('id', '=', unsignedId).execute(),
    )
    const repaired = await runner.run({ ...inputs, version: '2.1.0' })
    expect(repaired).toMatchObject({ failed: undefined, done: expect.arrayContaining(['Hash and sign']) })
    expect(repaired.outputs['steps.register.outputs.created']).toBe('false')
    expect(repaired.summary).toContain('Signed; already registered, with the same files')
  },
  180_000,
)
