// The API reference of the console's documentation page. The console's build runs this file and reads its JSON.
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
import { profileFields, type TrustFacts, trustBreakdownOf } from '../../server/src/trust/rules.ts'
import type { EndpointDetails, Reference } from '../../web/src/features/docs/reference/reference.ts'
import { fieldsOf } from './api-fields.ts'

const detailsOf = (endpoint: Endpoint): EndpointDetails => {
  const scope = neededScopeOf(endpoint)
  return {
    caller: endpoint.caller,
    ...(endpoint.caller !== 'public' && scope !== 'any' && { scope }),
    status: endpoint.status ?? 200,
    input: [
      ...fieldsOf(endpoint.params, 'input', 'path'),
      ...fieldsOf(endpoint.query, 'input', 'query'),
      ...Object.entries(endpoint.headers ?? {}).map(([header, note]) => ({
        name: header,
        place: 'header' as const,
        types: ['string' as const],
        note,
      })),
      ...fieldsOf(endpoint.body, 'input').map((field) =>
        !field.isRequired && missingIn(endpoint.body).has(field.name)
          ? { ...field, isNeededSomehow: true as const }
          : field,
      ),
    ],
    ...(endpoint.upload && { isUpload: true }),
    ...(endpoint.idempotent && { isIdempotent: true }),
    ...(maxBodyBytesOf(endpoint) !== limits.bodyBytes && { maxBodyBytes: maxBodyBytesOf(endpoint) }),
    output: fieldsOf(endpoint.response, 'output'),
    errors: refusalsOf(endpoint),
    limits: rulesOf(endpoint).map((rule) => ({ points: rule.points, seconds: rule.seconds, of: subjectOf(rule) })),
  }
}

/** The fields that an empty body is rejected for. */
const missingIn = (body: Endpoint['body']) =>
  new Set(body?.safeParse({}).error?.issues.map(({ path }) => path.join('.')))

/** A provider without any points, to list what each component could give. */
const emptyProvider: TrustFacts = {
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
}

const endpoints = Object.entries<Record<string, Endpoint>>(contract).flatMap(([feature, ofFeature]) =>
  Object.entries(ofFeature).map(([name, endpoint]) => [`${feature}.${name}`, endpoint] as const),
)

const endpointDetails = (): Record<string, EndpointDetails> =>
  Object.fromEntries(endpoints.map(([name, endpoint]) => [name, detailsOf(endpoint)]))

const docsReference = (): Reference => ({
  endpoints: endpoints.map(([name, { method, path, summary }]) => ({ name, method, path, summary })),
  errors: Object.entries(errors).map(([code, row]) => ({
    code,
    status: row.status,
    title: row.title,
    exit: row.exit,
    isRetryable: 'retryable' in row,
  })),
  exitCodes: Object.entries(exitCodes).map(([code, meaning]) => ({ code: Number(code), meaning })),
  trust: {
    components: trustBreakdownOf(emptyProvider).map(({ component, max_points, self_attested }) => ({
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

if (import.meta.main)
  process.stdout.write(JSON.stringify({ reference: docsReference(), endpointDetails: endpointDetails() }))
