// A process that adds entries to a log and appends them to its tree, as fast as it can, until it is killed. It prints the ID of each entry
// that it committed.
import { formatEntry } from '@countersign/sdk/log/entries'
import { openDatabase } from '../../server/src/db/open.ts'
import { createNewId } from '../../server/src/ids.ts'
import { createTransparencyService } from '../../server/src/transparency/service.ts'
import { insertPending } from '../../server/src/transparency/store.ts'

const [url = '', encryptionKey = '', holder = '', aheadMs = ''] = process.argv.slice(2)

const database = await openDatabase(url)
const now = () => Date.now() + Number(aheadMs)
const newId = createNewId(now)
const transparency = createTransparencyService({
  database,
  egress: { fetch: () => Promise.reject(new Error('There are no witnesses')) },
  encryptionKey: Buffer.from(encryptionKey, 'hex'),
  policy: null,
  publicUrl: 'http://registry.example',
  holder,
  now,
  newId,
  onFailure: () => undefined,
  onHalt: () => {},
})
await transparency.prepare()

const addEntry = async () => {
  const at = now()
  const id = newId('evt').slice('evt_'.length)
  const provider = 'prv_1'
  const leaf = formatEntry({
    v: 1,
    type: 'deployment.disabled',
    at: new Date(at).toISOString(),
    provider,
    deployment: id,
  })
  await database.transaction((tx) =>
    insertPending(tx, [
      {
        revision: 1,
        id,
        owner: provider,
        subject: id,
        type: 'deployment.disabled',
        is_public: 1,
        at,
        leaf: Buffer.from(leaf).toString(),
        revealed: null,
      },
    ]),
  )
  process.stdout.write(`${id}\n`)
}

for (;;) {
  // Another process may be faster; then it tries again.
  await addEntry().catch(() => {})
  await transparency.sequence().catch(() => {})
}
