export { escapeMarkup } from '../markup.ts'

/** JSON for a script element of HTML: nothing in it ends the element or begins another. */
export const jsonForHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** `09:05 UTC` */
export const shownClock = (time: string): string => shownTime(time).slice(-9)

/** `21 Nov 2026, 09:05 UTC`, as the pages write it. */
export const shownTime = (time: string): string => {
  const text = new Date(time).toUTCString()
  return `${Number(text.slice(5, 7))} ${text.slice(8, 16)}, ${text.slice(17, 22)} UTC`
}
