import { memo } from 'react'
import { Link } from 'react-router-dom'
import { page } from '#messages/docs/page.ts'
import { Block } from './blocks/block.tsx'
import type { Section } from './sections.ts'

/** A section; its heading links to itself, for sharing. */
export const DocsSection = memo(({ section }: { section: Section }) => (
  <section
    id={section.id}
    aria-labelledby={`${section.id}-heading`}
    className="scroll-mt-14 border-line border-t pt-8 pb-12 first-of-type:border-t-0 md:scroll-mt-0"
  >
    {section.aliases.map((alias) => (
      <span key={alias} id={alias} className="scroll-mt-20 md:scroll-mt-6" />
    ))}
    <div className="group mb-4 flex items-baseline gap-2">
      <h2 id={`${section.id}-heading`} tabIndex={-1} className="font-bold text-h2 outline-none">
        {section.heading ?? section.name}
      </h2>
      <Link
        to={`#${section.id}`}
        preventScrollReset
        aria-label={page.linkToSection(section.name)}
        className="px-1.5 text-muted opacity-0 focus:opacity-100 group-hover:opacity-100"
      >
        #
      </Link>
    </div>
    {section.blocks.map((block, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
      <Block key={index} content={block} />
    ))}
  </section>
))
