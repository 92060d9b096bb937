import { call } from './call.ts'

/** The certificate of a person who was erased, or is being erased. Times in UNIX seconds. */
export interface Erasure {
  readonly id: number
  readonly user_id: number
  readonly bot_ids: readonly number[]
  readonly acting_user_id: number | null
  readonly messages: 'keep' | 'remove'
  readonly asked_at: number
  readonly finished_at: number | null
  /** Rows by their tables, in the organization's object and in D1. */
  readonly object: Readonly<Record<string, number>>
  readonly d1: Readonly<Record<string, number>>
  readonly files: { readonly uploads: number; readonly bytes: number; readonly pictures: number }
  readonly held: { readonly messages: number; readonly files: number }
  readonly log_until: number
  readonly listed_at: number | null
  readonly backups: readonly {
    readonly id: number
    readonly taken_at: number
    readonly kept_until: number
  }[]
  readonly exports: readonly { readonly id: number; readonly kept_until: number }[]
}

export async function loadErasures(): Promise<readonly Erasure[]> {
  return (await call('GET', '/realm/erasures')).erasures as Erasure[]
}

export async function erasePerson(userId: number, messages: Erasure['messages']): Promise<void> {
  await call('POST', `/users/${userId}/erase`, { messages })
}
