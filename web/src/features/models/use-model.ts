import type { Model } from '@countersign/sdk/contract'
import { useState } from 'react'
import useSWR, { type SWRConfiguration } from 'swr'
import { client } from '../../data/client.ts'
import { useViewer } from '../../data/session.ts'
import { readWritten } from '../../data/written-page.ts'
import { isNotFound } from '../../failures/failure.ts'

/** Data in the page is the public view, so owners request their own. */
const readWrittenModel = (id: string, viewer: string | null) => {
  const model = viewer === null ? readWritten<Model>('model-answer') : undefined
  return model?.id === id ? model : undefined
}

/** A public model or, for its owner, a private one. All others get the same error. Data in the page is used until the response arrives. */
export const useModel = (id: string, options: SWRConfiguration = {}) => {
  const viewer = useViewer()
  const [written] = useState(() => readWrittenModel(id, viewer))
  const { data, error, mutate } = useSWR(id === '' ? null : ['model', id, viewer], () => client.models.get(id), {
    ...options,
    // The same component shows other models later.
    ...(written?.id === id && viewer === null && { fallbackData: written }),
  })
  return { model: isNotFound(error) ? undefined : data, failure: error as unknown, again: () => void mutate() }
}
