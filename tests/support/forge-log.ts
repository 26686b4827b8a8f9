import type { Tx } from '../../server/src/db/schema.ts'

/** Cuts the log after two entries, as someone with access to the database could before it grows again. */
export const cutLog = async (tx: Tx) => {
  const { hashes } = await tx.selectFrom('log_tiles').select('hashes').where('level', '=', 0).executeTakeFirstOrThrow()
  await tx
    .updateTable('log_tiles')
    .set({ hashes: hashes.subarray(0, 64) })
    .where('level', '=', 0)
    .execute()
  await tx.deleteFrom('log_entries').where('position', '>=', 2).execute()
  await tx.deleteFrom('log_checkpoints').where('size', '>', 2).execute()
  await tx.updateTable('log_state').set({ size: 2 }).execute()
}

const moveEntry = (tx: Tx, from: number, to: number) =>
  tx.updateTable('log_entries').set({ position: to }).where('position', '=', from).execute()

/** Ways to change the history of a log that has at least six entries, with full access to the database. */
export const forgeries: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
  'an edited entry': (tx) => tx.updateTable('log_entries').set({ leaf: '{"v":1}' }).where('position', '=', 2).execute(),
  'two exchanged entries': async (tx) => {
    await moveEntry(tx, 1, -1)
    await moveEntry(tx, 2, 1)
    await moveEntry(tx, -1, 2)
  },
  'a deleted entry': (tx) => tx.deleteFrom('log_entries').where('position', '=', 3).execute(),
  'an inserted entry': async (tx) => {
    const { size } = await tx.selectFrom('log_state').select('size').executeTakeFirstOrThrow()
    for (let position = size - 1; position >= 2; position--) await moveEntry(tx, position, position + 1)
    const copied = await tx.selectFrom('log_entries').selectAll().where('position', '=', 1).executeTakeFirstOrThrow()
    await tx
      .insertInto('log_entries')
      .values({ ...copied, id: `${copied.id}x`, position: 2 })
      .execute()
  },
  'an edited hash': async (tx) => {
    const { hashes } = await tx
      .selectFrom('log_tiles')
      .select('hashes')
      .where('level', '=', 0)
      .executeTakeFirstOrThrow()
    const changed = Buffer.from(hashes)
    changed.writeUInt8((changed.readUInt8(40) + 1) % 256, 40)
    await tx.updateTable('log_tiles').set({ hashes: changed }).where('level', '=', 0).execute()
  },
  'a tree that was cut and grown again': cutLog,
}
