import type { Example } from '../example.ts'

export const IFTTT_EXAMPLES: readonly Example[] = [
  {
    what: 'a message',
    body: { topic: 'Weather', content: '**Rain** from 3 pm' },
    messages: [{ topic: 'Weather', text: '**Rain** from 3 pm' }],
  },
  {
    what: 'a form',
    form: { topic: 'Weather', content: 'Sun' },
    messages: [{ topic: 'Weather', text: 'Sun' }],
  },
  {
    what: 'a message without a topic',
    body: { content: 'Hello' },
    messages: [{ topic: 'IFTTT', text: 'Hello' }],
  },
  {
    what: 'values of other types',
    body: { topic: {}, content: true },
    messages: [{ topic: 'IFTTT', text: 'true' }],
  },
  { what: 'nothing', body: { content: { a: 1 } }, unsupported: 'message without content' },
]
