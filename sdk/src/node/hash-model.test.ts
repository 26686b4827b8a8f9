import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HashProgress, hashModel } from './hash-model.ts'

let folder: string
const fileOf = (name: string, content: Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
/** A file of zeros that takes no space. */
const hollowFile = (name: string, bytes: number) => {
  const path = fileOf(name, Buffer.alloc(0))
  truncateSync(path, bytes)
  return path
}
const digestOf = (content: Buffer) => `sha256:${createHash('sha256').update(content).digest('hex')}`

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hash-model-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('hashing a model', { timeout: 30_000 }, () => {
  it.each([0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5_000_000, 17_000_001])(
    'of %i bytes gives its SHA-256',
    async (bytes) => {
      const content = Buffer.alloc(bytes, 'model')
      const digest = digestOf(content)
      expect(await hashModel(fileOf('tiny.bin', content))).toEqual({
        digest,
        bytes,
        files: [{ name: 'tiny.bin', size: bytes, digest }],
        kind: 'file',
      })
    },
  )

  it('leaves the event loop free, and reports progress', async () => {
    const path = hollowFile('large.bin', 64_000_000)
    const reports: HashProgress[] = []
    let isDone = false
    const work = hashModel(path, { onProgress: (progress) => reports.push(progress) }).finally(() => {
      isDone = true
    })
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(isDone).toBe(false)
    await work
    expect(reports.length).toBeGreaterThan(1)
    expect(reports.at(-1)).toEqual({ bytes: 64_000_000, total: 64_000_000, file: 'large.bin' })
    expect(reports).toEqual(reports.toSorted((left, right) => left.bytes - right.bytes))
  })

  it('stops when aborted', async () => {
    const path = hollowFile('large.bin', 64_000_000)
    const controller = new AbortController()
    const work = hashModel(path, { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) })
    await expect(work).rejects.toThrow('enough')
    await expect(hashModel(path, { signal: controller.signal })).rejects.toThrow('enough')
  })

  it('notices that the file grew while it was read', async () => {
    const path = hollowFile('growing.bin', 256_000_000)
    let isFirst = true
    const onProgress = () => {
      if (isFirst) appendFileSync(path, 'more')
      isFirst = false
    }
    await expect(hashModel(path, { onProgress })).rejects.toMatchObject({ code: 'EBUSY' })
  })

  it('names a file that cannot be read', async () => {
    const path = join(folder, 'absent.bin')
    await expect(hashModel(path)).rejects.toMatchObject({ code: 'ENOENT', path })
  })
})
