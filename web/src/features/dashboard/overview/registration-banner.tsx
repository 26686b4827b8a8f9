import { overviewTab } from '#messages/dashboard/overview.ts'
import { Button } from '../../../ui/controls/button.tsx'

const words = overviewTab.banner

export const RegistrationBanner = ({ onComplete }: { onComplete: () => void }) => (
  <section aria-label={words.heading} className="mt-6 border-warn border-s-4 bg-warn-bg px-4 py-4">
    <h2 className="font-semibold">{words.heading}</h2>
    <p className="mt-1 max-w-prose text-small">{words.text}</p>
    <Button look="primary" className="mt-4" onClick={onComplete}>
      {words.action}
    </Button>
  </section>
)
