/** In which the console takes over from what the server painted. Longer, and nobody knows whether it still holds. */
const patienceMs = 15_000

/**
 * Takes a painted verdict away when nothing has replaced it in time: the console's scripts may never come, and a browser may
 * show the page again that it kept. It needs no other file, and asks nobody.
 */
const takeAway = (afterMs: number) => `(() => {
  const root = document.getElementById('root')
  const painted = root.firstElementChild
  const overdue = () => {
    if (painted.parentNode === root) root.replaceChildren(document.getElementById('overdue').content.cloneNode(true))
  }
  setTimeout(overdue, ${afterMs})
  addEventListener('pageshow', ({ persisted }) => persisted && overdue())
})()`

/** Stands behind what is painted. `instead` is shown once that is too old to be believed. */
export const untilOverdue = ({ goodForMs, nonce, instead }: { goodForMs: number; nonce: string; instead: string }) =>
  [
    `<template id="overdue">${instead}</template>`,
    `<script nonce="${nonce}">${takeAway(Math.min(patienceMs, goodForMs))}</script>`,
    // Without scripts the page is asked for again when the link ends. Not in the head, which is the same for every link.
    `<noscript><meta http-equiv="refresh" content="${Math.ceil(goodForMs / 1_000)}"></noscript>`,
  ].join('\n')
