/** The files of a Slack export. */
import {
  type ImportArchive,
  type ImportContext,
  ImportRefusedError,
  type ImportUnit,
} from '../import-reader.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord } from '../neutral.ts'
import { filesIn, filesOf, LISTED_AT_ONCE, listsOf, survey } from '../survey.ts'
import {
  type DirectoryPosition,
  entriesOf,
  firstEntriesOf,
  isZip,
  refuseEncrypted,
  type ZipEntry,
} from '../zip.ts'

export type ListKind =
  | 'users'
  | 'channels'
  | 'groups'
  | 'mpims'
  | 'dms'
  | 'integrations'
  | 'canvases'
  | 'lists'
  | 'transcripts'

export interface SlackUnit extends ImportUnit {
  /**
   * `root` finds the folder around the export, `survey` lists files of the archive, `folders` adds units for the listed days, and `unnamed` is for
   * people whom none of those has named.
   */
  readonly kind: 'root' | 'survey' | 'folders' | 'start' | 'day' | 'unnamed' | ListKind
  /** Position of the file's record in the directory of the ZIP; the folder at which `folders` continues. */
  readonly at: number
  /** The day of that folder at which it continues. */
  readonly day: number
  /** The folder of a day, which names the conversation. */
  readonly folder: string
  /** Where `root` or `survey` continues. */
  readonly position: DirectoryPosition | null
}

const WITHOUT_FILE = { name: 'export', at: 0, day: 0, folder: '', position: null } as const

