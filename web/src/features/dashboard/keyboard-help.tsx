import { listWords } from '#messages/dashboard/list.ts'
import { Dialog } from '../../ui/controls/dialog.tsx'

const words = listWords.keys.list

/** Every key that works in the dashboard. */
export const KeyboardHelp = ({ onClose }: { onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title={words.title} description={words.about}>
    <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-3">
      {words.rows.map(({ keys, does }) => (
        <div key={does} className="contents">
          <dt className="flex flex-wrap gap-1.5">
            {keys.map((key) => (
              <kbd key={key} className="rounded-chip border border-control bg-sunken px-1.5 font-mono text-small">
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
