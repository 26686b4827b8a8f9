import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/** A file as the hub stores it: in git itself, in LFS, in Xet storage with an LFS pointer, or there without one. */
export interface HubFile {
  content: string
  storage?: 'git' | 'lfs' | 'xet' | 'xet alone'
  /** Overrides what the list says. */
  reported?: Record<string, unknown>
}

const hash = (algorithm: string, content: string) => createHash(algorithm).update(content).digest('hex')

/** One entry of `GET /api/models/:id/tree/:revision`. */
const entryOf = (path: string, { content, storage = 'git', reported }: HubFile) => {
  const size = Buffer.byteLength(content)
  const pointer = { oid: hash('sha256', content), size, pointerSize: 134 }
  return {
    type: 'file',
    // The blob ID of a file in git, else that of its pointer.
    oid: hash('sha1', storage === 'git' ? `blob ${size}\0${content}` : `blob pointer of ${content}`),
    size,
    path,
    ...((storage === 'lfs' || storage === 'xet') && { lfs: pointer }),
    ...((storage === 'xet' || storage === 'xet alone') && { xetHash: hash('sha256', `xet of ${content}`) }),
    ...reported,
  }
}

const foldersOf = (path: string) =>
  path
    .split('/')
    .slice(1)
    .map((_, index) => path.split('/', index + 1).join('/'))

/** The whole list, including folders, as `recursive=true` requests it. */
export const treeOf = (files: Readonly<Record<string, HubFile>>) => {
  const folders = [...new Set(Object.keys(files).flatMap(foldersOf))]
  return [
    ...folders.map((path) => ({ type: 'directory', oid: hash('sha1', path), size: 0, path })),
    ...Object.entries(files).map(([path, file]) => entryOf(path, file)),
  ]
}

/** The host that serves large files, which is not the hub's. */
export const startFileStore = async () => {
  const contents = new Map<string, string>()
  const seen: { url: string; authorization: string | undefined }[] = []
  const server = createServer(({ url = '', headers }, response) => {
    seen.push({ url, authorization: headers.authorization })
    const content = contents.get(url)
    response.writeHead(content === undefined ? 403 : 200).end(content ?? '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  const origin = `http://127.0.0.1:${address.port}`
  return {
    seen,
    /** A signed address with an expiry, like the store's. */
    addressOf: (content: string) => {
      const path = `/${hash('sha256', content)}?X-Amz-Expires=3600&X-Amz-Signature=abc`
      contents.set(path, content)
      return `${origin}${path}`
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
