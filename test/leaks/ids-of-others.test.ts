import { describe, expect, it } from 'vitest'
import type { ApiResponse, ParameterValue } from '../support/api.ts'
import { listedExport } from '../support/exports.ts'
import { expectSuccess } from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { inRealm } from '../support/inside.ts'
import { fromJson } from '../support/json.ts'
import { sendDirect } from '../support/messages.ts'
import { postFiles } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

/** Ways in which servers of this API have accepted what belongs to another organization. */

const { realm, member } = useRealm({ member: 'member' })

describe('an id of another organization', () => {
  const { realm: theirs } = useRealm()

  it('is unknown here: of an export, field, emoji, bot, linkifier, channel or group', async () => {
    // The organization gives ids that nothing has here.
    await inRealm(theirs, (_object, { storage: { sql } }) => {
      const tables = sql.exec<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'`,
      )
      for (const { name } of tables.toArray()) {
        sql.exec(`DELETE FROM sqlite_sequence WHERE name = ?`, name)
        sql.exec(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, 700000)`, name)
      }
    })
    const { owner } = theirs
    const make = async (path: string, params: Record<string, ParameterValue>) =>
      expectSuccess(await owner.api.post(path, params))
    const account = { full_name: 'Theirs', short_name: 'theirs' }
    const bot: number = (await make('/bots', account)).user_id
    const field: number = (await make('/realm/profile_fields', { name: 'Theirs', field_type: 1 })).id
    const pattern = { pattern: 'T(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' }
    const linkifier: number = (await make('/realm/filters', pattern)).id
    const channel: number = (await make('/channels/create', { name: 'theirs', subscribers: [owner.id] })).id
    const group: number = (
      await make('/user_groups/create', { name: 'theirs', description: '', members: [] })
    ).group_id
    const exported: number = (await make('/export/realm', {})).id
    expectSuccess(await postFiles(owner, '/realm/emoji/theirs', [PNG]))
    const { emoji } = expectSuccess(await owner.api.get('/realm/emoji'))
    const code = Object.keys(emoji)[0]!
    for (const id of [bot, field, linkifier, channel, group, exported, Number(code)]) {
      expect(id).toBeGreaterThan(700_000)
    }
    const looks = [
      '/bots',
      '/realm/profile_fields',
      '/realm/linkifiers',
      '/realm/emoji',
      '/user_groups',
      '/streams',
    ]
    const state = () => Promise.all(looks.map(async (path) => expectSuccess(await owner.api.get(path))))
    const before = await state()

    const { api } = realm.owner
    const message = await sendDirect(realm.owner, [member], 'hello')
    const reaction = { emoji_name: 'theirs', emoji_code: code, reaction_type: 'realm_emoji' }
    const asked: [string, string, Record<string, ParameterValue>?][] = [
      ['DELETE', `/export/realm/${exported}`],
      ['PATCH', `/realm/profile_fields/${field}`, { name: 'Mine' }],
      ['DELETE', `/realm/profile_fields/${field}`],
      ['PATCH', '/users/me/profile_data', { data: [{ id: field, value: 'x' }] }],
      ['PATCH', `/realm/filters/${linkifier}`, pattern],
      ['DELETE', `/realm/filters/${linkifier}`],
      ['DELETE', '/realm/emoji/theirs'],
      ['POST', `/messages/${message}/reactions`, reaction],
      ['PATCH', `/bots/${bot}`, { full_name: 'Mine' }],
      ['DELETE', `/bots/${bot}`],
      ['POST', `/bots/${bot}/api_key/regenerate`],
      ['GET', `/users/${bot}`],
      ['DELETE', `/users/${bot}`],
      ['PATCH', `/streams/${channel}`, { description: 'mine' }],
      ['DELETE', `/streams/${channel}`],
      ['PATCH', `/user_groups/${group}`, { name: 'mine' }],
      ['POST', `/user_groups/${group}/members`, { add: [realm.owner.id] }],
    ]
    for (const [method, path, params = {}] of asked) {
      const theirsToo = await api.request(method, path, params)
      // An id that does not exist gives the same answer.
      const absent = await api.request(
        method,
        path.replace(/70\d{4}/, '799999'),
        fromJson(JSON.stringify(params).replaceAll(/70\d{4}/g, '799999')),
      )
      const answer = ({ status, body }: ApiResponse) =>
        JSON.stringify([status, body]).replaceAll(/7\d{5}/g, 'ID')
      expect([path, theirsToo.status >= 400]).toEqual([path, true])
      expect([path, answer(theirsToo)]).toEqual([path, answer(absent)])
    }
    expect(await state()).toEqual(before)
    expect(await listedExport(owner, exported)).toMatchObject({ deleted_timestamp: null })
  })
})
