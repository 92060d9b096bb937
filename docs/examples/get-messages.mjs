import { call } from './parley.mjs'

const { messages } = await call('GET', '/messages', {
  anchor: 'newest',
  num_before: 20,
  num_after: 0,
  apply_markdown: false,
  narrow: [
    { operator: 'channel', operand: 'general' },
    { operator: 'topic', operand: 'welcome' },
  ],
})
for (const { id, sender_full_name, content } of messages) console.log(id, sender_full_name, content)
