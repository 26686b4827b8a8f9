import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority } from '../../../tests/support/certificates.ts'
import { unpackFromDebian } from '../../../tests/support/debian.ts'
import { root } from '../../../tests/support/imports.ts'
import { type Drill, must } from './fault.ts'

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
  })

/** Debian's nginx with `deploy/nginx.conf`, in front of these ports. */
export const startNginx = async ({ onEnd }: Pick<Drill, 'onEnd'>, port: number, replicas: readonly number[]) => {
  const debian = await unpackFromDebian(['nginx', 'nginx-common', 'libnginx-mod-http-js', 'libnginx-mod-http-ndk'])
  must(debian !== undefined, 'Debian’s packages of nginx cannot be downloaded')
  const folder = mkdtempSync(join(tmpdir(), 'countersign-nginx-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  const authority = await createAuthority()
  const server = await authority.issueServer()
  writeFileSync(join(folder, 'registry.crt'), server.cert)
  writeFileSync(join(folder, 'registry.key'), server.key)
  copyFileSync(join(root, 'deploy/client-cert.js'), join(folder, 'client-cert.js'))
  mkdirSync(join(folder, 'logs'))
  const modules = join(debian, 'usr/lib/nginx/modules')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`)
  const config = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
    .replace('load_module modules', `load_module ${modules}/ndk_http_module.so;\nload_module ${modules}`)
    .replaceAll('/etc/nginx/countersign', folder)
    .replace('/var/log/nginx', folder)
    .replace(
      'server 127.0.0.1:4100 max_fails=0;',
      replicas.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(' '),
    )
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('http {', `http { ${temporary.join(' ')}`)
  writeFileSync(join(folder, 'nginx.conf'), `daemon off; pid ${folder}/pid; error_log stderr;\n${config}`)
  const file = join(folder, 'nginx.conf')
  const child = spawn(join(debian, 'usr/sbin/nginx'), ['-p', folder, '-c', file, '-e', 'stderr'], {
    env: { HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-20_000)
  })
  const ended = once(child, 'exit')
  onEnd(async () => {
    child.kill()
    await ended
  })
  while (!(await isListening(port))) {
    must(child.exitCode === null, `nginx did not start: ${errors}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { ca: authority.cert, errors: () => errors }
}
