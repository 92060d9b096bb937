import type { Example } from '../example.ts'

const repository = {
  name: 'engine',
  full_name: 'acme/engine',
  private: false,
  html_url: 'https://github.com/acme/engine',
}
const organization = { login: 'acme' }
const sender = { login: 'ada', html_url: 'https://github.com/ada' }
const event = (name: string) => ({ 'X-GitHub-Event': name })
const issue = (number: number, title: string, place = 'acme/engine') => ({
  number,
  title,
  html_url: `https://github.com/${place}/issues/${number}`,
  repository_url: `https://api.github.com/repos/${place}`,
})
const item = {
  id: 15,
  node_id: 'PVTI_lAAEAQ8',
  project_node_id: 'PVT_kwAEAQ',
  content_node_id: 'I_kwAE',
  content_type: 'Issue',
  archived_at: null,
}
const pair = {
  parent_issue_id: 100,
  parent_issue: issue(7, 'It stops at 2³²'),
  sub_issue_id: 101,
  sub_issue: issue(9, 'Count in 64 bits'),
}

/** Projects, sub-issues, rules and properties of GitHub. */
export const GITHUB_PLAN_EXAMPLES: readonly Example[] = [
  {
    what: 'a new item of a project',
    headers: event('projects_v2_item'),
    body: {
      action: 'created',
      projects_v2_item: { ...item, content_type: 'DraftIssue' },
      organization,
      sender,
    },
    messages: [{ topic: 'acme projects', text: 'ada added a draft issue to a project.' }],
  },
  {
    what: 'a changed field of an item of a project',
    headers: event('projects_v2_item'),
    body: {
      action: 'edited',
      projects_v2_item: item,
      changes: {
        field_value: {
          field_node_id: 'PVTSSF_lADOA',
          field_type: 'single_select',
          field_name: 'Status',
          project_number: 3,
          from: { id: 'f75ad846', name: 'Todo', color: 'GREEN' },
          to: { id: '47fc9ee4', name: 'In *progress*', color: 'YELLOW' },
        },
      },
      organization,
      sender,
    },
    messages: [
      {
        topic: 'acme projects',
        text: 'ada changed **Status** of an issue in [project #3](https://github.com/orgs/acme/projects/3) from **Todo** to **In &#42;progress&#42;**.',
      },
    ],
  },
  {
    what: 'an item of a project that is moved on the board',
    headers: event('projects_v2_item'),
    body: { action: 'reordered', projects_v2_item: item, organization, sender },
    messages: [],
  },
  {
    what: 'an item of a project with which something unknown happens',
    headers: event('projects_v2_item'),
    body: { action: 'painted', projects_v2_item: item, organization, sender },
    unsupported: 'projects_v2_item:painted',
  },
  {
    what: 'a project',
    headers: event('projects_v2'),
    body: {
      action: 'created',
      projects_v2: { number: 3, title: 'Engine', short_description: 'What is next' },
      organization,
      sender,
    },
    messages: [
      {
        topic: 'acme projects',
        text: 'ada created the project **Engine**:\n\n~~~ quote\nWhat is next\n~~~',
      },
    ],
  },
  {
    what: 'a status of a project',
    headers: event('projects_v2_status_update'),
    body: {
      action: 'created',
      projects_v2_status_update: { status: 'AT_RISK', body: 'One week late.' },
      organization,
      sender,
    },
    messages: [
      {
        topic: 'acme projects',
        text: 'ada created a status update of a project (at risk):\n\n~~~ quote\nOne week late.\n~~~',
      },
    ],
  },
  {
    what: 'a sub-issue',
    headers: event('sub_issues'),
    body: { action: 'sub_issue_added', ...pair, organization, repository, sender },
    messages: [
      {
        topic: 'engine / issue #7 It stops at 2³²',
        text: 'ada added sub-issue [issue #9 Count in 64 bits](https://github.com/acme/engine/issues/9) to [issue #7](https://github.com/acme/engine/issues/7).',
      },
    ],
  },
  {
    what: 'the same sub-issue, told of the other one',
    headers: event('sub_issues'),
    body: { action: 'parent_issue_added', ...pair, organization, repository, sender },
    messages: [],
  },
  {
    what: 'a sub-issue of an issue in another repository',
    headers: event('sub_issues'),
    body: {
      action: 'parent_issue_removed',
      ...pair,
      parent_issue: issue(4, 'Plan', 'acme/plans'),
      organization,
      repository,
      sender,
    },
    messages: [
      {
        topic: 'engine / issue #9 Count in 64 bits',
        text: 'ada removed sub-issue [issue #9](https://github.com/acme/engine/issues/9) from [issue #4 Plan](https://github.com/acme/plans/issues/4).',
      },
    ],
  },
  {
    what: 'an issue that waits for another',
    headers: event('issue_dependencies'),
    body: {
      action: 'blocked_by_added',
      blocked_issue: issue(7, 'It stops at 2³²'),
      blocking_issue: issue(9, 'Count in 64 bits'),
      organization,
      repository,
      sender,
    },
    messages: [
      {
        topic: 'engine / issue #7 It stops at 2³²',
        text: 'ada marked [issue #7](https://github.com/acme/engine/issues/7) as blocked by [issue #9 Count in 64 bits](https://github.com/acme/engine/issues/9).',
      },
    ],
  },
  {
    what: 'a ruleset',
    headers: event('repository_ruleset'),
    body: {
      action: 'edited',
      repository_ruleset: {
        id: 42,
        name: 'Main [x]',
        target: 'branch',
        source_type: 'Repository',
        source: 'acme/engine',
        enforcement: 'active',
        _links: { html: { href: 'https://github.com/acme/engine/rules/42' } },
      },
      changes: { name: { from: 'Old' } },
      repository,
      organization,
      sender,
    },
    messages: [
      {
        topic: 'engine',
        text: 'ada edited the ruleset [Main &#91;x&#93;](https://github.com/acme/engine/rules/42) (before: `Old`) of [acme/engine](https://github.com/acme/engine) (enforcement: active).',
      },
    ],
  },
  {
    what: 'custom properties',
    headers: event('custom_property_values'),
    body: {
      action: 'updated',
      new_property_values: [
        { property_name: 'team', value: 'core' },
        { property_name: 'languages', value: ['c', 'rust'] },
        { property_name: 'retired', value: null },
      ],
      old_property_values: [
        { property_name: 'team', value: 'tools' },
        { property_name: 'retired', value: 'no' },
      ],
      repository,
      organization,
      sender,
    },
    messages: [
      {
        topic: 'engine',
        text: 'ada changed the custom properties of [acme/engine](https://github.com/acme/engine):\n\n* team: **tools** → **core**\n* languages: **c**, **rust**\n* retired: **no** removed',
      },
    ],
  },
  {
    what: 'a security advisory of a repository',
    headers: event('repository_advisory'),
    body: {
      action: 'published',
      repository_advisory: {
        ghsa_id: 'GHSA-1',
        summary: 'It counts too far',
        severity: 'high',
        html_url: 'https://github.com/acme/engine/security/advisories/GHSA-1',
      },
      repository,
      sender,
    },
    messages: [
      {
        topic: 'engine',
        text: 'Security advisory [It counts too far](https://github.com/acme/engine/security/advisories/GHSA-1) (high) was published.',
      },
    ],
  },
  {
    what: 'a request for a token',
    headers: event('personal_access_token_request'),
    body: { action: 'created', personal_access_token_request: { owner: sender }, organization, sender },
    messages: [
      {
        topic: 'acme organization',
        text: '[ada](https://github.com/ada) asked for a personal access token.',
      },
    ],
  },
]
