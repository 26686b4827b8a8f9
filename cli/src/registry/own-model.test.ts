import { DeploymentId, ModelId, ModelIdentifier } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { checkDeploymentId, checkModelId, isModelId } from './own-model.ts'

const tail = '06dh0e3x7c9bw4vjz2n8qk5ytm'

describe('a model name', () => {
  it.each([`mdl_${tail}`, 'tiny', 'Tiny_2', 'ab', 'dep_x'])(
    'is an ID only in the form that the contract defines: %s',
    (named) => {
      expect(isModelId(named)).toBe(ModelId.safeParse(named).success)
      expect(isModelId(named) || ModelIdentifier.safeParse(named).success).toBe(true)
    },
  )

  it.each(['', 'a', 'mdl_nope', `mdl_${tail}x`, `mdl_${tail.toUpperCase()}`, 'a/b', 'a b', 'x'.repeat(129)])(
    'is a usage error if it is neither an ID nor an identifier: %j',
    (named) => {
      expect(() => isModelId(named)).toThrow(expect.objectContaining({ exit: 2 }))
    },
  )

  it('must be an ID in a dry run', () => {
    expect(checkModelId(`mdl_${tail}`)).toBe(`mdl_${tail}`)
    expect(() => checkModelId('tiny')).toThrow(expect.objectContaining({ exit: 2 }))
  })
})

it.each([`dep_${tail}`, `mdl_${tail}`, 'dep_nope', 'chat'])(
  'accepts deployment IDs as the contract defines them: %s',
  (named) => {
    if (DeploymentId.safeParse(named).success) expect(checkDeploymentId(named)).toBe(named)
    else expect(() => checkDeploymentId(named)).toThrow(expect.objectContaining({ exit: 2 }))
  },
)
