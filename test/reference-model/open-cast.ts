import type { LocalServer } from '../../scripts/local-server.ts'
import { startBouncer } from './bouncer.ts'
import type { Cast } from './case.ts'
import { makeChannel } from './cases/acts.ts'
import { openOrganization, startModelServer } from './local-organization.ts'
import { succeed } from './person.ts'

/** The organization of the cases of events, with its server and its push bouncer. */
export interface OpenCast {
  readonly server: LocalServer
  readonly cast: Cast
  stop(): Promise<void>
}

/** Starts a server with a push bouncer, and creates the people and channels that the cases of events need. */
export async function openCast(): Promise<OpenCast> {
  const bouncer = await startBouncer()
  const server = await startModelServer({
    PUSH_BOUNCER_URL: bouncer.url,
    PUSH_BOUNCER_ORG_ID: 'org-1',
    PUSH_BOUNCER_ORG_KEY: 'org-key',
    ZOOM_CLIENT_ID: 'client-1',
    ZOOM_CLIENT_SECRET: 'zoom secret',
    POLL_HOLD_SECONDS: '1',
  })
  const organization = await openOrganization(server)
  const boss = organization.owner
  const peer = await organization.addPerson('Peer')
  const member = await organization.addPerson('Member')
  const robot = { full_name: 'Robot', short_name: 'robot', bot_type: 1 }
  const bot = await succeed(member, 'POST', '/bots', robot)
  const { email } = (await succeed(member, 'GET', `/users/${bot.user_id}`)).user
  const watchers = {
    owner: await organization.addPerson('Owner', 100),
    member,
    guest: await organization.addPerson('Guest', 600),
    bot: organization.personOf({ id: bot.user_id, email, fullName: 'Robot', apiKey: bot.api_key }),
  }
  const channel = await makeChannel([boss, peer, ...Object.values(watchers)])
  const secret = await makeChannel([boss, peer], { invite_only: true })
  return {
    server,
    cast: { organization, boss, peer, watchers, channel, secret },
    async stop() {
      bouncer.stop()
      await server.stop()
    },
  }
}
