import { EVERYONE } from '../../core/audience.ts'
import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError, ValidationFailedError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { StoredRealmLinkifiersEvent } from '../../events/realm-linkifiers.ts'
import { type Linkifier, linkifierErrors, programsOf } from '../../markdown/linkifiers.ts'
import { MAX_PROGRAMS } from '../../markdown/matching-budget.ts'
import { compileInTurns } from '../../markdown/prepare-rendering.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import {
  changeLinkifier,
  deleteLinkifierRow,
  insertLinkifier,
  listLinkifiers,
  putLinkifierOrder,
} from './linkifier-rows.ts'
import { presentLinkifiers } from './present-linkifiers.ts'

/** Parameters of rules that turn text into links. Source: docs/interface/organization.md#linkifiers. */
export interface LinkifierParams {
  readonly pattern: string
  readonly url_template: string
}

interface LinkifierId {
  readonly filter_id: number
}

export const getLinkifiers: ReadCommand<Caller, object, void, object> = {
  reads: true,
  apply: ({ sql }) => ({ linkifiers: presentLinkifiers(sql) }),
}

export const addLinkifier: Command<Caller, LinkifierParams, void, { readonly id: number }> = {
  load: compileAll,

  apply(tx, caller, { pattern, url_template }) {
    const linkifier = requireUsable(tx.sql, undefined, pattern, url_template)
    const id = withinQuota(tx, caller, 'linkifiers', () => insertLinkifier(tx.sql, linkifier))
    announce(tx)
    return { id }
  },
}

export const updateLinkifier: Command<Caller, LinkifierId & LinkifierParams, void, object> = {
  load: compileAll,

  apply(tx, caller, { filter_id, pattern, url_template }) {
    requireLinkifier(tx.sql, filter_id)
    const linkifier = { id: filter_id, ...requireUsable(tx.sql, filter_id, pattern, url_template) }
    withinQuota(tx, caller, 'linkifiers', () => changeLinkifier(tx.sql, linkifier))
    announce(tx)
    return {}
  },
}

export const removeLinkifier: Command<Caller, LinkifierId, void, object> = {
  apply(tx, _caller, { filter_id }) {
    requireLinkifier(tx.sql, filter_id)
    deleteLinkifierRow(tx.sql, filter_id)
    announce(tx)
    return {}
  },
}

export const reorderLinkifiers: Command<
  Caller,
  { readonly ordered_linkifier_ids: readonly number[] },
  void,
  object
> = {
  apply(tx, _caller, { ordered_linkifier_ids: ids }) {
    const known = listLinkifiers(tx.sql).map(({ id }) => id)
    if (ids.length !== known.length || known.some((id) => !ids.includes(id))) {
      throw new BadRequestError('Invalid order mapping.')
    }
    putLinkifierOrder(tx.sql, ids)
    announce(tx)
    return {}
  },
}

/** Compiles the other rules in turns before, since it takes their size to say whether another one fits. */
function compileAll(_bodies: unknown, { sql }: RealmView): Promise<void> {
  return compileInTurns(listLinkifiers(sql))
}

function requireLinkifier(sql: Sql, id: number): void {
  if (!listLinkifiers(sql).some((linkifier) => linkifier.id === id)) {
    throw new BadRequestError('Linkifier not found.')
  }
}

/** Refuses an unusable rule, or a second one for the same pattern, which would conflict at every match. */
function requireUsable(sql: Sql, ownId: number | undefined, pattern: string, urlTemplate: string) {
  const errors = linkifierErrors(pattern, urlTemplate)
  const isTaken = listLinkifiers(sql).some((other) => other.id !== ownId && other.pattern === pattern)
  const found = {
    ...(errors.__all__ === undefined ? {} : { __all__: [errors.__all__] }),
    ...(errors.url_template === undefined ? {} : { url_template: [errors.url_template] }),
    ...(isTaken ? { __all__: ['Linkifier already exists.'] } : {}),
  }
  if (Object.keys(found).length > 0) throw new ValidationFailedError(found)
  requireSmallTogether(sql, ownId, { id: 0, pattern, urlTemplate })
  return { pattern, urlTemplate }
}

/** Refuses a rule with which all rules would take too much memory, and work for each message, unless they took more before. */
function requireSmallTogether(sql: Sql, ownId: number | undefined, added: Linkifier): void {
  const limit = MAX_PROGRAMS
  const all = listLinkifiers(sql)
  const after = programsOf([...all.filter(({ id }) => id !== ownId), added])
  if (after <= limit || after <= programsOf(all)) return
  throw new BadRequestError(
    `The linkifiers of an organization are too large together (limit: ${limit} instructions).`,
  )
}

function announce(tx: RealmTransaction): void {
  const event: StoredRealmLinkifiersEvent = {
    type: 'realm_linkifiers',
    realm_linkifiers: presentLinkifiers(tx.sql),
  }
  tx.emit(event, EVERYONE)
}
