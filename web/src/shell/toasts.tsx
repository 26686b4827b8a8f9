import { useEffect } from 'react'
import { Toaster } from 'sonner'
import { toastsAreThere } from '../ui/controls/toast.ts'
import { useTheme } from './theme.ts'

export const Toasts = () => {
  const { theme } = useTheme()
  useEffect(toastsAreThere, [])
  // On phones, dialogs have their buttons at the bottom.
  return <Toaster theme={theme} position={innerWidth < 600 ? 'top-center' : 'bottom-center'} />
}
