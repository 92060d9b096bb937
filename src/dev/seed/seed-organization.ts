import * as v from 'valibot'
import type { D1Write } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { findRealm } from '../../http/request/find-realm.ts'
import { NO_ALERT_WORDS } from '../../markdown/alert-words.ts'
import { type MarkdownLookups, renderMarkdown } from '../../markdown/render.ts'
import { contentBits, lengthBit } from '../../model/sending/store-message.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { bodyDatabase, newestBodyDatabase } from '../../store/d1/body-databases.ts'
import { statementsOf } from '../../store/d1/projection.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import type { DevEnvironment } from '../realm-object.ts'
import { type EnteredMessage, INHABITED, type SeedSlice } from './insert-seed.ts'
import { type SeedPlan, seedPlanOf } from './seed-plan.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000))

/** Progress of a seeding. It is sent back and forth, so that the server needs no memory of it. */
const cursor = v.object({
  stage: v.picklist(['begin', 'people', 'channels', 'messages', 'reads', 'postings', 'statistics']),
  /** Number of finished items of the stage. */
  done: count,
  ownerId: count,
  firstUserId: count,
  firstChannelId: count,
  firstMessageId: count,
})

const body = v.object({
  size: v.object({ users: v.pipe(count, v.minValue(1)), channels: count, messages: count }),
  /** Time of the newest message: UNIX seconds. */
  now: v.number(),
  at: cursor,
})

export type SeedCursor = v.InferOutput<typeof cursor>

const STAGES: readonly SeedCursor['stage'][] = cursor.entries.stage.options

/** Amounts entered in one commit. A channel may have all users. */
const PEOPLE_AT_ONCE = 500
const CHANNELS_AT_ONCE = 10
const MESSAGES_AT_ONCE = 5_000
const READS_AT_ONCE = 500

/** Seconds covered by the conversations of a seeded organization, back from now. */
const PAST_SECONDS = 90 * DAY
/** Number of channels that the owner is in. */
const CHANNELS_OF_OWNER = 100

interface Seeding {
  readonly env: DevEnvironment
  readonly realmId: number
  readonly origin: string
  readonly plan: SeedPlan
  readonly now: number
  readonly at: SeedCursor
}

/**
 * POST /dev/seed: enters the next slice of a seeded organization, and returns where to continue; `null` when done.
 * `scripts/seed-organization.ts` repeats it until then.
 */
export async function seedOrganization(request: Request, env: DevEnvironment): Promise<Response> {
  const url = new URL(request.url)
  const realm = await findRealm(env.DB, url)
  const parsed = v.safeParse(body, await request.json().catch(() => undefined))
  if (!realm || !parsed.success) return Response.json({ result: 'error' }, { status: 400 })
  const { size, now, at } = parsed.output
  const seeding = { env, realmId: realm.id, origin: url.origin, plan: seedPlanOf(size), now, at }
  const next = await insertNext(seeding)
  if (next === 'inhabited') {
    const msg = 'Others than the owner are in this organization already: choose another host'
    return Response.json({ result: 'error', msg }, { status: 400 })
  }
  return Response.json({ result: 'success', next })
}

async function insertNext(seeding: Seeding): Promise<SeedCursor | null | 'inhabited'> {
  const { plan, at } = seeding
  const { users, channels, messages } = plan.size
  switch (at.stage) {
    case 'begin': {
      const newest = await enter(seeding, { kind: 'begin', ownerId: at.ownerId })
      if (newest === INHABITED) return 'inhabited'
      return after({ ...at, firstMessageId: newest + 1 }, 1, 1)
    }
    case 'people': {
      const numbers = slice(at, PEOPLE_AT_ONCE, users)
      const people = numbers.map((number) => plan.person(number))
      const first = await enter(seeding, { kind: 'people', people })
      return after({ ...at, firstUserId: at.firstUserId || first }, numbers.length, users)
    }
    case 'channels': {
      const numbers = slice(at, CHANNELS_AT_ONCE, channels)
      if (numbers.length === 0) return after(at, 0, 0)
      const first = await enter(seeding, {
        kind: 'channels',
        channels: numbers.map((number) => channelOf(seeding, number)),
      })
      return after({ ...at, firstChannelId: at.firstChannelId || first }, numbers.length, channels)
    }
    case 'messages': {
      const numbers = slice(at, MESSAGES_AT_ONCE, messages)
      if (numbers.length > 0) await insertMessages(seeding, numbers)
      return after(at, numbers.length, messages)
    }
    case 'reads': {
      const numbers = slice(at, READS_AT_ONCE, users)
      const newest = at.firstMessageId + messages - 1
      const reads = numbers.map((number): [number, number] => [
        at.firstUserId + number,
        Math.max(newest - plan.unread(number), 0),
      ])
      await enter(seeding, { kind: 'reads', reads })
      return after(at, numbers.length, users)
    }
    case 'postings':
      return (await enter(seeding, { kind: 'postings' })) === 1 ? at : after(at, 1, 1)
    case 'statistics':
      await enter(seeding, { kind: 'statistics' })
      return null
  }
}

