import { call } from './parley.mjs'

await call('PATCH', `/messages/${process.env.MESSAGE_ID}`, { content: 'Hello, *all*!' })
