import { link } from '#messages/pages/link.ts'

/** A placeholder for the record, shown only if loading takes a moment. */
export const LoadingPage = ({ isShown }: { isShown: boolean }) => (
  <div className={isShown ? 'outcome' : 'outcome invisible'} data-tone="unk">
    <p className="outcome-band">{link.loading}</p>
    <div aria-hidden>
      <Bar className="mt-4 h-8 w-2/3 sm:h-11" />
      <Bar className="mt-1 h-6 w-1/2 sm:h-8" />
      <Bar className="mt-2 h-10 w-full max-w-prose" />
      <div className="outcome-steps">
        {['company', 'server', 'file'].map((step) => (
          <div key={step} className="border-line border-b py-2 sm:py-3">
            <Bar className="h-10 sm:h-6" />
          </div>
        ))}
      </div>
      <Bar className="mt-3 h-5" />
      <Bar className="mt-2 h-8 w-2/3" />
      <Bar className="mt-10 h-24" />
    </div>
  </div>
)

const Bar = ({ className }: { className: string }) => <div className={`rounded-chip bg-unk-bg ${className}`} />
