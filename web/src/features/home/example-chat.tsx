import { Link } from 'react-router-dom'
import { home } from '#messages/pages/home.ts'
import { registryHost } from '../../data/registry.ts'
import { DigestStrip } from '../../ui/values/digest-strip.tsx'

const words = home.example
const exampleDigest = '9f2c41d7a05be8136c94f0e27d18b3a5c6e07f42918bd35ae4f16c0937d2ab58'

/** A made-up conversation beside the record it leads to. Nothing in it looks like a result, and all of it opens the demo chat. */
export const ExampleChat = () => (
  <figure>
    <div className="relative rounded-surface border border-line bg-surface hover:border-control">
      <div className="grid gap-3 p-5 text-small">
        <p className="ms-auto w-fit rounded-surface bg-sunken px-4 py-2.5">{words.question}</p>
        <p className="w-fit rounded-surface border border-line px-4 py-2.5 sm:me-12">
          {words.answer} <span className="whitespace-nowrap font-mono">{registryHost}/v/…</span>
        </p>
      </div>
      <div className="border-line border-t p-5">
        <DigestStrip digest={exampleDigest} />
        <p className="mt-3 font-semibold">{words.model}</p>
        <p className="text-muted text-small">{words.provider}</p>
        <Link
          to="/chat"
          className="link mt-3 inline-block text-small after:absolute after:inset-0 after:rounded-surface"
        >
          {words.open}
        </Link>
      </div>
    </div>
    <figcaption className="mt-2 text-micro text-muted">{words.note}</figcaption>
  </figure>
)
