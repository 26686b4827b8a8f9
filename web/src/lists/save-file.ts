const keptForMs = 60_000

/** Saves text as a file. */
export const saveFile = (name: string, type: string, text: string) => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser may start reading it later.
  setTimeout(() => URL.revokeObjectURL(url), keptForMs)
}
