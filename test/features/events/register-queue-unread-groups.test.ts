import { expect, it } from 'vitest'
import { groupUnread, regrouped } from '../../../src/model/messages/flags/unread-groups.ts'
import type { IndexedMessage } from '../../../src/store/messages/message-rows.ts'
import { newestMessageId } from '../../../src/store/messages/message-rows.ts'
import { recentMessages } from '../../../src/store/messages/recent-message-rows.ts'
import { topicsById } from '../../../src/store/messages/topic-rows.ts'
import { findUser } from '../../../src/store/users/user-rows.ts'
import { inRealm } from '../../support/inside.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, owner, ann, hall } = useRealm({ ann: 'member' }, { channels: { hall: ['owner', 'ann'] } })

it('groups follow messages that are read, moved, unread again, or leave a full list', async () => {
  for (let at = 0; at < 24; at += 1) {
    if (at % 5 === 0) await sendDirect(owner, [ann], 'for you')
    else await sendTo(owner, hall.id, `topic ${at % 3}`, at % 4 === 0 ? `@**${ann.fullName}**` : 'hello')
  }
  await inRealm(realm, ({ parts: { sql } }) => {
    const user = findUser(sql, ann.id)!
    const newest = newestMessageId(sql)
    const all = recentMessages(sql).between(sql, newest - 24, newest)
    const topics = topicsById(sql, [...new Set(all.map(({ topicId }) => topicId))])
    const [first, second] = [...topics.keys()]
    const ids = (messages: readonly IndexedMessage[]) => messages.map(({ id }) => id)
    const without = (...places: number[]) => all.filter((_, at) => !places.includes(at))
    const moved = all.map((one, at) =>
      at === 1 || at === 20 ? { ...one, topicId: at === 1 ? second! : first! } : one,
    )
    /** A list of twelve at most, of what is unread before and now. */
    const lists: [IndexedMessage[], IndexedMessage[]][] = [
      [all, all],
      [all, without(0, 12, 23)],
      [without(12, 20, 23), all],
      [without(20), without(13, 14, 15, 16)],
      [all, moved],
      [all, []],
      [[], all],
      [all.slice(0, 20), all],
    ]
    for (const [unreadBefore, unreadNow] of lists) {
      const [before, now] = [unreadBefore.slice(-12), unreadNow.slice(-12)]
      const touched = new Set([
        ...ids(unreadBefore.filter((one) => !unreadNow.includes(one))),
        ...ids(unreadNow.filter((one) => !unreadBefore.includes(one))),
      ])
      const made = regrouped(
        sql,
        user,
        { groups: groupUnread(sql, user, before), topics },
        { before, now, touched },
      )
      const anew = groupUnread(sql, user, now)
      expect(made.groups).toEqual(anew)
      const changed = new Set(
        [...before, ...now]
          .filter((one) => before.includes(one) !== now.includes(one))
          .map((one) => one.topicId),
      )
      for (const topicId of changed) expect(made.topics.has(topicId)).toBe(false)
    }
  })
})
