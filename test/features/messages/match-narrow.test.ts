import { describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, room } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { room: ['ann', 'ben'] } },
)

function match(user: TestUser, msg_ids: readonly number[], narrow: readonly unknown[]) {
  return user.api.get('/messages/matches_narrow', { msg_ids, narrow })
}

describe('messages that match a narrow', () => {
  it('are returned with rendered content and escaped topic', async () => {
    const [link, plain] = [
      await sendTo(ann, room.id, 'a < b', 'see https://example.com/x'),
      await sendTo(ann, room.id, '', 'nothing **here**'),
    ]
    const { messages } = expectSuccess(await match(ben, [link, plain, 99_999], [['has', 'link']]))
    expect(messages).toEqual({
      [link]: { match_content: expect.stringContaining('<a href='), match_subject: 'a &lt; b' },
    })
    expect(expectSuccess(await match(ben, [plain], [['channel', room.name]])).messages).toEqual({
      [plain]: { match_content: '<p>nothing <strong>here</strong></p>', match_subject: 'general chat' },
    })
  })

  it('have what is searched for marked', async () => {
    const id = await sendTo(ann, room.id, 'okapis', 'an okapi')
    expect(expectSuccess(await match(ben, [id], [['search', 'okapi']])).messages).toEqual({
      [id]: {
        match_content: '<p>an <span class="highlight">okapi</span></p>',
        match_subject: '<span class="highlight">okapi</span>s',
      },
    })
    expect(expectSuccess(await match(ben, [id], [['search', 'gnu']])).messages).toEqual({})
  })

  it('are found among thousands, and searched in too', async () => {
    const others = Array.from({ length: 2_500 }, (_, at) => 100_000 + at)
    const [first, last] = [
      await sendTo(ann, room.id, 'zebus', 'a zebu'),
      await sendTo(ann, room.id, 'zebus', 'no gnu'),
    ]
    const asked = [first, ...others, last, first]
    const found = async (narrow: unknown[]) =>
      Object.keys(expectSuccess(await match(ben, asked, narrow)).messages)
    expect(await found([['topic', 'zebus']])).toEqual([String(first), String(last)])
    expect(await found([['search', 'gnu']])).toEqual([String(last)])
  })

  it('are among the caller’s own messages only', async () => {
    const id = await sendTo(ann, room.id, 't')
    const direct = await sendDirect(ann, [ben])
    expect(expectSuccess(await match(realm.owner, [id, direct], [])).messages).toEqual({})
    expect(expectSuccess(await match(realm.owner, [id], [['channel', room.name]])).messages).toEqual({})
    expect(Object.keys(expectSuccess(await match(ben, [id, direct], [])).messages)).toEqual([
      String(id),
      String(direct),
    ])
  })

  it('need both parameters, and an account', async () => {
    expectRefusal(
      await ben.api.get('/messages/matches_narrow', { narrow: [] }),
      "Missing 'msg_ids' argument",
      {
        code: 'REQUEST_VARIABLE_MISSING',
      },
    )
    expectRefusal(
      await ben.api.get('/messages/matches_narrow', { msg_ids: [1] }),
      "Missing 'narrow' argument",
      {
        code: 'REQUEST_VARIABLE_MISSING',
      },
    )
    expectUnauthorized(await realm.anonymous.get('/messages/matches_narrow', { msg_ids: [1], narrow: [] }))
  })
})
