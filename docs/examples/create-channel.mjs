import { call } from './parley.mjs'

const me = await call('GET', '/users/me')
const { id } = await call('POST', '/channels/create', {
  name: process.env.CHANNEL,
  subscribers: [me.user_id],
  description: 'What we ship',
  invite_only: true,
})
console.log(id)
