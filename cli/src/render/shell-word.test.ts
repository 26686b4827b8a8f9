import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellWord } from './shell-word.ts'

it('is one word for a shell, with any characters in it', () => {
  const words = ['gpu.crt', 'a b', 'a;echo', '$(echo)', '`echo`', "it's", '"', '\\', '&&echo', '~', '*', 'a\nb', '']
  const shown = execFileSync('sh', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], { encoding: 'utf8' })
  expect(shown.split('\0').slice(0, -1)).toEqual(words)
})