/** Files of the root, in the order in which they are read. */
const LISTS: readonly (readonly [file: string, kind: ListKind])[] = [
  ['users.json', 'users'],
  ['org_users.json', 'users'],
  ['channels.json', 'channels'],
  ['groups.json', 'groups'],
  ['mpims.json', 'mpims'],
  ['dms.json', 'dms'],
  ['integration_logs.json', 'integrations'],
  ['canvases.json', 'canvases'],
  ['lists.json', 'lists'],
  ['huddle_transcripts.json', 'transcripts'],
]
const ROOT = /^(?:([^/]+)\/)?(?:users|channels)\.json$/
const UPLOADS = '__uploads/'
const DAY = /^([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/
/** Files that tell a large export whose lists come after its first ones. */
const USUAL = /^(?:[^/]+\/){0,3}(?:__uploads\/F[^/]*\/|[^/]+\/\d{4}-\d\d-\d\d\.json$)/
/** Files about the archive itself, and those that other programs add to a ZIP. */
const NOISE = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|\._[^/]*$|\.slack-manifest\.json$)/
/** What is written below canvases and lists: folders of days, and the list of those. */
const COMMENTS = /^FC:F/
const LIST_OF_COMMENTS = 'file_conversations.json'
const TEAM = /^teams\/([^/]+)\/(.+)$/
/** Workspaces named in a refusal. */
const MAX_NAMED = 20
const UNNAMED: SlackUnit = { ...WITHOUT_FILE, kind: 'unnamed' }
export const SLACK_UNITS: readonly SlackUnit[] = [{ ...WITHOUT_FILE, kind: 'root' }]

/** A list of the root. */
type ListFile = { readonly kind: ListKind; readonly name: string; readonly at: number }

/** What has been listed so far; days and uploads are in the store. */
type Listed = {
  readonly root: string
  readonly lists: readonly ListFile[]
  readonly teams: readonly string[]
}

export async function isSlackExport(archive: ImportArchive): Promise<boolean> {
  if (!(await isZip(archive))) return false
  let [looked, isUsual] = [0, false]
  for await (const { name } of firstEntriesOf(archive)) {
    looked += 1
    if (NOISE.test(name)) continue
    if (ROOT.test(name)) return true
    isUsual ||= USUAL.test(name)
  }
  return isUsual && looked === LISTED_AT_ONCE
}

/** Finds the beginning of all paths of the archive: '', or the folder around the export. */
export async function findRoot(
  archive: ImportArchive,
  { position }: SlackUnit,
  most: number,
  context: ImportContext,
): Promise<void> {
  let looked = 0
  for await (const { name, end } of entriesOf(archive, position)) {
    const found = NOISE.test(name) ? undefined : ROOT.exec(name)
    if (found) {
      const root = found[1] === undefined ? '' : `${found[1]}/`
      context.state.listed = { root, lists: [], teams: [] } satisfies Listed
      return context.add({ ...WITHOUT_FILE, kind: 'survey' })
    }
    looked += 1
    if (looked === most) return context.add({ ...WITHOUT_FILE, kind: 'root', position: end })
  }
  throw withoutUsers()
}

/** Lists the next files, or adds the units of all. @throws ImportRefusedError when it is of several workspaces, or encrypted */
export async function* listFiles(
  archive: ImportArchive,
  { position }: SlackUnit,
  most: number,
  context: ImportContext,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const sorting = new Sorting(context.state.listed as Listed, known)
  const next = yield* survey(entriesOf(archive, position), most, known, (entry) => sorting.take(entry))
  context.state.listed = sorting.listed
  if (next !== undefined) return context.add({ ...WITHOUT_FILE, kind: 'survey', position: next })
  const { teams, lists } = sorting.listed
  if (teams.length > 1) {
    throw new ImportRefusedError(
      `This export is of several workspaces (${teams.join(', ')}). Export each separately, or leave the folder of one alone in "teams".`,
    )
  }
  if (!lists.some(({ kind }) => kind === 'users')) throw withoutUsers()
  context.add({ ...WITHOUT_FILE, kind: 'start' })
  const order = ({ kind }: ListFile) => LISTS.findIndex(([, one]) => one === kind)
  for (const list of lists.toSorted((one, other) => order(one) - order(other)))
    context.add({ ...WITHOUT_FILE, ...list })
  const folders = await listsOf('folders', known)
  for (const name of folders) context.add({ ...WITHOUT_FILE, kind: 'folders', name })
  if (folders.length === 0) context.add(UNNAMED)
}

function withoutUsers(): ImportRefusedError {
  return new ImportRefusedError(
    'The export has no "users.json". Pack the whole export of Slack, as it was loaded.',
  )
}

/** The lists of the root, in the order in which they were found. */
export function listsOfRoot({ state }: ImportContext): readonly ListFile[] {
  return (state.listed as Listed).lists
}

class Sorting {
  private readonly root: string
  private readonly lists: ListFile[]
  private readonly teams: Set<string>
  /** Folders of days in this step. */
  private readonly folders = new Set<string>()
  private readonly known: Known

  constructor({ root, lists, teams }: Listed, known: Known) {
    this.root = root
    this.lists = [...lists]
    this.teams = new Set(teams)
    this.known = known
  }

  get listed(): Listed {
    return { root: this.root, lists: this.lists, teams: [...this.teams] }
  }

  async take(entry: ZipEntry) {
    const { name, from, fault } = entry
    if (name.endsWith('/') || NOISE.test(name)) return undefined
    refuseEncrypted(entry)
    if (fault) return { fault }
    if (!name.startsWith(this.root)) return { leftOut: 'file outside of the export' }
    const inRoot = name.slice(this.root.length)
    if (inRoot.startsWith(UPLOADS)) return { key: inRoot.slice(UPLOADS.length).split('/', 1)[0] }
    const [, team, inTeam] = TEAM.exec(inRoot) ?? []
    if (team !== undefined && this.teams.size < MAX_NAMED) this.teams.add(team)
    const path = inTeam ?? inRoot
    const kind = LISTS.find(([file]) => file === path)?.[1]
    if (kind) {
      if (this.lists.some((list) => list.name === name)) return { fault: 'is there twice' }
      if (this.teams.size <= 1) this.lists.push({ kind, name, at: from })
      return undefined
    }
    if (path === LIST_OF_COMMENTS) return undefined
    if (COMMENTS.test(path)) return { leftOut: 'day of comments on a canvas or list' }
    const folder = DAY.exec(path)?.[1]
    if (folder !== undefined) return { kinds: await this.kindsOf(folder) }
    const isCanvas = /canvas|^F[A-Z0-9]+:/.test(path)
    return { leftOut: isCanvas ? 'canvas' : 'unknown file' }
  }

  /** The first day of a folder stands for it in the list of folders. */
  private async kindsOf(folder: string): Promise<string[]> {
    const days = `days ${folder}`
    const isNew = !this.folders.has(folder) && (await this.known.get('list', days)) === undefined
    this.folders.add(folder)
    return isNew ? [days, 'folders'] : [days]
  }
}

/** Adds the next days: each conversation from its first day to its last. */
export async function* addDays(
  unit: SlackUnit,
  most: number,
  context: ImportContext,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const folders = await filesIn(unit.name, known)
  let looked = 0
  for (let { at, day } = unit; at < folders.length; at += 1, day = 0) {
    const folder = folderOf(folders[at]!.name)
    const days = await filesOf(`days ${folder}`, known)
    days.sort((one, other) =>
      one.name < other.name ? -1 : one.name > other.name ? 1 : one.from - other.from,
    )
    for (; day < days.length; day += 1, looked += 1) {
      if (looked === most) return context.add({ ...unit, at, day })
      const { name, from } = days[day]!
      if (name === days[day - 1]?.name)
        yield { type: 'problem', kind: 'file of the archive', detail: `${name} is there twice` }
      else context.add({ ...WITHOUT_FILE, kind: 'day', name, at: from, folder })
    }
  }
  if (unit.name === (await listsOf('folders', known)).at(-1)) context.add(UNNAMED)
}

function folderOf(name: string): string {
  return name.split('/').at(-2)!
}
