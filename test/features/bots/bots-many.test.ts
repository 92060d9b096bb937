import { beforeAll, expect, it } from 'vitest'
import { presentBot } from '../../../src/model/bots/present-bot.ts'
import { changeBotSettings } from '../../../src/store/bots/bot-setting-rows.ts'
import { listShownBots } from '../../../src/store/users/shown-bot-rows.ts'
import { findUser, insertUser } from '../../../src/store/users/user-rows.ts'
import { atLevel, expectSuccess } from '../../support/factories.ts'
import { addChannels, changeRealm } from '../../support/inside.ts'
import { useRealm } from '../../support/use-realm.ts'

/** More bots than one row has, and than are presented in the turn that reads them. */
const BOTS = 700
/** More channels than are looked up one by one. */
const CHANNELS = 25
const { realm, ann, bob, secret } = useRealm(
  { ann: 'member', bob: 'member' },
  { channels: { secret: { subscribers: ['bob'], invite_only: true } } },
)

beforeAll(async () => {
  const names = Array.from({ length: CHANNELS }, (_, at) => `channel ${at}`)
  const ids = [...(await addChannels(realm, names)), secret.id]
  await changeRealm(realm, (tx) => {
    for (let at = 0; at < BOTS; at += 1) {
      const id = insertUser(tx.sql, {
        deliveryEmail: `helper-${at}-bot@${realm.host}`,
        fullName: `Helper ${at}`,
        role: 400,
        joinedAt: tx.now,
        apiKey: `key ${at}`,
        passwordHash: null,
        settings: {},
        readFloor: 0,
        botType: at % 3 === 0 ? 3 : 1,
        botOwnerId: at % 7 === 0 ? bob.id : ann.id,
        ...(at % 5 === 0 ? { avatarPath: `/picture/${at}` } : {}),
      })
      if (at % 2 === 1) continue
      changeBotSettings(tx.sql, id, {
        sendingChannelId: ids[at % ids.length]!,
        eventsChannelId: at % 4 === 0 ? null : ids[(at + 1) % ids.length]!,
        allPublicChannels: at % 8 === 0,
        service:
          at % 3 === 0 ? { name: 'n', url: `https://example.com/"${at}`, interface: 1, token: 't' } : null,
      })
    }
  })
})

/** Returns the bots of one owner, or all, each presented by itself. */
function presentedAlone(readerId: number, ownerId?: number) {
  return changeRealm(realm, (tx) => {
    const reader = findUser(tx.sql, readerId)!
    return listShownBots(tx.sql, ownerId).map(({ id }) => presentBot(tx, findUser(tx.sql, id)!, reader))
  })
}

it('hundreds of bots are listed as each is presented by itself', async () => {
  const { bots } = expectSuccess(await ann.api.get('/bots'))
  const alone = await presentedAlone(ann.id, ann.id)
  expect(alone).toHaveLength(BOTS - BOTS / 7)
  expect(bots).toEqual(alone.map((bot) => ({ username: bot.email, ...bot })))
  expect(bots.some((bot: (typeof alone)[number]) => bot.default_sending_stream === secret.name)).toBe(false)
  expect(bots.some((bot: (typeof alone)[number]) => bot.default_sending_stream !== null)).toBe(true)
})

it.each(['realm_bot', undefined])(
  'a snapshot has everybody’s bots for the owner, and own ones: %s',
  async (type) => {
    const types = type === undefined ? {} : { fetch_event_types: [type] }
    for (const { reader, ownerId } of [
      { reader: realm.owner, ownerId: undefined },
      { reader: bob, ownerId: bob.id },
    ]) {
      const { realm_bots } = expectSuccess(await atLevel(reader, 473).api.post('/register', types))
      expect(realm_bots).toEqual(await presentedAlone(reader.id, ownerId))
    }
  },
)
