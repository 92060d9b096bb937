import { call } from './parley.mjs'

const answer = await call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
console.log(answer.subscribed, answer.already_subscribed)
