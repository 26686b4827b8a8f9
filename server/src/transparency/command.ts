import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '@countersign/sdk/contract'
import { formatVkey, LogError, type NoteKey, parseCheckpoint, parseNote, verifyNote } from '@countersign/sdk/log'
import {
  formatBundle,
  levelWidth,
  parseBundle,
  type Tile,
  tileAt,
  tilePath,
  tileWidth,
} from '@countersign/sdk/log/tiles'
import type { Db } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { Operator, OperatorCommand } from '../operator/command.ts'
import { noteKeyOf } from './log-signers.ts'
import { recoverFrom } from './recover.ts'
import { listLostKeys, rotateLogKey } from './succession.ts'
import {
  countEntries,
  findLatestCheckpoint,
  findState,
  findTile,
  type LogKey,
  listEntries,
  listLogKeys,
  setHalted,
} from './tree-store.ts'
import { askedWitnesses, createWitnesses, listPolicyWitnesses, type Witnessing } from './witnesses.ts'

const getState = async (db: Db) => {
  const state = await findState(db)
  if (!state) throw new Refusal('not_found', 'This registry has no log yet. Start it once.')
  return state
}

const signingWords = ({ signs_from, signs_until }: LogKey, at: number): string => {
  if (signs_from === null) return 'waits to be logged'
  if (signs_until === null) return `signs since ${timeOf(signs_from)}`
  return signs_until > at ? `signs until ${timeOf(signs_until)}` : `signed until ${timeOf(signs_until)}`
}

const reportLostKeys = async ({ database, print }: Operator, origin: string) => {
  for (const vkey of await listLostKeys(database.read, origin))
    print(`The log announced a key that this database does not have: ${vkey}. Run \`countersign-server log rotate\`.`)
}

const show = async (operator: Operator) => {
  const { database, logPolicy, now, print } = operator
  const { origin, size, halted } = await getState(database.read)
  print(`${origin}  ${size} entries, ${(await countEntries(database.read)) - Number(size)} waiting`)
  if (halted !== null) print(`It signs nothing (${halted}): see \`countersign-server log recover\`.`)
  for (const key of await listLogKeys(database.read))
    print(`  ${formatVkey(noteKeyOf(origin, key))}  ${signingWords(key, now())}`)
  await reportLostKeys(operator, origin)
  for (const witness of await listPolicyWitnesses(database.read, logPolicy))
    print(`  ${witness.name}  ${witness.trouble ?? `has seen ${witness.size} entries`}`)
}

const tilesOf = (size: number): Tile[] => {
  const tiles: Tile[] = []
  const add = (level: Tile['level']) => {
    for (let index = 0; index * tileWidth < levelWidth(level, size); index++) tiles.push(tileAt(level, index, size))
  }
  add('entries')
  for (let level = 0; levelWidth(level, size) > 0; level++) add(level)
  return tiles
}

const readTile = async (db: Db, { level, index, width }: Tile): Promise<Uint8Array> => {
  const first = index * tileWidth
  if (level === 'entries')
    return formatBundle((await listEntries(db, { first, end: first + width })).map(({ leaf }) => Buffer.from(leaf)))
  const row = await findTile(db, { level, tile: index })
  return row?.hashes.subarray(0, width * 32) ?? Buffer.alloc(0)
}

/** A file that exists is complete, even after a full disk or a kill. */
const writeWhole = (file: string, content: Uint8Array | string) => {
  const part = `${file}.part`
  rmSync(part, { force: true })
  writeFileSync(part, content, { flag: 'wx' })
  renameSync(part, file)
}

/** Full tiles never change, so an export can be continued. The checkpoint is last: its tiles are there before it. */
const exportTo = async ({ database, print }: Operator, folder: string) => {
  const checkpoint = await findLatestCheckpoint(database.read)
  if (!checkpoint) throw new Refusal('not_found', 'The log has no checkpoint yet. Start the registry once.')
  const size = Number(checkpoint.size)
  for (const tile of tilesOf(size)) {
    const file = join(folder, tilePath(tile))
    if (tile.width === tileWidth && existsSync(file)) continue
    mkdirSync(dirname(file), { recursive: true })
    writeWhole(file, await readTile(database.read, tile))
  }
  const lines = checkpoint.cosignatures.map(({ line }) => `${line}\n`).join('')
  writeWhole(join(folder, 'checkpoint'), checkpoint.note + lines)
  print(`Wrote ${size} entries to ${folder}.`)
}

