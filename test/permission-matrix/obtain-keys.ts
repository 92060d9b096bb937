import { ApiClient } from '../support/api.ts'
import { createBot, expectSuccess, type TestUser } from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import { ACCOUNTS, type Actor } from './cast.ts'
import { type Organization, settle } from './organization.ts'

/** The key of a bot that one of the actors has obtained over the API. */
export interface ObtainedKey {
  readonly holder: Actor
  /** Which bot it is. */
  readonly how: string
  readonly client: ApiClient
}

type Person = Pick<TestUser, 'id' | 'email' | 'api'>

/** Actors who may try to obtain keys: bots cannot. */
const PEOPLE = ACCOUNTS.filter((actor) => !actor.endsWith('bot'))

/**
 * Lets each person of the cast obtain every key of a bot that the API gives them: of one that they make, of the two bots of the cast, of a
 * bot of the author's that has been in the author's private channels from the beginning, and of an owner's bot with an owner's role.
 */
export async function obtainKeys(of: Organization): Promise<ObtainedKey[]> {
  const keys: ObtainedKey[] = []
  for (const holder of PEOPLE) {
    const wanted: readonly (readonly [how: string, bot: Person | undefined])[] = [
      ['a new bot', await madeBy(of, holder)],
      ['a bot in private channels', await trustedBot(of, holder)],
      ['a bot with an owner’s role', await ownersBot(of, holder)],
    ]
    for (const [how, bot] of wanted) {
      const client = bot && (await keyFor(of, holder, bot))
      if (client) keys.push({ holder, how, client })
    }
  }
  await settle(of.realm)
  return keys
}

async function madeBy(of: Organization, holder: Actor): Promise<Person | undefined> {
  const short_name = `made-by-${nameOf(holder)}`
  const { status, body } = await of.cast[holder].post('/bots', { full_name: short_name, short_name })
  if (status !== 200) return undefined
  return { id: body.user_id, email: `${short_name}-bot@${of.realm.host}`, api: of.cast[holder] }
}

async function trustedBot(of: Organization, holder: Actor): Promise<Person> {
  const bot = await createBot(personOf(of, 'author'), `Trusted ${nameOf(holder)}`)
  const channels = (['shared', 'protected'] as const).map((at) => of.destinations[at])
  const subscriptions = channels.map(({ channel }) => ({ name: channel }))
  expectSuccess(await of.cast.author.post('/users/me/subscriptions', { subscriptions, principals: [bot.id] }))
  // As if it had been there when the messages were sent.
  await changeRealm(of.realm, ({ sql }) => {
    sql.run(`UPDATE subscription SET since_message = 0, since_event = 0 WHERE user_id = ?`, bot.id)
  })
  return bot
}

async function ownersBot(of: Organization, holder: Actor): Promise<Person> {
  const bot = await createBot(personOf(of, 'owner'), `Mighty ${nameOf(holder)}`)
  expectSuccess(await of.cast.owner.patch(`/bots/${bot.id}`, { role: 100 }))
  return bot
}

function personOf(of: Organization, actor: 'author' | 'owner'): TestUser {
  return { id: of.ids[actor], api: of.cast[actor] } as TestUser
}

/** Tries everything that answers a bot's key, taking the bot over and raising its role too. */
async function keyFor(
  { cast, realm }: Organization,
  holder: Actor,
  bot: Person,
): Promise<ApiClient | undefined> {
  const api = cast[holder]
  const path = `/bots/${bot.id}`
  const me = (await api.get('/users/me')).body.user_id as number
  let apiKey: string | undefined
  const attempts = [
    () => api.get(`${path}/api_key`),
    () => api.post(`${path}/api_key/regenerate`),
    () => api.patch(path, { bot_owner_id: me }),
    () => api.patch(path, { role: 100 }),
    () => api.patch(path, { role: 200 }),
    () => api.get(`${path}/api_key`),
  ]
  for (const attempt of attempts) apiKey = (await attempt()).body.api_key ?? apiKey
  return apiKey === undefined
    ? undefined
    : new ApiClient({ host: realm.host, realmId: realm.id, email: bot.email, apiKey })
}

function nameOf(holder: Actor): string {
  return holder.replaceAll(' ', '-')
}
