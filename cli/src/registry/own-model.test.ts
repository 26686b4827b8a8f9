import { DeploymentId, ModelId, ModelIdentifier } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { checkDeploymentId, checkModelId, isModelId } from './own-model.ts'

const tail = '06dh0e3x7c9bw4vjz2n8qk5ytm'

describe('a name of a model', () => {
  it.each([`mdl_${tail}`, 'tiny', 'Tiny_2', 'ab', 'dep_x'])('is an id exactly where the contract says so: %s', (named) => {
    expect(isModelId(named)).toBe(ModelId.safeParse(named).success)
    expect(isModelId(named) || ModelIdentifier.safeParse(named).success).toBe(true)
  })

  it.each(['', 'a', 'mdl_nope', `mdl_${tail}x`, `mdl_${tail.toUpperCase()}`, 'a/b', 'a b', 'x'.repeat(129)])(
    'is wrong usage where it can be neither: %j',
    (named) => {
      expect(() => isModelId(named)).toThrow(expect.objectContaining({ exit: 2 }))
    },
  )

  it('must be an id where nobody is asked', () => {
    expect(checkModelId(`mdl_${tail}`)).toBe(`mdl_${tail}`)
    expect(() => checkModelId('tiny')).toThrow(expect.objectContaining({ exit: 2 }))
  })
})

it.each([`dep_${tail}`, `mdl_${tail}`, 'dep_nope', 'chat'])('a deployment’s id is as the contract says: %s', (named) => {
  if (DeploymentId.safeParse(named).success) expect(checkDeploymentId(named)).toBe(named)
  else expect(() => checkDeploymentId(named)).toThrow(expect.objectContaining({ exit: 2 }))
})
