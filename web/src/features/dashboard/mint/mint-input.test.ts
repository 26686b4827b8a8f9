import { expect, it } from 'vitest'
import { inputOf, problemsOf } from './mint-input.ts'

const form = { model: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', challenge: '', origin: '' }

it.each([
  ['empty fields are left out', form, { model_id: form.model }],
  [
    'an address is shortened to its origin',
    { ...form, challenge: ' blue heron ', origin: ' https://chat.acme.example/rooms/1?a=b ' },
    { model_id: form.model, challenge: 'blue heron', origin: 'https://chat.acme.example' },
  ],
  ['other text stays for the check', { ...form, origin: 'chat' }, { model_id: form.model, origin: 'chat' }],
])('%s', (_, typed, input) => expect(inputOf(typed)).toEqual(input))

it('names the field that is missing or invalid', () => {
  expect(problemsOf(form, 'Choose')).toEqual({})
  expect(problemsOf({ ...form, model: '' }, 'Choose')).toEqual({ model: 'Choose' })
  expect(problemsOf({ ...form, origin: 'chat', challenge: 'a<b' }, 'Choose')).toEqual({
    origin: 'Must be an https origin such as https://chat.acme.example',
    challenge: 'A challenge may only contain letters, digits, spaces and hyphens',
  })
})
