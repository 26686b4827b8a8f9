import { expect, it } from 'vitest'
import { compareVersions } from './local.ts'

it('suggests the version of the registry, and nothing else that it calls a version', () => {
  expect(compareVersions('9.1.0').fix).toBe('npm install --global @countersign/cli@9.1.0')
  for (const version of ['npm:evil@1.0.0', 'https://evil.example/x.tgz', '9.1.0;id', '9.1.0 evil', ''])
    expect(compareVersions(version).fix, version).toBe('npm install --global @countersign/cli@VERSION')
})
