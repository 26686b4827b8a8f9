import { client } from '../../../data/client.ts'
import { useViewer } from '../../../data/session.ts'
import { useList } from '../../../lists/use-list.ts'

export const useModelFiles = (id: string) =>
  useList(['model-files', id, useViewer()], async (cursor) => {
    const page = await client.models.files(id, cursor === null ? {} : { cursor })
    return { items: page.files, cursor: page.next_cursor }
  })
