import { everyMinute } from '../hooks/kept-current.ts'

const pagesEachMinute = 10
/** Somewhat less, because the response arrives after the fifth minute began. */
const fiveMinutes = 4.5 * everyMinute

/** After scrolling far down, the whole list is not reloaded each minute: pages after the tenth are once they are five minutes old. */
export const isReloaded = (index: number, ageMs: number) => index < pagesEachMinute || ageMs >= fiveMinutes
