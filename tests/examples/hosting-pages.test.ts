import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { askShared } from '../support/databases.ts'
import { startGoogleServer } from '../support/google-server.ts'
import { blocksOf } from '../support/pages.ts'
import { compileCache } from '../support/server-process.ts'

/** A machine with only `countersign-server` installed. */
const openHost = async (settings: Readonly<Record<string, string>> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-host-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'bin'))
  const program = await askShared('server')
  const shim = join(folder, 'bin/countersign-server')
  await writeFile(shim, `#!/bin/sh\nexec "${process.execPath}" --conditions=@countersign/source "${program}" "$@"\n`)
  await chmod(shim, 0o755)
  const path = [join(folder, 'bin'), process.env.PATH].join(delimiter)
  const env = {
    PATH: path,
    HOME: folder,
    NODE_NO_WARNINGS: '1',
    NODE_COMPILE_CACHE: compileCache,
    PORT: '0',
    ...settings,
  }
  const start = (script: string) => spawn('/bin/sh', ['-eu', '-c', script], { cwd: folder, env, detached: true })

  const run = async (script: string) => {
    const shell = start(script)
    let output = ''
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [exit] = await once(shell, 'close')
    return { exit: exit as number, output }
  }
  /** Starts a server, and resolves once it prints its address. */
  const serve = async (script: string) => {
    const shell = start(script)
    const closed = once(shell, 'close')
    const end = async () => {
      if (shell.exitCode === null && shell.signalCode === null) process.kill(-(shell.pid ?? 0), 'SIGTERM')
      await closed
    }
    onTestFinished(end)
    let log = ''
    const url = await new Promise<string>((resolve, reject) => {
      for (const stream of [shell.stdout, shell.stderr])
        stream.on('data', (chunk) => {
          log += chunk
          const [, address] = /"url":"([^"]+)".*the registry is running/.exec(log) ?? []
          if (address) resolve(address)
        })
      void closed.then(() => reject(new Error(`It ended:\n${log}`)))
    })
    return { url, end }
  }
  return { run, serve }
}

it('the page about self-hosting starts a registry, and lists, rotates and withdraws its keys', {
  timeout: 60_000,
}, async () => {
  const [start = '', keys = '', domains = '', ...others] = await blocksOf('docs/self-hosting.md')
  expect(others).toEqual([])
  const [clone, installed = ''] = start.split('\n')
  expect(clone).toMatch(/^npm start -- --plain /)
  const { run, serve } = await openHost()
  const { url, end } = await serve(installed)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await end()

  const [list = '', rotate = '', compromise = '', ...rest] = keys.trim().split('\n')
  // Confirming needs a restored registry: tests/faults/backup.test.ts.
  expect(rest).toEqual([expect.stringContaining('keys confirm KID')])
  const [, kid = ''] = /^(\S+) +active/m.exec((await run(list)).output) ?? []
  // Rejected while the next key is too young, as the page says.
  expect(await run(rotate)).toMatchObject({ exit: 1, output: expect.stringContaining('--force') })
  expect(await run(rotate.replace(' #', ' --force #'))).toMatchObject({ exit: 0 })
  expect(await run(compromise.replace('KID', kid))).toMatchObject({ exit: 0 })
  expect((await run(list)).output).toMatch(new RegExp(`^${kid} +compromised`, 'm'))
  expect(await run(domains.split('\n')[0] ?? '')).toMatchObject({ exit: 0 })
})

it('the page about sign-in starts a registry with GitHub, and one with Google', {
  timeout: 60_000,
}, async () => {
  const [github = '', google = '', ...others] = await blocksOf('docs/sign-in.md')
  expect(others).toEqual([])
  const service = await startGoogleServer()
  onTestFinished(service.close)
  const { serve } = await openHost({ GOOGLE_ISSUER: service.issuer, DEV_EGRESS_ALLOW: service.hostAndPort })
  const cases = [
    { script: github, path: 'github', leadsTo: 'https://github.com/' },
    { script: google, path: 'google', leadsTo: service.issuer },
  ]
  for (const { script, path, leadsTo } of cases) {
    const { url, end } = await serve(script.replaceAll('…', 'the-client'))
    const answer = await fetch(`${url}/api/v1/auth/${path}/login`, { redirect: 'manual' })
    const target = answer.headers.get('location') ?? ''
    expect(target).toContain('client_id=the-client')
    expect(target.startsWith(leadsTo)).toBe(true)
    await end()
  }
})
