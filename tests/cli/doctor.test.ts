import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createAuthority, createSelfSigned } from '../support/certificates.ts'
import { createWorld } from '../support/world.ts'
import { createQuickCommandLine } from './in-process.ts'

interface Finding {
  check: string
  status: string
  detail: string
  fix: string | null
}

interface Report {
  result: string
  exit_code: number
  findings: Finding[]
}

/** A server that answers each path with a fixed status, like a hub or a page that is not a registry. */
const serve = async (
  answer: (path: string, authorization: string | undefined) => { status: number; body: string; date?: string },
) => {
  const server = createServer(({ url = '', headers }, response) => {
    const { status, body, date } = answer(url, headers.authorization)
    response.writeHead(status, { 'Content-Type': 'application/json', ...(date && { Date: date }) })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('finds each problem, prints the command that fixes it, and passes after that', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  const model = await acme.registerModel({ api_model_identifier: 'tiny' })
  const { url: tlsUrl, ca } = await world.startTls()
  const { cert, key } = await createSelfSigned('chat')
  const cli = await createQuickCommandLine(world.address)
  const hub = await serve((_, authorization) => ({
    status: authorization === 'Bearer hf_good' ? 200 : 401,
    body: '{}',
  }))
  const files = {
    cert: await cli.write('client.pem', cert),
    key: await cli.write('client.key', key),
    ca: await cli.write('ca.pem', ca),
    keyFile: await cli.write('key.txt', acme.apiKey),
  }
  const all = ['--cert', files.cert, '--key', files.key, '--tls-url', tlsUrl, '--ca', files.ca, '--model', 'tiny']
  const env = { COUNTERSIGN_API_KEY_FILE: files.keyFile, HF_ENDPOINT: hub, HF_TOKEN: 'hf_secret' }
  const shown: string[] = []
  const examine = async (args: string[], environment: Record<string, string> = env) => {
    const { exit, stdout, stderr } = await cli.call(['doctor', ...args, '--json'], { env: environment })
    shown.push(stdout, stderr)
    const { findings, exit_code, result } = JSON.parse(stdout) as Report
    expect(exit).toBe(exit_code)
    const by = (status: string) => findings.filter((each) => each.status === status).map(({ check }) => check)
    const fixOf = (check: string) => findings.find((each) => each.check === check)?.fix
    return { exit, result, fail: by('fail'), warn: by('warn'), skipped: by('skipped'), fixOf }
  }
  /** Runs the suggested fixes that are `countersign` commands. */
  const mend = async (fix: string | null | undefined) => {
    const [program, ...args] = fix?.split(' ') ?? []
    expect(program).toBe('countersign')
    expect(await cli.call(args, { env })).toMatchObject({ exit: 0 })
  }

  const sick = await examine(all)
  expect(sick).toMatchObject({
    exit: 5,
    result: 'fail',
    fail: ['deployment', 'token', 'hub_token'],
    warn: ['config', 'provider', 'private_key'],
    skipped: ['dns', 'tls'],
  })
  expect(sick.fixOf('config')).toBe(`chmod 600 ${files.keyFile}`)
  expect(sick.fixOf('provider')).toBe('countersign providers verify-domain')

  acme.publishProof()
  await mend(sick.fixOf('provider'))
  await mend(sick.fixOf('deployment'))
  const better = await examine(all, { ...env, HF_TOKEN: 'hf_good' })
  expect(better).toMatchObject({ exit: 4, fail: ['deployment', 'token'], warn: ['config', 'private_key'] })
  const byId = await examine([...all.slice(0, -1), model])
  expect(byId.fail).toContain('deployment')
  await mend(byId.fixOf('deployment'))

  const { exit, ...well } = await examine(all, { ...env, HF_TOKEN: 'hf_good' })
  expect({ exit, ...well }).toMatchObject({ exit: 0, result: 'warn', fail: [], warn: ['config', 'private_key'] })
  const text = await cli.call(['doctor', ...all], { env })
  expect(text.stdout).toMatch(/^ok +tls address +The registry saw dep_\w+, proven by mutual TLS$/m)
  expect(text.stdout).toMatch(/^ok +token +A new token of http:\S+ verifies with these keys$/m)
  expect((await cli.call(['doctor', ...all, '-q'], { env: { ...env, HF_TOKEN: 'hf_good' } })).stdout).toBe('')
  expect(shown.join('')).not.toMatch(new RegExp(`${acme.apiKey}|hf_secret|hf_good|PRIVATE KEY`))

  const other = await cli.write('other.key', (await createSelfSigned('other')).key)
  expect(await examine(['--cert', files.cert, '--key', other])).toMatchObject({
    fail: ['private_key', 'hub_token'],
    exit: 2,
  })
  const ended = await cli.write('ended.pem', (await createSelfSigned('old', undefined, { isExpired: true })).cert)
  expect((await examine(['--cert', ended])).fail).toEqual(['certificate', 'deployment', 'hub_token'])
  const untrusting = await examine([...all.slice(0, -4), '--model', 'tiny'])
  expect(untrusting).toMatchObject({ fail: expect.arrayContaining(['tls_address']) })
  expect(untrusting.fixOf('tls_address')).toBe('countersign config set ca_file CA.pem')
  const wrong = await cli.write('other.pem', (await createAuthority('Other')).cert)
  const mistaken = await cli.call(['doctor', ...all.slice(0, -4), '--ca', wrong, '--model', 'tiny'], { env })
  expect(mistaken.stdout).toMatch(/^fail +tls address .*:\d+ is not trusted with \S*other\.pem/m)
}, 60_000)

it.each([
  { name: 'no server is listening', url: 'http://127.0.0.1:9', fail: ['tcp'], exit: 8 },
  { name: 'the name does not resolve', url: 'http://registry.invalid', fail: ['dns'], exit: 8 },
  { name: 'it does not speak TLS', url: 'https', fail: ['tls'], exit: 8 },
  { name: 'it is not a registry', url: 'page', fail: ['http'], exit: 8 },
  { name: 'it answers something else', url: 'gone', fail: ['http'], exit: 8 },
  { name: 'the clocks differ', url: 'late', fail: ['clock'], exit: 9 },
  { name: 'the registry has no keys', url: 'keyless', fail: ['keys'], exit: 9 },
])('reports the first failing step: $name', async ({ url, fail, exit }) => {
  const answers: Record<string, { status: number; body: string; date?: string }> = {
    page: { status: 200, body: '<html>' },
    gone: { status: 404, body: '{}' },
    late: { status: 200, body: '{"keys":[{"kid":"a"}]}', date: new Date(Date.now() + 600_000).toUTCString() },
    keyless: { status: 200, body: '{"keys":[]}' },
  }
  const answer = answers[url]
  const address = answer
    ? await serve(() => answer)
    : url === 'https'
      ? (await serve(() => ({ status: 200, body: '' }))).replace('http', 'https')
      : url
  const cli = await createQuickCommandLine(address)
  const { exit: code, stdout, stderr } = await cli.call(['doctor', '--json', '--timeout', '5'])
  const { findings } = JSON.parse(stdout) as Report
  expect({ code, stderr }).toEqual({ code: exit, stderr: '' })
  expect(findings.filter(({ status }) => status === 'fail').map(({ check }) => check)).toEqual(fail)
})

it('resolves an identifier before it says whether the deployment is authorized for it', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const other = await acme.registerModel({ api_model_identifier: 'other' })
  const tiny = await acme.registerModel({ api_model_identifier: 'tiny' })
  const cli = await createQuickCommandLine(world.address)
  const cert = await cli.write('client.pem', (await createSelfSigned('chat')).cert)
  const call = (...args: string[]) => cli.call(args, { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
  await call('deployments', 'register', '--cert', cert, '--model', other)
  const examine = async (model: string) => {
    const { exit, stdout } = await call('doctor', '--cert', cert, '--model', model, '--json')
    const finding = (JSON.parse(stdout) as Report).findings.find(({ check }) => check === 'deployment')
    return { exit, status: finding?.status, detail: finding?.detail }
  }
  for (const model of ['tiny', tiny])
    expect(await examine(model)).toMatchObject({
      exit: 4,
      status: 'fail',
      detail: expect.stringMatching(`^dep_\\w+ is not authorized for .*${tiny}`),
    })
  expect(await examine('none')).toMatchObject({ exit: 5, status: 'fail' })
  for (const model of ['other', other]) expect(await examine(model)).toMatchObject({ exit: 0, status: 'ok' })
})

it('warns if the link that it mints is not valid although its token verifies', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ api_model_identifier: 'tiny' })
  const cli = await createQuickCommandLine(world.address)
  const examine = async () => {
    const { exit, stdout } = await cli.call(['doctor', '--model', 'tiny', '--json'], {
      env: { COUNTERSIGN_API_KEY: acme.apiKey },
    })
    return { exit, token: (JSON.parse(stdout) as Report).findings.find(({ check }) => check === 'token') }
  }
  expect(await examine()).toMatchObject({ exit: 0, token: { status: 'ok' } })
  await world.database.transaction((tx) =>
    tx.updateTable('models').set({ bundle_status: 'invalid' }).where('id', '=', model_id).execute(),
  )
  expect(await examine()).toMatchObject({
    exit: 0,
    token: {
      status: 'warn',
      detail: expect.stringMatching(
        / verifies with these keys\. The signed bundle .* is invalid, so the link is not valid/,
      ),
      fix: 'countersign models show tiny',
    },
  })
})
