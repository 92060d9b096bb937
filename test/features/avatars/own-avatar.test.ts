import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { PNG } from '../../support/images.ts'
import { openQueue } from '../../support/queues.ts'
import { postFiles } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, ben } = useRealm({ ann: 'member', ben: 'member' })

describe('a picture of one’s own', () => {
  it('is sent to everybody when it is uploaded, and when it is deleted', async () => {
    const queue = await openQueue(ben)
    const { avatar_url } = expectSuccess(await postFiles(ann, '/users/me/avatar', [PNG]))
    expectSuccess(await ann.api.delete('/users/me/avatar'))
    const events = await queue.eventsOf('realm_user', 'update')
    expect(events.map(({ person }) => person)).toEqual([
      {
        user_id: ann.id,
        avatar_source: 'U',
        avatar_url,
        avatar_url_medium: expect.stringMatching(/^\/user_avatars\//),
        avatar_version: 2,
      },
      {
        user_id: ann.id,
        avatar_source: 'G',
        avatar_url: expect.stringMatching(/^https:\/\//),
        avatar_url_medium: expect.stringMatching(/^https:\/\//),
        avatar_version: 3,
      },
    ])
  })
})
