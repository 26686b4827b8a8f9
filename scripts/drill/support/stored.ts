import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { must } from './fault.ts'

const countLinks = 'select count(*) from verifications'
const countTwice =
  'select count(*) from (select 1 from models group by api_model_identifier, version_number having count(*) > 1) as twice'

/** Returns the number that a query counts. */
export type Count = (text: string) => Promise<number>

export const countInSqlite =
  (folder: string): Count =>
  async (text) => {
    const database = new Sqlite(join(folder, 'countersign.db'), { readonly: true })
    try {
      return Number(database.prepare(text).pluck().get())
    } finally {
      database.close()
    }
  }

export const countInPostgres =
  (url: string): Count =>
  async (text) => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return Number((await client.query(text)).rows[0].count)
    } finally {
      await client.end()
    }
  }

const readWith = async (count: Count) => ({ links: await count(countLinks), duplicates: await count(countTwice) })

export const readPostgres = (url: string) => readWith(countInPostgres(url))

export const readSqlite = async (folder: string) => {
  const database = new Sqlite(join(folder, 'countersign.db'), { readonly: true })
  try {
    const integrity = database.pragma('integrity_check', { simple: true })
    must(integrity === 'ok', `integrity_check says ${integrity}`)
  } finally {
    database.close()
  }
  return readWith(countInSqlite(folder))
}
