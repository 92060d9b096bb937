import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Role } from '../../rules/roles.ts'
import { Rows } from '../select-rows.ts'

const SIGN_UPS = new Rows<SignUp>('sign_up', 'secret link_id email expires_at')

/** Kind of an invitation: by mail to one address, or a link for anybody. Each kind has its own ids. */
export type InvitationKind = 'email' | 'link'
export const INVITATION_KINDS = ['email', 'link'] as const satisfies readonly InvitationKind[]
export type InvitationState = 'pending' | 'accepted' | 'revoked'

export interface Invitation {
  readonly kind: InvitationKind
  readonly id: number
  /** The secret at the end of the link. */
  readonly secret: string
  /** Null for links. */
  readonly email: string | null
  readonly referrerId: number
  /** UNIX seconds. */
  readonly invitedAt: number
  /** Null: never. */
  readonly expiresAt: number | null
  readonly inviteAs: Role
  readonly notifiesReferrer: boolean
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
  readonly joinsDefaultChannels: boolean
  /** Null: the organization's own; '': none. */
  readonly welcomeText: string | null
  /** Address of the organization when it was made, for links in later mail. */
  readonly origin: string
  readonly state: InvitationState
}

type InvitationRow = Omit<Invitation, 'kind'>

const TABLE = { email: 'invitation', link: 'invitation_link' } as const satisfies Record<
  InvitationKind,
  string
>

const COLUMNS =
  'id secret email referrer_id invited_at expires_at invite_as notifies_referrer:flag channel_ids:json group_ids:json joins_default_channels:flag welcome_text origin state'

const INVITATIONS = {
  email: new Rows<InvitationRow>('invitation', COLUMNS),
  link: new Rows<InvitationRow>('invitation_link', COLUMNS),
} as const satisfies Record<InvitationKind, Rows<InvitationRow>>

/** Returns the new invitation's id. */
export function insertInvitation(sql: WritableSql, invitation: Omit<Invitation, 'id' | 'state'>): number {
  const { kind, ...row } = invitation
  return INVITATIONS[kind].insertNew(sql, { ...row, invitedAt: Math.floor(row.invitedAt) })
}

export function findInvitation(sql: Sql, kind: InvitationKind, id: number): Invitation | undefined {
  const row = INVITATIONS[kind].find(sql, `WHERE id = ?`, id)
  return row && { ...row, kind }
}

export function findInvitationBySecret(sql: Sql, secret: string): Invitation | undefined {
  for (const kind of INVITATION_KINDS) {
    const row = INVITATIONS[kind].find(sql, `WHERE secret = ?`, secret)
    if (row) return { ...row, kind }
  }
  return undefined
}

/** Selects pending invitations that have not expired at a time (UNIX seconds), only those of a user if given. */
export interface OpenInvitations {
  readonly now: number
  readonly referrerId?: number
}

const IS_OPEN = `state = 'pending' AND (expires_at IS NULL OR expires_at > ?1) AND (?2 IS NULL OR referrer_id = ?2)`

function paramsOf({ now, referrerId }: OpenInvitations): [number, number | null] {
  return [Math.floor(now), referrerId ?? null]
}

/** Lists the first `limit` of a kind above an id, ascending. */
export function listOpenInvitations(
  sql: Sql,
  kind: InvitationKind,
  open: OpenInvitations,
  { above, limit }: { readonly above: number; readonly limit: number },
): Invitation[] {
  const rest = `WHERE ${IS_OPEN} AND id > ?3 ORDER BY id LIMIT ?4`
  return INVITATIONS[kind].list(sql, rest, ...paramsOf(open), above, limit).map((row) => ({ ...row, kind }))
}

/** Lists the open invitations of a user: they have a quota. */
export function listOpenInvitationsOf(sql: Sql, referrerId: number, now: number): Invitation[] {
  const limits = { above: 0, limit: Number.MAX_SAFE_INTEGER }
  return INVITATION_KINDS.flatMap((kind) => listOpenInvitations(sql, kind, { now, referrerId }, limits))
}

/** Revokes the open invitations of a user. Returns whether there were any. */
export function revokeOpenInvitationsOf(sql: WritableSql, referrerId: number, now: number): boolean {
  const counts = INVITATION_KINDS.map((kind) =>
    sql.run(`UPDATE ${TABLE[kind]} SET state = 'revoked' WHERE ${IS_OPEN}`, ...paramsOf({ now, referrerId })),
  )
  return counts.some((count) => count > 0)
}

export function setInvitationState(
  sql: WritableSql,
  { kind, id }: Pick<Invitation, 'kind' | 'id'>,
  state: InvitationState,
): void {
  sql.run(`UPDATE ${TABLE[kind]} SET state = ? WHERE id = ?`, state, id)
}

/** Stores the remaining promises: channels, groups and welcome text. */
export function reduceInvitation(
  sql: WritableSql,
  { kind, id, channelIds, groupIds, welcomeText }: Omit<Invitation, 'state'>,
): void {
  INVITATIONS[kind].change(sql, id, { channelIds, groupIds, welcomeText })
}

/** Lists pending invitations by mail to this address. */
export function listPendingFor(sql: Sql, email: string): Invitation[] {
  return INVITATIONS.email
    .list(sql, `WHERE state = 'pending' AND lower(email) = lower(?)`, email)
    .map((row) => ({ ...row, kind: 'email' }))
}

/** Counts the invitations by mail that were made since then, whatever became of them. */
export function countInvitationsSince(sql: Sql, since: number): number {
  return sql.value(`SELECT count(*) AS n FROM invitation WHERE invited_at > ?`, Math.floor(since))!
}

/** An address with which someone wants to join by a link, until it is confirmed by mail. The table `sign_up` is owned by this file. */
export interface SignUp {
  /** The end of the mailed link, which nobody can guess. */
  readonly secret: string
  /** The invitation link with which it was asked for. */
  readonly linkId: number
  readonly email: string
  /** UNIX seconds. */
  readonly expiresAt: number
}

export function deleteExpiredSignUps(sql: WritableSql, now: number): void {
  sql.run(`DELETE FROM sign_up WHERE expires_at <= ?`, Math.floor(now))
}

/** Enters a sign-up, in place of the one with the same address and link. */
export function putSignUp(sql: WritableSql, { secret, linkId, email, expiresAt }: SignUp): void {
  sql.run(
    `INSERT INTO sign_up (address, link_id, email, secret, expires_at) VALUES (lower(?1), ?2, ?1, ?3, ?4)
     ON CONFLICT (address, link_id) DO UPDATE SET email = ?1, secret = ?3, expires_at = ?4`,
    email,
    linkId,
    secret,
    Math.floor(expiresAt),
  )
}

export function findSignUp({ sql, now }: RealmView, email: string, linkId: number): SignUp | undefined {
  return SIGN_UPS.find(
    sql,
    `WHERE address = lower(?) AND link_id = ? AND expires_at > ?`,
    email,
    linkId,
    Math.floor(now),
  )
}

/** Finds the open sign-up behind a mailed link. */
export function findSignUpBySecret({ sql, now }: RealmView, secret: string): SignUp | undefined {
  return SIGN_UPS.find(sql, `WHERE secret = ? AND expires_at > ?`, secret, Math.floor(now))
}

export function deleteSignUpsOf(sql: WritableSql, email: string): void {
  sql.run(`DELETE FROM sign_up WHERE address = lower(?)`, email)
}
