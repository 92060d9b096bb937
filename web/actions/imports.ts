import { signal } from '@preact/signals'
import { deleteArchive, uploadArchive } from '../api/uploads.ts'
import { failureText } from '../texts/failure-text.ts'
import { api, call } from './call.ts'

export interface Count {
  readonly name: string
  readonly count: number
}

/** The decisions about things of the source, by their ids there. */
export interface ImportMapping {
  readonly users: Readonly<Record<string, number>>
  readonly channels: Readonly<Record<string, number>>
  readonly profile_fields: Readonly<Record<string, string>>
  readonly topic: string
  readonly private_channels: boolean
  readonly direct_messages: boolean
  readonly settings: boolean
}

export interface Import {
  readonly id: number
  readonly acting_user_id: number
  readonly name: string
  readonly size: number
  readonly source: string | null
  /** UNIX seconds. */
  readonly started_at: number
  readonly ended_at: number | null
  readonly state: string
  readonly is_paused: boolean
  readonly failure: string | null
  /** The reason why the last attempt to undo it changed nothing; null without one. */
  readonly undo_refusal: string | null
  readonly parts_read: number | null
  readonly parts: number | null
  readonly earlier_import_id: number | null
  /** Whether an archive that was made later was imported before. */
  readonly is_older: boolean
  readonly messages_written: number | null
  readonly messages_total: number | null
  readonly seconds_left: number | null
  /** Null unless it waits for an owner. */
  readonly mapping: ImportMapping | null
  readonly estimate: {
    readonly seconds: number
    readonly object_rows: number
    readonly d1_rows: number
    readonly d1_bytes: number
    readonly file_bytes: number
    readonly dollars_once: number
    readonly dollars_a_month: number
  } | null
  readonly report: {
    readonly records: readonly Count[]
    readonly found: readonly Count[]
    readonly passed_over: readonly Count[]
    readonly problems: readonly Count[]
    readonly written: readonly Count[]
    readonly missing_emoji: readonly Count[]
  }
}

/** An import that waits for an owner. */
export type ReadImport = Import & { readonly mapping: ImportMapping }

/** The archive at the server, complete or not. */
export interface Archive {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly received: number
  readonly part_size: number
  /** UNIX seconds. */
  readonly expires_at: number
}

export interface Imports {
  /** The newest first. */
  readonly imports: readonly Import[]
  readonly upload: Archive | null
}

export interface ImportProblem {
  readonly kind: string
  readonly detail: string
  readonly file: string | null
  readonly line: number | null
}

export type ChoiceType = 'user' | 'channel' | 'profile_field'

/** A thing of the source that an owner may map. */
export interface ImportChoice {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly kind: string
  /** The existing thing to which it is mapped by default; null: a new one. */
  readonly target_id: number | null
  /** Whether an earlier import of the source has decided that. */
  readonly is_imported: boolean
  readonly clash: 'name' | 'address' | null
}

const ENDED = ['finished', 'cancelled', 'failed', 'undone']

/** Returns the import that has work or decisions left. */
export function importUnderWay({ imports }: Imports): Import | undefined {
  return imports.find(({ state }) => !ENDED.includes(state))
}

export function loadImports(): Promise<Imports> {
  return call<Imports>('GET', '/imports')
}

/** Begins to read the archive that is at the server. */
export async function beginImport({ id }: Archive): Promise<void> {
  await call('POST', '/imports', { upload_id: id })
}

export async function actOnImport(id: number, action: 'pause' | 'resume' | 'cancel' | 'undo'): Promise<void> {
  await call('PATCH', `/imports/${id}`, { action })
}

/** `isContinued`: whether the archive is from the same place as an earlier import. */
export async function runImport(id: number, isContinued: boolean): Promise<void> {
  await call('PATCH', `/imports/${id}`, { action: 'run', ...(isContinued ? { known_source: true } : {}) })
}

/** Says that the archive is not from the place of an earlier import, so that all of it is new. */
export async function separateImport(id: number): Promise<void> {
  await call('PATCH', `/imports/${id}`, { known_source: false })
}

export async function decideImport(id: number, mapping: Partial<ImportMapping>): Promise<void> {
  await call('PATCH', `/imports/${id}`, { mapping })
}

export async function loadImportProblems(id: number): Promise<readonly ImportProblem[]> {
  return (await call<{ problems: ImportProblem[] }>('GET', `/imports/${id}/problems`)).problems
}

export interface Choices {
  readonly choices: readonly ImportChoice[]
  readonly is_last_page: boolean
}

/** `after`: the id of the last one of the page before. */
export function loadChoices(id: number, type: ChoiceType, after = ''): Promise<Choices> {
  return call<Choices>('GET', `/imports/${id}/choices`, { type, after })
}

/** Mails imported people who have not logged in yet. `groupId`: of those who get it; undefined for all. */
export async function inviteImportedUsers(groupId?: number): Promise<void> {
  await call('POST', '/imports/invitations', { user_group_id: groupId })
}

/** The upload of this tab, which continues while other views are shown. */
interface RunningUpload {
  readonly name: string
  readonly size: number
  /** 0 to 1. */
  readonly part: number
  stop(): void
}

export const runningUpload = signal<RunningUpload | undefined>(undefined)
/** The reason why the last one stopped, as a sentence; empty if it did not. */
export const uploadRefusal = signal('')

/** Uploads an archive, or the rest of one. Resolves when it is there, or has stopped. */
export async function sendArchive(file: File, begun?: Archive): Promise<void> {
  const stopped = new AbortController()
  const show = (part: number) => {
    runningUpload.value = { name: file.name, size: file.size, part, stop: () => stopped.abort() }
  }
  uploadRefusal.value = ''
  show(begun ? begun.received / begun.size : 0)
  try {
    await uploadArchive(api, file, begun, { signal: stopped.signal, onProgress: show })
  } catch (error) {
    if (!stopped.signal.aborted) uploadRefusal.value = failureText(error)
  } finally {
    runningUpload.value = undefined
  }
}

export async function removeArchive({ id }: Archive): Promise<void> {
  await deleteArchive(api, id)
}
