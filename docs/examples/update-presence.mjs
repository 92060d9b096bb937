import { call } from './parley.mjs'

await call('POST', '/users/me/presence', { status: 'active', new_user_input: true })
const { presence } = await call('GET', `/users/${process.env.EMAIL}/presence`)
console.log(presence.aggregated)
