import { expect, it } from 'vitest'
import { shortened } from './shortened.ts'

it.each([
  ['Atlas Chat 2.1', 40, 'Atlas Chat 2.1'],
  ['GPT-5, the chat assistant of openai.com.acme.example 1.0', 40, 'GPT-5, the chat assistant of…'],
  ['GPT-5, the chat assistant of acme.example 1.0', 42, 'GPT-5, the chat assistant of acme.example…'],
  ['GPT-5, the chat assistant of acme.example 1.0', 41, 'GPT-5, the chat assistant of…'],
  ['openai.com.assistant-of-acme.example 1.0', 20, 'openai…'],
  ['openai。com。assistant-of-acme。example 1.0', 20, 'openai…'],
  ['openai丶com丶assistant-of-acme丶example 1.0', 20, 'openai…'],
  ['openai,com.assistant-of-acme.example 1.0', 20, 'openai…'],
  ['(openai).com.assistant-of-acme.example', 20, '(openai…'],
  ['.openai.com.acme.example', 20, '.openai…'],
  ['abcdefghijklmnopqrstuvwxyz', 20, 'abcdefghijklmnopqrs…'],
  ['百度文心大模型'.repeat(4), 20, '百度文心大模型百度文心大模型百度文心大…'],
  ['👩‍🚀'.repeat(20), 20, /^(?:👩‍🚀)*.*…$/u],
])('shortens %s to %i characters without cutting through a host', (text, max, shown) => {
  const short = shortened(text, max)
  expect([...short].length).toBeLessThanOrEqual(max)
  if (typeof shown === 'string') expect(short).toBe(shown)
  else expect(short).toMatch(shown)
})