function slice({ done }: SeedCursor, atOnce: number, all: number): number[] {
  return Array.from({ length: Math.max(Math.min(atOnce, all - done), 0) }, (_, at) => done + at)
}

/** Returns the position after `entered` more items: in the same stage while it has more. */
function after(at: SeedCursor, entered: number, all: number): SeedCursor {
  const done = at.done + entered
  return done < all ? { ...at, done } : { ...at, done: 0, stage: STAGES[STAGES.indexOf(at.stage) + 1]! }
}

function enter({ env, realmId, now }: Seeding, slice: SeedSlice): Promise<number> {
  // Accounts and channels are older than the messages.
  const time = slice.kind === 'messages' || slice.kind === 'statistics' ? now : now - PAST_SECONDS - DAY
  return env.REALM.get(env.REALM.idFromName(`realm-${realmId}`)).seed(
    JSON.stringify(slice),
    time,
  ) as Promise<number>
}

function channelOf({ plan, at }: Seeding, number: number) {
  const { members, ...channel } = plan.channel(number)
  const memberIds = members.map((person) => at.firstUserId + person)
  return {
    ...channel,
    creatorId: memberIds[0]!,
    memberIds: number < CHANNELS_OF_OWNER ? [at.ownerId, ...memberIds] : memberIds,
  }
}

/** Bodies first: a body without a message is harmless. */
async function insertMessages(seeding: Seeding, numbers: readonly number[]): Promise<void> {
  const { env, realmId, at } = seeding
  const made = numbers.map((number) => messageOf(seeding, number))
  const firstId = at.firstMessageId + numbers[0]!
  const writes = made.map(
    ({ content, html }, index): D1Write => ({
      statement: 'insert-message-body',
      row: [firstId + index, content, html],
    }),
  )
  // The object chose the same database when it woke.
  const db = bodyDatabase(env, newestBodyDatabase(env))
  await db.batch(statementsOf(db, realmId, writes))
  await enter(seeding, { kind: 'messages', firstId, messages: made.map(({ entered }) => entered) })
}

function messageOf(
  { plan, at, now, origin }: Seeding,
  number: number,
): { content: string; html: string; entered: EnteredMessage } {
  const { sender, to, content: words, mentions, reactions } = plan.message(number)
  const idOf = (person: number) => at.firstUserId + person
  const mentioned = mentions === undefined ? '' : `@**${plan.person(mentions).fullName}|${idOf(mentions)}** `
  const content = mentioned + words
  const rendered = renderMarkdown(content, lookupsOf(plan, at, origin))
  return {
    content,
    html: rendered.html,
    entered: {
      senderId: idOf(sender),
      to:
        'channel' in to
          ? { channelId: at.firstChannelId + to.channel, topic: to.topic }
          : { memberIds: to.members.map(idOf) },
      sentAt: Math.floor(now - PAST_SECONDS + (PAST_SECONDS * number) / plan.size.messages),
      bits:
        contentBits({ rendered }) |
        lengthBit(content, rendered.html) |
        MESSAGE_BIT.readBySender |
        (reactions.length > 0 ? MESSAGE_BIT.hasReaction : 0),
      mentionedId: rendered.mentionedUserIds[0],
      reactingIds: reactions.map(idOf),
    },
  }
}

/** Lookups for seeded texts, whose mentions name people of the plan. */
function lookupsOf(plan: SeedPlan, at: SeedCursor, origin: string): MarkdownLookups {
  return {
    usersNamed: () => [],
    userById: (id) => ({ id, fullName: plan.person(id - at.firstUserId).fullName, isActive: true }),
    groupNamed: () => undefined,
    channelNamed: () => undefined,
    customEmoji: () => undefined,
    linkifiers: [],
    alertWords: NO_ALERT_WORDS,
    realmUrl: origin,
    translateEmoticons: false,
    inlineImagePreview: true,
    defaultCodeBlockLanguage: '',
    emptyTopicDisplayName: EMPTY_TOPIC_DISPLAY_NAME,
  }
}
