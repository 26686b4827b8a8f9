import { expect, it } from 'vitest'
import { isFitBesideVerdict } from './fit-name.ts'

it.each([
  'weights',
  'model-00001-of-00002.safetensors',
  'model.safetensors.index.json',
  'Llama-3.1-8B/model-Q4_K_M.gguf',
  '1_Pooling/config.json',
])('may show %s beside a verdict', (name) => {
  expect(isFitBesideVerdict(name)).toBe(true)
})

it.each([
  'openai.com',
  'openai.com.',
  'openai.com-',
  'openai.com.bin',
  'openai.md',
  'deepmind.google',
  'bbc.co.uk',
  'https://acme',
  'the weights.bin',
  'wei\u017fhts.bin',
  'verified/weights.bin',
  'isVerified.bin',
  'veri-fied.bin',
  'lverifiedl.bin',
  "éverifiedé'.bin",
])('withholds %s beside a verdict', (name) => {
  expect(isFitBesideVerdict(name)).toBe(false)
})
