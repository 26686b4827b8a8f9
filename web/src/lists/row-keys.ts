/** What a key does on a row. */
export type RowAct = { kind: 'move'; to: number } | { kind: 'choose' }

interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** What a key pressed on the row at this index does; undefined if it is left to the browser, such as Enter on a link. */
export const actOfKey = (
  { key, ctrlKey, metaKey, altKey, shiftKey }: Pressed,
  { at, count, canChoose }: { at: number; count: number; canChoose: boolean },
): RowAct | undefined => {
  if (ctrlKey || metaKey || altKey || shiftKey || count === 0) return undefined
  const places: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }
  const to = places[key]
  if (to !== undefined) return { kind: 'move', to: Math.min(Math.max(to, 0), count - 1) }
  return key === ' ' && canChoose ? { kind: 'choose' } : undefined
}
