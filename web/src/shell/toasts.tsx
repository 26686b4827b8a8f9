import { useEffect } from 'react'
import { Toaster } from 'sonner'
import { toastsAreThere } from '../ui/controls/toast.ts'
import { useTheme } from './theme.ts'

export const Toasts = () => {
  const { theme } = useTheme()
  useEffect(toastsAreThere, [])
  return <Toaster theme={theme} position="bottom-center" />
}
