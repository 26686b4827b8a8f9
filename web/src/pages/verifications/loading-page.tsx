import { messages } from '../../messages/en.ts'

/** The shape of the record to come, shown only when the answer takes a moment. */
export const LoadingPage = ({ isShown }: { isShown: boolean }) => (
  <div className={isShown ? undefined : 'invisible'}>
    <div aria-hidden className="border-control border-t-4" />
    <p className="mt-5 min-h-6 text-muted text-small">{messages.link.loading}</p>
    <div aria-hidden>
      <Bar className="mt-3 h-9 w-full" />
      <Bar className="mt-2 h-9 w-2/3" />
      <div className="mt-12 grid grid-cols-2 gap-4 border-line border-y py-4 sm:grid-cols-4">
        {['domain', 'version', 'issued', 'expires'].map((fact) => (
          <Bar key={fact} className="h-10" />
        ))}
      </div>
      <Bar className="mt-10 mb-3 h-7 w-48" />
      {['one', 'two', 'three', 'four', 'five'].map((row) => (
        <div key={row} className="border-line border-t py-3">
          <Bar className="h-14" />
        </div>
      ))}
    </div>
  </div>
)

const Bar = ({ className }: { className: string }) => <div className={`rounded-chip bg-unk-bg ${className}`} />
