import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { dropDraft, emitDrafts } from '../../model/drafts/drop-drafts.ts'
import { presentDraft } from '../../model/drafts/present-draft.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  type Draft,
  findDraft,
  insertDraft,
  listDrafts,
  replaceDraft,
} from '../../store/drafts/draft-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { checkedDraft, checkedDrafts, type GivenDraft } from './checked-draft.ts'

/** Lists the caller's drafts. Source: docs/interface/personal.md#drafts. */
export const listOwnDrafts: ReadCommand<Caller, object, void, { count: number; drafts: Draft[] }> = {
  reads: true,
  apply(tx, { user }) {
    requireSynchronized(user)
    const drafts = listDrafts(tx.sql, user.id).map((draft) => presentDraft(tx, user.id, draft))
    return { count: drafts.length, drafts }
  },
}

export const createDrafts: Command<
  Caller,
  { readonly drafts: readonly GivenDraft[] },
  void,
  { ids: number[] }
> = {
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
}

export interface EditDraftParams {
  readonly draft_id: number
  readonly draft: GivenDraft
}

export const editDraft: Command<Caller, EditDraftParams, void, object> = {
  apply(tx, caller, { draft_id, draft: given }) {
    requireSynchronized(caller.user)
    const { id } = requireDraft(tx, caller.user, draft_id)
    const draft = { id, ...checkedDraft(tx, caller, given) }
    withinQuota(tx, caller, 'drafts', () => replaceDraft(tx.sql, draft))
    emitDrafts(tx, caller.user, { op: 'update', draft: presentDraft(tx, caller.user.id, draft) })
    return {}
  },
}

export const deleteDraft: Command<Caller, { readonly draft_id: number }, void, object> = {
  apply(tx, { user }, { draft_id }) {
    requireSynchronized(user)
    dropDraft(tx, user, requireDraft(tx, user, draft_id))
    return {}
  },
}

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
