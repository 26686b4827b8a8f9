import { List, X } from 'lucide-react'
import { useRef } from 'react'
import { page } from '#messages/docs/page.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ContentsList } from './contents-list.tsx'

const words = page.sidebar

/** The contents on a narrow screen: a sticky bar and a drawer. */
export const ContentsDrawer = ({ current, currentName }: { current: string | undefined; currentName: string }) => {
  const drawer = useRef<HTMLDialogElement>(null)
  const close = () => drawer.current?.close()
  return (
    <div className="sticky top-0 z-10 -mx-4 border-line border-b bg-bg px-4 py-1.5 sm:-mx-6 sm:px-6 md:hidden print:hidden">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => drawer.current?.showModal()}
        className="flex min-h-10 w-full cursor-pointer items-center gap-2 text-start text-small"
      >
        <List aria-hidden size={18} className="shrink-0" />
        <span className="font-semibold">{words.contents}</span>
        <span className="min-w-0 truncate text-muted">{currentName}</span>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it */}
      <dialog
        ref={drawer}
        aria-label={words.label}
        onClick={(event) => event.target === drawer.current && close()}
        className="m-0 h-dvh max-h-none w-72 max-w-[90vw] overflow-y-auto overscroll-contain border-line border-e bg-surface p-0 text-ink backdrop:bg-black/50"
      >
        <div className="p-4">
          <div className="mb-3 flex items-center justify-between">
            <p className="font-bold text-h2">{words.contents}</p>
            <Button look="icon" onClick={close} aria-label={words.close}>
              <X aria-hidden size={18} />
            </Button>
          </div>
          <nav aria-label={words.label}>
            <ContentsList current={current} onChoose={close} />
          </nav>
        </div>
      </dialog>
    </div>
  )
}
