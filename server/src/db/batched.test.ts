import { describe, expect, it } from 'vitest'
import { batched } from './batched.ts'

describe('calls of one turn', () => {
  it('run together, in order, and each gets its own answer or error', async () => {
    const turns: number[][] = []
    const call = batched<number, number>((runAll) => {
      turns.push([])
      runAll((input) => {
        turns.at(-1)?.push(input)
        if (input === 2) throw new Error('not two')
        return input * 10
      })
    })
    const turn = (...inputs: number[]) => Promise.allSettled(inputs.map(call))
    expect(await turn(1, 2, 3)).toMatchObject([
      { status: 'fulfilled', value: 10 },
      { status: 'rejected', reason: { message: 'not two' } },
      { status: 'fulfilled', value: 30 },
    ])
    expect(await turn(4)).toMatchObject([{ value: 40 }])
    expect(turns).toEqual([[1, 2, 3], [4]])
  })

  it('made while others run are not lost', async () => {
    const inner: Promise<string>[] = []
    const call = batched<string, string>((runAll) => {
      runAll((input) => {
        if (input === 'outer') inner.push(call('inner'))
        return input
      })
    })
    expect(await call('outer')).toBe('outer')
    expect(await Promise.all(inner)).toEqual(['inner'])
  })

  it('all fail if their turn fails', async () => {
    const call = batched<number, number>(() => {
      throw new Error('no transaction')
    })
    expect(await Promise.allSettled([call(1), call(2)])).toMatchObject([
      { reason: { message: 'no transaction' } },
      { reason: { message: 'no transaction' } },
    ])
  })
})
