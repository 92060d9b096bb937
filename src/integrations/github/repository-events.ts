/** Events about repositories, organizations and teams. */
import { branchText, releaseText, releaseTopic, topicOf } from '../code-host-wording.ts'
import type { Reading } from '../integration.ts'
import { bullets, code, inWords, link, person, plain, quote, statement, words } from '../markdown.ts'
import { lookUp } from '../payload.ts'
import { type GitHubEvent, linkTo, type Readers, reader, silent } from './github-event.ts'

export const HOUSEHOLD_READERS: Readers = {
  ...silent('label'),
  ...reader('create', (github) => readRef(github, 'created')),
  ...reader('delete', (github) => readRef(github, 'deleted')),
  ...reader('release', ({ body, user, action, repository, say }) => {
    // Each release causes three events.
    if (action === 'released' || action === 'prereleased') return 'ignore'
    const release = body.at('release')
    const [name, tag] = [release.text('name'), release.text('tag_name')]
    const text = releaseText(user, inWords(action) || 'changed', name, release.text('html_url'), tag)
    return say(text, releaseTopic(repository, tag, name))
  }),
  ...reader('fork', ({ body, did }) => did('forked', linkTo(body.at('forkee')))),
  ...reader('public', (github) => aboutRepository(github, 'made the repository', 'public')),
  ...reader('repository', (github) =>
    aboutRepository(github, `${inWords(github.action) || 'changed'} the repository`),
  ),
  ...reader('star', (github) => {
    const done = github.action === 'deleted' ? 'unstarred' : 'starred'
    return aboutRepository(github, `${done} the repository`)
  }),
  ...reader('watch', (github) => aboutRepository(github, 'starred the repository')),
  ...reader('gollum', ({ body, user, repository, say }) => {
    const pages = body.firstItems(MAX_LISTED, 'pages')
    const lines = pages.map((page) =>
      words(
        inWords(page.text('action')) || 'changed',
        link(page.firstText('title', 'page_name') || 'a page', page.text('html_url')),
      ),
    )
    const text = lines.length === 0 ? 'changed the wiki' : lines[0]!
    const whole =
      lines.length > 1 ? `${person(user)}:\n${bullets(lines)}` : statement(words(person(user), text))
    return say(whole, topicOf(repository, 'wiki pages'))
  }),
  ...reader('milestone', ({ body, action, did }) => {
    const milestone = body.at('milestone')
    const name = link(milestone.text('title'), milestone.text('html_url'))
    return did(inWords(action) || 'changed', 'the milestone', name)
  }),
  ...reader('package', readPackage),
  ...reader('registry_package', readPackage),
  ...reader('branch_protection_rule', ({ body, action, did }) =>
    did(inWords(action) || 'changed', 'the branch protection rule', code(body.text('rule', 'name'))),
  ),
  ...reader('deploy_key', ({ body, action, did }) => {
    const done = action === 'created' ? 'added' : action === 'deleted' ? 'removed' : 'changed'
    return did(done, 'the deploy key', code(body.text('key', 'title')))
  }),
  ...reader('meta', ({ action, did }) => did(inWords(action) || 'changed', 'this webhook')),
  ...reader('repository_import', ({ body, say }) => {
    const status = inWords(body.text('status'))
    return say(statement(words('The import of the repository has ended', status && `(${status})`)))
  }),
  ...reader('member', ({ body, action, did }) => {
    const member = linkTo(body.at('member')) || 'someone'
    const repository = linkTo(body.at('repository'))
    const text =
      action === 'added'
        ? words('added', member, repository && `to ${repository}`)
        : action === 'removed'
          ? words('removed', member, repository && `from ${repository}`)
          : words('changed the permissions of', member, repository && `in ${repository}`)
    return did(text)
  }),
  ...reader('membership', ({ body, user, action, owner, say }) => {
    const team = linkTo(body.at('team'))
    const [done, direction] = action === 'removed' ? ['removed', 'from'] : ['added', 'to']
    const text = words(
      person(user),
      done,
      linkTo(body.at('member')) || 'someone',
      team && `${direction} the ${team} team`,
    )
    return say(statement(text), `${owner} organization`)
  }),
  ...reader('organization', readOrganization),
  ...reader('org_block', ({ body, user, action, owner, say }) =>
    say(
      statement(words(person(user), inWords(action) || 'blocked', linkTo(body.at('blocked_user')))),
      `${owner} organization`,
    ),
  ),
  ...reader('team', readTeam),
  ...reader('team_add', ({ body, say }) => {
    const repository = linkTo(body.at('repository'))
    return say(
      statement(words('The repository', repository, 'was added to team', plain(body.text('team', 'name')))),
    )
  }),
  ...reader('installation', ({ body, action, did }) => {
    const done = lookUp(INSTALLATIONS, action) ?? (inWords(action) || 'changed')
    const app = code(body.text('installation', 'app_slug'))
    return did(done, 'the app', app)
  }),
  ...reader('installation_repositories', ({ body, action, did }) => {
    const repositories = body.at(action === 'removed' ? 'repositories_removed' : 'repositories_added')
    const [done, direction] = action === 'removed' ? ['removed', 'from'] : ['added', 'to']
    const app = code(body.text('installation', 'app_slug'))
    const number =
      repositories.count() === 1
        ? plain(repositories.text(0, 'full_name')) || '1 repository'
        : `${repositories.count()} repositories`
    return did(done, number, direction, 'the app', app)
  }),
  ...reader('github_app_authorization', ({ action, did }) =>
    did(inWords(action) || 'changed', 'the authorization of the app'),
  ),
  ...reader('marketplace_purchase', ({ body, user, action, say }) => {
    const purchase = body.at('marketplace_purchase')
    const plan = plain(purchase.text('plan', 'name'))
    const account = plain(purchase.text('account', 'login'))
    return say(
      statement(
        words(
          person(user),
          inWords(action) || 'changed',
          plan ? `the plan ${plan}` : 'a plan',
          account && `for ${account}`,
        ),
      ),
      'marketplace',
    )
  }),
  ...reader('sponsorship', ({ body, user, action, say }) => {
    const tier = plain(body.text('sponsorship', 'tier', 'name'))
    const before = plain(body.text('changes', 'tier', 'from', 'name'))
    const sponsorship = words('sponsorship', tier && (before ? `from ${before} to ${tier}` : `of ${tier}`))
    const done = lookUp(SPONSORSHIPS, action) ?? 'changed their'
    const date = plain(body.text('effective_date').slice(0, 'YYYY-MM-DD'.length))
    return say(statement(words(person(user), done, sponsorship, date && `as of ${date}`)), 'sponsors')
  }),
}

