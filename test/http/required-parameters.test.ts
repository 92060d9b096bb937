import { describe, it } from 'vitest'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'

const { ann } = useRealm({ ann: 'member', guest: 'guest' })

describe('a required parameter', () => {
  it.each([
    ['POST', '/scheduled_messages', 'type'],
    ['POST', '/users/me/subscriptions', 'subscriptions'],
    ['DELETE', '/users/me/subscriptions', 'subscriptions'],
    ['POST', '/users/me/subscriptions/properties', 'subscription_data'],
    ['POST', '/user_topics', 'stream_id'],
    ['POST', '/user_groups/create', 'name'],
    ['POST', '/messages/flags', 'messages'],
  ])('of %s %s is named when it is absent: %s', async (method, path, name) => {
    expectRefusal(await ann.api.request(method, path), `Missing '${name}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  })
})
