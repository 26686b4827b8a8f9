import { useRef } from 'react'
import useSWR, { useSWRConfig } from 'swr'
import { client } from '../../../data/client.ts'
import { useViewer } from '../../../data/session.ts'
import { currentOrNone } from '../../../failures/giving-up.ts'
import { everyMinute } from '../../../hooks/kept-current.ts'

const checkingMs = 2_000

/** The state of the signed bundle, reloaded more often while a check is in progress. */
export const useBundle = (id: string) => {
  const { mutate: mutateAny } = useSWRConfig()
  const wasChecking = useRef(false)
  const { data, error, mutate } = useSWR(['model-bundle', id, useViewer()], () => client.bundles.status(id), {
    ...currentOrNone,
    refreshInterval: (known) => (known?.verification_status === 'in_progress' ? checkingMs : everyMinute),
    onSuccess: ({ verification_status }) => {
      const isDone = wasChecking.current && verification_status === 'completed'
      wasChecking.current = verification_status === 'in_progress'
      if (isDone) void mutateAny((key) => Array.isArray(key) && key[0] === 'model' && key[1] === id)
    },
  })
  const verify = async () => {
    const answer = await client.bundles.verify(id, { force_refresh: true })
    wasChecking.current = true
    await mutate()
    return answer
  }
  return { bundle: data, failure: error as unknown, again: () => void mutate(), verify }
}
