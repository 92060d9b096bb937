/** Writes the demo organization as an archive in the neutral form (docs/import.md#the-neutral-form), for a deployment, which takes no times in the past otherwise. */
import { writeDemoMessages } from './demo-conversations.ts'
import { DEMO_BOT, DEMO_BOT_INDEX, DEMO_CHANNELS, DEMO_PEOPLE } from './demo-people.ts'

/** @param now UNIX seconds: everything in it is older. */
export function demoArchive(now: number): string {
  const mention = /@\*\*([^*]+)\*\*/g
  const indexes = new Map(DEMO_PEOPLE.map(({ full_name }, index) => [full_name, index]))
  const records = [
    { type: 'parley-import', version: 1, source: 'parley-demo:harbour-books' },
    ...DEMO_PEOPLE.map(({ full_name, email, role, status }, index) => ({
      ...{ type: 'user', id: String(index), full_name, email, role },
      ...(status && { status: status.status_text, status_emoji: { emoji: status.emoji_name } }),
    })),
    {
      ...{ type: 'user', id: String(DEMO_BOT_INDEX), full_name: DEMO_BOT.full_name },
      ...{ is_bot: true, bot_owner: '0' },
    },
    ...DEMO_CHANNELS.map(({ name, description, people, invite_only }) => ({
      ...{ type: 'channel', id: name, name, description, privacy: invite_only ? 'private' : 'public' },
      members: people.map((person) => ({ user: String(person) })),
    })),
    ...writeDemoMessages(now).map(({ at, sender, to, content, reactions }, index) => ({
      ...{ type: 'message', id: String(index + 1), sender: String(sender), time_ms: at * 1_000 },
      ...('channel' in to ? to : { to: to.people.map(String) }),
      content: content.replaceAll(mention, (written, name: string) =>
        indexes.has(name) ? `@**parley-import:user/${indexes.get(name)}**` : written,
      ),
      reactions: reactions.map(({ emoji_name, person }) => ({ user: String(person), emoji: emoji_name })),
    })),
  ]
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
