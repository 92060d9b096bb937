/** The files of a Slack export. */
import { type ImportArchive, ImportRefusedError, type ImportUnit } from '../import-reader.ts'
import { entriesOf, refuseEncrypted, type ZipEntry } from '../zip.ts'

export type SlackUnitKind =
  | 'start'
  | 'uploads'
  | 'users'
  | 'channels'
  | 'groups'
  | 'mpims'
  | 'dms'
  | 'integrations'
  | 'day'
  | 'left out'

export interface SlackUnit extends ImportUnit {
  readonly kind: SlackUnitKind
  /** Position of the file's record in the directory of the ZIP; -1 for a unit without a file. */
  readonly at: number
  /** The folder of a day, which names the conversation. */
  readonly folder: string
  /** What was left out, or the folder around the export. */
  readonly detail: string
}

/** Files of the root, in the order in which they are read. */
const LISTS: readonly (readonly [file: string, kind: SlackUnitKind])[] = [
  ['users.json', 'users'],
  ['org_users.json', 'users'],
  ['channels.json', 'channels'],
  ['groups.json', 'groups'],
  ['mpims.json', 'mpims'],
  ['dms.json', 'dms'],
  ['integration_logs.json', 'integrations'],
]
const UPLOADS = '__uploads/'
const DAY = /^([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/
/** Files that other programs add to a ZIP. */
const NOISE = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|\._[^/]*$)/
const TEAM = /^teams\/([^/]+)\/(.+)$/
/** Faulty files that are listed. */
const MAX_FAULTS = 1_000
/** Workspaces named in a refusal. */
const MAX_NAMED = 20

/** Returns the id of an uploaded file from its path below the archive's root; undefined for another file. */
export function idOfUpload(path: string): string | undefined {
  return path.startsWith(UPLOADS) ? path.slice(UPLOADS.length).split('/', 1)[0] : undefined
}

/** Returns the beginning of all paths of the archive: '', or the folder around the export. */
export async function rootOf(archive: ImportArchive): Promise<string | undefined> {
  for await (const { name } of entriesOf(archive)) {
    const found = /^(?:([^/]+)\/)?(?:users|channels)\.json$/.exec(name)
    if (found && !NOISE.test(name)) return found[1] === undefined ? '' : `${found[1]}/`
  }
  return undefined
}

/**
 * Lists the units of an export: lists first, and then each conversation from its first day to its last.
 * @throws ImportRefusedError when it is of several workspaces, or encrypted
 */
export async function slackUnits(archive: ImportArchive): Promise<SlackUnit[]> {
  const root = (await rootOf(archive)) ?? ''
  const sorted = new Sorting(root)
  for await (const entry of entriesOf(archive)) sorted.take(entry)
  return sorted.units()
}

class Sorting {
  private readonly lists: SlackUnit[] = []
  private readonly days: SlackUnit[] = []
  private readonly faults: SlackUnit[] = []
  private readonly taken = new Set<string>()
  private readonly teams = new Set<string>()
  private readonly leftOut = new Map<string, number>()
  private hasUploads = false
  private readonly root: string

  constructor(root: string) {
    this.root = root
  }

  take(entry: ZipEntry): void {
    if (entry.name.endsWith('/') || NOISE.test(entry.name)) return
    refuseEncrypted(entry)
    if (entry.fault) {
      this.leaveOut(entry, entry.fault)
      return
    }
    const inRoot = entry.name.startsWith(this.root) ? entry.name.slice(this.root.length) : undefined
    if (inRoot === undefined) {
      this.count('file beside the export')
      return
    }
    if (this.taken.has(inRoot)) {
      this.leaveOut(entry, 'is there twice')
      return
    }
    if (idOfUpload(inRoot) !== undefined) {
      this.hasUploads = true
      return
    }
    this.taken.add(inRoot)
    const team = TEAM.exec(inRoot)
    if (team) this.teams.add(team[1]!)
    this.takeFile(entry, team ? team[2]! : inRoot)
  }

  private takeFile(entry: ZipEntry, path: string): void {
    const kind = LISTS.find(([file]) => file === path)?.[1]
    if (kind) {
      this.lists.push(unitOf(kind, entry))
      return
    }
    const day = DAY.exec(path)
    if (day) this.days.push(unitOf('day', entry, day[1]!))
    else
      this.count(
        /canvas|^F[A-Z0-9]+:/.test(path) ? 'canvas' : /(?:^|\/)lists?\b/.test(path) ? 'list' : 'unknown file',
      )
  }

  private count(kind: string): void {
    this.leftOut.set(kind, (this.leftOut.get(kind) ?? 0) + 1)
  }

  private leaveOut(entry: ZipEntry, why: string): void {
    if (this.faults.length < MAX_FAULTS) {
      this.faults.push({ ...unitOf('left out', entry), detail: `${entry.name} ${why}` })
    } else this.count('file of the archive')
  }

  units(): SlackUnit[] {
    if (this.teams.size > 1) {
      const names = [...this.teams].slice(0, MAX_NAMED).join(', ')
      throw new ImportRefusedError(
        `This export is of several workspaces (${names}). Export each by itself, or leave the folder of one alone in "teams".`,
      )
    }
    if (!this.lists.some(({ kind }) => kind === 'users')) {
      throw new ImportRefusedError(
        'The export has no "users.json". Pack the whole export of Slack, as it was loaded.',
      )
    }
    const order = (unit: SlackUnit) => LISTS.findIndex(([, kind]) => kind === unit.kind)
    this.lists.sort((one, other) => order(one) - order(other))
    this.days.sort((one, other) => (one.name < other.name ? -1 : 1))
    const counted = [...this.leftOut].map(([kind, count]) => ({
      ...NO_FILE,
      name: kind,
      kind: 'left out' as const,
      detail: `${count} of them`,
    }))
    return [
      { ...NO_FILE, name: 'export', kind: 'start', detail: '' },
      ...(this.hasUploads
        ? [{ ...NO_FILE, name: UPLOADS, kind: 'uploads' as const, detail: this.root }]
        : []),
      ...this.lists,
      ...this.days,
      ...this.faults,
      ...counted,
    ]
  }
}

const NO_FILE = { at: -1, folder: '' } as const

function unitOf(kind: SlackUnitKind, { name, at }: ZipEntry, folder = ''): SlackUnit {
  return { name, kind, at, folder, detail: '' }
}
