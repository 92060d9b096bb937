import { call } from './parley.mjs'

const { id } = await call('POST', '/messages', {
  type: 'channel',
  to: 'general',
  topic: 'welcome',
  content: 'Hello, **everyone**!',
})
console.log(id)
