import { Payload } from '../integrations/payload.ts'
import { unescaped } from '../integrations/slack/mrkdwn.ts'
import type { ImportArchive, ImportContext, ImportReader } from './import-reader.ts'
import { itemsOf, type JsonItem } from './json-items.ts'
import { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'
import { ofItems } from './problems.ts'
import {
  type Conversation,
  conversationOf,
  ofChannel,
  ofDirect,
  putConversation,
  timeOf,
} from './slack/conversations.ts'
import { ofMessage } from './slack/messages.ts'
import { ofUnnamed, ofUser } from './slack/people.ts'
import {
  addDays,
  findRoot,
  isSlackExport,
  type ListKind,
  listFiles,
  listsOfRoot,
  SLACK_UNITS,
  type SlackUnit,
} from './slack/slack-archive.ts'
import { isOfOthers, putWorkspace, TeamCount } from './slack/workspace.ts'
import { LISTED_AT_ONCE } from './survey.ts'
import { contentOf, entryAt, fileAt, ZipEntryError } from './zip.ts'

/** The topic of messages outside of threads, unless the owner chooses another. */
const MAIN_TOPIC = 'imported from Slack'
/** UTF-16 units of a text in a list; texts of messages have a limit of their own. */
const MAX_TEXT = 10_000
/** Days that one step adds, which takes some milliseconds without a pause for others. */
const DAYS_AT_ONCE = 1_000

/** Limits of one step: entries that it lists, and days that it adds. */
interface StepSizes {
  readonly listed: number
  readonly days: number
}

/** Exports of Slack as a ZIP: of public channels, of everything, of one workspace of an organization, or with files. */
export const slackReader = slackReaderOf({ listed: LISTED_AT_ONCE, days: DAYS_AT_ONCE })

/** Large archives are listed, and their days added, in steps, which are units too. */
export function slackReaderOf(sizes: StepSizes): ImportReader<SlackUnit> {
  return {
    name: 'slack',
    displayName: 'Slack (ZIP of an export)',

    recognises: isSlackExport,

    async *units() {
      yield* SLACK_UNITS
    },

    adds: ({ kind }) => kind === 'root' || kind === 'survey' || kind === 'folders',

    read(archive, unit, context) {
      return recordsOf(archive, unit, context, new Known(context), sizes)
    },

    file: fileAt,
  }
}

async function* recordsOf(
  archive: ImportArchive,
  unit: SlackUnit,
  context: ImportContext,
  known: Known,
  { listed, days }: StepSizes,
): AsyncGenerator<NeutralRecord> {
  switch (unit.kind) {
    case 'root':
      return findRoot(archive, unit, listed, context)
    case 'survey':
      yield* listFiles(archive, unit, listed, context, known)
      return
    case 'start': {
      const source = `slack:${await sourceOf(archive, context, known)}`
      yield { type: 'parley-import', version: 1, source, topic: MAIN_TOPIC }
      return
    }
    case 'folders':
      yield* addDays(unit, days, context, known)
      return
    case 'day':
      yield* dayOf(archive, unit, known)
      return
    case 'unnamed':
      yield* ofUnnamed(known)
      return
    default: {
      const { kind, name } = unit
      yield* ofItems(readItems(archive, unit.at), ({ value }) =>
        ofListed(kind, new Payload(value, MAX_TEXT), name, known),
      )
    }
  }
}

/**
 * Returns the id of the workspace, which tells a second export of it from one of another workspace. If no user has it, the id of the oldest channel
 * stands for it, since those are unique at Slack.
 */
async function sourceOf(archive: ImportArchive, context: ImportContext, known: Known): Promise<string> {
  const teams = new TeamCount()
  let [oldest, since] = ['unknown', Number.POSITIVE_INFINITY]
  for (const { kind, name, at } of listsOfRoot(context)) {
    if (!/(?:^|\/)(?:users|channels|groups)\.json$/.test(name)) continue
    for await (const { value } of readItems(archive, at)) {
      const item = new Payload(value)
      const created = item.number('created') ?? Number.POSITIVE_INFINITY
      if (kind === 'users') teams.take(item)
      else if (created < since) [oldest, since] = [`channel-${item.text('id')}`, created]
    }
  }
  const { workspace } = teams
  await putWorkspace(workspace, known)
  return workspace.team || oldest.slice(0, 100)
}

/** Reads the items of a file. A fault that ends it early is an item too. */
async function* readItems(archive: ImportArchive, at: number): AsyncGenerator<JsonItem> {
  try {
    yield* itemsOf(contentOf(archive, await entryAt(archive, at)))
  } catch (error) {
    if (!(error instanceof ZipEntryError)) throw error
    yield { list: '', number: 0, fault: `the file ${error.message}` }
  }
}

async function* ofListed(
  kind: ListKind,
  item: Payload,
  file: string,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  if (kind === 'users') {
    // This list is of people of the organization, whatever their workspaces.
    const isOfAll = file.endsWith('org_users.json')
    yield* ofUser(item, isOfAll ? item.isTrue('is_stranger') : await isOfOthers(item, known), known)
  } else if (kind === 'channels' || kind === 'groups') yield* ofChannel(item, kind === 'groups', known)
  else if (kind === 'mpims' || kind === 'dms') yield* ofDirect(item, known)
  else if (kind === 'integrations')
    yield { type: 'problem', kind: 'integration', detail: integrationOf(item) }
  else yield { type: 'problem', kind: `left out: ${LEFT_OUT[kind]}`, detail: titleOf(item) }
}

const LEFT_OUT = { canvases: 'canvas', lists: 'list', transcripts: 'transcript of a call' } as const

function titleOf(item: Payload): string {
  return [unescaped(item.firstText('title', 'name', 'id')), item.text('permalink')].join(' ').trim()
}

function integrationOf(log: Payload): string {
  const name = log.firstText('app_type', 'service_type') || 'unknown'
  const time = timeOf(log.text('date'))
  const day = time === undefined ? log.text('date') : new Date(time).toISOString().slice(0, 10)
  return [log.text('change_type'), name, log.text('channel'), day].filter((part) => part !== '').join(', ')
}

async function* dayOf(archive: ImportArchive, unit: SlackUnit, known: Known): AsyncGenerator<NeutralRecord> {
  const conversation = (await conversationOf(unit.folder, known)) ?? (yield* unlisted(unit.folder, known))
  yield* ofItems(readItems(archive, unit.at), ({ value }) => ofMessage(value, conversation, known))
}

/** Makes a private, archived channel of a folder that no list names. */
async function* unlisted(folder: string, known: Known): AsyncGenerator<NeutralRecord, Conversation> {
  const id = `folder:${folder}`.slice(0, 200)
  const conversation = { id, isDirect: false, isPrivate: true, members: [] }
  await putConversation(folder, conversation, known)
  yield { type: 'problem', kind: 'folder of no channel', detail: folder }
  yield {
    type: 'channel',
    id: conversation.id,
    name: folder.slice(0, 1_000),
    privacy: 'private',
    archived: true,
  }
  return conversation
}
