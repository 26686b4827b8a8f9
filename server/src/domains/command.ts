import { Refusal } from '@countersign/sdk/contract'
import { proofAt } from '../db/proofs.ts'
import type { Operator, OperatorCommand } from '../operator/command.ts'
import { alignRows, cutLine, minuteOf } from '../operator/lines.ts'
import { statusOfProof } from './rules.ts'
import { createDomainService } from './service.ts'
import { type DomainRow, listAllProven, listClaims } from './store.ts'

type Row = DomainRow & { company_name: string | null }

const timeOf = (at: number | null) => (at === null ? 'never' : `${minuteOf(at)} UTC`)

/** A block per claim: provider and domain, then the state of the proof and the company's name. */
const linesOf = (rows: readonly Row[], at: number) => {
  const heads = alignRows(rows.map((row) => [row.provider_id, row.is_primary === 1 ? 'primary' : '-', row.domain]))
  return rows.flatMap((row, index) => {
    const status = statusOfProof(proofAt(row, at))
    return [
      heads[index] ?? '',
      `  ${[
        row.method === null ? status : `${status} by ${row.method}`,
        ...(row.verified_at === null ? [] : [`proven ${timeOf(row.verified_at)}`]),
        `last confirmed ${timeOf(row.checked_at)}`,
      ].join(', ')}`,
      ...(row.blocked_by === null ? [] : [`  blocked by ${row.blocked_by}`]),
      ...(row.company_name === null ? [] : [cutLine(`  ${JSON.stringify(row.company_name)}`)]),
    ]
  })
}

const list = async ({ database, print, now }: Operator) => {
  for (const line of linesOf(await listAllProven(database.read), now())) print(line)
}

const show = async ({ database, print, now }: Operator, domain: string) => {
  const claims = await listClaims(database.read, domain)
  if (claims.length === 0) throw new Refusal('not_found', `No provider claims ${domain}.`)
  for (const line of linesOf(claims, now())) print(line)
}

/** They check nothing: a proof ends because the operator says so. */
const domainsOf = ({ database, events, mail, listings, now }: Operator) => {
  const nothing = () => Promise.reject(new Error('The operator’s commands check no proofs'))
  return createDomainService({
    database,
    events,
    mail,
    delays: { schedule: nothing, find: nothing },
    listings,
    now,
    resolveTxt: nothing,
    readDomainFile: nothing,
    isDevelopment: false,
  })
}

const end = async (operator: Operator, domain: string) => {
  if (!(await domainsOf(operator).endByOperator(domain)))
    throw new Refusal('not_found', `No provider has proven ${domain}.`)
  operator.print(
    `The proof of ${domain} has ended. Its links are no longer verified, and its provider cannot verify it again until you allow it. The owner is emailed if the email address was verified.`,
  )
}

const allow = async (operator: Operator, domain: string) => {
  if (!(await domainsOf(operator).allowByOperator(domain)))
    throw new Refusal('not_found', `The operator has not ended any claim to ${domain}.`)
  operator.print(`${domain} may be verified again. The owner is emailed if the email address was verified.`)
}

export const domainsCommand: OperatorCommand = {
  usage: [
    ['domains list', 'list proven domains and their providers'],
    ['domains show DOMAIN', 'list every account that claims a domain'],
    ['domains end DOMAIN', 'end a proof now, until you allow it again'],
    ['domains allow DOMAIN', 'let its provider prove it again'],
  ],
  run: async (operator, [action, name, ...rest]) => {
    if (rest.length > 0) return false
    const domain = name?.toLowerCase()
    if (action === 'list' && domain === undefined) await list(operator)
    else if (action === 'show' && domain !== undefined) await show(operator, domain)
    else if (action === 'end' && domain !== undefined) await end(operator, domain)
    else if (action === 'allow' && domain !== undefined) await allow(operator, domain)
    else return false
    return true
  },
}
