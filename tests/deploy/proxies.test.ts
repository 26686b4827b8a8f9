import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as requestOverHttp } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { spkiFingerprint } from '@countersign/sdk/node'
import { expect, it, onTestFinished } from 'vitest'
import { createQuickCommandLine } from '../cli/in-process.ts'
import { createAuthority, createSelfSigned } from '../support/certificates.ts'
import { unpackFromDebian } from '../support/debian.ts'
import { root } from '../support/imports.ts'
import { findFreePort } from '../support/postgres.ts'
import { createWorld } from '../support/world.ts'

const debian = await unpackFromDebian([
  'nginx',
  'nginx-common',
  'libnginx-mod-http-js',
  'libnginx-mod-http-ndk',
  'caddy',
])

interface Place {
  folder: string
  port: number
  registryPort: string
  debian: string
}

const sample = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')

/** The configuration as documented, with this test's files and ports, and the command that runs it. */
const proxies = {
  nginx: ({ folder, port, registryPort, debian }: Place) => {
    const modules = join(debian, 'usr/lib/nginx/modules')
    copyFileSync(join(root, 'deploy/client-cert.js'), join(folder, 'client-cert.js'))
    mkdirSync(join(folder, 'logs'))
    const config = sample('nginx.conf')
      .replace('load_module modules', `load_module ${modules}/ndk_http_module.so;\nload_module ${modules}`)
      .replaceAll('/etc/nginx/countersign', folder)
      .replaceAll('/var/log/nginx', folder)
      .replace('127.0.0.1:4100', `127.0.0.1:${registryPort}`)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('listen 80', `listen unix:${folder}/http.sock`)
      .replace(
        'http {',
        `http { ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`).join(' ')}`,
      )
    writeFileSync(join(folder, 'nginx.conf'), `daemon off; pid ${folder}/pid;\n${config}`)
    return {
      program: join(debian, 'usr/sbin/nginx'),
      args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
    }
  },
  caddy: ({ folder, port, registryPort, debian }: Place) => {
    const config = sample('Caddyfile')
      .replace(
        'registry.example {\n\ttls {',
        `https://localhost:${port} {\n\ttls ${folder}/registry.crt ${folder}/registry.key {`,
      )
      .replace('127.0.0.1:4100', `127.0.0.1:${registryPort}`)
      .replace(/^\{$/m, '{\n\tadmin off\n\tauto_https disable_redirects')
    writeFileSync(join(folder, 'Caddyfile'), config)
    return { program: join(debian, 'usr/bin/caddy'), args: ['run', '--config', join(folder, 'Caddyfile')] }
  },
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
  })

/** Runs a proxy with its documented configuration until the test ends. `output` is what it prints. */
const startProxy = async (name: keyof typeof proxies, registryPort: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-proxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const authority = await createAuthority()
  const server = await authority.issueServer()
  writeFileSync(join(folder, 'authority.crt'), authority.cert)
  writeFileSync(join(folder, 'registry.crt'), server.cert)
  writeFileSync(join(folder, 'registry.key'), server.key)
  const port = await findFreePort()
  const { program, args } = proxies[name]({ folder, port, registryPort, debian: debian ?? '' })
  const child = spawn(program, args, { env: { HOME: folder }, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  while (!(await isListening(port))) {
    expect(child.exitCode, errors).toBeNull()
    await wait(50)
  }
  return { folder, port, authority, output: () => errors }
}

it.skipIf(!debian).each(['nginx', 'caddy'] as const)(
  '%s: forwards the client certificate and removes such headers of clients (skipped only without Debian’s packages)',
  async (name) => {
    const world = await createWorld({
      clientCertProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const own = await createSelfSigned('chat.acme.example')
    await acme.registerDeployment([model_id], spkiFingerprint(own.cert).hex)

    const { folder, port, authority } = await startProxy(name, new URL(world.address).port)
    const mint = (credential: { cert: string; key: string } | undefined, headers: Record<string, string> = {}) =>
      new Promise<unknown>((resolve, reject) => {
        const sent = request(
          {
            host: '127.0.0.1',
            port,
            path: '/api/v1/create-verification',
            method: 'POST',
            ca: authority.cert,
            servername: 'localhost',
            agent: false,
            ...credential,
            headers: {
              Host: `localhost:${port}`,
              'X-API-Key': acme.apiKey,
              'Content-Type': 'application/json',
              ...headers,
            },
          },
          async (response) => {
            const { deployment_binding, code } = JSON.parse(Buffer.concat(await response.toArray()).toString())
            resolve(code ?? deployment_binding)
          },
        )
        sent.on('error', reject)
        sent.end(JSON.stringify({ model_id }))
      })
    const value = `:${new X509Certificate(own.cert).raw.toString('base64')}:`
    expect(await mint(own)).toBe('proxy')
    expect(await mint(undefined)).toBeNull()
    for (const header of ['Client-Cert', 'client_cert', 'CLIENT-CERT'])
      expect(await mint(undefined, { [header]: value }), header).toBeNull()
    expect(await mint(undefined, { 'X-Client-Cert-Fingerprint': spkiFingerprint(own.cert).hex })).toBeNull()
    writeFileSync(join(folder, 'client.pem'), own.cert)
    writeFileSync(join(folder, 'client.key'), own.key)
    const address = `https://localhost:${port}`
    const { call } = await createQuickCommandLine(address)
    const pair = ['--cert', join(folder, 'client.pem'), '--key', join(folder, 'client.key')]
    const minted = await call(['tokens', 'mint', '--model', model_id, ...pair, '--json'], {
      env: {
        COUNTERSIGN_API_KEY: acme.apiKey,
        COUNTERSIGN_TLS_URL: address,
        COUNTERSIGN_CA_FILE: join(folder, 'authority.crt'),
      },
    })
    expect(JSON.parse(minted.stdout), minted.stderr).toMatchObject({ deployment_binding: 'proxy' })
    // The path of a link is a secret while it is valid. Caddy logs no requests by default.
    if (name === 'nginx')
      expect(readFileSync(join(folder, 'access.log'), 'utf8')).toMatch(/^(127\.0\.0\.1 [^/]* req_\w+\n)+$/)
  },
)

it.skipIf(!debian).each(['nginx', 'caddy'] as const)(
  '%s: logs no path and no header while the registry is down (skipped only without Debian’s packages)',
  async (name) => {
    const { folder, port, authority, output } = await startProxy(name, String(await findFreePort()))
    const path = '/v/NANN-secret'
    const headers = { Host: `localhost:${port}`, 'X-API-Key': 'csk_secret', Referer: `https://localhost${path}` }
    const options = {
      host: '127.0.0.1',
      port,
      path,
      ca: authority.cert,
      servername: 'localhost',
      agent: false,
      headers,
    }
    const sent = request(options)
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(502)
    const files = name === 'nginx' ? ['access.log', 'error.log'] : []
    const logged = () => [output(), ...files.map((file) => readFileSync(join(folder, file), 'utf8'))].join('')
    // Both write the failure, so there is something to look at.
    await expect.poll(logged).toMatch(name === 'nginx' ? / GET 502 .* 502 / : /"status":502/)
    expect(logged()).not.toContain('secret')
  },
)

it.skipIf(!debian)('nginx: redirects http to https (skipped only without Debian’s packages)', async () => {
  const { folder } = await startProxy('nginx', String(await findFreePort()))
  const sent = requestOverHttp({ socketPath: join(folder, 'http.sock'), path: '/models?q=1', headers: { Host: 'x' } })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(301)
  expect(response.headers.location).toBe('https://registry.example/models?q=1')
})
