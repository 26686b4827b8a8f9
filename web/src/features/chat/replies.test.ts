import { expect, it } from 'vitest'
import { asksWho } from './replies.ts'

it.each([
  { text: 'Who are you?', asks: true },
  { text: 'who r u', asks: true },
  { text: 'What   are you', asks: true },
  { text: 'WHO ARE YOU', asks: true },
  { text: 'Which model am I talking to?', asks: true },
  { text: 'what AI is this', asks: true },
  { text: 'What’s your name?', asks: true },
  { text: 'Can you prove it?', asks: true },
  { text: 'Give me a verification link', asks: true },
  { text: 'Who made you?', asks: true },
  { text: 'Are you really Atlas?', asks: true },
  { text: 'Introduce yourself', asks: true },
  { text: 'are you GPT?', asks: true },
  { text: 'Are you a bot?', asks: true },
  { text: 'which llm is this', asks: true },
  { text: 'who is behind you?', asks: true },
  { text: 'Who is behind the new law?', asks: false },
  { text: 'Are you able to count?', asks: false },
  { text: 'What is the capital of Norway?', asks: false },
  { text: 'How are you?', asks: false },
  { text: 'Who wrote Peer Gynt?', asks: false },
  { text: 'Tell me about modelling', asks: false },
  { text: '', asks: false },
])('decides whether “$text” asks who it is: $asks', ({ text, asks }) => {
  expect(asksWho(text)).toBe(asks)
})
