/** Data that the build computes from the contract and the rules; see `scripts/generate/docs-page.ts`. */

/** A field of a request or response; nested ones have a path, such as `provider.domain` or `checks[].detail`. */
export interface Field {
  name: string
  /** Its place in the request; undefined for the body. */
  place?: 'path' | 'query' | 'header'
  types: FieldType[]
  isList?: true
  isRequired?: true
  /** Required unless an alternative field is given. */
  isNeededSomehow?: true
  isNullable?: true
  /** An empty text is accepted and clears the value. */
  mayBeEmpty?: true
  /** The only allowed values. */
  values?: (string | number | boolean)[]
  default?: string | number | boolean
  /** A number's value, a text's characters or a list's entries. */
  min?: number
  max?: number
  pattern?: string
  /** The meaning of a header. */
  note?: string
}

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'any' | 'time' | 'url' | `${string}_`

export interface Limit {
  points: number
  seconds: number
  /** Whose requests count towards one limit, in words. */
  of: string
}

/** An entry of the list of endpoints. */
export interface EndpointSummary {
  /** The client's method: `models.register`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary: string
}

/** The details shown when an endpoint is opened. */
export interface EndpointDetails {
  caller: 'public' | 'optional' | 'provider'
  /** The scope that a restricted key needs; undefined if any key or none will do. */
  scope?: string
  status: number
  input: Field[]
  /** Takes a file as multipart/form-data. */
  isUpload?: true
  isIdempotent?: true
  maxBodyBytes?: number
  output: Field[]
  /** Codes from the error table. */
  errors: string[]
  limits: Limit[]
}

/** The data needed from the start; endpoint details are loaded separately. */
export interface Reference {
  endpoints: EndpointSummary[]
  errors: { code: string; status: number; title: string; exit: number; isRetryable: boolean }[]
  exitCodes: { code: number; meaning: string }[]
  trust: {
    components: { component: string; points: number; isClaim: boolean }[]
    profileFields: number
    levels: { level: string; from: number; to: number }[]
  }
}
