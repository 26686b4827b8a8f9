import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { readArgv } from '../../cli/src/args/read-argv.ts'
import { createProgram } from '../../cli/src/program.ts'
import { registryProgram } from '../../scripts/bench/world.ts'
import { settings } from '../../server/src/config.ts'
import { itInFull } from '../support/full.ts'
import { root } from '../support/imports.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
const headings = [...read('docs/runbooks.md').matchAll(/^## (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
const metrics = [...read('docs/operating.md').matchAll(/^\| `(countersign_\w+)`/gm)].map(([, name = '']) => name)

interface Rule {
  alert: string
  expr: string
  annotations: { summary: string; runbook: string }
}

describe('alerts.yml', () => {
  const rules: Rule[] = parse(read('deploy/alerts.yml')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules)

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s uses existing metrics and names a runbook',
    (_name, rule) => {
      const used = [...rule.expr.matchAll(/countersign_\w+/g)].map(([name]) => name.replace(/_(count|bucket|sum)$/, ''))
      for (const name of used) expect(metrics).toContain(name)
      const [, anchor = ''] = rule.annotations.runbook.split('docs/runbooks.md#')
      expect(headings).toContain(anchor)
    },
  )
})

describe('compose.yaml', () => {
  const compose = parse(read('deploy/compose.yaml'))

  it('follows the schema of the Compose specification', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addFormat('ports', true)
    ajv.addFormat('expose', true)
    ajv.addFormat('duration', true)
    ajv.addFormat('subnet_ip_address', true)
    const validate = ajv.compile(JSON.parse(read('tests/fixtures/compose/compose-spec.json')))
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ services: { registry: { imagee: 'x' } } })).toBe(false)
  })

  it('sets only settings that exist, and lists the required ones in example.env', () => {
    const { environment } = compose.services.registry
    for (const name of Object.keys(environment)) expect(settings).toHaveProperty(name)
    expect(compose.services.registry.env_file).toBe('.env')
    const required = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
    const given = read('deploy/example.env')
    for (const name of required) expect(given).toMatch(new RegExp(`^${name}=`, 'm'))
    const names = [...given.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = '']) => name)
    for (const name of names.filter((one) => one !== 'POSTGRES_PASSWORD')) expect(settings).toHaveProperty(name)
  })

  it('publishes ports on loopback only', () => {
    const ports = Object.values<{ ports?: string[] }>(compose.services).flatMap((service) => service.ports ?? [])
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  })
})

it('an installed server has the console: npm installs @countersign/web of the same version beside it', () => {
  const { dependencies } = JSON.parse(read('server/package.json'))
  const { name, version } = JSON.parse(read('web/package.json'))
  expect(dependencies[name]).toBe(version)
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--workspace', 'web'], { cwd: root })
  expect(packed.toString()).toContain('"path": "dist/index.html"')
})

