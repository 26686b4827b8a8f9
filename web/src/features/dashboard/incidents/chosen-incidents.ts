import { createContext } from 'react'

/** Which rows are chosen. Told past the rows, so that choosing one does not draw all of them again. */
export const ChosenIncidents = createContext<{ has: (id: string) => boolean; toggle: (id: string) => void }>({
  has: () => false,
  toggle: () => undefined,
})
