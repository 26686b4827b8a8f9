import { must } from './refuse-unknown.ts'
import { isText } from './values.ts'

const maxSessionIdLength = 512

/** Throws TypeError for anything but the ID of a session. */
export const mustBeSessionId = (call: string, given: unknown) =>
  must(
    isText(given) && given !== '' && given.length <= maxSessionIdLength,
    call,
    'sessionId',
    `a string of 1 to ${maxSessionIdLength} characters`,
  )
