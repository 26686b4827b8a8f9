export { createLinkCode, formatLinkCode, type LinkReading, readLink } from './link-code.ts'
