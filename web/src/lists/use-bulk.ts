import { useState } from 'react'
import { type Outcome, runAll } from './run-all.ts'

/** A bulk action with its progress and failures. */
export const useBulk = <Item>() => {
  const [progress, setProgress] = useState<{ done: number; count: number } | null>(null)
  const [failed, setFailed] = useState<Outcome<Item>['failed']>([])
  return {
    progress,
    failed,
    forgetFailed: () => setFailed([]),
    run: async (items: readonly Item[], act: (item: Item) => PromiseLike<unknown>): Promise<Outcome<Item>> => {
      setFailed([])
      setProgress({ done: 0, count: items.length })
      const outcome = await runAll(items, act, (done) => setProgress({ done, count: items.length }))
      setProgress(null)
      setFailed(outcome.failed)
      return outcome
    },
  }
}
