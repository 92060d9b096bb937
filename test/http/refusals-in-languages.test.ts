import { describe, expect, it } from 'vitest'
import { ApiClient } from '../support/api.ts'
import { ROWS_HEADER, rowsOf } from '../support/counted-rows.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })

async function choose(user: TestUser, language: string): Promise<void> {
  expectSuccess(await user.api.patch('/settings', { default_language: language }))
}

const sendTo = (user: Pick<TestUser, 'api'>, channel: string) =>
  user.api.post('/messages', { type: 'channel', to: channel, topic: 'tides', content: 'hello' })

const unknownChannel = (channel: string) => ({ code: 'STREAM_DOES_NOT_EXIST', stream: channel })

describe('a refusal', () => {
  it('is in the user’s language, with the values and every other field', async () => {
    await choose(ann, 'de')
    expectRefusal(await sendTo(ann, 'harbour'), 'Es gibt keinen Kanal „harbour“.', unknownChannel('harbour'))
    for (const [language, text] of [
      ['fr', 'Il n’existe aucun canal «\u00a0harbour\u00a0».'],
      ['es', 'No existe ningún canal «harbour».'],
      ['ja', '「harbour」というチャンネルはありません。'],
      ['ar', 'لا توجد قناة باسم «\u2068harbour\u2069».'],
    ] as const) {
      await choose(ann, language)
      expectRefusal(await sendTo(ann, 'harbour'), text, unknownChannel('harbour'))
    }
  })

  it('is in English for English, and for a language without translations', async () => {
    for (const language of ['en', 'en-gb', 'it', 'pt-br']) {
      await choose(ben, language)
      expectRefusal(
        await sendTo(ben, 'harbour'),
        "Channel 'harbour' does not exist",
        unknownChannel('harbour'),
      )
    }
  })

  it('is in the language of which the user’s is a variant', async () => {
    await choose(ben, 'de-at')
    expectRefusal(await sendTo(ben, 'x'), 'Es gibt keinen Kanal „x“.', unknownChannel('x'))
    await choose(ben, 'en')
  })

  it('depends on nobody else’s language, nor on the organization’s or the browser’s', async () => {
    await choose(ann, 'de')
    await choose(ben, 'en')
    expectSuccess(await realm.owner.api.patch('/realm', { default_language: 'fr' }))
    const accepting = { headers: { 'Accept-Language': 'ja' } }
    const params = { type: 'channel', to: 'harbour', topic: 'tides', content: 'hello' }
    const english = await ben.api.request('POST', '/messages', params, accepting)
    expectRefusal(english, "Channel 'harbour' does not exist", unknownChannel('harbour'))
    expectSuccess(await realm.owner.api.patch('/realm', { default_language: 'en' }))
  })

  it('is in English for callers without an account', async () => {
    const params = { username: ann.email, password: 'wrong' }
    const accepting = { headers: { 'Accept-Language': 'de' } }
    const refused = await realm.anonymous.request('POST', '/fetch_api_key', params, accepting)
    expectRefusal(refused, 'Your username or password is incorrect', {
      status: 401,
      code: 'AUTHENTICATION_FAILED',
    })
    await choose(ann, 'de')
    const stranger = new ApiClient({ ...ann.api, apiKey: '0'.repeat(32) })
    expectRefusal(await sendTo({ api: stranger }, 'harbour'), 'Invalid API key', {
      status: 401,
      code: 'UNAUTHORIZED',
    })
  })

  it('keeps values as they are, whatever they hold', async () => {
    await choose(ann, 'de')
    // Some are words that are translated elsewhere, or look like parts of the text.
    for (const name of ['{name}', '<b>{what}</b>', '$& $1', 'drafts', "it's' does not exist", '„“']) {
      expectRefusal(await sendTo(ann, name), `Es gibt keinen Kanal „${name}“.`, unknownChannel(name))
    }
  })

  it('has the words of the page for things of which there are too many', async () => {
    await choose(ann, 'de')
    const words = Array.from({ length: 501 }, (_, at) => `word${at}`)
    expectRefusal(
      await ann.api.post('/users/me/alert_words', { alert_words: words }),
      'Ein Konto kann höchstens 500 Signalwörter haben.',
    )
  })

  it('contains no English if a search names something that does not exist', async () => {
    await choose(ann, 'de')
    const narrow = [{ operator: 'channel', operand: 'harbour' }]
    const refused = await ann.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })
    const msg = 'Suche: Den Kanal „harbour“ gibt es nicht, oder du darfst ihn nicht sehen.'
    expectRefusal(refused, msg, { code: 'BAD_NARROW', desc: 'unknown channel harbour' })
  })

  it('is translated when a role is refused, or the files of a request', async () => {
    await choose(guest, 'de')
    const created = await guest.api.post('/user_groups/create', {
      name: 'crew',
      description: '',
      members: [],
    })
    expectRefusal(created, 'Gäste dürfen das nicht.')
    expectRefusal(await guest.api.post('/user_uploads'), 'Wähle eine Datei.')
  })

  it('stays in English where only programmers meet it', async () => {
    await choose(ann, 'de')
    expectRefusal(await ann.api.post('/messages', { to: 'harbour' }), "Missing 'type' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'type',
    })
  })

  it('costs no more rows in another language', async () => {
    const params = { type: 'channel', to: 'harbour', topic: 'tides', content: 'hello' }
    const rows = async () => {
      const response = await ann.api.request('POST', '/messages', params, {
        headers: { [ROWS_HEADER]: 'count' },
      })
      return rowsOf(response).object
    }
    await choose(ann, 'en')
    const english = await rows()
    await choose(ann, 'de')
    expect(await rows()).toEqual(english)
  })
})

describe('the addresses that cannot be invited', () => {
  it('have their reasons in the inviter’s language', async () => {
    await choose(ann, 'de')
    const refused = await ann.api.post('/invites', { invitee_emails: `nowhere,${ben.email}`, stream_ids: [] })
    expectRefusal(refused, 'Manche Adressen sind nicht gültig, deshalb wurde keine Einladung verschickt.', {
      code: 'INVITATION_FAILED',
      errors: [
        ['nowhere', 'Die Adresse ist nicht gültig.', false],
        [ben.email, 'Mit dieser Adresse gibt es schon ein Konto.', false],
      ],
    })
  })
})
