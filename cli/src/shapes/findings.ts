/** What `doctor` checks, in this order: an early failure often explains later ones. */
export const checkNames = [
  'versions',
  'config',
  'dns',
  'tcp',
  'tls',
  'http',
  'ready',
  'clock',
  'keys',
  'credentials',
  'provider',
  'certificate',
  'private_key',
  'deployment',
  'tls_address',
  'token',
  'hub_token',
] as const
export type CheckName = (typeof checkNames)[number]

export const findingStatuses = ['ok', 'warn', 'fail', 'skipped'] as const