it('Dockerfile: the last stage does not run as root and checks liveness', () => {
  const last =
    read('deploy/Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? ''
  expect(last).toMatch(/^USER 10001:10001$/m)
  expect(last).toMatch(/^HEALTHCHECK .*\n.*\/livez/m)
  // New volumes get its mode, and `doctor` fails if others can read it. COPY would not keep the mode with buildah.
  expect(last).toMatch(/^RUN install --directory .*--mode 0700 \/var\/lib\/countersign$/m)
})

it('countersign.service starts the command that npm installs, with the Node beside it or the one of the machine', () => {
  const unit = read('deploy/countersign.service')
  const { bin } = JSON.parse(read('server/package.json'))
  const [, command = ''] =
    /^ExecStart=\/usr\/bin\/env node \S+ \/opt\/countersign\/node_modules\/\.bin\/(\S+)$/m.exec(unit) ?? []
  expect(Object.keys(bin)).toContain(command)
  expect(unit).toMatch(/^Environment=PATH=\/opt\/countersign\/node_modules\/\.bin:.*\/usr\/bin/m)
})

it.each(['deploy/countersign.service', 'deploy/Dockerfile'])('%s starts Node as the benchmarks do', (file) => {
  const [option = ''] = registryProgram
  expect(option).toMatch(/^--/)
  expect(read(file)).toMatch(new RegExp(`^E.*node"?,? "?${option}`, 'm'))
})

const systemd = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find(existsSync)

it.skipIf(!systemd).each(['countersign', 'countersign-backup', 'countersign-witness', 'countersign-monitor'])(
  '%s.service: systemd rates its exposure below 2.0 (skipped only without systemd)',
  (name) => {
    const unit = join(root, `deploy/${name}.service`)
    const args = ['security', '--offline=true', '--threshold=20', '--no-pager', unit]
    expect(execFileSync(systemd ?? '', args, { encoding: 'utf8' })).toContain('Overall exposure level')
  },
)

it.skipIf(!systemd)('countersign-backup: systemd accepts the unit and its timer (skipped only without systemd)', () => {
  const files = ['service', 'timer'].map((kind) => join(root, `deploy/countersign-backup.${kind}`))
  const { status, stderr } = spawnSync(systemd ?? '', ['verify', '--recursive-errors=no', ...files], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('countersign-backup.service writes a dated backup, then deletes those older than BACKUP_DAYS', () => {
  const unit = read('deploy/countersign-backup.service')
  const folder = mkdtempSync(join(tmpdir(), 'countersign-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = ['registry-old.db', 'registry-old.db.manifest.json', 'registry-new.db', 'before-upgrade.db']
  for (const file of files) writeFileSync(join(folder, file), '')
  const at = Date.now() / 1000 - 32 * 86_400
  for (const file of files.filter((one) => one !== 'registry-new.db')) utimesSync(join(folder, file), at, at)
  const command = join(folder, 'bin/countersign-server')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(command, '#!/bin/sh\n[ "$1" = backup ] && touch "$2"\n')
  chmodSync(command, 0o755)
  const env = { BACKUPS: folder, BACKUP_DAYS: '30', PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }
  for (const [, line = ''] of unit.matchAll(/^ExecStart=(.+)$/gm)) {
    // What systemd does with these lines, without globs.
    const words = line.replaceAll('$$', '$').replaceAll('%%', '%')
    execFileSync('/bin/sh', ['-fc', words], { env })
  }
  const left = readdirSync(folder).sort()
  expect(left).toEqual([
    'before-upgrade.db',
    'bin',
    expect.stringMatching(/^registry-\d{4}-\d\d-\d\dT\d{6}Z\.db$/),
    'registry-new.db',
  ])
})

it.each(['witness', 'monitor'])('countersign-%s.service: the command line accepts its options', async (name) => {
  const unit = read(`deploy/countersign-${name}.service`).replaceAll('\\\n', ' ')
  const [, command = ''] = /^ExecStart=\/usr\/bin\/env countersign (.+)$/m.exec(unit) ?? []
  expect(unit).toMatch(/^Environment=PATH=.*:\/usr\/local\/bin:\/usr\/bin/m)
  const { command: named, problem } = await readArgv(command.split(/ +/), createProgram())
  expect({ path: named.path, problem }).toEqual({ path: ['log', name], problem: undefined })
})

itInFull('the SBOM lists every package that the server needs, and none that only tests need', () => {
  const bom = JSON.parse(
    execFileSync(process.execPath, [join(root, 'scripts/run.mjs'), 'sbom'], {
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    }),
  )
  const listed = bom.components.map((component: { 'bom-ref': string }) => component['bom-ref'])
  const { dependencies } = JSON.parse(read('server/package.json'))
  for (const [name, version] of Object.entries(dependencies)) expect(listed).toContain(`${name}@${version}`)
  expect(listed.filter((ref: string) => /^(vitest|typescript|playwright-core|react)@/.test(ref))).toEqual([])
})
