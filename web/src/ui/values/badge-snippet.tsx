import { CodeBlock } from './code-block.tsx'

interface BadgeSnippetProps {
  /** Paths of the image and of the page it links to. */
  badge: string
  page: string
  words: { summary: string; text: string; alt: string; markdown: string; html: string }
}

/**
 * Code for a website or README. It contains no text from the provider, so it can't claim more than the registry. There is no preview:
 * the image would stay while the page already says that a proof was lost.
 */
export const BadgeSnippet = ({ badge, page, words }: BadgeSnippetProps) => {
  const { picture, target } = { picture: `${location.origin}${badge}`, target: `${location.origin}${page}` }
  return (
    <details className="mt-8 print:hidden">
      <summary className="link w-fit cursor-pointer py-1">{words.summary}</summary>
      <div className="mt-3 grid max-w-record grid-cols-1 gap-4">
        <p className="text-muted text-small">{words.text}</p>
        <CodeBlock code={`[![${words.alt}](${picture})](${target})`} what={words.markdown} />
        <CodeBlock code={`<a href="${target}"><img src="${picture}" alt="${words.alt}"></a>`} what={words.html} />
      </div>
    </details>
  )
}
