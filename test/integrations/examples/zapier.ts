import type { Example } from '../example.ts'

export const ZAPIER_EXAMPLES: readonly Example[] = [
  {
    what: 'a message',
    body: { topic: 'Orders', content: 'A **new order** by Ada: [17](https://shop.example/17)' },
    messages: [{ topic: 'Orders', text: 'A **new order** by Ada: [17](https://shop.example/17)' }],
  },
  {
    what: 'a form',
    form: { topic: 'Orders', content: 'One more' },
    messages: [{ topic: 'Orders', text: 'One more' }],
  },
  {
    what: 'a message without a topic',
    body: { content: 'Hello' },
    messages: [{ topic: 'Zapier', text: 'Hello' }],
  },
  {
    what: 'values of other types',
    body: { topic: ['Orders'], content: 17 },
    messages: [{ topic: 'Zapier', text: '17' }],
  },
  { what: 'nothing', body: { topic: 'Orders' }, unsupported: 'message without content' },
]
