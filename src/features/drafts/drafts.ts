import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { LAST_SECOND, MAX_HANDMADE_LIST_LENGTH } from '../../api/input-limits.ts'
import { integer, json, listUpTo, pathInteger } from '../../api/parameter-types.ts'
import { messageContent, sentTopic } from '../../api/shared-parameters.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { RealmReads, RealmView } from '../../core/realm-transaction.ts'
import { draftSchema } from '../../events/unsent.ts'
import type { Caller } from '../../model/caller.ts'
import { dropDraft, emitDrafts } from '../../model/drafts/drop-drafts.ts'
import { cutTopic, normaliseContent } from '../../model/messages/text/compose.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { presentDraft } from '../../model/unsent/present-unsent.ts'
import { requireChannelMetadata } from '../../rules/channel-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import {
  type Draft,
  findDraft,
  insertDraft,
  listDrafts,
  replaceDraft,
} from '../../store/unsent/unsent-rows.ts'
import { allAccounts } from '../../store/users/account-set-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

const draftList = v.object({ count: v.number(), drafts: v.array(draftSchema) })

/** Lists the caller's drafts. Source: docs/interface/personal.md#drafts. */
export const listDraftsEndpoint = defineEndpoint({
  operation: 'list-drafts',
  route: 'GET /drafts',
  access: 'user',
  returns: draftList,
  query(tx, { user }) {
    requireSynchronized(user)
    const drafts = listDrafts(tx.sql, user.id).map((draft) => presentDraft(tx, user.id, draft))
    return { count: drafts.length, drafts }
  },
})

/** A draft as a client sends it; other keys are refused. Source: docs/interface/personal.md#drafts. */
const givenDraft = v.strictObject({
  type: v.picklist(['', 'stream', 'private']),
  to: listUpTo(MAX_HANDMADE_LIST_LENGTH, integer),
  topic: sentTopic,
  content: v.pipe(v.string(), v.nonEmpty(), messageContent),
  timestamp: v.optional(
    v.pipe(v.number('is not a float'), v.minValue(-LAST_SECOND), v.maxValue(LAST_SECOND)),
  ),
})
type GivenDraft = v.InferOutput<typeof givenDraft>

/** Stores drafts and answers their ids in the same order. Source: docs/interface/personal.md#drafts. */
export const createDraftsEndpoint = defineEndpoint({
  operation: 'create-drafts',
  route: 'POST /drafts',
  access: 'user',
  growsObject: true,
  params: { drafts: json(listUpTo(MAX_HANDMADE_LIST_LENGTH, givenDraft)) },
  returns: v.object({ ids: v.array(v.number()) }),
  apply(tx, caller, { drafts: given }) {
    const { user } = caller
    requireSynchronized(user)
    const checked = checkedDrafts(tx, caller, given)
    const drafts = withinQuota(tx, caller, 'drafts', () =>
      checked.map((draft) => insertDraft(tx.sql, user.id, draft)),
    )
    emitDrafts(tx, user, { op: 'add', drafts: drafts.map((draft) => presentDraft(tx, user.id, draft)) })
    return { ids: drafts.map(({ id }) => id) }
  },
  audit: 'own',
})

/** Replaces a draft. Source: docs/interface/personal.md#drafts. */
export const editDraftEndpoint = defineEndpoint({
  operation: 'edit-draft',
  route: 'PATCH /drafts/:draft_id',
  access: 'user',
  growsObject: true,
  params: { draft_id: pathInteger, draft: json(givenDraft) },
  apply(tx, caller, { draft_id, draft: given }) {
    requireSynchronized(caller.user)
    const { id } = requireDraft(tx, caller.user, draft_id)
    const draft = { id, ...checkedDraft(tx, caller, given) }
    withinQuota(tx, caller, 'drafts', () => replaceDraft(tx.sql, draft))
    emitDrafts(tx, caller.user, { op: 'update', draft: presentDraft(tx, caller.user.id, draft) })
  },
  audit: 'own',
})

/** Deletes a draft. Source: docs/interface/personal.md#drafts. */
export const deleteDraftEndpoint = defineEndpoint({
  operation: 'delete-draft',
  route: 'DELETE /drafts/:draft_id',
  access: 'user',
  params: { draft_id: pathInteger },
  apply(tx, { user }, { draft_id }) {
    requireSynchronized(user)
    dropDraft(tx, user, requireDraft(tx, user, draft_id))
  },
  audit: 'own',
})

function requireSynchronized(user: User): void {
  if (!userSetting(user, 'enable_drafts_synchronization')) {
    throw new BadRequestError('User has disabled synchronizing drafts.')
  }
}

function requireDraft(tx: RealmReads, user: User, id: number): Draft {
  const draft = findDraft(tx.sql, user.id, id)
  if (!draft) throw new NotFoundError('Draft does not exist')
  return draft
}

/** Returns a request's drafts in the form to store (`checkedDraft`). Accounts that several name are looked up once. */
function checkedDrafts(view: RealmView, caller: Caller, given: readonly GivenDraft[]): Omit<Draft, 'id'>[] {
  const known = new Set<number>()
  return given.map((draft) => checkedDraft(view, caller, draft, known))
}

/** Returns the draft in the form to store. Errors in the order of docs/interface/personal.md#drafts. `known`: accounts known to exist. */
function checkedDraft(
  view: RealmView,
  caller: Caller,
  given: GivenDraft,
  known = new Set<number>(),
): Omit<Draft, 'id'> {
  const content = normaliseContent(given.content)
  const timestamp = toMicroseconds(given.timestamp ?? view.now)
  if (timestamp < 0) throw new BadRequestError('Timestamp must not be negative.')
  const draft = { type: given.type, to: [...given.to], topic: '', content, timestamp }
  if (given.type === 'stream') {
    const topic = cutTopic(given.topic)
    if (topic.includes('\0')) throw new BadRequestError('Topic must not contain null bytes')
    requireOneChannel(view, caller, given.to)
    return { ...draft, topic }
  }
  if (given.type === '') return { ...draft, to: [] }
  requireAccounts(view, given.to, known)
  return draft
}

function requireAccounts({ sql }: RealmView, ids: readonly number[], known: Set<number>): void {
  const others = ids.filter((id) => !known.has(id))
  if (others.length === 0) return
  const accounts = allAccounts(sql)
  const unknown = others.find((id) => !accounts.has(id))
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID ${unknown}`)
}

function requireOneChannel({ sql }: RealmView, { user, actor }: Caller, to: readonly number[]): void {
  if (to.length !== 1) {
    throw new BadRequestError('Must specify exactly 1 channel ID for channel messages')
  }
  requireChannelMetadata(actor, findChannel(sql, to[0]!), isSubscribed(sql, to[0]!, user.id))
}

function toMicroseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6
}
