import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { MOVING_GIF } from '../../support/images.ts'
import { sendTo } from '../../support/messages.ts'
import { pngOf } from '../../support/pictures.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { readStatus, upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })
/** The owner of another organization. */
const { owner: stranger } = useRealm()

function thumbnailOf(path: string, format = '840x560.webp'): string {
  return `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`
}

/** Returns the statuses of reading it as each of these. */
function statuses(path: string, ...users: TestUser[]): Promise<number[]> {
  return Promise.all(users.map((user) => readStatus(realm, path, user)))
}

describe('the status of a thumbnail', () => {
  const ask = ({ api }: Pick<TestUser, 'api'>, path: string) => {
    const [realmId, ...rest] = path.split('/').slice(2)
    return api.get(`/thumbnail/status/${realmId}/${rest.join('/')}`)
  }

  it('is ready for its readers as soon as the picture is uploaded', async () => {
    const channel = await buildChannel([ann, ben], { invite_only: true })
    for (const picture of [pngOf(8, 8), MOVING_GIF]) {
      const path = await upload(ann, picture)
      expect(expectSuccess(await ask(ann, path)).has_thumbnail).toBe(true)
      expectRefusal(await ask(ben, path), 'Invalid attachment')
      await sendTo(ann, channel.id, 'pictures', `[a](${path})`)
      expect(expectSuccess(await ask(ben, path)).has_thumbnail).toBe(true)
      expect(await statuses(thumbnailOf(path), ann, ben)).toEqual([200, 200])
      for (const user of [guest, realm.owner]) expectRefusal(await ask(user, path), 'Invalid attachment')
    }
  })

  it('is refused for other files and organizations as for absent ones', async () => {
    const path = await upload(ann, pngOf(8, 8))
    expectRefusal(await ask(stranger, path), 'Invalid attachment')
    const text = await upload(ann, { name: 'words.txt' })
    for (const other of [text, `${path}x`, path.replace(/\d+/, '999999')]) {
      expectRefusal(await ask(ann, other), 'Invalid attachment')
    }
    expectUnauthorized(await ask({ api: realm.anonymous }, path))
  })
})
