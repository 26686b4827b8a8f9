// Finds odd English: `node scripts/run.mjs check-prose [path …]`. Without paths it checks texts, comments and test names everywhere.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TextlintKernel, type TextlintRuleModule } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import plain from '@textlint/textlint-plugin-text'
import { terms } from './prose/terms.ts'
import { proseOfSource } from './prose/texts.ts'

process.chdir(fileURLToPath(new URL('../', import.meta.url)))

const args = process.argv.slice(2)
const paths =
  args.length > 0 ? args : ['*.md', 'docs', 'sdk', 'server/src', 'cli', 'web/src', 'examples', 'scripts', 'tests']
/** Made from texts that are checked where they are written. */
const generated = ['docs/cli.md', 'docs/sdk-reference.md', 'docs/sdk-types.md', 'sdk/src/methods.ts']
const isRead = (file: string) =>
  /\.(md|tsx?)$/.test(file) &&
  !generated.includes(file) &&
  !/(^docs\/api\/|\/vectors\/|\.d\.ts$|^CHANGELOG|^scripts\/prose\/|common-passwords)/.test(file)
const files = execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8' })
  .split('\n')
  .filter(isRead)

const kernel = new TextlintKernel()
const words: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Str]: (node) => {
    const text = getSource(node)
    for (const [pattern, instead] of terms)
      for (const { 0: found, index } of text.matchAll(new RegExp(pattern, `g${pattern.flags}`)))
        report(node, new RuleError(`“${found.trim()}”: write ${instead}`, { padding: locator.at(index) }))
  },
})
const rules = [{ ruleId: 'words', rule: words }]
const lint = async (text: string, ext: '.md' | '.txt') => {
  const plugins = [{ pluginId: 'prose', plugin: ext === '.md' ? markdown.default : plain.default }]
  return (await kernel.lintText(text, { ext, filePath: `text${ext}`, plugins, rules })).messages
}

let count = 0
const report = (file: string, line: number, message: string) => {
  count++
  process.stdout.write(`${file}:${line}  ${message}\n`)
}

for (const file of files) {
  if (file.endsWith('.md')) {
    for (const { line, message } of await lint(readFileSync(file, 'utf8'), '.md')) report(file, line, message)
    continue
  }
  const texts = proseOfSource(file)
  // One document per file, one line per text.
  const lines = texts.map(({ text }) => text.replace(/\s*\n\s*/g, ' ').trim())
  for (const { line, message } of await lint(lines.join('\n'), '.txt'))
    report(file, texts[line - 1]?.line ?? 0, message)
}
process.stdout.write(count === 0 ? '' : `\n${count} to rewrite; docs/style.md says how we write.\n`)
process.exitCode = count === 0 ? 0 : 1
