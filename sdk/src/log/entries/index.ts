export { canonicalJson, type JsonValue, parseCanonicalJson } from './canonical-json.ts'
export {
  type Disclosure,
  type EntryType,
  entryTypes,
  formatEntry,
  hiddenFields,
  hideEntry,
  hideText,
  isDisclosed,
  isPrivate,
  type LogEntry,
  maxEntryBytes,
  type OpenEntry,
  type PrivateEntry,
  parseEntry,
} from './entries.ts'
