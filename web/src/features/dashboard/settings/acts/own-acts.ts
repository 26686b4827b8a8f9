import type { activity, UndoObstacle } from '@countersign/sdk/contract'
import { useState } from 'react'
import useSWR, { useSWRConfig } from 'swr'
import type { z } from 'zod'
import { client } from '../../../../data/client.ts'

type Activity = z.infer<typeof activity.list.response>

const dayMs = 24 * 3_600_000

/** What keys, sessions and jobs did without presence in the last days, and why some of it was not undone. */
export const useOwnActs = (days: number) => {
  const { data, error, mutate } = useSWR<Activity, unknown>(['own-acts', days], () =>
    client.activity.list({ since: new Date(Date.now() - days * dayMs).toISOString() }),
  )
  const { data: sessions } = useSWR(['own-acts-sessions'], () => client.auth.sessions())
  const { mutate: mutateAll } = useSWRConfig()
  const [kept, setKept] = useState<ReadonlyMap<string, UndoObstacle>>(new Map())
  return {
    activity: data,
    failure: error,
    again: () => mutate(),
    currentSession: sessions?.sessions.find(({ is_current }) => is_current)?.id,
    kept,
    /** Any list may have changed. */
    undo: async (actor: string, events: string[]) => {
      const answer = await client.activity.undo({ actor, events })
      const obstacles = answer.acts.flatMap(({ event_id, obstacle }): [string, UndoObstacle][] =>
        obstacle === null ? [] : [[event_id, obstacle]],
      )
      setKept((known) => new Map([...known, ...obstacles]))
      await mutateAll(() => true)
      return answer
    },
  }
}
