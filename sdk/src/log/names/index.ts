export { type Nearness, nearDomain, nearName } from './names.ts'
