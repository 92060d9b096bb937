import { call } from './parley.mjs'

const { SITE, EMAIL, KEY } = process.env
const form = new FormData()
form.set('file', new Blob(['Tuesday at ten'], { type: 'text/plain' }), 'notes.txt')
const response = await fetch(`${SITE}/api/v1/user_uploads`, {
  method: 'POST',
  headers: { Authorization: `Basic ${btoa(`${EMAIL}:${KEY}`)}` },
  body: form,
})
const { url } = await response.json()
await call('POST', '/messages', {
  type: 'channel',
  to: 'general',
  topic: 'welcome',
  content: `[notes.txt](${url})`,
})
