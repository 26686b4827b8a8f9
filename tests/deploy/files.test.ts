import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { run } from '../../cli/src/main.ts'
import { createTestWorld } from '../../cli/src/test-world.ts'
import { settings } from '../../server/src/config.ts'
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
    const required = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
    const given = read('deploy/example.env')
    for (const name of required) expect(given).toMatch(new RegExp(`^${name}=`, 'm'))
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
  const [, command = ''] = /^ExecStart=\/opt\/countersign\/node_modules\/\.bin\/(\S+)$/m.exec(unit) ?? []
  expect(Object.keys(bin)).toContain(command)
  expect(unit).toMatch(/^Environment=PATH=\/opt\/countersign\/node_modules\/\.bin:.*\/usr\/bin/m)
})

const systemd = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find(existsSync)

it.skipIf(!systemd).each(['countersign', 'countersign-witness', 'countersign-monitor'])(
  '%s.service: systemd rates its exposure below 2.0 (skipped only without systemd)',
  (name) => {
    const unit = join(root, `deploy/${name}.service`)
    const args = ['security', '--offline=true', '--threshold=20', '--no-pager', unit]
    expect(execFileSync(systemd ?? '', args, { encoding: 'utf8' })).toContain('Overall exposure level')
  },
)

it.each(['witness', 'monitor'])('countersign-%s.service: the command line accepts its options', async (name) => {
  const unit = read(`deploy/countersign-${name}.service`).replaceAll('\\\n', ' ')
  const [, command = ''] = /^ExecStart=\/usr\/bin\/env countersign (.+)$/m.exec(unit) ?? []
  expect(unit).toMatch(/^Environment=PATH=.*:\/usr\/local\/bin:\/usr\/bin/m)
  const argv = command.split(/ +/)
  const world = createTestWorld()
  expect(await run([...argv, '--help'], world)).toBe(0)
  expect(world.written.stdout).toContain(`Usage: countersign log ${name}`)
})

it('the SBOM lists every package that the server needs, and none that only tests need', () => {
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
