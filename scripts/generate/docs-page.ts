// What the documentation page of the console says of the API, computed: the build of the console runs this file and reads its JSON.
import {
  contract,
  type Endpoint,
  errors,
  exitCodes,
  limits,
  maxBodyBytesOf,
  neededScopeOf,
  refusalsOf,
  trustLevels,
  trustThresholds,
} from '@countersign/sdk/contract'
import { rulesOf, subjectOf } from '../../server/src/http/rate-rules.ts'
import { profileFields, trustOf } from '../../server/src/trust/rules.ts'
import type { EndpointDetails, Reference } from '../../web/src/features/docs/reference/reference.ts'
import { fieldsOf } from './api-fields.ts'

const detailsOf = (row: Endpoint): EndpointDetails => {
  const scope = neededScopeOf(row)
  return {
    caller: row.caller,
    ...(row.caller !== 'public' && scope !== 'any' && { scope }),
    status: row.status ?? 200,
    input: [
      ...fieldsOf(row.params, 'input', 'path'),
      ...fieldsOf(row.query, 'input', 'query'),
      ...Object.entries(row.headers ?? {}).map(([header, note]) => ({
        name: header,
        place: 'header' as const,
        types: ['string' as const],
        note,
      })),
      ...fieldsOf(row.body, 'input').map((field) =>
        !field.isRequired && missingIn(row.body).has(field.name) ? { ...field, isNeededSomehow: true as const } : field,
      ),
    ],
    ...(row.upload && { isUpload: true }),
    ...(row.idempotent && { isIdempotent: true }),
    ...(maxBodyBytesOf(row) !== limits.bodyBytes && { maxBodyBytes: maxBodyBytesOf(row) }),
    output: fieldsOf(row.response, 'output'),
    errors: refusalsOf(row),
    limits: rulesOf(row).map((rule) => ({ points: rule.points, seconds: rule.seconds, of: subjectOf(rule) })),
  }
}

/** What an empty body is refused for. */
const missingIn = (body: Endpoint['body']) => new Set(body?.safeParse({}).error?.issues.map(({ path }) => path.join('.')))

/** Of a provider who has nothing: what each component could give. */
const nobody = trustOf({
  email_verified: false,
  domain_verified: false,
  empty_profile_fields: profileFields,
  compliance_certifications: 0,
  ai_certifications: 0,
  has_verified_bundle: false,
  opened_verifications: 0,
  active_identifiers: 0,
  has_presence: false,
  has_support_at_domain: false,
})

const rows = Object.entries<Record<string, Endpoint>>(contract).flatMap(([feature, ofFeature]) =>
  Object.entries(ofFeature).map(([name, row]) => [`${feature}.${name}`, row] as const),
)

const endpointDetails = (): Record<string, EndpointDetails> => Object.fromEntries(rows.map(([name, row]) => [name, detailsOf(row)]))

const docsReference = (): Reference => ({
  endpoints: rows.map(([name, { method, path, summary }]) => ({ name, method, path, summary })),
  errors: Object.entries(errors).map(([code, row]) => ({
    code,
    status: row.status,
    title: row.title,
    exit: row.exit,
    isRetryable: 'retryable' in row,
  })),
  exitCodes: Object.entries(exitCodes).map(([code, meaning]) => ({ code: Number(code), meaning })),
  trust: {
    components: nobody.trust_breakdown.map(({ component, max_points, self_attested }) => ({
      component,
      points: max_points,
      isClaim: self_attested,
    })),
    profileFields: profileFields.length,
    levels: trustLevels.map((level, index) => {
      const next = trustLevels[index + 1]
      return { level, from: trustThresholds[level], to: next === undefined ? 100 : trustThresholds[next] - 1 }
    }),
  },
})

if (import.meta.main) process.stdout.write(JSON.stringify({ reference: docsReference(), endpointDetails: endpointDetails() }))
