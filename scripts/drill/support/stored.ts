import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { must } from './fault.ts'

const countLinks = 'select count(*) from verifications'
const countTwice =
  'select count(*) from (select 1 from models group by api_model_identifier, version_number having count(*) > 1) as twice'

/** What is in the database of a stopped or running registry, read beside it. */
export const readSqlite = (folder: string) => {
  const database = new Sqlite(join(folder, 'countersign.db'), { readonly: true })
  try {
    const integrity = database.pragma('integrity_check', { simple: true })
    must(integrity === 'ok', `integrity_check says ${integrity}`)
    const one = (text: string) => Number(database.prepare(text).pluck().get())
    return { links: one(countLinks), duplicates: one(countTwice) }
  } finally {
    database.close()
  }
}

export const readPostgres = async (url: string) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const one = async (text: string) => Number((await client.query(text)).rows[0].count)
    return { links: await one(countLinks), duplicates: await one(countTwice) }
  } finally {
    await client.end()
  }
}
