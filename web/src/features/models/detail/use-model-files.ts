import { client } from '../../../data/client.ts'
import { useViewer } from '../../../data/session.ts'
import { useList } from '../../../lists/use-list.ts'

/** The listed files of a version. An edit can rename them under the same digest. */
export const useModelFiles = (id: string, digest: string) =>
  useList(
    ['model-files', id, digest, useViewer()],
    async (cursor) => {
      const page = await client.models.files(id, cursor === null ? {} : { cursor })
      return { items: page.files, cursor: page.next_cursor }
    },
    { isReloaded: true },
  )
