import { call } from './parley.mjs'

const { members } = await call('GET', '/users')
for (const { user_id, full_name, is_bot } of members) console.log(user_id, full_name, is_bot ? 'bot' : '')
