// Without zod, because the verifier imports it.
import { maxFilePageSize, maxModelFiles } from './same-files.ts'

/** How long verifiers may cache the registry's key set. */
export const jwksMaxAgeSeconds = 300

/** How long a link and its token are valid. */
export const tokenLifetimeSeconds = 900

/** The limits of the API: sizes, lengths and numbers. */
export const limits = {
  bodyBytes: 100_000,
  /** Values in the JSON of a body: objects, arrays and their members. */
  bodyValues: 2_000,
  nesting: 32,
  tokenLifetimeSeconds,
  quickEditSeconds: 3_600,
  pageSize: 50,
  maxPageSize: 100,
  responseTextBytes: 256_000,
  metadataBytes: 4_096,
  labels: 32,
  companyDescription: 200,
  searchText: 200,
  /** Shorter queries find nothing. */
  minSearchText: 2,
  searchResults: 20,
  logoBytes: 5 * 1024 * 1024,
  /** Size of a signed bundle. */
  bundleBytes: 5_000_000,
  bundleValues: 20_000,
  /** Files of one version of a model. */
  modelFiles: maxModelFiles,
  /** Body of a registration, which lists all files. */
  modelBodyBytes: 4_000_000,
  modelBodyValues: 200_000,
  /** Page size of the list of a version’s files. */
  maxFilePageSize,
  /** Per provider. */
  activeApiKeys: 100,
  /** For one member who is neither owner nor admin. */
  activeKeysOfMember: 20,
  domains: 20,
  publishers: 50,
  /** Trusted workloads of a provider. */
  workloads: 50,
  /** From this share of a quota on, its owner is warned. */
  quotaWarningShare: 0.8,
  passwordMin: 8,
  passwordMax: 128,
  incidentTitle: 200,
  incidentText: 5_000,
  /** Seconds between two health checks of one model. */
  healthIntervalMin: 60,
  healthIntervalMax: 86_400,
  healthIntervalDefault: 300,
} as const
