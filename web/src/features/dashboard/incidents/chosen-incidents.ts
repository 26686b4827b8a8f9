import { createContext } from 'react'

/** The selected rows, passed by context so that selecting one does not re-render all of them. */
export const ChosenIncidents = createContext<{ has: (id: string) => boolean; toggle: (id: string) => void }>({
  has: () => false,
  toggle: () => undefined,
})
