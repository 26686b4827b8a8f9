export { canonicalJson, type JsonValue, parseCanonicalJson } from './canonical-json.ts'
export { hideText } from './commitment.ts'
export {
  type Disclosure,
  type EntryType,
  entryTypes,
  formatEntry,
  hiddenFields,
  hideEntry,
  isDisclosed,
  isPrivate,
  type LogEntry,
  type OpenEntry,
  type PrivateEntry,
  parseEntry,
} from './entries.ts'
export { factOf } from './fact-of.ts'
export { maxEntryBytes } from './limit.ts'
export { type ShownName, shownNames } from './shown-names.ts'
