import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/**
 * Prints the locked packages that the server runs on, as CycloneDX. `npm sbom --omit dev` would leave out those that the repository also
 * uses for development, so npm gets a copy of the manifests without any development dependencies.
 */
const folder = mkdtempSync(join(tmpdir(), 'countersign-sbom-'))
try {
  const base = join(folder, 'countersign')
  for (const name of ['.', 'sdk', 'web', 'server']) {
    const { devDependencies, peerDependencies, peerDependenciesMeta, ...manifest } = JSON.parse(
      readFileSync(join(root, name, 'package.json'), 'utf8'),
    )
    mkdirSync(join(base, name), { recursive: true })
    // The Node that the repository brings.
    if (name === '.') delete manifest.optionalDependencies
    const workspaces = name === '.' ? { workspaces: ['sdk', 'web', 'server'] } : {}
    writeFileSync(join(base, name, 'package.json'), JSON.stringify({ ...manifest, ...workspaces }))
  }
  copyFileSync(join(root, 'package-lock.json'), join(base, 'package-lock.json'))
  const npm = (...args: string[]) =>
    execFileSync('npm', [...args, '--package-lock-only', '--offline', '--loglevel=error'], {
      cwd: base,
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    })
  npm('install', '--ignore-scripts', '--no-audit', '--no-fund')
  process.stdout.write(npm('sbom', '--sbom-format', 'cyclonedx'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
