import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createMemory } from './memory.ts'

const createFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-triage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'triage', 'default.json')
}

it('keeps skipped reports and drafts per account, readable only by the owner, and leaves nothing when all is done', () => {
  const path = createFolder()
  const acme = createMemory(path, 'https://registry.example prv_acme', true)
  acme.pass('inc_1')
  acme.keep('inc_2', { status: 'resolved', text: 'We men' })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const northwind = createMemory(path, 'https://registry.example prv_northwind', true)
  expect(northwind.isPassed('inc_1')).toBe(false)
  northwind.pass('inc_3')

  const later = createMemory(path, 'https://registry.example prv_acme', true)
  expect(later.isPassed('inc_1')).toBe(true)
  expect(later.begun('inc_2')).toEqual({ status: 'resolved', text: 'We men' })
  later.again()
  expect(createMemory(path, 'https://registry.example prv_acme', true).isPassed('inc_1')).toBe(false)
  later.forget(['inc_2'])
  expect(later.begun('inc_2')).toBeDefined()
  later.forget(['inc_4'])
  expect(later.begun('inc_2')).toBeUndefined()
  createMemory(path, 'https://registry.example prv_northwind', true).again(['inc_3'])
  expect(existsSync(path)).toBe(false)
})

it('saves nothing in a dry run, and starts over if the file is unreadable', () => {
  const path = createFolder()
  createMemory(path, 'a', false).pass('inc_1')
  expect(existsSync(path)).toBe(false)
  createMemory(path, 'a', true).pass('inc_1')
  writeFileSync(path, '{')
  expect(createMemory(path, 'a', true).isPassed('inc_1')).toBe(false)
})
