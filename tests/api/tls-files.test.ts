import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { openTlsListener } from '../../server/src/http/listen.ts'
import { followTlsFiles } from '../../server/src/tls-files.ts'
import { createAuthority } from '../support/certificates.ts'

it('a renewed certificate is used for new connections; open ones go on, and a pair that does not fit changes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-tls-'))
  const authority = await createAuthority()
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const store = async ({ cert, key }: { cert: string; key: string }) => {
    await writeFile(files.cert, cert)
    await writeFile(files.key, key)
    return { cert: Buffer.from(cert), key: Buffer.from(key) }
  }
  const tls = { port: 0, files, ...(await store(await authority.issueServer())) }
  const listener = await openTlsListener(tls, '127.0.0.1', (_request, response) => response.end('answer'))
  const replaced: number[] = []
  const follow = followTlsFiles({
    tls,
    replace: listener.replace,
    onReplaced: (expiresAt) => replaced.push(expiresAt),
    onFailure: () => {},
  })
  const kept = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(async () => {
    follow.stop()
    kept.destroy()
    listener.server.closeAllConnections()
    listener.server.close()
    await rm(folder, { recursive: true, force: true })
  })
  /** The serial number of the certificate of the connection. */
  const ask = async (agent: Agent | false = false) => {
    const request = get({ host: '127.0.0.1', port: listener.port, ca: authority.cert, agent })
    const [response] = await once(request, 'response')
    const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate()
    await once(response.resume(), 'end')
    return serialNumber
  }
  const first = await ask(kept)
  await follow.look()
  expect(replaced).toEqual([])

  await store(await authority.issueServer())
  await follow.look()
  expect(replaced).toEqual([expect.any(Number)])
  expect(replaced[0]).toBeGreaterThan(Date.now())
  const second = await ask()
  expect(second).not.toBe(first)
  expect(await ask(kept)).toBe(first)

  // Between the two writes of a renewal.
  const third = await authority.issueServer()
  await writeFile(files.cert, third.cert)
  await expect(follow.look()).rejects.toThrow('is not that of the certificate')
  expect(await ask()).toBe(second)
  await writeFile(files.key, third.key)
  await follow.look()
  expect(await ask()).not.toBe(second)
})
