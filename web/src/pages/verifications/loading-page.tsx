import { link } from '#messages/link.ts'

/** The shape of the record to come, shown only when the answer takes a moment. */
export const LoadingPage = ({ isShown }: { isShown: boolean }) => (
  <div className={isShown ? undefined : 'invisible'}>
    <div aria-hidden className="border-control border-t-4" />
    <p className="mt-4 min-h-6 text-muted text-small sm:mt-5">{link.loading}</p>
    <div aria-hidden>
      <Bar className="mt-2 h-9 w-full" />
      <Bar className="mt-2 h-9 w-2/3" />
      <Bar className="mt-3 h-6 w-full max-w-prose" />
      <Bar className="mt-1 h-6 w-1/2" />
      <div className="mt-6 grid grid-cols-2 gap-4 border-line border-y py-4 sm:grid-cols-4">
        {['domain', 'version', 'issued', 'expires'].map((fact) => (
          <Bar key={fact} className="h-10" />
        ))}
      </div>
      <Bar className="mt-10 mb-3 h-7 w-64" />
      <Bar className="h-24" />
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
