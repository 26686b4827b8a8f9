import type { Model } from '@countersign/sdk/contract'
import { useState } from 'react'
import useSWR from 'swr'
import { client } from '../../data/client.ts'
import { useViewer } from '../../data/session.ts'
import { readWritten } from '../../data/written-page.ts'

/** What came with the page is what everyone may see: an owner asks. */
const readWrittenModel = (id: string, viewer: string | null) => {
  const model = viewer === null ? readWritten<Model>('model-answer') : undefined
  return model?.id === id ? model : undefined
}

/** A public model or, for its owner, a private one. Others are refused alike. What the server wrote into the page stands until it answers. */
export const useModel = (id: string) => {
  const viewer = useViewer()
  const [written] = useState(() => readWrittenModel(id, viewer))
  const { data, error, mutate } = useSWR(id === '' ? null : ['model', id, viewer], () => client.models.get(id), {
    // The same page goes on to other models.
    ...(written?.id === id && viewer === null && { fallbackData: written }),
  })
  return { model: data, failure: error as unknown, again: () => void mutate() }
}
