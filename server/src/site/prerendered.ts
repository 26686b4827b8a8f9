/** Time in which the console takes over from prerendered content. After that the content may be outdated. */
const patienceMs = 15_000

/**
 * Removes a prerendered verdict when nothing has replaced it in time: the console's scripts may never arrive, and a browser may show a
 * cached page again. It needs no other file and no request.
 */
const takeAway = (afterMs: number) => `(() => {
  const root = document.getElementById('root')
  const prerendered = root.firstElementChild
  const overdue = () => {
    if (prerendered.parentNode === root) root.replaceChildren(document.getElementById('overdue').content.cloneNode(true))
  }
  setTimeout(overdue, ${afterMs})
  addEventListener('pageshow', ({ persisted }) => persisted && overdue())
})()`

/** Placed after the prerendered content. `instead` is shown once that is too old to be trusted. */
export const untilOverdue = ({ goodForMs, nonce, instead }: { goodForMs: number; nonce: string; instead: string }) =>
  [
    `<template id="overdue">${instead}</template>`,
    `<script nonce="${nonce}">${takeAway(Math.min(patienceMs, goodForMs))}</script>`,
    // Without scripts, the page reloads when the link expires. Not in the head, which is the same for every link.
    `<noscript><meta http-equiv="refresh" content="${Math.ceil(goodForMs / 1_000)}"></noscript>`,
  ].join('\n')