const MAX_LISTED = 20

const INSTALLATIONS: Readonly<Record<string, string>> = {
  created: 'installed',
  deleted: 'uninstalled',
  suspend: 'suspended',
  unsuspend: 'resumed',
  new_permissions_accepted: 'accepted new permissions of',
}

const SPONSORSHIPS: Readonly<Record<string, string>> = {
  created: 'began a',
  cancelled: 'cancelled their',
  pending_cancellation: 'will end their',
  pending_tier_change: 'will change their',
  tier_changed: 'changed their',
}

function readRef({ body, user, say }: GitHubEvent, action: string): Reading {
  return say(branchText(user, action, inWords(body.text('ref_type')) || 'branch', body.text('ref')))
}

function aboutRepository({ body, did }: GitHubEvent, done: string, more = ''): Reading {
  return did(done, linkTo(body.at('repository')), more)
}

function readPackage({ body, action, did }: GitHubEvent): Reading {
  const thing = body.has('package') ? body.at('package') : body.at('registry_package')
  const name = words(thing.text('name'), thing.text('package_version', 'version'))
  const address = thing.text('package_version', 'html_url') || thing.text('html_url')
  return did(inWords(action) || 'changed', 'the package', link(name, address))
}

function readOrganization({ body, user, action, owner, say }: GitHubEvent): Reading {
  const topic = `${owner} organization`
  const member = linkTo(body.at('membership', 'user')) || plain(body.text('invitation', 'login')) || 'someone'
  switch (action) {
    case 'member_added':
      return say(statement(words(person(user), 'added', member, 'to the organization')), topic)
    case 'member_removed':
      return say(statement(words(person(user), 'removed', member, 'from the organization')), topic)
    case 'member_invited':
      return say(statement(words(person(user), 'invited', member, 'to the organization')), topic)
    default: {
      const before = plain(body.text('changes', 'login', 'from'))
      return say(
        statement(words(person(user), inWords(action) || 'changed', 'the organization', before)),
        topic,
      )
    }
  }
}

/** The changeable facts about a team, in words. */
const TEAM_CHANGES = ['name', 'description', 'privacy', 'notification_setting', 'repository'] as const

function readTeam({ body, user, action, say }: GitHubEvent): Reading {
  const team = body.at('team')
  const topic = `team ${team.text('name')}`.trim()
  const who = person(user)
  const repository = linkTo(body.at('repository'))
  switch (action) {
    case 'edited':
      break
    case 'added_to_repository':
      return say(
        statement(words(who, 'added the team', linkTo(team), repository && `to ${repository}`)),
        topic,
      )
    case 'removed_from_repository':
      return say(
        statement(words(who, 'removed the team', linkTo(team), repository && `from ${repository}`)),
        topic,
      )
    default:
      return say(statement(words(who, inWords(action) || 'changed', 'the team', linkTo(team))), topic)
  }
  if (body.has('changes', 'description')) {
    const description = quote(team.text('description'))
    return say(statement(words(who, 'changed the team description', description && 'to'), description), topic)
  }
  const renamed = code(body.text('changes', 'name', 'from'))
  if (renamed !== '')
    return say(statement(words('Team', renamed, 'was renamed to', code(team.text('name')))), topic)
  const changed = TEAM_CHANGES.filter((key) => body.has('changes', key)).map((key) => inWords(key))
  return say(
    statement(
      words(
        who,
        'changed',
        changed.length > 0 ? `the ${changed.join(' and ')} of` : '',
        'the team',
        linkTo(team),
      ),
    ),
    topic,
  )
}
