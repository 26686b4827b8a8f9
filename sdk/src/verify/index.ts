export { createLinkCode, formatLinkCode, type LinkReading, readLink } from './link-code.ts'
export {
  checkToken,
  importKeys,
  type PublicKeys,
  readToken,
  type TokenHeader,
  type TokenReading,
  type TokenVerdict,
  tokenTypes,
} from './token.ts'