const readCopy = async (folder: string, keys: readonly NoteKey[]) => {
  try {
    const checkpoint = readFileSync(join(folder, 'checkpoint'), 'utf8')
    const note = parseNote(checkpoint)
    // The size of an unsigned checkpoint could be anything.
    if ((await verifyNote(note, keys)).length === 0) throw new LogError('this log did not sign its checkpoint')
    const { size } = parseCheckpoint(note.text)
    const bundles = tilesOf(size).filter(({ level }) => level === 'entries')
    const leaves = bundles.flatMap((tile) => parseBundle(readFileSync(join(folder, tilePath(tile))), tile.width))
    return { checkpoint, leaves }
  } catch (error) {
    if (!(error instanceof LogError || (error instanceof Error && 'code' in error))) throw error
    throw new Refusal('bad_request', `${folder} has no readable copy of the log: ${error.message}`)
  }
}

const removing = 'If you cannot recover these entries, remove the witness from LOG_POLICY: it will report a fork.'

/** Asks every witness what it has seen: after a restore, the stored answers are from before it. */
const askAll = async ({ database, logPolicy, openEgress, now }: Operator) => {
  const latest = await findLatestCheckpoint(database.read)
  if (!latest || askedWitnesses(logPolicy).length === 0) return { larger: [], contradicting: [], silent: [] }
  const { origin } = await getState(database.read)
  const own = (await listLogKeys(database.read)).map((key) => noteKeyOf(origin, key))
  const egress = openEgress()
  try {
    const witnesses = createWitnesses({ database, egress, policy: logPolicy, now })
    const asked = await witnesses.ask(latest, own, (tile) => readTile(database.read, tile), { isAgain: true })
    const silent = (await listPolicyWitnesses(database.read, logPolicy)).filter(({ trouble }) => trouble !== null)
    return { ...asked, silent }
  } finally {
    await egress.close()
  }
}

/** A tree that goes on from fewer entries than a witness has seen is a fork. */
const refuseFork = (
  size: number,
  { larger, contradicting }: Pick<Witnessing, 'larger' | 'contradicting'>,
  held: string,
) => {
  const [most] = larger.filter((witness) => witness.size > size).toSorted((a, b) => b.size - a.size)
  if (most)
    throw new Refusal('bad_request', `${most.name} has seen ${most.size} entries; ${held} has ${size}. ${removing}`)
  const [other] = contradicting
  if (other !== undefined)
    throw new Refusal('bad_request', `${other} has seen another tree that this log signed. ${removing}`)
}

const recover = async (operator: Operator, folder: string) => {
  const { database, now, newId, print } = operator
  const { origin } = await getState(database.read)
  const keys = (await listLogKeys(database.read)).map((key) => noteKeyOf(origin, key))
  const copy = await readCopy(folder, keys)
  const { larger } = await askAll(operator)
  refuseFork(copy.leaves.length, { larger, contradicting: [] }, 'the copy')
  const { size, added } = await recoverFrom({ database, now, newId }, copy, keys)
  print(`The log has ${size} entries again; ${added} were added. It signs from now on.`)
  await reportLostKeys(operator, origin)
}

const rotate = async ({ database, logEncryptionKey, now, newId, print }: Operator) => {
  const vkey = await rotateLogKey({ database, encryptionKey: logEncryptionKey, now, newId })
  print('The new key signs once it is in the log. The old key signs for 30 more days. The new verifier key:')
  print(`  ${vkey}`)
  print('Send it to witnesses and to everyone who pinned the old key.')
}

const accept = async (operator: Operator) => {
  const { database, print } = operator
  const asked = await askAll(operator)
  const { size } = await getState(database.read)
  refuseFork(Number(size), asked, 'this database')
  for (const { name, trouble } of asked.silent) print(`${name} did not confirm that it has seen no more: ${trouble}`)
  await database.transaction((tx) => setHalted(tx, null))
  print(`The log continues after ${size} entries. If it had signed more, its witnesses and monitors will report it.`)
}

export const logCommand: OperatorCommand = {
  usage: [
    ['log show', 'show the size of the log and its witnesses'],
    ['log export DIR', 'write the log as files for any web server'],
    ['log recover DIR', 'add what a copy has and a restore lost'],
    ['log rotate', 'log a new key, which signs after it is logged'],
    ['log recover --accept', 'sign again: nothing was logged since'],
  ],
  run: async (operator, [action, name, ...rest]) => {
    if (rest.length > 0) return false
    if (action === 'show' && name === undefined) await show(operator)
    else if (action === 'export' && name !== undefined) await exportTo(operator, resolve(name))
    else if (action === 'rotate' && name === undefined) await rotate(operator)
    else if (action === 'recover' && name === '--accept') await accept(operator)
    else if (action === 'recover' && name !== undefined) await recover(operator, resolve(name))
    else return false
    return true
  },
}
