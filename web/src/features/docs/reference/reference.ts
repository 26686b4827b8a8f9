/** What the build computes for the documentation from the contract and the rules; see `scripts/generate/docs-page.ts`. */

/** A field of a request or an answer; of nested ones the way to it, such as `provider.domain` or `checks[].detail`. */
export interface Field {
  name: string
  /** Where it stands; nothing for the body. */
  place?: 'path' | 'query' | 'header'
  types: FieldType[]
  isList?: true
  isRequired?: true
  /** It, or another field that stands for it. */
  isNeededSomehow?: true
  isNullable?: true
  /** An empty text is taken, and takes the value away. */
  mayBeEmpty?: true
  /** The only values that it may have. */
  values?: (string | number | boolean)[]
  default?: string | number | boolean
  /** Of a number its value, of a text its characters, of a list its entries. */
  min?: number
  max?: number
  pattern?: string
  /** What a header means. */
  note?: string
}

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'any' | 'time' | 'url' | `${string}_`

export interface Limit {
  points: number
  seconds: number
  /** Whose requests are counted together, in words. */
  of: string
}

/** What the list of endpoints says of one. */
export interface EndpointSummary {
  /** As the client calls it: `models.register`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary: string
}

/** What is said of an endpoint once somebody opens it. */
export interface EndpointDetails {
  caller: 'public' | 'optional' | 'provider'
  /** What a restricted key needs; nothing where any key will do or none is asked for. */
  scope?: string
  status: number
  input: Field[]
  /** A file as multipart/form-data. */
  isUpload?: true
  isIdempotent?: true
  maxBodyBytes?: number
  output: Field[]
  /** Codes of the error table. */
  errors: string[]
  limits: Limit[]
}

/** What the page needs from the start; the details of endpoints are a part of their own. */
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
