export { domainWords, nearKeys, nearProbes } from './keys.ts'
export { type Nearness, nearDomain, nearName } from './names.ts'
