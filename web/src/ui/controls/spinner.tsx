import { LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'

export const Spinner = ({ children }: { children: ReactNode }) => (
  <p role="status" className="flex items-center gap-3 text-muted">
    <LoaderCircle aria-hidden size={20} className="motion-safe:animate-spin" />
    {children}
  </p>
)
