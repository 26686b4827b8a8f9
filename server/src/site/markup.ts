const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML and XML, in an element or between quotes. Characters that XML 1.0 §2.2 forbids are removed. */
export const escapeMarkup = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\uFFFE\uFFFF]|[^\P{Cc}\t\n\r]/gu, '')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** JSON for a script element of HTML: nothing in it ends the element or begins another. */
export const jsonForHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** At most this many characters, cut between characters. */
export const shortened = (text: string, max: number): string => {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}

/** `09:05 UTC` */
export const shownClock = (time: string): string => shownTime(time).slice(-9)

/** `21 Nov 2026, 09:05 UTC`, as the pages write it. */
export const shownTime = (time: string): string => {
  const text = new Date(time).toUTCString()
  return `${Number(text.slice(5, 7))} ${text.slice(8, 16)}, ${text.slice(17, 22)} UTC`
}
