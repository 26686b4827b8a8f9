import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { createSignatureCheck } from './signature-check.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const key = `:${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}:`
const signatureOf = (base: string) => sign(null, Buffer.from(base), privateKey).toString('base64')

const start = () => {
  const check = createSignatureCheck()
  onTestFinished(check.close)
  return check
}

it('checks every signature of a batch', async () => {
  const { isSigned } = start()
  const bases = Array.from({ length: 300 }, (_, index) => `base ${index}`)
  const isRight = (index: number) => index % 3 !== 0
  const answers = await Promise.all(
    bases.map((base, index) => isSigned({ key, base, signature: signatureOf(isRight(index) ? base : 'another') })),
  )
  expect(answers).toEqual(bases.map((_, index) => isRight(index)))
})

it('rejects an unusable key', async () => {
  const { isSigned } = start()
  expect(await isSigned({ key: ':AAAA:', base: 'x', signature: signatureOf('x') })).toBe(false)
})

it('rejects further signatures while too many wait, and accepts them again', async () => {
  const { isSigned } = start()
  const toVerify = { key, base: 'x', signature: signatureOf('x') }
  const waiting = Array.from({ length: 2_000 }, () => isSigned(toVerify))
  await expect(isSigned(toVerify)).rejects.toMatchObject({ code: 'unavailable' })
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]))
  expect(await isSigned(toVerify)).toBe(true)
})

it('answers 503 if its thread has ended, and starts another', async () => {
  const { isSigned, close } = start()
  const toVerify = { key, base: 'x', signature: signatureOf('x') }
  expect(await isSigned(toVerify)).toBe(true)
  const askAndEnd = () => {
    const asked = isSigned(toVerify).catch(({ code }) => code)
    setImmediate(close)
    return asked
  }
  // On a busy machine, the thread may answer before it ends.
  await expect.poll(askAndEnd).toBe('unavailable')
  expect(await isSigned(toVerify)).toBe(true)
})
