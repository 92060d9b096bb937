import { call } from './parley.mjs'

await call('POST', `/messages/${process.env.MESSAGE_ID}/reactions`, { emoji_name: 'tada' })
