import type { SampleLanguage } from './samples.ts'

const comment = {
  curl: /(^|\s)#\s.*$/,
  cli: /(^|\s)#\s.*$/,
  ts: /(^|\s)(\/\/\s.*|\/\*\*.*\*\/)$/,
  html: /<!--.*-->$/,
} as const satisfies Record<SampleLanguage, RegExp>

/** Code with dimmed comments. */
export const Code = ({ text, language }: { text: string; language: SampleLanguage }) => (
  <pre className="w-fit min-w-full font-mono text-small [font-variant-ligatures:none]">
    <code>
      {text.split('\n').map((line, index) => {
        const at = line.search(comment[language])
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <span key={index}>
            {at < 0 ? line : line.slice(0, at)}
            {at >= 0 && <span className="text-muted">{line.slice(at)}</span>}
            {'\n'}
          </span>
        )
      })}
    </code>
  </pre>
)
