import { describe, expect, it } from 'vitest'
import { useRealm } from '../support/use-realm.ts'

const { ann } = useRealm({ ann: 'member', guest: 'guest' })

describe('an id in a path', () => {
  it('is refused with 400 when unknown, and not found when no number', async () => {
    const beyond = '9'.repeat(30)
    const paths = [987654, beyond].flatMap((id) => [
      `/messages/${id}`,
      `/users/me/${id}/topics`,
      `/users/${id}`,
    ])
    for (const path of [...paths, '/messages/987654/history']) {
      expect(await ann.api.get(path)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    }
    for (const path of ['/messages/x', '/users/me/x/topics', '/messages/x/history']) {
      expect(await ann.api.get(path)).toMatchObject({ status: 404, body: { code: 'BAD_REQUEST' } })
    }
  })
})
