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
