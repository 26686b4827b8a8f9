import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { githubJob, gitlabJob } from '../support/ci-issuer.ts'
import { startJobIssuer } from '../support/job-issuer.ts'
import { blocksOf } from '../support/pages.ts'
import { createReader } from '../support/samples.ts'
import { createWorld } from '../support/world.ts'

const page = 'docs/ci.md'

/** The steps of a job: `- run: …` or `- …`, one line or a block. The packages are already installed. */
const commandsOf = (job: string) =>
  Array.from(job.matchAll(/^( *)- (?:run: )?(.*)\n((?:\1 {2,}.*\n)*)/gm), ([, , line = '', block = '']) =>
    line === '|' ? block : line,
  )
    .filter((command) => !/^(uses|if|npm install)\b/.test(command))
    .join('\n')

const services = [
  { heading: 'GitHub Actions', name: 'acme', tag: 'GITHUB_REF_NAME' },
  { heading: 'GitLab', name: 'northwind', tag: 'CI_COMMIT_TAG' },
] as const

it('the jobs of docs/ci.md register the first release and the next one, and change nothing when repeated', async () => {
  let now = Date.now
  const gitlab = await startJobIssuer(() => now())
  onTestFinished(gitlab.close)
  const world = await createWorld({
    egressAllow: [gitlab.hostAndPort],
    oidcIssuers: [{ kind: 'gitlab', issuer: gitlab.issuer }],
  })
  now = world.clock.now

  for (const { heading, name, tag } of services) {
    const provider = await world.provider(name)
    const reader = await createReader(world.address)
    const run = (command: string, env: Record<string, string>) =>
      new Promise<{ exit: unknown; output: string }>((resolve) => {
        const path = `${join(reader.folder, 'bin')}:${reader.env.PATH}`
        execFile(
          '/bin/sh',
          ['-euc', command],
          { cwd: reader.folder, env: { ...reader.env, PATH: path, ...env } },
          (error, stdout, stderr) => resolve({ exit: error?.code ?? 0, output: stdout + stderr }),
        )
      })
    const { issuer, vouch } = heading === 'GitLab' ? gitlab : world.jobIssuer
    const claims = { ...(heading === 'GitLab' ? gitlabJob(issuer) : githubJob()), environment: 'release' }
    const [trust = ''] = await blocksOf(page, 'sh', heading)
    const trusted = await run(`${trust.trim()} --issuer ${issuer}`, { COUNTERSIGN_API_KEY: provider.apiKey })
    expect(trusted).toMatchObject({ exit: 0 })

    const [job = ''] = await blocksOf(page, 'yaml', heading)
    expect(job).toMatch(/node-version: 24\n|image: node:24\n/)
    const commands = commandsOf(job).replace('prv_06dh0e3x7c9bw4vjz2n8qk5ytm', provider.id)
    const release = async (version: string, weights: string) => {
      await reader.write('model.safetensors', weights)
      return run(commands, { [tag]: version, COUNTERSIGN_ID_TOKEN: vouch(world.publicUrl, claims) })
    }
    const versions = async () =>
      (await provider.client.providers.models(provider.id, { include_archived: 'true' }).toArray())
        .map(({ version }) => version)
        .sort()

    expect(await release('v1.0.0', 'the weights')).toMatchObject({ exit: 0 })
    expect(await release('v1.0.0', 'the weights')).toMatchObject({ exit: 0 })
    expect(await versions(), heading).toEqual(['v1.0.0'])
    expect(await release('v1.1.0', 'other weights')).toMatchObject({ exit: 0 })
    expect(await release('v1.0.0', 'the weights')).toMatchObject({ exit: 0 })
    expect(await versions(), heading).toEqual(['v1.0.0', 'v1.1.0'])
    expect(await release('v1.1.0', 'the weights')).toMatchObject({ exit: 6 })
  }
}, 120_000)

it('the issuer of docs/ci.md vouches for a job on this machine, which publishes, even after a restart', async () => {
  const port = await findFreePort()
  const issuer = `http://127.0.0.1:${port}`
  const world = await createWorld({ egressAllow: [`127.0.0.1:${port}`], oidcIssuers: [{ kind: 'other', issuer }] })
  const acme = await world.provider('acme')
  const reader = await createReader(world.address)
  const [program = ''] = await blocksOf(page, 'js', 'Elsewhere')
  await reader.write('ci-issuer.mjs', program)
  await reader.write('README.md', 'weights')
  const [commands = ''] = (await blocksOf(page, 'sh', 'Elsewhere')).slice(-1)
  const [trust = '', publish = ''] = commands
    .replace('http://127.0.0.1:4990', issuer)
    .replace('prv_06dh0e3x7c9bw4vjz2n8qk5ytm', acme.id)
    .split(/\n(?=COUNTERSIGN)/)
  expect(await reader.execute('/bin/sh', ['-euc', trust], { COUNTERSIGN_API_KEY: acme.apiKey })).toMatchObject({
    exit: 0,
  })
  for (const registered of [/^(?!.*already)/s, /already registered/]) {
    const child = spawn(process.execPath, ['ci-issuer.mjs', world.publicUrl, String(port)], { cwd: reader.folder })
    onTestFinished(() => void child.kill())
    const [token] = await once(child.stdout, 'data')
    const job = publish.replace('TOKEN=TOKEN', `TOKEN=${String(token).trim()}`)
    expect(await reader.execute('/bin/sh', ['-euc', job])).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(registered),
    })
    child.kill()
    await once(child, 'exit')
    // The registry asks for new keys once a minute.
    world.clock.advance('1m')
  }
})

it('the program of docs/ci.md registers a release once, and rejects other weights under its version', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { issuer, vouch } = world.jobIssuer
  await acme.client.publishers.add({ kind: 'github', issuer, repository: 'acme/models', workflow: 'release.yml' })
  const reader = await createReader(world.address)
  const [program = ''] = await blocksOf(page, 'js', 'From a program')
  const own = program
    .replaceAll('https://registry.example', world.address)
    .replace('prv_06dh0e3x7c9bw4vjz2n8qk5ytm', acme.id)
  await reader.write('publish.mjs', own)
  const publish = async (RELEASE: string, weights: string) => {
    await reader.write('model.safetensors', weights)
    const env = { RELEASE, COUNTERSIGN_ID_TOKEN: vouch(world.publicUrl, githubJob()) }
    return reader.execute(process.execPath, ['--conditions=@countersign/source', 'publish.mjs'], env)
  }
  const first = await publish('1.0.0', 'the weights')
  expect(first).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^Registered mdl_/) })
  expect(await publish('1.0.0', 'the weights')).toMatchObject({ exit: 0, stdout: `Already r${first.stdout.slice(1)}` })
  expect(await publish('1.1.0', 'other weights')).toMatchObject({ stdout: expect.stringMatching(/^Registered mdl_/) })
  expect(await publish('1.0.0', 'the weights')).toMatchObject({ stdout: `Already r${first.stdout.slice(1)}` })
  const other = await publish('1.1.0', 'the weights')
  expect(other).toMatchObject({ exit: 1, stderr: expect.stringMatching(/models\.register: POST .* answered 409/) })
})

const findFreePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
