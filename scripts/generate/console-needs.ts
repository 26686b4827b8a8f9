import { contract, type Endpoint, neededScopeOf, type Role, roles, scopesOfRole } from '@countersign/sdk/contract'

/** What a role needs to call an endpoint: one of these scopes, being an owner, or nothing. */
const needOf = (endpoint: Endpoint): string => {
  if (endpoint.personal) return 'any'
  if (endpoint.ownersOnly) return 'owner'
  return [neededScopeOf(endpoint), endpoint.orScope].filter((scope) => scope !== undefined).join(' ')
}

const meets = (role: Role, need: string): boolean => {
  const scopes: readonly string[] | null = scopesOfRole[role]
  if (need === 'any') return true
  if (need === 'owner') return role === 'owner'
  return scopes === null || need.split(' ').some((scope) => scopes.includes(scope))
}

/** The roles that may call each endpoint that not every role may call, without the contract’s schemas. */
export const consoleNeeds = () => {
  const rows = Object.entries<Record<string, Endpoint>>(contract).flatMap(([feature, endpoints]) =>
    Object.entries(endpoints)
      .filter(([, { caller, method }]) => caller === 'provider' || (caller === 'optional' && method !== 'GET'))
      .map(([name, endpoint]): [string, string] => [`${feature}.${name}`, needOf(endpoint)])
      .filter(([, need]) => !roles.every((role) => meets(role, need))),
  )
  const needs = [...new Set(rows.map(([, need]) => need))]
  return `// Written by \`npm run generate\` from the contract. Do not edit.
import type { Role } from '@countersign/sdk/contract'

/** What a member’s role needs for each endpoint that not every role may call. */
export const needs = {
${rows.map(([name, need]) => `  '${name}': '${need}',`).join('\n')}
} as const

/** The roles that have it. */
export const rolesWith = {
${needs
  .map(
    (need) =>
      `  ${need}: [${roles
        .filter((role) => meets(role, need))
        .map((role) => `'${role}'`)
        .join(', ')}],`,
  )
  .join('\n')}
} as const satisfies Record<string, readonly Role[]>
`
}
