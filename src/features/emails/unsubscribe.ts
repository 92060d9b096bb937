import { defineStep } from '../../api/define-endpoint.ts'
import { inAddress } from '../../api/step-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { changeUserSetting } from '../../model/accounts/change-user-setting.ts'
import { textsFor } from '../../model/emails/texts-for.ts'
import { MAIL_OF_KIND, type MailKind, readUnsubscribeToken } from '../../model/emails/unsubscribe-token.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

export interface UnsubscribeParams {
  readonly kind: string
  readonly token: string
}

/** The content of the page behind the link. */
export interface ShownUnsubscription {
  readonly language: string
  readonly title: string
  readonly text: string
  readonly button: string
  /** Text of the link to the organization's page. */
  readonly open: string
}

/** Shows the page behind the link in a mail. It changes nothing, since mail scanners follow links too. */
export const showUnsubscriptionStep = defineStep({
  operation: 'show-unsubscription',
  access: 'anyone',
  params: { kind: inAddress, token: inAddress },
  apply(tx, _anyone, params): ShownUnsubscription {
    const { user, kind } = requireSubscriber(tx, params)
    return shown(tx, user, kind, 'ask')
  },
  audit: 'read-only',
})

/**
 * Switches this kind of mail off for the recipient of the link. Repeating it changes nothing. Source:
 * docs/interface/notifications.md#mail-of-missed-messages; RFC 8058.
 */
export const unsubscribeStep = defineStep({
  operation: 'unsubscribe-from-mail',
  access: 'anyone',
  params: { kind: inAddress, token: inAddress },
  apply(tx, _anyone, params): ShownUnsubscription {
    const { user, kind } = requireSubscriber(tx, params)
    changeUserSetting(tx, user, MAIL_OF_KIND[kind], false)
    return shown(tx, user, kind, 'done')
  },
  audit: 'own',
})

function requireSubscriber(
  tx: RealmTransaction,
  { kind, token }: UnsubscribeParams,
): { user: User; kind: MailKind } {
  if (Object.hasOwn(MAIL_OF_KIND, kind)) {
    const userId = readUnsubscribeToken(tx, kind as MailKind, token)
    const user = userId === undefined ? undefined : findUser(tx.sql, userId)
    if (user?.isActive) return { user, kind: kind as MailKind }
  }
  throw new BadRequestError('This link is invalid or incomplete.')
}

function shown(tx: RealmReads, user: User, kind: MailKind, what: 'ask' | 'done'): ShownUnsubscription {
  const { language, unsubscribed, digest } = textsFor(user)
  const organization = realmProperty(tx.sql, 'name')
  const named = unsubscribed.what[kind]
  return {
    language,
    title: unsubscribed.title(organization),
    text: unsubscribed[what]({ organization, what: named }),
    button: unsubscribed.button(named),
    open: digest.open(organization),
  }
}
