import { buildState, buildSubscription, buildUser, ME } from './build.ts'

const NAMES = [
  'Me Myself',
  'Anna Smith',
  'Hanna Ode',
  'Annabel Lee',
  'José García',
  'Anna Smith',
  'Ann Robot',
  'Anne Gone',
]

/** People and channels whose names are alike. */
export function buildTeam() {
  const users = NAMES.map((full_name, index) =>
    buildUser(index === 0 ? ME : index, { full_name, is_bot: full_name.endsWith('Robot') }),
  )
  const gone = users.pop()!
  const subscriptions = [
    buildSubscription(1, { name: 'design' }),
    buildSubscription(2, { name: 'dev design', pin_to_top: true }),
    buildSubscription(3, { name: 'Design review', is_muted: true }),
    buildSubscription(4, { name: 'redesign' }),
  ]
  const never_subscribed = [
    buildSubscription(5, { name: 'designers' }),
    buildSubscription(6, { name: 'design of old', is_archived: true }),
  ]
  return buildState({
    realm_users: users,
    realm_non_active_users: [gone],
    subscriptions,
    never_subscribed,
    streams: [...subscriptions, ...never_subscribed].map((one) => ({ ...one })),
  })
}
