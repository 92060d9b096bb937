import { expect, test } from 'vitest'
import type { Actor } from '../../src/rules/access.ts'
import type { RealmPermissions } from '../../src/rules/grants.ts'
import { type DirectRecipient, requireMaySendDirect } from '../../src/rules/message-rules.ts'
import { administrator, bot, buildActor, guest, member, moderator } from './build-actor.ts'
import { members, nobody, only, realmPermissions } from './build-facts.ts'
import { refusal } from './refusal.ts'

function to(actor: Actor, change: Partial<DirectRecipient> = {}): DirectRecipient {
  return { actor, email: `user${actor.id}@example.com`, isVisibleToSender: true, ...change }
}

const open = realmPermissions()
const off = realmPermissions({ direct_message_permission_group: nobody })
const offAsList = realmPermissions({ direct_message_permission_group: only() })
const membersOnly = realmPermissions({ direct_message_permission_group: members })
const membersStart = realmPermissions({ direct_message_initiator_group: members })
const gone = to(buildActor({ id: 40, isActive: false }))
const hidden = to(moderator, { isVisibleToSender: false })

const disabled = 'Direct messages are disabled in this organization.'
const unauthorized = 'This conversation does not include any users who can authorize it.'
const mayNotStart = 'You do not have permission to initiate direct message conversations.'
const noAccess = 'You do not have permission to access some of the recipients.'

const cases: [string, Actor, DirectRecipient[], boolean, RealmPermissions, string | null][] = [
  ['member to member', member, [to(moderator)], false, open, null],
  ['guest to member', guest, [to(member)], false, open, null],
  ['to oneself', member, [], false, open, null],
  ['a guest to somebody hidden', guest, [hidden], true, open, noAccess],
  ['hidden comes before deactivated', guest, [gone, hidden], true, open, noAccess],
  [
    'to a deactivated user',
    member,
    [to(moderator), gone],
    true,
    open,
    "'user40@example.com' is no longer using Parley.",
  ],
  ['disabled', member, [to(moderator)], true, off, disabled],
  ['disabled, as an administrator', administrator, [to(member)], true, off, disabled],
  ['disabled, written as an empty list', member, [to(moderator)], true, offAsList, disabled],
  ['disabled, but to a bot', member, [to(bot)], false, off, null],
  ['disabled, but to oneself', member, [], false, off, null],
  ['disabled, but from a bot', bot, [to(member)], false, off, null],
  ['disabled, to a bot and a person', member, [to(bot), to(moderator)], true, off, disabled],
  ['a guest with a member who can authorize', guest, [to(member)], true, membersOnly, null],
  ['a member with a guest: the sender authorizes', member, [to(guest)], true, membersOnly, null],
  [
    'guests among themselves',
    guest,
    [to(buildActor({ id: 61, role: 600 }))],
    true,
    membersOnly,
    unauthorized,
  ],
  ['a guest starts, members may start', guest, [to(member)], false, membersStart, mayNotStart],
  ['a guest answers, members may start', guest, [to(member)], true, membersStart, null],
  ['a member starts, members may start', member, [to(guest)], false, membersStart, null],
  ['a guest starts with a bot', guest, [to(bot)], false, membersStart, null],
]

test.each(cases)('%s', (_case, sender, recipients, hasMessages, realm, expected) => {
  expect(refusal(() => requireMaySendDirect(sender, { recipients, hasMessages }, realm))).toBe(expected)
})
