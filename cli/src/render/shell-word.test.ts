import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { shellWord } from './shell-word.ts'

describe('a word of a suggested command', () => {
  it.each([
    'https://x$(id).evil.example',
    'https://a;id;.evil.example',
    'https://registry.example&&id&&.evil.example',
    "https://registry.example;curl$IFS'evil';.evil.example",
    'https://`id`.evil.example',
    "it's $HOME/*.pem",
    '=ls',
    '[::1]',
    '~/x',
    '',
  ])('reaches a command as one word, unchanged: %s', (text) => {
    expect(execFileSync('/bin/sh', ['-c', `printf '%s|' ${shellWord(text)}`], { encoding: 'utf8' })).toBe(`${text}|`)
    expect(shellWord(text)).toMatch(/^'/)
  })

  it.each([
    'https://registry.example:4143',
    'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
    'repo:acme/models@v1',
    './a-b.pem',
    'MODEL',
  ])('stays as it is if no shell reads it differently: %s', (text) => expect(shellWord(text)).toBe(text))
})
