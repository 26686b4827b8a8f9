import { expect, it } from 'vitest'
import { shareBrowser } from './browser.ts'
import { isFull } from './full.ts'
import { findFlaws, openVisitor } from './visitor.ts'

const page = (content: string) =>
  `<!doctype html><html lang="en"><title>A page</title><meta name="color-scheme" content="light dark">
  <style>main { color: #111; background: #fff } @media (min-width: 600px) { .phone { display: none } }</style>
  <main><h1>A page</h1>${content}</main></html>`

const dark = (style: string) => `<style>@media (prefers-color-scheme: dark) { ${style} }</style>`

it.each([
  { what: 'nothing', content: '<p>Legible</p>', flaws: [] },
  { what: 'a faint text in the light look', content: '<p style="color: #ddd">Faint</p>', flaws: ['light', 'dark'] },
  {
    what: 'a faint text in the dark look',
    content: `${dark('p { color: #333; background: #222 }')}<p>Faint</p>`,
    flaws: ['dark'],
  },
  { what: 'a field without a label', content: '<input type="text" />', flaws: ['light', 'dark'] },
  // In full runs, the rules that don't depend on colours are applied to both looks.
  {
    what: 'an image without a text',
    content: '<img src="data:," />',
    flaws: isFull ? ['light', 'dark'] : ['light'],
  },
  {
    what: 'a button without a name that only phones show',
    content: '<button class="phone"></button>',
    flaws: ['dark'],
  },
  {
    what: 'a page wider than a phone',
    content: '<div style="width: 400px">Wide</div>',
    flaws: ['dark'],
  },
])('finds $what', async ({ content, flaws }) => {
  const visitor = await openVisitor(await shareBrowser())
  await visitor.setContent(page(content))
  expect((await findFlaws(visitor)).map((flaw) => flaw.split(',')[0])).toEqual(flaws)
})
